import { readFileSync } from 'node:fs'
import { afterAll, afterEach, expect, test } from 'vitest'
import type { MailFolder } from '../../simulators/mail/store.ts'
import { selfSigned } from '../../test/fakes/certificate.ts'
import {
  accessToken,
  accountOf,
  createMailboxClient,
  mailboxFailureOf as failureOf,
  inbox,
  listed,
  mail,
  password,
  temporaryFolder,
} from '../../test/fakes/mailbox.ts'
import { type Pop3ServerSettings, startPop3Server } from '../../test/fakes/pop3-server.ts'

const opened: { close(): unknown }[] = []
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close()
})
const files = temporaryFolder()
afterAll(() => files.close())

/** A server, and the commands that it was given. */
const serve = async (folder: MailFolder, more: Partial<Pop3ServerSettings> = {}) => {
  const commands: string[] = []
  const onCommand = (line: string) => void commands.push(line)
  const accounts = accountOf([folder])
  const server = await startPop3Server({ accounts, host: '127.0.0.1', port: 0, onCommand, ...more })
  opened.push(server)
  return { port: server.port, commands }
}
const { open: connect } = createMailboxClient()
const open: typeof connect = async (port, access, signal) => {
  const mailbox = await connect(port, { protocol: 'POP3', ...access }, signal)
  opened.push(mailbox)
  return mailbox
}
const { cert, key } = selfSigned({ host: 'localhost' })

test.each([[[]], [['PIPELINING']], [['CAPA']]])(
  'a server without %j: messages are listed by their headers and fetched as they were received; nothing is deleted',
  async (without) => {
    const folder = inbox(
      mail({ uid: 3, subject: '=?utf-8?B?15fXqdeR15XXoNeZ16o=?= 7' }),
      mail({ uid: 9, at: '2026-03-11T10:00:00Z', subject: 'קבלה', body: '.\r\n..\r\n.a\r\nb\n.\nc' }),
    )
    const { port, commands } = await serve(folder, { without })
    const mailbox = await open(port)
    const all = await listed(mailbox)
    expect(all).toEqual([
      {
        place: '7-3',
        size: folder.messages[0]?.size,
        receivedAt: new Date('2026-03-10T09:00:00Z'),
        messageId: '<3@shop.test>',
        from: 'bills@shop.test',
        subject: 'חשבונית 7',
      },
      expect.objectContaining({ place: '7-9', messageId: '<9@shop.test>', subject: 'קבלה' }),
    ])
    expect(commands.some((line) => /^RETR/.test(line))).toBe(false)
    for (const { place } of all) {
      const file = files.file()
      const source = await folder.messages.find(({ uid }) => place === `7-${uid}`)?.source()
      const { size, isFetched } = await mailbox.fetch(place, { file, maxBytes: 1_000_000 })
      expect(isFetched).toBe(true)
      const text = readFileSync(file, 'utf8')
      expect(size).toBe(Buffer.byteLength(text))
      expect(text.replace(/\r\n$/, '')).toBe(source?.toString().replace(/\r\n$/, '')) // POP3 ends the last line
    }
    expect(commands.some((line) => /^(DELE|RSET)/i.test(line))).toBe(false)
  },
)

test('TLS and STLS are verified, and no password goes to a server whose certificate is not trusted', async () => {
  for (const from of ['start', 'STARTTLS'] as const) {
    const { port, commands } = await serve(inbox(mail({ uid: 1 })), { tls: { cert, key, from } })
    const access = { protocol: 'POP3', host: 'localhost', tls: from === 'start' } as const
    const trusting = await createMailboxClient({ ca: cert }).open(port, access)
    expect(await listed(trusting)).toHaveLength(1)
    await trusting.close()
    expect(commands).toContain('AUTH PLAIN')
    commands.length = 0
    expect((await failureOf(open(port, access))).trouble).toBe('CERTIFICATE')
    expect(commands.filter((line) => !/^(CAPA|STLS)$/.test(line))).toEqual([])
  }
})

test('THR-19: a server on another machine that offers no encryption gets no password', async () => {
  const { port, commands } = await serve(inbox())
  await (await open(port)).close()
  expect(commands).toContain('AUTH PLAIN')
  commands.length = 0
  const elsewhere = createMailboxClient({ elsewhere: port })
  const failure = await failureOf(elsewhere.open(110, { protocol: 'POP3', host: '93.184.215.14' }))
  expect(failure).toMatchObject({ trouble: 'CERTIFICATE', message: expect.stringContaining('995') })
  expect(commands).toEqual(['CAPA'])
})

