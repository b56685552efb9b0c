import type { Database } from '../../../core/define/operation.ts'
import { add } from '../../../core/values/money.ts'
import type { DocumentStatus } from '../../selling/documents/document.ts'
import { elements } from '../exchange-rates/rate-table.ts'
import { type Convert, type Converter, converterOf, type RateUse } from './convert.ts'
import {
  type CustomerSums,
  customersShown,
  type DashboardQuery,
  type Direction,
  type ExpenseSums,
  readSums,
  type Sort,
  type Sums,
} from './sums.ts'

type SalesSum = { sort: Sort; status: DocumentStatus; count: number; months: Months }
type CashSum = { direction: Direction; months: Months }
type ExpenseSum = { state: ExpenseSums['state']; vendor: string; count: number; months: Months }
type CustomerRevenue = { name: string; count: number; minor: bigint }

/** Minor units of the organization's currency, by month. */
export type Months = Map<string, bigint>

/** The sums of the year and the year before; the counts are of the year. */
export type Figures = Pick<Sums, 'currency' | 'today' | 'year' | 'newestFixed'> & {
  sales: SalesSum[]
  /** What is open of issued documents of all years. */
  openMinor: bigint
  cash: CashSum[]
  expenses: ExpenseSum[]
  customers: CustomerRevenue[]
  rates: RateUse[]
}

export const readFigures = async (db: Database, query: DashboardQuery): Promise<Figures> =>
  toFigures(await readSums(db, query))

/** Each sum of a day is converted and rounded once. The rates used are those of sales, payments and expenses. */
function toFigures({ currency, country, today, year, newestFixed, ...sums }: Sums): Figures {
  const converter = converterOf({ currency, country, today, year, rates: sums.rates })
  const sales = sums.sales.map((each) => {
    const { sort, status, count } = each
    return { sort, status, count, months: byMonth(each, converter.ofSales(each)) }
  })
  const openMinor = add(sums.open.flatMap((each) => [...byMonth(each, converter.ofOpen(each)).values()]))
  const cash = sums.cash.map((each) => {
    return { direction: each.direction, months: byMonth(each, converter.ofCash(each)) }
  })
  const expenses = sums.expenses.map((each) => {
    const { state, vendor, count } = each
    return { state, vendor, count, months: byMonth(each, converter.ofExpenses(each)) }
  })
  const rates = converter.used()
  return {
    currency,
    today,
    year,
    newestFixed,
    sales,
    openMinor,
    cash,
    expenses,
    rates,
    customers: bestCustomers(sums.customers, converter),
  }
}

function byMonth(sums: { days: string; amounts: string }, convert: Convert): Months {
  const [days, amounts] = [elements(sums.days), elements(sums.amounts)]
  const months: Months = new Map()
  for (let place = 0; place < days.length; place++) {
    const [day = '', amount = '0'] = [days[place], amounts[place]]
    const month = day.slice(0, 7)
    months.set(month, (months.get(month) ?? 0n) + convert(BigInt(amount), day, place))
  }
  return months
}

/** The customers come by name; those with the same revenue and count stay in that order. */
const bestCustomers = (customers: CustomerSums[], converter: Converter): CustomerRevenue[] =>
  customers
    .map((customer) => ({
      name: customer.name,
      count: customer.years.reduce((sum, { count }) => sum + count, 0),
      minor: revenueOf(customer, converter),
    }))
    .toSorted((a, b) => (a.minor === b.minor ? b.count - a.count : a.minor > b.minor ? -1 : 1))
    .slice(0, customersShown)

function revenueOf({ years, days }: CustomerSums, converter: Converter): bigint {
  const ofYears = years.map(({ minor, ...year }) => converter.ofYear(BigInt(minor), year))
  const ofDays = (days ?? []).flatMap((sums) => [...byMonth(sums, converter.ofDays(sums.currency)).values()])
  return add([...ofYears, ...ofDays])
}
