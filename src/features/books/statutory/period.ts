import { invalid } from '../../../core/define/failure.ts'
import { Type } from '../../../core/define/schema.ts'
import { addDays, addMonths, monthOf, today } from '../../../core/values/day.ts'
import { requiredDay } from '../../../ledger/organization-context.ts'
import { type ReportContext, ReportDay } from '../reports/report-context.ts'
import type { StatutoryFile } from './statutory-file.ts'

export type Period = { from: string; to: string }

/** Refuses days that the file cannot cover: some files are of a whole month, quarter or year. */
export function requirePeriod(period: StatutoryFile['period'], { from, to }: Period): void {
  if (period === 'any') return
  const { lengths, words } = wholes[period]
  const starts = from.endsWith('-01') && (Number(from.slice(5, 7)) - 1) % (period === 'months' ? 1 : lengths[0]) === 0
  const ends = lengths.some((months) => addDays(addMonths(from, months), -1) === to)
  if (!starts || !ends)
    throw invalid(starts ? 'to' : 'from', `The file is of ${words}, such as ${exampleOf(period, from)}.`)
}

const wholes = {
  month: { lengths: [1], words: 'one whole month' },
  months: { lengths: [1, 2], words: 'one or two whole months' },
  quarter: { lengths: [3], words: 'one whole quarter' },
  year: { lengths: [12], words: 'one whole calendar year' },
} as const

function exampleOf(period: keyof typeof wholes, day: string): string {
  const { lengths } = wholes[period]
  const month = Number(day.slice(5, 7)) - ((Number(day.slice(5, 7)) - 1) % lengths[0])
  const first = `${day.slice(0, 4)}-${String(month).padStart(2, '0')}-01`
  return `${first} to ${addDays(addMonths(`${monthOf(first)}-01`, lengths[0]), -1)}`
}

/** The fields of a period: `quarter`, or `from` and `to`. */
export const periodFields = {
  quarter: Type.Optional(
    Type.String({
      pattern: '^\\d{4}-?Q[1-4]$',
      description: 'A quarter of a calendar year. Without it and without days it is the last quarter that has ended.',
      examples: ['2026-Q1'],
    }),
  ),
  from: Type.Optional(ReportDay),
  to: Type.Optional(ReportDay),
}

type Given = { quarter?: string | undefined; from?: string | undefined; to?: string | undefined }

/**
 * The days of the quarter, or of `from` and `to`; days win over the quarter. Without any of them it is the last quarter that has ended: the
 * one that is to be filed.
 */
export function periodOf({ quarter, ...days }: Given, organization: ReportContext, now: Date): Period {
  const isEmpty = days.from === undefined && days.to === undefined
  const named = quarter ?? (isEmpty ? quarterBefore(today(now, organization.timezone)) : undefined)
  const ofQuarter = named === undefined ? undefined : daysOf(named)
  const first = days.from ?? ofQuarter?.from
  const last = days.to ?? ofQuarter?.to
  if (first === undefined) throw invalid('from', 'Give from together with to, or quarter.')
  if (last === undefined) throw invalid('to', 'Give to together with from, or quarter.')
  const [from, to] = [requiredDay('from', first, organization), requiredDay('to', last, organization)]
  if (to < from) throw invalid('to', 'to is before from.')
  return { from, to }
}

/** The last quarter that has ended on a day. */
function quarterBefore(day: string): string {
  const before = addMonths(`${day.slice(0, 7)}-01`, -3)
  return `${before.slice(0, 4)}-Q${Math.ceil(Number(before.slice(5, 7)) / 3)}`
}

function daysOf(quarter: string): Period {
  const [year, number] = [quarter.slice(0, 4), Number(quarter.slice(-1))]
  const from = `${year}-${String(number * 3 - 2).padStart(2, '0')}-01`
  return { from, to: addDays(addMonths(from, 3), -1) }
}
