import { expect, test } from 'vitest'
import { problemsOf } from '../../../core/define/validate.ts'
import { newId } from '../../../core/values/id.ts'
import { paymentRecorded, paymentVoided } from '../../../ledger/payments/payment.ts'
import { sell } from '../../../test/sales-documents.ts'
import { whenAvailable } from '../../../test/when-available.ts'
import { member, type Someone, theApp } from '../../../test/world.ts'

const day = { paidAt: '2026-01-31' }
const paid = { paymentDate: '2026-01-31', paymentMethod: 'CASH', sendReceiptEmail: false }
const inOrganization = ({ organizationId }: Someone) => ({ organizationId: String(organizationId) })

test('a document is paid in two parts and becomes PAID with the second', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id, customerId } = await sell(amy, { status: 'SENT' })
  const first = await amy.call('invoices_payments', { id, amount: 100.5, method: 'CHECK', ...day })
  expect(first).toMatchObject({
    ...inOrganization(amy),
    customerId,
    amount: 100.5,
    currency: 'SGD',
    paidAt: '2026-01-31',
    method: 'CHECK',
    source: 'PAYMENT',
    allocatedTotal: 100.5,
    openRemainder: 0,
    allocations: [{ documentId: id, invoiceNumber: '1', lineId: null, amount: 100.5 }],
    voidedAt: null,
  })
  expect(await amy.call('invoices_get', { id })).toMatchObject({ status: 'SENT', paidAmount: 100.5, paymentDate: null })
  await expect(amy.call('invoices_payments', { id, amount: 8.51, ...day })).rejects.toMatchObject({
    status: 400,
    details: [{ path: 'amount', code: 'AMOUNT_OVER_OPEN' }],
  })
  await amy.call('invoices_payments', { id, amount: 8.5, ...day })
  expect(await amy.call('invoices_get', { id })).toMatchObject({
    status: 'PAID',
    paidAmount: 109,
    paymentDate: '2026-01-31',
  })
})

test('a draft cannot be paid before it is issued', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await sell(amy)
  await expect(amy.call('invoices_payments', { id, amount: 1, ...day })).rejects.toMatchObject({ status: 409 })
})

test('a payment can be allocated to lines', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await sell(amy, { status: 'UNSENT' })
  const lines = (lineId: string, amount: number) => ({ id, amount: 50, ...day, lineAllocations: [{ lineId, amount }] })
  const { allocations } = await amy.call('invoices_payments', lines('1', 30))
  expect(allocations.map(({ lineId, amount }) => [lineId, amount])).toEqual([
    ['1', 30],
    [null, 20],
  ])
  await expect(amy.call('invoices_payments', lines('1', 51))).rejects.toMatchObject({ status: 400 })
  await expect(amy.call('invoices_payments', lines('nope', 1))).rejects.toMatchObject({ status: 400 })
})

test('one payment covers several documents, and the rest stays open', async () => {
  const amy = await member('CONTRIBUTOR')
  const one = await sell(amy, { status: 'SENT' })
  const two = await sell(amy, { status: 'UNSENT', customerId: one.customerId })
  const allocations = [{ documentId: two.id, amount: 10 }, { documentId: one.id }]
  const payment = await amy.call('invoices_payments_create', {
    ...inOrganization(amy),
    amount: 150,
    currency: 'sgd',
    ...day,
    allocations,
  })
  expect(payment).toMatchObject({ allocatedTotal: 119, openRemainder: 31 })
  expect(await amy.call('invoices_get', { id: one.id })).toMatchObject({ status: 'PAID', paidAmount: 109 })
  expect(await amy.call('invoices_get', { id: two.id })).toMatchObject({ status: 'UNSENT', paidAmount: 10 })
  const { payments } = await amy.call('invoices_payments_list', { ...inOrganization(amy), documentId: two.id })
  expect(payments).toEqual([payment])
  expect((await amy.call('invoices_payments_list', { customerId: one.customerId })).pagination.total).toBe(1)
  expect((await amy.call('invoices_payments_list', { customerId: newId() })).payments).toEqual([])
})

