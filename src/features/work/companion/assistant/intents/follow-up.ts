import { addDays, addMonths, daysBetween } from '../../../../../core/values/day.ts'
import type { Then, Understood } from '../understood.ts'
import { topicOf } from './expense-topic.ts'
import { type Filled, fill, takesTime, timeFields } from './fill.ts'
import { withResult } from './intent.ts'
import { isLight } from './lexicon.ts'
import { ordinalOf, type Said } from './said.ts'

const markers =
  /^\s*(and|what about|how about|what of|only|just|but|same( thing)?( but)? (for|in|with)|now for|also|or|no,? i meant|i meant|sort|order by|sorted|then|with|without|for|in|by|per|break (it|that|this|them) (down|up)|split (it|that|them)|group (it|them|that)|show (it|that|them) by|give me (it|that) by|לפי|תפרק|תחלק|חלק|פצל|תפצל|בחלוקה|פר|ומה|מה עם|מה לגבי|רק|אבל|אותו דבר|כנ"ל|ואם|ובחודש|וב|ול|ושל|ועל|מיין|תמיין|וכמה|ומי|ואיזה|ובשנה|ורק|התכוונתי|לא,)(?=[\s,?א-ת]|$)/i

/** Whether the sentence only makes sense after another: it begins like one, or says no more than a time, an amount or a name. */
export const continues = (said: Said): boolean => markers.test(said.text)

const times = ['from', 'to', 'dateFrom', 'dateTo', 'month', 'year', 'asOf', 'date', 'quarter']

/** The time that was asked for before, so that "and expenses?" keeps it. */
export const timesOf = ({ input, then }: Understood): Record<string, unknown> =>
  Object.fromEntries(
    [...Object.entries(input), ...Object.entries(then ?? {})].filter(([field]) => times.includes(field)),
  )

export const inputTimesOf = ({ input }: Understood): Record<string, unknown> =>
  Object.fromEntries(Object.entries(input).filter(([field]) => times.includes(field)))

/** What was understood before, with what this sentence changes about it. */
export function followUp(said: Said, last: Understood): Understood | undefined {
  const { input: filled, result: asked } = fill(last.tool, said, {}, true)
  const moved = movedTime(said, last)
  const sorted = sortOf(said, last)
  const topic = last.tool === 'expenses_list' ? topicOf(said) : {}
  const input: Record<string, unknown> = { ...filled, ...moved?.input, ...topic, ...sorted.input }
  const then: Then = { ...asked, ...moved?.result, ...sorted.result, ...figureOf(said, last) }
  if (Object.keys(input).length + Object.keys(then).length === 0) return undefined
  const changesTime = [...Object.keys(input), ...Object.keys(then)].some((field) => times.includes(field))
  const keep = (fields: object) =>
    Object.fromEntries(Object.entries(fields).filter(([field]) => !(changesTime && times.includes(field))))
  const { then: before, ...rest } = last
  const merged = { ...withoutAmounts(keep(before ?? {}), then), ...then }
  return withResult({ ...rest, language: said.slots.language, input: { ...keep(last.input), ...input } }, merged)
}

/** "How much is that in total?", "how many?": the same rows, as one figure. */
function figureOf({ hits, has, text }: Said, { tool }: Understood): Then {
  const isFigure = hits.every(({ concepts }) =>
    concepts.some((concept) => ['howMuch', 'howMany', 'it', 'them', 'all', 'please', 'which'].includes(concept)),
  )
  if (!isFigure || !/_list$/.test(tool) || /\b(sort|order|rank)/i.test(text)) return {}
  return has('howMuch') ? { add: true } : has('howMany') ? { count: true } : {}
}

type Span = { first: string; end: string }

/** The time that the request before was about. */
function lastTime(last: Understood): Span | undefined {
  const { from, to, dateFrom, dateTo, month } = timesOf(last)
  if (typeof month === 'string') return { first: `${month}-01`, end: addDays(addMonths(`${month}-01`, 1), -1) }
  const [first, end] = [from ?? dateFrom, to ?? dateTo]
  return typeof first === 'string' && typeof end === 'string' ? { first, end } : undefined
}

/** A time that is told by its distance from the one before, in the fields of the tool. */
function movedTime(said: Said, last: Understood): Filled | undefined {
  const span = lastTime(last)
  const { today } = said.around
  const moved = span
    ? (yearsBefore(said, span) ?? quarterOf(said, span) ?? nextTime(said, span) ?? timeBefore(said, span))
    : takesTime(last.tool)
      ? sameLastYear(said, { first: `${today.slice(0, 4)}-01-01`, end: today })
      : undefined
  if (!moved) return undefined
  const { first: from, end: to } = moved
  const input = timeFields(last.tool, from, to)
  return Object.keys(input).length > 0 ? { input, result: {} } : { input: {}, result: { from, to } }
}

/** "The same quarter last year", "and a year ago?": after a time shorter than a year, the same time of that year. */
function yearsBefore(said: Said, span: Span): Span | undefined {
  const { text, slots } = said
  const { first, end } = span
  const same = sameLastYear(said, span)
  if (same) return same
  const [period] = slots.periods
  const year = period?.kind === 'year' && slots.periods.length === 1 ? (period.from ?? '').slice(0, 4) : ''
  if (year === '' || text.includes(year) || daysBetween(first, end) > 190) return undefined
  const months = (Number(year) - Number(first.slice(0, 4))) * 12
  return months < 0 ? { first: addMonths(first, months), end: monthEnd(first, end, months) } : undefined
}

const sameLastYear = ({ text }: Said, { first, end }: Span): Span | undefined =>
  /\b(same|compared to|vs|versus)\b.*\blast year\b|לעומת (אשתקד|שנה שעברה)|אות[והם]+ .{0,20}(אשתקד|שנה שעברה|שנה קודמת)/i.test(
    text,
  )
    ? { first: addMonths(first, -12), end: monthEnd(first, end, -12) }
    : undefined

/** The last day of a month stays one: 28 February was 29 four years ago. */
const monthEnd = (first: string, end: string, months: number): string =>
  isWholeMonths(first, end) ? addDays(addMonths(addDays(end, 1), months), -1) : addMonths(end, months)

/** "And the first?" after a quarter is another one of that year. */
function quarterOf({ text, slots }: Said, { first, end }: Span): Span | undefined {
  const isQuarter = /-(01|04|07|10)-01$/.test(first) && isWholeMonths(first, end) && daysBetween(first, end) < 93
  if (!isQuarter || daysBetween(first, end) < 80 || slots.periods.length > 0) return undefined
  const at = [/\bfirst\b|ראשון/i, /\bsecond\b|שני(?!ים)/i, /\bthird\b|שלישי/i, /\bfourth\b|רביעי/i].findIndex((words) =>
    words.test(text),
  )
  if (at < 0) return undefined
  const start = `${first.slice(0, 4)}-${String(at * 3 + 1).padStart(2, '0')}-01`
  return { first: start, end: addDays(addMonths(start, 3), -1) }
}

function nextTime({ text, slots }: Said, { first, end }: Span): Span | undefined {
  if (
    slots.periods.length > 0 ||
    !/\b(after( that)?|following|next one)\b|אחרי זה|אחריו|אחריה|שאחרי|לאחר מכן/i.test(text)
  )
    return undefined
  const start = addDays(end, 1)
  return {
    first: start,
    end: isWholeMonths(first, end) ? monthsAfter(first, end) : addDays(start, daysBetween(first, end)),
  }
}

/** "And the quarter before?": the time of the last request, moved back by its own length. */
function timeBefore({ text, slots }: Said, { first, end }: Span): Span | undefined {
  if (
    slots.periods.length > 0 ||
    !/\b(before( that)?|previous one|prior|earlier)\b|לפני כן|שלפני|לפניו|לפניה|לפני זה|קודם לכן/i.test(text)
  )
    return undefined
  const days = daysBetween(first, end) + 1
  const months = Math.round(days / 30.4)
  return { first: months >= 1 ? addMonths(first, -months) : addDays(first, -days), end: addDays(first, -1) }
}

/** From the first day of a month to the last one of a month. */
const isWholeMonths = (first: string, end: string): boolean => first.endsWith('-01') && addDays(end, 1).endsWith('-01')

/** The last day of as many months as these are, right after them. */
function monthsAfter(first: string, end: string): string {
  const start = addDays(end, 1)
  const months =
    (Number(start.slice(0, 4)) - Number(first.slice(0, 4))) * 12 + Number(start.slice(5, 7)) - Number(first.slice(5, 7))
  return addDays(addMonths(start, months), -1)
}

/** Another amount takes the place of the one before it. */
function withoutAmounts(before: Record<string, unknown>, then: Then): Record<string, unknown> {
  const amounts = ['atLeast', 'atMost', 'over', 'under']
  const changes = Object.keys(then).some((field) => amounts.includes(field))
  return changes ? Object.fromEntries(Object.entries(before).filter(([field]) => !amounts.includes(field))) : before
}

const sortFields: Record<string, { amount: string; date: string; name?: string }> = {
  invoices_list: { amount: 'total', date: 'issueDate', name: 'customerName' },
  expenses_list: { amount: 'amount', date: 'date', name: 'vendor' },
}

/** "Sort by amount", "oldest first". */
function sortOf({ text }: Said, { tool }: Understood): { input: Record<string, unknown>; result: Then } {
  if (!/\b(sort|order|sorted|ordered|rank)\b|מיין|תמיין|סדר|ממוין|לפי/i.test(text)) return { input: {}, result: {} }
  const fields = sortFields[tool]
  const isUp = /\b(ascending|asc|smallest|lowest|oldest|cheapest)\b|עולה|מהקטן|מהישן/i.test(text)
  const sortOrder = isUp ? 'asc' : 'desc'
  if (/\b(amount|total|size|value|sum|price|balance)\b|סכום|גודל|יתרה/i.test(text))
    return {
      input: fields ? { sortBy: fields.amount, sortOrder } : {},
      result: { order: isUp ? 'smallest' : 'largest' },
    }
  if (/\b(due)\b|פירעון|מועד/i.test(text) && tool === 'invoices_list')
    return { input: { sortBy: 'dueDate', sortOrder: 'asc' }, result: {} }
  if (/\b(date|day|time|newest|recent|oldest)\b|תאריך|מהחדש|מהישן/i.test(text))
    return { input: fields ? { sortBy: fields.date, sortOrder } : {}, result: { order: isUp ? 'oldest' : 'newest' } }
  if (/\b(name|customer|vendor|supplier)\b|שם|לקוח|ספק/i.test(text) && fields?.name)
    return { input: { sortBy: fields.name, sortOrder: 'asc' }, result: {} }
  return { input: {}, result: {} }
}

const readers: Record<string, string> = {
  document: 'invoices_get', customer: 'customers_get', supplier: 'suppliers_get', expense: 'expenses_get', order: 'orders_get', item: 'logistics_items_get',
  employee: 'payroll_employees_get', payslip: 'payroll_payslips_get', automation: 'automations_get',
} // biome-ignore format: a table

/** "The second one", "show me the first": one of the records that were listed. */
export function oneShown(said: Said): Understood | undefined {
  const at = ordinalOf(said)
  const isBare = said.hits.every(({ concepts }) => concepts.some((concept) => isLight(concept) || concept === 'it'))
  if (at === undefined || !isBare || said.slots.periods.length > 0) return undefined
  const record = said.around.shown.filter(({ kind }) => kind === said.around.shown[0]?.kind)[at]
  const tool = record && readers[record.kind]
  return tool
    ? { intent: `show-${record.kind}`, language: said.slots.language, tool, input: { id: record.id } }
    : undefined
}
