import { expect, test } from 'vitest'
import { codesOf } from '../../../test/documents/country-sale.ts'
import { salesDocument, sell } from '../../../test/sales-documents.ts'
import { member, theApp } from '../../../test/world.ts'

const line = { id: '1', description: 'Consulting', quantity: 2, unitPrice: 50, amount: 90, discountPercent: 10 }
const other = { id: '2', description: 'Travel', quantity: 1, unitPrice: 30, amount: 25, discountAmount: 5 }
const discounted = { items: [line, other], subtotal: 115, taxRate: 0, taxAmount: 0, total: 115 }
const answered = [
  { ...line, discountAmount: null },
  { ...other, discountPercent: null },
]

test('a line has a discount in percent or as an amount, and the amount of the line takes it off', async () => {
  const amy = await member('CONTRIBUTOR')
  const created = await sell(amy, { ...discounted, status: 'UNSENT' })
  expect(created).toMatchObject({ total: 115, items: answered })
  expect(codesOf(created.warnings ?? [])).not.toContain('LINE_AMOUNT')
  expect(await amy.call('invoices_get', { id: created.id })).toMatchObject({ items: answered })
  const full = { ...line, amount: 100 }
  const whole = await sell(amy, { items: [full], subtotal: 100, taxRate: 0, taxAmount: 0, total: 100 })
  expect(whole.warnings).toContainEqual({
    code: 'LINE_AMOUNT',
    path: 'items.0.amount',
    message: 'amount is not quantity times unitPrice less the discount.',
  })
})

test('a line with both discounts is refused with 400', async () => {
  const amy = await member('CONTRIBUTOR')
  const input = await salesDocument(amy, discounted)
  expect(await amy.call('invoices_create', input)).toMatchObject({ total: 115 })
  const both = { ...input, items: [{ ...line, discountAmount: 10 }, other] }
  await expect(amy.call('invoices_create', both)).rejects.toMatchObject({
    status: 400,
    details: [{ path: 'items.0.discountAmount', code: 'TWO_DISCOUNTS' }],
  })
  const over = { ...input, items: [{ ...line, discountPercent: 101 }, other] }
  await expect(amy.call('invoices_create', over)).rejects.toMatchObject({ status: 400 })
})

test('the discount of a draft can change, and that of an issued document cannot', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await sell(amy, discounted)
  const items = [{ ...line, discountPercent: 20, amount: 80 }, other]
  const changed = await amy.call('invoices_update', { id, items, subtotal: 105, total: 105 })
  expect(changed).toMatchObject({ items: [{ discountPercent: 20, amount: 80 }, { discountAmount: 5 }] })
  const issued = await amy.call('invoices_update', { id, status: 'UNSENT' })
  expect(await amy.call('invoices_update', { id, items: issued.items })).toMatchObject({ items: issued.items })
  const raised = issued.items.map((each) => ({ ...each, discountPercent: null }))
  await expect(amy.call('invoices_update', { id, items: raised })).rejects.toMatchObject({
    status: 409,
    details: [{ code: 'FROZEN' }],
  })
})

test('a duplicate and a credit memo have the discounts of their document', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await sell(amy, { ...discounted, status: 'UNSENT' })
  expect(await amy.call('invoices_duplicate', { id })).toMatchObject({ items: answered, total: 115 })
  expect(await amy.call('invoices_memos', { id, kind: 'CREDIT' })).toMatchObject({ items: answered, total: 115 })
})

test('the database refuses a line with two discounts or one out of range', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await sell(amy, discounted)
  const set = (columns: string) =>
    theApp().system.raw.query(`update document_lines set ${columns} where document_id = $1 and id = '1'`, [id])
  await set('discount_percent = 100, discount_minor = null')
  await set('discount_percent = null, discount_minor = 0')
  for (const columns of [
    'discount_percent = 1, discount_minor = 1',
    'discount_percent = 100.1, discount_minor = null',
    'discount_minor = -1',
  ])
    await expect(set(columns)).rejects.toMatchObject({ constraint: 'line_discount' })
})
