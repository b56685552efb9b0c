import type { Input } from '../../../api.ts'
import { addDays } from '../../../shown.tsx'
import type { FilterObject } from '../graph/catalog.ts'
import { bindingsIn, isBound, onlyBinding } from '../panels/bindings.ts'

export type Spec = Input<'automations_preview'>['spec']
export type Predicate = NonNullable<Spec['predicates']>[number]
export type Objects = Record<string, FilterObject>

/** The objects that a filter can name, by what they are called in it: the root and what its relations lead to. */
export function scopeOf(objects: Objects, { root, follows = [] }: Pick<Spec, 'root' | 'follows'>): Map<string, string> {
  const scope = new Map([[root, root]])
  for (const { from, name, as } of follows) {
    const target = objects[scope.get(from) ?? '']?.morphisms[name]
    if (target) scope.set(as ?? target, target)
  }
  return scope
}

/** `Object.field` of everything in scope. */
export const fieldsInScope = (objects: Objects, spec: Spec) =>
  [...scopeOf(objects, spec)].flatMap(([as, object]) =>
    (objects[object]?.fields ?? []).map((field) => ({
      path: `${as}.${field.name}`,
      as,
      name: field.name,
      type: field.type,
    })),
  )

/** A relation is called by the name of its target; where that is taken, by its own. */
export function addFollow(objects: Objects, spec: Spec, from: string, name: string): Spec {
  const scope = scopeOf(objects, spec)
  const target = objects[scope.get(from) ?? '']?.morphisms[name]
  if (!target) return spec
  const as = scope.has(target) ? { as: freeName(scope, name) } : {}
  return { ...spec, follows: [...(spec.follows ?? []), { from, name, ...as }] }
}

function freeName(scope: ReadonlyMap<string, string>, name: string): string {
  for (let n = 1; ; n++) {
    const as = n === 1 ? name : `${name}${n}`
    if (!scope.has(as)) return as
  }
}

/** Without a relation nothing can name what it led to. */
export function removeFollow(objects: Objects, spec: Spec, at: number): Spec {
  const follows = spec.follows?.filter((_, index) => index !== at) ?? []
  const reachable = follows.filter(({ from }) => scopeOf(objects, { ...spec, follows }).has(from))
  const scope = scopeOf(objects, { ...spec, follows: reachable })
  const inScope = (path: string) => scope.has(path.split('.')[0] ?? '')
  return {
    ...spec,
    follows: reachable,
    predicates: spec.predicates?.filter(({ object }) => scope.has(object)),
    aggregateBy: spec.aggregateBy?.filter(inScope),
    extract: spec.extract.filter(({ path }) => inScope(path)),
  }
}

/** Two results cannot have one name: the second is called by its object too. */
export function nameFor(spec: Pick<Spec, 'extract'>, path: string): string {
  const [object = '', field = ''] = path.split('.')
  const taken = new Set(spec.extract.map(({ as }) => as))
  const wish = taken.has(field) ? `${object.charAt(0).toLowerCase()}${object.slice(1)}_${field}` : field
  return taken.has(wish) ? `${wish}${taken.size}` : wish
}

/** A filter to begin with: every row, with its id and the fields that name it. */
export function newSpec(objects: Objects, root: string): Spec {
  const known = new Set(objects[root]?.fields.map(({ name }) => name))
  const usual = [
    'id',
    'userId',
    'invoiceNumber',
    'orderNumber',
    'name',
    'title',
    'email',
    'total',
    'amount',
    'currency',
  ]
  const chosen = usual.filter((name) => known.has(name)).slice(0, 4)
  return { root, predicates: [], extract: chosen.map((as) => ({ as, path: `${root}.${as}` })) }
}

/** What the server takes: without empty lists. */
export function tidySpec({ follows, predicates, aggregateBy, ...spec }: Spec): Spec {
  return {
    ...spec,
    ...(follows?.length && { follows }),
    ...(predicates?.length && { predicates }),
    ...(aggregateBy?.length && { aggregateBy }),
  }
}

/**
 * The filter as it can be tried now: bindings stand for their values of the last run and of today. A condition whose value is
 * not known yet is left out, because a preview would compare it as text.
 */
export function forPreview(spec: Spec, known: (path: string) => unknown): { spec: Spec; leftOut: number } {
  const resolved = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolved)
    if (typeof value !== 'string' || !isBound(value)) return value
    const only = onlyBinding(value)
    if (only !== undefined) return known(only)
    return bindingsIn(value).reduce((text, path) => text.replace(`{{${path}}}`, String(known(path) ?? '')), value)
  }
  const tried = (spec.predicates ?? []).map((each) => ({ ...each, value: resolved(each.value) }))
  const predicates = tried.filter(({ value }) => value !== undefined)
  return { spec: tidySpec({ ...spec, predicates }), leftOut: tried.length - predicates.length }
}

/** `context.today`, `context.today-3d` and the like. */
export function contextValue(path: string, today: string): unknown {
  const [, sign, days] = /^context\.today(?:([+-])(\d+)d)?$/.exec(path) ?? []
  if (path.startsWith('context.today')) return addDays(today, sign ? Number(`${sign}${days}`) : 0)
  return path === 'context.now' ? new Date().toISOString() : undefined
}
