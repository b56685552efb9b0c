import type { JsonSchema } from '../../../../core/contract/json-schema.ts'
import { memoize } from '../../../../core/values/memoize.ts'

/**
 * What a value may look like: the schemas of which it fits at least one. Without any schema there is no such value. A schema
 * that says nothing about a value allows everything.
 */
export type Shape = readonly JsonSchema[]

export const anything: JsonSchema = {}
export const anyShape: Shape = [anything]

/** The alternatives of several shapes together, each once. */
export const unite = (shapes: readonly Shape[]): Shape => [...new Set(shapes.flat())]

/** A list whose elements have a shape. */
export const listOf = (element: Shape): JsonSchema => ({ type: 'array', items: { anyOf: element } })

/** The shape at a path inside a shape; undefined if no value of the shape has anything there. */
export function shapeAt(shape: Shape, path: readonly string[]): { found: Shape } | { missing: string; in: Shape } {
  let at = shape
  for (const [n, name] of path.entries()) {
    const next = unite(leavesOf(at).map((schema) => propertyOf(schema, name)))
    if (next.length === 0) return { missing: path.slice(0, n + 1).join('.'), in: at }
    if (next.some(isAnything)) return { found: anyShape }
    at = next
  }
  return { found: at }
}

/** The shape with unions taken apart. */
export const leavesOf = (shape: Shape): Shape => (shape.some(isUnion) ? unite(shape.map(leavesOfSchema)) : shape)

const isUnion = ({ anyOf, oneOf, allOf }: JsonSchema) => Boolean(anyOf || oneOf || allOf)

function leavesOfSchema(schema: JsonSchema): Shape {
  const inner = (['anyOf', 'oneOf', 'allOf'] as const).flatMap((keyword) =>
    Array.isArray(schema[keyword]) ? (schema[keyword] as JsonSchema[]) : [],
  )
  if (inner.length === 0) return [schema]
  const own = 'properties' in schema ? [schema] : []
  return [...own, ...inner.flatMap(leavesOfSchema)]
}

const hasType = ({ type }: JsonSchema, name: string): boolean =>
  type === name || (Array.isArray(type) && type.includes(name))

export const isList = (schema: JsonSchema): boolean => hasType(schema, 'array')

/** Whether nothing is known about the fields of a value. */
export function isAnything(schema: JsonSchema): boolean {
  if (isUnion(schema) || schema.properties) return false
  return '$ref' in schema || schema.type === undefined || hasType(schema, 'object')
}

/** As bindings read it: a list has `count`, `items` and positions, and an object its fields. */
function propertyOf(schema: JsonSchema, name: string): Shape {
  if (isAnything(schema)) return anyShape
  if (isList(schema)) {
    if (name === 'count') return [aNumber]
    if (name === 'items') return [schema]
    return /^\d{1,9}$/.test(name) ? elementOf(schema) : []
  }
  const properties = (schema.properties ?? {}) as Record<string, JsonSchema>
  const property = Object.hasOwn(properties, name) ? properties[name] : undefined
  if (property) return leavesOf([property])
  return isOpen(schema) ? anyShape : []
}

const aNumber: JsonSchema = { type: 'integer' }

const isOpen = ({ patternProperties, additionalProperties }: JsonSchema) =>
  patternProperties !== undefined || (additionalProperties !== undefined && additionalProperties !== false)

/** What the elements of a list look like. */
export const elementOf = ({ items }: JsonSchema): Shape =>
  typeof items === 'object' && items !== null ? leavesOf([items as JsonSchema]) : anyShape

/** The names that a binding may continue with. */
export const namesIn = (shape: Shape): string[] => [
  ...new Set(
    leavesOf(shape).flatMap((schema) =>
      isList(schema) ? ['count', 'items', '0'] : Object.keys((schema.properties ?? {}) as object),
    ),
  ),
]

/** The fields that are lists. One that is only there on request, such as the ids of all rows, is not meant. */
export const listsIn = (shape: Shape): string[] => leavesOf(shape).flatMap(listsOf)

const listsOf = memoize(({ properties = {}, required = [] }: JsonSchema) =>
  Object.entries(properties as Record<string, JsonSchema>).flatMap(([name, property]) =>
    leavesOf([property]).some(isList) && (required as readonly string[]).includes(name) ? [name] : [],
  ),
)
