import { expect, test } from 'vitest'
import { newId } from '../../../core/values/id.ts'
import { sell } from '../../../test/sales-documents.ts'
import { member, type Someone, theApp } from '../../../test/world.ts'

const day = { paidAt: '2026-01-31' }
const pay = (amy: Someone, more: Record<string, unknown> = {}) =>
  amy.call('invoices_payments_create', { amount: 150, currency: 'SGD', ...day, ...more })
const customer = async (amy: Someone) => (await amy.call('customers_create', { name: 'Globex', country: 'SG' })).id
const codes = ({ warnings = [] }: { warnings?: { code: string }[] }) => warnings.map(({ code }) => code)

test('a payment that names a customer settles no document of another customer', async () => {
  const amy = await member('CONTRIBUTOR')
  const customerId = await customer(amy)
  const own = await sell(amy, { status: 'SENT', customerId })
  const other = await sell(amy, { status: 'SENT' })
  const refused = { status: 400, details: [{ code: 'OTHER_CUSTOMER' }] }
  await expect(pay(amy, { customerId, allocations: [{ documentId: other.id }] })).rejects.toMatchObject(refused)
  const mixed = [
    { documentId: own.id, amount: 1 },
    { documentId: other.id, amount: 1 },
  ]
  await expect(pay(amy, { customerId, allocations: mixed })).rejects.toMatchObject({
    status: 400,
    details: [{ path: 'allocations.1.documentId', code: 'OTHER_CUSTOMER' }],
  })
  const { id } = await pay(amy, {
    customerId: customerId.toUpperCase(),
    allocations: [{ documentId: own.id, amount: 9 }],
  })
  await expect(
    amy.call('invoices_payments_allocate', { id, allocations: [{ documentId: other.id, amount: 1 }] }),
  ).rejects.toMatchObject(refused)
})

test('a payment that names no customer may pay documents of several customers, and then has none', async () => {
  const amy = await member('CONTRIBUTOR')
  const documents = [await sell(amy, { status: 'SENT' }), await sell(amy, { status: 'SENT' })]
  const allocations = documents.map(({ id }) => ({ documentId: id, amount: 5 }))
  const { id, customerId } = await pay(amy, { allocations })
  expect(customerId).toBeNull()
  const third = await sell(amy, { status: 'SENT' })
  const allocated = await amy.call('invoices_payments_allocate', { id, allocations: [{ documentId: third.id, amount: 5 }] })
  expect(allocated).toMatchObject({ customerId: null, allocatedTotal: 15 })
}) // biome-ignore format: a list of words

test('a payment without a customer takes that of its first document and holds to it', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id, customerId } = await pay(amy)
  expect(customerId).toBeNull()
  const first = await sell(amy, { status: 'SENT' })
  const other = await sell(amy, { status: 'SENT' })
  const allocate = (documentId: string) =>
    amy.call('invoices_payments_allocate', { id, allocations: [{ documentId, amount: 5 }] })
  expect(await allocate(first.id)).toMatchObject({ customerId: first.customerId })
  await expect(allocate(other.id)).rejects.toMatchObject({ status: 400, details: [{ code: 'OTHER_CUSTOMER' }] })
  expect(await allocate(first.id)).toMatchObject({ allocatedTotal: 10 })
})

test('the database refuses an allocation to a document of another customer', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await pay(amy)
  const [first, other] = [await sell(amy, { status: 'SENT' }), await sell(amy, { status: 'SENT' })]
  const insert = (documentId: string) =>
    theApp().system.raw.query(
      'insert into allocations (organization_id, id, payment_id, document_id, amount_minor) values ($1, $2, $3, $4, 100)',
      [amy.organizationId, newId(), id, documentId],
    )
  await insert(first.id)
  await expect(insert(other.id)).rejects.toMatchObject({ constraint: 'payment_of_customer' })
  const { payments } = await amy.call('invoices_payments_list', {})
  expect(payments).toMatchObject([{ customerId: first.customerId, allocatedTotal: 1 }])
})

test('a likely duplicate of a payment gets a warning and is recorded', async () => {
  const amy = await member('CONTRIBUTOR')
  const customerId = await customer(amy)
  const money = { customerId, reference: 'TRX-1' }
  expect(codes(await pay(amy, money))).toEqual([])
  expect(codes(await pay(amy, money))).toEqual(['POSSIBLE_DUPLICATE_PAYMENT'])
  const different = [
    { reference: 'TRX-2' },
    { amount: 151 },
    { paidAt: '2026-02-01' },
    { currency: 'USD', exchangeRate: 1.3 },
    { customerId: await customer(amy) },
  ]
  for (const more of different) expect(codes(await pay(amy, { ...money, ...more }))).toEqual([])
  expect((await amy.call('invoices_payments_list', {})).pagination.total).toBe(7)
})

