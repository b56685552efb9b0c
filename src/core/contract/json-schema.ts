import type { TSchema } from '../define/schema.ts'

export type JsonSchema = { [keyword: string]: unknown }

/** Plain JSON Schema, without the internal `~` properties. */
export const plain = (schema: TSchema): JsonSchema =>
  JSON.parse(JSON.stringify(schema, (key, value) => (key.startsWith('~') ? undefined : value)))

/** The same schema with every object closed to unknown fields, as it is validated and published. */
export function closed(schema: JsonSchema): JsonSchema {
  const copy = mapSchemas(schema, closed)
  return 'properties' in copy && !('additionalProperties' in copy) ? { ...copy, additionalProperties: false } : copy
}

/** A schema with `change` applied to its direct subschemas; values such as defaults are unchanged. */
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
