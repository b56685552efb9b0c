import { expect, test } from 'vitest'
import { toAddress } from './address.ts'
import { isAddressAllowed, type Policy, readMailServer, readUrl, toAllowance } from './policy.ts'

const policy = ({ mode = 'strict' as Policy['mode'], allow = [] as string[], allowHttp = false } = {}): Policy => ({
  mode,
  allow: allow.map((entry) => toAllowance(entry) ?? expect.unreachable(`${entry} is an entry`)),
  allowHttp,
})

const reasonOf = (work: () => unknown) => {
  try {
    work()
  } catch (error) {
    return error instanceof Error && 'reason' in error ? error.reason : error
  }
  return 'open'
}

const forms: [text: string, reason: string][] = [
  ['https://hooks.example.com/in', 'open'],
  ['HTTPS://HOOKS.EXAMPLE.COM:443/in', 'open'],
  [' https://hooks.example.com/in\n', 'open'], // the parser trims; only its result is used
  ['https://hooks.example.com./in', 'open'],
  ['https://bücher.example/in', 'open'],
  ['https://8.8.8.8/', 'open'],
  ['https://[2606:4700::1111]/', 'open'],
  ['http://hooks.example.com/', 'scheme'],
  ['ftp://hooks.example.com/', 'form'],
  ['file:///etc/passwd', 'form'],
  ['gopher://hooks.example.com/', 'form'],
  ['javascript:alert(1)', 'form'],
  ['data:text/plain,hello', 'form'],
  ['ws://hooks.example.com/', 'form'],
  ['//hooks.example.com/', 'form'],
  ['hooks.example.com', 'form'],
  ['', 'form'],
  ['https://', 'form'],
  ['https://hooks example.com/', 'form'],
  ['https://[::1%25lo]/', 'form'],
  ['https://[fe80::1%eth0]/', 'form'],
  ['https://1.2.3.4.5/', 'form'],
  ['https://256.256.256.256/', 'form'],
  ['https://hooks.example.com:65536/', 'form'],
  ['https://hooks.example.com:-1/', 'form'],
  ['https://hooks.example.com:8o80/', 'form'],
  [`https://hooks.example.com/${'a'.repeat(2048 - 26)}`, 'open'],
  [`https://hooks.example.com/${'a'.repeat(2048 - 25)}`, 'form'],
  [`https://hooks.example.com/${'ä'.repeat(400)}`, 'form'], // 2048 as sent
  ['https://user@hooks.example.com/', 'credentials'],
  ['https://:secret@hooks.example.com/', 'credentials'],
  ['https://hooks.example.com:443@127.0.0.1/', 'credentials'],
  ['https://hooks.example.com%40127.0.0.1/', 'form'],
  ['https://127.0.0.1\\@hooks.example.com/', 'open'], // the backslash ends the host: the address is judged after
  ['https://a*b.example.com/', 'name'],
  [`https://${'a'.repeat(64)}.example.com/`, 'name'],
  ['https://hooks..example.com/', 'name'],
]

test.each(forms)('SSRF-1 %j is %s as a webhook', (text, reason) => {
  expect(reasonOf(() => readUrl(text, 'webhook', policy()))).toBe(reason)
})

test('SSRF-1 plain http is refused for webhooks in strict mode unless the installation allows it, and accepted for files', () => {
  const plain = 'http://files.example.com/'
  expect(reasonOf(() => readUrl(plain, 'webhook', policy({ allowHttp: true })))).toBe('open')
  expect(reasonOf(() => readUrl(plain, 'webhook', policy({ mode: 'local' })))).toBe('open')
  expect(reasonOf(() => readUrl(plain, 'file', policy()))).toBe('open')
})

const openPorts = [80, 443, 8080, 8443, 1024, 3000, 5433, 49_152, 65_535]
const internalPorts = [2375, 2379, 3306, 5432, 5984, 6379, 8500, 9200, 10_250, 11_211, 27_017]
const mailPorts = [110, 143, 993, 995, 25, 465, 587]

test('SSRF-1 web and mail have different allowed ports', () => {
  const web = (port: number) => reasonOf(() => readUrl(`https://hooks.example.com:${port}/`, 'webhook', policy()))
  const mail = (port: number) => reasonOf(() => readMailServer({ host: 'mail.example.com', port }, policy()))
  expect(openPorts.map(web)).toEqual(openPorts.map(() => 'open'))
  expect([...internalPorts, ...mailPorts, 0, 1, 22, 23, 53, 81, 389, 445, 1023].map(web)).not.toContain('open')
  expect(mailPorts.map(mail)).toEqual(mailPorts.map(() => 'open'))
  expect([...openPorts, ...internalPorts, 0, -1, 22, 143.5, Number.NaN, 65_536].map(mail)).not.toContain('open')
})

