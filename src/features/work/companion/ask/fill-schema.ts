import { daysBetween, toDay } from '../../../../core/values/day.ts'
import type { Data } from '../assistant/answers/rows.ts'
import { type AnswerSchema, isNullable, typeOf } from './answer-schema.ts'
import type { FactRow, Facts } from './facts.ts'
import { misfitsOf } from './misfits.ts'
import { fieldsFor, means, plainName } from './names.ts'

/**
 * Fills a schema with facts, each value by its name and type. A value that is not known exactly stays `undefined`: nothing is
 * estimated, and amounts of several currencies are not added up.
 */
export function fillSchema(schema: AnswerSchema, facts: Facts): unknown {
  switch (typeOf(schema)) {
    case 'object':
      return fillObject(schema, (name, property) => answerTo(name, property, facts))
    case 'array':
      return fillRows(schema, facts, '')
    case 'boolean':
      return isAny(facts)
    case 'integer':
    case 'number':
      return fitting(schema, facts.asksHowMany ? countOf(facts) : facts.amount)
    case 'string':
      return onlyText(schema, facts)
    default:
      return undefined
  }
}

type Find = (name: string, schema: AnswerSchema) => unknown

/** An object with the properties that are known; undefined if none is. */
function fillObject({ properties = {} }: AnswerSchema, find: Find): Data | undefined {
  const found = Object.entries(properties).map(([name, schema]) => [name, find(name, schema)] as const)
  const known = found.filter(([, value]) => value !== undefined)
  return known.length > 0 ? Object.fromEntries(known) : undefined
}

/** The value of a property of the whole answer. */
function answerTo(name: string, schema: AnswerSchema, facts: Facts): unknown {
  const own = valueIn(facts.fields, name, schema)
  if (own !== undefined) return own
  switch (typeOf(schema)) {
    case 'array':
      return fillRows(schema, facts, name)
    case 'integer':
    case 'number':
      return fitting(schema, numberFor(name, facts)) ?? ofOnlyRow(name, schema, facts)
    case 'boolean':
      return asksAny(name, facts) ? isAny(facts) : ofOnlyRow(name, schema, facts)
    case 'string':
      return fitting(schema, means('currency', name) ? currencyOf(facts) : undefined) ?? ofOnlyRow(name, schema, facts)
    default:
      return ofOnlyRow(name, schema, facts)
  }
}

/** A single value is that of a row only if the question is about one row: "who owes the most?" */
const ofOnlyRow = (name: string, schema: AnswerSchema, facts: Facts): unknown =>
  facts.one && ofRow(facts.one, name, schema, facts)

function numberFor(name: string, facts: Facts): number | undefined {
  if (countsRows(name, facts)) return countOf(facts)
  if (means('overdue', name)) return facts.isAboutOverdue ? facts.amount : undefined
  if (means('open', name)) return facts.isAboutOpen ? facts.amount : undefined
  return means('amount', name) ? facts.amount : undefined
}

/** `count`, or the count of what the list has: `invoiceCount`, `numberOfInvoices`. */
function countsRows(name: string, { listNames }: Facts): boolean {
  const plain = plainName(name)
  if (means('count', name)) return true
  const counted = /^(?:numberof|countof|מספר|כמות)(.+)$/.exec(plain)?.[1] ?? /^(.+)count$/.exec(plain)?.[1]
  return counted !== undefined && isListName(counted, listNames)
}

const countOf = ({ rows, isWhole, fields }: Facts): number | undefined => {
  if (typeof fields.count === 'number') return fields.count
  return rows && isWhole ? rows.length : undefined
}

const isListName = (name: string, listNames: readonly string[]) => {
  const plain = plainName(name)
  const bare = plain.replace(/^(overdue|open|unpaid|late)/, '')
  return listNames.some((each) => [plain, bare].includes(plainName(each)))
}

/** `any`, or that of what the list has: `hasInvoices`, `anyOverdue`. */
function asksAny(name: string, facts: Facts): boolean {
  if (means('any', name)) return true
  const subject = /^(?:has|any|isthere|areany|יש)(.+)$/.exec(plainName(name))?.[1] ?? plainName(name)
  if (['overdue', 'late', 'isoverdue', 'באיחור'].includes(subject)) return facts.isAboutOverdue
  return (
    subject !== plainName(name) && (isListName(subject, facts.listNames) || (subject === 'open' && facts.isAboutOpen))
  )
}

/** Whether there is anything that was asked for. */
function isAny({ rows, isWhole, isAboutOpen, amount }: Facts): boolean | undefined {
  if (rows) return rows.length > 0 || (isWhole ? false : undefined)
  return isAboutOpen && amount !== undefined ? amount > 0 : undefined
}

/** The currency that all amounts have. */
function currencyOf({ currency, rows = [], isWhole }: Facts): unknown {
  if (currency !== undefined) return currency
  const currencies = new Set(rows.map(({ row, data }) => row.currency ?? data.currency))
  return isWhole && currencies.size === 1 ? [...currencies][0] : undefined
}

