import type { Steps, Talk } from '../talk.ts'
import type { Understood } from '../understood.ts'
import { counted, nouns } from '../words/nouns.ts'
import { andMore, rowText, sumSentence } from './list.ts'
import { gapNotes } from './report-words.ts'
import { applyThen, type Row, sumsOf } from './rows.ts'

/** The figures of the dashboard that answers use. */
type Dashboard = {
  totalRevenue: number
  openBalance: number
  expenseTotal: number
  netTotal: number
  marginPercent: number
  growth: number
  displayCurrency: string
  pendingExpensesTotal: number
  pendingExpensesCount: number
  lowStockItemsCount: number
  revenueByCustomer: { name: string; revenue: number; count: number }[]
  revenueByMonth: { month: string; revenue: number }[]
  expensesByVendor: { name: string; total: number; count: number }[]
  expensesByMonth: { month: string; total: number }[]
  cashFlowByMonth: { month: string; inflow: number; outflow: number; net: number }[]
  pendingPaymentsList: {
    id: string
    invoiceNumber: string | null
    customerName: string
    dueDate: string | null
    currency: string
    total: number
    openBalance: number
    daysOverdue: number
  }[]
  fxIncomplete?: boolean
}

/** The answers of a dashboard, by the words in the name of the intent. */
const parts: readonly [RegExp, (talk: Talk, understood: Understood, dashboard: Dashboard) => Steps][] = [
  [/cash-?flow/, cashFlow],
  [/overdue|late/, (talk, understood, dashboard) => openDocuments(talk, understood, dashboard, true)],
  [/vendor|supplier/, vendors],
  [/customer/, customers],
  [/month/, months],
  [
    /pending|open|unpaid|outstanding/,
    (talk, understood, dashboard) => openDocuments(talk, understood, dashboard, false),
  ],
]

export async function* dashboard(talk: Talk, understood: Understood, output: Dashboard): Steps {
  const [, part = overview] = parts.find(([words]) => words.test(understood.intent)) ?? []
  yield* part(talk, understood, output)
  yield* gapNotes(talk, output)
}

async function* overview(talk: Talk, { input }: Understood, dashboard: Dashboard): Steps {
  const money = (amount: number) => talk.money(amount, dashboard.displayCurrency)
  const year = String(input.year ?? talk.turn.today.slice(0, 4))
  yield* talk.say(talk.in(`${year} so far:`, `שנת ${year}:`))
  yield* talk.line(
    `${talk.in('Revenue (paid invoices)', 'הכנסות (חשבוניות ששולמו)')}: ${money(dashboard.totalRevenue)}`,
  )
  yield* talk.line(`${talk.in('Expenses', 'הוצאות')}: ${money(dashboard.expenseTotal)}`)
  yield* talk.line(`${talk.in('Net', 'נטו')}: ${money(dashboard.netTotal)} (${talk.percent(dashboard.marginPercent)})`)
  yield* talk.line(`${talk.in('Customers owe', 'לקוחות חייבים')}: ${money(dashboard.openBalance)}`)
  if (dashboard.pendingExpensesCount > 0)
    yield* talk.line(
      `${talk.in('Waiting for review', 'ממתינות לבדיקה')}: ${counted(talk.language, dashboard.pendingExpensesCount, nouns.expense)}, ${money(dashboard.pendingExpensesTotal)}`,
    )
  if (dashboard.lowStockItemsCount > 0)
    yield* talk.line(
      `${talk.in('Low stock', 'מלאי נמוך')}: ${counted(talk.language, dashboard.lowStockItemsCount, nouns.item)}`,
    )
}

async function* tell(talk: Talk, { then }: Understood, all: readonly Row[], none: string): Steps {
  const rows = applyThen(all, then)
  if (rows.length === 0) return yield* talk.say(none)
  const shown = rows.slice(0, then?.first ?? 12)
  for (const [at, row] of shown.entries()) yield* talk.line(`${at + 1}. ${rowText(talk, row)}`)
  if (rows.length > shown.length) yield* talk.line(andMore(talk, rows.length - shown.length))
}

