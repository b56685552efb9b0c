import '../../../test/own-world.ts'
import { afterEach, expect, test } from 'vitest'
import type { Mail, Message } from '../../../core/outside/mail.ts'
import { newId } from '../../../core/values/id.ts'
import { mailFor } from '../../../providers/mail/mail.ts'
import { member, type Someone, theApp, withKey } from '../../../test/world.ts'

const mail = (mode: 'local' | 'strict' = 'local'): Mail =>
  mailFor({ mode, smtpUrl: undefined, mailFrom: 'books@kontor.example' }, theApp().system)

const message = (
  { organizationId = null }: { organizationId?: string | null | undefined },
  more: Partial<Message> = {},
) => ({
  id: newId(),
  organizationId,
  to: ['dana@example.com'],
  senderName: 'מאפיית לחם',
  replyTo: 'office@acme.test',
  subject: 'חשבונית 7',
  text: 'שלום',
  html: '<p>שלום</p>',
  attachments: [],
  ...more,
})

const at = ({ organizationId = '' }: Someone) => ({ organizationId })

afterEach(() => theApp().system.use((db) => db.deleteFrom('outbox').execute()))

test('without a mail server the outbox shows mail as it would have been sent', async () => {
  const amy = await member('MANAGER')
  const attachments = [
    { fileName: 'חשבונית.pdf', contentType: 'application/pdf', content: Buffer.from('%PDF') },
    { fileName: 'b.txt', contentType: 'text/plain', content: Buffer.from('hello') },
  ]
  const outcomes = await mail().send(message(amy, { attachments }))
  expect(outcomes).toEqual([{ address: 'dana@example.com', ok: true, messageId: expect.any(String), kept: true }])
  const { messages, pagination } = await amy.call('organizations_outbox', at(amy))
  expect(pagination).toEqual({ page: 1, limit: 25, total: 1, totalPages: 1 })
  expect(messages).toEqual([
    {
      id: expect.any(String),
      organizationId: amy.organizationId,
      to: 'dana@example.com',
      subject: 'חשבונית 7',
      text: 'שלום',
      html: '<p>שלום</p>',
      headers: {
        From: 'מאפיית לחם <books@kontor.example>',
        To: 'dana@example.com',
        'Reply-To': 'מאפיית לחם <office@acme.test>',
        Subject: 'חשבונית 7',
        'Message-ID': outcomes[0]?.ok && outcomes[0].messageId,
      },
      attachments: [
        { fileName: 'חשבונית.pdf', contentType: 'application/pdf', size: 4 },
        { fileName: 'b.txt', contentType: 'text/plain', size: 5 },
      ],
      createdAt: expect.any(String),
    },
  ])
  const [kept] = await theApp().system.use((db) => db.selectFrom('outbox').select('contents').execute())
  expect(kept?.contents.toString()).toBe('%PDFhello')
})

test('the newest message comes first, with pagination', async () => {
  const amy = await member('MANAGER')
  for (const subject of ['one', 'two', 'three']) await mail().send(message(amy, { subject }))
  const page = async (n: number) =>
    (await amy.call('organizations_outbox', { page: n, limit: 2 })).messages.map(({ subject }) => subject)
  expect([await page(1), await page(2), await page(3)]).toEqual([['three', 'two'], ['one'], []])
})

test('FLT-06: a message that is sent twice is stored once', async () => {
  const amy = await member('MANAGER')
  const same = message(amy, { to: ['dana@example.com', 'bob@example.com'] })
  expect(await mail().send(same)).toEqual(await mail().send(same))
  expect((await amy.call('organizations_outbox')).messages).toHaveLength(2)
})

test('THR-18: a message to an invalid address is not stored, and the outcome says so', async () => {
  const amy = await member('MANAGER')
  const to = ['dana@example.com\r\nBcc: eve@evil.test', 'bob@example.com']
  expect((await mail().send(message(amy, { to }))).map(({ ok }) => ok)).toEqual([false, true])
  expect((await amy.call('organizations_outbox')).messages.map((kept) => kept.to)).toEqual(['bob@example.com'])
})

test('members cannot read the outbox of another organization, nor mail from Kontor itself to a person', async () => {
  const amy = await member('MANAGER')
  const eve = await member('MANAGER')
  await mail().send(message(amy, { subject: 'hers' }))
  await mail().send(message({ organizationId: null }, { subject: 'reset your password' }))
  expect((await eve.call('organizations_outbox')).messages).toEqual([])
  expect((await amy.call('organizations_outbox')).messages.map(({ subject }) => subject)).toEqual(['hers'])
  await expect(eve.call('organizations_outbox', at(amy))).rejects.toMatchObject({
    status: 403,
  })
})

