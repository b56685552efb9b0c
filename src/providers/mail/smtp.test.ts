import { afterEach, expect, test, vi } from 'vitest'
import type { Mail, Message } from '../../core/outside/mail.ts'
import { behaving, mailbox, type Script, scripted } from '../../test/fakes/smtp.ts'
import { leaves, parameter, readMime, words } from '../../test/readers/mime.ts'
import { smtpMail } from './smtp.ts'

const limits = { connectMs: 400, greetingMs: 400, silenceMs: 400, totalMs: 1_200 }
const message = (more: Partial<Message> = {}): Message => ({
  id: '0190f3c4-0000-7000-8000-000000000001',
  organizationId: null,
  to: ['amy@example.com'],
  senderName: 'Acme Ltd',
  replyTo: 'office@acme.test',
  subject: 'Invoice 7',
  text: 'Hello',
  html: '<p>Hello</p>',
  attachments: [],
  ...more,
})

const opened: { close(): unknown }[] = []
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close()
})
const mailTo = (port: number, address = `smtp://127.0.0.1:${port}`): Mail => {
  const mail = smtpMail({ url: address, from: 'books@kontor.example', limits })
  opened.push(mail)
  return mail
}
const server = async (options?: Parameters<typeof mailbox>[0]) => {
  const box = await mailbox(options)
  opened.push(box)
  return box
}
const hostile = async (script: Script) => {
  const box = await scripted(script)
  opened.push(box)
  return box
}

test('a message arrives unchanged, with Hebrew in subject, sender, text and file name', async () => {
  const box = await server()
  const content = Buffer.from('%PDF-1.7 חשבונית')
  const outcomes = await mailTo(box.port).send(
    message({
      to: ['דנה@example.com', 'office@דוגמה.co.il'],
      senderName: 'מאפיית "לחם ושות׳" בע״מ',
      subject: 'חשבונית מס 1024 ממאפיית לחם ושות׳ בע״מ עבור חודש ינואר 2026',
      text: 'שלום דנה,\nמצורפת החשבונית.\n',
      html: '<p dir="rtl">שלום דנה</p>',
      attachments: [{ fileName: 'חשבונית מס 1024 – ינואר.pdf', contentType: 'application/pdf', content }],
    }),
  )
  expect(outcomes).toEqual([
    { address: 'דנה@example.com', ok: false, reason: expect.stringContaining('Mail cannot be sent'), retry: false },
    { address: 'office@xn--6dbbec0c.co.il', ok: true, messageId: expect.stringMatching(/^<\w{40}@kontor\.example>$/) },
  ])
  expect(box.received).toHaveLength(1)
  const [{ from, to, raw } = { from: '', to: [], raw: Buffer.alloc(0) }] = box.received
  expect({ from, to }).toEqual({ from: 'books@kontor.example', to: ['office@דוגמה.co.il'] }) // as this server reads it
  const mail = readMime(raw)
  expect(words(mail.headers.get('subject'))).toBe('חשבונית מס 1024 ממאפיית לחם ושות׳ בע״מ עבור חודש ינואר 2026')
  expect(words(mail.headers.get('from'))).toBe('מאפיית "לחם ושות׳" בע״מ <books@kontor.example>')
  expect(words(mail.headers.get('reply-to'))).toBe('מאפיית "לחם ושות׳" בע״מ <office@acme.test>')
  expect(mail.headers.get('to')).toBe('office@xn--6dbbec0c.co.il')
  expect(mail.headers.get('message-id')).toBe(outcomes[1]?.ok && outcomes[1].messageId)
  const [text, html, file] = leaves(mail)
  expect(text?.body.toString().replaceAll('\r\n', '\n').trim()).toBe('שלום דנה,\nמצורפת החשבונית.')
  expect(html?.body.toString().trim()).toBe('<p dir="rtl">שלום דנה</p>')
  expect(parameter(file?.headers.get('content-disposition') ?? '', 'filename')).toBe('חשבונית מס 1024 – ינואר.pdf')
  expect(file?.headers.get('content-type')).toMatch(/^application\/pdf/)
  expect(file?.body).toEqual(content)
})

