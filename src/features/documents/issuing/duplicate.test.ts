import { expect, test } from 'vitest'
import { sell } from '../../../test/sales-documents.ts'
import { member } from '../../../test/world.ts'

test('a duplicate is a new draft with the same customer, lines and amounts', async () => {
  const amy = await member('CONTRIBUTOR')
  const paid = await sell(amy, { status: 'PAID', notes: 'n', dueDate: '2031-01-01' })
  const copy = await amy.call('invoices_duplicate', { id: paid.id })
  expect(copy).toMatchObject({
    status: 'DRAFT',
    invoiceNumber: null,
    customerId: paid.customerId,
    items: paid.items,
    total: 109,
    paidAmount: 0,
    notes: 'n',
    dueDate: null,
  })
  expect(copy.id).not.toBe(paid.id)
  const memo = await amy.call('invoices_memos', { id: paid.id, kind: 'CREDIT' })
  await expect(amy.call('invoices_duplicate', { id: memo.id })).rejects.toMatchObject({ status: 409 })
})
