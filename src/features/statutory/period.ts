import { invalid } from '../../core/define/failure.ts'
import { addDays, addMonths, monthOf } from '../../core/values/day.ts'
import type { StatutoryFile } from './statutory-file.ts'

/** Refuses days that the file cannot cover: some files are of a whole month, quarter or year. */
export function requirePeriod(period: StatutoryFile['period'], { from, to }: { from: string; to: string }): void {
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