test.each([
  ['allocations above its amount', { amount: 10, allocations: [{ documentId: 'issued', amount: 11 }] }, 400],
  ['an allocation above the open balance', { amount: 500, allocations: [{ documentId: 'issued', amount: 110 }] }, 400],
  ['the same document twice', { amount: 10, allocations: [{ documentId: 'issued' }, { documentId: 'issued' }] }, 400],
  ['a draft', { amount: 10, allocations: [{ documentId: 'draft', amount: 1 }] }, 409],
  ['an unknown document', { amount: 10, allocations: [{ documentId: newId() }] }, 400],
  ['another currency', { amount: 10, currency: 'USD', allocations: [{ documentId: 'issued' }] }, 400],
  ['a fraction of a cent', { amount: 0.005 }, 400],
  ['an amount of zero', { amount: 0 }, 400],
  ['an invalid date', { amount: 1, paidAt: 'soon' }, 400],
  ['an unknown currency', { amount: 1, currency: 'XYZ' }, 400],
])('a payment with %s is refused and not recorded', async (_, wrong, status) => {
  const amy = await member('CONTRIBUTOR')
  const ids: Record<string, string> = { issued: (await sell(amy, { status: 'SENT' })).id, draft: (await sell(amy)).id }
  const { allocations = [], ...rest } = wrong as { amount: number; allocations?: { documentId: string }[] }
  const named = allocations.map((each) => ({ ...each, documentId: ids[each.documentId] ?? each.documentId }))
  const input = { ...inOrganization(amy), currency: 'SGD', ...day, ...rest, allocations: named }
  await expect(amy.call('invoices_payments_create', input)).rejects.toMatchObject({ status })
  expect((await amy.call('invoices_payments_list')).payments).toEqual([])
})

test('voiding a payment reopens its documents; reopening a PAID document needs the role MANAGER', async () => {
  const owner = await member('OWNER')
  const amy = await member('CONTRIBUTOR', { of: owner })
  const { id } = await sell(amy, { status: 'SENT' })
  const part = await amy.call('invoices_payments', { id, amount: 50, ...day })
  const rest = await amy.call('invoices_payments', { id, amount: 59, ...day })
  await expect(amy.call('invoices_payments_void', { id: rest.id })).rejects.toMatchObject({ status: 403 })
  const voided = await owner.call('invoices_payments_void', { id: rest.id, reason: 'bounced' })
  expect(voided).toMatchObject({
    voidReason: 'bounced',
    allocations: [],
    allocatedTotal: 0,
    openRemainder: 0,
    voidedAt: expect.any(String),
  })
  expect(await owner.call('invoices_payments_void', { id: rest.id })).toEqual(voided)
  expect(await amy.call('invoices_get', { id })).toMatchObject({ status: 'SENT', paidAmount: 50, paymentDate: null })
  await amy.call('invoices_payments_void', { id: part.id })
  expect(await amy.call('invoices_get', { id })).toMatchObject({ status: 'SENT', paidAmount: 0 })
})

test('INV-03: thirty-two concurrent allocations do not exceed the amount of the payment', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id: customerId } = await amy.call('customers_create', { name: 'Globex', country: 'SG' })
  const documents = await Promise.all(Array.from({ length: 8 }, () => sell(amy, { status: 'SENT', customerId })))
  const { id } = await amy.call('invoices_payments_create', { amount: 50, currency: 'SGD', ...day })
  const organization = String(amy.organizationId)
  const inserts = Array.from({ length: 32 }, (_, n) =>
    whenAvailable(() =>
      theApp().system.raw.query(
        'insert into allocations (organization_id, id, payment_id, document_id, amount_minor) values ($1, $2, $3, $4, 300)',
        [organization, newId(), id, documents[n % 8]?.id],
      ),
    ),
  )
  const done = await Promise.allSettled(inserts)
  expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(16)
  const { payments } = await amy.call('invoices_payments_list')
  expect(payments[0]).toMatchObject({ allocatedTotal: 48, openRemainder: 2 })
  const read = await Promise.all(documents.map((document) => amy.call('invoices_get', { id: document.id })))
  expect(read.reduce((sum, { paidAmount }) => sum + paidAmount, 0)).toBe(48)
})

test('INV-10: recording and voiding a payment emit one event each', async () => {
  const amy = await member('MANAGER')
  const { id } = await sell(amy, { status: 'SENT' })
  const { payment } = await amy.call('invoices_mark_paid', { id, ...paid, generateReceipt: true })
  await amy.call('invoices_payments_void', { id: String(payment?.id) })
  const emitted = await theApp().system.use((db) =>
    db
      .selectFrom('events')
      .select(['type', 'payload'])
      .where('organizationId', '=', String(amy.organizationId))
      .orderBy('id')
      .execute(),
  )
  const types = emitted.map(({ type }) => type).filter((type) => /^(payment|receipt|invoice\.paid)/.test(type))
  expect(types.toSorted()).toEqual(['invoice.paid', 'payment.recorded', 'payment.voided', 'receipt.issued'])
  for (const { type, payload } of emitted.filter((each) => each.type.startsWith('payment')))
    expect(problemsOf((type === 'payment.voided' ? paymentVoided : paymentRecorded).payload, payload)).toEqual([])
})
