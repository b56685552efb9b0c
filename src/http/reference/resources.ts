import { singular } from '../../core/contract/input-schema.ts'
import { type JsonSchema, mapSchemas, plain } from '../../core/contract/json-schema.ts'
import type { Operation } from '../../core/define/operation.ts'
import { Pagination } from '../../core/define/page.ts'
import { Success, type TSchema, Warning } from '../../core/define/schema.ts'

/**
 * The named schemas of the OpenAPI document. Schemas have no name at run time, so the name is derived from the path
 * (`/api/bank-accounts/{id}` answers a BankAccount), and equal shapes share one name.
 */
export type Resources = {
  /** The named shapes that `refer` and `lift` have used so far. */
  schemas(): Record<string, JsonSchema>
  /** The schema of an answer with every named shape replaced by a reference. */
  refer(output: TSchema): JsonSchema
  /** The schema of an input; only recursive parts are replaced by references. */
  lift(input: JsonSchema): JsonSchema
}

type Occurrence = { operation: Operation; property: string | undefined; depth: number }
type Candidate = { rank: number; name: string }
type Shape = { uses: number; candidates: Candidate[]; fallback: string }

export function resourcesOf(operations: readonly Operation[]): Resources {
  const names = nameShapes(collectShapes(operations))
  const schemas: Record<string, JsonSchema> = {}

  const refer = (schema: JsonSchema): JsonSchema => {
    const named = isObject(schema) ? names.get(JSON.stringify(schema)) : undefined
    if (!named) return liftDefinitions(mapSchemas(schema, refer))
    schemas[named] ??= liftDefinitions(mapSchemas(schema, refer))
    return toNamed(named)
  }

  const lift = (schema: JsonSchema): JsonSchema => liftDefinitions(mapSchemas(schema, lift))

  /** Moves the `$defs` of a recursive schema to the components of the OpenAPI document. */
  const liftDefinitions = ({ $defs, $id, ...schema }: JsonSchema): JsonSchema => {
    for (const [name, part] of Object.entries($defs ?? {})) schemas[name] ??= part
    const isBare = typeof schema.$ref === 'string' && !schema.$ref.startsWith('#')
    return isBare ? { ...schema, ...toNamed(String(schema.$ref)) } : schema
  }

  const sorted = () => Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)))
  return { schemas: sorted, refer: (output) => refer(plain(output)), lift }
}

const toNamed = (name: string) => ({ $ref: `#/components/schemas/${name}` })

const isObject = (schema: JsonSchema) => schema.type === 'object' && 'properties' in schema

function collectShapes(operations: readonly Operation[]): Map<string, Shape> {
  const shapes = new Map<string, Shape>()

  function visit(schema: JsonSchema, occurrence: Occurrence): JsonSchema {
    if (!isObject(schema)) return mapSchemas(schema, (inner) => visit(inner, occurrence))
    const key = JSON.stringify(schema)
    const known = shapes.get(key)
    const shape = known ?? { uses: 0, candidates: [], fallback: pascal(occurrence.operation.name) }
    shapes.set(key, shape)
    shape.uses += 1
    shape.candidates.push(...candidates(schema, occurrence))
    if (known) return schema // the inner shapes were counted with the first occurrence
    for (const [property, inner] of Object.entries(schema.properties as Record<string, JsonSchema>)) {
      visit(inner, { ...occurrence, property, depth: occurrence.depth + 1 })
    }
    return schema
  }

  for (const operation of operations) visit(plain(operation.output), { operation, property: undefined, depth: 0 })
  return shapes
}

/** Possible names of a shape by where it occurs, lowest rank first: the answer of reading one object ranks best. */
function candidates(schema: JsonSchema, { operation, property, depth }: Occurrence): Candidate[] {
  const known = Object.entries({ Success, Pagination, Warning }).find(
    ([, common]) => JSON.stringify(plain(common)) === JSON.stringify(schema),
  )
  if (known) return [{ rank: 0, name: known[0] }]
  const noun = nounOf(operation.path)
  const isResource = 'id' in (schema.properties as object)
  if (isResource && depth <= 1 && isAbout(operation.path, property)) {
    if (operation.method !== 'GET') return [{ rank: 3, name: property ? pascal(singular(property)) : noun }]
    return [{ rank: operation.path.endsWith('}') ? 1 : 2, name: noun }]
  }
  return property ? [{ rank: 4, name: pascal(singular(property)) }] : []
}

/** Whether a property of the answer is the resource in the path: `keys` of `/api/api-keys`. */
const isAbout = (path: string, property: string | undefined) =>
  property === undefined ||
  path.split('/').some((segment) => camel(singular(segment)).toLowerCase().endsWith(singular(property).toLowerCase()))

/** The resource name of a path, with its parent's name first: `/api/customers/{id}/recipients` is CustomerRecipient. */
function nounOf(path: string): string {
  const segments = path
    .replace(/\/\{\w+\}$/, '')
    .split('/')
    .slice(2)
  const nouns = segments.filter((_, index) => index === segments.length - 1 || segments[index + 1]?.startsWith('{'))
  return nouns
    .filter((segment) => !segment.startsWith('{'))
    .map((segment) => pascal(singular(segment)))
    .join('')
}

const camel = (text: string) => text.replace(/[-_](\w)/g, (_, letter: string) => letter.toUpperCase())
const pascal = (text: string) => camel(`_${text.replace(/^_+/, '')}`)

/** Names resources, and other shapes that occur more than once; each name is used once. */
function nameShapes(shapes: Map<string, Shape>): Map<string, string> {
  const best = ({ candidates }: Shape) => candidates.toSorted((a, b) => a.rank - b.rank)[0]
  const names = new Map<string, string>()
  const taken = new Set<string>(['Error'])
  for (const [key, shape] of [...shapes].toSorted(([, a], [, b]) => (best(a)?.rank ?? 9) - (best(b)?.rank ?? 9))) {
    const candidate = best(shape)
    if (!candidate || (candidate.rank === 4 && shape.uses < 2)) continue
    const name = taken.has(candidate.name) ? `${shape.fallback}${candidate.name}` : candidate.name
    if (taken.has(name)) continue // both names are taken: the shape stays inline
    taken.add(name)
    names.set(key, name)
  }
  return names
}
