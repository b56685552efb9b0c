import { describe, expect, test } from 'vitest'
import { sell } from '../../../../test/sales-documents.ts'
import { member, type Someone } from '../../../../test/world.ts'
import type { Document } from '../document.ts'

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
  expect(await amy.call('invoices_get', { id })).toMatchObject({
    status: 'SENT',
    total: 109,
    paidAmount: 0,
    creditedAmount: 21.8,
    openBalance: 87.2,
  })
  const { invoices } = await amy.call('invoices_list', {
    organizationId: memo.organizationId,
    documentType: 'CREDIT_MEMO',
  })
  expect(invoices.map((each) => each.id)).toEqual([memo.id])
})

test('a credit memo without lines credits the whole document', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await sell(amy, { status: 'UNSENT' })
  const memo = await amy.call('invoices_memos', { id, kind: 'CREDIT' })
  expect(memo).toMatchObject({ total: 109, taxAmount: 9, items: [{ description: 'Consulting' }] })
  expect(await amy.call('invoices_get', { id })).toMatchObject({
    status: 'UNSENT',
    paidAmount: 0,
    creditedAmount: 109,
    openBalance: 0,
    paymentMethod: null,
  })
  await expect(amy.call('invoices_memos', { id, kind: 'CREDIT' })).rejects.toMatchObject({
    status: 400,
    details: [{ code: 'AMOUNT_OVER_TOTAL' }],
  })
})