test('a voided payment is no duplicate', async () => {
  const amy = await member('CONTRIBUTOR')
  const customerId = await customer(amy)
  const { id } = await pay(amy, { customerId })
  expect(codes(await pay(amy, { customerId }))).toEqual(['POSSIBLE_DUPLICATE_PAYMENT'])
  const { payments } = await amy.call('invoices_payments_list', {})
  for (const payment of payments) await amy.call('invoices_payments_void', { id: payment.id })
  expect(payments.map((payment) => payment.id)).toContain(id)
  expect(codes(await pay(amy, { customerId }))).toEqual([])
})

test('payments are listed by source and by whether something of them is open', async () => {
  const amy = await member('CONTRIBUTOR')
  const customerId = await customer(amy)
  const open = await pay(amy, { customerId })
  const { id: documentId } = await sell(amy, { status: 'SENT', customerId })
  const spent = await amy.call('invoices_payments', { id: documentId, amount: 109, ...day })
  const refund = await amy.call('invoices_payments_refund', { id: open.id, amount: 1, ...day })
  const listed = async (filter: object) =>
    (await amy.call('invoices_payments_list', filter as never)).payments.map(({ id }) => id).toSorted()
  expect(await listed({ open: 'true' })).toEqual([open.id])
  expect(await listed({ open: 'false' })).toEqual([spent.id, refund.id].toSorted())
  expect(await listed({ source: 'REFUND' })).toEqual([refund.id])
  expect(await listed({ source: 'NOTHING' })).toEqual([])
  expect(await listed({})).toHaveLength(3)
})

test('a customer shows the open money and credits by currency', async () => {
  const amy = await member('CONTRIBUTOR')
  const customerId = await customer(amy)
  const openCredits = async () => (await amy.call('customers_get', { id: customerId })).openCredits
  expect(await openCredits()).toBeUndefined()
  const { id } = await pay(amy, { customerId })
  await pay(amy, { customerId, currency: 'JPY', amount: 500 })
  await amy.call('invoices_payments_refund', { id, amount: 40, ...day })
  const sold = await sell(amy, { status: 'PAID', customerId })
  await amy.call('invoices_memos', { id: sold.id, kind: 'CREDIT' })
  expect(await openCredits()).toEqual([
    { currency: 'JPY', amount: 500 },
    { currency: 'SGD', amount: 219 },
  ])
  const read = await amy.call('customers_get', { id: customerId })
  expect(await amy.call('customers_update_patch', { ...read, notes: 'x' } as never)).toMatchObject({ notes: 'x' })
})

test('the credit of a memo pays invoices and payment requests, but no receipt or invoice-receipt: it is no money', async () => {
  const amy = await member('MANAGER')
  const customerId = await customer(amy)
  const paid = { status: 'PAID', paymentDate: '2026-01-31', paymentMethod: 'CASH', customerId }
  const { id } = await sell(amy, paid)
  await amy.call('invoices_memos', { id, kind: 'CREDIT' })
  const { payments } = await amy.call('invoices_payments_list', { source: 'CREDIT_MEMO', customerId })
  const credit = String(payments[0]?.id)
  const allocate = (documentId: string) =>
    amy.call('invoices_payments_allocate', { id: credit, allocations: [{ documentId, amount: 1 }] })
  for (const documentType of ['RECEIPT', 'INVOICE_RECEIPT'])
    await expect(allocate((await sell(amy, { documentType, status: 'SENT', customerId })).id)).rejects.toMatchObject({
      status: 409,
      details: [{ code: 'RECEIPT_STATES_MONEY' }],
    })
  expect(await allocate((await sell(amy, { status: 'SENT', customerId })).id)).toMatchObject({ allocatedTotal: 1 })
})

test('a payment request that a credit paid becomes an invoice, but no invoice-receipt', async () => {
  const amy = await member('MANAGER')
  const customerId = await customer(amy)
  const paid = { status: 'PAID', paymentDate: '2026-01-31', paymentMethod: 'CASH', customerId }
  const { id } = await sell(amy, paid)
  await amy.call('invoices_memos', { id, kind: 'CREDIT' })
  const { payments } = await amy.call('invoices_payments_list', { source: 'CREDIT_MEMO', customerId })
  const request = await sell(amy, { documentType: 'PAYMENT_REQUEST', status: 'SENT', customerId })
  await amy.call('invoices_payments_allocate', {
    id: String(payments[0]?.id),
    allocations: [{ documentId: request.id }],
  })
  const convert = (documentType: 'INVOICE' | 'INVOICE_RECEIPT') =>
    amy.call('invoices_convert', { id: request.id, documentType })
  await expect(convert('INVOICE_RECEIPT')).rejects.toMatchObject({ details: [{ code: 'RECEIPT_STATES_MONEY' }] })
  expect(await convert('INVOICE')).toMatchObject({ documentType: 'INVOICE', openBalance: 0 })
})
