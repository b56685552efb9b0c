import { randomBytes } from 'node:crypto'
import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { readConfig, startWarnings, WrongSetting, withPort } from './config.ts'

test.each(['abc', '3000.5', '-1', '65536', ' ', '1e-3'])('PORT %j is refused with a sentence', (PORT) => {
  expect(() => readConfig({ PORT })).toThrow(`PORT must be a whole number from 0 to 65535; it is "${PORT}".`)
})

test('without settings it listens on this machine, on port 3000', () => {
  expect(readConfig({})).toMatchObject({ port: 3000, url: 'http://127.0.0.1:3000', mode: 'local', trustedProxies: [] })
})

test('trusted proxies are addresses or networks, with or without spaces around them', () => {
  const { trustedProxies } = readConfig({
    KONTOR_MODE: 'local',
    TRUSTED_PROXIES: ' 10.0.0.5 , 10.1.0.0/16,::1, fd00::/8,',
  })
  expect(trustedProxies).toEqual(['10.0.0.5', '10.1.0.0/16', '::1', 'fd00::/8'])
})

test.each([
  'proxy.example.com',
  '10.0.0',
  '10.0.0.0/33',
  '::1/129',
  '10.0.0.0/',
  '10.0.0.0/8/8',
  'true',
  'fe80::1%eth0',
])('TRUSTED_PROXIES %s is refused in a sentence that shows it', (wrong) => {
  expect(() => readConfig({ TRUSTED_PROXIES: `10.0.0.5, ${wrong}` })).toThrow(
    `TRUSTED_PROXIES must be addresses or networks separated by commas, such as 10.0.0.5, 10.1.0.0/16; "${wrong}" is neither.`,
  )
})

test('the address follows the port that was found, unless it was given', () => {
  expect(withPort(readConfig({ PORT: '0' }), 4711)).toMatchObject({ port: 4711, url: 'http://127.0.0.1:4711' })
  expect(withPort(readConfig({ PORT: '0', HOST: '::1' }), 4711).url).toBe('http://[::1]:4711')
  const given = { PORT: '0', KONTOR_MODE: 'local', KONTOR_URL: 'https://books.example.com' }
  expect(withPort(readConfig(given), 4711)).toMatchObject({ port: 4711, url: 'https://books.example.com' })
})

