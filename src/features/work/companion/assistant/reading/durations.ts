import type { Unit } from './calendar.ts'
import { units } from './calendar.ts'
import { type Counted, readCount } from './relative-times.ts'
import { isOneOf, lookUp, type Sentence, setOf, take } from './words.ts'

/** A length of time, such as "in 30 days" or "older than 60 days". */
export type Duration = {
  days: number
  count: number
  unit: Unit
  /** `within` and `in` look ahead, `over` and `under` compare, `every` repeats. */
  meaning: 'in' | 'within' | 'over' | 'under' | 'every' | 'plain'
  /** Terms of payment: net 30, שוטף + 30. */
  isTerms?: true
  /** For terms of payment that count from the end of the month: שוטף + 30. */
  isFromMonthEnd?: true
  start: number
  end: number
}

export function readDurations(sentence: Sentence): Duration[] {
  const { tokens, taken } = sentence
  const found: Duration[] = []
  for (let at = 0; at < tokens.length; at++) {
    if (taken[at]) continue
    const terms = termsAt(sentence, at)
    const counted = terms ?? countedAt(sentence, at)
    if (!counted) continue
    const { count, unit, end } = counted
    const more = terms ? { isTerms: true as const, ...(terms.isFromMonthEnd && { isFromMonthEnd: true as const }) } : {}
    const meaning = terms ? 'plain' : meaningOf(sentence, at)
    found.push({ days: count * daysIn[unit], count, unit, meaning, ...more, ...take(sentence, at, end) })
    at = end - 1
  }
  return found
}

const daysIn: Record<Unit, number> = { day: 1, week: 7, month: 30, quarter: 91, half: 182, year: 365 }

/** A unit alone is a length after words such as within: בעוד שבוע, every month. */
function countedAt(sentence: Sentence, at: number): Counted | undefined {
  const { tokens } = sentence
  const counted = readCount(tokens, at)
  if (counted) return counted
  const unit = lookUp(tokens[at], units)
  const before = tokens[at - 1]
  if (
    !unit ||
    !(
      isOneOf(before, within) ||
      isOneOf(before, every) ||
      isOneOf(before, over) ||
      isOneOf(before, aheadHebrew) ||
      (isOneOf(before, more) && /^מ/.test(tokens[at]?.text ?? ''))
    )
  )
    return undefined
  return { count: 1, unit, end: at + 1 }
}

/** Net 30, שוטף + 60, שוטף פלוס 60. */
function termsAt({ tokens }: Sentence, at: number): (Counted & { isFromMonthEnd: boolean }) | undefined {
  const isFromMonthEnd = tokens[at]?.forms.includes('שוטף') ?? false
  if (!isFromMonthEnd && tokens[at]?.text !== 'net') return undefined
  const place = /^([+-]|פלוס|ועוד)$/.test(tokens[at + 1]?.text ?? '') ? at + 2 : at + 1
  const text = tokens[place]?.text ?? ''
  if (tokens[place]?.kind !== 'number' || !/^\d{1,3}$/.test(text)) return undefined
  const end = lookUp(tokens[place + 1], units) === 'day' ? place + 2 : place + 1
  return { count: Number(text), unit: 'day', end, isFromMonthEnd }
}

const within = setOf('within תוך בתוך')
const aheadHebrew = setOf('בעוד עוד')
const ahead = setOf('in בעוד עוד')
const over = setOf('over above exceeding מעל לפחות')
const under = setOf('under below מתחת')
const every = setOf('every each כל')
const more = setOf('more older longer later greater least יותר ישן ישנות ישנים ותיק')
const less = setOf('less newer younger shorter fewer פחות')

function meaningOf({ tokens }: Sentence, at: number): Duration['meaning'] {
  const last = tokens[at - 1]
  const isThan = /^(than|מ|at|-)$/.test(last?.text ?? '') || /^מ/.test(tokens[at]?.text ?? '')
  const before =
    isThan && tokens[at - 1]?.text === '-'
      ? tokens[at - 3]
      : isThan && /^(than|מ|at)$/.test(last?.text ?? '')
        ? tokens[at - 2]
        : last
  if (isOneOf(last, within)) return 'within'
  if (isOneOf(last, ahead)) return 'in'
  if (isOneOf(last, every)) return 'every'
  if (isOneOf(last, over) || isOneOf(before, more) || isOneOf(last, more)) return 'over'
  if (isOneOf(last, under) || isOneOf(before, less)) return 'under'
  return 'plain'
}
