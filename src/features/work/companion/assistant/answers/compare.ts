import { fitOfWords } from '../../../../../core/names/names.ts'
import type { IncomeReport } from '../../../../books/reports/income/income.ts'
import type { ProfitAndLoss } from '../../../../books/reports/statements/profit-and-loss.ts'
import type { TaxReport } from '../../../../books/reports/tax/tax.ts'
import { timeFields } from '../intents/fill.ts'
import { withResult } from '../intents/intent.ts'
import { call, type Steps, type Talk } from '../talk.ts'
import type { Understood } from '../understood.ts'
import { tellFailure } from './failures.ts'
import { viewFor } from './intent-views.ts'
import { sumSentence } from './list.ts'
import { periodWords } from './report-words.ts'
import { applyThen, type Data, readRows, sumsOf } from './rows.ts'

/** One figure of two times, and the difference: "compare Q3 with Q3 last year". */

type Figure = { amount: number; currency: string }
type Span = { from: string; to: string }

export const isCompared = ({ then }: Understood): boolean =>
  then?.compareFrom !== undefined && then.compareTo !== undefined

export async function* answerCompared(talk: Talk, understood: Understood): Steps {
  const { compareFrom = '', compareTo = '', ...then } = understood.then ?? {}
  const main = spanOf(understood.input)
  const figures: { span: Span; figure: Figure }[] = []
  for (const span of [main, { from: compareFrom, to: compareTo }]) {
    const input = { ...understood.input, ...timeFields(understood.tool, span.from, span.to) }
    const of = withResult({ ...understood, input }, { ...then, ...thenTimes(understood, span) })
    const figure = yield* figureOf(talk, of)
    if (!figure) return
    figures.push({ span, figure })
  }
  const noun = nounOf(talk, understood)
  for (const { span, figure } of figures)
    yield* talk.line(`${noun} ${soFar(talk, span)}: ${talk.money(figure.amount, figure.currency)}`)
  const [now, before] = figures
  if (now && before && now.figure.currency === before.figure.currency)
    yield* talk.line(differenceSentence(talk, now.figure, before.figure, now.span.to > talk.turn.today))
}

function spanOf({ from, to, dateFrom, dateTo, month }: Data): Span {
  if (typeof month === 'string') return { from: `${month}-01`, to: lastDayOf(month) }
  return { from: String(from ?? dateFrom ?? ''), to: String(to ?? dateTo ?? '') }
}

const lastDayOf = (month: string): string =>
  new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5, 7)), 0)).toISOString().slice(0, 10)

/** Payments take their time after they are read. */
const thenTimes = ({ tool }: Understood, { from, to }: Span): Partial<Span> =>
  tool === 'invoices_payments_list' ? { from, to } : {}

async function* figureOf(talk: Talk, understood: Understood): Steps<Figure | undefined> {
  const { tool, input, then } = understood
  const view = viewFor(understood)
  if (view) {
    const read = yield* readRows(talk, understood, { field: view.field, all: true, shown: 0 })
    if ('ok' in read) {
      yield* tellFailure(talk, read, tool)
      return undefined
    }
    const rows = applyThen(
      read.rows.map((data) => view.row(data, talk)).filter(({ uncounted }) => uncounted === undefined),
      then,
      talk.turn.today,
    )
    const sums = sumsOf(rows)
    if (sums.length > 1) yield* talk.line(sumSentence(talk, sums))
    const own = sums.find(({ currency }) => currency === talk.turn.organization.currency) ?? sums[0]
    return own ?? { amount: 0, currency: talk.turn.organization.currency }
  }
  const result = yield* call(talk, tool, input)
  if (!result.ok) {
    yield* tellFailure(talk, result, tool)
    return undefined
  }
  return figureIn(talk, understood, result.output as Data)
}

/** The figure of a report that its answer begins with. */
function figureIn(talk: Talk, { tool, then }: Understood, output: Data): Figure {
  const currency = typeof output.currency === 'string' ? output.currency : talk.turn.organization.currency
  const of = (amount: number | undefined): Figure => ({ amount: amount ?? 0, currency })
  if (tool === 'reports_profit_and_loss') return of((output as ProfitAndLoss).netProfit.total)
  if (tool === 'reports_tax_compliance') return of((output as TaxReport).totals.payable)
  if (tool === 'reports_sales_tax') return of((output as { totals: { tax: number } }).totals.tax)
  if (tool === 'payroll_summary') return of((output as { totals: { employerCost: number } }).totals.employerCost)
  if (tool === 'reports_gst_f5')
    return of((output as { boxes: { box: number; amount: number }[] }).boxes.find(({ box }) => box === 8)?.amount)
  const { totals, rows } = output as unknown as IncomeReport
  const { name } = then ?? {}
  if (name === undefined) return of(totals.net)
  const own = rows.find((row) => ['same', 'part', 'close'].includes(fitOfWords(name, row.name ?? '')))
  return of(own?.net)
}

function nounOf(talk: Talk, { tool, then }: Understood): string {
  const nouns: Record<string, readonly [en: string, he: string]> = {
    reports_income: ['Income', 'הכנסות'],
    reports_expenses: ['Expenses', 'הוצאות'],
    expenses_list: ['Expenses', 'הוצאות'],
    reports_profit_and_loss: ['Net profit', 'רווח נקי'],
    invoices_payments_list: ['Payments received', 'תקבולים'],
    payroll_summary: ['Cost of payroll', 'עלות השכר'],
    reports_tax_compliance: ['Tax to pay', 'מס לתשלום'],
    reports_gst_f5: ['GST to pay', 'GST לתשלום'],
    reports_sales_tax: ['Sales tax', 'מס מכירות'],
  }
  const [en, he] = nouns[tool] ?? ['Total', 'סך הכול']
  const name = then?.name === undefined ? '' : ` (${talk.data(then.name)})`
  return `${talk.in(en, he)}${name}`
}

const soFar = (talk: Talk, { from, to }: Span): string =>
  `${periodWords(talk, from, to)}${to > talk.turn.today ? talk.in(' so far', ' עד כה') : ''}`

/** How much more or less, in money and percent; a time that is not over has no percentage that means something. */
function differenceSentence(talk: Talk, now: Figure, before: Figure, isOpen: boolean): string {
  const difference = Math.round((now.amount - before.amount) * 100) / 100
  if (difference === 0) return talk.in('That is the same.', 'אין הבדל.')
  const money = talk.money(Math.abs(difference), now.currency)
  const percent = isOpen || before.amount <= 0 ? '' : ` (${talk.percent((Math.abs(difference) / before.amount) * 100)})`
  return difference > 0
    ? talk.in(`That is ${money} more${percent}.`, `${money} יותר${percent}.`)
    : talk.in(`That is ${money} less${percent}.`, `${money} פחות${percent}.`)
}
