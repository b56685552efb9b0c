import { type RawBuilder, sql } from 'kysely'
import { invalid } from '../../../../core/define/failure.ts'
import type { Database } from '../../../../core/define/operation.ts'
import { pipeline } from '../../../../db/pipeline.ts'
import type { FilterPlan, Source } from './plan.ts'
import { explainedStatementOf, isAggregate, type StatementOptions } from './sql.ts'

/**
 * The largest cost that PostgreSQL may estimate for a filter, in the units of its planner; 20,000 of them take about a second.
 * A sum over 100,000 documents with three lines each is estimated at 80,000, and all pairs of documents of the same customer
 * at half a million and more.
 */
const costMax = 200_000

type CostOptions = StatementOptions & { at: string; timeoutMs: number }

/**
 * Refuses a filter that would take much longer than it may, before it uses any time. The estimate costs a round trip, so
 * it is made only where the amount of work is not known from the specification.
 */
export async function refuseExpensive(db: Database, plan: FilterPlan, options: CostOptions): Promise<void> {
  if (!isCostUnknown(plan)) return
  const { cost } = await pipeline({
    ...limitTime(db, { timeoutMs: options.timeoutMs }),
    cost: estimate(db, plan, options),
  })
  if (cost <= costMax) return
  throw await refusalOf(db, plan, options)
}

type TimeLimit = Pick<CostOptions, 'timeoutMs'> & { requires?: RawBuilder<unknown> | undefined }

/** Limits the time of the statements of the same flush. If `requires` fails, they fail too. */
export const limitTime = (db: Database, { timeoutMs, requires }: TimeLimit) => ({
  timeout:
    sql`select set_config('statement_timeout', ${String(timeoutMs)}, true) ${requires ? sql`, ${requires}` : sql``}`.execute(
      db,
    ),
})

/** A list without relations to many rows stops at its limit. A sum reads everything that its conditions leave. */
const isCostUnknown = (plan: FilterPlan) =>
  plan.sources.some(isMany) || (isAggregate(plan) && !plan.predicates.some(({ op }) => op === 'eq' || op === 'in'))

const isMany = ({ via }: Source) => via?.relation.many ?? false

async function estimate(db: Database, plan: FilterPlan, options: StatementOptions): Promise<number> {
  const { rows } = await explainedStatementOf(plan, options).execute(db)
  const [explained] = Object.values(rows[0] ?? {}) as [[{ Plan: { 'Total Cost': number } }]?]
  return explained?.[0].Plan['Total Cost'] ?? 0
}

/** Names the relation without which the filter would cost least. */
async function refusalOf(db: Database, plan: FilterPlan, options: CostOptions) {
  const { at } = options
  const relations = plan.sources.filter(isMany)
  const costs = await pipeline(
    Object.fromEntries(relations.map((source, n) => [n, estimate(db, withoutSource(plan, source), options)] as const)),
  )
  const cheapest = relations.reduce<number | undefined>(
    (best, _, n) => (best === undefined || Number(costs[n]) < Number(costs[best]) ? n : best),
    undefined,
  )
  const source = cheapest === undefined ? undefined : relations[cheapest]
  if (!source?.via) {
    const message = 'The filter would read too much. Add a condition with eq or in.'
    return invalid(`${at}.predicates`, message, 'FILTER_TOO_EXPENSIVE')
  }
  const path = `${at}.follows.${plan.sources.indexOf(source) - 1}`
  const message = `The filter would read too much. Leave out ${path} (${source.via.from.name} to ${source.name}), or add conditions.`
  return invalid(path, message, 'FILTER_TOO_EXPENSIVE')
}

/** The plan without a followed object, what is followed from there, and what is compared and extracted of them. */
function withoutSource(plan: FilterPlan, left: Source): FilterPlan {
  const isLeft = (source: Source): boolean => source === left || (source.via !== undefined && isLeft(source.via.from))
  const remains = ({ source }: { source: Source }) => !isLeft(source)
  return {
    ...plan,
    sources: plan.sources.filter((source) => !isLeft(source)),
    predicates: plan.predicates.filter(remains),
    groups: plan.groups.filter(remains),
    extracts: plan.extracts.filter(remains),
  }
}
