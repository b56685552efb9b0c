import { forbidden } from '../../../core/define/failure.ts'
import { operation } from '../../../core/define/operation.ts'
import { Id, Type, type Warning, Warnings } from '../../../core/define/schema.ts'
import { pipeline } from '../../../db/pipeline.ts'
import { bindingsIn } from '../engine/bindings.ts'
import { checkedPlan, missingForPlan } from './check.ts'
import { findResults, scalarOf, shaped } from './filter.ts'
import type { FilterPlan } from './plan.ts'
import { FilterSpec, filterLimits } from './spec.ts'

const at = 'spec'

export const preview = operation({
  name: 'automations_preview',
  http: 'POST /api/automations/filter/preview',
  does: 'Shows what a filter finds as things are now: how much, and the first few. Bindings are not resolved.',
  scope: 'automations:read',
  reads: true,
  within: 'organizationId',
  rate: 'heavyReads',
  input: Type.Object({ organizationId: Id, spec: FilterSpec }),
  output: Type.Object({
    count: Type.Integer({
      minimum: 0,
      maximum: filterLimits.resultsMax,
      description: 'How many results there are, 1000 for more; of a scalar, how many it was worked out from.',
    }),
    sample: Type.Array(Type.Unknown(), { description: 'The first five; none where the shape is scalar.' }),
    scalar: Type.Optional(Type.Unknown({ description: 'The value, where the shape is scalar.' })),
    warnings: Type.Optional(Warnings),
  }),
  async run({ db, now, who }, { spec }) {
    const {
      member,
      organization: { timezone },
    } = await pipeline({
      member: who,
      organization: db.selectFrom('organizations').select('timezone').executeTakeFirstOrThrow(),
    })
    const plan = checkedPlan(spec, { zone: timezone, at })
    const missing = missingForPlan(plan, member)
    if (missing) throw forbidden(missing.says, missing.code)
    const { count, results } = await findResults({ db, now, timezone }, plan, { shown: filterLimits.sampleMax, at })
    const warnings = [...unresolved(spec), ...mixedCurrencies(plan)]
    return {
      count: Math.min(count, filterLimits.resultsMax),
      ...(plan.shape === 'scalar' ? { sample: [], scalar: scalarOf(results) } : { sample: shaped(plan, results) }),
      ...(warnings.length > 0 && { warnings }),
    }
  },
})

/** A binding is what it says here: there is no run that gives it a value. */
const unresolved = ({ predicates = [] }: FilterSpec): Warning[] =>
  predicates.flatMap(({ value }, n) =>
    bindingsIn(value).length === 0
      ? []
      : [
          {
            code: 'UNRESOLVED_BINDING',
            message: 'A preview resolves no bindings; this one was compared as the text it is.',
            path: `${at}.predicates.${n}.value`,
          },
        ],
  )

/** Money is added up per currency: grouped by it, or only one looked at. */
function mixedCurrencies({ extracts, groups, predicates }: FilterPlan): Warning[] {
  const isCurrency = ({ source, field }: FilterPlan['groups'][number]) => source.object.fields.currency === field
  const isSettled = groups.some(isCurrency) || predicates.some((each) => each.op === 'eq' && isCurrency(each))
  return extracts.flatMap(({ fn, field }, n) =>
    fn !== 'sum' || !field.money || isSettled
      ? []
      : [
          {
            code: 'MIXED_CURRENCIES',
            message: 'This adds up amounts of all currencies. Group by the currency, or look at one of them.',
            path: `${at}.extract.${n}`,
          },
        ],
  )
}