test('every recipient gets a separate message and sees no other recipient', async () => {
  const box = await server()
  const to = ['amy@example.com', 'bob@example.com', 'cyd@example.com']
  const outcomes = await mailTo(box.port).send(message({ to }))
  expect(outcomes.map(({ address, ok }) => [address, ok])).toEqual(to.map((address) => [address, true]))
  expect(box.received.map((received) => received.to).sort()).toEqual(to.map((address) => [address]))
  for (const {
    to: [address],
    raw,
  } of box.received)
    expect(readMime(raw).headers.get('to')).toBe(address)
  expect(new Set(outcomes.map((outcome) => outcome.ok && outcome.messageId)).size).toBe(3)
})

test('THR-18: the SMTP commands are ASCII, with one recipient at a time', async () => {
  const box = await hostile(behaving(() => undefined))
  await mailTo(box.port).send(message({ to: ['office@דוגמה.co.il'] }))
  expect(box.lines.slice(0, 4)).toEqual([
    'EHLO kontor.example', 'MAIL FROM:<books@kontor.example>', 'RCPT TO:<office@xn--6dbbec0c.co.il>', 'DATA',
  ]) // biome-ignore format: a list
})

test('INV-14: the Message-ID of a recipient stays the same over attempts, with any other recipients', async () => {
  const box = await server()
  const mail = mailTo(box.port)
  const [, bob] = await mail.send(message({ to: ['amy@example.com', 'bob@example.com'] }))
  const [again] = await mail.send(message({ to: ['bob@example.com'], subject: 'Changed' }))
  expect(again).toEqual(bob)
  const [other] = await mail.send(message({ id: '0190f3c4-0000-7000-8000-000000000002', to: ['bob@example.com'] }))
  expect(other).not.toEqual(bob)
})

test('THR-18: user input cannot add a header', async () => {
  const box = await server()
  const evil = 'x\r\nBcc: eve@evil.test\r\n\r\n<script>'
  const outcomes = await mailTo(box.port).send(
    message({
      senderName: `Acme${evil}`,
      replyTo: `office@acme.test${evil}`,
      subject: `Hello${evil}`,
      attachments: [
        { fileName: `../a"b;c${evil}.pdf`, contentType: `text/plain${evil}`, content: Buffer.from('1') },
        { fileName: '\r\n', contentType: 'nonsense', content: Buffer.from('2') },
      ],
    }),
  )
  expect(outcomes).toMatchObject([{ ok: true }])
  const [received] = box.received
  const mail = readMime(received?.raw ?? Buffer.alloc(0))
  expect([...mail.headers.keys()].sort()).toEqual(
    ['auto-submitted', 'content-type', 'date', 'from', 'message-id', 'mime-version', 'subject', 'to'],
  ) // biome-ignore format: a list
  expect(received?.to).toEqual(['amy@example.com'])
  expect(words(mail.headers.get('subject'))).toBe('Hellox Bcc: eve@evil.test <script>')
  const [, , first, second] = leaves(mail)
  expect(parameter(first?.headers.get('content-disposition') ?? '', 'filename')).toContain('.._a')
  expect(first?.headers.get('content-type')).toMatch(/^application\/octet-stream/)
  expect(first?.headers.has('bcc')).toBe(false)
  expect(parameter(second?.headers.get('content-disposition') ?? '', 'filename')).toBe('attachment')
})

test.each(['amy@example.com, eve@evil.test', 'amy@example.com\r\nRCPT TO:<eve@evil.test>', '"a b"@example.com', ''])(
  'THR-18: %j is refused before any server hears of it, and the others get theirs',
  async (wrong) => {
    const box = await server()
    const outcomes = await mailTo(box.port).send(message({ to: [wrong, 'bob@example.com'] }))
    expect(outcomes).toMatchObject([
      { address: wrong, ok: false, retry: false },
      { address: 'bob@example.com', ok: true },
    ])
    expect(box.received.map(({ to }) => to)).toEqual([['bob@example.com']])
  },
)