/** A bare text: the name of the only row. */
const onlyText = (schema: AnswerSchema, facts: Facts) =>
  ofOnlyRow('name', schema, facts) ?? ofOnlyRow('number', schema, facts) ?? valueIn(facts.fields, 'name', schema)

/** The rows as a list; undefined if the name means another list, rows are missing, or one of them lacks a required value. */
function fillRows(schema: AnswerSchema, facts: Facts, name: string): unknown[] | undefined {
  const { rows, isWhole, listNames } = facts
  const { items } = schema
  if (!rows || !isWhole || !items) return undefined
  const party = parties.find(({ meaning }) => means(meaning, name))
  const isOwn = name === '' || means('list', name) || isListName(name, listNames)
  if (typeOf(items) === 'string' && party && !isOwnParty(party, listNames)) return partiesOf(rows, party.field, items)
  const isPlain = (['names', 'ids', 'numbers'] as const).find((meaning) => means(meaning, name))
  if (!isOwn && !isPlain) return undefined
  const filled = rows.map((row) => {
    if (typeOf(items) === 'object') return fillObject(items, (property, each) => ofRow(row, property, each, facts))
    return plainValue(row, items, isPlain, facts)
  })
  return filled.some((value) => misfitsOf(items, value).length > 0) ? undefined : filled
}

/** An element of a list of texts or numbers. */
function plainValue(row: FactRow, schema: AnswerSchema, what: 'names' | 'ids' | 'numbers' | undefined, facts: Facts) {
  if (typeOf(schema) !== 'string') return fitting(schema, row.row.amount)
  if (what === 'ids') return ofRow(row, 'id', schema, facts)
  const [first, second] = what === 'names' ? ['name', 'customer'] : ['number', 'name']
  return ofRow(row, first, schema, facts) ?? ofRow(row, second, schema, facts)
}

const parties = [
  { meaning: 'customers', field: 'customer' },
  { meaning: 'suppliers', field: 'supplier' },
  { meaning: 'employees', field: 'employee' },
] as const

const isOwnParty = ({ field }: { field: string }, listNames: readonly string[]) => isListName(field, listNames)

/** The customers of documents, each once. */
function partiesOf(rows: readonly FactRow[], field: string, items: AnswerSchema): unknown[] | undefined {
  const names = rows.map(({ data }) => valueIn(data, field, items))
  return names.includes(undefined) ? undefined : [...new Set(names)]
}

/** A property of one row. */
function ofRow(
  { data, row }: FactRow,
  name: string,
  schema: AnswerSchema,
  { today, isAboutOverdue, isAboutOpen }: Facts,
) {
  const isNumber = ['number', 'integer'].includes(typeOf(schema))
  const isAmount = means('amount', name) && plainName(name) !== 'total'
  if (isNumber && (isAmount || (isAboutOverdue && means('overdue', name)))) return fitting(schema, row.amount)
  if (isNumber && isAboutOpen && means('open', name) && !(name in data)) return fitting(schema, row.amount)
  if (isNumber && ['daysoverdue', 'dayslate', 'ימיאיחור'].includes(plainName(name)) && row.dueDate)
    return fitting(schema, Math.max(0, daysBetween(row.dueDate, today)))
  const own = valueIn(data, name, schema)
  return own === undefined && isNumber && means('amount', name) ? fitting(schema, row.amount) : own
}

/** The field that a name means, if its value has the type that is asked for. */
function valueIn(data: Data, name: string, schema: AnswerSchema): unknown {
  const fields = new Map(Object.entries(withInnerNames(data)).map(([field, value]) => [plainName(field), value]))
  for (const field of fieldsFor(name)) {
    const value = fitting(schema, fields.get(plainName(field)))
    if (value !== undefined) return value
  }
  return undefined
}

/** With the fields of inner records by their full names: `customerName` for the name of the customer. */
function withInnerNames(data: Data): Data {
  const inner = Object.entries(data).flatMap(([field, value]) =>
    isRecord(value) ? Object.entries(value).map(([each, innerValue]) => [`${field}.${each}`, innerValue]) : [],
  )
  return { ...Object.fromEntries(inner), ...data }
}

const isRecord = (value: unknown): value is Data => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value in the form that the schema asks for; undefined if it does not fit. */
function fitting(schema: AnswerSchema, value: unknown): unknown {
  const shaped = shapedAs(schema, value)
  return shaped !== undefined && misfitsOf(schema, shaped).length === 0 ? shaped : undefined
}

function shapedAs(schema: AnswerSchema, value: unknown): unknown {
  if (value === null || value === '')
    return isNullable(schema) ? null : value === '' && !schema.format ? value : undefined
  const type = typeOf(schema)
  if (type === 'string' && isRecord(value)) return value.displayName ?? value.name
  if (type === 'string' && schema.format === 'date') return typeof value === 'string' ? dayOf(value) : undefined
  if (type === 'object' && isRecord(value)) return fillObject(schema, (name, each) => valueIn(value, name, each))
  if (type === 'array' && Array.isArray(value) && schema.items)
    return value.map((each) => shapedAs(schema.items as AnswerSchema, each))
  return value
}

/** A day is stored as such, or as an instant at its beginning. */
const dayOf = (text: string) => toDay(text.slice(0, 10))