test('SSRF-2 the checked address is the one that the URL parser found', () => {
  const spellings = [
    '127.0.0.1',
    '127.1',
    '0177.0.0.1',
    '0x7f.1',
    '2130706433',
    '0x7f000001',
    '017700000001',
    '127.0.0.1.',
    '１２７.０.０.１',
    '127。0。0。1',
    '%31%32%37.0.0.1',
    '0x7F.0.0.1',
    '127\t.0.0.1',
  ]
  for (const host of spellings) {
    expect([host, readUrl(`https://${host}/`, 'webhook', policy()).target.literal]).toEqual([
      host,
      toAddress('127.0.0.1'),
    ])
  }
  expect(readUrl('https://127.0.0.1\\@hooks.example.com/', 'webhook', policy()).target.host).toBe('127.0.0.1')
  expect(readUrl('https://[0:0:0:0:0:FFFF:127.0.0.1]/', 'webhook', policy()).target.literal).toEqual(
    toAddress('127.0.0.1'),
  )
})

const closedNames = [
  'localhost',
  'LOCALHOST',
  'localhost.',
  'localhost..',
  'app.localhost',
  'a.b.localhost.',
  'printer.local',
  'printer.local.',
  'db.internal',
  'metadata.google.internal',
  'metadata.google.internal.',
  'METADATA.GOOGLE.INTERNAL',
  'metadata.goog',
  'router.home.arpa',
  'home.arpa',
  'router.home.arpa.',
  'intranet',
  'intranet.',
  'metadata',
  'internal',
  'local',
  'ｌocalhost',
  'loc%61lhost',
]

test.each(closedNames)('SSRF-3 the name %s is refused before any lookup', (host) => {
  expect(reasonOf(() => readUrl(`https://${host}/`, 'webhook', policy()))).toBe('name')
  if (host.includes('%')) return
  expect(reasonOf(() => readMailServer({ host, port: 993 }, policy()))).toBe('name')
})

test('SSRF-3 a name is refused by its last labels, not by other parts', () => {
  for (const host of [
    'localhost.example.com',
    'local.example.com',
    'notlocalhost.example',
    'xlocal.example',
    'internal.example.com',
    'my-internal.example',
  ]) {
    expect([host, reasonOf(() => readUrl(`https://${host}/`, 'webhook', policy()))]).toEqual([host, 'open'])
  }
})

test('SSRF-2 a mail host must be a host name or an address and nothing more', () => {
  for (const host of [
    '',
    ' ',
    'a b.example',
    'mail.example.com/x',
    'mail.example.com:143',
    'user@mail.example.com',
    'mail.example.com#',
    'mail.example.com?',
    'mail.example.com\\x',
    '[::1',
    '::1]',
    'mail.example.com\n127.0.0.1',
  ]) {
    expect([host, reasonOf(() => readMailServer({ host, port: 143 }, policy()))]).toEqual([host, 'name'])
  }
  for (const host of ['0x7f.1', '2130706433', '127.1', '127.0.0.1']) {
    expect(readMailServer({ host, port: 143 }, policy()).literal).toEqual(toAddress('127.0.0.1'))
  }
  for (const host of ['::1', '[::1]', '0:0::1']) {
    expect(readMailServer({ host, port: 143 }, policy()).literal).toEqual(toAddress('::1'))
  }
})

const reaches = (rules: Policy, host: string, port: number, address: string) => {
  const bytes = toAddress(address)
  return !!bytes && isAddressAllowed(bytes, { host, port, literal: toAddress(host) }, rules)
}

test('SSRF-10 local mode allows loopback and its names, and nothing else', () => {
  const local = policy({ mode: 'local' })
  for (const host of ['localhost:3000', 'app.localhost:3000', '127.0.0.1:3000', '[::1]:3000', '127.8.8.8:8080']) {
    expect([host, reasonOf(() => readUrl(`http://${host}/`, 'webhook', local))]).toEqual([host, 'open'])
  }
  for (const host of ['printer.local', 'db.internal', 'intranet', 'metadata.google.internal']) {
    expect([host, reasonOf(() => readUrl(`http://${host}/`, 'webhook', local))]).toEqual([host, 'name'])
  }
  expect(reasonOf(() => readUrl('http://localhost:5432/', 'webhook', local))).toBe('port')
  expect(reasonOf(() => readMailServer({ host: 'localhost', port: 1143 }, local))).toBe('open')
  expect(reasonOf(() => readMailServer({ host: 'localhost', port: 6379 }, local))).toBe('port')
  expect(reasonOf(() => readMailServer({ host: 'mail.example.com', port: 1143 }, local))).toBe('port')
  for (const address of ['127.0.0.1', '::1', '8.8.8.8']) expect(reaches(local, 'a.example', 443, address)).toBe(true)
  for (const address of ['10.0.0.1', '192.168.1.1', '169.254.169.254', '0.0.0.0', '::', 'fd00::1', '::127.0.0.1']) {
    expect([address, reaches(local, 'a.example', 443, address)]).toEqual([address, false])
  }
})