test('a message with too many recipients or too large attachments is refused for all recipients', async () => {
  const mail = mailTo(1)
  const many = Array.from({ length: 51 }, (_, n) => `a${n}@example.com`)
  expect((await mail.send(message({ to: many }))).filter(({ ok }) => !ok)).toHaveLength(51)
  const content = Buffer.alloc(15 * 1024 * 1024 + 1)
  expect(
    await mail.send(message({ attachments: [{ fileName: 'a', contentType: 'text/plain', content }] })),
  ).toMatchObject([{ ok: false, retry: false, reason: 'Attachments may have at most 15 MiB in total.' }])
})

test('the name and password of SMTP_URL are given to the server, and connections are used again', async () => {
  let connections = 0
  const box = await server({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onConnect(_, callback) {
      connections += 1
      callback()
    },
    onAuth: ({ username, password }, _, callback) =>
      password === 'p@ss/1' ? callback(null, { user: username }) : callback(new Error('Wrong password')),
  })
  const mail = mailTo(box.port, `smtp://amy%40kontor.example:p%40ss%2F1@127.0.0.1:${box.port}`)
  for (let n = 0; n < 3; n++) expect(await mail.send(message())).toMatchObject([{ ok: true }])
  expect(box.received.map(({ user }) => user)).toEqual(Array(3).fill('amy@kontor.example'))
  expect(connections).toBe(1)
  const outcomes = await mailTo(box.port, `smtp://amy:wrong@127.0.0.1:${box.port}`).send(message())
  expect(outcomes).toMatchObject([{ ok: false, retry: false, reason: expect.stringContaining('535') }])
  expect(JSON.stringify(outcomes)).not.toMatch(/wrong@|:wrong/)
})

test('no message is sent to a server with an untrusted certificate', async () => {
  const starttls = await server({ disabledCommands: ['AUTH'] })
  const direct = await server({ secure: true, disabledCommands: ['AUTH'] })
  for (const [box, scheme] of [[starttls, 'smtp'], [direct, 'smtps']] as const) {
    const outcomes = await mailTo(box.port, `${scheme}://127.0.0.1:${box.port}`).send(message())
    expect(outcomes).toMatchObject([{ ok: false, retry: true }])
    expect(box.received).toEqual([])
  } // biome-ignore format: pairs
})

test('no message is sent to a server without STARTTLS if TLS is required', async () => {
  const box = await server()
  const outcomes = await mailTo(box.port, `smtp://127.0.0.1:${box.port}?tls=on`).send(message())
  expect(outcomes).toMatchObject([{ ok: false }])
  expect(box.received).toEqual([])
})

test('FLT-10: a server that refuses the connection may be tried again', async () => {
  const box = await scripted(() => {})
  await box.close()
  expect(await timed(mailTo(box.port))).toEqual([
    {
      address: 'amy@example.com',
      ok: false,
      reason: 'The connection to the mail server was interrupted.',
      retry: true,
    },
  ])
})

const silent: Script = () => {}
const endless: Script = (line, { socket }) => {
  if (line !== undefined) return
  const trickle = setInterval(() => socket.write('220-welcome '), 20)
  socket.on('close', () => clearInterval(trickle))
}
const flood: Script = (line, { socket }) => {
  if (line !== undefined) return
  const pour = () => {
    while (socket.writable && socket.write('220-welcome\r\n'.repeat(1_000)));
  }
  socket.on('drain', pour)
  pour()
}
/** Greets, and then answers EHLO a line at a time for ever: never silent, never done. */
const trickling: Script = (line, { socket, reply }) => {
  if (line === undefined) return reply('220 mail.test')
  const trickle = setInterval(() => reply('250-X'), 20)
  socket.on('close', () => clearInterval(trickle))
}
test.each<[string, Script, string]>([
  ['accepts and says nothing', silent, 'did not answer in time'],
  ['greets without end', endless, 'mail server'],
  ['floods its greeting', flood, 'mail server'],
  ['answers a line at a time without end', trickling, 'did not answer in time'],
  [
    'greets with garbage',
    (line, { reply }) => line === undefined && reply('HTTP/1.1 400 Bad Request'),
    'not a mail server',
  ],
  ['hangs up at once', (_, { socket }) => socket.destroy(), 'was interrupted'],
  ['hangs at MAIL', behaving((line) => (/^MAIL/.test(line) ? '' : undefined)), 'did not answer in time'],
  ['hangs after the message', behaving((line) => (line === '.' ? '' : undefined)), 'did not answer in time'],
])('FLT-10: a server that %s is given up in time, and may be tried again', async (_, script, reason) => {
  const box = await hostile(script)
  expect(await timed(mailTo(box.port))).toEqual([
    { address: 'amy@example.com', ok: false, reason: expect.stringContaining(reason), retry: true },
  ])
})