test.each([[[]], [['PLAIN']], [['PLAIN', 'XOAUTH2']], [['CAPA']]])(
  'a password is accepted by a server without %j, and a wrong one is not',
  async (without) => {
    const { port } = await serve(inbox(), { without })
    await open(port)
    const failure = await failureOf(open(port, { login: { password: `${password}1` } }))
    expect(failure).toMatchObject({ trouble: 'LOGIN', needsPerson: true })
    expect(failure.message).not.toContain(password)
  },
)

test('an access token is accepted, and an old one is refused', async () => {
  const { port } = await serve(inbox())
  await open(port, { login: { accessToken } })
  expect(await failureOf(open(port, { login: { accessToken: 'ya29.old' } }))).toMatchObject({
    trouble: 'LOGIN',
    message: expect.stringContaining('Connect the mailbox again'),
  })
  const without = await serve(inbox(), { without: ['XOAUTH2'] })
  expect((await failureOf(open(without.port, { login: { accessToken } }))).trouble).toBe('LOGIN')
})

test('a user name or password cannot add a command', async () => {
  const { port, commands } = await serve(inbox(), { without: ['PLAIN'] })
  expect((await failureOf(open(port, { username: 'amy\r\nDELE 1' }))).trouble).toBe('LOGIN')
  expect((await failureOf(open(port, { login: { password: 'x\r\nDELE 1' } }))).trouble).toBe('LOGIN')
  expect(commands.filter((line) => line !== 'CAPA')).toEqual([])
})

test('the window is exact: the newest Received counts, then Date; a message without either is listed', async () => {
  const at = (uid: number, header: string) => {
    const source = Buffer.from(`${header}Subject: ${uid}\r\n\r\nText\r\n`)
    return { uid, receivedAt: new Date(), size: source.length, source: () => source, flags: new Set<string>() }
  }
  const folder = inbox(
    at(1, 'Date: Sat, 28 Feb 2026 23:59:59 +0000\r\n'),
    at(2, 'Date: Sun, 1 Mar 2026 02:00:00 +0200\r\n'),
    at(
      3,
      'Received: from a by b;\r\n Wed, 1 Apr 2026 01:59:59 +0200 (IST)\r\nReceived: x; Sat, 2 May 2026 10:00:00 +0000\r\n',
    ),
    at(4, 'Received: from a by b; Wed, 1 Apr 2026 00:00:00 +0000\r\nDate: Sun, 1 Mar 2026 02:00:00 +0200\r\n'),
    at(5, ''),
    at(6, 'Received: nonsense\r\nDate: nonsense\r\n'),
  )
  const { port } = await serve(folder)
  const window = { from: new Date('2026-03-01T00:00:00Z'), to: new Date('2026-04-01T00:00:00Z') }
  expect((await listed(await open(port), window)).map(({ subject }) => subject)).toEqual(['2', '3', '5', '6'])
})

test('known messages come with their place alone, and nothing of them is read', async () => {
  const { port, commands } = await serve(inbox(mail({ uid: 1 }), mail({ uid: 2 }), mail({ uid: 3 })))
  const all = await listed(await open(port), undefined, (place) => place === '7-2')
  expect(all.map(({ place, subject }) => [place, subject])).toEqual([
    ['7-1', 'Receipt 1'],
    ['7-2', null],
    ['7-3', 'Receipt 3'],
  ])
  expect(commands.filter((line) => line.startsWith('TOP'))).toEqual(['TOP 1 0', 'TOP 3 0'])
})

test('a mailbox of 100,000 messages: only headers are read, and only of messages that are not known', async () => {
  const first = Date.parse('2020-01-01T00:00:00Z')
  const messages = Array.from({ length: 100_000 }, (_, n) => ({
    uid: n + 1,
    receivedAt: new Date(first + n * 30 * 60_000),
    size: 300,
    source: () =>
      mail({ uid: n + 1, at: new Date(first + n * 30 * 60_000).toISOString(), body: 'x'.repeat(1000) }).source(),
    flags: new Set<string>(),
  }))
  const { port, commands } = await serve({ name: 'INBOX', uidValidity: 7, messages })
  const client = createMailboxClient()
  const mailbox = await client.open(port, { protocol: 'POP3' })
  const window = { from: new Date('2023-05-01T00:00:00Z'), to: new Date('2023-05-11T00:00:00Z') }
  const isKnown = (place: string) => Math.abs(Number(place.slice(2)) - 58_500) > 2_500
  const all = await listed(mailbox, window, isKnown)
  await mailbox.close()
  expect(all.filter(({ subject }) => subject === null)).toHaveLength(94_999)
  expect(all.filter(({ subject }) => subject !== null)).toHaveLength(480)
  expect(commands.filter((line) => line.startsWith('TOP'))).toHaveLength(5_001)
  expect(commands.filter((line) => line.startsWith('RETR'))).toEqual([])
  expect(client.sockets[0]?.bytesRead).toBeLessThan(5_001 * 400 + 100_000 * 40)
}, 60_000)

