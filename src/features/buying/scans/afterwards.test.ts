import { expect, test } from 'vitest'
import { type Bill, billOf } from '../../../test/einvoices/bill.ts'
import { trader } from '../../../test/trading.ts'
import { member, type Someone } from '../../../test/world.ts'

/** Uploads a bill and scans it. */
async function scanned(amy: Someone, bill: Bill) {
  const { id } = await amy.call('expenses_upload', { organizationId: String(amy.organizationId), file: billOf(bill) })
  return amy.call('expenses_scan', { attachmentId: id })
}

test.for([
  ['its tax number', { name: 'Something else', taxNumber: '201912345D' }, { vendorTaxNumber: '2019 12345-D' }, 'TAX_NUMBER'],
  ['its name without the form of the company', { name: 'ACME Trading' }, { vendor: 'Acme Trading Pte. Ltd.' }, 'NAME'],
  ['a name with a misread letter', { name: 'Acme Trading House' }, { vendor: 'Acne Trading House' }, 'SIMILAR_NAME'],
] as const)('a supplier is matched by %s', async ([, record, bill, reason]) => {
  const amy = await member('MANAGER')
  const { id, name } = await amy.call('suppliers_create', { country: 'SG', ...record })
  await amy.call('suppliers_create', { name: 'Globex', country: 'SG' })
  const { vendorMatch, expenseId } = await scanned(amy, bill)
  expect(vendorMatch).toMatchObject({ supplierId: id, name, reason, explanation: expect.stringMatching(/\.$/) })
  expect(await amy.call('expenses_get', { id: expenseId })).toMatchObject({ supplierId: id })
}) // biome-ignore format: a case a line

test('of two suppliers that fit equally well none is matched', async () => {
  const amy = await member('MANAGER')
  for (const name of ['Acme Trading House A', 'Acme Trading House B'])
    await amy.call('suppliers_create', { name, country: 'SG' })
  expect((await scanned(amy, { vendor: 'Acme Trading House' })).vendorMatch).toBeNull()
})

test('a correction of the supplier is learned for the next bill with that name', async () => {
  const amy = await member('MANAGER')
  const { id } = await amy.call('suppliers_create', { name: 'Hooli', country: 'SG' })
  const first = await scanned(amy, { vendor: 'HL OFFICE 7', number: '1' })
  expect(first.vendorMatch).toBeNull()
  await amy.call('expenses_update_patch_2', { id: first.expenseId, supplierId: id })
  const second = await scanned(amy, { vendor: 'HL Office 7', number: '2' })
  expect(second.vendorMatch).toMatchObject({ supplierId: id, reason: 'ALIAS' })
})

test('category and tax treatment are suggested from earlier expenses, with the reason', async () => {
  const amy = await member('OWNER')
  const { id: categoryId, name } = await amy.call('expense_categories_create', { name: 'Lighting' })
  const first = await scanned(amy, { number: '1' })
  expect(first.suggestions).toEqual({ category: null, taxTreatment: null })
  await amy.call('expenses_update_patch_2', { id: first.expenseId, categoryId })
  const { suggestions, expenseId } = await scanned(amy, { number: '2' })
  expect(suggestions).toMatchObject({
    category: { id: categoryId, name, explanation: '1 of the last expense of this vendor has it.' },
    taxTreatment: { explanation: expect.stringContaining('1 of the last 1') },
  })
  expect(await amy.call('expenses_get', { id: expenseId })).toMatchObject({ category: { id: categoryId } })
})

const ordered = { description: 'Lamp', quantity: 10, unitPrice: 20 }
async function order(amy: Someone, supplierId: string, itemId: string, more: Record<string, unknown> = {}) {
  const { id } = await amy.call('orders_create', {
    kind: 'PURCHASE',
    supplierId,
    lines: [{ ...ordered, itemId, ...more }],
  })
  return amy.call('orders_open', { id })
}

test('a bill that names an open order joins it, and says what was ordered, received and billed', async () => {
  const { amy, lamp, supplier } = await trader()
  const { id, orderNumber } = await order(amy, supplier.id, lamp.id)
  await order(amy, supplier.id, lamp.id, { quantity: 5 })
  await amy.call('orders_receive', { id })
  const result = await scanned(amy, { orderNumber: String(orderNumber), net: 200 })
  expect(result).toMatchObject({
    mergedIntoOrder: { id, orderNumber },
    orderTransition: { from: 'RECEIVED', to: 'RECEIVED', reason: 'NUMBER', match: { ordered: 200, received: 200 } },
  })
  expect(await amy.call('expenses_get', { id: result.expenseId })).toMatchObject({
    order: { id },
    supplierId: supplier.id,
  })
  const { entries } = await amy.call('orders_chain', { id })
  expect(entries.some((entry) => entry.id === result.expenseId)).toBe(true)
})

test.for([
  ['items', { net: 60, items: [{ name: 'Lamp', quantity: 3, price: 20 }] }, 'LINES'],
  ['amount', { net: 200 }, 'AMOUNT'],
  ['supplier', { net: 150 }, 'SUPPLIER'],
] as const)('a bill without a number joins the order by its %s', async ([, bill, reason]) => {
  const { amy, lamp, supplier } = await trader()
  const { id } = await order(amy, supplier.id, lamp.id)
  expect(await scanned(amy, { ...bill, items: 'items' in bill ? [...bill.items] : [] })).toMatchObject({
    mergedIntoOrder: { id },
    orderTransition: { reason },
  })
})

test('a bill of another supplier, over more than is left, or that fits two orders joins none', async () => {
  const { amy, lamp, supplier } = await trader()
  const { orderNumber } = await order(amy, supplier.id, lamp.id)
  for (const bill of [
    { vendor: 'Globex', orderNumber: String(orderNumber) },
    { net: 201, number: 'B' },
  ])
    expect(await scanned(amy, bill)).toMatchObject({ mergedIntoOrder: null, orderTransition: null })
  await order(amy, supplier.id, lamp.id)
  expect(await scanned(amy, { net: 200, number: 'C' })).toMatchObject({ mergedIntoOrder: null })
})
