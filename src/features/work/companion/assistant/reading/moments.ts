import { daySpan, type Unit, unitSpan } from './calendar.ts'
import { type Around, type Hint, type Moment, type Reader, readNamedDate, readNumericDate } from './dates.ts'
import { readFeast } from './feasts.ts'
import { readMonth, readPart, readSeason, readWeekday, readYear } from './named-times.ts'
import {
  readAgo,
  readFirstMonths,
  readHebrewRolling,
  readHebrewUnit,
  readRolling,
  readToDate,
  readTwoMonths,
  readUnit,
  readWord,
  stepWords,
  unitNamed,
} from './relative-times.ts'
import { afterPrefix, isHebrew, isOneOf, setOf, type Token } from './words.ts'

/** The day, week, month or other time that is named from this token on, such as yesterday, 3.4.26, Q3 or end of March. */
export function readMoment(tokens: readonly Token[], at: number, around: Around, hint: Hint = {}): Moment | undefined {
  let place = afterPrefix(tokens, at)
  const isPrefixed = place > at
  if (/^(the|in|on|during)$/.test(tokens[place]?.text ?? '')) place++
  if (tokens[place]?.text === 'the') place++
  const given = isPrefixed ? { ...hint, isExpected: true } : hint
  for (const read of readers) {
    const moment = read(tokens, place, around, given)
    if (moment) return moment
  }
  return undefined
}

/** End of March, beginning of the year, סוף החודש, month end. */
const readEdge: Reader = (tokens, at, around, hint) => {
  if (hint.isEdge) return undefined
  const [first, second] = [tokens[at], tokens[at + 1]]
  if (/^(month|year|quarter|week)$/.test(first?.text ?? '') && second?.text === 'end') {
    const named = readMoment(tokens, at + 2, around, { ...hint, isEdge: true }) // year end 2025
    return { span: daySpan(named?.span.to ?? unitSpan(first?.text as Unit, 0, around).to), end: named?.end ?? at + 2 }
  }
  const isStart = isOneOf(first, starts)
  if (!isStart && !isOneOf(first, ends)) return undefined
  let place = at + 1
  while (/^(of|the|של)$/.test(tokens[place]?.text ?? '')) place++
  const unit = unitNamed(tokens[place])
  const moment =
    readMoment(tokens, place, around, { ...hint, isEdge: true }) ??
    (unit && { span: unitSpan(unit, 0, around), end: place + 1 })
  return moment && { span: daySpan(isStart ? moment.span.from : moment.span.to), end: moment.end }
}
const starts = setOf('beginning start תחילת ראשית')
const ends = setOf('end סוף')

/** Last March, next Friday, this summer. */
const readStepped: Reader = (tokens, at, around, hint) => {
  const word = tokens[at]?.text ?? ''
  if (!stepWords.has(word) || isHebrew(word)) return undefined
  const named = [readFeast, readMonth, readSeason, readWeekday]
  return named.map((read) => read(tokens, at + 1, around, hint)).find((moment) => moment !== undefined)
}

/** In the order in which they are tried: the first that can read the words is right. */
const readers: readonly Reader[] = [
  readFeast, readTwoMonths, readFirstMonths, readToDate, readWord, readNumericDate, readNamedDate, readAgo, readRolling, readHebrewRolling, readPart, readUnit, readHebrewUnit,
  readStepped, readEdge, readMonth, readSeason, readWeekday, readYear,
] // biome-ignore format: a list of functions
