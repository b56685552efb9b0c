import { expect, test } from 'vitest'
import { addDays, addMonths } from '../../core/values/day.ts'
import { cedar } from '../cedar.ts'
import { companies } from '../companies.ts'
import { galil } from '../galil.ts'
import { hundredths } from '../sale.ts'
import { straits } from '../straits.ts'
import { spentBy } from './spent.ts'

const days = ['2026-11-15', '2027-01-01', '2028-02-29', '2029-07-31']
const cases = companies.flatMap((company) => days.map((day) => [company.organization.name, day, company] as const))

test.each(cases)('%s on %s always has the same expenses, over two years and not in future', (_, day, company) => {
  const { expenses, transfers } = spentBy(company, day)
  expect(spentBy(company, day)).toEqual({ expenses, transfers })
  const dates = expenses.map(({ date }) => date)
  expect(dates).toEqual(dates.toSorted())
  expect(dates.every((date) => date > addMonths(day, -24) && date <= day)).toBe(true)
  expect(dates.filter((date) => date < addMonths(day, -12)).length).toBeGreaterThan(20)
  const paid = [...expenses.flatMap(({ payment }) => payment?.paidAt ?? []), ...transfers.map(({ paidAt }) => paidAt)]
  expect(paid.every((date) => date <= day)).toBe(true)
})

test.each(cases)('%s on %s: no expense is mistaken for another, and each is paid once', (_, day, company) => {
  const { expenses, transfers } = spentBy(company, day)
  expect(new Set(expenses.map(({ key }) => key)).size).toBe(expenses.length)
  const own = expenses.filter(({ payment }) => payment).map(({ key }) => key)
  const keys = [...own, ...transfers.flatMap((transfer) => transfer.keys)]
  expect(new Set(keys).size).toBe(keys.length)
  for (const transfer of transfers) {
    const amounts = expenses.filter(({ key }) => transfer.keys.includes(key)).map(({ amount }) => hundredths(amount))
    expect(amounts.reduce((sum, amount) => sum + amount, 0n)).toBe(hundredths(transfer.amount))
  }
  // A credit of an expense that is open shows on it, so that a second start recognizes it.
  for (const { credit, payment } of expenses) if (credit) expect(payment).toBe(undefined)
})

test.each(cases)('%s on %s: every status, source and kind of payment occurs', (_, day, company) => {
  const { expenses, transfers } = spentBy(company, day)
  const all = <T>(of: (expense: (typeof expenses)[number]) => T) => new Set(expenses.map(of))
  expect(all(({ status }) => status)).toEqual(new Set(['DRAFT', 'PENDING_REVIEW', 'APPROVED', 'REJECTED']))
  expect(all(({ source }) => source)).toEqual(new Set(['MANUAL', 'SCAN', 'EMAIL']))
  expect(all(({ currency }) => currency).size).toBeGreaterThan(1)
  expect(expenses.filter(({ claimant }) => claimant).length).toBeGreaterThan(5)
  expect(expenses.filter(({ credit }) => credit)).toHaveLength(1)
  expect(expenses.filter(({ splits }) => splits)).toHaveLength(1)
  expect(expenses.filter(({ hasReceipt }) => hasReceipt)).toHaveLength(30)
  const payments = expenses.flatMap(({ payment, amount }) => (payment ? [{ ...payment, of: amount }] : []))
  expect(payments.some(({ amount, of }) => amount < of)).toBe(true)
  expect(payments.some(({ amount, of }) => amount > of)).toBe(true)
  expect(payments.some(({ isAdvance }) => isAdvance)).toBe(true)
  expect(transfers.some(({ keys }) => keys.length === 3)).toBe(true)
  expect(expenses.some(({ dueDate, payment }) => dueDate && dueDate < addDays(day, 0) && !payment)).toBe(true)
})

test('the tax follows date and country, and only a part of it is deducted for meals and cars in Israel', () => {
  const { expenses } = spentBy(galil, '2025-12-15')
  const home = expenses.filter(({ currency }) => currency === 'ILS')
  for (const { date, taxRate } of home) expect(taxRate).toBe(date < '2025-01-01' ? 17 : 18)
  for (const { taxAmount } of expenses.filter(({ currency }) => currency !== 'ILS')) expect(taxAmount).toBe(undefined)
  for (const { category, deductibleTaxAmount, taxAmount = 0 } of home) {
    if (category === 'Meals') expect(deductibleTaxAmount).toBe(0)
    else if (category === 'Vehicles') expect(deductibleTaxAmount).toBeCloseTo((taxAmount * 2) / 3, 2)
    else expect(deductibleTaxAmount).toBe(undefined)
  }
  expect(new Set(spentBy(straits, '2026-06-15').expenses.map(({ taxRate }) => taxRate))).toEqual(
    new Set([9, undefined]),
  )
  expect(new Set(spentBy(cedar, '2026-06-15').expenses.map(({ taxRate }) => taxRate))).toEqual(
    new Set([5.5, undefined]),
  )
})
