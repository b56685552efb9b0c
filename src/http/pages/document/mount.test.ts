import { expect, test } from 'vitest'
import { publicLinkUrl, readToken } from '../../../features/documents/public-page/public-link.ts'
import { sell } from '../../../test/sales-documents.ts'
import { member, type Someone, send, theApp } from '../../../test/world.ts'
import { verify } from '../../../verify/verify.ts'

/** The public page of a document: what the holder of its link sees and can do, and what the page never shows. */

const pathTo = async (someone: Someone, id: string) =>
  new URL((await someone.call('invoices_link', { id })).url).pathname

const issued = async (someone: Someone, more: Record<string, unknown> = {}) => {
  const { id } = await sell(someone, { status: 'UNSENT', notes: 'Thank <b>you</b>', ...more })
  return { id, path: await pathTo(someone, id) }
}

const open = (url: string, headers: Record<string, string> = {}) => send({ method: 'GET', url, headers })
const say = (url: string, body: unknown, headers: Record<string, string> = {}) =>
  send({ method: 'POST', url, body, headers: { origin: 'http://127.0.0.1:3000', ...headers } })

const eventsOf = async (someone: Someone, id: string) => (await someone.call('invoices_events', { id })).events

test('THR-26: the link shows the document, and its address is neither cached nor sent on', async () => {
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

test('the link downloads the original as PDF, and a renewed link replaces it', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id, path } = await issued(amy)
  expect((await open(path)).body).toContain(`href="${path}/pdf"`)
  const { status, body, headers } = await open(`${path}/pdf`)
  expect([status, headers['content-type'], String(body).slice(0, 5)]).toEqual([200, 'application/pdf', '%PDF-'])
  expect(headers['content-disposition']).toContain('Invoice')
  await amy.call('invoices_link_renew', { id })
  expect((await open(`${path}/pdf`)).status).toBe(404)
  expect((await open(`${await pathTo(amy, id)}/pdf`)).status).toBe(200)
})

test('THR-26: an unknown, altered or renewed link, and that of a draft, show the same page', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id, path } = await issued(amy)
  expect((await open(path)).status).toBe(200)
  const bytes = Buffer.from(path.slice(3), 'base64url')
  const altered = Array.from(bytes.keys()).map((at) => {
    const copy = Buffer.from(bytes)
    copy.writeUInt8(copy.readUInt8(at) ^ 1, at)
    return `/d/${copy.toString('base64url')}`
  })
  const pages = await Promise.all(['/d/nope', `${path}a`, ...altered].map((url) => open(url)))
  expect((await open(path)).status).toBe(200) // the link that the others were made of is still valid
  await amy.call('invoices_link_renew', { id })
  pages.push(await open(path))
  expect(new Set(pages.map(({ status }) => status))).toEqual(new Set([404]))
  expect(new Set(pages.map(({ body }) => body)).size).toBe(1)
  expect(pages[0]?.body).toContain('This page is not there')
  expect((await open(await pathTo(amy, id))).status).toBe(200)
  const draft = await sell(amy)
  const early = publicLinkUrl(theApp().services, { ...draft, linkVersion: 1 })
  expect(await open(new URL(early).pathname)).toMatchObject({ status: 404, body: pages[0]?.body })
  await expect(amy.call('invoices_link', { id: draft.id })).rejects.toMatchObject({ status: 409 })
})

