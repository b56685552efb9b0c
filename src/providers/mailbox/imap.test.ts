import { readFileSync } from 'node:fs'
import { afterAll, afterEach, expect, test } from 'vitest'
import { type ImapServerSettings, startImapServer } from '../../simulators/mail/imap-server.ts'
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
  username,
} from '../../test/fakes/mailbox.ts'

const opened: { close(): unknown }[] = []
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close()
})
const files = temporaryFolder()
afterAll(() => files.close())

const serve = async (folders: readonly MailFolder[], more: Partial<ImapServerSettings> = {}) => {
  const server = await startImapServer({ accounts: accountOf(folders), host: '127.0.0.1', port: 0, ...more })
  opened.push(server)
  return server
}
const { open: connect } = createMailboxClient()
const open: typeof connect = async (...access) => {
  const mailbox = await connect(...access)
  opened.push(mailbox)
  return mailbox
}
const { cert, key } = selfSigned({ host: 'localhost' })

test('messages are listed and fetched as they were received, and stay unread', async () => {
  const folder = inbox(
    mail({ uid: 3, subject: '=?utf-8?B?15fXqdeR15XXoNeZ16o=?= 7' }),
    mail({ uid: 9, at: '2026-03-11T10:00:00Z', subject: 'קבלה', body: 'שלום {12}\r\n' }),
  )
  const { port } = await serve([folder])
  const mailbox = await open(port)
  const all = await listed(mailbox)
  expect(all).toEqual([
    {
      place: '7:3',
      size: folder.messages[0]?.size,
      receivedAt: new Date('2026-03-10T09:00:00Z'),
      messageId: '<3@shop.test>',
      from: 'bills@shop.test',
      subject: 'חשבונית 7',
    },
    expect.objectContaining({ place: '7:9', messageId: '<9@shop.test>', subject: 'קבלה' }),
  ])
  for (const { place, size } of all) {
    const file = files.file()
    expect(await mailbox.fetch(place, { file, maxBytes: 1_000_000 })).toEqual({ size, isFetched: true })
    const message = folder.messages.find(({ uid }) => place === `7:${uid}`)
    expect(readFileSync(file)).toEqual(await message?.source())
  }
  expect(folder.messages.map(({ flags }) => [...flags])).toEqual([[], []])
})

test('TLS and STARTTLS are verified, and no password goes to a server whose certificate is not trusted', async () => {
  for (const from of ['start', 'STARTTLS'] as const) {
    const tried: string[] = []
    const { port } = await serve([inbox(mail({ uid: 1 }))], {
      tls: { cert, key, from },
      accounts: (name) => {
        tried.push(name)
        return accountOf([inbox(mail({ uid: 1 }))])(name)
      },
    })
    const access = { host: 'localhost', tls: from === 'start' }
    const trusting = await createMailboxClient({ ca: cert }).open(port, access)
    expect(await listed(trusting)).toHaveLength(1)
    await trusting.close()
    expect(tried).toEqual([username])
    const failure = await failureOf(open(port, access))
    expect(failure).toMatchObject({ trouble: 'CERTIFICATE', needsPerson: true })
    expect(
      (await failureOf(createMailboxClient({ ca: cert }).open(port, { ...access, host: '127.0.0.1' }))).trouble,
    ).toBe(
      'CERTIFICATE', // the name is not the one of the certificate
    )
    expect(tried).toEqual([username])
  }
})

test('a server that expects STARTTLS is found where TLS was expected; without any TLS nobody signs in', async () => {
  const { port } = await serve([inbox(mail({ uid: 1 }))], { tls: { cert, key, from: 'STARTTLS' } })
  const wanted = { host: 'localhost', tls: true, withoutTls: false }
  const mailbox = await createMailboxClient({ ca: cert }).open(port, wanted)
  expect(await listed(mailbox)).toHaveLength(1)
  await mailbox.close()
  const plain = await serve([inbox(mail({ uid: 1 }))])
  expect(await failureOf(open(plain.port, wanted))).toMatchObject({ trouble: 'CERTIFICATE' })
})

