import { Count, Currency, Id, nullable, optional, type Static, Text, Type } from '../../../core/define/schema.ts'
import { explanation } from './explain.ts'

const Amount = Type.Number({ description: 'In the currency of the dashboard.' })
const Percent = Type.Number({ description: 'Percent, to two decimals.' })
const Day = Type.String({ description: 'A calendar day, such as 2026-01-31.' })
const Month = Type.String({ description: 'A month, such as 2026-01.' })

const PendingPayment = Type.Object({
  id: Id,
  invoiceNumber: nullable(Text),
  customerName: Text,
  dueDate: nullable(Day),
  currency: Currency,
  total: Type.Number({ description: 'In its own currency.' }),
  openBalance: Type.Number({ description: 'In its own currency.' }),
  daysOverdue: Count,
})
export type PendingPayment = Static<typeof PendingPayment>

/** A year of an organization at a glance. */
export const Dashboard = Type.Object({
  totalInvoices: Count,
  totalRevenue: Type.Number({ description: 'Paid invoices and invoice-receipts, less what was credited of them.' }),
  outstandingAmount: Type.Number({ description: 'What is open of SENT documents of the year.' }),
  openBalance: Type.Number({ description: 'What is open of all issued documents of all years, as of now.' }),
  pendingAmount: Type.Number({ description: 'Totals of DRAFT and UNSENT documents.' }),
  invoicesByStatus: Type.Object({ draft: Count, unsent: Count, sent: Count, paid: Count }),
  revenueByMonth: Type.Array(
    Type.Object({ month: Month, revenue: Amount, sent: Amount, unsent: Amount, draft: Amount }),
    { description: 'Twelve months; each column adds up to the amount of the year.' },
  ),
  revenueByCustomer: Type.Array(
    Type.Object({ name: Text, revenue: Amount, count: Type.Integer({ description: 'Paid invoices.' }) }),
    { description: 'The ten with the most revenue, the first one first.' },
  ),
  growth: Percent,
  displayCurrency: Currency,
  exchangeRateDate: Type.String({
    description: 'The day of the newest exchange rate that was used; today where nothing was converted.',
  }),
  pendingPaymentsList: Type.Array(PendingPayment, { description: 'Open invoices, at most 50, those due first.' }),
  expenseTotal: Amount,
  expensesByMonth: Type.Array(Type.Object({ month: Month, total: Amount })),
  expensesByVendor: Type.Array(Type.Object({ name: Text, total: Amount, count: Count })),
  paidInvoicesCount: Count,
  approvedExpensesCount: Count,
  expenseGrowth: Percent,
  netTotal: Type.Number({ description: 'Revenue minus expenses.' }),
  netGrowth: Percent,
  marginPercent: Percent,
  pendingExpensesTotal: Amount,
  pendingExpensesCount: Count,
  pendingExpensesGrowth: Percent,
  cashFlowByMonth: Type.Array(Type.Object({ month: Month, inflow: Amount, outflow: Amount, net: Amount }), {
    description: 'A voided payment counts on its day, and negatively on the day on which it was voided.',
  }),
  lowStockItemsCount: Count,
  activeItemsCount: Count,
  fxConverted: Type.Optional(
    Type.Boolean({ description: 'Some amounts were converted from other currencies; absent otherwise.' }),
  ),
  fxIncomplete: Type.Optional(
    Type.Boolean({ description: 'Some currency had no usable rate and was added at face value.' }),
  ),
  fxMissingCurrencies: Type.Optional(Type.Array(Currency, { minItems: 1 })),
  ...optional(explanation),
  _diagnostics: Type.Optional(Type.Array(Type.String(), { description: 'How it came about; in local mode alone.' })),
})
export type Dashboard = Static<typeof Dashboard>

/** The months of a year: `2026-01` to `2026-12`. */
export const monthsOf = (year: number): string[] =>
  Array.from({ length: 12 }, (_, at) => `${year}-${String(at + 1).padStart(2, '0')}`)
