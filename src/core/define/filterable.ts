import { type RawBuilder, sql } from 'kysely'
import type { Feature } from './access.ts'

// The objects that filters of automations can select. A feature declares its objects in its own `filterable.ts`, with the
// names and values of its resources; features/work/automations/filters/objects.ts is the list. No text of a caller gets into SQL:
// names are looked up here.

export type Filterable = {
  /** The feature that owns the data; payroll is not readable for every member. */
  feature: Feature
  /** A table, or a query in parentheses; it has a column organization_id. */
  from: RawBuilder<unknown>
  /** The columns that identify a row within its organization. Results are sorted by them. */
  key: readonly string[]
  fields: Readonly<Record<string, Field>>
  relations: Readonly<Record<string, Relation>>
}

/** How a value is stored and compared. Callers see four types: text and ids are strings, days and instants are dates. */
export type Kind = 'id' | 'text' | 'number' | 'boolean' | 'day' | 'instant'

export type Field = {
  kind: Kind
  /** An amount in the currency of its row: a sum over several currencies has no meaning. */
  money?: true
  of(row: Row): RawBuilder<unknown>
}

/** A row in a statement: its columns by name, and today's date in the time zone of the organization. */
export type Row = { column(name: string): RawBuilder<unknown>; today: string }

export type Relation = {
  to: string
  many: boolean
  /** The columns that must be equal; with `through`, a table in between and its columns. */
  on: Pair
  through?: { from: RawBuilder<unknown>; on: Pair }
}
type Pair = readonly [here: string, there: string]

type Declared = Omit<Filterable, 'fields' | 'relations' | 'key'> & {
  key?: readonly string[]
  /** A kind means the column of that name. */
  fields: Record<string, Kind | Field>
  relations?: Record<string, Relation>
}

export const filterable = ({ fields, ...rest }: Declared): Filterable => ({
  key: ['id'],
  relations: {},
  ...rest,
  fields: Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, typeof field === 'string' ? column(field, name) : field]),
  ),
})

export const column = (kind: Kind, name: string): Field => ({ kind, of: (row) => row.column(name) })

/** An amount stored in minor units, as the API shows it. */
export const amount = (name: string): Field => ({
  kind: 'number',
  money: true,
  of: (row) => sql`major_units(${row.column(name)}, ${row.column('minorDigits')})`,
})

export const toOne = (to: string, ...on: Pair): Relation => ({ to, many: false, on })
export const toMany = (to: string, ...on: Pair): Relation => ({ to, many: true, on })
