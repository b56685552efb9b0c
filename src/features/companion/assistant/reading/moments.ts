import { isTypo } from '../../../../core/search/words.ts'
import { addDays } from '../../../../core/values/day.ts'
import {
  after,
  daySpan,
  halfSpan,
  monthNamed,
  monthSpan,
  monthsSpan,
  pairs,
  quarterSpan,
  type Span,
  seasonNamed,
  type Unit,
  unitSpan,
  units,
  weekdayOf,
  weekdays,
  yearOf,
  yearSpan,
} from './calendar.ts'
import {
  type Around,
  type Hint,
  isMoney,
  type Moment,
  nearest,
  readNamedDate,
  readNumericDate,
  withYear,
} from './dates.ts'
import { readNumber } from './number-words.ts'
import { afterPrefix, isHebrew, isOneOf, lookUp, setOf, type Token } from './words.ts'

type Reader = (tokens: readonly Token[], at: number, around: Around, hint: Hint) => Moment | undefined

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

const lasting = setOf('last previous prior')
const current = setOf('this current')
const coming = setOf('next coming upcoming following')
const stepWords: ReadonlyMap<string, number> = new Map([
  ...[...lasting, 'past', ...'שעבר שעברה הקודם הקודמת האחרון האחרונה'.split(' ')].map((word) => [word, -1] as const),
  ...[...current, ...'הזה הזאת הזו הנוכחי הנוכחית'.split(' ')].map((word) => [word, 0] as const),
  ...[...coming, ...'הבא הבאה הקרוב הקרובה'.split(' ')].map((word) => [word, 1] as const),
])

const readWord: Reader = (tokens, at, { today }) => {
  const distance = tokens[at]?.kind === 'word' ? dayWord(tokens[at]) : undefined
  if (distance !== undefined) return { span: daySpan(addDays(today, distance)), end: at + 1 }
  const words = tokens.slice(at, at + 3).map(({ text }) => text)
  if (words.join(' ') === 'day before yesterday') return { span: daySpan(addDays(today, -2)), end: at + 3 }
  if (words.join(' ') === 'day after tomorrow') return { span: daySpan(addDays(today, 2)), end: at + 3 }
  if (words[0] === 'אשתקד') return { span: yearSpan(yearOf(today) - 1), end: at + 1 }
  return undefined
}

function dayWord(token: Token | undefined): number | undefined {
  const known = lookUp(token, dayWords)
  if (known !== undefined || !token) return known
  return [...dayWords].find(
    ([word]) => word.length >= 5 && word !== 'today' && isTypo(token.text, word) && token.text.length > 4,
  )?.[1]
}

const dayWords: ReadonlyMap<string, number> = new Map([
  ['today', 0], ['tonight', 0], ['now', 0], ['yesterday', -1], ['tomorrow', 1], ['tmrw', 1], ['tomorow', 1], ['היום', 0], ['אתמול', -1],
  ['שלשום', -2], ['מחר', 1], ['מחרתיים', 2],
]) // biome-ignore format: a table

const unitNamed = (token: Token | undefined): Unit | undefined =>
  lookUp(token, units) ?? (token && isTypo(token.text, 'quarter') ? 'quarter' : undefined)

/** This week, last month, next quarter; past month is the time up to today. */
const readUnit: Reader = (tokens, at, around) => {
  const step = stepWords.get(tokens[at]?.text ?? '')
  const unit = unitNamed(tokens[at + 1])
  if (step === undefined || !unit || isHebrew(tokens[at]?.text ?? '') || unit === 'day') return undefined
  const end = at + 2
  if (tokens[at]?.text !== 'past') return { span: unitSpan(unit, step, around), end }
  return { span: { kind: 'range', from: after(around.today, -1, unit), to: around.today }, end }
}

/** החודש, בשבוע שעבר, הרבעון האחרון. */
const readHebrewUnit: Reader = (tokens, at, around) => {
  const token = tokens[at]
  const unit = unitNamed(token)
  if (!token || !unit || unit === 'day' || !isHebrew(token.text) || pairs.has(token.forms.at(-1) ?? ''))
    return undefined
  const step = isHebrew(tokens[at + 1]?.text ?? '') ? stepWords.get(tokens[at + 1]?.text ?? '') : undefined
  if (step !== undefined) return { span: unitSpan(unit, step, around), end: at + 2 }
  const isThis = token.forms.some((form) => /^ה(שבוע|חודש|רבעון|שנה)$/.test(form))
  return isThis && !isOrdinal(tokens[at + 1]) && !monthNamed(tokens[at + 1])
    ? { span: unitSpan(unit, 0, around), end: at + 1 }
    : undefined
}

