import { describe, expect, test } from 'vitest'
import { sell } from '../../../test/sales-documents.ts'
import { member } from '../../../test/world.ts'

const line = (amount: number, more = {}) => ({
  id: 'm',
  description: 'Part',
  quantity: 1,
  unitPrice: amount,
  amount,
  ...more,
})

test('a credit memo has its own number and tax and reduces the open balance', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await sell(amy, { status: 'SENT' })
  const memo = await amy.call('invoices_memos', { id, kind: 'CREDIT', items: [line(20)], reason: 'Too much' })
  expect(memo).toMatchObject({
    documentType: 'CREDIT_MEMO',
    invoiceNumber: '1',
    status: 'PAID',
    subtotal: 20,
    taxAmount: 1.8,
    total: 21.8,
    notes: 'Too much',
    items: [{ id: 'm', amount: 20 }],
  })
  expect(await amy.call('invoices_get', { id })).toMatchObject({ status: 'SENT', total: 109, paidAmount: 21.8 })
  const { invoices } = await amy.call('invoices_list', {
    organizationId: memo.organizationId,
    documentType: 'CREDIT_MEMO',
  })
  expect(invoices.map((each) => each.id)).toEqual([memo.id])
})

test('a credit memo without lines credits the whole document and settles it', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await sell(amy, { status: 'UNSENT' })
  const memo = await amy.call('invoices_memos', { id, kind: 'CREDIT' })
  expect(memo).toMatchObject({ total: 109, taxAmount: 9, items: [{ description: 'Consulting' }] })
  expect(await amy.call('invoices_get', { id })).toMatchObject({
    status: 'PAID',
    paidAmount: 109,
    paymentMethod: 'CREDIT_MEMO',
  })
  await expect(amy.call('invoices_memos', { id, kind: 'CREDIT' })).rejects.toMatchObject({
    status: 400,
    details: [{ code: 'AMOUNT_OVER_TOTAL' }],
  })
})

test('the credit of a paid document stays open for other documents of the customer', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await sell(amy, { status: 'PAID' })
  await amy.call('invoices_memos', { id, kind: 'CREDIT', items: [line(10, { taxRate: 0 })] })
  const { payments } = await amy.call('invoices_payments_list')
  expect(payments.find(({ source }) => source === 'CREDIT_MEMO')).toMatchObject({ amount: 10, openRemainder: 10 })
  const credit = payments.find(({ source }) => source === 'CREDIT_MEMO')?.id ?? ''
  await expect(amy.call('invoices_payments_void', { id: credit })).rejects.toMatchObject({ status: 409 })
})

describe('a document can be credited line by line, although the tax of each line is rounded', () => {
  const items = ['a', 'b', 'c'].map((id) => line(0.33, { id }))
  const sums = { items, subtotal: 0.99, taxRate: 17, taxAmount: 0.17, total: 1.16 }

  test('with all lines in one memo', async () => {
    const amy = await member('CONTRIBUTOR')
    const { id } = await sell(amy, { ...sums, status: 'SENT' })
    expect(await amy.call('invoices_memos', { id, kind: 'CREDIT', items })).toMatchObject({
      taxAmount: 0.17,
      total: 1.16,
    })
    expect(await amy.call('invoices_get', { id })).toMatchObject({ status: 'PAID' })
  })

  test('with one memo for each line, the last one over the rest', async () => {
    const amy = await member('CONTRIBUTOR')
    const { id } = await sell(amy, { ...sums, status: 'SENT' })
    const totals: number[] = []
    for (const each of items)
      totals.push((await amy.call('invoices_memos', { id, kind: 'CREDIT', items: [each] })).total)
    expect(totals).toEqual([0.39, 0.39, 0.38])
    expect(await amy.call('invoices_get', { id })).toMatchObject({ status: 'PAID', paidAmount: 1.16 })
    await expect(amy.call('invoices_memos', { id, kind: 'CREDIT', items: [line(0.01)] })).rejects.toMatchObject({
      status: 400,
      details: [{ code: 'AMOUNT_OVER_TOTAL' }],
    })
  })
})

test('a memo with two lines of the same id is refused', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await sell(amy, { status: 'SENT' })
  await expect(amy.call('invoices_memos', { id, kind: 'CREDIT', items: [line(1), line(2)] })).rejects.toMatchObject({
    status: 400,
    details: [{ path: 'items.1.id', code: 'DUPLICATE_LINE' }],
  })
})

test('clearing a partly credited document voids its payment and keeps the credit', async () => {
  const amy = await member('MANAGER')
  const { id } = await sell(amy, { status: 'SENT' })
  await amy.call('invoices_memos', { id, kind: 'CREDIT', items: [line(10)] })
  await amy.call('invoices_update', { id, status: 'PAID' })
  const cleared = await amy.call('invoices_update', { id, clearReceiptInfo: true })
  expect(cleared).toMatchObject({ status: 'SENT', paidAmount: 10.9, paymentDate: null, paymentMethod: null })
  const other = await sell(amy, { status: 'SENT' })
  await amy.call('invoices_memos', { id: other.id, kind: 'CREDIT' })
  await expect(amy.call('invoices_update', { id: other.id, clearReceiptInfo: true })).rejects.toMatchObject({
    status: 409,
    details: [{ code: 'CREDITED' }],
  })
})

test('a debit memo is a document with its own open balance', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await sell(amy, { status: 'SENT' })
  const memo = await amy.call('invoices_memos', { id, kind: 'DEBIT', items: [line(5, { taxRate: 0 })] })
  expect(memo).toMatchObject({
    documentType: 'DEBIT_MEMO',
    status: 'UNSENT',
    total: 5,
    paidAmount: 0,
    invoiceNumber: '1',
  })
  expect(await amy.call('invoices_update', { id: memo.id, status: 'PAID' })).toMatchObject({ paidAmount: 5 })
  await expect(amy.call('invoices_memos', { id, kind: 'DEBIT' })).rejects.toMatchObject({ status: 400 })
})

test('a memo of a draft or of a credit memo is refused, and so is a negative amount', async () => {
  const amy = await member('CONTRIBUTOR')
  const draft = await sell(amy)
  await expect(amy.call('invoices_memos', { id: draft.id, kind: 'CREDIT' })).rejects.toMatchObject({ status: 409 })
  const { id } = await sell(amy, { status: 'SENT' })
  const memo = await amy.call('invoices_memos', { id, kind: 'CREDIT', items: [line(1)] })
  await expect(amy.call('invoices_memos', { id: memo.id, kind: 'CREDIT' })).rejects.toMatchObject({ status: 409 })
  await expect(amy.call('invoices_memos', { id, kind: 'CREDIT', items: [line(-1)] } as never)).rejects.toMatchObject({
    status: 400,
  })
})
