import { addDays } from '../../../../../core/values/day.ts'
import {
  daySpan,
  halfSpan,
  monthNamed,
  monthSpan,
  monthsSpan,
  quarterSpan,
  type Span,
  seasonNamed,
  weekdayOf,
  weekdays,
  yearOf,
  yearSpan,
} from './calendar.ts'
import { type Around, type Hint, isMoney, type Moment, nearest, type Reader, withYear } from './dates.ts'
import { ordinals, stepWords, unitNamed } from './relative-times.ts'
import { isHebrew, isOneOf, lookUp, setOf, type Token } from './words.ts'

// Times that have a name: quarters, months, seasons, days of the week, years.

/** Q3 2025, third quarter, רבעון שלישי, H1, המחצית הראשונה. */
export const readPart: Reader = (tokens, at, around, hint) => {
  const part = lettered(tokens, at) ?? ordered(tokens, at)
  if (!part || !Number.isInteger(part.number) || part.number < 1 || part.number > (part.isHalf ? 2 : 4))
    return undefined
  const span = part.isHalf ? halfSpan : quarterSpan
  return withYear(tokens, part.end, (year) => span(year, part.number), around, hint)
}

type Part = { number: number; isHalf: boolean; end: number }

function lettered(tokens: readonly Token[], at: number): Part | undefined {
  const [letter, number] = [tokens[at], tokens[at + 1]]
  if (!/^[qh]$/.test(letter?.text ?? '') || number?.kind !== 'number' || !number.isGlued) return undefined
  return { number: Number(number.text), isHalf: letter?.text === 'h', end: at + 2 }
}

function ordered(tokens: readonly Token[], at: number): Part | undefined {
  const [first, second, third] = [tokens[at], tokens[at + 1], tokens[at + 2]]
  const isHalf = (token: Token | undefined) => isOneOf(token, halves)
  const isPart = (token: Token | undefined) => unitNamed(token) === 'quarter' || isHalf(token)
  const spoken = first && first.text !== 'last' ? ordinals.get(first.text) : undefined
  if (spoken && isPart(second)) return { number: spoken, isHalf: isHalf(second), end: at + 2 }
  if (first?.kind === 'number' && second?.isGlued && /^(st|nd|rd|th)$/.test(second.text) && isPart(third))
    return { number: Number(first.text), isHalf: isHalf(third), end: at + 3 }
  if (!isPart(first)) return undefined
  const number = second?.kind === 'number' && second.text.length === 1 ? Number(second.text) : lookUp(second, ordinals)
  if (number === undefined || second?.text === 'last') return undefined
  return { number, isHalf: isHalf(first), end: at + (third?.text === "'" && third.isGlued ? 3 : 2) }
}
const halves = setOf('half מחצית חציון חצי')

/** March, March 2025, last March, month of March, מרץ שעבר. */
export const readMonth: Reader = (tokens, at, around, hint) => {
  const month = monthNamed(tokens[at])
  if (month && !isVerb(tokens, at)) return stepped(tokens, at, (year) => monthSpan(year, month), around, hint)
  if (unitNamed(tokens[at]) !== 'month') return undefined
  const name = tokens[at + 1]?.text === 'of' ? at + 2 : at + 1
  const named = monthNamed(tokens[name])
  return named ? stepped(tokens, name, (year) => monthSpan(year, named), around, hint) : undefined
}

/** "It may" and "may I" are no months; in May, May 2025 and last May are. */
function isVerb(tokens: readonly Token[], at: number): boolean {
  if (tokens[at]?.text !== 'may') return false
  if (/^20\d\d$/.test(tokens[at + 1]?.text ?? '')) return false
  return !(monthly.has(tokens[at - 1]?.text ?? '') || (tokens[at]?.isCapital && at > 0) || tokens.length === 1)
}
const monthly = setOf(
  'in of for since from to until till by last next this during and between through before after month -',
)

export const readSeason: Reader = (tokens, at, around, hint) => {
  const month = seasonNamed(tokens[at])
  if (!month || isOtherWord(tokens, at)) return undefined
  return stepped(tokens, at, (year) => monthsSpan('season', year, month, 3), around, hint)
}

/** "Fall due", a spring and Tel Aviv are no seasons. */
function isOtherWord(tokens: readonly Token[], at: number): boolean {
  const [word, before] = [tokens[at]?.text ?? '', tokens[at - 1]?.text ?? '']
  if (word === 'אביב') return !/^(מאז|עד|אחרי|לפני)$/.test(before)
  return /^(fall|spring)$/.test(word) && !monthly.has(before) && before !== 'the'
}

