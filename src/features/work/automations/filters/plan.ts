import type { DetailCode } from '../../../../core/define/error-codes.ts'
import type { Detail } from '../../../../core/define/failure.ts'
import type { Field, Filterable, Relation } from '../../../../core/define/filterable.ts'
import { nearest } from '../../../../core/values/nearest.ts'
import { isPrototypeName } from '../engine/bindings.ts'
import type { FilterObjects } from './objects.ts'
import type { FilterSpec, Predicate } from './spec.ts'
import { type Literal, type ReadOptions, readValue } from './value.ts'

/** An object of the spec with its name in the spec, and the relation that leads to it. */
export type Source = { name: string; object: Filterable; via?: { from: Source; relation: Relation } }
/** A field of a source. */
export type FieldRef = { source: Source; field: Field }

/** A spec with all names looked up. Only values and the names of results still come from the caller. */
export type FilterPlan = {
  /** The root first, and each source after the one that leads to it. */
  sources: readonly Source[]
  predicates: readonly (FieldRef & { op: Predicate['op']; literals: readonly Literal[] })[]
  groups: readonly FieldRef[]
  extracts: readonly (FieldRef & { as: string; fn?: 'sum' | 'count' })[]
  shape: FilterSpec['shape']
}

export type PlanOptions = ReadOptions & {
  objects: FilterObjects
  /** The path of the spec in the request, for the messages. */
  at: string
}

/** Looks up all names of a spec. A plan with problems must not be used. */
export function planFilter(
  spec: FilterSpec,
  { objects, at, ...reading }: PlanOptions,
): { plan: FilterPlan; problems: Detail[] } {
  const problems: Detail[] = []
  const refuse = (path: string, message: string, code: DetailCode): undefined => {
    problems.push({ path: `${at}.${path}`, message: `${at}.${path} ${message}.`, code })
  }
  const sources = sourcesOf(spec, objects, refuse)
  const lookup = fieldLookup(sources, refuse)
  const predicates = (spec.predicates ?? []).flatMap(({ object, field, op, value }, n) => {
    const ref = lookup.field(object, field, { object: `predicates.${n}.object`, field: `predicates.${n}.field` })
    if (!ref) return []
    const parsed = readValue(ref.field.kind, { op, value }, reading)
    if ('literals' in parsed) return [{ ...ref, op, literals: parsed.literals }]
    refuse(`predicates.${n}.value`, parsed.problem, 'VALUE')
    return []
  })
  const groups = (spec.aggregateBy ?? []).flatMap((path, n) => lookup.path(path, `aggregateBy.${n}`) ?? [])
  const extracts = spec.extract.flatMap(({ as, path, fn }, n) => {
    const ref = lookup.path(path, `extract.${n}.path`)
    return ref ? [{ ...ref, as, ...(fn && { fn }) }] : []
  })
  const plan = { sources, predicates, groups, extracts, shape: spec.shape }
  if (problems.length === 0) checkExtracts(spec, plan, refuse)
  return { plan, problems }
}

type Refuse = (path: string, message: string, code: DetailCode) => undefined

function sourcesOf({ root, follows = [] }: FilterSpec, objects: FilterObjects, refuse: Refuse): Source[] {
  const object = ownProperty(objects, root)
  if (!object) {
    refuse(
      'root',
      `names ${root}${meant(root, objects)}, which is not in the filter catalog: ${listNames(objects)}`,
      'UNKNOWN_OBJECT',
    )
    return []
  }
  const sources: Source[] = [{ name: root, object }]
  for (const [n, { from, name, as }] of follows.entries()) {
    const start = sources.find((source) => source.name === from)
    const relation = start && ownProperty(start.object.relations, name)
    const target = relation && ownProperty(objects, relation.to)
    const alias = as ?? relation?.to ?? ''
    if (!start)
      refuse(`follows.${n}.from`, `names ${from}, which is neither the root nor an earlier follow`, 'UNKNOWN_OBJECT')
    else if (!relation || !target)
      refuse(
        `follows.${n}.name`,
        `names ${name}${meant(name, start.object.relations)}; ${from} has ${listNames(start.object.relations)}`,
        'UNKNOWN_RELATION',
      )
    else if (alias.includes('.')) refuse(`follows.${n}.as`, 'must not contain a dot', 'NAME')
    else if (sources.some((source) => source.name === alias))
      refuse(`follows.${n}.as`, `must be given: the name ${alias} is already used`, 'NAME')
    else sources.push({ name: alias, object: target, via: { from: start, relation } })
  }
  return sources
}

function fieldLookup(sources: readonly Source[], refuse: Refuse) {
  /** Without a root, unknown objects are not reported: the root already is. */
  function find(object: string, field: string, at: { object: string; field: string }): FieldRef | undefined {
    const source = sources.find(({ name }) => name === object)
    const found = source && ownProperty(source.object.fields, field)
    if (source && found) return { source, field: found }
    if (source)
      return refuse(
        at.field,
        `names ${field}${meant(field, source.object.fields)}; ${object} has ${listNames(source.object.fields)}`,
        'UNKNOWN_FIELD',
      )
    if (sources.length === 0) return undefined
    return refuse(
      at.object,
      `names ${object}; this filter has ${sources.map(({ name }) => name).join(', ')}`,
      'UNKNOWN_OBJECT',
    )
  }
  return {
    field: find,
    path(path: string, at: string): FieldRef | undefined {
      const [object = '', field, ...more] = path.split('.')
      if (field === undefined || more.length > 0) return refuse(at, 'must have the form Object.field', 'PATH')
      return find(object, field, { object: at, field: at })
    },
  }
}

/** A group can show the fields that are the same for all its members, and sums and counts over them. */
function checkExtracts({ extract }: FilterSpec, { groups, extracts, shape }: FilterPlan, refuse: Refuse) {
  for (const [n, { source, field, fn, as }] of extracts.entries()) {
    if (fn === 'sum' && field.kind !== 'number')
      refuse(`extract.${n}.fn`, 'must be count: only numbers can be summed', 'FN')
    if (isPrototypeName(as) || extract.findIndex((each) => each.as === as) < n)
      refuse(`extract.${n}.as`, 'must be unique and not a reserved name', 'NAME')
    const isShared = groups.some((group) => group.source === source && (group.field === field || isKey(group)))
    if (groups.length > 0 && !fn && !isShared)
      refuse(`extract.${n}.path`, 'must be in aggregateBy, or have fn: its values differ within a group', 'NOT_GROUPED')
  }
  if (shape === 'scalars' && extracts.length !== 1)
    refuse('extract', 'must have exactly one entry if the shape is scalars', 'SHAPE')
}

/** Rows with the same key are the same object, so all its fields are the same. */
const isKey = ({ source, field }: FieldRef) =>
  source.object.key.length === 1 && source.object.fields[source.object.key[0] ?? ''] === field

const ownProperty = <T>(record: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined

function meant(given: string, record: object): string {
  const name = nearest(given, Object.keys(record))
  return name === undefined ? '' : ` (did you mean ${name}?)`
}

const listNames = (record: object) => Object.keys(record).join(', ') || 'none'
