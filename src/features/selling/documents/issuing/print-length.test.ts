import { expect, test } from 'vitest'
import { today } from '../../../../core/values/day.ts'
import { sell } from '../../../../test/sales-documents.ts'
import { member, type Someone } from '../../../../test/world.ts'

const day = today(new Date(), 'Asia/Singapore')
const tooLong = { status: 400, details: [{ code: 'PRINT_TOO_LONG' }] }
const rows = (count: number) => 'a\n'.repeat(count)
const short = [{ id: '1', description: 'Consulting', quantity: 2, unitPrice: 50, amount: 100 }]
/** The same line with a description of nearly 5,000 rows. */
const long = [{ ...short[0], description: rows(4_900) }]

/** Gives the issuer and the customer addresses of 4,900 rows each. */
async function lengthenAddresses(amy: Someone, customerId: string) {
  await amy.call('organizations_update', { id: String(amy.organizationId), address: rows(4_900) })
  await amy.call('customers_update_patch', { id: customerId, address: rows(4_900) })
}

test('a document whose addresses make it too long to print is not issued', async () => {
  const amy = await member('OWNER')
  const { id: customerId } = await amy.call('customers_create', { name: 'Globex', country: 'SG' })
  const draft = await sell(amy, { customerId, items: long })
  expect(await sell(amy, { customerId, items: long, status: 'UNSENT' })).toMatchObject({ invoiceNumber: '1' })
  await lengthenAddresses(amy, customerId)
  await expect(sell(amy, { customerId, items: long, status: 'UNSENT' })).rejects.toMatchObject(tooLong)
  await expect(amy.call('invoices_update', { id: draft.id, status: 'UNSENT' })).rejects.toMatchObject(tooLong)
  expect(await sell(amy, { customerId, items: short, status: 'UNSENT' })).toMatchObject({ invoiceNumber: '2' })
})

test('a memo, conversion or receipt that is too long to print is not issued', async () => {
  const amy = await member('OWNER', { country: 'SG' })
  const { id: customerId } = await amy.call('customers_create', { name: 'Globex', country: 'SG' })
  await amy.call('organizations_update', { id: String(amy.organizationId), taxNumber: 'M90312345A' })
  const issue = (more = {}) => sell(amy, { customerId, items: long, status: 'SENT', ...more })
  const [credited, paid, converted] = [await issue(), await issue(), await issue({ documentType: 'PAYMENT_REQUEST' })]
  const payment = await amy.call('invoices_payments', { id: paid.id, amount: 109, paidAt: day })
  const before = [await issue(), await issue({ documentType: 'PAYMENT_REQUEST' })] as const
  await amy.call('invoices_memos', { id: before[0].id, kind: 'CREDIT' })
  await amy.call('invoices_convert', { id: before[1].id, documentType: 'INVOICE' })
  await lengthenAddresses(amy, customerId)
  await expect(amy.call('invoices_memos', { id: credited.id, kind: 'CREDIT' })).rejects.toMatchObject(tooLong)
  const convert = { id: converted.id, documentType: 'INVOICE' as const }
  await expect(amy.call('invoices_convert', convert)).rejects.toMatchObject(tooLong)
  await expect(amy.call('invoices_payments_receipt', { id: payment.id })).rejects.toMatchObject(tooLong)
  const items = [{ ...short[0], id: '1', description: 'Rebate', quantity: 1, unitPrice: 1, amount: 1 }]
  expect(await amy.call('invoices_memos', { id: credited.id, kind: 'CREDIT', items })).toMatchObject({ total: 1.09 })
  await amy.call('customers_update_patch', { id: customerId, address: 'Main Street 1' })
  expect(await amy.call('invoices_payments_receipt', { id: payment.id })).toMatchObject({ documentType: 'RECEIPT' })
  expect(await amy.call('invoices_convert', convert)).toMatchObject({ documentType: 'INVOICE' })
})
