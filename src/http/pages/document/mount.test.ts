import '../../../test/own-world.ts'
import { expect, test } from 'vitest'
import { addDays, today } from '../../../core/values/day.ts'
import { publicLinkUrl, readToken } from '../../../features/selling/documents/public-page/public-link.ts'
import { sell } from '../../../test/sales-documents.ts'
import { member, type Someone, send, theApp } from '../../../test/world.ts'
import { verify } from '../../../verify/verify.ts'

/** What the holder of a link to a document can see and send, and what stays hidden. */

const pathTo = async (someone: Someone, id: string) =>
  new URL((await someone.call('invoices_link', { id })).url).pathname

const issued = async (someone: Someone, more: Record<string, unknown> = {}) => {
  const { id } = await sell(someone, { status: 'UNSENT', notes: 'Thank <b>you</b>', ...more })
  return { id, path: await pathTo(someone, id) }
}

const open = (url: string, headers: Record<string, string> = {}) => send({ method: 'GET', url, headers })
const write = (url: string, body: unknown, headers: Record<string, string> = {}) =>
  send({ method: 'POST', url, body, headers: { origin: 'http://127.0.0.1:3000', ...headers } })

/** The same link with one bit of the byte at this index flipped. */
function altered(path: string, index: number) {
  const bytes = Buffer.from(path.slice(3), 'base64url')
  bytes.writeUInt8(bytes.readUInt8(index) ^ 1, index)
  return `/d/${bytes.toString('base64url')}`
}

const eventsOf = async (someone: Someone, id: string) => (await someone.call('invoices_events', { id })).events

test('THR-26: the holder of the link sees the document, and the page is not cached, indexed or passed on as a referrer', async () => {
  const amy = await member('CONTRIBUTOR')
  const { path } = await issued(amy)
  const { status, body, headers } = await open(path)
  expect(status).toBe(200)
  expect(body).toContain('Consulting')
  expect(body).toContain('SGD 109.00'.replace(' ', '\u00a0'))
  expect(body).toContain('Thank &lt;b&gt;you&lt;/b&gt;')
  expect(headers).toMatchObject({
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-robots-tag': expect.stringContaining('noindex'),
    'content-security-policy': expect.stringMatching(/default-src 'none'.*frame-ancestors 'none'/),
  })
  expect(headers['set-cookie']).toBeUndefined()
})

test('the holder of the link downloads the original as PDF; an altered or replaced link does not open it', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id, path } = await issued(amy)
  expect((await open(path)).body).toContain(`href="${path}/pdf"`)
  const { status, body, headers } = await open(`${path}/pdf`)
  expect([status, headers['content-type'], String(body).slice(0, 5)]).toEqual([200, 'application/pdf', '%PDF-'])
  expect(headers['content-disposition']).toContain('Invoice')
  expect((await open(`${altered(path, 40)}/pdf`)).status).toBe(404)
  await amy.call('invoices_link_renew', { id })
  expect((await open(`${path}/pdf`)).status).toBe(404)
})

/** The bytes of a token. */
const tokenBytes = { organization: [0, 16], document: [16, 32], version: [32, 36], signature: [36, 68] } as const
const signatureStart = tokenBytes.signature[0]

test.each(Object.entries(tokenBytes))(
  'THR-26: a valid link opens nothing after one bit of its %s changed',
  async (_, [start, end]) => {
    const { path } = await issued(await member('CONTRIBUTOR'))
    expect((await open(path)).status).toBe(200)
    for (let index = start; index < end; index++)
      expect([index, (await open(altered(path, index))).status]).toEqual([index, 404])
  },
)

test('THR-26: unknown, altered and replaced links and the link of a draft show the same page', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id, path } = await issued(amy)
  expect((await open(path)).status).toBe(200)
  const invalid = ['/d/nope', `${path}a`, path.slice(0, -2), altered(path, signatureStart)]
  const pages = await Promise.all(invalid.map((url) => open(url)))
  await amy.call('invoices_link_renew', { id })
  const renewed = await pathTo(amy, id)
  expect((await open(renewed)).status).toBe(200)
  pages.push(await open(path))
  const draft = await sell(amy)
  const draftLink = new URL(publicLinkUrl(theApp().services, { ...draft, linkVersion: 1 })).pathname
  pages.push(await open(draftLink))
  expect(new Set(pages.map(({ status }) => status))).toEqual(new Set([404]))
  expect(new Set(pages.map(({ body }) => body)).size).toBe(1)
  expect(pages[0]?.body).toContain('This page is not there')
  await expect(amy.call('invoices_link', { id: draft.id })).rejects.toMatchObject({ status: 409 })
  await amy.call('invoices_update', { id: draft.id, status: 'UNSENT' })
  expect((await open(draftLink)).status).toBe(200)
})

