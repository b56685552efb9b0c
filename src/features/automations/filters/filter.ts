import { sql } from 'kysely'
import { forbidden, invalid } from '../../../core/define/failure.ts'
import type { Database } from '../../../core/define/operation.ts'
import { today } from '../../../core/values/day.ts'
import { pipeline } from '../../../db/pipeline.ts'
import type { Executed, Owner } from '../engine/engine-types.ts'
import { checkedPlan, featuresOf, missingForPlan, specOfBlock } from './check.ts'
import type { FilterPlan } from './plan.ts'
import { filterLimits } from './spec.ts'
import { statementOf } from './sql.ts'

export { filterCatalog } from './objects.ts'

type FilterGround = { db: Database; now: Date; timezone: string; owner: Owner }

const at = 'config.spec'

/**
 * Carries out the FilterSpec of a FILTER block, in a transaction confined to the organization and for reading only. Its
 * bindings have been resolved. What comes back is the shaped list or scalar itself.
 */
export async function runFilter({ owner, ...where }: FilterGround, spec: unknown): Promise<Executed> {
  const plan = checkedPlan(specOfBlock(spec), { zone: where.timezone, at })
  const missing = missingForPlan(plan, { role: owner.role, scopes: null })
  if (missing) throw forbidden(`The owner may not do this: ${missing.says}`, missing.code)
  const { resultsMax } = filterLimits
  const { count, results } = await findResults(where, plan, { shown: resultsMax, at })
  // Nobody is to take a part of them for all.
  if (count > resultsMax && plan.shape !== 'scalar')
    throw invalid(at, `There are more than ${resultsMax} results. Narrow the filter.`, 'LIMIT_EXCEEDED')
  const output = plan.shape === 'scalar' ? scalarOf(results) : shaped(plan, results)
  return { output, ...(featuresOf(plan).has('payroll') && { feature: 'payroll' }) }
}

type Where = { db: Database; now: Date; timezone: string }
type Bounds = { shown: number; at: string; patienceMs?: number }
type Found = { n: number; [value: `e${number}`]: unknown }

/** The values of each result, in order; and how many there are, counted as far as one more than a run may have. */
export async function findResults({ db, now, timezone }: Where, plan: FilterPlan, { shown, at, patienceMs }: Bounds) {
  const statement = statementOf<Found>(plan, {
    today: today(now, timezone),
    zone: timezone,
    count: filterLimits.resultsMax + 1,
    shown,
  })
  try {
    const {
      found: { rows },
    } = await pipeline({
      limited:
        sql`select set_config('statement_timeout', ${String(patienceMs ?? filterLimits.patienceMs)}, true)`.execute(db),
      found: statement.execute(db),
    })
    const results = rows.map((row) => plan.extracts.map((extract, n) => toValue(extract, row[`e${n}`] ?? null)))
    return { count: rows[0]?.n ?? 0, results }
  } catch (error) {
    const isTooSlow = error instanceof Error && 'code' in error && error.code === '57014'
    if (isTooSlow) throw invalid(at, 'The filter took too long. Narrow it, or follow less.', 'FILTER_TIMEOUT')
    throw error
  }
}

/** PostgreSQL tells exact numbers as text. */
const toValue = ({ field, fn }: FilterPlan['extracts'][number], value: unknown) =>
  value !== null && (fn || field.kind === 'number') ? Number(value) : value

/** The results as a list: objects, or the one value of each. */
export const shaped = ({ extracts, shape }: FilterPlan, results: readonly unknown[][]): unknown[] =>
  results.map((values) =>
    shape === 'objects' ? Object.fromEntries(extracts.map(({ as }, n) => [as, values[n]])) : values[0],
  )

/** The first value of the first result. */
export const scalarOf = ([first]: readonly unknown[][]): unknown => first?.[0] ?? null