test('a server on this machine is used without TLS if that is wanted and allowed, also if it offers TLS', async () => {
  const tls = { cert, key, from: 'STARTTLS' as const }
  const { port } = await serve([inbox(mail({ uid: 1 }))], { tls, without: ['LOGINDISABLED'] })
  const mailbox = await open(port, { host: 'localhost', withoutTls: true }) // its certificate is not trusted
  expect(await listed(mailbox)).toHaveLength(1)
  await mailbox.close()
  expect(await failureOf(open(port, { host: 'localhost' }))).toMatchObject({ trouble: 'CERTIFICATE' })
  const strict = await serve([inbox(mail({ uid: 1 }))], { tls })
  expect(await failureOf(open(strict.port, { host: 'localhost', withoutTls: true }))).toMatchObject({
    trouble: 'CERTIFICATE',
  })
})

test('THR-19: a server on another machine that offers no encryption gets no password', async () => {
  const lines: string[] = []
  const { port } = await serve([inbox()], {
    faults: {
      instead: (command) => {
        lines.push(command)
        return undefined
      },
    },
  })
  const local = await open(port)
  expect(lines).toContain('AUTHENTICATE')
  await local.close()
  lines.length = 0
  const elsewhere = createMailboxClient({ elsewhere: port })
  const failure = await failureOf(elsewhere.open(143, { host: '93.184.215.14' }))
  expect(failure).toMatchObject({ trouble: 'CERTIFICATE', message: expect.stringContaining('993') })
  expect(lines).toEqual(['GREETING'])
})

test.each([[[]], [['SASL-IR']], [['AUTH=PLAIN']], [['AUTH=PLAIN', 'SASL-IR']]])(
  'a password is accepted by a server without %j, and a wrong one is not',
  async (without) => {
    for (const secret of [password, 'סיסמה', 'x'.repeat(600)]) {
      const accounts = accountOf([inbox()], { password: secret })
      const { port } = await serve([], { accounts, without })
      await open(port, { login: { password: secret } })
      const failure = await failureOf(open(port, { login: { password: `${secret}1` } }))
      expect(failure).toMatchObject({ trouble: 'LOGIN', needsPerson: true })
      expect(failure.message).not.toContain(secret)
    }
  },
)

test.each([[[]], [['SASL-IR']]])(
  'a server without %j accepts an access token, and an old one is refused',
  async (without) => {
    const { port } = await serve([inbox()], { without })
    await open(port, { login: { accessToken } })
    const failure = await failureOf(open(port, { login: { accessToken: 'ya29.old' } }))
    expect(failure).toMatchObject({ trouble: 'LOGIN', message: expect.stringContaining('Connect the mailbox again') })
  },
)

test('a server that accepts no tokens, or no passwords, is explained', async () => {
  const { port } = await serve([inbox()], { without: ['AUTH=XOAUTH2'] })
  await open(port)
  expect(await failureOf(open(port, { login: { accessToken } }))).toMatchObject({
    trouble: 'LOGIN',
    message: expect.stringContaining('user name and password'),
  })
})

test.each(['קבלות 2026', 'Bills & Receipts/März', 'a"b\\c'])('the folder %s is opened', async (name) => {
  const { port } = await serve([inbox(), { name, uidValidity: 11, messages: [mail({ uid: 4 })] }])
  expect(await listed(await open(port, { folder: name }))).toMatchObject([{ place: '11:4' }])
})

test('a folder is found by its name as people write it', async () => {
  const { port } = await serve([inbox(), { name: 'INBOX/Bills', uidValidity: 2, messages: [mail({ uid: 1 })] }])
  for (const folder of ['INBOX/Bills', 'inbox/bills', 'Bills'])
    expect(await listed(await open(port, { folder }))).toMatchObject([{ place: '2:1' }])
  expect(await listed(await open(port, { folder: 'Inbox' }))).toEqual([])
})

test('a folder that does not exist is explained with those that do, at most 20', async () => {
  const names = ['קבלות', ...Array.from({ length: 29 }, (_, n) => `Folder ${n}`)]
  const { port } = await serve([inbox(), ...names.map((name) => ({ name, uidValidity: 1, messages: [] }))])
  const failure = await failureOf(open(port, { folder: 'Receipts' }))
  expect(failure).toMatchObject({ trouble: 'FOLDER', needsPerson: true })
  expect(failure.message).toContain('"INBOX", "קבלות", "Folder 0"')
  expect(failure.message).toContain('and 11 more')
  expect(failure.message).not.toContain('Folder 19')
})