test('THR-26: the holder of a replaced link cannot make the new one by raising the version in it', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id, path } = await issued(amy)
  await amy.call('invoices_link_renew', { id })
  const renewed = await pathTo(amy, id)
  expect((await open(renewed)).status).toBe(200)
  const parts = (url: string) => Buffer.from(url.slice(3), 'base64url')
  const forged = Buffer.concat([parts(renewed).subarray(0, signatureStart), parts(path).subarray(signatureStart)])
  expect((await open(`/d/${forged.toString('base64url')}`)).status).toBe(404)
})

test('INV-18: a link opens its own document and no other', async () => {
  const [amy, eve] = [await member('CONTRIBUTOR'), await member('CONTRIBUTOR')]
  const { path } = await issued(amy)
  const other = await issued(eve, { notes: 'Secret of Eve' })
  const attached = await eve.call('invoices_attachments', {
    id: other.id,
    file: { fileName: 'eve.txt', base64: Buffer.from('hers').toString('base64') },
  })
  expect((await open(path)).body).not.toContain('Secret of Eve')
  expect((await open(`${path}/files/${attached.id}`)).status).toBe(404)
  expect((await open(`${path}/files/logo`)).status).toBe(404)
  expect((await open(`${other.path}/files/${attached.id}`)).body).toBe('hers')
  expect(readToken(theApp().services, path.slice(3))?.organizationId).toBe(amy.organizationId)
})

test('a visit is recorded once an hour under a pseudonym; a HEAD request is not a visit', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id, path } = await issued(amy)
  const views = async () => (await eventsOf(amy, id)).filter(({ type }) => type === 'VIEWED')
  await send({ method: 'HEAD', url: path })
  expect(await views()).toEqual([])
  for (let visits = 0; visits < 3; visits++) await open(path)
  expect(await views()).toMatchObject([
    { actorUserId: null, payload: { by: 'CUSTOMER', visitor: expect.stringMatching(/^\w{16}$/) } },
  ])
})

test('a view cannot be recorded without opening the page', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id, path } = await issued(amy)
  expect((await open(path)).status).toBe(200)
  const before = await eventsOf(amy, id)
  expect(await send({ method: 'POST', url: `${path}/views`, body: {} })).toMatchObject({ status: 404 })
  expect(await eventsOf(amy, id)).toEqual(before)
})

test('at most 48 visits a day are recorded', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id, path } = await issued(amy)
  await theApp().system.raw.query(
    `insert into document_events (organization_id, id, document_id, type, payload)
     select $1, gen_random_uuid(), $2, 'VIEWED', jsonb_build_object('visitor', n) from generate_series(1, 48) n`,
    [amy.organizationId, id],
  )
  expect((await open(path)).status).toBe(200)
  expect((await eventsOf(amy, id)).filter(({ type }) => type === 'VIEWED')).toHaveLength(48)
})

test('a customer comments and disputes: the company is notified, and the audit log shows the link as the source', async () => {
  const amy = await member('CONTRIBUTOR')
  const viewer = await member('VIEWER', { of: amy })
  const { id, path } = await issued(amy)
  const commented = await write(`${path}/comments`, {
    name: ' Dana ',
    message: 'When was this? <script>alert(1)</script>',
  })
  expect([commented.status, commented.body]).toEqual([201, { success: true }])
  expect((await write(`${path}/disputes`, { name: 'Dana', message: 'Only one hour.' })).status).toBe(201)
  expect((await amy.call('invoices_get', { id })).inDispute).toBe(true)
  expect((await eventsOf(amy, id)).slice(0, 2)).toMatchObject([
    { type: 'DISPUTED', actorUserId: null, payload: { by: 'CUSTOMER', name: 'Dana', message: 'Only one hour.' } },
    { type: 'COMMENTED', actorUserId: null, payload: { by: 'CUSTOMER', name: 'Dana' } },
  ])
  const { notifications } = await amy.call('users_notifications')
  expect(notifications.map(({ kind }) => kind).sort()).toEqual(['DOCUMENT_COMMENTED', 'DOCUMENT_DISPUTED'])
  expect((await viewer.call('users_notifications')).notifications).toEqual([])
  const trail = await theApp().system.raw.query(
    "select operation, source, user_id, object_id from audit_log where organization_id = $1 and source = 'LINK' order by created_at",
    [amy.organizationId],
  )
  expect(trail.rows).toEqual([
    { operation: 'invoices_customer_comment', source: 'LINK', user_id: null, object_id: id },
    { operation: 'invoices_customer_dispute', source: 'LINK', user_id: null, object_id: id },
  ])
  const emitted = await theApp().system.raw.query(
    "select type, cause ->> 'source' as source from events where organization_id = $1 and type = 'invoice.disputed'",
    [amy.organizationId],
  )
  expect(emitted.rows).toEqual([{ type: 'invoice.disputed', source: 'LINK' }])
  const violations = await verify({ system: theApp().system })
  expect(violations.filter(({ id }) => id !== 'INV-22')).toEqual([]) // test databases run without durable commits, which INV-22 reports
  const page = String((await open(path)).body)
  expect(page).toContain('Only one hour.')
  expect(page).toContain('&lt;script&gt;alert(1)')
  expect(page).not.toContain('<script>alert')
})

