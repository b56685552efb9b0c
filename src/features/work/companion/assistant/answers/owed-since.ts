import type { Steps, Talk } from '../talk.ts'
import type { Then, Understood } from '../understood.ts'
import { counted, nouns } from '../words/nouns.ts'
import { tellFailure } from './failures.ts'
import { sumSentence } from './list.ts'
import { documentRow, expenseRow, part, text } from './record-rows.ts'
import { periodWords, tellSome } from './report-words.ts'
import { applyThen, type Data, type Row, readRows, sumsOf } from './rows.ts'

/** Who owes for documents of a time, which an aging does not tell: open documents are added up by customer or supplier. */

export const owedSince = ({ tool, then }: Understood): boolean =>
  (tool === 'reports_receivables_aging' || tool === 'reports_payables_aging') &&
  (then?.from !== undefined || then?.to !== undefined || then?.overdueDays !== undefined || then?.dueDays !== undefined)

export async function* answerOwedSince(talk: Talk, { tool, then = {} }: Understood): Steps {
  const isPayable = tool === 'reports_payables_aging'
  const { from, to } = then
  const days = { ...(from && { dateFrom: from }), ...(to && { dateTo: to }) }
  const source = isPayable
    ? { tool: 'expenses_list', input: { status: 'APPROVED', ...days } }
    : { tool: 'invoices_list', input: { status: 'SENT' }, also: [{ status: 'UNSENT' }] }
  const field = isPayable ? 'expenses' : 'invoices'
  const read = yield* readRows(talk, source, { field, all: true, shown: 0 })
  if ('ok' in read) return yield* tellFailure(talk, read, source.tool)
  const documents = read.rows.map((data) => ({ data, row: (isPayable ? expenseRow : documentRow)(data, talk) }))
  const inTime = new Set(
    applyThen(
      documents.map(({ row }) => row),
      { ...pick(then), open: true },
      talk.turn.today,
    ),
  )
  const owed = byParty(
    documents.filter(({ row }) => inTime.has(row)).map(({ data, row }) => toParty(data, row, isPayable)),
  )
  const { from: _, to: __, overdue: ___, overdueDays: ____, dueDays: _____, ...limits } = then
  const rows = applyThen(owed, { order: 'largest', ...limits })
  const period = timeWords(talk, then)
  if (rows.length === 0)
    return yield* talk.say(
      talk.in(`Nothing like that is owed for documents ${period}.`, `אין חוב כזה על מסמכים ${period}.`),
    )
  const names = new Set(rows.map(({ name }) => name)).size
  const count = counted(talk.language, names, isPayable ? nouns.supplier : nouns.customer)
  yield* talk.say(talk.in(`${count}, for documents ${period}:`, `${count}, על מסמכים ${period}:`))
  yield* tellSome(talk, rows, rows.length, then)
  if (rows.length > 1) yield* talk.line(sumSentence(talk, sumsOf(rows)))
}

/** Of which time the documents are, and how late. */
function timeWords(talk: Talk, { from, to, overdueDays, dueDays }: Then): string {
  const late =
    overdueDays === undefined
      ? ''
      : talk.in(`that are ${overdueDays} days late or more`, `באיחור של ${overdueDays} יום ומעלה`)
  const period =
    from === undefined && to === undefined ? '' : periodWords(talk, from ?? '2000-01-01', to ?? talk.turn.today)
  const soon =
    dueDays === undefined ? '' : talk.in(`that are due within ${dueDays} days`, `שמועדם בתוך ${dueDays} ימים`)
  return [period, late, soon].filter(Boolean).join(' ')
}

const pick = ({ from, to, overdue, overdueDays, dueDays }: Then): Then => ({
  ...(dueDays !== undefined && { dueDays }),
  ...(from !== undefined && { from }),
  ...(to !== undefined && { to }),
  ...(overdue && { overdue }),
  ...(overdueDays !== undefined && { overdueDays }),
})

function toParty(data: Data, row: Row, isPayable: boolean): Row {
  const { id, name } = part(data.customer)
  const { currency = '', open = 0 } = row
  if (isPayable) return { name: row.name, amount: open, currency }
  return { kind: 'customer', id: text(id), name: text(name), amount: open, currency }
}

/** One row for each party and currency. */
function byParty(rows: readonly Row[]): Row[] {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const key = `${row.id ?? row.name} ${row.currency}`
    groups.set(key, [...(groups.get(key) ?? []), row])
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    const [sum] = sumsOf(group)
    return first && sum ? [{ ...first, amount: sum.amount }] : []
  })
}
