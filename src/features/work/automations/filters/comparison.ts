import { type RawBuilder, sql } from 'kysely'
import type { Kind } from '../../../../core/define/filterable.ts'
import type { Predicate } from './spec.ts'
import type { Cast, Literal } from './value.ts'

type Comparison = {
  /** The field's value. */
  value: RawBuilder<unknown>
  kind: Kind
  op: Predicate['op']
  literals: readonly Literal[]
  zone: string
}

/**
 * A predicate as SQL. A missing value equals only a missing value. It is neither greater nor less than any value, and
 * contains none. Text comparison is case-sensitive and uses the order of code points.
 */
export function comparison(compared: Comparison): RawBuilder<unknown> {
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

/** Equals one of the literals. */
function equals({ literals, value, ...rest }: Comparison): RawBuilder<unknown> {
  const casts = [...new Set(literals.flatMap((literal) => literal?.cast ?? []))]
  const equalities = casts.map((cast) => {
    const texts = literals.flatMap((literal) => (literal?.cast === cast ? [literal.text] : []))
    const side = fieldSide({ value, ...rest }, cast)
    return texts.length === 1
      ? sql`${side} = ${literalSide(texts[0] ?? '', cast)}`
      : sql`${side} = any(${texts}::${sql.raw(cast)}[])`
  })
  const alternatives = [...equalities, ...(literals.includes(null) ? [sql`${value} is null`] : [])]
  return alternatives.length > 0 ? sql`(${sql.join(alternatives, sql` or `)})` : sql`false`
}

function ordered({ literals: [literal], ...compared }: Comparison, operator: RawBuilder<unknown>): RawBuilder<unknown> {
  if (!literal) return sql`false`
  return sql`${fieldSide(compared, literal.cast)} ${operator} ${literalSide(literal.text, literal.cast)}`
}

function contains({ value, kind, literals: [literal] }: Comparison): RawBuilder<unknown> {
  return literal ? sql`strpos(${asApiText(value, kind)}, ${literal.text}::text) > 0` : sql`false`
}

/** The field as it is compared with a literal of this type. Compared with a day, an instant counts as its day. */
function fieldSide(
  { value, kind, zone }: Pick<Comparison, 'value' | 'kind' | 'zone'>,
  cast: Cast,
): RawBuilder<unknown> {
  switch (cast) {
    case 'text':
      return sql`${asApiText(value, kind)} collate "C"`
    case 'date':
      return kind === 'instant' ? sql`(${value} at time zone ${zone}::text)::date` : value
    case 'timestamptz':
      return toTheMillisecond(value)
    default:
      return value
  }
}

const literalSide = (text: string, cast: Cast) => {
  const literal = sql`${text}::${sql.raw(cast)}`
  return cast === 'timestamptz' ? toTheMillisecond(literal) : literal
}

/** The precision of instants in the API. */
const toTheMillisecond = (instant: RawBuilder<unknown>) => sql`date_trunc('milliseconds', ${instant})`

/** A value in the text form of the API. */
function asApiText(value: RawBuilder<unknown>, kind: Kind): RawBuilder<unknown> {
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
