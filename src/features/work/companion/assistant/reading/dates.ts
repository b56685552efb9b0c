import { countries } from '../../../../../countries/countries.ts'
import type { CountryCode } from '../../../../../countries/country.ts'
import { dateSpan, isYear, monthNamed, monthSpan, type Span, yearOf } from './calendar.ts'
import { isKnownWord } from './known-words.ts'
import { afterPrefix, isHebrew, type Token } from './words.ts'

/**
 * A moment that was read up to a token. If its year was not said, `inYear` is the same moment of another year; `next` is the
 * same day of the week ahead of today.
 */
export type Moment = { span: Span; end: number; inYear?: (year: number) => Span | undefined; next?: Span }

export type Around = { today: string; country: CountryCode }

/** What stands around a date: after "since" or "between", 1.3 is a day; after "end of" no other end is read. */
export type Hint = { isExpected?: boolean; isFuture?: boolean; isEdge?: boolean }

/** Reads a moment that begins with this token. */
export type Reader = (tokens: readonly Token[], at: number, around: Around, hint: Hint) => Moment | undefined

/** The latest of a yearly moment that has begun, or the next one. */
export function nearest(inYear: (year: number) => Span | undefined, today: string, isFuture = false): Span | undefined {
  const step = isFuture ? 1 : -1
  for (let year = yearOf(today) - step, tries = 0; tries < 10; year += step, tries++) {
    const span = inYear(year)
    if (span && (isFuture ? span.to >= today : span.from <= today)) return span
  }
  return undefined
}

function yearly(
  inYear: (year: number) => Span | undefined,
  end: number,
  { today }: Around,
  hint: Hint,
): Moment | undefined {
  const span = nearest(inYear, today, hint.isFuture)
  return span && { span, end, inYear }
}

/** 3/4/2026, 3.4.26, 2026-04-03, 3/4, 03/2026. */
export function readNumericDate(tokens: readonly Token[], at: number, around: Around, hint: Hint): Moment | undefined {
  const found = numbersAt(tokens, at)
  if (!found) return undefined
  const { parts, separator, end } = found
  const [a = '', b = '', c = ''] = parts
  if (parts.length === 3) {
    const span =
      a.length === 4 ? dateSpan(+a, +b, +c) : a.length <= 2 ? dayAndMonth(+a, +b, fullYear(c), around) : undefined
    return span && { span, end }
  }
  if (a.length === 4 && separator !== '.') return monthOfYear(+a, +b, end)
  if (b.length === 4 && separator !== '-') return monthOfYear(+b, +a, end)
  if (a.length > 2 || b.length > 2 || separator === '-') return undefined
  if (
    separator === '.' &&
    (!hint.isExpected || countries[around.country].writing.dateOrder === 'MDY' || isPrice(tokens, at))
  )
    return undefined
  return yearly((year) => dayAndMonth(+a, +b, year, around), end, around, hint)
}

/** 40 מגשים ב-22.5: behind goods that are counted, it is their price. */
function isPrice(tokens: readonly Token[], at: number): boolean {
  let place = at - 1
  while (/^(-|ב)$/.test(tokens[place]?.text ?? '')) place--
  const last = place
  while (place > last - 2 && tokens[place]?.kind === 'word') place--
  const words = tokens.slice(place + 1, last + 1)
  const isGoods = /^[^בל].*(ים|ות|י)$/.test(words[0]?.text ?? '')
  return isGoods && tokens[place]?.kind === 'number' && !words.some(isKnownWord)
}

function monthOfYear(year: number, month: number, end: number): Moment | undefined {
  return isYear(year) && month >= 1 && month <= 12 ? { span: monthSpan(year, month), end } : undefined
}

/** In the order of the country, or in the only order that is a date. */
function dayAndMonth(first: number, second: number, year: number, { country }: Around): Span | undefined {
  const isMonthFirst = countries[country].writing.dateOrder === 'MDY'
  const usual = isMonthFirst ? dateSpan(year, first, second) : dateSpan(year, second, first)
  return usual ?? (isMonthFirst ? dateSpan(year, second, first) : dateSpan(year, first, second))
}

const fullYear = (digits: string) =>
  digits.length === 2 ? Number(digits) + (Number(digits) < 70 ? 2000 : 1900) : Number(digits)

/** Two or three numbers with the same sign between them and nothing else close to them. */
function numbersAt(
  tokens: readonly Token[],
  at: number,
): { parts: string[]; separator: string; end: number } | undefined {
  const token = tokens[at]
  if (token?.kind !== 'number' || token.text.includes(',') || !isFreeBefore(tokens, at)) return undefined
  const parts = token.text.split('.')
  let [separator, end] = ['.', at + 1]
  if (parts.length === 1) {
    separator = tokens[at + 1]?.text ?? ''
    while (parts.length < 3 && isNextPart(tokens, end, separator)) {
      parts.push(tokens[end + 1]?.text ?? '')
      end += 2
    }
  }
  const next = tokens[end]
  if (parts.length < 2 || parts.length > 3 || parts.some((part) => part.length > 4)) return undefined
  if (parts.some((part) => part.includes('.') || part.includes(','))) return undefined
  if (next?.isGlued && (next.kind === 'word' || /^[%₪$€£/]$/.test(next.text))) return undefined
  return { parts, separator, end }
}

