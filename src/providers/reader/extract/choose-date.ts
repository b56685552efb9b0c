import type { Hints } from '../reading.ts'
import type { ReadRow } from './figures.ts'
import { datesIn, type FoundDate } from './text/dates.ts'
import { boxOf, isBeside, wordsAbove } from './text/rows.ts'

export type ChosenDate = {
  value: string
  date: FoundDate
  score: number
  /** How the order of day and month is known. */
  order: 'print' | 'document' | 'country'
  label: 'date' | 'time' | 'none'
  /** Whether another date of the document is about as likely. */
  isRivalled: boolean
}

type Scored = { date: FoundDate; row: ReadRow; kind: 'date' | 'due' | 'other'; score: number; hasLabel: boolean }

export function findDates(
  rows: readonly ReadRow[],
  hints: Hints,
  monthFirst: boolean,
): { date: ChosenDate | undefined; due: ChosenDate | undefined } {
  const wrapped = rows.flatMap((row) => wrappedDates(row, rows.slice(row.index + 1, row.index + 3)))
  const dates = [...rows.flatMap((row) => row.dates), ...wrapped]
  const order = orderOf(dates, monthFirst, hints.today)
  const scored = rows.flatMap((row) =>
    [...row.dates, ...wrapped.filter((date) => date.row === row.index)].map((date) =>
      scoreOf(date, row, rows, order, hints),
    ),
  )
  const choose = (list: readonly Scored[]): ChosenDate | undefined => {
    const sorted = [...list].sort((a, b) => b.score - a.score)
    const best = sorted[0]
    const value = best && dayOf(best.date, order)
    if (!best || !value) return undefined
    const rival = sorted.find((other) => dayOf(other.date, order) !== value)
    const label = best.hasLabel ? 'date' : best.date.hasTime ? 'time' : 'none'
    return {
      value,
      date: best.date,
      score: best.score,
      order: isSettled(best.date) ? 'print' : order.source,
      label,
      isRivalled: rival !== undefined && best.score - rival.score < 1.5,
    }
  }
  const ordinary = scored.filter(({ kind, score }) => kind !== 'due' && score > -3)
  const date = choose(ordinary) ?? choose(scored.filter(({ kind }) => kind !== 'due'))
  const due = choose(scored.filter(({ kind }) => kind === 'due'))
  return { date: date ?? due, due: date ? due : undefined }
}

type Order = { monthFirst: boolean; source: 'document' | 'country' }

const isSettled = ({ dayFirst, monthFirst }: FoundDate): boolean =>
  dayFirst === null || monthFirst === null || dayFirst === monthFirst

const dayOf = ({ dayFirst, monthFirst }: FoundDate, order: Order): string | null =>
  order.monthFirst ? (monthFirst ?? dayFirst) : (dayFirst ?? monthFirst)

/** A date with a part above 12 settles the order for all dates of the document, and so does one that would lie in the future. */
function orderOf(dates: readonly FoundDate[], monthFirst: boolean, today: string): Order {
  const votes = { day: 0, month: 0 }
  for (const date of dates) {
    if (date.dayFirst === date.monthFirst) continue
    if (date.monthFirst === null) votes.day += 2
    else if (date.dayFirst === null) votes.month += 2
    else if (date.dayFirst > today && date.monthFirst <= today) votes.month += 1
    else if (date.monthFirst > today && date.dayFirst <= today) votes.day += 1
  }
  if (votes.day !== votes.month) return { monthFirst: votes.month > votes.day, source: 'document' }
  return { monthFirst, source: 'country' }
}

function scoreOf(date: FoundDate, row: ReadRow, rows: readonly ReadRow[], order: Order, { today }: Hints): Scored {
  const value = dayOf(date, order) ?? ''
  const label = labelFor(date, row, rows)
  let score = label.kind === 'date' && label.isFound ? 3 : 0
  if (date.hasTime) score += 2
  if (date.isWeak) score -= 1.5
  if (label.kind === 'other') score -= 5
  if (!label.isFound && row.amounts.some(({ decimals, isPercent }) => decimals === 2 && !isPercent)) score -= 2
  if (value > today && label.kind !== 'due') score -= 5
  if (value < `${Number(today.slice(0, 4)) - 15}`) score -= 4
  score -= row.index / Math.max(1, rows.length) / 2
  return { date, row, kind: label.kind, score, hasLabel: label.isFound && label.kind === 'date' }
}

/** The last label of a date before it in the row, or in the row above in the same column. */
function labelFor(date: FoundDate, row: ReadRow, rows: readonly ReadRow[]): { kind: Scored['kind']; isFound: boolean } {
  const kinds = { date: 'date', dueDate: 'due', otherDate: 'other' } as const
  const isDateLabel = (kind: string): kind is keyof typeof kinds => kind in kinds
  const own = row.labels.filter((label) => isDateLabel(label.kind) && label.end <= date.start).at(-1)
  if (own && isDateLabel(own.kind)) return { kind: kinds[own.kind], isFound: true }
  const before = rows[row.index - 1]
  if (before && isBeside(before, row) && before.dates.length === 0) {
    const last = before.labels.filter(({ kind }) => isDateLabel(kind)).at(-1)
    if (last && isDateLabel(last.kind)) return { kind: kinds[last.kind], isFound: true }
  }
  const above = wordsAbove(rows, row, boxOf(row, date.start, date.end))
  const isOfTable = above?.row.labels.some(({ kind }) => kind === 'quantity' || kind === 'amount')
  const isInside = ({ start, end }: { start: number; end: number }) =>
    above !== undefined && start < above.end && above.start < end
  if (!above || isOfTable || above.row.dates.some(isInside)) return { kind: 'date', isFound: false }
  const label = above.row.labels.filter((one) => isDateLabel(one.kind) && isInside(one)).at(-1)
  return label && isDateLabel(label.kind)
    ? { kind: kinds[label.kind], isFound: true }
    : { kind: 'date', isFound: false }
}

/** A date that begins at the end of a row or column and goes on below: 10 / September 2024. */
function wrappedDates(row: ReadRow, below: readonly ReadRow[]): FoundDate[] {
  if (row.dates.length > 0) return []
  return row.segments.flatMap((segment) => {
    if (!/(?:^| )(?:[0-9]{1,2}|[A-Za-z]{3,9} [0-9]{1,2},?|[0-9]{1,2} [A-Za-zא-ת]{3,9})$/.test(segment.text)) return []
    const next = below
      .filter(({ page, box }) => page === row.page && box.y - (row.box.y + row.box.height) < row.box.height)
      .flatMap(({ segments }) => segments)
      .find(({ box }) => box.x < segment.box.x + segment.box.width && segment.box.x < box.x + box.width)
    const text = `${segment.text} ${next?.text ?? ''}`
    return datesIn({ text, index: row.index })
      .filter(({ start, end }) => next && start < segment.text.length && end > segment.text.length)
      .map((date) => ({ ...date, start: segment.start + date.start, end: segment.end }))
  })
}