describe('without KONTOR_MODE', () => {
  const KONTOR_SECRETS_KEY = randomBytes(32).toString('base64')
  const modeOf = (env: Record<string, string>) => readConfig({ KONTOR_SECRETS_KEY, ...env })

  test.each([
    '127.0.0.1',
    '127.0.0.2',
    'localhost',
    'LOCALHOST',
    '::1',
    '[::1]',
    '0:0:0:0:0:0:0:1',
    '::ffff:127.0.0.1',
  ])('HOST %s is this machine, so the mode is local', (HOST) =>
    expect(modeOf({ HOST })).toMatchObject({ mode: 'local', modeBecause: 'it serves this machine only' }),
  )

  test.each([
    '0.0.0.0',
    '::',
    '127.evil.example',
    '127.0.0.1.evil.example',
    '128.0.0.1',
    'localhost.evil.example',
    '::2',
    '::ffff:10.0.0.1',
    'fe80::1%eth0',
    'books.example.com',
  ])('HOST %s is not, so the mode is strict', (HOST) => {
    expect(modeOf({ HOST: '127.0.0.1' }).mode).toBe('local')
    expect(modeOf({ HOST })).toMatchObject({
      mode: 'strict',
      modeBecause: `HOST ${HOST} can be reached from elsewhere`,
    })
  })

  test.each([
    'http://127.0.0.1:3000',
    'https://localhost',
    'http://LocalHost:3000',
    'http://[::1]:3000',
    'http://127.0.0.2',
    'http://[::ffff:127.0.0.1]:3000',
  ])('KONTOR_URL %s is this machine, so the mode is local', (KONTOR_URL) => {
    expect(modeOf({ KONTOR_URL }).mode).toBe('local')
  })

  test.each([
    'https://books.example.com',
    'http://127.evil.example:3000',
    'http://192.168.1.10:3000',
    'http://0.0.0.0:3000',
    'https://[2001:db8::1]',
  ])('KONTOR_URL %s makes the mode strict on any HOST', (KONTOR_URL) => {
    for (const HOST of ['127.0.0.1', 'localhost', '::1', '']) {
      expect(modeOf({ HOST }).mode).toBe('local')
      expect(modeOf({ HOST, KONTOR_URL })).toMatchObject({
        mode: 'strict',
        modeBecause: `KONTOR_URL ${KONTOR_URL} is not an address of this machine alone`,
      })
    }
  })

  test('TRUSTED_PROXIES makes the mode strict on any HOST', () => {
    for (const HOST of ['127.0.0.1', '::1']) {
      expect(modeOf({ HOST, TRUSTED_PROXIES: ' , ' }).mode).toBe('local')
      const behind = modeOf({ HOST, TRUSTED_PROXIES: '127.0.0.1' })
      expect(behind).toMatchObject({ mode: 'strict', modeBecause: 'TRUSTED_PROXIES is set' })
    }
  })

  test('NODE_ENV=production makes the mode strict', () => {
    expect(modeOf({ NODE_ENV: 'test' }).mode).toBe('local')
    const production = modeOf({ NODE_ENV: 'production' })
    expect(production).toMatchObject({ mode: 'strict', modeBecause: 'NODE_ENV is production' })
  })

  test('a missing secrets key is reported with the reason of the mode', () => {
    expect(() => readConfig({ KONTOR_URL: 'https://books.example.com' })).toThrow(
      /^KONTOR_SECRETS_KEY is required in strict mode \(strict because KONTOR_URL https:\/\/books\.example\.com is not/,
    )
  })
})

test('an explicit KONTOR_MODE is used whatever the addresses are', () => {
  const reachable = { HOST: '0.0.0.0', KONTOR_URL: 'https://books.example.com', TRUSTED_PROXIES: '10.0.0.5' }
  const local = readConfig({ ...reachable, NODE_ENV: 'production', KONTOR_MODE: 'local' })
  expect(local).toMatchObject({ mode: 'local', modeBecause: 'KONTOR_MODE is local' })
  expect(strict(random())).toMatchObject({ mode: 'strict', modeBecause: 'KONTOR_MODE is strict' })
})

test('HOST may have the brackets that an address has in a URL', () => {
  expect(readConfig({ HOST: '[::1]' })).toMatchObject({ host: '::1', url: 'http://[::1]:3000' })
})

describe('start warnings', () => {
  const key = { KONTOR_SECRETS_KEY: randomBytes(32).toString('base64') }
  const warned = (env: Record<string, string>) => startWarnings(readConfig({ ...key, ...env })).join('\n')

  test('a public KONTOR_URL without TRUSTED_PROXIES is warned about', () => {
    const KONTOR_URL = 'https://books.example.com'
    expect(warned({ KONTOR_URL, TRUSTED_PROXIES: '127.0.0.1' })).toBe('')
    expect(warned({ KONTOR_URL })).toMatch(/^TRUSTED_PROXIES is not set.*rate limits count the address of the proxy/)
    expect(warned({ KONTOR_URL: 'http://localhost:3000' })).toBe('')
    expect(warned({})).toBe('')
  })

  test('local mode on an address that others can reach is warned about', () => {
    const TRUSTED_PROXIES = '10.0.0.5'
    expect(warned({ KONTOR_MODE: 'local' })).toBe('')
    for (const reachable of [{ HOST: '0.0.0.0' }, { KONTOR_URL: 'https://books.example.com', TRUSTED_PROXIES }]) {
      expect(warned({ ...reachable })).toBe('')
      expect(warned({ ...reachable, KONTOR_MODE: 'local' })).toMatch(/^Local mode/)
    }
  })
})

const random = () => randomBytes(32).toString('base64')
const base64 = (bytes: Iterable<number>) => Buffer.from([...bytes]).toString('base64')
const strict = (key?: string) =>
  readConfig({ KONTOR_MODE: 'strict', ...(key !== undefined && { KONTOR_SECRETS_KEY: key }) })

test.each<[string, string | undefined]>([
  ['no key', undefined],
  ['an empty key', ''],
  ['commas alone', ' , '],
  ['a short key', randomBytes(31).toString('base64')],
  ['a long key', randomBytes(33).toString('base64')],
  ['a password', 'correct horse battery staple'],
  ['a key in hexadecimal', randomBytes(32).toString('hex')],
  ['a password of 32 letters', Buffer.from('correct-horse-battery-staple-yes').toString('base64')],
  ['zeros', base64(new Uint8Array(32))],
  ['a repeated word', base64(Array.from({ length: 32 }, (_, index) => (index % 8) * 29))],
  ['counting', base64(Array.from({ length: 32 }, (_, index) => index))],
  ['counting in sevens', base64(Array.from({ length: 32 }, (_, index) => (index * 7 + 3) % 256))],
  ["the tests' key", 'ZGV0ZXJtaW5pc3RpYy1idXQtbG9uZy1lbm91Z2gtMDE='],
  ['a textbook key', 'YD3rEBXKcb4rc67whX13gR81LAc7YQjXLZgQowkU3/Q='],
  ['a textbook key in the other alphabet', 'YD3rEBXKcb4rc67whX13gR81LAc7YQjXLZgQowkU3_Q'],
  ['a good key before a bad one', `${random()},${base64(new Uint8Array(32))}`],
  ['a hole in the list', `${random()},,${random()}`],
])('SEC-2: %s stops a strict start with a sentence', (_, key) => {
  strict(random())
  expect(() => strict(key)).toThrow(WrongSetting)
  expect(() => strict(key)).toThrow(/^KONTOR_SECRETS_KEY .*openssl rand -base64 32/)
})

test('SEC-2: random keys are accepted, one or several, in either alphabet', () => {
  for (let tries = 0; tries < 2000; tries++) strict(random())
  expect(strict(` ${random()} , ${randomBytes(32).toString('base64url')}\n`).secretsKey?.reveal()).toMatch(
    /^\S{44},\S{43}$/,
  )
})

test('SEC-2: local mode needs no key, and refuses a malformed one', () => {
  expect(readConfig({}).secretsKey).toBeUndefined()
  expect(() => readConfig({ KONTOR_SECRETS_KEY: 'short' })).toThrow(WrongSetting)
})

test('INV-20: neither printed settings nor an error message contain the key', () => {
  const key = random()
  const config = strict(key)
  expect(JSON.stringify(config) + inspect(config)).not.toContain(key)
  expect(() => strict(`${key}x`)).toThrow(expect.not.objectContaining({ message: expect.stringContaining(key) }))
})

test('SSRF-10 nothing is allowed beyond the rules unless the environment says so', () => {
  expect(readConfig({})).toMatchObject({ egressAllow: [], egressAllowHttp: false })
  expect(readConfig({ EGRESS_ALLOW: '', EGRESS_ALLOW_HTTP: '' })).toMatchObject({
    egressAllow: [],
    egressAllowHttp: false,
  })
  expect(readConfig({ EGRESS_ALLOW_HTTP: '0' }).egressAllowHttp).toBe(false)
})

test('SSRF-10 EGRESS_ALLOW is a comma list of host:port and CIDR', () => {
  const config = readConfig({ EGRESS_ALLOW: 'mail.lan:993, 10.1.0.0/16,[fd00::5]:8080,', EGRESS_ALLOW_HTTP: '1' })
  expect(config).toMatchObject({
    egressAllow: ['mail.lan:993', '10.1.0.0/16', '[fd00::5]:8080'],
    egressAllowHttp: true,
  })
})

test.each([
  { EGRESS_ALLOW: 'mail.lan' },
  { EGRESS_ALLOW: 'mail.lan:993,10.0.0.0/0' },
  { EGRESS_ALLOW: '::/0' },
  { EGRESS_ALLOW: '*' },
  { EGRESS_ALLOW_HTTP: 'yes' },
])('SSRF-10 %j stops the start with a sentence that names the variable', (wrong) => {
  expect(() => readConfig(wrong)).toThrow(WrongSetting)
  expect(() => readConfig(wrong)).toThrow(new RegExp(`^${Object.keys(wrong)[0]} must be .*\\.$`))
})

test('there is a sender address even without a mail server', () => {
  expect(readConfig({})).toMatchObject({ smtpUrl: undefined, mailFrom: 'mail@kontor.test' })
})

test('SMTP_URL and MAIL_FROM are used as given', () => {
  const SMTP_URL = 'smtps://amy:p%40ss@mail.example.com'
  const config = readConfig({ SMTP_URL, MAIL_FROM: 'Books@Example.com' })
  expect(config.smtpUrl?.reveal()).toBe(SMTP_URL)
  expect(config.mailFrom).toBe('Books@example.com')
  expect(JSON.stringify(config)).not.toContain('p%40ss')
})

const MAIL_FROM = 'books@example.com'
test.each([
  [{ SMTP_URL: 'mail.example.com', MAIL_FROM }, 'SMTP_URL must look like'],
  [{ SMTP_URL: 'https://mail.example.com', MAIL_FROM }, 'SMTP_URL must look like'],
  [{ SMTP_URL: 'smtp://', MAIL_FROM }, 'SMTP_URL must look like'],
  [{ SMTP_URL: 'smtp://mail.example.com?tls=maybe', MAIL_FROM }, 'SMTP_URL must look like'],
  [{ SMTP_URL: 'smtp://mail.example.com?tls.rejectUnauthorized=false', MAIL_FROM }, 'SMTP_URL must look like'],
  [{ SMTP_URL: 'smtp://amy:100%@mail.example.com', MAIL_FROM }, 'SMTP_URL must look like'],
  [{ SMTP_URL: 'smtp://mail.example.com' }, 'MAIL_FROM is required with SMTP_URL'],
  [{ MAIL_FROM: 'Acme <books@example.com>' }, 'MAIL_FROM must be one plain address'],
  [{ MAIL_FROM: 'books' }, 'MAIL_FROM must be one plain address'],
])('%j stops the start with a sentence that names the variable', (env, sentence) => {
  expect(readConfig({ SMTP_URL: 'smtp://mail.example.com', MAIL_FROM }).mailFrom).toBe(MAIL_FROM)
  expect(() => readConfig(env)).toThrow(WrongSetting)
  expect(() => readConfig(env)).toThrow(sentence)
})

test('the message about a wrong SMTP_URL does not repeat it, because it may contain a password', () => {
  expect(() => readConfig({ SMTP_URL: 'smpt://amy:hunter2@mail.example.com', MAIL_FROM })).toThrow(/^(?!.*hunter2)/)
})

test('without settings there is no tracing, no /metrics token and no separate /metrics port', () => {
  expect(readConfig({})).toMatchObject({ metricsToken: undefined, metricsPort: undefined, otlpEndpoint: undefined })
})

test('a collector is configured by its base address', () => {
  const endpoint = (OTEL_EXPORTER_OTLP_ENDPOINT: string) => readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT }).otlpEndpoint
  expect(endpoint('http://127.0.0.1:4318')).toBe('http://127.0.0.1:4318')
  expect(endpoint('https://otel.example.com/tenant/')).toBe('https://otel.example.com/tenant')
})

