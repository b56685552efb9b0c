import { fitOfWords } from '../../../../../core/names/names.ts'
import { addDays } from '../../../../../core/values/day.ts'
import { add, toMajor, toMinor } from '../../../../../core/values/money.ts'
import type { ToolResult } from '../../turns/assistant.ts'
import { call, type Steps, type Talk } from '../talk.ts'
import type { RecordKind, Then, Understood } from '../understood.ts'
import type { Noun } from '../words/nouns.ts'

/** Rows of lists: read over all pages where that is needed, kept, ordered and added up. */

export type Data = Record<string, unknown>

/** A row of a list as it is told. */
export type Row = {
  kind?: RecordKind
  id?: string
  name: string
  amount?: number
  currency?: string
  /** The day that it is ordered by. */
  date?: string
  /** What of it is still owed, and until when, if that is known. */
  open?: number
  dueDate?: string
  /** The status for which the amount is not part of a sum: a rejected expense was not spent. */
  uncounted?: string
  /** Who entered it, and whose claim it is. */
  people?: readonly string[]
  /** What follows the amount, such as a day or a status. */
  more?: readonly string[]
}

export type Page = { rows: Data[]; total: number; isCut: boolean }

/** At most this many rows are read for one answer. */
const [pageRows, pagesMax] = [100, 10]

type Failed = Extract<ToolResult, { ok: false }>

/** How the rows of a list are told. */
export type ListView = {
  /** The field of the answer with the rows. */
  field: string
  noun: Noun
  row(data: Data, talk: Talk): Row
  /** Rows that are told; all unless given. */
  keeps?(data: Data, talk: Talk): boolean
  /** Whether the amounts have a sum that means something; unless false. */
  isAddedUp?: boolean
  /** What is said if there are none. */
  none?(talk: Talk): string
  /** What is said before the rows: "5 invoices are overdue." */
  heading?(count: number, talk: Talk): string
}

/** The rows of a list: the first page, or all of them if the answer needs all; bounded, and `isCut` says when it stopped. */
export async function* readRows(
  talk: Talk,
  { tool, input, also = [] }: Pick<Understood, 'tool' | 'input' | 'also'>,
  { field, all, shown }: { field: string; all: boolean; shown: number },
): Steps<Page | Failed> {
  const whole: Page = { rows: [], total: 0, isCut: false }
  for (const more of [{}, ...also]) {
    const read = yield* readPages(
      talk,
      tool,
      { ...input, ...more },
      { field, limit: all ? pageRows : shown + 1, pages: all ? pagesMax : 1 },
    )
    if ('ok' in read) return read
    whole.rows.push(...read.rows)
    whole.total += read.total
    whole.isCut ||= all && read.isCut
  }
  return whole
}

type Reading = { field: string; limit: number; pages: number }

async function* readPages(
  talk: Talk,
  tool: string,
  input: Data,
  { field, limit, pages }: Reading,
): Steps<Page | Failed> {
  const hasPages = takesPages(talk, tool)
  const rows: Data[] = []
  for (let page = 1; ; page++) {
    const paging = hasPages ? { limit, ...(page > 1 && { page }) } : {}
    const result = yield* call(talk, tool, { ...input, ...paging })
    if (!result.ok) return result
    const output = result.output as Data
    rows.push(...rowsIn(output, field))
    const { total = rows.length, totalPages = 1 } = (output.pagination ?? {}) as { total?: number; totalPages?: number }
    if (page >= totalPages || page >= pages) return { rows, total, isCut: page < totalPages }
  }
}

export const rowsIn = (output: Data, field: string): Data[] => {
  const rows = output[field]
  return Array.isArray(rows) ? (rows as Data[]) : []
}

const takesPages = ({ turn }: Talk, tool: string) =>
  turn.tools.some(({ name, input }) => name === tool && 'limit' in input.properties && 'page' in input.properties)

