import type { DetailCode } from '../../../core/define/error-codes.ts'
import type { Detail } from '../../../core/define/failure.ts'
import type { Field, Filterable, Relation } from '../../../core/define/filterable.ts'
import type { FilterObjects } from './objects.ts'
import type { FilterSpec, Predicate } from './spec.ts'
import { type Literal, readValue } from './value.ts'

/** An object of the spec under the name it has there, and how it was reached. */
export type Source = { name: string; object: Filterable; via?: { from: Source; relation: Relation } }
/** A field of one of them. */
export type Named = { source: Source; field: Field }

/** A spec whose names have all been looked up: what is left of the caller are values, and what results are called. */
export type FilterPlan = {
  /** The root first, each after the one that leads to it. */
  sources: readonly Source[]
  predicates: readonly (Named & { op: Predicate['op']; literals: readonly Literal[] })[]
  groups: readonly Named[]
  extracts: readonly (Named & { as: string; fn?: 'sum' | 'count' })[]
  shape: FilterSpec['shape']
}

export type PlanDependencies = {
  objects: FilterObjects
  zone: string /** Where the spec stands, for what is wrong with it. */
  at: string
}

/** Looks everything up that a spec names, and says what is not there or does not fit: such a plan is not to be used. */
export function planFilter(
  spec: FilterSpec,
  { objects, zone, at }: PlanDependencies,
): { plan: FilterPlan; problems: Detail[] } {
  const problems: Detail[] = []
  const refuse = (path: string, message: string, code: DetailCode): undefined => {
    problems.push({ path: `${at}.${path}`, message: `${at}.${path} ${message}.`, code })
  }
  const sources = sourcesOf(spec, objects, refuse)
  const find = finder(sources, refuse)
  const predicates = (spec.predicates ?? []).flatMap(({ object, field, op, value }, n) => {
    const named = find.in(object, field, { object: `predicates.${n}.object`, field: `predicates.${n}.field` })
    if (!named) return []
    const reading = readValue(named.field.kind, { op, value }, zone)
    if ('literals' in reading) return [{ ...named, op, literals: reading.literals }]
    refuse(`predicates.${n}.value`, reading.problem, 'VALUE')
    return []
  })
  const groups = (spec.aggregateBy ?? []).flatMap((path, n) => find.path(path, `aggregateBy.${n}`) ?? [])
  const extracts = spec.extract.flatMap(({ as, path, fn }, n) => {
    const named = find.path(path, `extract.${n}.path`)
    return named ? [{ ...named, as, ...(fn && { fn }) }] : []
  })
  const plan = { sources, predicates, groups, extracts, shape: spec.shape }
  if (problems.length === 0) checkExtracts(spec, plan, refuse)
  return { plan, problems }
}

type Refuse = (path: string, message: string, code: DetailCode) => undefined

function sourcesOf({ root, follows = [] }: FilterSpec, objects: FilterObjects, refuse: Refuse): Source[] {
  const object = own(objects, root)
  if (!object) {
    refuse('root', `names ${root}, which is no object of the filter catalog: ${names(objects)}`, 'UNKNOWN_OBJECT')
    return []
  }
  const sources: Source[] = [{ name: root, object }]
  for (const [n, { from, name, as }] of follows.entries()) {
    const start = sources.find((source) => source.name === from)
    const relation = start && own(start.object.relations, name)
    const target = relation && own(objects, relation.to)
    const called = as ?? relation?.to ?? ''
    if (!start)
      refuse(`follows.${n}.from`, `names ${from}, which is neither the root nor followed before`, 'UNKNOWN_OBJECT')
    else if (!relation || !target)
      refuse(`follows.${n}.name`, `names ${name}; ${from} has ${names(start.object.relations)}`, 'UNKNOWN_RELATION')
    else if (called.includes('.')) refuse(`follows.${n}.as`, 'must have no dot', 'NAME')
    else if (sources.some((source) => source.name === called))
      refuse(`follows.${n}.as`, `must be given: there is a ${called} already`, 'NAME')
    else sources.push({ name: called, object: target, via: { from: start, relation } })
  }
  return sources
}

function finder(sources: readonly Source[], refuse: Refuse) {
  /** Nothing is said of an object when there is not even a root. */
  function find(object: string, field: string, at: { object: string; field: string }): Named | undefined {
    const source = sources.find(({ name }) => name === object)
    const found = source && own(source.object.fields, field)
    if (source && found) return { source, field: found }
    if (source) return refuse(at.field, `names ${field}; ${object} has ${names(source.object.fields)}`, 'UNKNOWN_FIELD')
    if (sources.length === 0) return undefined
    return refuse(
      at.object,
      `names ${object}; this filter has ${sources.map(({ name }) => name).join(', ')}`,
      'UNKNOWN_OBJECT',
    )
  }
  return {
    in: find,
    path(path: string, at: string): Named | undefined {
      const [object = '', field, ...more] = path.split('.')
      if (field === undefined || more.length > 0) return refuse(at, 'must have the form Object.field', 'PATH')
      return find(object, field, { object: at, field: at })
    },
  }
}

/** What can be said of a group is what its members share, and what is worked out over them. */
function checkExtracts({ extract }: FilterSpec, { groups, extracts, shape }: FilterPlan, refuse: Refuse) {
  for (const [n, { source, field, fn, as }] of extracts.entries()) {
    if (fn === 'sum' && field.kind !== 'number')
      refuse(`extract.${n}.fn`, 'must be count: only numbers have a sum', 'FN')
    if (isPrototypeWord(as) || extract.findIndex((each) => each.as === as) < n)
      refuse(`extract.${n}.as`, 'must be a name of its own', 'NAME')
    const isShared = groups.some((group) => group.source === source && (group.field === field || isKey(group)))
    if (groups.length > 0 && !fn && !isShared)
      refuse(`extract.${n}.path`, 'must be in aggregateBy, or have fn: its values differ within a group', 'NOT_GROUPED')
  }
  if (shape === 'scalars' && extracts.length !== 1)
    refuse('extract', 'must have exactly one entry where the shape is scalars', 'SHAPE')
}

/** Who has the same key is the same one, with all of its fields. */
const isKey = ({ source, field }: Named) =>
  source.object.key.length === 1 && source.object.fields[source.object.key[0] ?? ''] === field

const own = <T>(record: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined

const names = (record: object) => Object.keys(record).join(', ') || 'none'

const isPrototypeWord = (name: string) => name === '__proto__' || name === 'constructor' || name === 'prototype'