test('a server without UIDL: the headers tell the messages apart, the same in every session', async () => {
  const folder = inbox(mail({ uid: 1 }), mail({ uid: 2 }), mail({ uid: 2 }))
  const { port } = await serve(folder, { without: ['UIDL'] })
  const first = await listed(await open(port))
  expect(first.map(({ subject }) => subject)).toEqual(['Receipt 1', 'Receipt 2'])
  const places = new Set(first.map(({ place }) => place))
  expect(places.size).toBe(2)
  const again = await open(port)
  expect((await listed(again, undefined, (place) => places.has(place))).map(({ subject }) => subject)).toEqual([
    null,
    null,
  ])
  const other = await open(port) // without having listed anything
  const file = files.file()
  expect(await other.fetch(first[1]?.place ?? '', { file, maxBytes: 10_000 })).toMatchObject({ isFetched: true })
  expect(readFileSync(file, 'utf8')).toContain('<2@shop.test>')
})

test('a server without TOP lists messages without headers; without UIDL too nothing can be told apart', async () => {
  const { port } = await serve(inbox(mail({ uid: 1 })), { without: ['TOP'] })
  expect(await listed(await open(port))).toMatchObject([{ place: '7-1', subject: null, receivedAt: null }])
  const neither = await serve(inbox(mail({ uid: 1 })), { without: ['TOP', 'UIDL'] })
  expect((await failureOf(listed(await open(neither.port)))).trouble).toBe('GARBAGE')
})

test('a message that is gone or too large is not fetched, whatever size the server tells', async () => {
  const folder = inbox(mail({ uid: 1, body: 'x'.repeat(5_000) }), mail({ uid: 2 }))
  const lying = await serve(folder, { faults: { sizeTold: () => 10 } })
  for (const { port } of [await serve(folder), lying]) {
    const mailbox = await open(port)
    const file = files.file()
    const fetched = await mailbox.fetch('7-1', { file, maxBytes: 2_000 })
    expect(fetched).toEqual({ size: expect.any(Number), isFetched: false })
    expect(fetched.size).toBeGreaterThan(5_000)
    expect(() => readFileSync(file)).toThrow('ENOENT')
    expect(await mailbox.fetch('7-2', { file, maxBytes: 2_000 })).toMatchObject({ isFetched: true })
    expect((await failureOf(mailbox.fetch('7-99', { file: files.file(), maxBytes: 2_000 }))).trouble).toBe('GONE')
  }
})

test.each([
  ['GREETING', '-ERR [SYS/TEMP] Come back later\r\n', 'UNAVAILABLE'],
  ['GREETING', 'SSH-2.0-OpenSSH_9.6\r\n', 'GARBAGE'],
  ['AUTH', '-ERR [IN-USE] Another session is open\r\n', 'UNAVAILABLE'],
  ['AUTH', '-ERR [AUTH] PASS p"ss\\ word of amy@example.com at 10.1.2.3 is wrong\r\n', 'LOGIN'],
] as const)('%s answered with %j is %s', async (command, say, trouble) => {
  const { port } = await serve(inbox(), { faults: { instead: (each) => (each === command ? { say } : undefined) } })
  const failure = await failureOf(open(port))
  expect(failure.trouble).toBe(trouble)
  expect(failure.message).not.toMatch(/p"ss|amy@|10\.1/)
})

test('messages to which the server gives the same id are told apart by their headers', async () => {
  const say = '+OK\r\n1 same\r\n2 same\r\n3 other\r\n.\r\n'
  const folder = inbox(mail({ uid: 1 }), mail({ uid: 2 }), mail({ uid: 3 }))
  const { port } = await serve(folder, { faults: { instead: (each) => (each === 'UIDL' ? { say } : undefined) } })
  const all = await listed(await open(port))
  expect(new Set(all.map(({ place }) => place)).size).toBe(3)
  expect(all.map(({ messageId }) => messageId)).toEqual(['<1@shop.test>', '<2@shop.test>', '<3@shop.test>'])
})

test('a list that cannot be understood is a failure, and no empty mailbox', async () => {
  const say = '+OK\r\nzzz\r\n-1 -1\r\n.\r\n'
  const folder = inbox(mail({ uid: 1 }))
  const { port } = await serve(folder, { faults: { instead: (each) => (each === 'LIST' ? { say } : undefined) } })
  expect(await failureOf(listed(await open(port)))).toMatchObject({ trouble: 'GARBAGE' })
})
