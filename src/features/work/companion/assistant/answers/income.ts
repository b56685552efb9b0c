import type { IncomeReport } from '../../../../books/reports/income/income.ts'
import type { Steps, Talk } from '../talk.ts'
import type { Understood } from '../understood.ts'
import { counted, nouns } from '../words/nouns.ts'
import { gapNotes, periodWords, tellSome } from './report-words.ts'
import { applyThen, type Row } from './rows.ts'
import { asksWhy } from './why.ts'

/** Income or expenses of a period, before tax, by group. */
export async function* income(talk: Talk, { tool, then, input }: Understood, report: IncomeReport): Steps {
  const isExpense = tool === 'reports_expenses'
  const { currency, totals, from, to, groupBy } = report
  const period = periodWords(talk, from, to)
  if (totals.count === 0)
    return yield* talk.say(
      isExpense
        ? talk.in(`There are no expenses ${period}.`, `אין הוצאות ${period}.`)
        : talk.in(`There is no income ${period}.`, `אין הכנסות ${period}.`),
    )
  const isNamed = then?.name !== undefined && groupBy !== 'month' && !isStray(then.name, report)
  if (isNamed) return yield* ofNames(talk, { isExpense, period, name: then?.name ?? '' }, report)
  const [net, tax] = [talk.money(totals.net, currency), talk.money(totals.tax, currency)]
  const count = counted(talk.language, totals.count, isExpense ? nouns.expense : nouns.document)
  yield* talk.say(
    isExpense
      ? talk.in(
          `Expenses ${period}: ${net} before tax, from ${count}; deducted tax ${tax}.`,
          `הוצאות ${period}: ${net} לפני מס, מתוך ${count}; מס תשומות ${tax}.`,
        )
      : talk.in(
          `Income ${period}: ${net} before tax, from ${count}; tax ${tax}.`,
          `הכנסות ${period}: ${net} לפני מס, מתוך ${count}; מס ${tax}.`,
        ),
  )
  if (then?.average)
    yield* talk.say(
      talk.in(
        `On average ${talk.money(Math.round((totals.net / totals.count) * 100) / 100, currency)}.`,
        `בממוצע ${talk.money(Math.round((totals.net / totals.count) * 100) / 100, currency)}.`,
      ),
    )
  const isGrouped =
    input.groupBy !== undefined || asksWhy(talk.turn.text) || then?.first !== undefined || then?.order !== undefined
  if (!isGrouped || then?.add) return yield* gapNotes(talk, report)
  const rows: Row[] = report.rows.map((row) => ({
    ...(groupBy === 'customer' && row.key && { kind: 'customer' as const, id: row.key }),
    name: groupBy === 'month' ? talk.month(row.name ?? '') : (row.name ?? talk.in('without one', 'ללא')),
    amount: row.net,
    currency,
    date: row.key ?? '',
  }))
  const { name: _, ...kept } = then ?? {}
  const told = applyThen(rows, isNamed ? then : kept)
  yield* tellSome(
    talk,
    told,
    then?.first === undefined ? Math.max(told.length, report.pagination.total) : told.length,
    groupBy === 'month' && then?.first === undefined ? { first: 24 } : then,
  )
  yield* gapNotes(talk, report)
}

/** A single small word that no row is called is a word of the question. */
const isStray = (name: string, { rows }: IncomeReport): boolean =>
  /^(\p{Ll}+|[א-ת]+)$/u.test(name) &&
  applyThen(
    rows.map((row) => ({ name: row.name ?? '' })),
    { name },
  ).length === 0

type OfNames = { isExpense: boolean; period: string; name: string }

/** What one customer or supplier has to do with it: the total of all others would only mislead. */
async function* ofNames(talk: Talk, { isExpense, period, name }: OfNames, report: IncomeReport): Steps {
  const { currency, groupBy } = report
  const rows: Row[] = report.rows.map((row) => ({
    ...(groupBy === 'customer' && row.key && { kind: 'customer' as const, id: row.key }),
    name: row.name ?? '',
    amount: row.net,
    currency,
  }))
  const own = applyThen(rows, { name })
  const said = talk.data(name)
  if (own.length === 0)
    return yield* talk.say(
      isExpense
        ? talk.in(`There are no expenses from ${said} ${period}.`, `אין הוצאות מ-${said} ${period}.`)
        : talk.in(`There is no income from ${said} ${period}.`, `אין הכנסות מ-${said} ${period}.`),
    )
  yield* talk.say(
    isExpense
      ? talk.in(`Expenses ${period}, before tax:`, `הוצאות ${period}, לפני מס:`)
      : talk.in(`Income ${period}, before tax:`, `הכנסות ${period}, לפני מס:`),
  )
  yield* tellSome(talk, own, own.length)
  yield* gapNotes(talk, report)
}
