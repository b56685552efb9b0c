import { type RawBuilder, sql } from 'kysely'
import type { Kind } from '../../../core/define/filterable.ts'
import type { Predicate } from './spec.ts'
import type { Cast, Literal } from './value.ts'

type Compared = {
  /** The field's value. */
  value: RawBuilder<unknown>
  kind: Kind
  op: Predicate['op']
  literals: readonly Literal[]
  zone: string
}

/**
 * A predicate as SQL. Nothing equals nothing and differs from everything else; it is neither more nor less than anything
 * and contains nothing. Text is compared letter by letter, capitals apart.
 */
export function comparison(compared: Compared): RawBuilder<unknown> {
  switch (compared.op) {
    case 'eq':
    case 'in':
      return equals(compared)
    case 'ne':
    case 'nin':
      return sql`not coalesce(${equals(compared)}, false)`
    case 'gt':
      return ordered(compared, sql`>`)
    case 'gte':
      return ordered(compared, sql`>=`)
    case 'lt':
      return ordered(compared, sql`<`)
    case 'lte':
      return ordered(compared, sql`<=`)
    case 'contains':
      return contains(compared)
  }
}

/** Equals one of them. */
function equals({ literals, value, ...how }: Compared): RawBuilder<unknown> {
  const casts = [...new Set(literals.flatMap((literal) => literal?.cast ?? []))]
  const alike = casts.map((cast) => {
    const texts = literals.flatMap((literal) => (literal?.cast === cast ? [literal.text] : []))
    const side = sideOf({ value, ...how }, cast)
    return texts.length === 1
      ? sql`${side} = ${sideOfLiteral(texts[0] ?? '', cast)}`
      : sql`${side} = any(${texts}::${sql.raw(cast)}[])`
  })
  const ways = [...alike, ...(literals.includes(null) ? [sql`${value} is null`] : [])]
  return ways.length > 0 ? sql`(${sql.join(ways, sql` or `)})` : sql`false`
}

function ordered({ literals: [literal], ...compared }: Compared, than: RawBuilder<unknown>): RawBuilder<unknown> {
  if (!literal) return sql`false`
  return sql`${sideOf(compared, literal.cast)} ${than} ${sideOfLiteral(literal.text, literal.cast)}`
}

function contains({ value, kind, literals: [literal] }: Compared): RawBuilder<unknown> {
  return literal ? sql`strpos(${written(value, kind)}, ${literal.text}::text) > 0` : sql`false`
}

/** The field as it is compared with a literal of that kind. An instant compared with a day counts as its own day. */
function sideOf({ value, kind, zone }: Pick<Compared, 'value' | 'kind' | 'zone'>, cast: Cast): RawBuilder<unknown> {
  switch (cast) {
    case 'text':
      return sql`${written(value, kind)} collate "C"`
    case 'date':
      return kind === 'instant' ? sql`(${value} at time zone ${zone}::text)::date` : value
    case 'timestamptz':
      return toTheMillisecond(value)
    default:
      return value
  }
}

const sideOfLiteral = (text: string, cast: Cast) => {
  const literal = sql`${text}::${sql.raw(cast)}`
  return cast === 'timestamptz' ? toTheMillisecond(literal) : literal
}

/** As the API shows instants. */
const toTheMillisecond = (instant: RawBuilder<unknown>) => sql`date_trunc('milliseconds', ${instant})`

/** A value as the API writes it. */
function written(value: RawBuilder<unknown>, kind: Kind): RawBuilder<unknown> {
  switch (kind) {
    case 'text':
      return value
    case 'number':
      return sql`trim_scale((${value})::numeric)::text`
    case 'instant':
      return sql`to_char(${value} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
    default:
      return sql`(${value})::text`
  }
}