/** Whether a page does not do, because rows are left out, ordered or added up. */
export const needsAll = (then: Then = {}): boolean =>
  Object.entries(then).some(
    ([what, value]) => value !== undefined && value !== false && !['count', 'first'].includes(what),
  )

/** Keeps and orders rows as was asked. */
export function applyThen(rows: readonly Row[], then: Then = {}, today = ''): Row[] {
  const kept = rows.filter(
    (row) =>
      (then.currency === undefined || row.currency === then.currency) &&
      keepsPerson(row, then) &&
      keepsAmount(row, then) &&
      keepsDay(row, then) &&
      keepsDue(row, then, today),
  )
  const by = then.order && orders[then.order]
  const ordered = by ? kept.toSorted(by) : kept
  return then.first === undefined ? ordered : ordered.slice(0, then.first)
}

const isNamed = (wanted: string, name: string) => ['same', 'part', 'close'].includes(fitOfWords(wanted, name))

const keepsPerson = ({ people = [] }: Row, { person }: Then): boolean =>
  person === undefined || people.some((name) => isNamed(person, name))

function keepsAmount({ amount, name }: Row, { atLeast, atMost, over, under, name: wanted }: Then): boolean {
  if (wanted !== undefined && !isNamed(wanted, name)) return false
  if (atLeast === undefined && atMost === undefined && over === undefined && under === undefined) return true
  if (amount === undefined) return false
  return (
    (atLeast === undefined || amount >= atLeast) &&
    (atMost === undefined || amount <= atMost) &&
    (over === undefined || amount > over) &&
    (under === undefined || amount < under)
  )
}

const keepsDay = ({ date = '' }: Row, { from, to }: Then): boolean =>
  (from === undefined || date >= from) && (to === undefined || (date !== '' && date.slice(0, 10) <= to))

function keepsDue(
  { open, dueDate }: Row,
  { open: isOpen, overdue, overdueDays, dueDays }: Then,
  today: string,
): boolean {
  if ((isOpen || overdue || overdueDays !== undefined || dueDays !== undefined) && open === 0) return false
  if (overdue || overdueDays !== undefined)
    return dueDate !== undefined && dueDate !== '' && dueDate < addDays(today, -Math.max((overdueDays ?? 1) - 1, 0))
  if (dueDays !== undefined) return dueDate !== undefined && dueDate >= today && dueDate <= addDays(today, dueDays)
  return true
}

const orders: Record<NonNullable<Then['order']>, (one: Row, other: Row) => number> = {
  largest: (one, other) => (other.amount ?? 0) - (one.amount ?? 0),
  smallest: (one, other) => (one.amount ?? 0) - (other.amount ?? 0),
  newest: (one, other) => (other.date ?? '').localeCompare(one.date ?? ''),
  oldest: (one, other) => (one.date ?? '').localeCompare(other.date ?? ''),
}

/** The sums of each month, the latest first; of several currencies each one. */
export function monthlyRows(rows: readonly Row[], monthName: (month: string) => string): Row[] {
  const months = [...new Set(rows.map(({ date = '' }) => date.slice(0, 7)))].toSorted().toReversed()
  return months.flatMap((month) =>
    sumsOf(rows.filter(({ date = '' }) => date.startsWith(month))).map(({ currency, amount, count }) => ({
      name: monthName(month),
      amount,
      currency,
      date: month,
      more: count > 1 ? [`× ${count}`] : [],
    })),
  )
}

/** The sums of rows, one for each currency: amounts of different currencies are never added up. */
export function sumsOf(rows: readonly Row[]): { currency: string; amount: number; count: number }[] {
  const byCurrency = new Map<string, bigint[]>()
  for (const { amount, currency } of rows) {
    if (amount === undefined || currency === undefined) continue
    const parsed = toMinor(amount, currency)
    if (parsed.kind !== 'too-large') byCurrency.set(currency, [...(byCurrency.get(currency) ?? []), parsed.minor])
  }
  return [...byCurrency].map(([currency, minors]) => ({
    currency,
    amount: toMajor(add(minors), currency),
    count: minors.length,
  }))
}