/** A yearly moment with last or next before it, שעבר or הבא or a year after it. */
function stepped(
  tokens: readonly Token[],
  at: number,
  inYear: (year: number) => Span,
  around: Around,
  hint: Hint,
): Moment | undefined {
  const before = tokens[at - 1]?.text ?? ''
  const behind = tokens[at + 1]?.text ?? ''
  const said = isHebrew(before) ? undefined : stepWords.get(before)
  const trailing = isHebrew(behind) ? stepWords.get(behind) : undefined
  const step = said ?? trailing
  const end = at + (said === undefined && trailing !== undefined ? 2 : 1)
  if (step === undefined) return withYear(tokens, at + 1, inYear, around, hint)
  const { today } = around
  if (step === 0) return { span: inYear(yearOf(today)), end }
  if (step > 0) {
    const found = nearest((year) => (inYear(year).from > today ? inYear(year) : undefined), today, true)
    return found && { span: found, end }
  }
  const found = nearest((year) => (inYear(year).to < today ? inYear(year) : undefined), today)
  return found && { span: found, end }
}

/** Friday, next Monday, ביום ראשון, יום שני הבא. */
export const readWeekday: Reader = (tokens, at, { today }, hint) => {
  const token = tokens[at]
  const isHebrewDay = token?.forms.includes('יום') ?? false
  const name = isHebrewDay ? tokens[at + 1] : token
  const weekday = isHebrewDay ? lookUp(name, weekdays) : weekdayAlone(token, tokens[at - 1], hint)
  if (weekday === undefined) return undefined
  const end = isHebrewDay ? at + 2 : at + 1
  const behind = isHebrew(tokens[end]?.text ?? '') ? stepWords.get(tokens[end]?.text ?? '') : undefined
  const step = behind ?? (isHebrewDay ? undefined : stepWords.get(tokens[at - 1]?.text ?? ''))
  const ahead = (weekday - weekdayOf(today) + 7) % 7
  const there = { end: end + (behind === undefined ? 0 : 1) }
  const inDays = (days: number) => daySpan(addDays(today, days))
  if (step === -1) return { span: inDays(ahead === 0 ? -7 : ahead - 7), ...there }
  if (step === 1) return { span: inDays(ahead || 7), ...there }
  if (step === 0 || hint.isFuture || ahead === 0) return { span: inDays(ahead), ...there }
  return { span: inDays(ahead - 7), next: inDays(ahead), ...there }
}

function weekdayAlone(token: Token | undefined, before: Token | undefined, hint: Hint): number | undefined {
  if (token?.kind !== 'word') return undefined
  if (token.text === 'השבת' && before === undefined) return undefined // השבת את האוטומציה: a command
  if (isHebrew(token.text)) return token.forms.includes('שבת') ? 6 : undefined
  const weekday = weekdays.get(token.text)
  const isShort = token.text.length <= 5
  return isShort && !hint.isExpected && !/^(on|by|next|last|this|until|till)$/.test(before?.text ?? '')
    ? undefined
    : weekday
}

/** 2025, FY2025, שנת 2025. Numbers that are no likely year are amounts. */
export const readYear: Reader = (tokens, at, { today }) => {
  const isNamed = /^(fy|year)$/.test(tokens[at]?.text ?? '') || (tokens[at]?.forms.includes('שנת') ?? false)
  const place = isNamed ? at + 1 : at
  const token = tokens[place]
  const short = isNamed && tokens[at]?.text === 'fy' && /^\d\d$/.test(token?.text ?? '')
  if (token?.kind !== 'number' || !(short || /^(19|20)\d\d$/.test(token.text))) return undefined
  const year = short ? 2000 + Number(token.text) : Number(token.text)
  if (!isNamed && !isLikelyYear(tokens, place, yearOf(today))) return undefined
  return { span: yearSpan(year), end: place + 1 }
}

function isLikelyYear(tokens: readonly Token[], at: number, thisYear: number): boolean {
  const [token, before, next] = [tokens[at], tokens[at - 1], tokens[at + 1]]
  const year = Number(token?.text)
  if (year < thisYear - 15 || year > thisYear + 4 || isMoney(next) || isMoney(before)) return false
  if (next?.isGlued && (next.kind !== 'sign' || /^[%/]$/.test(next.text))) return false
  if (token?.isGlued && before && (before.kind === 'word' ? !isHebrew(before.text) : /^[#$₪€£+/]$/.test(before.text)))
    return false
  return !/^(than|over|above|under|below|least|most|מעל|לפחות|מתחת|יותר|פחות|>|<)$/.test(before?.text ?? '')
}
