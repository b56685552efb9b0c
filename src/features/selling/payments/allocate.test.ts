import { expect, test } from 'vitest'
import { newId } from '../../../core/values/id.ts'
import { sell } from '../../../test/sales-documents.ts'
import { whenAvailable } from '../../../test/when-available.ts'
import { member, type Someone, theApp } from '../../../test/world.ts'

const inOrganization = ({ organizationId }: Someone) => ({ organizationId: String(organizationId) })

/** A payment of 150 SGD of which nothing is allocated yet. */
const openPayment = (amy: Someone, more: Record<string, unknown> = {}) =>
  amy.call('invoices_payments_create', {
    ...inOrganization(amy),
    amount: 150,
    currency: 'SGD',
    paidAt: '2026-01-31',
    ...more,
  })

test('an open remainder is allocated in parts until the document is PAID', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id: documentId } = await sell(amy, { status: 'SENT' })
  const payment = await openPayment(amy)
  const first = await amy.call('invoices_payments_allocate', {
    id: payment.id,
    allocations: [{ documentId, amount: 100 }],
  })
  expect(first).toMatchObject({ id: payment.id, allocatedTotal: 100, openRemainder: 50 })
  expect(await amy.call('invoices_get', { id: documentId })).toMatchObject({ status: 'SENT', paidAmount: 100 })
  const second = await amy.call('invoices_payments_allocate', { id: payment.id, allocations: [{ documentId }] })
  expect(second).toMatchObject({ allocatedTotal: 109, openRemainder: 41 })
  expect(await amy.call('invoices_get', { id: documentId })).toMatchObject({
    status: 'PAID',
    paymentDate: '2026-01-31',
  })
})

test('an allocation that settles a document adds one PAID entry to its history and emits one invoice.paid', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id: documentId } = await sell(amy, { status: 'SENT' })
  const { id } = await openPayment(amy)
  await amy.call('invoices_payments_allocate', { id, allocations: [{ documentId }] })
  const { events } = await amy.call('invoices_events', { id: documentId })
  expect(events.map(({ type }) => type)).toEqual(['PAID', 'PAYMENT_RECORDED', 'ISSUED', 'CREATED'])
  const { rows } = await theApp().system.raw.query(
    "select count(*)::int as paid from events where organization_id = $1 and type = 'invoice.paid'",
    [amy.organizationId],
  )
  expect(rows).toEqual([{ paid: 1 }])
})

test('after its payment is voided, a document is paid from the remainder of another payment', async () => {
  const amy = await member('MANAGER')
  const { id: documentId } = await sell(amy, { status: 'SENT' })
  const first = await amy.call('invoices_payments', { id: documentId, amount: 109, paidAt: '2026-01-31' })
  await amy.call('invoices_payments_void', { id: first.id })
  const { id } = await openPayment(amy)
  await amy.call('invoices_payments_allocate', { id, allocations: [{ documentId, amount: 109 }] })
  expect(await amy.call('invoices_get', { id: documentId })).toMatchObject({ status: 'PAID', paidAmount: 109 })
})

test('invalid allocations are refused, and nothing is allocated', async () => {
  const amy = await member('MANAGER')
  const eve = await member('MANAGER')
  const { id: documentId } = await sell(amy, { status: 'SENT' })
  const { id } = await openPayment(amy, { amount: 50 })
  const refused = async (allocations: object[], expected: object) =>
    expect(amy.call('invoices_payments_allocate', { id, allocations } as never)).rejects.toMatchObject(expected)
  const other = await sell(amy, { status: 'SENT', currency: 'USD' })
  await refused([], { status: 400 })
  await refused([{ documentId, amount: 50.01 }], { status: 400, details: [{ code: 'AMOUNT_OVER_REMAINDER' }] })
  await refused([{ documentId, amount: 110 }], { status: 400, details: [{ code: 'AMOUNT_OVER_OPEN' }] })
  await refused([{ documentId, amount: 0 }], { status: 400 })
  await refused([{ documentId, amount: 1.001 }], { status: 400, details: [{ code: 'AMOUNT' }] })
  await refused([{ documentId: newId() }], { status: 400, details: [{ code: 'UNKNOWN_REFERENCE' }] })
  await refused([{ documentId: (await sell(eve, { status: 'SENT' })).id }], { status: 400 })
  await refused([{ documentId: other.id }], { status: 400, details: [{ code: 'CURRENCY' }] })
  await refused([{ documentId: (await sell(amy)).id }], { status: 409, details: [{ code: 'DRAFT' }] })
  await refused([{ documentId }, { documentId }], { status: 400 })
  expect(await amy.call('invoices_payments_allocate', { id, allocations: [{ documentId }] })).toMatchObject({
    openRemainder: 0,
  })
  await refused([{ documentId }], { status: 409, details: [{ code: 'NOTHING_OPEN' }] })
  await amy.call('invoices_payments_void', { id })
  await refused([{ documentId, amount: 1 }], { status: 409, details: [{ code: 'VOIDED' }] })
})

test('INV-03: thirty-two concurrent allocations do not exceed the open remainder', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await openPayment(amy, { amount: 50 })
  const { id: customerId } = await amy.call('customers_create', { name: 'Globex', country: 'SG' })
  const documents = await Promise.all(
    Array.from({ length: 32 }, () => whenAvailable(() => sell(amy, { status: 'SENT', customerId }))),
  )
  const outcomes = await Promise.allSettled(
    documents.map((document) =>
      whenAvailable(() =>
        amy.call('invoices_payments_allocate', { id, allocations: [{ documentId: document.id, amount: 10 }] }),
      ),
    ),
  )
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
  const { payments } = await amy.call('invoices_payments_list', inOrganization(amy))
  expect(payments).toMatchObject([{ allocatedTotal: 50, openRemainder: 0 }])
})
