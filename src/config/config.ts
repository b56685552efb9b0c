import { isIP } from 'node:net'
import { resolve } from 'node:path'
import type { ModelBudget } from '../core/outside/conversation.ts'
import { Secret } from '../core/secrets/secret.ts'
import { toAddress } from '../core/values/address.ts'
import { parseUrl } from '../core/values/url.ts'
import { isLoopback, toAddress as toIpAddress } from '../providers/egress/address.ts'
import { toAllowance } from '../providers/egress/policy.ts'
import type { ClientSetting } from '../providers/mail-oauth/clients.ts'
import type { ModelSetting } from '../providers/model/model.ts'
import { type BackupSettings, backupSettings } from './backups.ts'
import { databaseUrl } from './database-url.ts'
import { mailClient } from './mail-client.ts'
import { modelBudget, modelSetting } from './model.ts'
import { number } from './number.ts'
import { type PoolSizes, poolSizes } from './pools.ts'
import { type Environment, WrongSetting } from './wrong-setting.ts'

/** What the environment says, checked once. `.env.example` explains every variable. */
export type Config = {
  port: number
  host: string
  dataDir: string
  databaseUrl: string | undefined
  /** Whether the storage under PostgreSQL keeps what fsync and full_page_writes would otherwise have to. */
  durableStorage: boolean
  /** How many connections each pool may open. */
  pools: PoolSizes
  /** How many seconds a migration waits for another one, or for a backup. */
  migrationWaitS: number
  url: string
  mode: 'local' | 'strict'
  /** Why it is that mode, in words for the start-up message. */
  modeBecause: string
  /** One wrapping key, or several separated by commas: the first one wraps, all unwrap. */
  secretsKey: Secret | undefined
  rateLimitScale: number
  logLevel: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent'
  demo: boolean
  /** Who may make an account: everybody, or only people who were invited to an organization. */
  signUp: 'open' | 'closed'
  /** Proxies whose X-Forwarded-For is trusted. */
  trustedProxies: string[]
  /** Targets of webhooks, file addresses and mail servers that are allowed in addition to the rules. */
  egressAllow: string[]
  /** Whether webhooks may go to plain http in strict mode. */
  egressAllowHttp: boolean
  /** The mail server, with its name and password; without one, local mode keeps mail in the outbox. */
  smtpUrl: Secret | undefined
  /** The one address that all mail comes from. */
  mailFrom: string
  /** The token that a scraper of /metrics must send; without one, strict mode has no /metrics. */
  metricsToken: Secret | undefined
  /** Where a worker without an API shows its metrics. */
  metricsPort: number | undefined
  /** The OpenTelemetry collector that traces go to; without one there are none. */
  otlpEndpoint: string | undefined
  /** The S3-compatible store that keeps files, with its keys; without one they are in the data folder. */
  s3Url: Secret | undefined
  /** Where exchange rates are fetched, a folder; without one, the bundled ones are used. */
  exchangeRatesUrl: string | undefined
  /** Where the rates of the Bank of Israel are fetched: the current ones and their history. */
  boiRates: { current: string; history: string } | undefined
  /** Where the rates of the Monetary Authority of Singapore are fetched, with the key of the installation. */
  masRates: { view: string; key: Secret } | undefined
  /** How the mail providers know this installation, for connecting mailboxes; without it, local mode simulates them. */
  gmailClient: ClientSetting | undefined
  outlookClient: ClientSetting | undefined
  /**
   * Where the Israel Tax Authority is called instead of at its own addresses. In local mode its sandbox is a simulator unless
   * an address is given.
   */
  israelTaxAuthority: { sandbox: string | undefined; production: string | undefined }
  /** The access point of InvoiceNow of Singapore. In local mode the sandbox is a simulator unless an address is given. */
  accessPoint: { sandbox: string | undefined; production: string | undefined }
  /** The language model of the companion and second reader of receipts; without one nothing is sent to any. */
  model: ModelSetting | undefined
  /** What an organization may use of it in a day. */
  modelBudget: ModelBudget
  backups: BackupSettings
}

export { WrongSetting }

