import '../../../test/own-world.ts'
import { beforeAll, expect, test } from 'vitest'
import { addDays } from '../../../core/values/day.ts'
import { codesOf } from '../../../test/documents/country-sale.ts'
import { sell } from '../../../test/sales-documents.ts'
import { member, type Someone, theApp } from '../../../test/world.ts'
import { storeRates } from '../../books/exchange-rates/store.ts'

const day = '2024-05-07'
const rates = (date: string, usd: string) =>
  Object.entries({ ILS: '1', USD: usd }).map(([currency, rate]) => ({
    source: 'BOI' as const,
    base: 'ILS',
    date,
    currency,
    rate,
  }))
beforeAll(() => theApp().system.use((db) => storeRates(db, [...rates(day, '3.6')])))

const israeli = () => member('MANAGER', { country: 'IL' })
const dollars = { currency: 'USD', issueDate: day, status: 'UNSENT' }
const codes = ({ warnings = [] }: { warnings?: { code: string }[] }) =>
  codesOf(warnings).filter((code) => code.startsWith('EXCHANGE'))
const rateOf = (payment: { exchangeRate: number | null; exchangeRateDate: string | null }) => [
  payment.exchangeRate,
  payment.exchangeRateDate,
]
const booked = async (amy: Someone) => {
  const { entries } = await amy.call('reports_journal', {
    organizationId: String(amy.organizationId),
    from: day,
    to: addDays(day, 40),
  })
  return entries.filter(({ event }) => event === 'PAID').map(({ debit, credit }) => debit - credit)
}

test('a payment at an old rate, or without one, has a warning', async () => {
  const amy = await israeli()
  const { id } = await sell(amy, dollars)
  const fresh = await amy.call('invoices_payments', { id, amount: 10, paidAt: addDays(day, 7) })
  expect([rateOf(fresh), codes(fresh)]).toEqual([[3.6, day], []])
  const old = await amy.call('invoices_payments', { id, amount: 10, paidAt: addDays(day, 8) })
  expect(old.warnings).toContainEqual({
    code: 'EXCHANGE_RATE_OLD',
    path: 'exchangeRateDate',
    message: `The exchange rate of USD is of ${day}, 8 days before ${addDays(day, 8)}.`,
  })
  const missing = await amy.call('invoices_payments_create', { amount: 10, currency: 'XPF', paidAt: day })
  expect([rateOf(missing), codes(missing)]).toEqual([[null, null], ['EXCHANGE_RATE_MISSING']])
  const refund = await amy.call('invoices_payments_refund', { id: missing.id, paidAt: day })
  expect(codes(refund)).toEqual(['EXCHANGE_RATE_MISSING'])
  const own = await amy.call('invoices_payments_create', { amount: 10, currency: 'ILS', paidAt: day })
  expect([rateOf(own), codes(own)]).toEqual([[null, null], []])
  const paid = { paymentDate: addDays(day, 9), paymentMethod: 'CARD', sendReceiptEmail: false }
  const { payment } = await amy.call('invoices_mark_paid', { id, ...paid })
  expect(codes(payment ?? {})).toEqual(['EXCHANGE_RATE_OLD'])
})

test('the rate that was obtained is stored, booked, and printed on the receipt', async () => {
  const amy = await israeli()
  const { id, customerId } = await sell(amy, dollars)
  const given = { exchangeRate: 3.5, exchangeRateDate: addDays(day, 1) }
  const part = await amy.call('invoices_payments', { id, amount: 10, paidAt: addDays(day, 1), ...given })
  expect([rateOf(part), codes(part)]).toEqual([[3.5, addDays(day, 1)], []])
  expect((await booked(amy)).toSorted()).toEqual([-35, 35])
  const receipt = await amy.call('invoices_payments_receipt', { id: part.id })
  expect(rateOf(receipt)).toEqual([3.5, addDays(day, 1)])
  const deposit = { customerId, amount: 20, currency: 'USD', paidAt: day, exchangeRate: 3.55 }
  expect(rateOf(await amy.call('invoices_payments_create', deposit))).toEqual([3.55, day])
  const listed = await amy.call('invoices_payments_list', { organizationId: String(amy.organizationId) })
  expect(listed.payments.map(({ exchangeRate }) => exchangeRate).toSorted()).toEqual([3.5, 3.55])
})

test('a given rate is ignored in the own currency, and so is a day without a rate; one that is too large is refused', async () => {
  const amy = await israeli()
  const pay = (more: object) =>
    amy.call('invoices_payments_create', { amount: 10, currency: 'USD', paidAt: day, ...more })
  const own = await pay({ currency: 'ILS', exchangeRate: 3.5 })
  expect([rateOf(own), codes(own)]).toEqual([[null, null], ['EXCHANGE_RATE_IGNORED']])
  const dated = await pay({ exchangeRateDate: addDays(day, -1) })
  expect([rateOf(dated), codes(dated)]).toEqual([[3.6, day], ['EXCHANGE_RATE_IGNORED']])
  await expect(pay({ exchangeRate: 0 })).rejects.toMatchObject({ status: 400, details: [{ path: 'exchangeRate' }] })
  await expect(pay({ amount: 1e9, exchangeRate: 1e12 })).rejects.toMatchObject({
    status: 400,
    details: [{ path: 'exchangeRate', code: 'AMOUNT_TOO_LARGE' }],
  })
})