test('the customer reads the answers of the company and none of its internal notes', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id, path } = await issued(amy)
  const post = (type: string, payload: object | null) =>
    amy.call('invoices_events_post', { id, type, payload } as never)
  await post('COMMENTED', { message: 'It was in May.' })
  await post('DISPUTE_COUNTERED', { message: 'Two hours it was.' })
  await post('DISPUTE_RESOLVED', null)
  await post('COMMENTED', { message: 'Slow payer, careful.', internal: true })
  await post('COMMENTED', { text: 'A note of our own.' })
  await post('APPROVED', { message: 'Fine with me.' })
  const page = String((await open(path)).body)
  for (const shown of ['It was in May.', 'Two hours it was.', 'closed the dispute']) expect(page).toContain(shown)
  for (const hidden of ['Slow payer', 'A note of our own', 'Fine with me', 'CONTRIBUTOR'])
    expect(page).not.toContain(hidden)
})

test.each([
  [{ name: '', message: 'x' }, {}, 400],
  [{ name: 'Dana', message: ' ' }, {}, 400],
  [{ name: 'Dana', message: 'x'.repeat(4_001) }, {}, 400],
  [{ name: 'Dana', message: 'x', id: '00000000-0000-0000-0000-000000000000', type: 'PAID' }, {}, 400],
  [{ name: 'Dana', message: 'x' }, { origin: 'https://evil.test' }, 403],
  [{ name: 'Dana', message: 'x' }, { 'sec-fetch-site': 'cross-site' }, 403],
  ['name=Dana&message=x', { 'content-type': 'application/x-www-form-urlencoded' }, 403],
])('a comment that our page would not send is refused: %.80j %j', async (body, headers, status) => {
  const amy = await member('CONTRIBUTOR')
  const { id, path } = await issued(amy)
  expect((await write(`${path}/comments`, body, headers)).status).toBe(status)
  expect((await eventsOf(amy, id)).map(({ type }) => type)).toEqual(['ISSUED', 'CREATED'])
  expect((await write(`${path}/comments`, { name: 'Dana', message: 'x' })).status).toBe(201)
  expect((await eventsOf(amy, id)).map(({ type }) => type)).toEqual(['COMMENTED', 'ISSUED', 'CREATED'])
})

test('the token of a link opens no operation of the API', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id, path } = await issued(amy)
  const token = path.slice(3)
  for (const url of [`/api/documents/${id}?token=${token}`, `/api/documents/${id}/events?token=${token}`]) {
    expect((await open(url, { ...amy.credentials })).status).toBe(200)
    expect((await open(url)).status).toBe(401)
  }
})

test('a replaced link accepts no more messages', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id, path } = await issued(amy)
  const comment = { name: 'Dana', message: 'x' }
  expect((await write(`${path}/comments`, comment)).status).toBe(201)
  await amy.call('invoices_link_renew', { id })
  expect((await write(`${path}/comments`, comment)).status).toBe(404)
  const types = ['LINK_RENEWED', 'COMMENTED', 'ISSUED', 'CREATED']
  expect((await eventsOf(amy, id)).map(({ type }) => type)).toEqual(types)
})

