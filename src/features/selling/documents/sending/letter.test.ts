import { expect, test, vi } from 'vitest'
import { addDays, today } from '../../../../core/values/day.ts'
import { sell } from '../../../../test/sales-documents.ts'
import { member, type Someone, theApp } from '../../../../test/world.ts'

vi.setConfig({ testTimeout: 120_000 }) // the first document of a thread compiles Typst

const customerOf = async (someone: Someone, country = 'SG') =>
  (await someone.call('customers_create', { name: 'Globex', country, email: 'office@globex.test' })).id

const outboxOf = async (someone: Someone) => (await someone.call('organizations_outbox', {})).messages
const historyOf = async (someone: Someone, id: string) => (await someone.call('invoices_events', { id })).events
const plain = (text: string) => text.replace(/[\u00a0\u200e\u200f]/g, ' ')
const dayIn = (days: number, zone = 'Asia/Singapore') => addDays(today(new Date(), zone), days)

test('a letter has the recipients, subject and words that it is given, and is previewed as it is sent', async () => {
  const amy = await member('OWNER')
  const { id } = await sell(amy, { customerId: await customerOf(amy) })
  const letter = {
    id,
    recipients: ['dana@globex.test', 'DANA@globex.test', 'eve@globex.test'],
    subject: 'Our work in January',
    message: 'Hello Dana,\n\nhere is <b>January</b>:\r\ntwo hours.',
  }
  const shown = await amy.call('invoices_mail_preview', letter)
  expect(shown).toMatchObject({ subject: 'Our work in January', attachments: ['Invoice 1.pdf'] })
  expect(shown.to).toEqual(['DANA@globex.test', 'dana@globex.test', 'eve@globex.test'])
  expect(shown.text).toMatch(/^Hello Dana,\n\nhere is <b>January<\/b>:\ntwo hours\.\n\nAmount: /)
  expect(shown.html).toContain('here is &lt;b&gt;January&lt;/b&gt;:\ntwo hours.')
  expect(await amy.call('invoices_get', { id })).toMatchObject({ status: 'DRAFT' })
  expect(await outboxOf(amy)).toEqual([])
  expect(await amy.call('invoices_send', letter)).toMatchObject({ success: true, sent: 3, totalRecipients: 3 })
  const [message] = await outboxOf(amy)
  expect(message).toMatchObject({ subject: shown.subject })
  expect(plain(message?.text ?? '').split('View the document')[0]).toBe(plain(shown.text).split('View the document')[0])
  expect(await amy.call('invoices_get', { id })).toMatchObject({ status: 'SENT', invoiceNumber: '1' })
})

test('an address that mail cannot be sent to is refused, and the draft is not issued', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await sell(amy, { customerId: await customerOf(amy) })
  for (const recipients of [
    ['no address'],
    [],
    ['"a b"@globex.test'],
    Array.from({ length: 21 }, (_, at) => `a${at}@b.test`),
  ])
    await expect(amy.call('invoices_send', { id, recipients })).rejects.toMatchObject({ status: 400 })
  expect(await amy.call('invoices_get', { id })).toMatchObject({ status: 'DRAFT' })
})

test('a reminder says what is open and how late it is, and is recorded as one', async () => {
  const amy = await member('OWNER')
  const dates = { issueDate: dayIn(-20), dueDate: dayIn(-8) }
  const { id } = await sell(amy, { customerId: await customerOf(amy), status: 'UNSENT', ...dates })
  await amy.call('invoices_payments', { id, amount: 9, paidAt: dayIn(-1) })
  await amy.call('invoices_send', { id })
  const events = () =>
    theApp().system.use((db) =>
      db
        .selectFrom('events')
        .select('type')
        .where('organizationId', '=', String(amy.organizationId))
        .where('type', '=', 'invoice.sent')
        .execute(),
    )
  expect(await events()).toHaveLength(1)
  const shown = await amy.call('invoices_mail_preview', { id, kind: 'REMINDER' })
  expect(shown.subject).toBe('Reminder: Invoice 1 from Acme')
  expect(plain(shown.text)).toContain('SGD 100.00 is still open for invoice 1. It was due on ')
  expect(shown.text).toContain(', 8 days ago.')
  expect(await amy.call('invoices_send', { id, kind: 'REMINDER' })).toMatchObject({ sent: 1 })
  expect(await historyOf(amy, id)).toContainEqual(
    expect.objectContaining({ type: 'SENT', payload: expect.objectContaining({ kind: 'REMINDER' }) }),
  )
  expect(await events()).toHaveLength(1)
})

test('a reminder in Hebrew is in Hebrew, and one before the due date says when it is due', async () => {
  const noa = await member('OWNER', { country: 'IL' })
  await noa.call('settings_update', { id: String(noa.organizationId), language: 'he' })
  const here = (days: number) => dayIn(days, 'Asia/Jerusalem')
  const more = { customerId: await customerOf(noa, 'IL'), currency: 'ILS', status: 'UNSENT', issueDate: here(-20) }
  const two = await sell(noa, { ...more, dueDate: here(-2) })
  const shown = await noa.call('invoices_mail_preview', { id: two.id, kind: 'REMINDER' })
  expect(shown.subject).toMatch(/^תזכורת: /)
  expect(shown.text).toContain('לפני יומיים')
  const early = await sell(noa, { ...more, dueDate: here(5) })
  expect((await noa.call('invoices_mail_preview', { id: early.id, kind: 'REMINDER' })).text).toContain(
    'מועד התשלום הוא ',
  )
})

test('nobody is reminded of a draft, of what is paid, or of a receipt', async () => {
  const amy = await member('CONTRIBUTOR')
  const customerId = await customerOf(amy)
  const refused = async (more: object, code: string) => {
    const { id } = await sell(amy, { customerId, ...more })
    const refusal = { status: 409, details: [{ code }] }
    await expect(amy.call('invoices_mail_preview', { id, kind: 'REMINDER' })).rejects.toMatchObject(refusal)
    await expect(amy.call('invoices_send', { id, kind: 'REMINDER' })).rejects.toMatchObject(refusal)
  }
  await refused({}, 'DRAFT')
  await refused({ status: 'PAID' }, 'NOTHING_OPEN')
  await refused({ documentType: 'RECEIPT', status: 'UNSENT' }, 'NOTHING_OPEN')
})

test('a test goes to oneself alone and leaves the document as it is', async () => {
  const amy = await member('OWNER')
  const { id } = await sell(amy) // its customer has no address
  const before = await historyOf(amy, id)
  const letter = { id, message: 'Dear customer', test: true }
  expect(await amy.call('invoices_send', letter)).toEqual({
    success: true,
    sent: 1,
    kept: 1,
    failed: 0,
    totalRecipients: 1,
  })
  const messages = await outboxOf(amy)
  expect(messages).toHaveLength(1)
  expect(messages[0]).toMatchObject({ to: `${amy.userId}@example.test`, subject: '[Test] Invoice 1 from Acme' })
  expect(messages[0]?.text).toMatch(/^Dear customer/)
  expect(await amy.call('invoices_get', { id })).toMatchObject({ status: 'DRAFT', invoiceNumber: null })
  expect(await historyOf(amy, id)).toEqual(before)
})

test('without waiting for the mail server a document is issued and its mail queued', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await sell(amy, { customerId: await customerOf(amy) })
  const answer = await amy.call('invoices_send', { id, wait: false })
  expect(answer).toEqual({ success: true, sent: 0, failed: 0, queued: 1, totalRecipients: 1 })
  expect(await amy.call('invoices_get', { id })).toMatchObject({ invoiceNumber: '1' })
})
