import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { Database } from './operation.ts'
import { Count, Id, OneOf, Type } from './schema.ts'

/** The most ids that a list gives for a selection of everything that matches. */
export const idsMax = 10_000

/**
 * The views of a list, such as the unpaid documents: `asked` are fields of its query, `answered` of its answer. What is not asked
 * for is not read and not in the answer.
 */
export const listViews = <const V extends string>(...views: V[]) => ({
  asked: {
    view: Type.Optional(OneOf(...views)),
    counts: Type.Optional(
      Type.Boolean({ description: 'Also counts each view, whatever the other filters are.', examples: [true] }),
    ),
    ids: Type.Optional(
      Type.Boolean({
        description: `Also gives the ids of all that match, ${idsMax} at most, in the order of the list.`,
        examples: [true],
      }),
    ),
  },
  answered: {
    counts: Type.Optional(
      Type.Object(Object.fromEntries(views.map((view) => [view, Count])) as { [name in V]: typeof Count }, {
        description: 'How many there are in each view; only if asked for.',
      }),
    ),
    ids: Type.Optional(
      Type.Array(Id, {
        maxItems: idsMax,
        description: `The ids of all that match, or the first ${idsMax}; only if asked for. pagination.total says how many match.`,
      }),
    ),
  },
})

/** Reads the counts of all views with one statement; each is a query of one number. */
export async function readCounts<V extends string>(
  db: Database,
  counts: Readonly<Record<V, RawBuilder<unknown>>>,
): Promise<Record<V, number>> {
  const columns = Object.entries<RawBuilder<unknown>>(counts).map(
    ([view, count]) => sql`(${count}) as ${sql.ref(view)}`,
  )
  const { rows } = await sql<Record<V, number>>`select ${sql.join(columns)}`.execute(db)
  return rows[0] as Record<V, number> // a select without a table has one row
}

/** The first ids of a query in its order. */
export async function readIds<D, T extends keyof D, R extends { id: string }>(query: SelectQueryBuilder<D, T, R>) {
  const rows = await query.limit(sql.lit(idsMax)).execute()
  return rows.map((row) => (row as { id: string }).id)
}

/** What was asked for of the counts and ids, for the answer of a list. */
export const givenExtras = <C, I>(extras: { counts: C | false | undefined; ids: I | false | undefined }) => ({
  ...(extras.counts && { counts: extras.counts }),
  ...(extras.ids && { ids: extras.ids }),
})