test('the page is in the language of the document, or in the requested one', async () => {
  const noa = await member('CONTRIBUTOR', { country: 'IL' })
  const abroad = await issued(noa)
  expect((await open(abroad.path)).body).toContain('<html lang="en" dir="ltr">')
  const { id: customerId } = await noa.call('customers_create', { name: 'גלובקס', country: 'IL' })
  const { path } = await issued(noa, { customerId })
  expect((await open(path)).body).toContain('<html lang="he" dir="rtl">')
  expect((await open(`${path}?lang=en`)).body).toContain('<html lang="en" dir="ltr">')
})

test('in Israel the page shows the registration number, the last nine digits of the allocation number and all bank details', async () => {
  const noa = await member('MANAGER', { country: 'IL' })
  await noa.call('organizations_update', { id: String(noa.organizationId), registrationNumber: '513456782' })
  const account = await noa.call('bank_accounts_create', {
    accountName: 'Noa', bankName: 'Leumi', localBankCode: '10', branchCode: '800', accountNumber: '99999999', notes: 'Transfers only, please',
  }) // biome-ignore format: a row
  const { id, path } = await issued(noa, { currency: 'ILS', bankAccountId: account.id })
  await noa.call('invoices_manual_allocation', { id, allocationNumber: '20240627231846297178091822' })
  const { body } = await open(`${path}?lang=en`)
  for (const part of [
    'Tax Invoice',
    'Company No. 513456782',
    '178091822',
    'Bank code',
    'data-copy="10"',
    'VAT 9%',
    'Transfers only',
  ])
    expect(body).toContain(part)
  expect(body).not.toContain('20240627231846297178091822')
})

test('the social security number of the owner is not shown', async () => {
  const amy = await member('MANAGER', { country: 'US' })
  await amy.call('organizations_update', { id: String(amy.organizationId), taxNumber: '219-09-9999' })
  const { path } = await issued(amy, { currency: 'USD' })
  const { status, body } = await open(path)
  expect([status, body]).toEqual([200, expect.stringContaining('Consulting')])
  expect(body).not.toMatch(/219-?09-?9999/)
})

test('the page of a company in the United States has amounts and dates as they are written there', async () => {
  const amy = await member('MANAGER', { country: 'US' })
  const items = [{ id: '1', description: 'A', quantity: 2, unitPrice: 750, amount: 1_350, discountPercent: 10 }]
  const amounts = { items, subtotal: 1_350, taxRate: 8.875, taxAmount: 119.81, total: 1_469.81 }
  const { path } = await issued(amy, { currency: 'USD', issueDate: '2026-03-02', ...amounts })
  const { body } = await open(path)
  for (const part of ['$1,469.81', '$119.81', 'Sales tax 8.875%', 'March 2, 2026', '2 × $750.00 − 10%'])
    expect(body).toContain(part)
})

test('the IBAN is shown in groups and copied without spaces', async () => {
  const noa = await member('MANAGER', { country: 'IL' })
  const iban = 'IL620108000000099999999'
  const account = await noa.call('bank_accounts_create', { accountName: 'Noa', bankName: 'Leumi', iban })
  const { path } = await issued(noa, { currency: 'ILS', bankAccountId: account.id })
  const { body } = await open(path)
  expect(body).toContain('<bdi>IL62 0108 0000 0009 9999 999</bdi>')
  expect(body).toContain(`data-copy="${iban}"`)
})

test('zero-rated and exempt lines have a row of their own in the taxes of the page', async () => {
  const amy = await member('MANAGER')
  await amy.call('organizations_update', { id: String(amy.organizationId), taxNumber: 'M90364879X' })
  const line = (id: string, more = {}) => ({ id, description: 'A', quantity: 1, unitPrice: 100, amount: 100, ...more })
  const items = [
    line('1'),
    line('2', { taxRate: 0, taxCategory: 'ZR' }),
    line('3', { taxRate: 0, taxCategory: 'ES33' }),
  ]
  const { path } = await issued(amy, { items, subtotal: 300, taxAmount: 9, total: 309 })
  const { body } = await open(path)
  for (const label of ['GST 9%', 'GST 0% · Zero-rated (ZR)', 'GST · Exempt (ES33)'])
    expect(body).toContain(`<dt>${label}</dt>`)
})

