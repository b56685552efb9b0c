import { type RawBuilder, sql } from 'kysely'
import type { Feature } from './access.ts'

// What the filters of automations range over. A feature declares its objects in its own `filterable.ts`, named and valued
// as its resources are; features/automations/filters/objects.ts is the list. Nothing a caller writes gets in here: names
// are looked up, and whatever becomes SQL was written by us.

export type Filterable = {
  /** Whose data it is; payroll is not for everybody who reads. */
  feature: Feature
  /** A table, or a query in parentheses; it has a column organization_id. */
  from: RawBuilder<unknown>
  /** The columns that tell one from another in its organization. Results stand in their order. */
  key: readonly string[]
  fields: Readonly<Record<string, Field>>
  relations: Readonly<Record<string, Relation>>
}

/** How a value is kept and compared. A caller is told of four types: text and ids are strings, days and instants dates. */
export type Kind = 'id' | 'text' | 'number' | 'boolean' | 'day' | 'instant'

export type Field = {
  kind: Kind
  /** An amount in a currency of its own: sums over several currencies mean nothing. */
  money?: true
  of(row: Row): RawBuilder<unknown>
}

/** A row in a statement: its columns by name, and what day it is where the organization is. */
export type Row = { column(name: string): RawBuilder<unknown>; today: string }

export type Relation = {
  to: string
  many: boolean
  /** Columns here that equal columns there; or the table in between, with the columns that lead to it and on from it. */
  on: Pair
  through?: { from: RawBuilder<unknown>; on: Pair }
}
type Pair = readonly [here: string, there: string]

type Declared = Omit<Filterable, 'fields' | 'relations' | 'key'> & {
  key?: readonly string[]
  /** A kind stands for the column of that name. */
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

/** Whole minor units beside `minorDigits`, as the API shows them. */
export const amount = (name: string): Field => ({
  kind: 'number',
  money: true,
  of: (row) => sql`major_units(${row.column(name)}, ${row.column('minorDigits')})`,
})

export const toOne = (to: string, ...on: Pair): Relation => ({ to, many: false, on })
export const toMany = (to: string, ...on: Pair): Relation => ({ to, many: true, on })
