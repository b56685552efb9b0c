import { addDays, daysBetween } from '../../../../../core/values/day.ts'
import type { PeriodKind, Span } from './calendar.ts'
import { type Around, type Hint, type Moment, nearest } from './dates.ts'
import { readMoment } from './moments.ts'
import { isOneOf, isPhrase, type Sentence, setOf, spanOf, type Token, take } from './words.ts'

/** A time that the sentence names, relative to today. */
export type Period = {
  kind: PeriodKind
  /** The first day; missing for "until". */
  from?: string
  /** The last day; missing for "since". */
  to?: string
  month?: string
  tense: 'past' | 'present' | 'future'
  /** If no year was said, the same time ahead of today: "in December" is the last one for a report, the next one for a date of payment. */
  next?: { from: string; to: string; month?: string }
  start: number
  end: number
}

/** Words about time that say no day, such as a feast: they are told to the person and not guessed. */
export type Unclear = { text: string; start: number; end: number }

/** No request names more times than this. */
const mostPeriods = 20

export function readPeriods(sentence: Sentence, around: Around): { periods: Period[]; unclear: Unclear[] } {
  const periods: Period[] = []
  const unclear: Unclear[] = []
  const { tokens, taken } = sentence
  for (let at = 0; at < tokens.length && periods.length < mostPeriods; at++) {
    if (taken[at]) continue
    const found = readPeriod(sentence, at, around)
    if (found) {
      periods.push({ ...found.period, ...take(sentence, at, found.end) })
      at = found.end - 1
    } else if (isUnclear(tokens, at)) unclear.push(unclearAt(sentence, at))
  }
  return { periods, unclear }
}

type Found = { period: Omit<Period, 'start' | 'end'>; end: number }

function readPeriod(sentence: Sentence, at: number, around: Around): Found | undefined {
  const { tokens } = sentence
  if (tokens[at]?.kind === 'sign') return undefined
  return (
    readBetween(tokens, at, around) ??
    readOpen(tokens, at, around) ??
    readRange(tokens, at, around) ??
    readSingle(sentence, at, around)
  )
}

/** Between March and May, בין 1.3 ל-15.3. */
function readBetween(tokens: readonly Token[], at: number, around: Around): Found | undefined {
  if (!isOneOf(tokens[at], betweens)) return undefined
  const first = readMoment(tokens, at + 1, around, { isExpected: true })
  if (!first) return undefined
  const place = /^(and|to|-|עד|ועד|ו)$/.test(tokens[first.end]?.text ?? '') ? first.end + 1 : first.end
  const second = readMoment(tokens, place, around, { isExpected: true })
  return second && !isBackwards(first, second) ? between(first, second, around) : undefined
}
const betweens = setOf('between בין')

/** From January to March, ינואר עד מרץ, 2024-2025, מ-1.3 עד 15.3. */
function readRange(tokens: readonly Token[], at: number, around: Around): Found | undefined {
  const isFrom = tokens[at]?.text === 'from' || tokens[at]?.text === 'החל'
  const start = isFrom ? at + 1 : at
  const hint = { isExpected: isFrom || isDateRange(tokens, at) }
  const first = readMoment(tokens, start, around, hint)
  const joint = tokens[first?.end ?? 0]
  if (!first || !joint || !isOneOf(joint, joints)) return undefined
  const second = readMoment(tokens, first.end + 1, around, { isExpected: true })
  return second && !isBackwards(first, second) ? between(first, second, around) : undefined
}

/** "This year to last year" compares two times and is no time from the one to the other. */
const isBackwards = (first: Moment, second: Moment): boolean =>
  !first.inYear && !second.inYear && second.span.to < first.span.from

const joints = setOf('to until till through thru - עד ועד')

/** 1.3-15.3 and 1.3 עד 15.3: two such numbers are days, not fractions. */
function isDateRange(tokens: readonly Token[], at: number): boolean {
  const isShort = (token: Token | undefined) => /^\d{1,2}\.\d{1,2}$/.test(token?.text ?? '')
  const joint = tokens[at + 1]
  return isShort(tokens[at]) && joint?.text !== undefined && /^(-|עד|ועד)$/.test(joint.text) && isShort(tokens[at + 2])
}

/** The second moment is the first of its kind after the first one, unless its year was said. */
function between(first: Moment, second: Moment, around: Around): Found | undefined {
  let [from, to]: [Span, Span] = [first.span, second.span]
  if (first.inYear && !second.inYear) from = nearest(first.inYear, to.to) ?? from
  else if (second.inYear) to = nearest(second.inYear, from.from, true) ?? to
  if (from.from > to.to) [from, to] = [to, from]
  return { period: toPeriod({ kind: 'range', from: from.from, to: to.to }, around), end: second.end }
}

/** Since March, until the end of the month, by Friday, before 2025. */
function readOpen(tokens: readonly Token[], at: number, around: Around): Found | undefined {
  const opening = openings.find(({ phrase }) => isPhrase(tokens, at, phrase)) ?? hebrewOpening(tokens[at])
  if (!opening) return undefined
  const place = at + opening.phrase.split(' ').length
  const hint: Hint = { isExpected: true, isFuture: opening.isFuture ?? false }
  const moment = readMoment(tokens, place, around, hint)
  if (!moment) return undefined
  const { from, to } = moment.span
  const next = opening.isFuture ? {} : aheadOf(moment, around)
  const tense = tenseOf(moment.span, around)
  if (opening.side === 'since')
    return {
      period: { kind: 'since', from, tense: tense === 'future' ? tense : 'past', ...next },
      end: afterOnwards(tokens, moment.end),
    }
  if (opening.side === 'after')
    return { period: { kind: 'since', from: addDays(to, 1), tense, ...next }, end: moment.end }
  if (opening.side === 'before')
    return { period: { kind: 'until', to: addDays(from, -1), tense, ...next }, end: moment.end }
  const last = opening.isNearest ? (moment.next?.to ?? closest(moment, around.today)) : to
  return {
    period: { kind: 'until', to: last, tense: last < around.today ? 'past' : 'future', ...next },
    end: moment.end,
  }
}

