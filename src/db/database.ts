import type { Kysely } from 'kysely'

/**
 * The tables and their columns. Declared here and filled in by catalog/tables.ts, whose row types are made from the
 * schemas of features: so the data model is on one screen, and db and core import nothing from features.
 */
// biome-ignore lint/suspicious/noEmptyInterface: catalog/tables.ts extends it
export interface Tables {}

export type Database = Kysely<Tables>

/** Tables whose rows belong to one organization: what `within` may name. */
export type OwnedTable =
  | { [T in keyof Tables]: Tables[T] extends { organizationId: unknown; id: unknown } ? T : never }[keyof Tables]
  | 'organizations'
