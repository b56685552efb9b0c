import type { Kysely } from 'kysely'

/**
 * The tables and their columns. Declared here and filled in by catalog/tables.ts, whose row types come from the schemas of
 * features: the data model is in one place, and db and core import nothing from features.
 */
// biome-ignore lint/suspicious/noEmptyInterface: catalog/tables.ts extends it
export interface Tables {}

export type Database = Kysely<Tables>

/** Tables whose rows belong to one organization: the tables that `within` may name. */
export type OwnedTable =
  | { [T in keyof Tables]: Tables[T] extends { organizationId: unknown; id: unknown } ? T : never }[keyof Tables]
  | 'organizations'
