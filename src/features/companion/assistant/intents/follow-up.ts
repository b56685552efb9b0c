import { addDays, addMonths, daysBetween } from '../../../../core/values/day.ts'
import type { Then, Understood } from '../understood.ts'
import { topicOf } from './expenses.ts'
import { fill, timeFields } from './fill.ts'
import { withResult } from './intent.ts'
import { isLight } from './lexicon.ts'
import { ordinalOf, type Said } from './said.ts'

const markers =
  /^\s*(and|what about|how about|what of|only|just|but|same( thing)?( but)? (for|in|with)|now for|also|or|no,? i meant|i meant|sort|order by|sorted|then|with|without|for|in|ומה|מה עם|מה לגבי|רק|אבל|אותו דבר|כנ"ל|ואם|ובחודש|וב|ול|ושל|ועל|מיין|תמיין|וכמה|ומי|ואיזה|ובשנה|ורק|התכוונתי|לא,)(?=[\s,?א-ת]|$)/i

/** Whether the sentence only makes sense after another: it begins like one, or says no more than a time, an amount or a name. */
export const continues = (said: Said): boolean => markers.test(said.text)

const times = ['from', 'to', 'dateFrom', 'dateTo', 'month', 'year', 'asOf', 'date', 'quarter']

/** The time that was asked for before, so that "and expenses?" keeps it. */
export const timesOf = ({ input, then }: Understood): Record<string, unknown> =>
  Object.fromEntries(
    [...Object.entries(input), ...Object.entries(then ?? {})].filter(([field]) => times.includes(field)),
  )

/** What was understood before, with what this sentence changes about it. */
export function followUp(said: Said, last: Understood): Understood | undefined {
  const { input: filled, result: asked } = fill(last.tool, said, {}, true)
  const given = { ...filled, ...timeBefore(said, last) }
  const sorted = sortOf(said, last)
  const topic = last.tool === 'expenses_list' ? topicOf(said) : {}
  const input: Record<string, unknown> = { ...given, ...topic, ...sorted.input }
  const then: Then = { ...asked, ...sorted.result }
  if (Object.keys(input).length + Object.keys(then).length === 0) return undefined
  const changesTime = [...Object.keys(input), ...Object.keys(then)].some((field) => times.includes(field))
  const keep = (fields: object) =>
    Object.fromEntries(Object.entries(fields).filter(([field]) => !(changesTime && times.includes(field))))
  const { then: before, ...rest } = last
  const merged = { ...withoutAmounts(keep(before ?? {}), then), ...then }
  return withResult({ ...rest, language: said.slots.language, input: { ...keep(last.input), ...input } }, merged)
}

/** "And the quarter before?": the time of the last request, moved back by its own length. */
function timeBefore({ text, slots }: Said, last: Understood): Record<string, unknown> {
  const { from, to, dateFrom, dateTo } = timesOf(last)
  const [first, end] = [from ?? dateFrom, to ?? dateTo]
  if (typeof first !== 'string' || typeof end !== 'string') return {}
  if (
    /\b(same|compared to|vs|versus)\b.*\blast year\b|לעומת (אשתקד|שנה שעברה)|אות[והם]+ .{0,20}(אשתקד|שנה שעברה|שנה קודמת)/i.test(
      text,
    )
  )
    return timeFields(last.tool, addMonths(first, -12), addMonths(end, -12))
  if (
    slots.periods.length === 0 &&
    /\b(after( that)?|following|next one)\b|אחרי זה|אחריו|אחריה|שאחרי|לאחר מכן/i.test(text)
  ) {
    const start = addDays(end, 1)
    return timeFields(
      last.tool,
      start,
      isWholeMonths(first, end) ? monthsAfter(first, end) : addDays(start, daysBetween(first, end)),
    )
  }
  if (
    slots.periods.length > 0 ||
    !/\b(before( that)?|previous one|prior)\b|לפני כן|שלפני|לפניו|לפניה|לפני זה/i.test(text)
  )
    return {}
  const days = daysBetween(first, end) + 1
  const months = Math.round(days / 30.4)
  const start = months >= 1 ? addMonths(first, -months) : addDays(first, -days)
  return timeFields(last.tool, start, addDays(first, -1))
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