export function readConfig(env: Environment): Config {
  const port = number(env, 'PORT', 3000, { min: 0, max: 65535, whole: true })
  const host = withoutBrackets(env.HOST || '127.0.0.1')
  const url = webUrl(env)
  const trustedProxies = proxies(env)
  const { mode, modeBecause } = modeOf(env, { host, url, trustedProxies })
  const rateLimitScale = number(env, 'RATE_LIMIT_SCALE', 1, { min: 0.001, max: 1_000_000 })
  if (rateLimitScale > 1 && mode === 'strict' && env.RATE_LIMIT_SCALE_ALLOW !== '1') {
    throw new WrongSetting(
      'RATE_LIMIT_SCALE above 1 loosens the limits; in strict mode it also needs RATE_LIMIT_SCALE_ALLOW=1.',
    )
  }
  const dataDir = resolve(env.KONTOR_DATA || './data')
  return {
    port,
    host,
    dataDir,
    databaseUrl: databaseUrl(env),
    durableStorage: oneOf(env, 'DATABASE_STORAGE_DURABLE', ['0', '1'] as const) === '1',
    pools: poolSizes(env),
    migrationWaitS: number(env, 'MIGRATION_WAIT', 600, { min: 1, max: 86_400 }),
    url: url ?? ownUrl(host, port),
    mode,
    modeBecause,
    secretsKey: secretsKey(env, { mode, modeBecause }),
    rateLimitScale,
    logLevel:
      oneOf(env, 'LOG_LEVEL', ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const) ??
      (mode === 'local' ? 'warn' : 'info'),
    demo: oneOf(env, 'KONTOR_DEMO', ['0', '1'] as const) !== '0',
    signUp: oneOf(env, 'KONTOR_SIGN_UP', ['open', 'closed'] as const) ?? 'open',
    trustedProxies,
    egressAllow: egressAllow(env),
    egressAllowHttp: oneOf(env, 'EGRESS_ALLOW_HTTP', ['0', '1'] as const) === '1',
    smtpUrl: smtpUrl(env),
    mailFrom: mailFrom(env),
    metricsToken: metricsToken(env),
    metricsPort: env.METRICS_PORT ? number(env, 'METRICS_PORT', 0, { min: 1, max: 65535, whole: true }) : undefined,
    otlpEndpoint: otlpEndpoint(env),
    s3Url: s3Url(env),
    exchangeRatesUrl: exchangeRatesUrl(env, mode),
    boiRates: boiRates(env, mode),
    masRates: masRates(env),
    gmailClient: mailClient(env, 'GMAIL'),
    outlookClient: mailClient(env, 'OUTLOOK'),
    israelTaxAuthority: {
      sandbox: authorityUrl(env, 'TAX_AUTHORITY_IL_SANDBOX_URL'),
      production: authorityUrl(env, 'TAX_AUTHORITY_IL_URL'),
    },
    accessPoint: {
      sandbox: authorityUrl(env, 'TAX_AUTHORITY_SG_SANDBOX_URL'),
      production: authorityUrl(env, 'TAX_AUTHORITY_SG_URL'),
    },
    model: modelSetting(env),
    modelBudget: modelBudget(env),
    backups: backupSettings(env, { mode, dataDir }),
  }
}

/** The same settings on a port that was found free; the address follows, unless KONTOR_URL gave it. */
export const withPort = (config: Config, port: number): Config => ({
  ...config,
  port,
  url: config.url === ownUrl(config.host, config.port) ? ownUrl(config.host, port) : config.url,
})

const ownUrl = (host: string, port: number) => `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`

type Addresses = { host: string; url: string | undefined; trustedProxies: string[] }

/** Without a mail server nobody would get the letter with which an account begins. */
export const signUpByLetter = ({ mode, smtpUrl }: Pick<Config, 'mode' | 'smtpUrl'>): boolean =>
  mode === 'strict' && smtpUrl !== undefined

