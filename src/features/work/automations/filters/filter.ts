import { type RawBuilder, sql } from 'kysely'
import { forbidden, invalid } from '../../../../core/define/failure.ts'
import type { Database } from '../../../../core/define/operation.ts'
import type { Warning } from '../../../../core/define/schema.ts'
import { setPayroll } from '../../../../core/run/transaction-context.ts'
import { today } from '../../../../core/values/day.ts'
import { pipeline } from '../../../../db/pipeline.ts'
import type { StepResult } from '../engine/engine-types.ts'
import { markOfFeatures, mayReadStep } from '../protected-steps.ts'
import { type GraphRights, rightsOfRunHold } from '../rights.ts'
import { checkedPlan, featuresOf, missingRightForPlan, missingScopesForPlan, parseSpec, roleForPlan } from './check.ts'
import { limitTime, refuseExpensive } from './cost.ts'
import type { FilterPlan } from './plan.ts'
import { type FilterSpec, filterLimits, type MissingValue, mapValues } from './spec.ts'
import { executeFilter } from './sql.ts'

type FilterContext = { db: Database; now: Date; timezone: string; organizationId: string }

const at = 'config.spec'

/**
 * Runs the spec of a FILTER block, with its bindings resolved, in a transaction confined to the organization. The output
 * is the list or scalar in the shape of the spec. The rights of the run are those of its claim; that they still hold is
 * checked in the flush of the filter.
 */
export function runFilter(
  { runId, rights, ...context }: FilterContext & { runId: string; rights: GraphRights },
  given: unknown,
  missingValues: readonly MissingValue[] = [],
): Promise<StepResult> {
  const hidden = mayReadStep('payroll', rights) ? sql`` : withoutPayroll
  const requires = (plan: FilterPlan) => sql`${rightsOfRunHold(runId, roleForPlan(plan))} ${hidden}`
  return findForBlock({ ...context, rights, requires }, given, missingValues)
}

/** The same for a caller who tries a graph that does not run: their transaction shows them what they may see. */
export const tryFilter = (
  context: FilterContext & { rights: GraphRights },
  given: unknown,
  missingValues: readonly MissingValue[] = [],
): Promise<StepResult> => findForBlock(context, given, missingValues)

type BlockContext = FilterContext & { rights: GraphRights; requires?: (plan: FilterPlan) => RawBuilder<unknown> }

async function findForBlock(
  { rights, requires, ...context }: BlockContext,
  given: unknown,
  missingValues: readonly MissingValue[],
): Promise<StepResult> {
  const spec = parseSpec(withoutMissing(given, missingValues))
  const plan = checkedPlan(spec, { zone: context.timezone, at, impossibleDatesAreText: true })
  const missing = missingRightForPlan(plan, rights)
  if (missing) throw forbidden(missing.message, missing.code)
  const { resultsMax } = filterLimits
  const warnings = missingValueWarnings(spec, missingValues)
  const findsNothing = warnings.length > 0 || missingScopesForPlan(plan, rights.scopes, at).length > 0
  const options = { shown: resultsMax, at, findsNothing, ...(requires && { requires: requires(plan) }) }
  const { count, results } = await findResults(context, plan, options)
  // A part of the results must not be used as if it were all of them.
  if (count > resultsMax && plan.shape !== 'scalar')
    throw invalid(at, `There are more than ${resultsMax} results. Narrow the filter.`, 'LIMIT_EXCEEDED')
  const output = plan.shape === 'scalar' ? scalarOf(results) : toList(plan, results)
  return { output, feature: markOfFeatures(featuresOf(plan)), warnings }
}

/** What is left of a text around a missing value need not fit the type of the field, and is not compared. */
const withoutMissing = (spec: unknown, missing: readonly MissingValue[]) =>
  mapValues(spec, (value, n) => (missing.some(({ predicate }) => predicate === n) ? null : value))

/** `ne` and `nin` would hold for every row if a missing value were compared: a typing error would widen the filter. */
const missingValueWarnings = ({ predicates = [] }: FilterSpec, missing: readonly MissingValue[]): Warning[] =>
  missing.flatMap(({ predicate, bindings }) => {
    const { object, field, op } = predicates[predicate] ?? {}
    const names = bindings.map((path) => `{{${path}}}`).join(', ')
    const message = `predicates.${predicate} (${object}.${field} ${op}) matches no row, because ${names} has no value.`
    return [{ code: 'MISSING_BINDING', message, path: `${at}.predicates.${predicate}.value` }]
  })

/** A job sees payroll data; the filter of a graph without payroll rights does not. */
const withoutPayroll = sql.raw(`, ${setPayroll("''")}`)

type FindOptions = {
  shown: number
  at: string
  /** Set if an object of the filter is not visible. */
  findsNothing?: boolean
  timeoutMs?: number
  /** An expression that fails unless the filter may still be executed. */
  requires?: RawBuilder<unknown>
}
type ResultRow = { n: number; [value: `e${number}`]: unknown }

/** The values of each result in order, and the number of results, counted up to one more than a run may have. */
export async function findResults(
  { db, now, timezone, organizationId }: FilterContext,
  plan: FilterPlan,
  { shown, at, findsNothing = false, timeoutMs = filterLimits.timeoutMs, requires }: FindOptions,
) {
  const count = filterLimits.resultsMax + 1
  const options = { today: today(now, timezone), zone: timezone, organizationId, count, shown, findsNothing }
  try {
    await refuseExpensive(db, plan, { ...options, at, timeoutMs })
    const { rows } = await pipeline({
      ...limitTime(db, { timeoutMs, requires }),
      rows: executeFilter<ResultRow>(db, plan, options),
    })
    const results = rows.map((row) => plan.extracts.map((extract, n) => toValue(extract, row[`e${n}`] ?? null)))
    return { count: rows[0]?.n ?? 0, results }
  } catch (error) {
    const isTooSlow = error instanceof Error && 'code' in error && error.code === '57014'
    if (isTooSlow)
      throw invalid(at, 'The filter took too long. Narrow it, or follow fewer relations.', 'FILTER_TIMEOUT')
    throw error
  }
}

/** PostgreSQL returns numeric values as text. */
const toValue = ({ field, fn }: FilterPlan['extracts'][number], value: unknown) =>
  value !== null && (fn || field.kind === 'number') ? Number(value) : value

/** The results as a list: objects, or the one value of each. */
export const toList = ({ extracts, shape }: FilterPlan, results: readonly unknown[][]): unknown[] =>
  results.map((values) =>
    shape === 'objects' ? Object.fromEntries(extracts.map(({ as }, n) => [as, values[n]])) : values[0],
  )

/** The first value of the first result. */
export const scalarOf = ([first]: readonly unknown[][]): unknown => first?.[0] ?? null
