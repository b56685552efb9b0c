import { add, toMajor } from '../../core/values/money.ts'
import type { DocumentStatus } from '../documents/document.ts'
import { type Dashboard, monthsOf, type PendingPayment } from './dashboard.ts'
import type { Expenses, Stock } from './expenses.ts'
import type { Figures } from './figures.ts'
import { growth, margin } from './growth.ts'

type Parts = { figures: Figures; pending: PendingPayment[]; expenses: Expenses; stock: Stock }

/** The dashboard from what the database has added up. All adding is done in minor units. */
export function addUp({ figures, pending, expenses, stock }: Parts): Dashboard {
  const { currency, year } = figures
  const major = (minor: bigint) => toMajor(minor, currency)
  const months = monthsOf(year)
  const counts = (status: DocumentStatus) => countOf(figures, year, status)
  const revenue = revenueOf(figures, String(year))
  const revenueBefore = revenueOf(figures, String(year - 1))
  const net = revenue - expenses.totalMinor
  return {
    totalInvoices: counts('DRAFT') + counts('UNSENT') + counts('SENT') + counts('PAID'),
    totalRevenue: major(revenue),
    outstandingAmount: major(sumOf(figures, String(year), 'SENT')),
    pendingAmount: major(sumOf(figures, String(year), 'DRAFT') + sumOf(figures, String(year), 'UNSENT')),
    invoicesByStatus: {
      draft: counts('DRAFT'),
      unsent: counts('UNSENT'),
      sent: counts('SENT'),
      paid: counts('PAID'),
    },
    revenueByMonth: months.map((month) => ({
      month,
      revenue: major(revenueOf(figures, month)),
      sent: major(sumOf(figures, month, 'SENT')),
      unsent: major(sumOf(figures, month, 'UNSENT')),
      draft: major(sumOf(figures, month, 'DRAFT')),
    })),
    revenueByCustomer: figures.customers.map(({ name, count, minor }) => ({
      name,
      revenue: major(BigInt(minor)),
      count,
    })),
    growth: growth(revenue, revenueBefore),
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
    paidInvoicesCount: countOf(figures, year, 'PAID', 'SALE'),
    approvedExpensesCount: expenses.approvedCount,
    expenseGrowth: growth(expenses.totalMinor, expenses.beforeMinor),
    netTotal: major(net),
    netGrowth: growth(net, revenueBefore - expenses.beforeMinor),
    marginPercent: margin(net, revenue),
    pendingExpensesTotal: major(expenses.pendingMinor),
    pendingExpensesCount: expenses.pendingCount,
    pendingExpensesGrowth: growth(expenses.pendingMinor, expenses.pendingBeforeMinor),
    cashFlowByMonth: months.map((month) => cashOf(figures, month, major)),
    lowStockItemsCount: stock.lowCount,
    activeItemsCount: stock.activeCount,
    ...missing(figures),
  }
}

/** Sales that were paid, less what was credited of them; the period is a year or a month. */
const revenueOf = ({ sales }: Figures, period: string) =>
  add(
    sales
      .filter(({ month, status, sort }) => month.startsWith(period) && status === 'PAID' && sort !== 'OTHER')
      .map(({ sort, minor }) => (sort === 'CREDIT' ? -BigInt(minor) : BigInt(minor))),
  )

const sumOf = ({ sales }: Figures, period: string, wanted: DocumentStatus) =>
  add(
    sales
      .filter(({ month, status, sort }) => month.startsWith(period) && status === wanted && sort !== 'CREDIT')
      .map(({ minor }) => BigInt(minor)),
  )

/** Every document that owes something itself, or only those that are sales. */
const countOf = ({ sales }: Figures, year: number, wanted: DocumentStatus, only?: 'SALE') =>
  sales
    .filter(({ month, status, sort }) => month.startsWith(String(year)) && status === wanted && sort !== 'CREDIT')
    .filter(({ sort }) => only === undefined || sort === only)
    .reduce((total, { count }) => total + count, 0)

function cashOf({ cash }: Figures, wanted: string, major: (minor: bigint) => number) {
  const of = (way: 'OUTGOING' | 'INCOMING') =>
    add(cash.filter(({ month, direction }) => month === wanted && direction === way).map(({ minor }) => BigInt(minor)))
  const [inflow, outflow] = [of('OUTGOING'), of('INCOMING')]
  return { month: wanted, inflow: major(inflow), outflow: major(outflow), net: major(inflow - outflow) }
}

const newestRate = ({ rates, newestFixed }: Figures) =>
  [...rates.map(({ newest }) => newest), newestFixed]
    .flatMap((day) => day ?? [])
    .toSorted()
    .at(-1)

function missing({ rates }: Figures): Pick<Dashboard, 'fxIncomplete' | 'fxMissingCurrencies'> {
  const fxMissingCurrencies = rates.filter((each) => each.missing > 0).map(({ currency }) => currency)
  return fxMissingCurrencies.length > 0 ? { fxIncomplete: true, fxMissingCurrencies } : {}
}

/** How the amounts came about, a sentence for each currency that was converted. */
export const diagnosticsOf = ({ currency, rates }: Figures): string[] =>
  rates.map(({ currency: from, days, missing: without, newest, source }) =>
    newest === null
      ? `${from} to ${currency}: no rate on any day (${days}); face value.`
      : `${from} to ${currency}: days ${days}, without a rate ${without}; newest rate of ${newest} (${source}).`,
  )
