import { spend, spendApproved } from './expenses.ts'
import { sell } from './sales-documents.ts'
import { member, type Someone } from './world.ts'

/** The owner of a business in Singapore that is registered for GST. */
export async function registeredInSingapore() {
  const amy = await member('OWNER', { country: 'SG' })
  const numbers = { registrationNumber: '201403121W', taxNumber: 'M90364879X', address: '1 Raffles Place' }
  await amy.call('organizations_update', { id: String(amy.organizationId), ...numbers })
  return amy
}

export const line = (amount: number, more = {}) => ({
  id: '1',
  description: 'Work',
  quantity: 1,
  unitPrice: amount,
  amount,
  ...more,
})
export const untaxed = (amount: number, taxCategory?: string) => ({
  items: [line(amount, { taxRate: 0, ...(taxCategory && { taxCategory }) })],
  subtotal: amount,
  taxRate: 0,
  taxAmount: 0,
  total: amount,
})

/**
 * Sales of every type and category from January 2026 on, some in dollars, one of the year before, and bills with and without tax. Memos have
 * the date of today, which is `to`.
 */
export async function tradeInSingapore(amy: Someone) {
  const { customerId } = await sell(amy, { status: 'SENT', issueDate: '2025-12-31' })
  const given = { status: 'SENT', issueDate: '2026-01-15', customerId }
  const first = await sell(amy, { ...given, items: [line(100.4)], subtotal: 100.4, taxAmount: 9.04, total: 109.44 })
  await sell(amy, { ...given, documentType: 'INVOICE_RECEIPT', status: 'PAID', paymentMethod: 'CASH' })
  await sell(amy, { ...given, documentType: 'PAYMENT_REQUEST' })
  await sell(amy, { ...given, ...untaxed(70, 'ZR') })
  await sell(amy, { ...given, ...untaxed(40, 'ES33') })
  await sell(amy, { ...given, ...untaxed(20, 'OS') })
  await sell(amy, { ...given, currency: 'USD', exchangeRate: 1.35 })
  await sell(amy, { ...given, status: 'DRAFT' })
  const credited = await sell(amy, given)
  const memo = { id: credited.id, items: [line(50)], reason: 'Returned' }
  const { issueDate } = await amy.call('invoices_memos', { ...memo, kind: 'CREDIT' })
  await amy.call('invoices_memos', { id: first.id, kind: 'DEBIT', items: [line(10)], reason: 'More' })
  const bill = { vendor: 'Acme', date: '2026-02-01', vendorTaxNumber: 'M90364879X', documentNumber: '7' }
  await spendApproved(amy, { ...bill, amount: 54.5, taxAmount: 4.5, taxRate: 9 })
  await spendApproved(amy, { ...bill, amount: 109, taxAmount: 9, taxRate: 9, deductibleTaxAmount: 0 })
  await spendApproved(amy, { ...bill, amount: 30, taxAmount: 0, taxRate: 0 })
  await spendApproved(amy, { ...bill, amount: 25 })
  await spendApproved(amy, { ...bill, amount: 109, taxAmount: 9, taxRate: 9, currency: 'USD', exchangeRate: 1.3 })
  await spend(amy, { ...bill, amount: 109, taxAmount: 9, taxRate: 9 })
  const back = await spendApproved(amy, { ...bill, amount: 21.8, taxAmount: 1.8, taxRate: 9 })
  await amy.call('expenses_credits', { id: back.id, amount: 10.9, date: '2026-02-03' })
  return { from: '2026-01-01', to: String(issueDate) }
}
