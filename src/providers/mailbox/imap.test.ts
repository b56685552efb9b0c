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