const isNextPart = (tokens: readonly Token[], at: number, separator: string) =>
  /^[/-]$/.test(separator) &&
  tokens[at]?.text === separator &&
  tokens[at]?.isGlued === true &&
  tokens[at + 1]?.kind === 'number' &&
  tokens[at + 1]?.isGlued === true

/** Not the rest of INV-2026-04 or of $3.4. A Hebrew letter may stand before a date. */
function isFreeBefore(tokens: readonly Token[], at: number): boolean {
  if (!tokens[at]?.isGlued) return true
  const before = tokens[at - 1]
  if (before?.kind === 'word') return isHebrew(before.text)
  if (before?.text === '-')
    return !tokens[at - 1]?.isGlued || tokens[at - 2]?.kind === 'number' || isHebrew(tokens[at - 2]?.text ?? '')
  return /^[("'[,:;]$/.test(before?.text ?? '')
}

/** 3 April, April 3rd, 3rd of April, 3 באפריל, with or without a year. */
export function readNamedDate(tokens: readonly Token[], at: number, around: Around, hint: Hint): Moment | undefined {
  const dayFirst = dateNumber(tokens, at)
  if (dayFirst) {
    const name = tokens[dayFirst.end]?.text === 'of' ? dayFirst.end + 1 : dayFirst.end
    const month = monthNamed(tokens[name])
    if (month) return withYear(tokens, name + 1, (year) => dateSpan(year, month, dayFirst.date), around, hint)
  }
  const month = monthNamed(tokens[at])
  const day = month ? dateNumber(tokens, tokens[at + 1]?.text === 'the' ? at + 2 : at + 1) : undefined
  if (!month || !day) return undefined
  return withYear(tokens, day.end, (year) => dateSpan(year, month, day.date), around, hint)
}

/** 1 to 31, with or without st, nd, rd, th. */
function dateNumber(tokens: readonly Token[], at: number): { date: number; end: number } | undefined {
  const token = tokens[at]
  if (token?.kind !== 'number' || !/^([1-9]|0[1-9]|[12]\d|3[01])$/.test(token.text)) return undefined
  const next = tokens[at + 1]
  if (next?.isGlued && /^(st|nd|rd|th)$/.test(next.text)) return { date: Number(token.text), end: at + 2 }
  if (next?.isGlued && (next.text === '%' || next.text === '/')) return undefined
  return { date: Number(token.text), end: at + 1 }
}

/** The year after a moment: 2025, of 2025, '25, last year, שנה שעברה. Without one, the moment is of every year. */
export function withYear(
  tokens: readonly Token[],
  at: number,
  inYear: (year: number) => Span | undefined,
  around: Around,
  hint: Hint,
): Moment | undefined {
  const said = yearAfter(tokens, at, around)
  if (!said) return yearly(inYear, at, around, hint)
  const span = inYear(said.year)
  return span && { span, end: said.end }
}

function yearAfter(tokens: readonly Token[], at: number, { today }: Around): { year: number; end: number } | undefined {
  let place = at
  while (/^(of|in|,|'|-|של|ה|the)$/.test(tokens[place]?.text ?? '') && place < at + 2) place++
  place = afterPrefix(tokens, place)
  const [first, second] = [tokens[place]?.text ?? '', tokens[place + 1]?.text ?? '']
  if (/^20\d\d$/.test(first) && tokens[place]?.kind === 'number' && !isMoney(tokens[place + 1]))
    return { year: +first, end: place + 1 }
  if (/^\d\d$/.test(first) && tokens[place - 1]?.text === "'") return { year: 2000 + +first, end: place + 1 }
  const steps = yearSteps.get(`${first} ${second}`.replace(/^[בהמל]+(?=שנה)/, ''))
  if (steps !== undefined) return { year: yearOf(today) + steps, end: place + 2 }
  const step = yearSteps.get(first)
  return step === undefined ? undefined : { year: yearOf(today) + step, end: place + 1 }
}

export const isMoney = (token: Token | undefined): boolean =>
  token !== undefined &&
  /^([₪$€£¥]|usd|ils|nis|sgd|eur|gbp|dollars?|shekels?|euros?|ש"ח|שח|שקל|שקלים|דולר|דולרים|יורו|אירו)$/.test(token.text)

const yearSteps = new Map([
  ['last year', -1], ['previous year', -1], ['this year', 0], ['next year', 1], ['שנה שעברה', -1], ['שנה הקודמת', -1],
  ['שנה הבאה', 1], ['אשתקד', -1], ['השנה', 0],
]) // biome-ignore format: a table