type Opening = { phrase: string; side: 'since' | 'after' | 'before' | 'until'; isFuture?: boolean; isNearest?: boolean }
const openings: readonly Opening[] = [
  { phrase: 'since', side: 'since' },
  { phrase: 'starting from', side: 'since' },
  { phrase: 'starting', side: 'since' },
  { phrase: 'as of', side: 'until' },
  { phrase: 'after', side: 'after' },
  { phrase: 'before', side: 'before' },
  { phrase: 'prior to', side: 'before' },
  { phrase: 'until', side: 'until', isNearest: true },
  { phrase: 'till', side: 'until', isNearest: true },
  { phrase: 'up to', side: 'until', isNearest: true },
  { phrase: 'through', side: 'until', isNearest: true },
  { phrase: 'no later than', side: 'until', isFuture: true },
  { phrase: 'due by', side: 'until', isFuture: true },
  { phrase: 'by', side: 'until', isFuture: true },
]

const hebrewOpenings: ReadonlyMap<string, Opening['side']> = new Map([
  ['מאז', 'since'], ['החל', 'since'], ['אחרי', 'after'], ['לאחר', 'after'], ['לפני', 'before'], ['עד', 'until'],
]) // biome-ignore format: a table

function hebrewOpening(token: Token | undefined): Opening | undefined {
  for (const form of token?.forms ?? []) {
    const side = hebrewOpenings.get(form)
    if (side) return { phrase: form, side, isNearest: side === 'until' }
  }
  return undefined
}

/** Whether the last one or the next one is closer to today. */
function closest({ inYear, span }: Moment, today: string): string {
  const next = inYear && nearest(inYear, today, true)?.to
  if (!next) return span.to
  const distance = (day: string) => Math.abs(daysBetween(today, day))
  return distance(next) < distance(span.to) ? next : span.to
}

const afterOnwards = (tokens: readonly Token[], at: number) =>
  /^(onwards?|ואילך|והלאה)$/.test(tokens[at]?.text ?? '') ? at + 1 : at

function readSingle({ tokens }: Sentence, at: number, around: Around): Found | undefined {
  const isTax = tokens.slice(0, at).some((token) => isOneOf(token, taxes)) // VAT and wages are paid for a time that has begun
  const isDue = !isTax && tokens.slice(Math.max(0, at - 3), at).some((token) => isOneOf(token, dues))
  const isOn = /^(on|dated|date|from|of)$/.test(tokens[at]?.text ?? '')
  const place = isOn && !/^(of)$/.test(tokens[at]?.text ?? '') ? at + 1 : at
  const moment = readMoment(tokens, place, around, { isFuture: isDue, isExpected: place > at })
  if (!moment) return undefined
  if (
    /^(onwards?|ואילך|והלאה)$/.test(tokens[moment.end]?.text ?? '') ||
    (tokens[moment.end]?.text === 'on' && tokens[at]?.text === 'from')
  )
    return { period: { kind: 'since', from: moment.span.from, tense: 'past' }, end: moment.end + 1 }
  return { period: { ...toPeriod(moment.span, around), ...(!isDue && aheadOf(moment, around)) }, end: moment.end }
}
const taxes = setOf('vat gst tax taxes wages salaries payroll מע"מ מעמ מס נטו שכר משכורות')
const dues = setOf('due payable remind schedule לתשלום פירעון תזכיר')

const toPeriod = (span: Span, around: Around) => ({ ...span, tense: tenseOf(span, around) })

const tenseOf = ({ from, to }: Span, { today }: Around): Period['tense'] =>
  to < today ? 'past' : from > today ? 'future' : 'present'

function aheadOf({ inYear, span, next: said }: Moment, { today }: Around): { next?: NonNullable<Period['next']> } {
  const next = said ?? (inYear && span.to < today ? nearest(inYear, today, true) : undefined)
  return next ? { next: { from: next.from, to: next.to, ...(next.month && { month: next.month }) } } : {}
}

const feasts = setOf(
  'פסח ראש השנה סוכות חנוכה פורים שבועות כיפור החגים passover pesach easter christmas xmas thanksgiving ramadan deepavali diwali hanukkah sukkot purim',
)
const sinceWords = setOf('since מאז')

/** A feast, or "since" with something that is no time. */
function isUnclear(tokens: readonly Token[], at: number): boolean {
  const next = tokens[at + 1]
  if (next?.kind === 'word' && tokens[at]?.text !== 'השנה' && isOneOf(tokens[at], sinceWords))
    return !isOneOf(next, setOf('last the then when i we'))
  return (
    at > 0 &&
    /^(since|after|before|in|on|until|מאז|אחרי|לפני|עד)$/.test(tokens[at - 1]?.text ?? '') &&
    isOneOf(tokens[at], feasts)
  )
}

function unclearAt(sentence: Sentence, at: number): Unclear {
  const place = isOneOf(sentence.tokens[at], sinceWords) ? at + 1 : at
  const span = spanOf(sentence, place, place + 1)
  take(sentence, at, place + 1)
  return { text: sentence.text.slice(span.start, span.end), ...span }
}
