import { atLeast, type Feature, hasScope, type Role, type Scope } from '../../../../core/define/access.ts'
import type { Detail } from '../../../../core/define/failure.ts'
import { Type, type Warning } from '../../../../core/define/schema.ts'
import { problemsOf, refusal } from '../../../../core/define/validate.ts'
import type { MissingRight } from '../actions/action.ts'
import { bindingsIn } from '../engine/bindings.ts'
import type { Rights } from '../rights.ts'
import { filterObjects } from './objects.ts'
import { type FilterPlan, type PlanOptions, planFilter } from './plan.ts'
import { FilterSpec, mapValues } from './spec.ts'

/** The plan of a spec, or 400 with all its problems. */
export function checkedPlan(
  spec: FilterSpec,
  options: Omit<PlanOptions, 'objects'> & Partial<PlanOptions>,
): FilterPlan {
  const { plan, problems } = planFilter(spec, { objects: filterObjects, ...options })
  if (problems.length > 0) throw refusal(problems)
  return plan
}

/** The spec of a FILTER block, or 400 if it is malformed. The schema of a block allows any value there. */
export function parseSpec(value: unknown): FilterSpec {
  const { spec, problems } = readSpec(value)
  if (!spec) throw refusal(problems)
  return spec
}

const FilterBlock = Type.Object({ config: Type.Object({ spec: FilterSpec }) })

function readSpec(value: unknown): { spec?: FilterSpec; problems: Detail[] } {
  const block = { config: { spec: structuredClone(value) } }
  const problems = problemsOf(FilterBlock, block)
  return problems.length > 0 ? { problems } : { spec: block.config.spec as FilterSpec, problems } // checked above
}

/** The plan of a saved spec. The values of its bindings are not known yet, so null takes their place. */
function planSaved(
  saved: unknown,
  at: string,
  { impossibleDatesAreText = true } = {},
): { plan?: FilterPlan; problems: Detail[] } {
  const { spec, problems } = readSpec(mapValues(saved, (value) => (bindingsIn(value).length > 0 ? null : value)))
  return spec ? planFilter(spec, { objects: filterObjects, zone: 'UTC', at, impossibleDatesAreText }) : { problems }
}

/** Warns of problems that would fail the block, and of impossible dates. The spec can be saved all the same. */
export const specWarnings = (saved: unknown, path: string): Warning[] =>
  planSaved(saved, 'config.spec', { impossibleDatesAreText: false }).problems.map((problem) => ({
    code: 'FILTER',
    message: problem.message,
    path: `${path}.${problem.path}`,
  }))

/** The role that is missing to filter by a saved spec. Undefined if none is, or if the spec is malformed. */
export function missingRightForSpec(saved: unknown, rights: Pick<Rights, 'role'>): MissingRight | undefined {
  const { plan, problems } = planSaved(saved, 'config.spec')
  return plan && problems.length === 0 ? missingRightForPlan(plan, rights) : undefined
}

/** The role that is missing to filter: payroll data needs a higher one. */
export function missingRightForPlan(plan: FilterPlan, { role }: Pick<Rights, 'role'>): MissingRight | undefined {
  const needed = roleForPlan(plan)
  if (atLeast(role, needed)) return undefined
  const filtering = `A filter on ${plan.sources.map(({ name }) => name).join(', ')}`
  return { code: 'ROLE', message: `${filtering} needs the role ${needed}, and the role here is ${role}.` }
}

export const roleForPlan = (plan: FilterPlan): Role => (featuresOf(plan).has('payroll') ? 'CONTRIBUTOR' : 'VIEWER')

/**
 * Warns of objects whose rows the filter does not see, because the credential or the graph lacks the scope to read them. Then
 * the filter finds nothing at all: an object that is followed must exist, and of these none does.
 */
export function missingScopesForPlan({ sources }: FilterPlan, scopes: readonly string[] | null, at: string): Warning[] {
  return sources.flatMap(({ name, object }, n) => {
    const scope: Scope = `${object.feature}:read`
    const path = n === 0 ? `${at}.root` : `${at}.follows.${n - 1}`
    const message = `Without the scope ${scope} no rows of ${name} are visible, so this filter finds nothing.`
    return hasScope(scopes, scope) ? [] : [{ code: 'MISSING_SCOPE', message, path }]
  })
}

/** The same of a saved spec; none if the spec is malformed. */
export function missingScopesForSpec(saved: unknown, scopes: readonly string[] | null, at: string): Warning[] {
  const { plan, problems } = planSaved(saved, 'config.spec')
  return plan && problems.length === 0 ? missingScopesForPlan(plan, scopes, at) : []
}

export const featuresOf = ({ sources }: FilterPlan): ReadonlySet<Feature> =>
  new Set(sources.map(({ object }) => object.feature))
