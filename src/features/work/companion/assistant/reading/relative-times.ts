import { isTypo } from '../../../../../core/search/words.ts'
import { addDays, addMonths } from '../../../../../core/values/day.ts'
import { after, daySpan, monthNamed, pairs, type Unit, unitSpan, units, yearOf, yearSpan } from './calendar.ts'
import type { Moment, Reader } from './dates.ts'
import { readNumber } from './number-words.ts'
import { afterPrefix, isHebrew, isPhrase, lookUp, type Token } from './words.ts'

// Times that are told by their distance from today.

export const ordinals: ReadonlyMap<string, number> = new Map(
  ['first ראשון ראשונה א', 'second שני שנייה שניה ב', 'third שלישי שלישית ג', 'fourth רביעי רביעית ד last'].flatMap(
    (words, at) => words.split(' ').map((word) => [word, at + 1] as const),
  ),
)
const isOrdinal = (token: Token | undefined) => lookUp(token, ordinals) !== undefined && token?.text !== 'last'

export const stepWords: ReadonlyMap<string, number> = new Map([
  ...'last previous prior past שעבר שעברה הקודם הקודמת האחרון האחרונה'.split(' ').map((word) => [word, -1] as const),
  ...'this current הזה הזאת הזו הנוכחי הנוכחית'.split(' ').map((word) => [word, 0] as const),
  ...'next coming upcoming following הבא הבאה הקרוב הקרובה'.split(' ').map((word) => [word, 1] as const),
])

