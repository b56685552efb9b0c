import { addDays } from '../../shown.tsx'

export type Period = { from: string; to: string }

/** How long a period is, in months. */
export const lengths = { month: 1, months: 2, quarter: 3, year: 12 } as const
export type Length = keyof typeof lengths

/** Whole periods of a length that ended before a day, the last one first. They begin in January and every so many months. */
export function endedPeriods(length: Length, day: string, count: number): Period[] {
  const months = lengths[length]
  const [year = 0, month = 1] = day.split('-').map(Number)
  const begun = year * 12 + (month - 1) - ((month - 1) % months)
  return Array.from({ length: count }, (_, at) => {
    const first = begun - months * (at + 1)
    return { from: firstDay(first), to: addDays(firstDay(first + months), -1) }
  })
}

const firstDay = (months: number) => `${Math.floor(months / 12)}-${String((months % 12) + 1).padStart(2, '0')}-01`

/** Which periods a file is offered for, by what it may cover; the usual one first. */
export function periodsFor(file: string, covers: string, day: string): { length: Length; period: Period }[] {
  return offered(file, covers).flatMap(([length, count]) =>
    endedPeriods(length, day, count).map((period) => ({ length, period })),
  )
}

type Offered = readonly (readonly [Length, number])[]

function offered(file: string, covers: string): Offered {
  if (covers === 'month') return [['month', 12]]
  if (covers === 'months')
    return [
      ['month', 12],
      ['months', 6],
    ]
  if (covers === 'quarter') return [['quarter', 8]]
  if (covers === 'year') return [['year', 5]]
  const any: Offered = [
    ['quarter', 4],
    ['year', 3],
    ['month', 6],
  ]
  const usual = usualLengths[file]
  return usual ? [...any].sort(([a], [b]) => Number(b === usual) - Number(a === usual)) : any
}

/** Of files that may be of any days: what is asked for most. */
const usualLengths: Record<string, Length> = { 'il-uniform-file': 'year', 'il-withholding-summary': 'month' }