test.each([
  { METRICS_TOKEN: 'fifteen-letters' },
  { METRICS_TOKEN: 'sixteen letters!' },
  { METRICS_TOKEN: 'sechzehn-zeichen-ü' },
  { METRICS_PORT: '0' },
  { METRICS_PORT: '9464.5' },
  { OTEL_EXPORTER_OTLP_ENDPOINT: 'otel.example.com:4318' },
  { OTEL_EXPORTER_OTLP_ENDPOINT: 'grpc://127.0.0.1:4317' },
  { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://amy:sixteen-letters@127.0.0.1:4318' },
])('%j stops the start with a sentence that names the variable', (wrong) => {
  const [[name, text] = ['', '']] = Object.entries(wrong)
  readConfig({
    METRICS_TOKEN: 'sixteen-letters!',
    METRICS_PORT: '9464',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318',
  })
  expect(() => readConfig(wrong)).toThrow(WrongSetting)
  expect(() => readConfig(wrong)).toThrow(new RegExp(`^${name} must .*\\.$`))
  if (name !== 'METRICS_PORT')
    expect(() => readConfig(wrong)).toThrow(expect.not.objectContaining({ message: expect.stringContaining(text) }))
})

test('INV-20: printed settings do not contain the /metrics token', () => {
  const config = readConfig({ METRICS_TOKEN: 'sixteen-letters!' })
  expect(config.metricsToken?.reveal()).toBe('sixteen-letters!')
  expect(JSON.stringify(config) + inspect(config)).not.toContain('sixteen-letters!')
})

test('exchange rates are fetched from the central bank in strict mode, and not fetched in local mode', () => {
  const folder = (env: Record<string, string>) => readConfig(env).exchangeRatesUrl
  const strict = { KONTOR_MODE: 'strict', KONTOR_SECRETS_KEY: randomBytes(32).toString('base64') }
  expect(folder({})).toBeUndefined()
  expect(folder(strict)).toBe('https://www.ecb.europa.eu/stats/eurofxref/')
  expect(folder({ ...strict, EXCHANGE_RATES_URL: 'off' })).toBeUndefined()
  expect(folder({ EXCHANGE_RATES_URL: 'https://rates.example.com/ecb' })).toBe('https://rates.example.com/ecb/')
})

test.each([
  'on',
  'ftp://rates.example.com/',
  'https://amy:hunter2@rates.example.com/',
  'https://rates.example.com/?day=1',
])('EXCHANGE_RATES_URL %s stops the start with a sentence that does not repeat it', (EXCHANGE_RATES_URL) => {
  expect(readConfig({ EXCHANGE_RATES_URL: 'https://rates.example.com/' }).exchangeRatesUrl).toBeDefined()
  expect(() => readConfig({ EXCHANGE_RATES_URL })).toThrow(/^(?!.*hunter2)EXCHANGE_RATES_URL must .*\.$/)
})

test('the Bank of Israel is fetched where the European Central Bank is, unless it is off', () => {
  const boi = (env: Record<string, string>) => readConfig(env).boiRates?.current
  const strict = { KONTOR_MODE: 'strict', KONTOR_SECRETS_KEY: randomBytes(32).toString('base64') }
  expect(boi({})).toBeUndefined()
  expect(boi(strict)).toBe('https://boi.org.il/PublicApi/')
  expect(boi({ ...strict, EXCHANGE_RATES_URL: 'off' })).toBeUndefined()
  expect(boi({ ...strict, BOI_RATES_URL: 'off' })).toBeUndefined()
  expect(boi({ BOI_RATES_URL: 'https://rates.example.com/boi' })).toBe('https://rates.example.com/boi/')
  expect(readConfig(strict).boiRates?.history).toContain('edge.boi.gov.il')
})

test('INV-20: the Monetary Authority of Singapore is fetched if there is a key, which is not printed', () => {
  expect(readConfig({}).masRates).toBeUndefined()
  const config = readConfig({ MAS_API_KEY: 'key-of-the-authority' })
  expect(config.masRates?.key.reveal()).toBe('key-of-the-authority')
  expect(config.masRates?.view).toContain('eservices.mas.gov.sg')
  expect(JSON.stringify(config) + inspect(config)).not.toContain('key-of-the-authority')
})

test.each([
  ['BOI_RATES_URL', 'on'],
  ['BOI_HISTORY_URL', 'ftp://rates.example.com/'],
  ['MAS_RATES_URL', 'https://amy:hunter2@rates.example.com/'],
  ['MAS_API_KEY', 'two words'],
])('%s %s stops the start with a sentence that does not repeat it', (name, value) => {
  const valid = { BOI_RATES_URL: 'https://rates.example.com/', MAS_API_KEY: 'key-of-the-authority' }
  expect(readConfig(valid).boiRates).toBeDefined()
  expect(() => readConfig({ ...valid, [name]: value })).toThrow(new RegExp(`^(?!.*hunter2)${name} must .*\\.$`))
})

test.each(['GMAIL', 'OUTLOOK'] as const)(
  'INV-20: %s has a client id with its secret, which is not printed',
  (provider) => {
    const client = (env: Record<string, string>) => {
      const { gmailClient, outlookClient } = readConfig(env)
      return provider === 'GMAIL' ? gmailClient : outlookClient
    }
    expect(client({})).toBeUndefined()
    const given = {
      [`${provider}_CLIENT_ID`]: 'books.apps.example',
      [`${provider}_CLIENT_SECRET`]: 'the-client-secret',
    }
    expect(client(given)?.id).toBe('books.apps.example')
    expect(client(given)?.secret.reveal()).toBe('the-client-secret')
    expect(JSON.stringify(readConfig(given)) + inspect(readConfig(given))).not.toContain('the-client-secret')
    for (const name of Object.keys(given)) {
      expect(() => readConfig({ ...given, [name]: '' })).toThrow(/belong together: set both or neither\.$/)
      expect(() => readConfig({ ...given, [name]: 'two words' })).toThrow(/without spaces\.$/)
    }
  },
)

test('S3_URL is used as given, and its secret is not printed', () => {
  const S3_URL = 's3+https://KEY:se%2Fcret@s3.example.com:9000/books/kontor?region=eu-1'
  const config = readConfig({ S3_URL })
  expect(config.s3Url?.reveal()).toBe(S3_URL)
  expect(JSON.stringify(config)).not.toContain('se%2Fcret')
  expect(readConfig({}).s3Url).toBeUndefined()
})

test.each([
  'books',
  'https://KEY:hunter2@s3.example.com/books',
  's3+https://KEY:hunter2@s3.example.com',
  's3+https://KEY:hunter2@s3.example.com/',
  's3+https://KEY@s3.example.com/books',
  's3+https://s3.example.com/books',
  's3+https://KEY:hunter2@s3.example.com/books?acl=public',
  's3+https://KEY:hunter2%@s3.example.com/books',
  's3+https://KEY:hunter2@s3.example.com/other bucket',
])('S3_URL %s stops the start with a sentence that does not repeat it', (S3_URL) => {
  expect(readConfig({ S3_URL: 's3+https://KEY:hunter2@s3.example.com/books' }).s3Url).toBeDefined()
  expect(() => readConfig({ S3_URL })).toThrow(WrongSetting)
  expect(() => readConfig({ S3_URL })).toThrow(/^(?!.*hunter2)S3_URL must look like .*\.$/)
})

test('KONTOR_MODEL names a model, whose key is not printed; without it there is none', () => {
  expect(readConfig({ KONTOR_MODEL_KEY: 'key-of-the-model' }).model).toBeUndefined()
  const config = readConfig({ KONTOR_MODEL: 'anthropic:claude-sonnet-4-5', ANTHROPIC_API_KEY: 'key-of-the-model' })
  expect(config.model).toMatchObject({
    provider: 'anthropic',
    model: 'claude-sonnet-4-5',
    url: 'https://api.anthropic.com/v1',
  })
  expect(config.model?.key?.reveal()).toBe('key-of-the-model')
  expect(JSON.stringify(config) + inspect(config)).not.toContain('key-of-the-model')
  expect(readConfig({ KONTOR_MODEL: 'compatible:http://127.0.0.1:11434/v1/#qwen2.5vl:7b' }).model).toEqual({
    provider: 'compatible',
    model: 'qwen2.5vl:7b',
    url: 'http://127.0.0.1:11434/v1',
    key: undefined,
  })
})

test.each([
  ['KONTOR_MODEL', { KONTOR_MODEL: 'gpt-4' }],
  ['KONTOR_MODEL', { KONTOR_MODEL: 'other:gpt-4' }],
  ['KONTOR_MODEL', { KONTOR_MODEL: 'compatible:vision' }],
  ['KONTOR_MODEL', { KONTOR_MODEL: 'compatible:https://models.example.com/v1' }],
  ['KONTOR_MODEL', { KONTOR_MODEL: 'compatible:https://amy:hunter2@models.example.com/v1#vision' }],
  ['KONTOR_MODEL_KEY', { KONTOR_MODEL_KEY: '' }],
  ['KONTOR_MODEL_KEY', { KONTOR_MODEL_KEY: 'hunter2 hunter2' }],
  ['KONTOR_MODEL_URL', { KONTOR_MODEL_URL: 'https://amy:hunter2@models.example.com/v1' }],
  [
    'KONTOR_MODEL_URL',
    { KONTOR_MODEL: 'compatible:http://127.0.0.1:11434/v1#vision', KONTOR_MODEL_URL: 'https://models.example.com/v1' },
  ],
])('%s stops the start if %j is wrong, with a sentence that does not repeat a password', (name, wrong) => {
  const valid = {
    KONTOR_MODEL: 'openai:gpt-4o',
    KONTOR_MODEL_KEY: 'key-of-the-model',
    KONTOR_MODEL_URL: 'https://models.example.com/v1',
  }
  expect(readConfig(valid).model?.url).toBe('https://models.example.com/v1')
  expect(() => readConfig({ ...valid, ...wrong })).toThrow(new RegExp(`^(?!.*hunter2)${name}\\b.*\\.$`))
})

test('the companion may use two million tokens of the model for an organization and day, unless the operator says otherwise', () => {
  expect(readConfig({}).modelBudget).toEqual({
    dailyTokens: 2_000_000,
    pricePerMillion: { input: 0, output: 0 },
    dailyCostMicros: undefined,
  })
  const prices = { KONTOR_MODEL_PRICE_IN: '3', KONTOR_MODEL_PRICE_OUT: '15.5' }
  expect(
    readConfig({ ...prices, KONTOR_MODEL_DAILY_TOKENS: '50000', KONTOR_MODEL_DAILY_COST: '2.50' }).modelBudget,
  ).toEqual({
    dailyTokens: 50_000,
    pricePerMillion: { input: 3, output: 15.5 },
    dailyCostMicros: 2_500_000,
  })
})

test.each([
  ['KONTOR_MODEL_DAILY_TOKENS', { KONTOR_MODEL_DAILY_TOKENS: '0' }],
  ['KONTOR_MODEL_DAILY_TOKENS', { KONTOR_MODEL_DAILY_TOKENS: '1.5' }],
  ['KONTOR_MODEL_DAILY_TOKENS', { KONTOR_MODEL_DAILY_TOKENS: 'many' }],
  ['KONTOR_MODEL_PRICE_IN', { KONTOR_MODEL_PRICE_IN: '-1' }],
  ['KONTOR_MODEL_PRICE_OUT', { KONTOR_MODEL_PRICE_OUT: '$3' }],
  ['KONTOR_MODEL_DAILY_COST', { KONTOR_MODEL_DAILY_COST: '0' }],
  ['KONTOR_MODEL_DAILY_COST', { KONTOR_MODEL_PRICE_OUT: '' }],
])('%s stops the start if %j is wrong', (name, wrong) => {
  const valid = { KONTOR_MODEL_PRICE_IN: '3', KONTOR_MODEL_PRICE_OUT: '15', KONTOR_MODEL_DAILY_COST: '5' }
  expect(readConfig(valid).modelBudget.dailyCostMicros).toBe(5_000_000)
  expect(() => readConfig({ ...valid, ...wrong })).toThrow(new RegExp(`^${name}\\b.*\\.$`))
})

test.each([
  ['mysql://kontor@db/kontor', /must begin with postgres:/],
  ['postgres://kontor:p#ss@db/kontor', /cannot be read.* # is %23/],
  ['postgres://kontor:12/34@db/kontor', /cannot be read/],
  ['postgres://kontor:50%@db/kontor', /cannot be read.* % is %25/],
  ['postgres://kontor:secret@db:port/kontor', /cannot be read/],
  ['postgres://kontor:secret@db', /must end with the name of a database/],
  ['postgres:///kontor', /names no host/],
  ['postgres://kontor:secret@db/kontor?sslmode=always', /sslmode in DATABASE_URL must be one of .*"always"/],
  ['postgres://kontor:secret@db/kontor?options=-c%20jit=on', /must not have options/],
])('DATABASE_URL %s is refused with a sentence that does not repeat its password', (DATABASE_URL, says) => {
  const reading = () => readConfig({ DATABASE_URL })
  expect(reading).toThrow(says)
  expect(reading).not.toThrow(/secret|p#ss|12\/34|50%@/)
})

test.each([
  'postgres://kontor:p%40ss@db.example.com:5432/kontor?sslmode=verify-full',
  'postgresql://kontor@/kontor?host=/var/run/postgresql',
  'postgres:///kontor?host=/var/run/postgresql',
  'postgres://kontor@[::1]:5432/kontor',
])('DATABASE_URL %s is accepted', (DATABASE_URL) => {
  expect(readConfig({ DATABASE_URL }).databaseUrl).toBe(DATABASE_URL)
})

test('pools have sizes, and MIGRATION_WAIT is in seconds', () => {
  expect(readConfig({})).toMatchObject({ pools: { requests: 12, heavy: 4, system: 4, queue: 10 }, migrationWaitS: 600 })
  const given = { DATABASE_POOL_REQUESTS: '6', DATABASE_POOL_HEAVY: '1', DATABASE_POOL_SYSTEM: '2' }
  expect(readConfig({ ...given, DATABASE_POOL_QUEUE: '4', MIGRATION_WAIT: '30' })).toMatchObject({
    pools: { requests: 6, heavy: 1, system: 2, queue: 4 },
    migrationWaitS: 30,
  })
  expect(() => readConfig({ DATABASE_POOL_REQUESTS: '1' })).toThrow(
    'DATABASE_POOL_REQUESTS must be a whole number from 2 to 1000; it is "1".',
  )
})