test.each([-720, -300, 0, 330, 840])(
  'the window is exact for a server at %i minutes from UTC',
  async (offsetMinutes) => {
    const times = [
    '2026-02-28T23:59:59Z', '2026-03-01T00:00:00Z', '2026-03-15T12:00:00Z', '2026-03-31T23:59:59Z', '2026-04-01T00:00:00Z',
    '2026-02-20T12:00:00Z', '2026-04-09T12:00:00Z',
  ] // biome-ignore format: a list
    const folder = inbox(...times.map((at, n) => mail({ uid: n + 1, at })))
    const read: number[] = []
    const { port } = await serve([folder], { offsetMinutes, onFetch: (uid) => read.push(uid) })
    const window = { from: new Date('2026-03-01T00:00:00Z'), to: new Date('2026-04-01T00:00:00Z') }
    const all = await listed(await open(port), window)
    expect(all.map(({ receivedAt }) => receivedAt?.toISOString())).toEqual(
      times.slice(1, 4).map((at) => new Date(at).toISOString()),
    )
    expect(read).not.toContain(6)
    expect(read).not.toContain(7)
  },
)

test('known messages come with their place alone, and nothing of them is read', async () => {
  const read: number[] = []
  const { port } = await serve([inbox(mail({ uid: 1 }), mail({ uid: 2 }), mail({ uid: 3 }))], {
    onFetch: (uid) => read.push(uid),
  })
  const all = await listed(await open(port), undefined, (place) => place === '7:2')
  expect(all.map(({ place, size, subject }) => [place, size > 0, subject])).toEqual([
    ['7:1', true, 'Receipt 1'],
    ['7:2', false, null],
    ['7:3', true, 'Receipt 3'],
  ])
  expect(read).toEqual([1, 3])
})

test('a message that is gone or too large is not fetched, whatever size the server tells', async () => {
  const folder = inbox(mail({ uid: 1, body: 'x'.repeat(5_000) }), mail({ uid: 2 }))
  const lying = await serve([folder], { faults: { sizeTold: () => 10 } })
  for (const { port } of [await serve([folder]), lying]) {
    const mailbox = await open(port)
    const file = files.file()
    const fetched = await mailbox.fetch('7:1', { file, maxBytes: 2_000 })
    expect(fetched).toEqual({ size: folder.messages[0]?.size, isFetched: false })
    expect(() => readFileSync(file)).toThrow('ENOENT')
    expect(await mailbox.fetch('7:2', { file, maxBytes: 2_000 })).toMatchObject({ isFetched: true })
    for (const place of ['7:99', '8:2', 'nonsense'])
      expect((await failureOf(mailbox.fetch(place, { file: files.file(), maxBytes: 2_000 }))).trouble).toBe('GONE')
  }
})

test('FLT-15: after the server renumbered the folder, no place means a message any more', async () => {
  const folder = inbox(mail({ uid: 1 }))
  const { port } = await serve([folder])
  const [before] = await listed(await open(port))
  folder.uidValidity = 8
  const mailbox = await open(port)
  const [after] = await listed(mailbox)
  expect([before?.place, after?.place]).toEqual(['7:1', '8:1'])
  expect((await failureOf(mailbox.fetch('7:1', { file: files.file(), maxBytes: 2_000 }))).trouble).toBe('GONE')
})

test('a mailbox of 100,000 messages: nothing outside the window is read', async () => {
  const source = (uid: number) => mail({ uid }).source()
  const first = Date.parse('2020-01-01T00:00:00Z')
  const messages = Array.from({ length: 100_000 }, (_, n) => ({
    uid: n + 1,
    receivedAt: new Date(first + n * 30 * 60_000),
    size: 300,
    source: () => source(n + 1),
    flags: new Set<string>(),
  }))
  const read: number[] = []
  const pages: number[] = []
  const { port } = await serve([{ name: 'INBOX', uidValidity: 7, messages }], { onFetch: (uid) => read.push(uid) })
  const client = createMailboxClient({ limits: { silenceMs: 30_000 } }) // the server of the test looks through them all
  const mailbox = await client.open(port)
  const window = { from: new Date('2023-05-01T00:00:00Z'), to: new Date('2023-05-11T00:00:00Z') }
  const all = []
  for await (const page of mailbox.list(window, async () => new Set())) {
    pages.push(page.length)
    all.push(...page)
  }
  await mailbox.close()
  expect(all).toHaveLength(480) // ten days with 48 messages each
  expect(all.map(({ receivedAt }) => receivedAt?.getTime())).toEqual(
    Array.from({ length: 480 }, (_, n) => window.from.getTime() + n * 30 * 60_000),
  )
  expect(Math.max(...pages)).toBeLessThanOrEqual(200)
  expect(read.length).toBe(480 + 3 * 48) // a day before and two after: servers compare days in their own time zone
  expect(new Set(read).size).toBe(read.length)
  expect(client.sockets[0]?.bytesRead).toBeLessThan(624 * 400)
})