test('the page of an Israeli receipt shows no VAT', async () => {
  const noa = await member('MANAGER', { country: 'IL' })
  await noa.call('organizations_update', { id: String(noa.organizationId), registrationNumber: '513456782' })
  const { id } = await issued(noa, { currency: 'ILS' })
  const paying = { paymentDate: '2026-01-05', paymentMethod: 'CASH', sendReceiptEmail: false }
  const { receipt } = await noa.call('invoices_mark_paid', { id, ...paying, generateReceipt: true })
  const { body } = await open(`${await pathTo(noa, String(receipt?.id))}?lang=en`)
  expect(body).toContain('109.00')
  expect(body).not.toContain('VAT')
  expect(body).not.toContain('100.00')
  expect(body).not.toContain('Subtotal')
})

test('only what is owed asks for a payment: no credit memo, receipt, or credited or cancelled document', async () => {
  const amy = await member('MANAGER')
  const organizationId = String(amy.organizationId)
  await amy.call('organizations_update', { id: organizationId, registrationNumber: '201403121W' })
  const account = await amy.call('bank_accounts_create', {
    accountName: 'Acme',
    bankName: 'DBS',
    accountNumber: '012-3',
  })
  const more = { bankAccountId: account.id, dueDate: '2099-01-31' }
  const asking = ['How to pay', 'PayNow', '<dt>Due</dt>', 'Due in ', '<dt>To pay</dt>']
  const asksOn = async (path: string) => {
    const body = String((await open(path)).body).replaceAll('\u00a0', ' ')
    return { body, asks: asking.filter((words) => body.includes(words)) }
  }
  const invoice = await issued(amy, more)
  expect((await asksOn(invoice.path)).asks).toEqual(asking)
  const paid = await issued(amy, { ...more, status: 'PAID' })
  const memo = await amy.call('invoices_memos', { id: paid.id, kind: 'CREDIT' })
  const unused = await asksOn(await pathTo(amy, memo.id))
  expect(unused.asks).toEqual([])
  expect(unused.body).toContain('<dt>Left of the credit</dt><dd><bdi>SGD 109.00</bdi></dd>')
  await amy.call('invoices_payments_refund', { id: await creditOf(amy), amount: 40, paidAt: '2026-01-31' })
  const used = await asksOn(await pathTo(amy, memo.id))
  expect(used.body).toContain('<dt>Used of the credit</dt><dd><bdi>SGD 40.00</bdi></dd>')
  expect(used.body).toContain('<dt>Left of the credit</dt><dd><bdi>SGD 69.00</bdi></dd>')
  expect(used.body).not.toContain('<dt>Paid</dt>')
  const receipt = await asksOn((await issued(amy, { ...more, documentType: 'RECEIPT' })).path)
  expect(receipt.asks).toEqual([])
  expect(receipt.body).toContain('No payment recorded')
  await amy.call('invoices_memos', { id: invoice.id, kind: 'CREDIT' })
  const credited = await asksOn(invoice.path)
  expect(credited.asks).toEqual(['<dt>To pay</dt>']) // the row says 0.00
  expect(credited.body).toContain('Credited in full')
  const request = await issued(amy, { ...more, documentType: 'PAYMENT_REQUEST' })
  await amy.call('invoices_cancel', { id: request.id })
  expect((await asksOn(request.path)).asks).toEqual([])
})

/** The id of the only credit of a memo. */
async function creditOf(someone: Someone) {
  const { payments } = await someone.call('invoices_payments_list', { source: 'CREDIT_MEMO' })
  return String(payments[0]?.id)
}

test('in Singapore the page shows a PayNow code while an amount is open', async () => {
  const amy = await member('MANAGER')
  await amy.call('organizations_update', { id: String(amy.organizationId), registrationNumber: '201403121W' })
  const { id, path } = await issued(amy)
  expect((await open(path)).body).toContain('Scan to pay with PayNow')
  await amy.call('invoices_mark_paid', {
    id,
    paymentDate: '2026-01-05',
    paymentMethod: 'PAYNOW',
    sendReceiptEmail: false,
  })
  expect((await open(path)).body).not.toContain('PayNow')
})

test('a PayNow code is not shown after the last day on which it can be paid', async () => {
  const amy = await member('MANAGER')
  await amy.call('organizations_update', { id: String(amy.organizationId), registrationNumber: '201403121W' })
  const { id, path } = await issued(amy)
  const day = today(new Date(), 'Asia/Singapore')
  await amy.call('invoices_update', { id, payUntil: day })
  expect((await open(path)).body).toContain('Scan to pay with PayNow')
  await amy.call('invoices_update', { id, payUntil: addDays(day, -1) })
  const { status, body } = await open(path)
  expect(status).toBe(200)
  expect(body).not.toContain('Scan to pay with PayNow')
})
