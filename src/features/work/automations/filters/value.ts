import type { Kind } from '../../../../core/define/filterable.ts'
import { toUuid } from '../../../../core/define/query.ts'
import { looksLikeDate, readDate } from '../dates.ts'
import { filterLimits, type Predicate } from './spec.ts'

/** A value with its PostgreSQL type; null means no value. */
export type Literal = { cast: Cast; text: string } | null
export type Cast = 'text' | 'uuid' | 'numeric' | 'boolean' | 'date' | 'timestamptz'

/** The values that a field is compared with, or the problem with them. */
export type ParsedValue = { literals: Literal[] } | { problem: string }

export type ReadOptions = {
  /** The time zone of the organization. */
  zone: string
  /** Whether an impossible day or instant is compared as text, as in a condition, instead of being refused. */
  impossibleDatesAreText?: boolean | undefined
}

/**
 * Parses a value by the type of its field: numbers or numeric text, true or 'true', days and instants in ISO form. For a
 * day field, an instant becomes the day in the organization's time zone.
 */
export function readValue(
  kind: Kind,
  { op, value }: Pick<Predicate, 'op' | 'value'>,
  options: ReadOptions,
): ParsedValue {
  const isList = op === 'in' || op === 'nin'
  if (Array.isArray(value) && !isList) return { problem: `must be a single value: ${op} compares with one` }
  const values: unknown[] = isList && Array.isArray(value) ? value : [value]
  if (values.length > filterLimits.valuesMax) return { problem: `must have at most ${filterLimits.valuesMax} entries` }
  const literals: Literal[] = []
  for (const each of values) {
    const read = readOne(kindFor(kind, op), each, options)
    if (typeof read === 'string') return { problem: read }
    literals.push(read)
  }
  return { literals }
}

/** `contains` searches the text of a value, and ids are ordered as text. */
const kindFor = (kind: Kind, op: Predicate['op']): Kind =>
  op === 'contains' || (kind === 'id' && !equalities.includes(op)) ? 'text' : kind

const equalities: readonly Predicate['op'][] = ['eq', 'ne', 'in', 'nin']

function readOne(kind: Kind, value: unknown, { zone, impossibleDatesAreText }: ReadOptions): Literal | string {
  if (value === null || value === undefined) return null
  if (typeof value === 'object') return 'must be text, a number, true, false or null'
  const text = String(value)
  if (text.length > filterLimits.textMax) return `must have at most ${filterLimits.textMax} characters`
  if (text.includes('\0')) return 'must not contain the character U+0000'
  const literal = readers[kind](text, zone)
  if (literal) return literal
  const isDate = kind === 'day' || kind === 'instant'
  if (isDate && impossibleDatesAreText && looksLikeDate(text)) return { cast: 'text', text }
  return text.includes('{{')
    ? `${expected[kind]}; a binding has its value only when the automation runs`
    : expected[kind]
}

const readers: Record<Kind, (text: string, zone: string) => Literal | undefined> = {
  text: (text) => ({ cast: 'text', text }),
  id: (text) => ({ cast: 'uuid', text: toUuid(text) }),
  number: (text) =>
    numeric.test(text) && Number.isFinite(Number(text)) ? { cast: 'numeric', text: String(Number(text)) } : undefined,
  boolean: (text) => (text === 'true' || text === 'false' ? { cast: 'boolean', text } : undefined),
  day: (text, zone) => dayLiteral(readDate(text, zone)),
  instant(text, zone) {
    const date = readDate(text, zone)
    if (date?.epochMs === undefined) return dayLiteral(date)
    return { cast: 'timestamptz', text: new Date(date.epochMs).toISOString() } // PostgreSQL accepts fewer offsets
  },
}

const dayLiteral = (date: ReturnType<typeof readDate>): Literal | undefined => date && { cast: 'date', text: date.day }

const numeric = /^\s*[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?\s*$/i

const expected: Record<Kind, string> = {
  text: 'must be text',
  id: 'must be an id',
  number: 'must be a number',
  boolean: 'must be true or false',
  day: 'must be a day such as 2026-01-31, or an instant',
  instant: 'must be a day such as 2026-01-31, or an instant such as 2026-01-31T08:00:00Z',
}