/** A server that answers some commands in its own words, as other servers do. */
const answering = (answers: Record<string, string>, folder = inbox(mail({ uid: 5 }))) =>
  serve([folder], {
    faults: {
      instead: (command, tag) => {
        const say = answers[command]
        return say === undefined ? undefined : { say: say.replaceAll('$', tag) }
      },
    },
  })

const body = 'Subject: a\r\n\r\nb'
test.each([
  ['the UID after the message', `* 1 FETCH (RFC822.SIZE 14 BODY[] {${body.length}}\r\n${body} UID 5)\r\n$ OK Done\r\n`],
  ['a quoted message', '* 1 FETCH (UID 5 RFC822.SIZE 14 BODY[] "Subject: a")\r\n$ OK Done\r\n'],
  [
    'news of other messages',
    '* 9 EXISTS\r\n* 3 FETCH (FLAGS (\\Seen))\r\n* 4 FETCH (UID 6 FLAGS ())\r\n* 2 EXPUNGE\r\n' +
      `* 1 fetch (uid 5 rfc822.size 14 flags (\\Seen) body[] {${body.length}}\r\n${body})\r\n* OK Still here {5}\r\n$ OK Done\r\n`,
  ],
])('a message is fetched that comes with %s', async (_, said) => {
  const { port } = await answering({ 'UID FETCH': said }) // also when the size is asked
  const mailbox = await open(port)
  const file = files.file()
  expect(await mailbox.fetch('7:5', { file, maxBytes: 100 })).toMatchObject({ isFetched: true })
  expect(readFileSync(file, 'utf8')).toMatch(/^Subject: a/)
})

test('the items of a message may come one by one, with strings of any kind, and a search in many lines', async () => {
  const header = 'Subject: Bill\r\n\r\n'
  const { port } = await answering({
    'UID SEARCH': '* SEARCH 5\r\n* SEARCH\r\n* ESEARCH (TAG "$") UID ALL 7:8\r\n* SEARCH 5\r\n$ OK Done\r\n',
    'UID FETCH':
      '* 1 FETCH (UID 5 INTERNALDATE " 1-Mar-2026 10:00:00 +0200")\r\n' +
      `* 1 FETCH (UID 5 RFC822.SIZE 77 BODY[HEADER.FIELDS ("MESSAGE-ID" FROM SUBJECT)] {${header.length}}\r\n${header})\r\n` +
      '* 2 FETCH (UID 7 RFC822.SIZE 1 INTERNALDATE NIL BODY[HEADER.FIELDS (SUBJECT)] "Subject: \\"x\\"")\r\n' +
      '* 3 FETCH (UID 8 RFC822.SIZE 2 INTERNALDATE NIL BODY[HEADER.FIELDS (SUBJECT)] "")\r\n' +
      '$ OK Done\r\n',
  })
  expect(await listed(await open(port))).toEqual([
    {
      place: '7:5',
      size: 77,
      receivedAt: new Date('2026-03-01T08:00:00Z'),
      subject: 'Bill',
      messageId: null,
      from: null,
    },
    { place: '7:7', size: 1, receivedAt: null, subject: '"x"', messageId: null, from: null },
    { place: '7:8', size: 2, receivedAt: null, subject: null, messageId: null, from: null },
  ])
})

test('a message that is there and that the server does not describe is a failure, and not passed over', async () => {
  const search = '* SEARCH 5 7\r\n$ OK Done\r\n'
  const one = '* 1 FETCH (UID 5 RFC822.SIZE 77 INTERNALDATE NIL BODY[HEADER.FIELDS (SUBJECT)] "")\r\n'
  for (const [fetched, trouble] of [
    [`${one}$ OK Done\r\n`, 'GARBAGE'],
    ['$ OK Done\r\n', 'GARBAGE'],
    [`${one}$ NO [UNAVAILABLE] Try later\r\n`, 'UNAVAILABLE'],
  ] as const) {
    const { port } = await answering({ 'UID SEARCH': search, 'UID FETCH': fetched })
    const mailbox = await open(port)
    expect(await failureOf(listed(mailbox))).toMatchObject({ trouble })
  }
})

