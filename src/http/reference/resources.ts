import { type JsonSchema, mapSchemas, plain } from '../../core/contract/json-schema.ts'
import type { Operation } from '../../core/define/operation.ts'
import { Pagination } from '../../core/define/page.ts'
import { Success, type TSchema, Warning } from '../../core/define/schema.ts'
import { singular } from './describe.ts'

/**
 * The shapes that answers share, under the names people know them by. Features do not name their schemas at run time; the
 * name of a resource is in its address (`/api/bank-accounts/{id}` answers a BankAccount) and equal shapes are one.
 */
export type Resources = {
  /** The named shapes that were referred to so far. */
  schemas(): Record<string, JsonSchema>
  /** An answer's schema with every named shape in it replaced by a reference. */
  refer(output: TSchema): JsonSchema
  /** An input's schema as it is, but for parts that contain themselves: those are named too. */
  lift(input: JsonSchema): JsonSchema
}

type Spot = { operation: Operation; property: string | undefined; depth: number }
type Candidate = { rank: number; name: string }
type Shape = { uses: number; candidates: Candidate[]; fallback: string }

export function resourcesOf(operations: readonly Operation[]): Resources {
  const names = nameShapes(collect(operations))
  const schemas: Record<string, JsonSchema> = {}

  const refer = (schema: JsonSchema): JsonSchema => {
    const named = isObject(schema) ? names.get(JSON.stringify(schema)) : undefined
    if (!named) return lifted(mapSchemas(schema, refer))
    schemas[named] ??= lifted(mapSchemas(schema, refer))
    return toNamed(named)
  }

  const lift = (schema: JsonSchema): JsonSchema => lifted(mapSchemas(schema, lift))

  /** A schema that contains itself brings its parts in `$defs`, which OpenAPI keeps among the components. */
  const lifted = ({ $defs, $id, ...schema }: JsonSchema): JsonSchema => {
    for (const [name, part] of Object.entries($defs ?? {})) schemas[name] ??= part
    const isBare = typeof schema.$ref === 'string' && !schema.$ref.startsWith('#')
    return isBare ? { ...schema, ...toNamed(String(schema.$ref)) } : schema
  }

  const sorted = () => Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)))
  return { schemas: sorted, refer: (output) => refer(plain(output)), lift }
}

const toNamed = (name: string) => ({ $ref: `#/components/schemas/${name}` })

const isObject = (schema: JsonSchema) => schema.type === 'object' && 'properties' in schema

function collect(operations: readonly Operation[]): Map<string, Shape> {
  const shapes = new Map<string, Shape>()

  function visit(schema: JsonSchema, spot: Spot): JsonSchema {
    if (!isObject(schema)) return mapSchemas(schema, (inner) => visit(inner, spot))
    const key = JSON.stringify(schema)
    const known = shapes.get(key)
    const shape = known ?? { uses: 0, candidates: [], fallback: pascal(spot.operation.name) }
    shapes.set(key, shape)
    shape.uses += 1
    shape.candidates.push(...candidates(schema, spot))
    if (known) return schema // what is inside was counted with the first
    for (const [property, inner] of Object.entries(schema.properties as Record<string, JsonSchema>)) {
      visit(inner, { ...spot, property, depth: spot.depth + 1 })
    }
    return schema
  }

  for (const operation of operations) visit(plain(operation.output), { operation, property: undefined, depth: 0 })
  return shapes
}

/** What a shape might be called, judged by where it stands: the best is what reading one of them answers. */
function candidates(schema: JsonSchema, { operation, property, depth }: Spot): Candidate[] {
  const known = Object.entries({ Success, Pagination, Warning }).find(
    ([, common]) => JSON.stringify(plain(common)) === JSON.stringify(schema),
  )
  if (known) return [{ rank: 0, name: known[0] }]
  const noun = nounOf(operation.path)
  const isResource = 'id' in (schema.properties as object)
  if (isResource && depth <= 1 && speaksOf(operation.path, property)) {
    if (operation.method !== 'GET') return [{ rank: 3, name: property ? pascal(singular(property)) : noun }]
    return [{ rank: operation.path.endsWith('}') ? 1 : 2, name: noun }]
  }
  return property ? [{ rank: 4, name: pascal(singular(property)) }] : []
}

/** Whether the answer's property is what the address is about: `keys` of `/api/api-keys`. */
const speaksOf = (path: string, property: string | undefined) =>
  property === undefined ||
  path.split('/').some((segment) => camel(singular(segment)).toLowerCase().endsWith(singular(property).toLowerCase()))

/** The noun of an address, with its owner's where it stands below one: `/api/customers/{id}/recipients` is CustomerRecipient. */
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

/** Names for resources and for other shapes that stand in more than one place, each name once. */
function nameShapes(shapes: Map<string, Shape>): Map<string, string> {
  const best = ({ candidates }: Shape) => candidates.toSorted((a, b) => a.rank - b.rank)[0]
  const names = new Map<string, string>()
  const taken = new Set<string>(['Error'])
  for (const [key, shape] of [...shapes].toSorted(([, a], [, b]) => (best(a)?.rank ?? 9) - (best(b)?.rank ?? 9))) {
    const candidate = best(shape)
    if (!candidate || (candidate.rank === 4 && shape.uses < 2)) continue
    const name = taken.has(candidate.name) ? `${shape.fallback}${candidate.name}` : candidate.name
    if (taken.has(name)) continue // then it stays where it is
    taken.add(name)
    names.set(key, name)
  }
  return names
}