export const readWord: Reader = (tokens, at, { today }) => {
  const distance = tokens[at]?.kind === 'word' ? dayWord(tokens[at]) : undefined
  if (distance !== undefined) return { span: daySpan(addDays(today, distance)), end: at + 1 }
  if (isPhrase(tokens, at, 'day before yesterday')) return { span: daySpan(addDays(today, -2)), end: at + 3 }
  if (isPhrase(tokens, at, 'day after tomorrow')) return { span: daySpan(addDays(today, 2)), end: at + 3 }
  if (tokens[at]?.text === 'אשתקד') return { span: yearSpan(yearOf(today) - 1), end: at + 1 }
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

export const unitNamed = (token: Token | undefined): Unit | undefined =>
  lookUp(token, units) ?? (token && isTypo(token.text, 'quarter') ? 'quarter' : undefined)

/** This week, last month, next quarter; past month is the time up to today. */
export const readUnit: Reader = (tokens, at, around) => {
  const whole = unitNamed(tokens[at])
  if (whole && whole !== 'day' && isForThe(tokens, at)) return { span: unitSpan(whole, 0, around), end: at + 1 }
  const step = stepWords.get(tokens[at]?.text ?? '')
  const isNamed = /^(financial|fiscal|calendar|tax)$/.test(tokens[at + 1]?.text ?? '')
  const unit = unitNamed(tokens[at + (isNamed ? 2 : 1)])
  if (step === undefined || !unit || isHebrew(tokens[at]?.text ?? '') || unit === 'day') return undefined
  const end = at + (isNamed ? 3 : 2)
  if (tokens[at]?.text !== 'past') return { span: unitSpan(unit, step, around), end }
  return { span: { kind: 'range', from: after(around.today, -1, unit), to: around.today }, end }
}

/** For the quarter: the present one, unless more is said of it. */
const isForThe = (tokens: readonly Token[], at: number): boolean =>
  tokens[at - 1]?.text === 'the' &&
  tokens[at - 2]?.text === 'for' &&
  !/^(of|before|after|ended|ending|end|that|to|then)$/.test(tokens[at + 1]?.text ?? '') &&
  tokens[at + 1]?.kind !== 'number'

/** החודש, בשבוע שעבר, הרבעון האחרון. */
export const readHebrewUnit: Reader = (tokens, at, around) => {
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
export const readRolling: Reader = (tokens, at, { today }) => {
  const step = stepWords.get(tokens[at]?.text ?? '')
  if (!step || isHebrew(tokens[at]?.text ?? '')) return undefined
  if (tokens[at + 1]?.text === 'half' && unitNamed(tokens[at + 2]) === 'year')
    return rolling(today, step, { count: 6, unit: 'month', end: at + 3 })
  const counted = readCount(tokens, at + 1)
  return counted && rolling(today, step, counted)
}

/** First nine months, תשעת החודשים הראשונים: of the year. */
export const readFirstMonths: Reader = (tokens, at, { today }) => {
  const isFirst = tokens[at]?.text === 'first'
  const counted = readCount(tokens, isFirst ? at + 1 : at)
  if (counted?.unit !== 'month' || counted.count > 12) return undefined
  if (!isFirst && !/^ה?ראשונים$/.test(tokens[counted.end]?.text ?? '')) return undefined
  const year = yearOf(today)
  const to = addDays(addMonths(`${year}-01-01`, counted.count), -1)
  return { span: { kind: 'range', from: `${year}-01-01`, to }, end: counted.end + (isFirst ? 0 : 1) }
}

/** דו חודשי אחרון: the two months that VAT is reported for, the last ones that are over. */
export const readTwoMonths: Reader = (tokens, at, { today }) => {
  if (!/^ה?דו$/.test(tokens[at]?.text ?? '')) return undefined
  const place = tokens[at + 1]?.text === '-' ? at + 2 : at + 1
  if (!/^ה?חודשית?$/.test(tokens[place]?.text ?? '')) return undefined
  const isThis = /^ה?נוכחית?$/.test(tokens[place + 1]?.text ?? '')
  const isTold = isThis || /^ה?(אחרון|אחרונה|קודם|קודמת)$/.test(tokens[place + 1]?.text ?? '')
  const start = `${today.slice(0, 4)}-${String(Math.floor((Number(today.slice(5, 7)) - 1) / 2) * 2 + 1).padStart(2, '0')}-01`
  const from = isThis ? start : addMonths(start, -2)
  return { span: { kind: 'range', from, to: addDays(addMonths(from, 2), -1) }, end: place + (isTold ? 2 : 1) }
}

/** 30 הימים האחרונים, שבועיים האחרונים, שלושת החודשים הבאים. */
export const readHebrewRolling: Reader = (tokens, at, { today }) => {
  const half = /^ב?ה?חצי$/.test(tokens[at]?.text ?? '') && tokens[at + 1]?.forms.includes('שנה') ? at + 2 : 0
  if (half && /^ה?אחרונה$/.test(tokens[half]?.text ?? ''))
    return rolling(today, -1, { count: 6, unit: 'month', end: half + 1 })
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
  const isThisOne = /^[הב].*(?<!ים|ות)$/.test(tokens[place]?.text ?? '') && !units.has(tokens[place]?.text ?? '') // מעל 2000 השנה: no 2000 years
  if (!counted || end === at || isThisOne) return undefined
  const count = number?.value ?? 1
  return Number.isInteger(count) && count >= 1 && count <= 3660 ? { count, unit: counted, end: place + 1 } : undefined
}

/** 3 days ago, לפני שבועיים. */
export const readAgo: Reader = (tokens, at, around) => {
  const isBefore = tokens[at]?.forms.includes('לפני') ?? false
  const single = isBefore ? unitNamed(tokens[at + 1]) : undefined
  const counted = readCount(tokens, isBefore ? at + 1 : at) ?? (single && { count: 1, unit: single, end: at + 2 })
  if (!counted) return undefined
  if (!isBefore && tokens[counted.end]?.text !== 'ago') return undefined
  const there = { ...around, today: after(around.today, -counted.count, counted.unit) }
  return { span: unitSpan(counted.unit, 0, there), end: counted.end + (isBefore ? 0 : 1) }
}

const toDate = new Map<string, Unit>([
  ['ytd', 'year'],
  ['mtd', 'month'],
  ['qtd', 'quarter'],
])

/** Year to date, YTD, מתחילת השנה. */
export const readToDate: Reader = (tokens, at, around) => {
  const upToToday = (unit: Unit, end: number): Moment => ({
    span: { kind: 'range', from: unitSpan(unit, 0, around).from, to: around.today },
    end,
  })
  const token = tokens[at]
  const short = toDate.get(token?.text ?? '')
  if (short) return upToToday(short, at + 1)
  const unit = unitNamed(token)
  if (unit && tokens[at + 1]?.text === 'to' && tokens[at + 2]?.text === 'date') return upToToday(unit, at + 3)
  const hebrew = /^ו?מ(תחילת|ראשית)$/.test(token?.text ?? '') ? unitNamed(tokens[at + 1]) : undefined
  return hebrew && upToToday(hebrew, at + 2)
}