test('a header of a megabyte does not keep the others from being listed', async () => {
  const folder = inbox(mail({ uid: 1, subject: 'x'.repeat(1_000_000) }), mail({ uid: 2 }))
  const { port } = await serve([folder])
  expect(await listed(await open(port))).toMatchObject([{ place: '7:1' }, { place: '7:2', subject: 'Receipt 2' }])
})

test.each([
  ['GREETING', '* BYE Come back later\r\n', 'UNAVAILABLE'],
  ['GREETING', 'SSH-2.0-OpenSSH_9.6\r\n', 'GARBAGE'],
  ['GREETING', '+OK POP3 ready\r\n', 'GARBAGE'],
  ['AUTHENTICATE', '$ NO [UNAVAILABLE] Try later\r\n', 'UNAVAILABLE'],
  ['AUTHENTICATE', '$ NO [ALERT] Too many simultaneous connections. (Failure)\r\n', 'UNAVAILABLE'],
  ['AUTHENTICATE', '$ NO [AUTHENTICATIONFAILED] p"ss\\ word of amy@example.com at 10.1.2.3 is wrong\r\n', 'LOGIN'],
  ['AUTHENTICATE', '$ NO [ALERT] Application-specific password required for amy@example.com\r\n', 'LOGIN'],
  ['AUTHENTICATE', 'Z9 OK Signed in\r\n', 'GARBAGE'],
  ['AUTHENTICATE', '* BYE Shutting down\r\n', 'CLOSED'],
  ['EXAMINE', '$ NO [UNAVAILABLE] Try later\r\n', 'UNAVAILABLE'],
  ['EXAMINE', '* BYE Shutting down\r\n', 'CLOSED'],
  ['UID SEARCH', '$ NO Not now\r\n', 'UNAVAILABLE'],
  ['UID SEARCH', '$ BAD What\r\n', 'GARBAGE'],
  ['UID SEARCH', '* ESEARCH (((((((((((((((((((((((((((((\r\n$ OK\r\n', 'GARBAGE'],
  ['UID FETCH', '* 1 FETCH (UID 5 BODY[] {99999999999}\r\n', 'GARBAGE'],
  ['UID FETCH', '* 1 FETCH (UID 5 BODY[HEADER] {2000000000}\r\n', 'GARBAGE'],
  ['UID FETCH', '* 1 FETCH (UID 5\r\n$ OK\r\n', 'GARBAGE'],
  ['UID FETCH', '+ more?\r\n', 'GARBAGE'],
] as const)('%s answered with %j is %s', async (command, say, trouble) => {
  await listed(await open((await answering({})).port))
  const { port } = await answering({ [command]: say })
  const failure = await failureOf(open(port).then((mailbox) => listed(mailbox)))
  expect(failure.trouble).toBe(trouble)
  expect(failure.message).not.toMatch(/p"ss|amy@|10\.1/)
})

test('a server that is not there, or has no name, is explained', async () => {
  const closed = await serve([inbox()])
  await open(closed.port)
  for (const each of opened.splice(0).reverse()) await each.close()
  expect((await failureOf(open(closed.port))).trouble).toBe('REFUSED')
  expect((await failureOf(open(993, { host: 'mail.invalid' }))).trouble).toBe('NAME')
  expect((await failureOf(open(993, { host: '10.0.0.1' }))).trouble).toBe('NAME')
  expect((await failureOf(open(22, { host: 'localhost' }))).message).toContain('993')
})

test('THR-19: a server that claims that somebody has signed in already cannot avoid encryption', async () => {
  const { port } = await answering({ GREETING: '* PREAUTH [CAPABILITY IMAP4rev1 STARTTLS] Welcome\r\n' })
  const elsewhere = createMailboxClient({ elsewhere: port })
  expect((await failureOf(elsewhere.open(143, { host: '93.184.215.14' }))).trouble).toBe('CERTIFICATE')
})
