import { expect, test } from 'vitest'
import { addDays, addMonths, monthOf } from '../core/values/day.ts'
import { add } from '../core/values/money.ts'
import { countries } from '../countries/countries.ts'
import { cedar } from './cedar.ts'
import { companies } from './companies.ts'
import type { Company } from './company.ts'
import { galil } from './galil.ts'
import { historyOf } from './history.ts'
import { randomFor } from './random.ts'
import { hundredths } from './sale.ts'
import { straits } from './straits.ts'

const days = ['2026-11-15', '2027-01-01', '2028-02-29', '2029-07-31']
const cases = companies.flatMap((company) => days.map((day) => [company.organization.name, day, company] as const))

const issued = (company: Company, day: string) =>
  historyOf(company, day).sales.filter(({ status }) => status !== 'DRAFT')
const sum = (amounts: number[]) => add(amounts.map(hundredths))

test('the random sequence of a seed does not change', () => {
  const dice = randomFor('a shop')
  expect([dice.integer(1, 6), dice.integer(1, 6), dice.integer(1, 6), dice.sample(['a', 'b', 'c', 'd'], 2)]).toEqual([
    4,
    5,
    6,
    ['c', 'd'],
  ])
})

test.each(cases)('%s on %s always has the same history', (_, day, company) => {
  expect(historyOf(company, day)).toEqual(historyOf(company, day))
  expect(historyOf(company, addDays(day, 1))).not.toEqual(historyOf(company, day))
})

test.each(cases)('%s on %s: the amounts of every document agree to the last cent', (_, day, company) => {
  for (const { items, subtotal, taxAmount, total, taxRate } of historyOf(company, day).sales) {
    for (const { quantity, unitPrice, amount } of items)
      expect(hundredths(amount)).toBe(hundredths(unitPrice) * BigInt(quantity))
    expect(sum(items.map(({ amount }) => amount))).toBe(hundredths(subtotal))
    expect(sum([subtotal, taxAmount])).toBe(hundredths(total))
    expect(taxAmount === 0 || taxRate > 0).toBe(true)
    expect(total).toBeGreaterThan(0)
  }
})

test.each(cases)(
  '%s on %s: no document is dated before its predecessor, outside the two years or paid in future',
  (_, day, company) => {
    const sales = issued(company, day)
    const dates = sales.map(({ issueDate }) => issueDate)
    expect(dates).toEqual(dates.toSorted())
    expect((dates[0] ?? '') > addMonths(day, -24)).toBe(true)
    expect((dates.at(-1) ?? '') <= day).toBe(true)
    for (const { status, issueDate, paymentDate } of sales) {
      expect(status === 'PAID').toBe(paymentDate !== undefined)
      if (paymentDate) expect(paymentDate >= issueDate && paymentDate <= day).toBe(true)
    }
    for (const { paidAt } of historyOf(company, day).payments) expect(paidAt <= day).toBe(true)
  },
)

test.each(cases)('%s on %s: both years are alive, and the second is the better one', (_, day, company) => {
  const sales = issued(company, day)
  expect(sales.length).toBeGreaterThanOrEqual(120)
  expect(sales.length).toBeLessThanOrEqual(220)
  const whole = Array.from({ length: 23 }, (_, at) => monthOf(addMonths(addDays(day, 1), at - 23))).slice(0, -1)
  for (const month of whole) expect(sales.filter(({ issueDate }) => monthOf(issueDate) === month)).not.toEqual([])
  const half = addMonths(day, -12)
  const home = sales.filter(({ currency }) => currency === company.currency)
  const of = (second: boolean) => sum(home.filter((sale) => sale.issueDate > half === second).map(({ total }) => total))
  expect(of(true) > of(false)).toBe(true)
})

test.each(cases)(
  '%s on %s: something is overdue, due within a week, unsent, in draft, in dispute',
  (_, day, company) => {
    const { sales, payments, credits, receipts, threads } = historyOf(company, day)
    const open = sales.filter(({ status }) => status === 'SENT')
    expect(open.filter(({ dueDate }) => dueDate < day).length).toBeGreaterThan(1)
    expect(open.filter(({ dueDate }) => dueDate >= day && dueDate <= addDays(day, 7)).length).toBeGreaterThan(0)
    for (const status of ['UNSENT', 'DRAFT']) expect(sales.filter((sale) => sale.status === status)).toHaveLength(2)
    expect(sales.map(({ documentType }) => documentType)).toContain('PAYMENT_REQUEST')
    expect(payments.some(({ shares }) => shares.length === 3)).toBe(true)
    expect(payments.some(({ amount, shares }) => amount > shares.reduce((all, share) => all + share.amount, 0))).toBe(
      true,
    )
    expect([credits.length > 0, receipts.length > 0, threads.length]).toEqual([true, true, 2])
  },
)

test.each(cases)('%s on %s: no payment is mistaken for another, none pays more than is owed', (_, day, company) => {
  const { sales, payments } = historyOf(company, day)
  const marks = payments.map(({ customer, paidAt, amount }) => `${customer} ${paidAt} ${amount}`)
  expect(new Set(marks).size).toBe(marks.length)
  const shares = payments.flatMap((payment) => payment.shares)
  expect(new Set(shares.map(({ key }) => key)).size).toBe(shares.length)
  for (const { key, amount } of shares) {
    const sale = sales.find((each) => each.key === key)
    expect([sale?.status, amount <= (sale?.total ?? 0)]).toEqual(['SENT', true])
  }
  for (const payment of payments)
    expect(sum(payment.shares.map(({ amount }) => amount)) <= hundredths(payment.amount)).toBe(true)
})

test.each([
  ['IL', galil],
  ['SG', straits],
] as const)('the rates of the company in %s are those of the country, whatever the day', (code, { taxOn }) => {
  const days = [
    '1998-05-01',
    '2010-06-30',
    '2013-06-02',
    '2015-10-01',
    '2024-01-01',
    '2025-01-01',
    '2026-11-19',
    '2031-01-01',
  ]
  expect(days.map(taxOn)).toEqual(days.map((day) => countries[code].documents.taxRateOn(day) ?? 0))
})

test('the tax rate follows date and country: 17 % in Israel until 2024, 18 % since; none on exports and on labour', () => {
  const rates = (from: string, to: string) =>
    historyOf(galil, '2025-12-15')
      .sales.filter((sale) => sale.currency === 'ILS' && sale.issueDate >= from && sale.issueDate <= to)
      .map(({ taxRate }) => taxRate)
  expect(new Set(rates('2023-12-16', '2024-12-31'))).toEqual(new Set([17]))
  expect(new Set(rates('2025-01-01', '2025-12-15'))).toEqual(new Set([18]))
  const abroad = historyOf(galil, '2025-12-15').sales.filter(({ currency }) => currency !== 'ILS')
  expect(new Set(abroad.map(({ taxAmount }) => taxAmount))).toEqual(new Set([0]))
  const work = historyOf(cedar, '2025-12-15').sales.flatMap(({ taxRate, items }) =>
    items.filter(({ description }) => taxRate > 0 && /hour|drawing/.test(description)),
  )
  expect(new Set(work.map(({ taxRate }) => taxRate))).toEqual(new Set([0]))
})

test('every address ends in .test', () => {
  const addresses = JSON.stringify(companies).match(/[\w.+-]+@[\w.-]+/g) ?? []
  expect(addresses.length).toBeGreaterThan(40)
  for (const address of addresses) expect(address).toMatch(/\.test$/)
})