/** Strict as soon as one setting says that others can reach this installation: itself, or through a proxy. */
function modeOf(env: Environment, { host, url, trustedProxies }: Addresses): Pick<Config, 'mode' | 'modeBecause'> {
  const chosen = oneOf(env, 'KONTOR_MODE', ['local', 'strict'] as const)
  if (chosen) return { mode: chosen, modeBecause: `KONTOR_MODE is ${chosen}` }
  const strict = (modeBecause: string) => ({ mode: 'strict' as const, modeBecause })
  if (env.NODE_ENV === 'production') return strict('NODE_ENV is production')
  if (!isThisMachine(host)) return strict(`HOST ${host} can be reached from elsewhere`)
  if (url && !isThisMachine(hostOf(url))) return strict(`KONTOR_URL ${url} is not an address of this machine alone`)
  if (trustedProxies.length > 0) return strict('TRUSTED_PROXIES is set')
  return { mode: 'local', modeBecause: 'it serves this machine only' }
}

/** Compared as an address, because names such as 127.evil.example only look like one. */
function isThisMachine(host: string): boolean {
  const address = toIpAddress(host)
  return address ? isLoopback(address) : host.toLowerCase() === 'localhost'
}

const hostOf = (url: string) => withoutBrackets(new URL(url).hostname)

const withoutBrackets = (host: string) => host.replace(/^\[(.*)\]$/, '$1')

/** Settings that are allowed and probably a mistake, for the start-up message. */
export function startWarnings({ mode, host, port, url, trustedProxies }: Config): string[] {
  const publicUrl = url !== ownUrl(host, port) && !isThisMachine(hostOf(url))
  const warnings = [
    mode === 'local' &&
      (publicUrl || !isThisMachine(host)) &&
      `Local mode is for one machine, and others can reach this one (${publicUrl ? `KONTOR_URL ${url}` : `HOST ${host}`}). Their webhooks may call services of this machine, and mail is kept in a readable outbox. Use KONTOR_MODE=strict.`,
    publicUrl &&
      trustedProxies.length === 0 &&
      `TRUSTED_PROXIES is not set and KONTOR_URL ${url} is public: if a proxy passes requests on, rate limits count the address of the proxy, so all callers share one limit. Set TRUSTED_PROXIES to the address of the proxy.`,
  ]
  return warnings.filter((warning) => warning !== false)
}

function oneOf<const T extends string>(env: Environment, name: string, values: readonly T[]): T | undefined {
  const text = env[name]
  if (!text) return undefined
  const found = values.find((value) => value === text)
  if (!found) throw new WrongSetting(`${name} must be one of ${values.join(', ')}; it is "${text}".`)
  return found
}

function webUrl({ KONTOR_URL }: Environment) {
  if (!KONTOR_URL) return undefined
  const url = parseUrl(KONTOR_URL)
  if (!url || !/^https?:$/.test(url.protocol) || url.pathname !== '/') {
    throw new WrongSetting(
      `KONTOR_URL must be the address people use, such as https://books.example.com; it is "${KONTOR_URL}".`,
    )
  }
  return url.origin
}

function proxies({ TRUSTED_PROXIES = '' }: Environment) {
  const given = TRUSTED_PROXIES.split(',').map((each) => each.trim())
  const wrong = given.find((each) => each !== '' && !isNetwork(each))
  if (wrong !== undefined) {
    throw new WrongSetting(
      `TRUSTED_PROXIES must be addresses or networks separated by commas, such as 10.0.0.5, 10.1.0.0/16; "${wrong}" is neither.`,
    )
  }
  return given.filter(Boolean)
}