async function* openDocuments(
  talk: Talk,
  understood: Understood,
  { pendingPaymentsList }: Dashboard,
  isOverdue: boolean,
): Steps {
  const rows = pendingPaymentsList
    .filter(({ daysOverdue }) => !isOverdue || daysOverdue > 0)
    .map(
      (document): Row => ({
        kind: 'document',
        id: document.id,
        name: [document.invoiceNumber ?? '', document.customerName].filter(Boolean).join(', '),
        amount: document.openBalance,
        currency: document.currency,
        date: document.dueDate ?? '',
        more: [
          document.daysOverdue > 0
            ? talk.in(
                `${counted('en', document.daysOverdue, nouns.day)} late`,
                `באיחור של ${counted('he', document.daysOverdue, nouns.day)}`,
              )
            : document.dueDate
              ? talk.in(`due ${talk.day(document.dueDate)}`, `לתשלום עד ${talk.day(document.dueDate)}`)
              : '',
        ],
      }),
    )
  const none = isOverdue
    ? talk.in('No invoice is overdue.', 'אין חשבונית באיחור.')
    : talk.in('No invoice is open.', 'אין חשבוניות פתוחות.')
  if (rows.length > 0)
    yield* talk.say(
      `${counted(talk.language, rows.length, nouns.invoice)} ${isOverdue ? talk.in('overdue:', 'באיחור:') : talk.in('open:', 'לתשלום:')}`,
    )
  yield* tell(talk, understood, rows, none)
  if (rows.length > 1) yield* talk.line(sumSentence(talk, sumsOf(applyThen(rows, understood.then))))
}

async function* customers(
  talk: Talk,
  understood: Understood,
  { revenueByCustomer, displayCurrency: currency }: Dashboard,
): Steps {
  if (revenueByCustomer.length > 0) yield* talk.say(talk.in('Revenue by customer:', 'הכנסות לפי לקוח:'))
  const rows = revenueByCustomer.map(({ name, revenue, count }) => ({
    name,
    amount: revenue,
    currency,
    more: [counted(talk.language, count, nouns.invoice)],
  }))
  yield* tell(talk, understood, rows, talk.in('There is no revenue yet.', 'אין עדיין הכנסות.'))
}

async function* vendors(
  talk: Talk,
  understood: Understood,
  { expensesByVendor, displayCurrency: currency }: Dashboard,
): Steps {
  if (expensesByVendor.length > 0) yield* talk.say(talk.in('Expenses by supplier:', 'הוצאות לפי ספק:'))
  const rows = expensesByVendor.map(({ name, total, count }) => ({
    name,
    amount: total,
    currency,
    more: [counted(talk.language, count, nouns.expense)],
  }))
  yield* tell(talk, understood, rows, talk.in('There are no expenses yet.', 'אין עדיין הוצאות.'))
}

async function* months(talk: Talk, understood: Understood, dashboard: Dashboard): Steps {
  const { displayCurrency: currency, revenueByMonth, expensesByMonth } = dashboard
  const isExpense = /expense|spend/.test(understood.intent)
  yield* talk.say(
    isExpense ? talk.in('Expenses by month:', 'הוצאות לפי חודש:') : talk.in('Revenue by month:', 'הכנסות לפי חודש:'),
  )
  const all = isExpense
    ? expensesByMonth.map(({ month, total }) => ({ month, amount: total }))
    : revenueByMonth.map(({ month, revenue }) => ({ month, amount: revenue }))
  const rows = all.map(({ month, amount }) => ({ name: talk.month(month), amount, currency, date: month }))
  yield* tell(talk, understood, rows, talk.in('There is nothing yet.', 'אין עדיין נתונים.'))
}

async function* cashFlow(
  talk: Talk,
  understood: Understood,
  { cashFlowByMonth, displayCurrency: currency }: Dashboard,
): Steps {
  const moved = cashFlowByMonth.filter(({ inflow, outflow }) => inflow !== 0 || outflow !== 0)
  if (moved.length > 0) yield* talk.say(talk.in('Money in less money out, by month:', 'תזרים נטו לפי חודש:'))
  const money = (amount: number) => talk.money(amount, currency)
  const rows = moved.map(({ month, net, inflow, outflow }) => ({
    name: talk.month(month),
    amount: net,
    currency,
    date: month,
    more: [
      talk.in(`in ${money(inflow)}`, `נכנסו ${money(inflow)}`),
      talk.in(`out ${money(outflow)}`, `יצאו ${money(outflow)}`),
    ],
  }))
  yield* tell(talk, understood, rows, talk.in('No money has moved in this year yet.', 'לא הייתה תנועת כספים בשנה זו.'))
}
