import { expect, test } from 'vitest'
import { problemsOf } from '../../core/define/validate.ts'
import { newId } from '../../core/values/id.ts'
import { paymentRecorded, paymentVoided } from '../../ledger/payments/payment.ts'
import { sell } from '../../test/sales-documents.ts'
import { member, type Someone, theApp } from '../../test/world.ts'

const day = { paidAt: '2026-01-31' }
const paid = { paymentDate: '2026-01-31', paymentMethod: 'CASH', sendReceiptEmail: false }
const home = ({ organizationId }: Someone) => ({ organizationId: String(organizationId) })

test('a part of a document is paid, then the rest, and with the last cent it is PAID', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id, customerId } = await sell(amy, { status: 'SENT' })
  const first = await amy.call('invoices_payments', { id, amount: 100.5, method: 'CHECK', ...day })
  expect(first).toMatchObject({
    ...home(amy),
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

test('a draft owes nothing: it cannot be paid before it is issued', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await sell(amy)
  await expect(amy.call('invoices_payments', { id, amount: 1, ...day })).rejects.toMatchObject({ status: 409 })
})

test('a payment may say which lines it is for', async () => {
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

test('one payment covers several documents, and what is left of it stays open', async () => {
  const amy = await member('CONTRIBUTOR')
  const [one, two] = [await sell(amy, { status: 'SENT' }), await sell(amy, { status: 'UNSENT' })]
  const allocations = [{ documentId: two.id, amount: 10 }, { documentId: one.id }]
  const payment = await amy.call('invoices_payments_create', {
    ...home(amy),
    amount: 150,
    currency: 'sgd',
    ...day,
    allocations,
  })
  expect(payment).toMatchObject({ allocatedTotal: 119, openRemainder: 31 })
  expect(await amy.call('invoices_get', { id: one.id })).toMatchObject({ status: 'PAID', paidAmount: 109 })
  expect(await amy.call('invoices_get', { id: two.id })).toMatchObject({ status: 'UNSENT', paidAmount: 10 })
  const { payments } = await amy.call('invoices_payments_list', { ...home(amy), documentId: two.id })
  expect(payments).toEqual([payment])
  expect((await amy.call('invoices_payments_list', { customerId: one.customerId })).pagination.total).toBe(1)
  expect((await amy.call('invoices_payments_list', { customerId: newId() })).payments).toEqual([])
})

test.each([
  ['more than was paid', { amount: 10, allocations: [{ documentId: 'issued', amount: 11 }] }, 400],
  ['more than is open', { amount: 500, allocations: [{ documentId: 'issued', amount: 110 }] }, 400],
  ['the same document twice', { amount: 10, allocations: [{ documentId: 'issued' }, { documentId: 'issued' }] }, 400],
  ['a draft', { amount: 10, allocations: [{ documentId: 'draft', amount: 1 }] }, 409],
  ['nobody’s document', { amount: 10, allocations: [{ documentId: newId() }] }, 400],
  ['another currency', { amount: 10, currency: 'USD', allocations: [{ documentId: 'issued' }] }, 400],
  ['half a cent', { amount: 0.005 }, 400],
  ['nothing', { amount: 0 }, 400],
  ['no day', { amount: 1, paidAt: 'soon' }, 400],
  ['no currency', { amount: 1, currency: 'XYZ' }, 400],
])('a payment with %s is refused, and nothing of it stays', async (_, wrong, status) => {
  const amy = await member('CONTRIBUTOR')
  const ids: Record<string, string> = { issued: (await sell(amy, { status: 'SENT' })).id, draft: (await sell(amy)).id }
  const { allocations = [], ...rest } = wrong as { amount: number; allocations?: { documentId: string }[] }
  const named = allocations.map((each) => ({ ...each, documentId: ids[each.documentId] ?? each.documentId }))
  const input = { ...home(amy), currency: 'SGD', ...day, ...rest, allocations: named }
  await expect(amy.call('invoices_payments_create', input)).rejects.toMatchObject({ status })
  expect((await amy.call('invoices_payments_list')).payments).toEqual([])
})

test('voiding a payment opens what it paid; a paid document is opened by a manager alone', async () => {
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

test('a payment that covers other documents too is not cleared on one of them', async () => {
  const amy = await member('MANAGER')
  const [one, two] = [await sell(amy, { status: 'SENT' }), await sell(amy, { status: 'SENT' })]
  const allocations = [{ documentId: one.id }, { documentId: two.id }]
  await amy.call('invoices_payments_create', { amount: 218, currency: 'SGD', ...day, allocations })
  await expect(amy.call('invoices_update', { id: one.id, clearReceiptInfo: true })).rejects.toMatchObject({
    status: 409,
    details: [{ code: 'SHARED' }],
  })
})

test('mark-paid issues a draft, pays what is open, and asked again stands the same', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await sell(amy)
  const first = await amy.call('invoices_mark_paid', { id, ...paid })
  expect(first).toMatchObject({
    success: true,
    document: {
      id,
      status: 'PAID',
      invoiceNumber: '1',
      paidAmount: 109,
      paymentDate: '2026-01-31',
      paymentMethod: 'CASH',
    },
    payment: { amount: 109, source: 'MARK_PAID', allocations: [{ documentId: id, amount: 109 }] },
    receipt: null,
    email: null,
  })
  expect(await amy.call('invoices_mark_paid', { id, ...paid, paymentMethod: 'CHECK' })).toEqual(first)
})

test.each(['', 'tomorrow', '2026-02-30'])(
  'a document is not marked paid on the day %j, whatever its status',
  async (paymentDate) => {
    const amy = await member('CONTRIBUTOR')
    for (const status of ['DRAFT', 'SENT', 'PAID']) {
      const { id } = await sell(amy, { status })
      await expect(amy.call('invoices_mark_paid', { id, ...paid, paymentDate })).rejects.toMatchObject({
        status: 400,
        details: [{ path: 'paymentDate' }],
      })
      expect(await amy.call('invoices_get', { id })).toMatchObject({ status })
    }
  },
)

test('INV-05: twenty who mark the same document paid at once make one payment and one receipt', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await sell(amy, { status: 'SENT' })
  const all = await Promise.all(
    Array.from({ length: 20 }, () => amy.call('invoices_mark_paid', { id, ...paid, generateReceipt: true })),
  )
  expect(new Set(all.map(({ payment }) => payment?.id)).size).toBe(1)
  expect(new Set(all.map(({ receipt }) => receipt?.id)).size).toBe(1)
  expect((await amy.call('invoices_payments_list')).pagination.total).toBe(1)
})

test('a receipt repeats what was paid, has a number of its own and owes nothing', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await sell(amy, { status: 'SENT' })
  const { document, receipt } = await amy.call('invoices_mark_paid', { id, ...paid, generateReceipt: true })
  expect(receipt).toMatchObject({
    documentType: 'RECEIPT',
    status: 'PAID',
    invoiceNumber: '1',
    subtotal: 100,
    taxAmount: 9,
    total: 109,
    paidAmount: 109,
    items: [{ description: 'Consulting', amount: 100 }],
    cancelledAt: null,
  })
  expect(document.receiptNumber).toBe('1')
})

test('a tax-free receipt has no tax, and a receipt for a part its share of it', async () => {
  const amy = await member('CONTRIBUTOR')
  const free = await sell(amy, { status: 'SENT' })
  const { receipt } = await amy.call('invoices_mark_paid', { id: free.id, ...paid, generateTaxFreeReceipt: true })
  expect(receipt).toMatchObject({ subtotal: 109, taxAmount: 0, total: 109, taxRate: 0, items: [{ amount: 109 }] })
  const part = await sell(amy, { status: 'SENT' })
  await amy.call('invoices_payments', { id: part.id, amount: 54.5, ...day })
  const second = await amy.call('invoices_mark_paid', { id: part.id, ...paid, generateReceipt: true })
  expect(second.receipt).toMatchObject({ invoiceNumber: '2', subtotal: 50, taxAmount: 4.5, total: 54.5 })
})

test('a receipt for a part has its share of a tax that was held back', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await sell(amy, { taxRate: 0, taxAmount: -10, total: 90, status: 'SENT' })
  await amy.call('invoices_payments', { id, amount: 30, ...day })
  const { receipt } = await amy.call('invoices_mark_paid', { id, ...paid, generateReceipt: true })
  expect(receipt).toMatchObject({ subtotal: 66.67, taxAmount: -6.67, total: 60 })
})

test('with its payment a receipt is cancelled, never deleted', async () => {
  const amy = await member('MANAGER')
  const { id } = await sell(amy, { status: 'SENT' })
  const { receipt } = await amy.call('invoices_mark_paid', { id, ...paid, generateReceipt: true })
  expect(await amy.call('invoices_update', { id, clearReceiptInfo: true })).toMatchObject({
    status: 'SENT',
    receiptNumber: null,
    paymentDate: null,
    paymentMethod: null,
  })
  const kept = await amy.call('invoices_get', { id: String(receipt?.id) })
  expect(kept).toMatchObject({ invoiceNumber: '1', cancelledAt: expect.any(String) })
  await expect(amy.call('invoices_delete', { id: kept.id })).rejects.toMatchObject({ status: 409 })
  const again = await amy.call('invoices_mark_paid', { id, ...paid, generateReceipt: true })
  expect(again.receipt?.invoiceNumber).toBe('2')
})

test('INV-03: thirty-two who allocate one payment at once give out no more than was paid', async () => {
  const amy = await member('CONTRIBUTOR')
  const documents = await Promise.all(Array.from({ length: 8 }, () => sell(amy, { status: 'SENT' })))
  const { id } = await amy.call('invoices_payments_create', { amount: 50, currency: 'SGD', ...day })
  const organization = String(amy.organizationId)
  const tried = Array.from({ length: 32 }, (_, n) =>
    theApp().system.raw.query(
      'insert into allocations (organization_id, id, payment_id, document_id, amount_minor) values ($1, $2, $3, $4, 300)',
      [organization, newId(), id, documents[n % 8]?.id],
    ),
  )
  const done = await Promise.allSettled(tried)
  expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(16)
  const { payments } = await amy.call('invoices_payments_list')
  expect(payments[0]).toMatchObject({ allocatedTotal: 48, openRemainder: 2 })
  const read = await Promise.all(documents.map((document) => amy.call('invoices_get', { id: document.id })))
  expect(read.reduce((sum, { paidAmount }) => sum + paidAmount, 0)).toBe(48)
})

test('INV-10: payments are told of when they are recorded and when they are voided', async () => {
  const amy = await member('MANAGER')
  const { id } = await sell(amy, { status: 'SENT' })
  const { payment } = await amy.call('invoices_mark_paid', { id, ...paid, generateReceipt: true })
  await amy.call('invoices_payments_void', { id: String(payment?.id) })
  const told = await theApp().system.use((db) =>
    db
      .selectFrom('events')
      .select(['type', 'payload'])
      .where('organizationId', '=', String(amy.organizationId))
      .orderBy('id')
      .execute(),
  )
  const types = told.map(({ type }) => type).filter((type) => /^(payment|receipt|invoice\.paid)/.test(type))
  expect(types.toSorted()).toEqual(['invoice.paid', 'payment.recorded', 'payment.voided', 'receipt.issued'])
  for (const { type, payload } of told.filter((each) => each.type.startsWith('payment')))
    expect(problemsOf((type === 'payment.voided' ? paymentVoided : paymentRecorded).payload, payload)).toEqual([])
})