/** An address, or a network in CIDR notation. */
function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/')
  const version = isIP(address)
  if (version === 0 || address.includes('%') || more.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

const howToMake = 'make one with `openssl rand -base64 32`'

function secretsKey(
  { KONTOR_SECRETS_KEY }: Environment,
  { mode, modeBecause }: Pick<Config, 'mode' | 'modeBecause'>,
): Secret | undefined {
  const keys = (KONTOR_SECRETS_KEY ?? '').split(',').map((key) => key.trim())
  if (keys.join('') === '') {
    if (mode === 'local') return undefined
    throw new WrongSetting(
      `KONTOR_SECRETS_KEY is required in strict mode (strict because ${modeBecause}): 32 random bytes in base64; ${howToMake}, or use the content of secrets.key if the data folder has one.`,
    )
  }
  if (!keys.every(isKey)) {
    throw new WrongSetting(
      `KONTOR_SECRETS_KEY must be 32 random bytes in base64 (a comma list while rotating); ${howToMake}.`,
    )
  }
  if (mode === 'strict' && keys.some(isPublic)) {
    throw new WrongSetting(`KONTOR_SECRETS_KEY contains a published example key; ${howToMake}.`)
  }
  if (mode === 'strict' && keys.some(isGuessable)) {
    throw new WrongSetting(`KONTOR_SECRETS_KEY is too regular to be random, so it could be guessed; ${howToMake}.`)
  }
  return new Secret(keys.join(','))
}

/** 32 bytes in base64, of either alphabet, and nothing else. */
export const isKey = (text: string): boolean => /^[A-Za-z0-9+/_-]{43}=?$/.test(text)

/** Published keys are refused: those of this repository and of textbooks. */
const isPublic = (key: string) => publicKeys.includes(Buffer.from(key, 'base64').toString('base64'))
const publicKeys = [
  'ZGV0ZXJtaW5pc3RpYy1idXQtbG9uZy1lbm91Z2gtMDE=', // the tests'
  'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=', // 0, 1, 2, … of the cipher's own test vectors
  'YD3rEBXKcb4rc67whX13gR81LAc7YQjXLZgQowkU3/Q=', // NIST SP 800-38A
]

/** Typed by hand, counted up, or repeated. Of 10^9 random keys fewer than one looks like that. */
function isGuessable(key: string) {
  const bytes = [...Buffer.from(key, 'base64')]
  const steps = bytes.slice(1).map((byte, index) => (byte - (bytes[index] ?? 0) + 256) % 256)
  const typed = bytes.every((byte) => byte >= 0x20 && byte < 0x7f)
  return typed || new Set(bytes).size < 16 || new Set(steps).size < 16
}

function egressAllow({ EGRESS_ALLOW }: Environment) {
  const entries = (EGRESS_ALLOW ?? '').split(',').map((entry) => entry.trim())
  for (const entry of entries.filter(Boolean)) {
    if (!toAllowance(entry)) {
      throw new WrongSetting(
        `EGRESS_ALLOW must be a comma list of host:port, such as mail.lan:993, or CIDR, such as 10.1.0.0/16 (/8 or narrower in IPv4, /7 in IPv6); "${entry}" is neither.`,
      )
    }
  }
  return entries.filter(Boolean)
}

function smtpUrl({ SMTP_URL }: Environment) {
  if (!SMTP_URL) return undefined
  const url = parseUrl(SMTP_URL)
  const tls = url?.searchParams.get('tls') ?? 'on'
  const known = [...(url?.searchParams.keys() ?? [])].every((name) => name === 'tls')
  const wellFormed = !/%(?![0-9a-f]{2})/i.test(SMTP_URL)
  if (
    !url ||
    !/^smtps?:$/.test(url.protocol) ||
    !url.hostname ||
    !known ||
    !['on', 'off'].includes(tls) ||
    !wellFormed
  ) {
    // Not repeated here: it may hold a password.
    throw new WrongSetting(
      'SMTP_URL must look like smtps://user:password@mail.example.com or smtp://mail.example.com:587 (with ?tls=off for a relay of your own without TLS, and % as %25).',
    )
  }
  return new Secret(SMTP_URL)
}

function s3Url({ S3_URL }: Environment) {
  if (!S3_URL) return undefined
  const url = parseUrl(S3_URL)
  const known = [...(url?.searchParams.keys() ?? [])].every((name) => name === 'region')
  const wellFormed = !/%(?![0-9a-f]{2})/i.test(S3_URL)
  const place = url?.hostname && /^\/[\w.-]+(\/[\w.-]+)*\/?$/.test(url.pathname)
  if (
    !url ||
    !/^s3\+https?:$/.test(url.protocol) ||
    !place ||
    !url.username ||
    !url.password ||
    !known ||
    !wellFormed
  ) {
    // Not repeated here: it holds a secret.
    throw new WrongSetting(
      'S3_URL must look like s3+https://KEY:SECRET@s3.example.com/bucket?region=eu-central-1 (a folder may follow the bucket; in the secret, / is %2F, + is %2B and % is %25).',
    )
  }
  return new Secret(S3_URL)
}

function exchangeRatesUrl({ EXCHANGE_RATES_URL: text }: Environment, mode: Config['mode']) {
  if (!text) return mode === 'strict' ? 'https://www.ecb.europa.eu/stats/eurofxref/' : undefined
  if (text === 'off') return undefined
  const url = parseUrl(text)
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    throw new WrongSetting(
      'EXCHANGE_RATES_URL must be off or the folder that eurofxref-daily.xml is in, such as https://www.ecb.europa.eu/stats/eurofxref/, without a password or query.',
    )
  }
  return url.href.replace(/\/*$/, '/')
}

/** Nothing is fetched by default where EXCHANGE_RATES_URL is off, because the installation may have no network. */
function boiRates(env: Environment, mode: Config['mode']): Config['boiRates'] {
  const { BOI_RATES_URL, BOI_HISTORY_URL } = env
  if (BOI_RATES_URL === 'off' || (!BOI_RATES_URL && exchangeRatesUrl(env, mode) === undefined)) return undefined
  return {
    current: sourceUrl('BOI_RATES_URL', BOI_RATES_URL || 'https://boi.org.il/PublicApi/').replace(/\/*$/, '/'),
    history: sourceUrl(
      'BOI_HISTORY_URL',
      BOI_HISTORY_URL || 'https://edge.boi.gov.il/FusionEdgeServer/sdmx/v2/data/dataflow/BOI.STATISTICS/EXR/1.0/',
    ).replace(/\/*$/, '/'),
  }
}

function masRates({ MAS_API_KEY, MAS_RATES_URL }: Environment): Config['masRates'] {
  if (!MAS_API_KEY) return undefined
  if (!/^[\x21-\x7e]+$/.test(MAS_API_KEY)) {
    throw new WrongSetting(
      'MAS_API_KEY must be the key that the Monetary Authority of Singapore issued, without spaces.',
    )
  }
  return { view: sourceUrl('MAS_RATES_URL', MAS_RATES_URL || masView), key: new Secret(MAS_API_KEY) }
}

const masView =
  'https://eservices.mas.gov.sg/apimg-gw/server/monthly_statistical_bulletin_non610ora/exchange_rates_end_of_period_daily/views/exchange_rates_end_of_period_daily'

function sourceUrl(name: string, text: string): string {
  const url = parseUrl(text)
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    throw new WrongSetting(`${name} must be a web address without a password or query.`)
  }
  return url.href
}

/** The base address of an authority, without a stroke at the end. */
const authorityUrl = (env: Environment, name: string): string | undefined =>
  env[name] ? sourceUrl(name, env[name]).replace(/\/+$/, '') : undefined

function mailFrom({ MAIL_FROM, SMTP_URL }: Environment) {
  if (!MAIL_FROM && SMTP_URL) {
    throw new WrongSetting(
      'MAIL_FROM is required with SMTP_URL: the address mail comes from, such as books@example.com.',
    )
  }
  const address = toAddress(MAIL_FROM || 'mail@kontor.test')
  if (!address) {
    throw new WrongSetting(
      `MAIL_FROM must be one plain address such as books@example.com, without a name; it is "${MAIL_FROM}".`,
    )
  }
  return address
}

function metricsToken({ METRICS_TOKEN }: Environment): Secret | undefined {
  if (!METRICS_TOKEN) return undefined
  if (!/^[\x21-\x7e]{16,}$/.test(METRICS_TOKEN)) {
    throw new WrongSetting(
      'METRICS_TOKEN must have 16 or more visible ASCII characters and no spaces; make one with `openssl rand -hex 16`.',
    )
  }
  return new Secret(METRICS_TOKEN)
}

function otlpEndpoint({ OTEL_EXPORTER_OTLP_ENDPOINT: text }: Environment) {
  if (!text) return undefined
  const url = parseUrl(text)
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username || url.password) {
    // Not repeated here: it may hold a password. One belongs into OTEL_EXPORTER_OTLP_HEADERS.
    throw new WrongSetting(
      'OTEL_EXPORTER_OTLP_ENDPOINT must be the base address of an OTLP/HTTP collector, such as http://127.0.0.1:4318, without a password or query.',
    )
  }
  return url.href.replace(/\/+$/, '')
}
