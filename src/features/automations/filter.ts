import { invalid } from '../../core/failure.ts'
import type { Database } from '../../core/operation.ts'
import type { Executed, Owner } from './executor.ts'

/** The objects that a filter may range over: their fields, and the relations that lead from one to another. */
export type FilterCatalog = Record<
  string,
  { fields: { name: string; type: 'string' | 'number' | 'boolean' | 'date' }[]; morphisms: Record<string, string> }
>
export const filterCatalog: FilterCatalog = {}

type FilterGround = { db: Database; now: Date; timezone: string; owner: Owner }

/**
 * Carries out the FilterSpec of a FILTER block, in a transaction confined to the organization and for reading only. Its
 * bindings have been resolved. What comes back is the shaped list or scalar itself.
 */
export async function runFilter(_: FilterGround, _spec: unknown): Promise<Executed> {
  throw invalid('config.spec', 'There is nothing to filter yet: the filter catalog is empty.')
}
