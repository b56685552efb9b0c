import { expect, test } from 'vitest'
import { sell } from '../../../test/sales-documents.ts'
import { member, type Someone } from '../../../test/world.ts'

const line = (amount: number) => ({ id: '1', description: 'Work', quantity: 1, unitPrice: amount, amount })
const bill = (noa: Someone, amount: number, more: Record<string, unknown> = {}) =>
  sell(noa, {
    status: 'SENT',
    currency: 'ILS',
    items: [line(amount)],
    subtotal: amount,
    taxRate: 0,
    taxAmount: 0,
    total: amount,
    ...more,
  })
const codes = ({ warnings = [] }: { warnings?: { code: string }[] }) => warnings.map(({ code }) => code)
const cash = { method: 'CASH', paidAt: '2026-03-02' }

test('a payment in cash beyond the limit of the deal gets a warning and is recorded', async () => {
  const noa = await member('CONTRIBUTOR', { country: 'IL' })
  const small = await bill(noa, 6_000)
  expect(codes(await noa.call('invoices_payments', { id: small.id, amount: 6_000, ...cash }))).toEqual([])
  const { id } = await bill(noa, 10_000)
  expect(codes(await noa.call('invoices_payments', { id, amount: 1_000, ...cash }))).toEqual([])
  const over = await noa.call('invoices_payments', { id, amount: 1, ...cash })
  expect(codes(over)).toEqual(['CASH_LIMIT'])
  const rest = await noa.call('invoices_payments', { id, amount: 8_999, ...cash, method: 'BANK_TRANSFER' })
  expect(codes(rest)).toEqual([])
  expect(await noa.call('invoices_get', { id })).toMatchObject({ status: 'PAID' })
})

test('a document that is created as paid in cash gets the warning, and so does a deposit above the limit', async () => {
  const noa = await member('CONTRIBUTOR', { country: 'IL' })
  const paid = await bill(noa, 7_000, { status: 'PAID', paymentMethod: 'CASH', paymentDate: '2026-03-02' })
  expect(codes(paid)).toContain('CASH_LIMIT')
  const { id: customerId } = await noa.call('customers_create', { name: 'Globex', country: 'IL' })
  const deposit = (amount: number) =>
    noa.call('invoices_payments_create', { amount, currency: 'ILS', customerId, ...cash })
  expect(codes(await deposit(6_000))).toEqual([])
  expect(codes(await deposit(6_001))).toEqual(['CASH_LIMIT'])
})

test('other countries have no limit', async () => {
  const amy = await member('CONTRIBUTOR', { country: 'SG' })
  const { id } = await bill(amy, 10_000)
  expect(codes(await amy.call('invoices_payments', { id, amount: 10_000, ...cash }))).not.toContain('CASH_LIMIT')
})
