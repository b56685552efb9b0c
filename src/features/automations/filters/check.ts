import { allows, atLeast, type Feature, type Role, type Scope } from '../../../core/define/access.ts'
import type { Detail } from '../../../core/define/failure.ts'
import { Type, type Warning } from '../../../core/define/schema.ts'
import { problemsOf, refusal } from '../../../core/define/validate.ts'
import type { MissingRight, Rights } from '../actions/action.ts'
import { bindingsIn } from '../engine/bindings.ts'
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
function planSaved(saved: unknown, at: string): { plan?: FilterPlan; problems: Detail[] } {
  const { spec, problems } = readSpec(mapValues(saved, (value) => (bindingsIn(value).length > 0 ? null : value)))
  return spec ? planFilter(spec, { objects: filterObjects, zone: 'UTC', at }) : { problems }
}

/** Warns of problems that would fail the block. The spec can be saved all the same. */
export const specWarnings = (saved: unknown, path: string): Warning[] =>
  planSaved(saved, 'config.spec').problems.map((problem) => ({
    code: 'FILTER',
    message: problem.message,
    path: `${path}.${problem.path}`,
  }))

type FilterRights = Pick<Rights, 'role' | 'scopes'>

/** The right that is missing to read what a saved spec names. Undefined if none is, or if the spec is malformed. */
export function missingRightForSpec(saved: unknown, rights: FilterRights): MissingRight | undefined {
  const { plan } = planSaved(saved, 'config.spec')
  return plan && missingRightForPlan(plan, rights)
}

/** Payroll data needs a higher role and a scope of its own. */
export function missingRightForPlan(plan: FilterPlan, { role, scopes }: FilterRights): MissingRight | undefined {
  const [requiredRole, scope]: [Role, Scope] = featuresOf(plan).has('payroll')
    ? ['CONTRIBUTOR', 'payroll:read']
    : ['VIEWER', 'automations:read']
  const filtering = `A filter on ${plan.sources.map(({ name }) => name).join(', ')}`
  if (scopes && !allows(scopes, scope)) return { code: 'SCOPE', message: `${filtering} needs the scope ${scope}.` }
  if (!atLeast(role, requiredRole))
    return { code: 'ROLE', message: `${filtering} needs the role ${requiredRole}, and the role here is ${role}.` }
  return undefined
}

export const featuresOf = ({ sources }: FilterPlan): ReadonlySet<Feature> =>
  new Set(sources.map(({ object }) => object.feature))