test('the credit of a paid document stays open for other documents of the customer', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await sell(amy, { status: 'PAID' })
  await amy.call('invoices_memos', { id, kind: 'CREDIT', items: [line(10)] })
  const { payments } = await amy.call('invoices_payments_list')
  expect(payments.find(({ source }) => source === 'CREDIT_MEMO')).toMatchObject({ amount: 10.9, openRemainder: 10.9 })
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
    expect(await amy.call('invoices_get', { id })).toMatchObject({ status: 'SENT', openBalance: 0 })
  })

  test('with one memo for each line, the last one over the rest', async () => {
    const amy = await member('CONTRIBUTOR')
    const { id } = await sell(amy, { ...sums, status: 'SENT' })
    const totals: number[] = []
    for (const each of items)
      totals.push((await amy.call('invoices_memos', { id, kind: 'CREDIT', items: [each] })).total)
    expect(totals).toEqual([0.39, 0.39, 0.38])
    expect(await amy.call('invoices_get', { id })).toMatchObject({ openBalance: 0, creditedAmount: 1.16 })
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
  expect(cleared).toMatchObject({
    status: 'SENT',
    paidAmount: 0,
    creditedAmount: 10.9,
    paymentDate: null,
    paymentMethod: null,
  })
  const other = await sell(amy, { status: 'SENT' })
  await amy.call('invoices_memos', { id: other.id, kind: 'CREDIT' })
  // It is not PAID, so there is no payment to clear.
  expect(await amy.call('invoices_update', { id: other.id, clearReceiptInfo: true })).toMatchObject({
    status: 'SENT',
    creditedAmount: 109,
    openBalance: 0,
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

describe('the lines of a credit memo have the tax of what they credit', () => {
  const taxed = line(100, { id: 'taxed', taxRate: 9 })
  const zero = line(50, { id: 'zero', taxRate: 0, taxCategory: 'ZR' })
  const mixed = { items: [taxed, zero], subtotal: 150, taxRate: 9, taxAmount: 9, total: 159, status: 'SENT' }

  test('by the id of the line', async () => {
    const amy = await member('CONTRIBUTOR')
    const { id } = await sell(amy, mixed)
    const credit = (items: object[]) => amy.call('invoices_memos', { id, kind: 'CREDIT', items } as never)
    expect(await credit([line(10, { id: 'zero' })])).toMatchObject({
      taxAmount: 0,
      total: 10,
      items: [{ id: 'zero', taxRate: 0, taxCategory: 'ZR' }],
    })
    expect(await credit([line(10, { id: 'taxed' })])).toMatchObject({ taxAmount: 0.9, total: 10.9 })
    expect(await credit([line(10, { id: 'taxed', taxRate: 9 })])).toMatchObject({ taxAmount: 0.9, total: 10.9 })
  })

  test('and another rate or category is refused with the right one', async () => {
    const amy = await member('CONTRIBUTOR')
    const { id } = await sell(amy, mixed)
    const credit = (more: object) =>
      amy.call('invoices_memos', { id, kind: 'CREDIT', items: [line(10, more)] } as never)
    await credit({ id: 'zero', taxRate: 0, taxCategory: 'ZR' })
    await expect(credit({ id: 'zero', taxRate: 9 })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('taxed at 0 %'),
      details: [{ path: 'items.0.taxRate', code: 'CREDITED_TAX' }],
    })
    await expect(credit({ id: 'zero', taxCategory: 'ES' })).rejects.toMatchObject({
      details: [{ path: 'items.0.taxCategory', code: 'CREDITED_TAX' }],
    })
    await expect(credit({ id: 'other', taxRate: 7 })).rejects.toMatchObject({
      message: expect.stringContaining('9 %, 0 %'),
      details: [{ path: 'items.0.taxRate', code: 'CREDITED_TAX' }],
    })
  })

  test('also if it stands on the document and is written as "9.000000" there', async () => {
    const amy = await member('CONTRIBUTOR')
    const items = [line(0.33, { id: 'a', taxRate: 9 }), line(0.33, { id: 'b' })]
    const { id } = await sell(amy, { items, subtotal: 0.66, taxRate: 9, taxAmount: 0.06, total: 0.72, status: 'SENT' })
    expect(
      await amy.call('invoices_memos', { id, kind: 'CREDIT', items: [items[0], items[1]] } as never),
    ).toMatchObject({
      taxAmount: 0.06,
      total: 0.72,
    })
  })

  test('and no line is credited beyond its amount, in one memo or in several', async () => {
    const amy = await member('CONTRIBUTOR')
    const { id } = await sell(amy, mixed)
    const credit = (items: object[]) => amy.call('invoices_memos', { id, kind: 'CREDIT', items } as never)
    await credit([line(30, { id: 'zero' })])
    await expect(credit([line(20.01, { id: 'zero' })])).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('20 SGD is left'),
      details: [{ path: 'items.0.amount', code: 'AMOUNT_OVER_TOTAL' }],
    })
    // Not by a line of another name either: at this rate nothing more is left.
    await expect(credit([line(20.01, { id: 'other', taxRate: 0 })])).rejects.toMatchObject({
      details: [{ code: 'AMOUNT_OVER_TOTAL' }],
    })
    expect(await credit([line(20, { id: 'zero' })])).toMatchObject({ total: 20 })
  })
})

describe('a credit memo without lines credits what is left', () => {
  const creditRest = async (amy: Someone, id: string, parts: object[][]) => {
    const memos: Document[] = []
    for (const items of parts) memos.push(await amy.call('invoices_memos', { id, kind: 'CREDIT', items } as never))
    memos.push(await amy.call('invoices_memos', { id, kind: 'CREDIT' }))
    const sum = (field: 'subtotal' | 'taxAmount' | 'total') =>
      Number(memos.reduce((all, memo) => all + memo[field], 0).toFixed(2))
    const { subtotal, taxAmount, total, openBalance } = await amy.call('invoices_get', { id })
    expect([sum('subtotal'), sum('taxAmount'), sum('total'), openBalance]).toEqual([subtotal, taxAmount, total, 0])
    await expect(amy.call('invoices_memos', { id, kind: 'CREDIT' })).rejects.toMatchObject({
      status: 400,
      details: [{ code: 'AMOUNT_OVER_TOTAL' }],
    })
    return memos
  }

  test('of lines with several rates and a discount', async () => {
    const amy = await member('CONTRIBUTOR')
    const items = [
      line(99.99, { id: 'a', taxRate: 9 }),
      line(33.33, { id: 'b', taxRate: 0, taxCategory: 'ZR' }),
      { ...line(10, { id: 'discount', taxRate: 9 }), amount: -10 },
    ]
    const { id } = await sell(amy, {
      items,
      subtotal: 123.32,
      taxRate: 9,
      taxAmount: 8.1,
      total: 131.42,
      status: 'SENT',
    })
    const memos = await creditRest(amy, id, [[line(40, { id: 'a' })], [line(33.33, { id: 'b' })]])
    expect(memos.map(({ total }) => total)).toEqual([43.6, 33.33, 54.49])
    expect(memos[2]?.items).toMatchObject([
      { id: 'a', amount: 59.99 },
      { id: 'discount', amount: -10 },
    ])
  })

  test('less earlier credits that named no line, taken off the lines of their rate in proportion', async () => {
    const amy = await member('CONTRIBUTOR')
    const items = [line(100, { id: 'a' }), line(50, { id: 'b' }), line(30, { id: 'c', taxRate: 0 })]
    const { id } = await sell(amy, { items, subtotal: 180, taxRate: 9, taxAmount: 13.5, total: 193.5, status: 'SENT' })
    const memos = await creditRest(amy, id, [[line(20)], [line(5)], [line(30, { id: 'a' })]])
    expect(memos.at(-1)).toMatchObject({
      subtotal: 125,
      taxAmount: 8.55,
      total: 133.55,
      items: [
        { id: 'a', quantity: 1, unitPrice: 55.42, amount: 55.42 },
        { id: 'b', quantity: 1, unitPrice: 39.58, amount: 39.58 },
        { id: 'c', amount: 30 },
      ],
    })
  })

  test('and an earlier charge that named no line is credited with it', async () => {
    const amy = await member('CONTRIBUTOR')
    const { id } = await sell(amy, { status: 'SENT' })
    const memos = await creditRest(amy, id, [
      [line(100, { id: '1' }), { ...line(10), description: 'Fee', amount: -10 }],
    ])
    expect(memos.at(-1)).toMatchObject({ total: 10.9, items: [{ description: 'Fee', amount: 10 }] })
  })

  test('with the discount of a line that was not credited before', async () => {
    const amy = await member('CONTRIBUTOR')
    const discounted = (id: string, more: object) => ({ ...line(100, { id }), amount: 90, ...more })
    const items = [
      discounted('a', { discountPercent: 10 }),
      discounted('b', { discountAmount: 10 }),
      discounted('c', { discountPercent: 10 }),
    ]
    const { id } = await sell(amy, { items, subtotal: 270, taxRate: 9, taxAmount: 24.3, total: 294.3, status: 'SENT' })
    const memos = await creditRest(amy, id, [[line(45, { id: 'c' })]])
    expect(memos.at(-1)?.items).toMatchObject([
      { id: 'a', unitPrice: 100, amount: 90, discountPercent: 10, discountAmount: null },
      { id: 'b', unitPrice: 100, amount: 90, discountPercent: null, discountAmount: 10 },
      { id: 'c', unitPrice: 45, amount: 45, discountPercent: null, discountAmount: null },
    ])
  })

  test('of a document whose tax does not follow its rates', async () => {
    const amy = await member('CONTRIBUTOR')
    const { id } = await sell(amy, { taxRate: null, taxAmount: 17, total: 117, status: 'SENT' })
    const memos = await creditRest(amy, id, [[line(50, { id: '1' })]])
    expect(memos.map(({ taxAmount }) => taxAmount)).toEqual([8.5, 8.5])
  })

  test('of a paid document, and the credit stays open', async () => {
    const amy = await member('CONTRIBUTOR')
    const { id } = await sell(amy, { status: 'PAID' })
    await creditRest(amy, id, [[line(33.33, { id: '1' })]])
    const { payments } = await amy.call('invoices_payments_list')
    const credits = payments.filter(({ source }) => source === 'CREDIT_MEMO')
    expect(credits.reduce((sum, { openRemainder }) => sum + Math.round(openRemainder * 100), 0)).toBe(10900)
  })
})

test('a line of a debit memo has the rate of the line it names, unless it gives another one', async () => {
  const amy = await member('CONTRIBUTOR')
  const items = [line(100, { id: 'a', taxRate: 0 }), line(100, { id: 'b' })]
  const { id } = await sell(amy, { items, subtotal: 200, taxRate: 9, taxAmount: 9, total: 209, status: 'SENT' })
  const debit = (more: object) => amy.call('invoices_memos', { id, kind: 'DEBIT', items: [line(10, more)] } as never)
  expect(await debit({ id: 'a' })).toMatchObject({ taxAmount: 0 })
  expect(await debit({ id: 'b' })).toMatchObject({ taxAmount: 0.9 })
  expect(await debit({ id: 'c' })).toMatchObject({ taxAmount: 0.9 })
  expect(await debit({ id: 'a', taxRate: 8 })).toMatchObject({ taxAmount: 0.8 })
})
