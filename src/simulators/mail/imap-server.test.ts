import { connect } from 'node:net'
import { ImapFlow } from 'imapflow'
import { afterEach, expect, test } from 'vitest'
import { selfSigned } from '../../test/fakes/certificate.ts'
import { accessToken, accountOf, inbox, mail, password, username } from '../../test/fakes/mailbox.ts'
import { type ImapServerSettings, startImapServer } from './imap-server.ts'
import type { MailFolder } from './store.ts'

const opened: { close(): unknown }[] = []
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close()
})
const serve = async (folders: readonly MailFolder[], more: Partial<ImapServerSettings> = {}) => {
  const server = await startImapServer({ accounts: accountOf(folders), host: '127.0.0.1', port: 0, ...more })
  opened.push(server)
  return server
}
/** Another implementation of IMAP. */
const flow = async (port: number, more: Partial<ConstructorParameters<typeof ImapFlow>[0]> = {}) => {
  const client = new ImapFlow({
    host: '127.0.0.1',
    port,
    secure: false,
    auth: { user: username, pass: password },
    logger: false,
    ...more,
  })
  await client.connect()
  opened.push({ close: () => client.logout().catch(() => {}) })
  return client
}
const { cert, key } = selfSigned({ host: 'localhost' })

test('another client signs in over TLS, over STARTTLS, with a password and with a token', async () => {
  for (const from of ['start', 'STARTTLS'] as const) {
    const { port } = await serve([inbox(mail({ uid: 1 }))], { tls: { cert, key, from } })
    const client = await flow(port, { host: 'localhost', secure: from === 'start', tls: { ca: cert } })
    expect(client.secureConnection).toBe(true)
    expect(await client.status('INBOX', { messages: true })).toMatchObject({ messages: 1 })
  }
  const { port } = await serve([inbox()])
  await flow(port, { auth: { user: username, accessToken } })
  await expect(flow(port, { auth: { user: username, accessToken: 'old' } })).rejects.toMatchObject({
    authenticationFailed: true,
  })
  await expect(flow(port, { auth: { user: username, pass: 'wrong' } })).rejects.toMatchObject({
    authenticationFailed: true,
  })
})

test('another client lists folders, also with Hebrew names', async () => {
  const names = ['INBOX', 'קבלות', 'Bills & more', 'Bills & more/2026']
  const { port } = await serve(names.map((name) => ({ name, uidValidity: 3, messages: [] })))
  const client = await flow(port)
  expect((await client.list()).map(({ path }) => path).sort()).toEqual([...names].sort())
  expect(await client.mailboxOpen('קבלות')).toMatchObject({ exists: 0, uidValidity: 3n })
  await expect(client.mailboxOpen('Missing')).rejects.toThrow()
})

test('another client searches, reads and marks messages', async () => {
  const folder = inbox(
    mail({ uid: 2, at: '2026-03-01T09:00:00Z', subject: 'Invoice "A"' }),
    mail({ uid: 5, at: '2026-03-02T09:00:00Z', subject: 'חשבונית', body: 'x'.repeat(100_000) }),
    mail({ uid: 9, at: '2026-03-03T09:00:00Z' }),
  )
  const { port } = await serve([folder])
  const client = await flow(port)
  await client.mailboxOpen('INBOX')
  const search = (query: Parameters<typeof client.search>[0]) => client.search(query, { uid: true })
  expect(await search({ all: true })).toEqual([2, 5, 9])
  expect(await search({ since: new Date('2026-03-02'), before: new Date('2026-03-03') })).toEqual([5])
  expect(await search({ subject: 'invoice' })).toEqual([2])
  expect(await search({ subject: 'חשבונית' })).toEqual([5])
  expect(await search({ or: [{ larger: 50_000 }, { uid: '9' }] })).toEqual([5, 9])
  expect(await search({ not: { header: { 'message-id': '<2@shop.test>' } } })).toEqual([5, 9])
  expect(await search({ seen: true })).toEqual([])

  const all = await client.fetchAll('1:*', {
    uid: true,
    flags: true,
    envelope: true,
    internalDate: true,
    size: true,
    headers: ['subject'],
  })
  expect(
    all.map(({ seq, uid, size, internalDate, envelope }) => [seq, uid, size, internalDate, envelope?.subject]),
  ).toEqual(
    folder.messages.map((message, at) => [
      at + 1,
      message.uid,
      message.size,
      message.receivedAt,
      ['Invoice "A"', 'חשבונית', 'Receipt 9'][at],
    ]),
  )
  expect(all[0]?.envelope?.from).toEqual([{ name: 'Shop, Ltd', address: 'bills@shop.test' }])
  expect(all[0]?.headers?.toString()).toBe('Subject: Invoice "A"\r\n\r\n')

  const { content } = await client.download('5', undefined, { uid: true })
  const pieces: Buffer[] = []
  for await (const piece of content ?? []) pieces.push(piece)
  expect(Buffer.concat(pieces)).toEqual(await folder.messages[1]?.source())

  await client.messageFlagsAdd('5', ['\\Seen'], { uid: true })
  expect(await search({ seen: true })).toEqual([5])
  expect([...(folder.messages[1]?.flags ?? [])]).toEqual(['\\Seen'])
})

