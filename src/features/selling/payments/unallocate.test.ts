import { expect, test } from 'vitest'
import { newId } from '../../../core/values/id.ts'
import { sell } from '../../../test/sales-documents.ts'
import { member, type Someone, theApp } from '../../../test/world.ts'

const day = { paidAt: '2026-01-31' }

/** Two documents of one customer, paid with one payment of 250 SGD; 32 are left of it. */
async function paidTogether(amy: Someone) {
  const one = await sell(amy, { status: 'SENT' })
  const two = await sell(amy, { status: 'SENT', customerId: one.customerId })
  const allocations = [{ documentId: one.id }, { documentId: two.id }]
  const payment = await amy.call('invoices_payments_create', { amount: 250, currency: 'SGD', ...day, allocations })
  return { one, two, payment }
}

test('an allocation that is taken back is an open remainder again, and its document reopens', async () => {
  const amy = await member('MANAGER')
  const { one, two, payment } = await paidTogether(amy)
  const [first] = payment.allocations
  const input = { id: payment.id, allocationId: String(first?.id) }
  const after = await amy.call('invoices_payments_unallocate', input)
  expect(after).toMatchObject({
    allocatedTotal: 109,
    openRemainder: 141,
    allocations: [{ documentId: two.id }],
    voidedAt: null,
  })
  expect(await amy.call('invoices_get', { id: one.id })).toMatchObject({
    status: 'SENT',
    paidAmount: 0,
    paymentDate: null,
  })
  expect(await amy.call('invoices_get', { id: two.id })).toMatchObject({ status: 'PAID', paidAmount: 109 })
  const { events } = await amy.call('invoices_events', { id: one.id })
  expect(events[0]).toMatchObject({ type: 'PAYMENT_UNALLOCATED', payload: { paymentId: payment.id, amount: 109 } })
  expect(await amy.call('invoices_payments_unallocate', input)).toEqual(after)
  await amy.call('invoices_payments_allocate', { id: payment.id, allocations: [{ documentId: one.id }] })
  expect(await amy.call('invoices_get', { id: one.id })).toMatchObject({ status: 'PAID' })
})

test('the receipt of a payment stays valid whatever is taken back of it, until the payment is voided', async () => {
  const amy = await member('MANAGER')
  const { one, two, payment } = await paidTogether(amy)
  const receipt = await amy.call('invoices_payments_receipt', { id: payment.id })
  expect(receipt).toMatchObject({ total: 250, cancelledAt: null })
  const valid = { total: 250, paidAmount: 250, status: 'PAID', cancelledAt: null }
  for (const { id: allocationId } of payment.allocations) {
    await amy.call('invoices_payments_unallocate', { id: payment.id, allocationId })
    expect(await amy.call('invoices_get', { id: receipt.id })).toMatchObject(valid)
  }
  for (const { id } of [one, two])
    expect(await amy.call('invoices_get', { id })).toMatchObject({ status: 'SENT', receiptNumber: null })
  await amy.call('invoices_payments_allocate', { id: payment.id, allocations: [{ documentId: one.id }] })
  await amy.call('invoices_update', { id: one.id, clearReceiptInfo: true })
  expect(await amy.call('invoices_get', { id: receipt.id })).toMatchObject(valid)
  expect(await amy.call('invoices_payments_receipt', { id: payment.id })).toMatchObject({ id: receipt.id })
  await amy.call('invoices_payments_void', { id: payment.id })
  expect(await amy.call('invoices_get', { id: receipt.id })).toMatchObject({ cancelledAt: expect.any(String) })
})

test.each([
  ['RECEIPT', null],
  ['RECEIPT', '123456782'],
  ['RECEIPT', '514567891'],
  ['INVOICE_RECEIPT', '123456782'],
])(
  'a %s (registration number %s) of a shared payment is cancelled only when its own money is taken back',
  async (documentType, registrationNumber) => {
    const amy = await member('OWNER', { country: 'IL' })
    await amy.call('organizations_update', { id: String(amy.organizationId), registrationNumber })
    const plain = { status: 'SENT', taxRate: 0, taxAmount: 0, total: 100 }
    const receipt = await sell(amy, { ...plain, documentType })
    const invoice = await sell(amy, { ...plain, customerId: receipt.customerId })
    const payment = await amy.call('invoices_payments_create', {
      ...{ amount: 200, currency: 'SGD', ...day },
      allocations: [{ documentId: receipt.id, amount: 40 }, { documentId: invoice.id }],
    })
    await amy.call('invoices_payments', { id: receipt.id, amount: 60, ...day })
    const taken = (documentId: string) =>
      amy.call('invoices_payments_unallocate', {
        id: payment.id,
        allocationId: String(payment.allocations.find((each) => each.documentId === documentId)?.id),
      })
    await taken(invoice.id)
    expect(await amy.call('invoices_get', { id: receipt.id })).toMatchObject({ paidAmount: 100, cancelledAt: null })
    await taken(receipt.id)
    expect(await amy.call('invoices_get', { id: receipt.id })).toMatchObject({ paidAmount: 60, cancelledAt: null })
    const { payments } = await amy.call('invoices_payments_list', { documentId: receipt.id })
    await amy.call('invoices_payments_unallocate', {
      id: String(payments[0]?.id),
      allocationId: String(payments[0]?.allocations[0]?.id),
    })
    expect(await amy.call('invoices_get', { id: receipt.id })).toMatchObject({
      paidAmount: 0,
      cancelledAt: expect.any(String),
    })
  },
)

