import type { TObject, TSchema } from '../core/define/schema.ts'

/** The JSON Schema keywords that our schemas use. */
export type Shape = {
  type?: string | string[]
  const?: unknown
  default?: unknown
  enum?: unknown[]
  examples?: unknown[]
  anyOf?: TSchema[]
  format?: string
  minLength?: number
  minimum?: number
  exclusiveMinimum?: number
  items?: TSchema
  minItems?: number
  properties?: Record<string, TSchema>
  required?: string[]
}

/** A value that the schema allows, with its required fields, and with `optional` all of its fields. */
export function sample(schema: TSchema, more: { optional?: boolean } = {}): unknown {
  const shape = schema as Shape
  if (shape.const !== undefined) return shape.const
  if (shape.examples?.length) return structuredClone(shape.examples[0]) // callers change what they get
  if (shape.enum) return shape.enum[0]
  if (shape.default !== undefined) return shape.default
  if (shape.anyOf?.[0]) return sample(shape.anyOf[0], more)
  switch ([shape.type].flat()[0]) {
    case 'object':
      return sampleObject(schema as TObject, more)
    case 'array':
      return shape.items ? Array.from({ length: shape.minItems ?? 0 }, () => sample(shape.items as TSchema, more)) : []
    case 'string':
      return sampleText(shape)
    case 'integer':
    case 'number':
      return shape.minimum ?? (shape.exclusiveMinimum ?? 0) + 1
    case 'boolean':
      return false
    default:
      return null
  }
}

function sampleObject({ properties = {}, required }: Partial<TObject>, { optional = false } = {}) {
  const chosen = Object.entries(properties).filter(([name]) => optional || required?.includes(name))
  return Object.fromEntries(chosen.map(([name, schema]) => [name, sample(schema, { optional })]))
}

function sampleText({ format, minLength = 0 }: Shape) {
  if (format === 'email' || format === 'email-or-empty') return 'someone@example.test'
  if (format === 'date-time') return '2031-05-06T07:08:09.000Z'
  if (format === 'uri') return 'https://example.test/'
  return 'sample'.padEnd(minLength, '.')
}