test('FLT-10: a server that drops the connection after DATA may be tried again', async () => {
  let inData = false
  const box = await hostile((line, { reply, socket }) => {
    if (line === undefined) return reply('220 mail.test')
    if (line === '.') return void socket.destroy()
    if (inData) return
    inData = line === 'DATA'
    reply(inData ? '354 Go ahead' : '250 OK')
  })
  expect(await timed(mailTo(box.port))).toEqual([
    {
      address: 'amy@example.com',
      ok: false,
      reason: 'The connection to the mail server was interrupted.',
      retry: true,
    },
  ])
  expect(box.lines.filter((line) => line === 'DATA')).toHaveLength(1) // what may have arrived is not sent again unasked
})

test.each([
  ['RCPT', '450 4.2.0 Greylisted, come back later', true],
  ['RCPT', '550 5.1.1 No such user', false],
  ['MAIL', '451 4.3.0 Try later', true],
  ['MAIL', '553 5.7.1 Sender refused', false],
  ['DATA', '421 4.3.2 Going down', true],
  ['DATA', '554 5.7.1 Refused', false],
  ['.', '452 4.2.2 Mailbox full', true],
  ['.', '552 5.3.4 Too big', false],
])('FLT-10: %s answered with %s: may be tried again is %s', async (command, answer, retry) => {
  const box = await hostile(behaving((line) => (line.startsWith(command) && line.length < 60 ? answer : undefined)))
  expect(await timed(mailTo(box.port))).toEqual([
    { address: 'amy@example.com', ok: false, reason: `The mail server answered: ${answer}`, retry },
  ])
})

test.each([['421 4.3.2 Busy', true], ['554 No service here', false]])(
  'FLT-10: a greeting of %s: may be tried again is %s',
  async (greeting, retry) => {
    const box = await hostile((line, { reply }) => line === undefined && reply(greeting))
    expect(await timed(mailTo(box.port))).toMatchObject([{ ok: false, retry }])
  },
) // biome-ignore format: pairs

test('FLT-10: the outcome is exact if one of three recipients is rejected', async () => {
  const box = await server({
    onRcptTo: ({ address }, _, callback) =>
      address.startsWith('bob')
        ? callback(Object.assign(new Error('No such user'), { responseCode: 550 }))
        : callback(),
  })
  const outcomes = await mailTo(box.port).send(
    message({ to: ['amy@example.com', 'bob@example.com', 'cyd@example.com'] }),
  )
  expect(outcomes).toMatchObject([
    { address: 'amy@example.com', ok: true },
    { address: 'bob@example.com', ok: false, reason: 'The mail server answered: 550 No such user', retry: false },
    { address: 'cyd@example.com', ok: true },
  ])
  expect(box.received.map(({ to }) => to).sort()).toEqual([['amy@example.com'], ['cyd@example.com']])
})

test('FLT-10: a server that recovers gets the next message through the same provider', async () => {
  const well = behaving(() => undefined)
  let script = trickling
  const box = await hostile((line, to) => script(line, to))
  const mail = mailTo(box.port)
  expect(await timed(mail)).toMatchObject([{ ok: false, retry: true }])
  script = well
  expect(await mail.send(message())).toMatchObject([{ ok: true }])
  await vi.waitFor(() => expect(box.open()).toBe(0), limits.totalMs + 2_000) // the stuck connection is closed
})

/** Sends, and fails the test if that takes longer than the limits allow. */
async function timed(mail: Mail) {
  const began = Date.now()
  const outcomes = await mail.send(message())
  expect(Date.now() - began).toBeLessThan(limits.totalMs + 800)
  return outcomes
}