test('a cancelled receipt over several documents is no longer named by them', async () => {
  const amy = await member('MANAGER')
  const { one, two, payment } = await paidTogether(amy)
  const receipt = await amy.call('invoices_payments_receipt', { id: payment.id })
  for (const { id } of [one, two])
    expect(await amy.call('invoices_get', { id })).toMatchObject({ receiptNumber: receipt.invoiceNumber })
  await amy.call('invoices_cancel', { id: receipt.id })
  for (const { id } of [one, two])
    expect(await amy.call('invoices_get', { id })).toMatchObject({ receiptNumber: null, status: 'PAID' })
})

test('taking back the allocation of a paid document needs MANAGER; of an open one CONTRIBUTOR is enough', async () => {
  const owner = await member('OWNER')
  const amy = await member('CONTRIBUTOR', { of: owner })
  const { payment } = await paidTogether(amy)
  const input = { id: payment.id, allocationId: String(payment.allocations[0]?.id) }
  await expect(amy.call('invoices_payments_unallocate', input)).rejects.toMatchObject({ status: 403 })
  expect(await owner.call('invoices_payments_unallocate', input)).toMatchObject({ openRemainder: 141 })
  const open = await sell(amy, { status: 'SENT' })
  const part = await amy.call('invoices_payments', { id: open.id, amount: 9, ...day })
  const allocationId = String(part.allocations[0]?.id)
  expect(await amy.call('invoices_payments_unallocate', { id: part.id, allocationId })).toMatchObject({
    openRemainder: 9,
  })
})

test('an allocation that does not exist or belongs to another payment is not found', async () => {
  const amy = await member('MANAGER')
  const { payment } = await paidTogether(amy)
  const other = await paidTogether(amy)
  for (const allocationId of [newId(), 'nope', String(other.payment.allocations[0]?.id)])
    await expect(amy.call('invoices_payments_unallocate', { id: payment.id, allocationId })).rejects.toMatchObject({
      status: 404,
    })
  const allocationId = String(payment.allocations[0]?.id)
  expect(await amy.call('invoices_payments_unallocate', { id: payment.id, allocationId })).toMatchObject({
    openRemainder: 141,
  })
})

test('the credit of a memo for the document that it corrects cannot be taken back', async () => {
  const amy = await member('MANAGER')
  const { id } = await sell(amy, { status: 'SENT' })
  await amy.call('invoices_memos', { id, kind: 'CREDIT' })
  const { payments } = await amy.call('invoices_payments_list', { source: 'CREDIT_MEMO' })
  const [credit] = payments
  await expect(
    amy.call('invoices_payments_unallocate', {
      id: String(credit?.id),
      allocationId: String(credit?.allocations[0]?.id),
    }),
  ).rejects.toMatchObject({ status: 409, details: [{ code: 'CREDITED' }] })
})

test('the database keeps an allocation that was taken back', async () => {
  const amy = await member('MANAGER')
  const { payment } = await paidTogether(amy)
  const allocationId = String(payment.allocations[0]?.id)
  await amy.call('invoices_payments_unallocate', { id: payment.id, allocationId })
  await expect(
    theApp().system.raw.query('update allocations set voided_at = null where id = $1', [allocationId]),
  ).rejects.toMatchObject({ constraint: 'allocation_not_voided' })
})

test('clearing a document takes back its allocation of a payment that also pays others or has an open remainder', async () => {
  const amy = await member('MANAGER')
  const { one, two, payment } = await paidTogether(amy)
  expect(await amy.call('invoices_update', { id: one.id, clearReceiptInfo: true })).toMatchObject({
    status: 'SENT',
    paidAmount: 0,
    paymentDate: null,
    paymentMethod: null,
    receiptNumber: null,
  })
  expect(await amy.call('invoices_get', { id: two.id })).toMatchObject({ status: 'PAID' })
  const left = { documentId: two.id, amount: 109 }
  const { payments } = await amy.call('invoices_payments_list', {})
  expect(payments).toMatchObject([{ id: payment.id, openRemainder: 141, allocations: [left], voidedAt: null }])
})

test('clearing a document with two payments voids the one of this document alone', async () => {
  const amy = await member('MANAGER')
  const { id, customerId } = await sell(amy, { status: 'SENT' })
  const whole = await amy.call('invoices_payments', { id, amount: 100, ...day })
  const allocations = [{ documentId: id }]
  const more = await amy.call('invoices_payments_create', {
    amount: 20,
    currency: 'SGD',
    customerId,
    ...day,
    allocations,
  })
  await amy.call('invoices_update', { id, clearReceiptInfo: true })
  const { payments } = await amy.call('invoices_payments_list', {})
  const found = (paymentId: string) => payments.find((payment) => payment.id === paymentId)
  expect(found(whole.id)).toMatchObject({ voidedAt: expect.any(String), openRemainder: 0 })
  expect(found(more.id)).toMatchObject({ voidedAt: null, openRemainder: 20 })
})
