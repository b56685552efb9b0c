import { addMonths, monthOf } from '../../../../../core/values/day.ts'
import { call, type Steps, type Talk } from '../talk.ts'
import type { Understood } from '../understood.ts'
import { tellFailure } from './failures.ts'
import type { Summary } from './payroll.ts'
import { periodWords, tellSome } from './report-words.ts'
import type { Row } from './rows.ts'

/** The payroll of several months: the summary is of one, so each is read and they are added up. */

/** No question needs more. */
const monthsMax = 24

export const isOfMonths = ({ tool, then }: Understood): boolean =>
  tool === 'payroll_summary' && then?.from !== undefined && then.to !== undefined

export async function* answerPayrollMonths(talk: Talk, { then = {} }: Understood): Steps {
  const { from = '', to = '', name } = then
  const sums = { gross: 0, net: 0, employerCost: 0 }
  const rows: Row[] = []
  for (const month of monthsBetween(from, to)) {
    const result = yield* call(talk, 'payroll_summary', { month })
    if (!result.ok) return yield* tellFailure(talk, result, 'payroll_summary')
    const { totals, employees } = result.output as Summary
    if (!employees.some(({ payslipId }) => payslipId)) continue
    for (const field of ['gross', 'net', 'employerCost'] as const) sums[field] = round(sums[field] + totals[field])
    rows.push({ name: talk.month(month), amount: totals.employerCost, currency: talk.turn.organization.currency })
  }
  const money = (amount: number) => talk.money(amount, talk.turn.organization.currency)
  const period = periodWords(talk, from, to)
  if (rows.length === 0) return yield* talk.say(talk.in(`There are no payslips ${period}.`, `אין תלושים ${period}.`))
  yield* talk.say(
    talk.in(
      `Payroll ${period}: gross ${money(sums.gross)}, net ${money(sums.net)}, cost to the company ${money(sums.employerCost)}.`,
      `שכר ${period}: ברוטו ${money(sums.gross)}, נטו ${money(sums.net)}, עלות מעסיק ${money(sums.employerCost)}.`,
    ),
  )
  if (name === undefined) yield* tellSome(talk, rows, rows.length, { first: 24 })
}

function monthsBetween(from: string, to: string): string[] {
  const months: string[] = []
  for (let day = `${from.slice(0, 7)}-01`; day <= to && months.length < monthsMax; day = addMonths(day, 1))
    months.push(monthOf(day))
  return months
}

const round = (amount: number) => Math.round(amount * 100) / 100
