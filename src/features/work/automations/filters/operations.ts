import { forbidden } from '../../../../core/define/failure.ts'
import { operation } from '../../../../core/define/operation.ts'
import { Id, Type, type Warning, Warnings } from '../../../../core/define/schema.ts'
import { pipeline } from '../../../../db/pipeline.ts'
import { bindingsIn } from '../engine/bindings.ts'
import { checkedPlan, missingRightForPlan, missingScopesForPlan } from './check.ts'
import { findResults, scalarOf, toList } from './filter.ts'
import type { FilterPlan } from './plan.ts'
import { FilterSpec, filterLimits } from './spec.ts'

const at = 'spec'

export const preview = operation({
  name: 'automations_preview',
  http: 'POST /api/automations/filter/preview',
  does: 'Shows what a filter finds as things are now: how much, and the first few. Bindings are not resolved. Objects that the credential may not read show no rows.',
  scope: 'automations:read',
  reads: true,
  within: 'organizationId',
  rate: 'heavyReads',
  heavy: true,
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
    const missing = missingRightForPlan(plan, member)
    if (missing) throw forbidden(missing.message, missing.code)
    const invisible = missingScopesForPlan(plan, member.scopes, at)
    const options = { shown: filterLimits.sampleMax, at, findsNothing: invisible.length > 0 }
    const context = { db, now, timezone, organizationId: member.organizationId }
    const { count, results } = await findResults(context, plan, options)
    const warnings = [...invisible, ...unresolvedBindings(spec), ...mixedCurrencies(plan)]
    return {
      count: Math.min(count, filterLimits.resultsMax),
      ...(plan.shape === 'scalar' ? { sample: [], scalar: scalarOf(results) } : { sample: toList(plan, results) }),
      ...(warnings.length > 0 && { warnings }),
    }
  },
})

/** A preview has no run, so bindings have no values. */
const unresolvedBindings = ({ predicates = [] }: FilterSpec): Warning[] =>
  predicates.flatMap(({ value }, n) =>
    bindingsIn(value).length === 0
      ? []
      : [
          {
            code: 'UNRESOLVED_BINDING',
            message: 'A preview does not resolve bindings. This one was compared as plain text.',
            path: `${at}.predicates.${n}.value`,
          },
        ],
  )

/** A sum of money is meaningful only within one currency: grouped by it, or limited to one. */
function mixedCurrencies({ extracts, groups, predicates }: FilterPlan): Warning[] {
  const isCurrency = ({ source, field }: FilterPlan['groups'][number]) => source.object.fields.currency === field
  const isOneCurrency = groups.some(isCurrency) || predicates.some((each) => each.op === 'eq' && isCurrency(each))
  return extracts.flatMap(({ fn, field }, n) =>
    fn !== 'sum' || !field.money || isOneCurrency
      ? []
      : [
          {
            code: 'MIXED_CURRENCIES',
            message: 'This adds up amounts in different currencies. Group by currency, or filter on one.',
            path: `${at}.extract.${n}`,
          },
        ],
  )
}
