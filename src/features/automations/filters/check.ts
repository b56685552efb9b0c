import { allows, atLeast, type Feature, type Role, type Scope } from '../../../core/define/access.ts'
import type { Detail } from '../../../core/define/failure.ts'
import { Type, type Warning } from '../../../core/define/schema.ts'
import { problemsOf, refusal } from '../../../core/define/validate.ts'
import type { Missing, Rights } from '../actions/action.ts'
import { bindingsIn } from '../engine/bindings.ts'
import { filterObjects } from './objects.ts'
import { type FilterPlan, type PlanDependencies, planFilter } from './plan.ts'
import { FilterSpec, withValues } from './spec.ts'

/** The plan of a spec, or 400 with everything that is wrong with it. */
export function checkedPlan(
  spec: FilterSpec,
  means: Omit<PlanDependencies, 'objects'> & Partial<PlanDependencies>,
): FilterPlan {
  const { plan, problems } = planFilter(spec, { objects: filterObjects, ...means })
  if (problems.length > 0) throw refusal(problems)
  return plan
}

/** The spec of a block, whose editor may have written anything there, or 400. */
export function specOfBlock(spec: unknown): FilterSpec {
  const read = readBlock(spec)
  if (!read.spec) throw refusal(read.problems)
  return read.spec
}

const inBlock = Type.Object({ config: Type.Object({ spec: FilterSpec }) })

function readBlock(spec: unknown): { spec?: FilterSpec; problems: Detail[] } {
  const block = { config: { spec: structuredClone(spec) } }
  const problems = problemsOf(inBlock, block)
  return problems.length > 0 ? { problems } : { spec: block.config.spec as FilterSpec, problems } // as was just checked
}

/** A spec as it is saved. What its bindings will be is not known yet, so their values are nothing here. */
function readSaved(saved: unknown, at: string): { plan?: FilterPlan; problems: Detail[] } {
  const { spec, problems } = readBlock(withValues(saved, (value) => (bindingsIn(value).length > 0 ? null : value)))
  return spec ? planFilter(spec, { objects: filterObjects, zone: 'UTC', at }) : { problems }
}

/** What will fail when the block runs. Nothing is refused because of it. */
export const specWarnings = (saved: unknown, path: string): Warning[] =>
  readSaved(saved, 'config.spec').problems.map((problem) => ({
    code: 'FILTER',
    message: problem.message,
    path: `${path}.${problem.path}`,
  }))

type FilterRights = Pick<Rights, 'role' | 'scopes'>

/** Why somebody may not have this read; undefined when they may, and for what cannot run anyway. */
export function missingForSaved(saved: unknown, rights: FilterRights): Missing | undefined {
  const { plan } = readSaved(saved, 'config.spec')
  return plan && missingForPlan(plan, rights)
}

/** Payroll is for fewer people than the rest of the books. */
export function missingForPlan(plan: FilterPlan, { role, scopes }: FilterRights): Missing | undefined {
  const [least, scope]: [Role, Scope] = featuresOf(plan).has('payroll')
    ? ['CONTRIBUTOR', 'payroll:read']
    : ['VIEWER', 'automations:read']
  const filtering = `To filter ${plan.sources.map(({ name }) => name).join(', ')}`
  if (scopes && !allows(scopes, scope)) return { code: 'SCOPE', says: `${filtering} needs the scope ${scope}.` }
  if (!atLeast(role, least))
    return { code: 'ROLE', says: `${filtering} needs the role ${least}, and theirs is ${role}.` }
  return undefined
}

export const featuresOf = ({ sources }: FilterPlan): ReadonlySet<Feature> =>
  new Set(sources.map(({ object }) => object.feature))