test('another client hears of new and removed messages', async () => {
  const folder = { name: 'INBOX', uidValidity: 1, messages: [mail({ uid: 1 }), mail({ uid: 2 })] }
  const { port } = await serve([folder])
  const client = await flow(port)
  const heard: string[] = []
  client.on('exists', ({ count, prevCount }) => heard.push(`${prevCount} to ${count}`))
  client.on('expunge', ({ seq }) => heard.push(`without ${seq}`))
  await client.mailboxOpen('INBOX')
  folder.messages = [mail({ uid: 2 }), mail({ uid: 3 }), mail({ uid: 4 })]
  await client.noop()
  expect(heard).toEqual(['without 1', '1 to 3'])
})

/** Sends lines as they are, and returns what the server answers until it closes the connection. */
const say = (port: number, text: string) =>
  new Promise<string>((resolve, reject) => {
    let said = ''
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(text))
    socket
      .on('data', (bytes) => (said += bytes))
      .on('error', reject)
      .on('close', () => resolve(said))
  })

test('commands that cannot be read, or come too early, are refused and the connection stays', async () => {
  const { port } = await serve([inbox(mail({ uid: 1 }))])
  const said = await say(
    port,
    [
      'a1 SELECT INBOX', 'nonsense', 'a2 LOGIN "amy', 'a3 FETCH 1 (UID)', 'a4 LOGIN {15+}', 'amy@example.com {10+}', 'p"ss\\ word',
      'a5 FETCH 1 (UID)', 'a6 EXAMINE INBOX', 'a7 FETCH x UID', 'a8 FETCH 1 (UID NONSENSE)', 'a9 UID SEARCH NONSENSE',
      'b1 STORE 1 +FLAGS (\\Seen)', 'b2 UID EXPUNGE 1', 'b3 FETCH 1 (UID BODY[TEXT]<0.5> BODY[9])', 'b4 WHAT', 'b5 LOGOUT', '',
    ].join('\r\n'),
  ) // biome-ignore format: a dialogue
  expect(said.split('\r\n').filter((line) => !line.startsWith('* ') || /FETCH|BAD/.test(line))).toEqual([
    'a1 BAD Sign in first',
    '* BAD The command cannot be read',
    'a2 BAD The command cannot be read',
    'a3 BAD Sign in first',
    expect.stringMatching(/^a4 OK/),
    'a5 BAD Select a folder first',
    'a6 OK [READ-ONLY] Done',
    expect.stringMatching(/^a7 BAD/),
    expect.stringMatching(/^a8 BAD/),
    expect.stringMatching(/^a9 BAD/),
    expect.stringMatching(/^b1 NO \[READ-ONLY\]/),
    expect.stringMatching(/^b2 NO/),
    '* 1 FETCH (UID 1 BODY[TEXT]<0> {5}',
    'Thank BODY[9] NIL)',
    'b3 OK Done',
    'b4 BAD Unknown command',
    'b5 OK Done',
    '',
  ])
})

test('before STARTTLS nobody can sign in', async () => {
  const { port } = await serve([inbox()], { tls: { cert, key, from: 'STARTTLS' } })
  const said = await say(port, `a1 LOGIN ${username} x\r\na2 AUTHENTICATE PLAIN\r\na3 LOGOUT\r\n`)
  expect(said).toContain('a1 NO [PRIVACYREQUIRED]')
  expect(said).toContain('a2 NO [PRIVACYREQUIRED]')
})