test('INV-18: a link opens its own document only', async () => {
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

test('a visit is noted once an hour under an anonymous name; a HEAD request is no visit', async () => {
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

test('at most 48 visits a day are noted', async () => {
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

test('a customer comments and disputes: the company is notified, and the audit trail names the link as source', async () => {
  const amy = await member('CONTRIBUTOR')
  const viewer = await member('VIEWER', { of: amy })
  const { id, path } = await issued(amy)
  const said = await say(`${path}/comments`, { name: ' Dana ', message: 'When was this? <script>alert(1)</script>' })
  expect([said.status, said.body]).toEqual([201, { success: true }])
  expect((await say(`${path}/disputes`, { name: 'Dana', message: 'Only one hour.' })).status).toBe(201)
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
  const told = await theApp().system.raw.query(
    "select type, cause ->> 'source' as source from events where organization_id = $1 and type = 'invoice.disputed'",
    [amy.organizationId],
  )
  expect(told.rows).toEqual([{ type: 'invoice.disputed', source: 'LINK' }])
  const violations = await verify({ system: theApp().system })
  expect(violations.filter(({ id }) => id !== 'INV-22')).toEqual([]) // a database for tests writes as it likes
  const page = String((await open(path)).body)
  expect(page).toContain('Only one hour.')
  expect(page).toContain('&lt;script&gt;alert(1)')
  expect(page).not.toContain('<script>alert')
})

test('the customer reads the answers of the company, and no internal entries', async () => {
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
  for (const kept of ['Slow payer', 'A note of our own', 'Fine with me', 'CONTRIBUTOR'])
    expect(page).not.toContain(kept)
})

test.each([
  [{ name: '', message: 'x' }, {}, 400],
  [{ name: 'Dana', message: ' ' }, {}, 400],
  [{ name: 'Dana', message: 'x'.repeat(4_001) }, {}, 400],
  [{ name: 'Dana', message: 'x', id: '00000000-0000-0000-0000-000000000000', type: 'PAID' }, {}, 400],
  [{ name: 'Dana', message: 'x' }, { origin: 'https://evil.test' }, 403],
  [{ name: 'Dana', message: 'x' }, { 'sec-fetch-site': 'cross-site' }, 403],
  ['name=Dana&message=x', { 'content-type': 'application/x-www-form-urlencoded' }, 403],
])('a message that our page would not send is refused: %.80j %j', async (body, headers, status) => {
  const amy = await member('CONTRIBUTOR')
  const { id, path } = await issued(amy)
  expect((await say(`${path}/comments`, body, headers)).status).toBe(status)
  expect((await eventsOf(amy, id)).map(({ type }) => type)).toEqual(['ISSUED', 'CREATED'])
  expect((await say(`${path}/comments`, { name: 'Dana', message: 'x' })).status).toBe(201)
})

test('a renewed link replaces the old one for messages, and a link opens no operation of the API', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id, path } = await issued(amy)
  const token = path.slice(3)
  for (const url of [`/api/documents/${id}?token=${token}`, `/api/documents/${id}/events?token=${token}`])
    expect((await open(url)).status).toBe(401)
  const comment = () => say(`${path}/comments`, { name: 'Dana', message: 'x' })
  expect((await comment()).status).toBe(201)
  await amy.call('invoices_link_renew', { id })
  expect((await comment()).status).toBe(404)
  const types = (await eventsOf(amy, id)).map(({ type }) => type)
  expect(types).toEqual(['LINK_RENEWED', 'COMMENTED', 'ISSUED', 'CREATED'])
})

test('the page is in the language of the company, or in the requested one', async () => {
  const noa = await member('CONTRIBUTOR', { country: 'IL' })
  const { path } = await issued(noa)
  expect((await open(path)).body).toContain('<html lang="he" dir="rtl">')
  expect((await open(`${path}?lang=en`)).body).toContain('<html lang="en" dir="ltr">')
})

test('in Israel the page shows the required numbers, the last nine digits of the allocation number, and every bank detail', async () => {
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

test('the page does not show a social security number of the owner', async () => {
  const amy = await member('MANAGER', { country: 'US' })
  await amy.call('organizations_update', { id: String(amy.organizationId), taxNumber: '219-09-9999' })
  const { path } = await issued(amy, { currency: 'USD' })
  expect((await open(path)).body).not.toMatch(/219-?09-?9999/)
})

test('the page of an Israeli receipt shows no VAT', async () => {
  const noa = await member('MANAGER', { country: 'IL' })
  await noa.call('organizations_update', { id: String(noa.organizationId), registrationNumber: '513456782' })
  const { id } = await issued(noa, { currency: 'ILS' })
  const paying = { paymentDate: '2031-01-05', paymentMethod: 'CASH', sendReceiptEmail: false }
  const { receipt } = await noa.call('invoices_mark_paid', { id, ...paying, generateReceipt: true })
  const { body } = await open(`${await pathTo(noa, String(receipt?.id))}?lang=en`)
  expect(body).toContain('109.00')
  expect(body).not.toContain('VAT')
  expect(body).not.toContain('100.00')
  expect(body).not.toContain('Subtotal')
})

test('in Singapore the page shows a PayNow code for the open balance', async () => {
  const amy = await member('MANAGER')
  await amy.call('organizations_update', { id: String(amy.organizationId), registrationNumber: '201403121W' })
  const { id, path } = await issued(amy)
  expect((await open(path)).body).toContain('Scan to pay with PayNow')
  await amy.call('invoices_mark_paid', {
    id,
    paymentDate: '2031-01-05',
    paymentMethod: 'PAYNOW',
    sendReceiptEmail: false,
  })
  expect((await open(path)).body).not.toContain('PayNow')
})