test('the outbox is for managers, with a key that may read the organization', async () => {
  const owner = await member('OWNER')
  const refusedTo = async (someone: Someone) =>
    someone.call('organizations_outbox', at(owner)).catch(({ status }) => status)
  expect(await refusedTo(await member('CONTRIBUTOR', { of: owner }))).toBe(403)
  expect(await refusedTo(await withKey(owner, ['customers:read']))).toBe(403)
  expect(await refusedTo(await withKey(owner, ['organizations:read']))).toMatchObject({ messages: [] })
})

test('the token of an invitation is shown to those alone who may send it', async () => {
  const owner = await member('OWNER')
  const manager = await member('MANAGER', { of: owner })
  const invite = async (role: 'OWNER' | 'VIEWER') => {
    const email = `${newId()}@example.test`
    const { token = '' } = await owner.call('users_invitations_post', { id: String(owner.organizationId), email, role })
    const link = `https://kontor.example/invitations/accept?token=${token}`
    await mail().send(
      message(owner, { to: [email], text: `Accept: ${link}`, html: `<a href="${link}">Accept</a> ${link}` }),
    )
    return token
  }
  const [forOwner, forViewer] = [await invite('OWNER'), await invite('VIEWER')]
  const reset = 'http://127.0.0.1/reset?token=abc_DEF-1 http://127.0.0.1/verify-email?token=abc_DEF-1'
  await mail().send(message(owner, { text: reset, html: '<p></p>' }))
  const seen = async (who: Someone) => JSON.stringify(await who.call('organizations_outbox', at(owner)))
  const narrow = [await withKey(owner, ['organizations:read']), await withKey(owner, ['*:read'])]
  for (const who of narrow) {
    expect(await seen(who)).toContain('/invitations/accept?token=HIDDEN')
    for (const token of [forOwner, forViewer, 'abc_DEF-1']) expect(await seen(who)).not.toContain(token)
  }
  for (const who of [owner, await withKey(owner, ['organizations:read', 'users:write'])])
    for (const token of [forOwner, forViewer]) expect(await seen(who)).toContain(token)
  expect(await seen(manager)).toContain(forViewer)
  expect(await seen(manager)).not.toContain(forOwner)
  expect(await seen(owner)).not.toContain('abc_DEF-1')
})

test('no request writes to the outbox', async () => {
  const insert = `insert into outbox (id, message_id, "to", subject, text, html, headers, attachments, contents)
    values (gen_random_uuid(), 'x', 'x', 'x', 'x', 'x', '{}', '[]', '')`
  await theApp().system.use((_, connection) => connection.query(insert))
  await expect(theApp().confined.use((_, connection) => connection.query(insert))).rejects.toThrow(/permission denied/)
})

test('an outbox holds the newest 500 messages of an organization', async () => {
  const [amy, bob] = [await member('MANAGER'), await member('MANAGER')]
  await mail().send(message(bob))
  const fill = `insert into outbox (organization_id, id, message_id, "to", subject, text, html, headers, attachments, contents, created_at)
    select $1, gen_random_uuid(), n::text, 'x', n::text, '', '', '{}', '[]', '', now() - make_interval(secs => n)
    from generate_series(1, 500) n`
  await theApp().system.use((_, connection) => connection.query(fill, [amy.organizationId]))
  await mail().send(message(amy, { subject: 'newest' }))
  const { messages, pagination } = await amy.call('organizations_outbox', { limit: 100, page: 5 })
  expect(pagination.total).toBe(500)
  expect(messages.at(-1)?.subject).toBe('499')
  expect((await bob.call('organizations_outbox')).pagination.total).toBe(1)
})

test('in strict mode without a mail server nothing is sent or stored, and the reason names the missing settings', async () => {
  const amy = await member('MANAGER')
  expect(await mail('strict').send(message(amy))).toEqual([
    {
      address: 'dana@example.com',
      ok: false,
      reason: 'Mail is not set up on this server: SMTP_URL and MAIL_FROM are missing.',
      retry: false,
    },
  ])
  expect((await amy.call('organizations_outbox')).messages).toEqual([])
})
