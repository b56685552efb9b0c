import { applyThen, type Data, type Row, rowsIn, sumsOf } from '../assistant/answers/rows.ts'
import type { Talk } from '../assistant/talk.ts'
import type { Understood } from '../assistant/understood.ts'
import type { Noun } from '../assistant/words/nouns.ts'

/** What is known after a question was looked up, for filling in an answer. */
export type Facts = {
  /** The rows that the question is about, with all their fields; undefined if the result is no list. */
  rows?: FactRow[]
  /** The only row, or the first one of an order that was asked for: "who owes the most?" */
  one?: FactRow
  /** The names that the rows have in the result and in words: `invoices`, `חשבוניות`. */
  listNames: readonly string[]
  /** Whether no row is missing, so that counts and sums are exact. */
  isWhole: boolean
  /** The one amount that answers the question. Undefined if there is none, or several currencies. */
  amount?: number
  currency?: string
  /** Other single values of the result, by name. */
  fields: Data
  asksHowMany: boolean
  isAboutOpen: boolean
  isAboutOverdue: boolean
  today: string
}

export type FactRow = { data: Data; row: Row }

/** The words for the rows of a list. */
export const namesOf = (noun: Noun | undefined): string[] => (noun ? [...noun.en, ...noun.he.slice(0, 2)] : [])

/** What the question is about. */
export const about = ({ intent, then = {} }: Understood) => {
  const isAboutOverdue = then.overdue === true || then.overdueDays !== undefined || /overdue|late/.test(intent)
  const isAboutOpen =
    isAboutOverdue || then.open === true || then.dueDays !== undefined || /open|unpaid|due/.test(intent)
  return { isAboutOverdue, isAboutOpen, asksHowMany: then.count === true }
}

/** Whether the question is about some of the rows, or their order, so that figures of all of them do not answer it. */
export const isNarrowed = ({ then = {} }: Understood, ...except: string[]) =>
  Object.entries(then).some(([what, value]) => value !== undefined && !['count', 'add', ...except].includes(what))

/** The rows that were asked for, and their sum. */
export function listFacts(
  talk: Talk,
  understood: Understood,
  all: readonly FactRow[],
  { isWhole: isRead, listNames }: Pick<Facts, 'isWhole' | 'listNames'>,
): Facts {
  const { today, organization } = talk.turn
  const { order, first, ...kept } = understood.then ?? {}
  const subject = about(understood)
  const amounts = all.map(({ data, row }) => ({ ...row, ...amountOf(data, row, subject.isAboutOpen), data }))
  const ordered = applyThen(amounts, { ...kept, ...(order && { order }) }, today) as (Row & { data: Data })[]
  const rows = ordered.slice(0, first).map(({ data, ...row }) => ({ data, row }))
  const sums = sumsOf(rows.map(({ row }) => row))
  const isWhole = isRead && !(isByAmount(order) && new Set(ordered.map(({ currency }) => currency)).size > 1)
  const isSummed = isWhole && rows.every(({ row }) => row.amount !== undefined && row.currency !== undefined)
  const isRanking = order !== undefined && first === undefined && rows.length > 1
  const total =
    rows.length === 0 ? { amount: 0, currency: organization.currency } : sums.length === 1 ? sums[0] : undefined
  const one = isWhole && (order ? isFirstAlone(ordered, order) : rows.length === 1) ? rows[0] : undefined
  return {
    ...subject,
    ...(isSummed && total && !isRanking && { amount: total.amount, currency: total.currency }),
    ...(isRanking &&
      typeof one?.row.amount === 'number' && { amount: one.row.amount, currency: one.row.currency ?? '' }),
    ...(one && (isRanking || rows.length === 1) && { one }),
    rows,
    listNames,
    isWhole,
    fields: {},
    today,
  }
}

const isByAmount = (order: string | undefined) => order === 'largest' || order === 'smallest'

/** Amounts or days that are the same leave open which row is the first. */
const isFirstAlone = ([first, second]: readonly Row[], order: string): boolean =>
  first !== undefined &&
  (second === undefined || (isByAmount(order) ? first.amount !== second.amount : first.date !== second.date))

/** A list shows what is open of a document that is open; who asks for all documents wants their totals. */
const amountOf = ({ openBalance, total }: Data, { kind, amount }: Row, isAboutOpen: boolean): Partial<Row> => {
  const own = kind === 'document' && !isAboutOpen && typeof openBalance === 'number' ? total : amount
  return typeof own === 'number' ? { amount: own } : {}
}

/** A record, or a report: its fields by name, and the rows of its list if it has one. */
export function plainFacts({ turn }: Talk, understood: Understood, output: Data): Facts {
  const field =
    'id' in output ? undefined : Object.keys(output).find((key) => key !== 'warnings' && isRows(output[key]))
  const fields = { ...withoutLists(part(output.totals)), ...withoutLists(output) }
  const facts = { ...about(understood), fields, today: turn.today }
  if (field === undefined) return { ...facts, listNames: [], isWhole: true }
  const rows = rowsIn(output, field).map((data) => ({ data, row: { name: String(data.name ?? '') } }))
  const { total = 0 } = part(output.pagination) as { total?: number }
  // which rows a condition keeps is known for lists only
  const isWhole = total <= rows.length && !isNarrowed(understood)
  const [one, ...others] = rows
  return { ...facts, rows, ...(one && others.length === 0 && isWhole && { one }), listNames: [field], isWhole }
}

const isRows = (value: unknown) =>
  Array.isArray(value) && value.every((each) => typeof each === 'object' && each !== null)
const part = (value: unknown): Data => (typeof value === 'object' && value !== null ? (value as Data) : {})
const withoutLists = (data: Data): Data =>
  Object.fromEntries(Object.entries(data).filter(([, value]) => !Array.isArray(value)))
