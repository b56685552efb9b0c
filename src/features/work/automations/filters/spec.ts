import { defaulted, OneOf, type Static, Type } from '../../../../core/define/schema.ts'

export const filterOperators = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'nin', 'contains'] as const

/** The limits of a filter. */
export const filterLimits = {
  followsMax: 5,
  predicatesMax: 50,
  extractsMax: 50,
  groupsMax: 10,
  /** Of the list of `in` and `nin`. */
  valuesMax: 1_000,
  textMax: 10_000,
  /** A run with more results fails; a preview stops counting here. */
  resultsMax: 1_000,
  sampleMax: 5,
  timeoutMs: 5_000,
}

const name = (examples: string[], description?: string) =>
  Type.String({ minLength: 1, maxLength: 200, examples, ...(description && { description }) })

const Follow = Type.Object({
  from: name(['Document'], 'The root, or what an earlier follow leads to.'),
  name: name(['customer'], 'A relation of that object.'),
  as: Type.Optional(name(['Buyer'], 'What its target is called here; the name of its object unless given.')),
})

const Predicate = Type.Object({
  object: name(['Document']),
  field: name(['status']),
  op: OneOf(...filterOperators),
  value: Type.Unknown({
    description: 'Read as the field is typed: the text 100 is a number where one is compared. A list for in and nin.',
  }),
})
export type Predicate = Static<typeof Predicate>

const path = name(['Document.id'], 'Object.field')

const Extract = Type.Object({
  as: name(['id'], 'What it is called in a result.'),
  path,
  fn: Type.Optional(OneOf('count', 'sum')),
})

export const FilterSpec = Type.Object({
  root: name(['Document'], 'What is looked through: an object of the filter catalog.'),
  follows: Type.Optional(Type.Array(Follow, { maxItems: filterLimits.followsMax })),
  predicates: Type.Optional(
    Type.Array(Predicate, { maxItems: filterLimits.predicatesMax, description: 'All of them hold for a result.' }),
  ),
  aggregateBy: Type.Optional(
    Type.Array(path, { maxItems: filterLimits.groupsMax, description: 'Each result is then a group of these.' }),
  ),
  extract: Type.Array(Extract, { minItems: 1, maxItems: filterLimits.extractsMax }),
  shape: defaulted(OneOf('objects', 'scalars', 'scalar'), 'objects'),
})
export type FilterSpec = Static<typeof FilterSpec>

/** Maps the values of the predicates. Only these may hold bindings, so what a filter reads is known before it runs. */
export function mapValues(spec: unknown, change: (value: unknown, n: number) => unknown): unknown {
  if (!isRecord(spec) || !Array.isArray(spec.predicates)) return spec
  const predicates = spec.predicates.map((each: unknown, n) =>
    isRecord(each) && 'value' in each ? { ...each, value: change(each.value, n) } : each,
  )
  return { ...spec, predicates }
}

/** A predicate that cannot hold, because bindings in its value resolve to nothing. */
export type MissingValue = { predicate: number; bindings: readonly string[] }

/** The predicates with bindings that resolve to nothing. `missingIn` returns those of a value. */
export function missingValues(spec: unknown, missingIn: (value: unknown) => string[]): MissingValue[] {
  if (!isRecord(spec) || !Array.isArray(spec.predicates)) return []
  return spec.predicates.flatMap((each: unknown, predicate) => {
    const bindings = isRecord(each) ? missingIn(each.value) : []
    return bindings.length > 0 ? [{ predicate, bindings }] : []
  })
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
