import { add, toMajor } from '../../../core/values/money.ts'
import type { DocumentStatus } from '../../selling/documents/document.ts'
import { type Dashboard, monthsOf, type PendingPayment } from './dashboard.ts'
import type { Expenses } from './expenses.ts'
import type { Figures, Months } from './figures.ts'
import { growth, margin } from './growth.ts'
import type { Stock } from './stock.ts'

type Parts = { figures: Figures; pending: PendingPayment[]; expenses: Expenses; stock: Stock }

/** What the dashboard counts as revenue and expenses of its year. */
export const countedOf = (figures: Figures, expenses: Expenses) => ({
  year: figures.year,
  currency: figures.currency,
  revenueMinor: revenueOf(figures, monthsOf(figures.year)),
  expensesMinor: expenses.totalMinor,
})

/** The dashboard from the sums of the database. Everything is computed in minor units. */
export function toDashboard({ figures, pending, expenses, stock }: Parts): Dashboard {
  const { currency, year } = figures
  const major = (minor: bigint) => toMajor(minor, currency)
  const months = monthsOf(year)
  const counts = (status: DocumentStatus) => countOf(figures, status)
  const revenue = revenueOf(figures, months)
  const previousRevenue = revenueOf(figures, monthsOf(year - 1))
  const net = revenue - expenses.totalMinor
  return {
    totalInvoices: counts('DRAFT') + counts('UNSENT') + counts('SENT') + counts('PAID'),
    totalRevenue: major(revenue),
    outstandingAmount: major(sumOf(figures, months, 'SENT')),
    openBalance: major(figures.openMinor),
    pendingAmount: major(sumOf(figures, months, 'DRAFT') + sumOf(figures, months, 'UNSENT')),
    invoicesByStatus: {
      draft: counts('DRAFT'),
      unsent: counts('UNSENT'),
      sent: counts('SENT'),
      paid: counts('PAID'),
    },
    revenueByMonth: months.map((month) => ({
      month,
      revenue: major(revenueOf(figures, [month])),
      sent: major(sumOf(figures, [month], 'SENT')),
      unsent: major(sumOf(figures, [month], 'UNSENT')),
      draft: major(sumOf(figures, [month], 'DRAFT')),
    })),
    revenueByCustomer: figures.customers.map(({ name, count, minor }) => ({
      name,
      revenue: major(minor),
      count,
    })),
    growth: growth(revenue, previousRevenue),
    displayCurrency: currency,
    exchangeRateDate: newestRate(figures) ?? figures.today,
    pendingPaymentsList: pending,
    expenseTotal: major(expenses.totalMinor),
    expensesByMonth: months.map((month) => ({ month, total: major(expenses.byMonth.get(month) ?? 0n) })),
    expensesByVendor: expenses.byVendor.map(({ name, totalMinor, count }) => ({
      name,
      total: major(totalMinor),
      count,
    })),
    paidInvoicesCount: countOf(figures, 'PAID', 'SALE'),
    approvedExpensesCount: expenses.approvedCount,
    expenseGrowth: growth(expenses.totalMinor, expenses.beforeMinor),
    netTotal: major(net),
    netGrowth: growth(net, previousRevenue - expenses.beforeMinor),
    marginPercent: margin(net, revenue),
    pendingExpensesTotal: major(expenses.pendingMinor),
    pendingExpensesCount: expenses.pendingCount,
    pendingExpensesGrowth: growth(expenses.pendingMinor, expenses.pendingBeforeMinor),
    cashFlowByMonth: months.map((month) => cashFlowOf(figures, month, major)),
    lowStockItemsCount: stock.lowCount,
    activeItemsCount: stock.activeCount,
    ...(newestRate(figures) !== undefined && { fxConverted: true }),
    ...missingRates(figures),
  }
}

/** Paid sales less credit memos; the months are those of a year, or one. */
const revenueOf = ({ sales }: Figures, months: string[]) =>
  add(
    sales
      .filter(({ status, sort }) => status === 'PAID' && sort !== 'OTHER')
      .map((each) => (each.sort === 'CREDIT' ? -sumIn(each.months, months) : sumIn(each.months, months))),
  )

const sumOf = ({ sales }: Figures, months: string[], ofStatus: DocumentStatus) =>
  add(
    sales
      .filter(({ status, sort }) => status === ofStatus && sort !== 'CREDIT')
      .map((each) => sumIn(each.months, months)),
  )

const sumIn = (sums: Months, months: string[]) => add(months.map((month) => sums.get(month) ?? 0n))

/** The number of documents of the year without credit memos, or of sales only. */
const countOf = ({ sales }: Figures, ofStatus: DocumentStatus, only?: 'SALE') =>
  sales
    .filter(({ status, sort }) => status === ofStatus && sort !== 'CREDIT')
    .filter(({ sort }) => only === undefined || sort === only)
    .reduce((total, { count }) => total + count, 0)

function cashFlowOf({ cash }: Figures, month: string, major: (minor: bigint) => number) {
  const sum = (ofDirection: 'OUTGOING' | 'INCOMING') =>
    add(cash.filter(({ direction }) => direction === ofDirection).map(({ months }) => months.get(month) ?? 0n))
  const [inflow, outflow] = [sum('OUTGOING'), sum('INCOMING')]
  return { month, inflow: major(inflow), outflow: major(outflow), net: major(inflow - outflow) }
}

const newestRate = ({ rates, newestFixed }: Figures) =>
  [...rates.map(({ newest }) => newest), newestFixed]
    .flatMap((day) => day ?? [])
    .toSorted()
    .at(-1)

function missingRates({ rates }: Figures): Pick<Dashboard, 'fxIncomplete' | 'fxMissingCurrencies'> {
  const fxMissingCurrencies = rates.filter((each) => each.missing > 0).map(({ currency }) => currency)
  return fxMissingCurrencies.length > 0 ? { fxIncomplete: true, fxMissingCurrencies } : {}
}

/** One sentence for each converted currency. */
export const diagnosticsOf = ({ currency, rates }: Figures): string[] =>
  rates.map(({ currency: from, days, missing: without, newest, source }) =>
    newest === null
      ? `${from} to ${currency}: no rate on any day (${days}); face value.`
      : `${from} to ${currency}: days ${days}, without a rate ${without}; newest rate of ${newest} (${source}).`,
  )