test('SSRF-10 an entry host:port allows that host at that port, with its name, port and address', () => {
  const listed = policy({ allow: ['mailserver:993', 'Hooks.LAN.:9200', '10.0.0.5:5432', '[fd00::5]:8080'] })
  expect(reasonOf(() => readMailServer({ host: 'mailserver', port: 993 }, listed))).toBe('open')
  expect(reasonOf(() => readUrl('https://hooks.lan:9200/', 'webhook', listed))).toBe('open')
  expect(reasonOf(() => readUrl('https://10.0.0.5:5432/', 'webhook', listed))).toBe('open')
  expect(reasonOf(() => readUrl('https://hooks.lan:6379/', 'webhook', listed))).toBe('port')
  expect(reasonOf(() => readUrl('https://mailserver/', 'webhook', listed))).toBe('name')
  expect(reaches(listed, 'hooks.lan', 9200, '192.168.1.9')).toBe(true)
  expect(reaches(listed, 'hooks.lan', 443, '192.168.1.9')).toBe(false)
  expect(reaches(listed, '10.0.0.5', 5432, '10.0.0.5')).toBe(true)
  expect(reaches(listed, '10.0.0.6', 5432, '10.0.0.6')).toBe(false)
  expect(reaches(listed, 'fd00::5', 8080, 'fd00::5')).toBe(true)
})

test('SSRF-10 an entry in CIDR allows its addresses, at the usual ports and for usual names', () => {
  const listed = policy({ allow: ['10.1.0.0/16', 'fc00::/7'] })
  expect(reaches(listed, 'a.example', 443, '10.1.255.255')).toBe(true)
  expect(reaches(listed, 'a.example', 443, '::ffff:10.1.2.3')).toBe(true)
  expect(reaches(listed, 'a.example', 443, '10.2.0.0')).toBe(false)
  expect(reaches(listed, 'a.example', 443, 'fd12::1')).toBe(true)
  expect(reasonOf(() => readUrl('https://10.1.0.1:5432/', 'webhook', listed))).toBe('port')
  expect(reasonOf(() => readUrl('https://db.internal/', 'webhook', listed))).toBe('name')
})

test('SSRF-10 metadata is allowed only by its exact address', () => {
  const wide = policy({
    allow: [
      '169.254.0.0/16',
      '169.254.169.254/32',
      'fc00::/7',
      '64:ff9b::/96',
      '100.64.0.0/10',
      'evil.example:80',
      'metadata.google.internal:80',
    ],
  })
  for (const address of [
    '169.254.169.254',
    '169.254.170.2',
    'fd00:ec2::254',
    '64:ff9b::a9fe:a9fe',
    '100.100.100.200',
  ]) {
    expect([address, reaches(wide, 'evil.example', 80, address)]).toEqual([address, false])
  }
  expect(reaches(wide, 'evil.example', 80, '169.254.1.1')).toBe(true)
  expect(reasonOf(() => readUrl('http://metadata.google.internal/', 'file', wide))).toBe('name')
  const exact = policy({ allow: ['169.254.169.254:80'] })
  expect(reaches(exact, '169.254.169.254', 80, '169.254.169.254')).toBe(true)
  expect(reaches(exact, '169.254.169.254', 8080, '169.254.169.254')).toBe(false)
})

test.each([
  '',
  'host',
  '10.0.0.5',
  '10.0.0.0/0',
  '0.0.0.0/7',
  '::/0',
  '::/6',
  '::ffff:0:0/96',
  '10.0.0.1/8',
  'host:0',
  'host:65536',
  'host:',
  ':80',
  'user@host:80',
  'http://host:80',
  'host:80/path',
  'a b:80',
  '*',
  '*:80/0',
  '[::1',
  'host:80:80',
])('SSRF-10 "%s" is refused as an entry, because no entry may disable the whole policy', (entry) =>
  expect(toAllowance(entry)).toBeUndefined(),
)

test('SSRF-10 a model is called without TLS in local mode, and in strict mode only if the operator allows it', () => {
  const [plain, safe] = ['http://models.example.com:8000/v1', 'https://models.example.com/v1']
  expect(reasonOf(() => readUrl(safe, 'model', policy()))).toBe('open')
  expect(reasonOf(() => readUrl(plain, 'model', policy({ mode: 'local' })))).toBe('open')
  expect(reasonOf(() => readUrl(plain, 'model', policy()))).toBe('scheme')
  expect(reasonOf(() => readUrl(plain, 'model', policy({ allowHttp: true })))).toBe('open')
  const allow = ['models.example.com:8000']
  expect(reasonOf(() => readUrl(plain, 'model', policy({ allow })))).toBe('open')
  expect(reasonOf(() => readUrl(plain, 'webhook', policy({ allow })))).toBe('scheme')
})
