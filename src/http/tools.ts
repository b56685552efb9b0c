import type { Role, Scope, Source } from '../core/access.ts'
import type { Method, Operation } from '../core/operation.ts'
import type { TSchema } from '../core/schema.ts'

export type JsonSchema = { [keyword: string]: unknown }

export type Tool = {
  name: string
  description: string
  method: Method
  path: string
  feature: string
  verb: string
  scope: Scope
  /** The least role in the organization; null where the operation is inside none. */
  role: Role | null
  sources: readonly Source[]
  /** The union of path, query and body; it admits no field that it does not name. */
  inputSchema: JsonSchema
  outputSchema: JsonSchema
}

export type ToolList = { version: 1; generatedAt: string; tools: Tool[] }

/** The catalog of tools as agents read it: one for each operation. */
export function toolList(operations: readonly Operation[], generatedAt: Date): ToolList {
  return { version: 1, generatedAt: generatedAt.toISOString(), tools: operations.map(toTool) }
}

function toTool(operation: Operation): Tool {
  const { name, does, method, path, feature, verb, scope, sources, input, output } = operation
  return {
    name, description: does, method, path, feature, verb, scope, role: roleOf(operation), sources,
    inputSchema: closed(plain(input)),
    outputSchema: plain(output),
  } // biome-ignore format: a list of words
}

/** What the caller does in their own name needs no role anywhere. */
export const roleOf = ({ role, within }: Operation): Role | null => (within === 'caller' ? null : role)

/** Plain JSON Schema: what TypeBox and we keep under `~` for ourselves stays here. */
export const plain = (schema: TSchema): JsonSchema =>
  JSON.parse(JSON.stringify(schema, (key, value) => (key.startsWith('~') ? undefined : value)))

/** The same schema with every object closed to fields it does not name, as the runner checks it. */
export function closed(schema: JsonSchema): JsonSchema {
  const copy = mapSchemas(schema, closed)
  return 'properties' in copy && !('additionalProperties' in copy) ? { ...copy, additionalProperties: false } : copy
}

/** A schema with `change` applied to the schemas directly inside it; values such as defaults are left alone. */
export function mapSchemas(schema: JsonSchema, change: (inner: JsonSchema) => JsonSchema): JsonSchema {
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (oneInside.includes(keyword) && isSchema(value)) return [keyword, change(value)]
      if (listInside.includes(keyword) && Array.isArray(value)) return [keyword, value.map(change)]
      if (namedInside.includes(keyword) && isSchema(value)) {
        return [
          keyword,
          Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, change(inner as JsonSchema)])),
        ]
      }
      return [keyword, value]
    }),
  )
}

const oneInside = ['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains', 'propertyNames']
const listInside = ['anyOf', 'oneOf', 'allOf', 'prefixItems']
const namedInside = ['properties', 'patternProperties', '$defs']

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