/** Last 30 days, past two weeks, next 3 months. */
const readRolling: Reader = (tokens, at, { today }) => {
  const step = stepWords.get(tokens[at]?.text ?? '')
  if (!step || isHebrew(tokens[at]?.text ?? '')) return undefined
  const counted = readCount(tokens, at + 1)
  return counted && rolling(today, step, counted)
}

/** 30 הימים האחרונים, שבועיים האחרונים, שלושת החודשים הבאים. */
const readHebrewRolling: Reader = (tokens, at, { today }) => {
  const counted = readCount(tokens, at)
  const word = tokens[counted?.end ?? at]?.text ?? ''
  const step = /^ה?(אחרונים|אחרונות)$/.test(word) ? -1 : /^ה?(באים|באות|קרובים|קרובות)$/.test(word) ? 1 : undefined
  return counted && step ? rolling(today, step, { ...counted, end: counted.end + 1 }) : undefined
}

function rolling(today: string, step: number, { count, unit, end }: Counted): Moment {
  const other = after(today, step * count, unit)
  return { span: { kind: 'range', from: step < 0 ? other : today, to: step < 0 ? today : other }, end }
}

export type Counted = { count: number; unit: Unit; end: number }

/** 30 days, two weeks, a month, שבועיים, שלושה חודשים. */
export function readCount(tokens: readonly Token[], at: number): Counted | undefined {
  const token = tokens[at]
  const unit = unitNamed(token)
  if (token && unit) {
    const isPair = token.forms.some((form) => pairs.has(form))
    return isPair ? { count: 2, unit, end: at + 1 } : undefined
  }
  const number = readNumber(tokens, afterPrefix(tokens, at))
  const end = number ? number.end : token?.text === 'a' || token?.text === 'an' || token?.text === 'one' ? at + 1 : at
  const place = /^(of|business|calendar|-)$/.test(tokens[end]?.text ?? '') ? end + 1 : end
  const counted = unitNamed(tokens[place])
  if (!counted || end === at) return undefined
  const count = number?.value ?? 1
  return Number.isInteger(count) && count >= 1 && count <= 3660 ? { count, unit: counted, end: place + 1 } : undefined
}

/** 3 days ago, לפני שבועיים. */
const readAgo: Reader = (tokens, at, around) => {
  const isBefore = tokens[at]?.forms.includes('לפני') ?? false
  const single = isBefore ? unitNamed(tokens[at + 1]) : undefined
  const counted = readCount(tokens, isBefore ? at + 1 : at) ?? (single && { count: 1, unit: single, end: at + 2 })
  if (!counted) return undefined
  if (!isBefore && tokens[counted.end]?.text !== 'ago') return undefined
  const there = { ...around, today: after(around.today, -counted.count, counted.unit) }
  return { span: unitSpan(counted.unit, 0, there), end: counted.end + (isBefore ? 0 : 1) }
}

/** End of March, beginning of the year, סוף החודש, month end. */
const readEdge: Reader = (tokens, at, around, hint) => {
  const [first, second] = [tokens[at], tokens[at + 1]]
  if (/^(month|year|quarter|week)$/.test(first?.text ?? '') && second?.text === 'end')
    return { span: daySpan(unitSpan(first?.text as Unit, 0, around).to), end: at + 2 }
  const isStart = isOneOf(first, starts)
  if (!isStart && !isOneOf(first, ends)) return undefined
  let place = at + 1
  while (/^(of|the|של)$/.test(tokens[place]?.text ?? '')) place++
  const unit = unitNamed(tokens[place])
  const moment =
    readMoment(tokens, place, around, hint) ?? (unit && { span: unitSpan(unit, 0, around), end: place + 1 })
  return moment && { span: daySpan(isStart ? moment.span.from : moment.span.to), end: moment.end }
}
const starts = setOf('beginning start תחילת ראשית')
const ends = setOf('end סוף')

/** Year to date, YTD, מתחילת השנה. */
const readToDate: Reader = (tokens, at, around) => {
  const upToToday = (unit: Unit, end: number): Moment => ({
    span: { kind: 'range', from: unitSpan(unit, 0, around).from, to: around.today },
    end,
  })
  const token = tokens[at]
  const short = ({ ytd: 'year', mtd: 'month', qtd: 'quarter' } as const)[token?.text ?? '']
  if (short) return upToToday(short, at + 1)
  const unit = unitNamed(token)
  if (unit && tokens[at + 1]?.text === 'to' && tokens[at + 2]?.text === 'date') return upToToday(unit, at + 3)
  const hebrew = /^ו?מ(תחילת|ראשית)$/.test(token?.text ?? '') ? unitNamed(tokens[at + 1]) : undefined
  return hebrew && upToToday(hebrew, at + 2)
}

const ordinals: ReadonlyMap<string, number> = new Map(
  ['first ראשון ראשונה א', 'second שני שנייה שניה ב', 'third שלישי שלישית ג', 'fourth רביעי רביעית ד last'].flatMap(
    (words, at) => words.split(' ').map((word) => [word, at + 1] as const),
  ),
)
const isOrdinal = (token: Token | undefined) => lookUp(token, ordinals) !== undefined && token?.text !== 'last'

/** Q3 2025, third quarter, רבעון שלישי, H1, המחצית הראשונה. */
const readPart: Reader = (tokens, at, around, hint) => {
  const part = lettered(tokens, at) ?? ordered(tokens, at)
  if (!part || part.number < 1 || part.number > (part.isHalf ? 2 : 4)) return undefined
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
const halves = setOf('half מחצית חציון')

/** March, March 2025, last March, month of March, מרץ שעבר. */
const readMonth: Reader = (tokens, at, around, hint) => {
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

const readSeason: Reader = (tokens, at, around, hint) => {
  const month = seasonNamed(tokens[at])
  const isPlain =
    /^(fall|spring)$/.test(tokens[at]?.text ?? '') &&
    !monthly.has(tokens[at - 1]?.text ?? '') &&
    tokens[at - 1]?.text !== 'the'
  if (!month || isPlain) return undefined
  return stepped(tokens, at, (year) => monthsSpan('season', year, month, 3), around, hint)
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
const readWeekday: Reader = (tokens, at, { today }, hint) => {
  const token = tokens[at]
  const isHebrewDay = token?.forms.includes('יום') ?? false
  const name = isHebrewDay ? tokens[at + 1] : token
  const weekday = isHebrewDay ? lookUp(name, weekdays) : weekdayAlone(token, tokens[at - 1], hint)
  if (weekday === undefined) return undefined
  const end = isHebrewDay ? at + 2 : at + 1
  const behind = isHebrew(tokens[end]?.text ?? '') ? stepWords.get(tokens[end]?.text ?? '') : undefined
  const step = behind ?? (isHebrewDay ? undefined : stepWords.get(tokens[at - 1]?.text ?? ''))
  const ahead = (weekday - weekdayOf(today) + 7) % 7
  const distance =
    step === -1
      ? (ahead || 7) - 7 - (ahead === 0 ? 7 : 0)
      : step === 1
        ? ahead || 7
        : hint.isFuture || step === 0
          ? ahead
          : ahead === 0
            ? 0
            : ahead - 7
  return { span: daySpan(addDays(today, distance)), end: end + (behind === undefined ? 0 : 1) }
}

function weekdayAlone(token: Token | undefined, before: Token | undefined, hint: Hint): number | undefined {
  if (!token || token.kind !== 'word') return undefined
  if (isHebrew(token.text)) return token.forms.includes('שבת') ? 6 : undefined
  const weekday = weekdays.get(token.text)
  const isShort = token.text.length <= 5 && token.text !== 'today'
  return isShort && !hint.isExpected && !/^(on|by|next|last|this|until|till)$/.test(before?.text ?? '')
    ? undefined
    : weekday
}

/** 2025, FY2025, שנת 2025. Numbers that are no likely year are amounts. */
const readYear: Reader = (tokens, at, { today }) => {
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

const readers: readonly Reader[] = [
  readToDate, readWord, readNumericDate, readNamedDate, readAgo, readRolling, readHebrewRolling, readPart, readUnit, readHebrewUnit,
  (tokens, at, around, hint) => (stepWords.has(tokens[at]?.text ?? '') && !isHebrew(tokens[at]?.text ?? '') ? (readMonth(tokens, at + 1, around, hint) ?? readSeason(tokens, at + 1, around, hint) ?? readWeekday(tokens, at + 1, around, hint)) : undefined),
  readEdge, readMonth, readSeason, readWeekday, readYear,
] // biome-ignore format: a list, in the order in which they are tried
