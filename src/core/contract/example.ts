import type { Static, TSchema } from '../define/schema.ts'

/** The parts of JSON Schema that examples are made from. */
type Shape = {
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  default?: unknown
  examples?: unknown[]
  anyOf?: Shape[]
  oneOf?: Shape[]
  allOf?: Shape[]
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  exclusiveMaximum?: number
  multipleOf?: number
  items?: Shape
  minItems?: number
  uniqueItems?: boolean
  properties?: Record<string, Shape>
  required?: string[]
  $ref?: string
  $defs?: Record<string, Shape>
}

type ExampleContext = {
  optional: boolean
  field: string
  path: string
  depth: number
  definitions: Record<string, Shape>
}

/** How deep optional fields are followed, because a schema can contain itself. */
const depthMax = 6

/**
 * A value that is valid for a schema, the same every time: for the reference, OpenAPI and the sweeps. Where no value can be
 * derived (a text for a pattern), the schema gives `examples`. Optional fields are left out unless asked for.
 */
export function example<S extends TSchema>(schema: S, { optional = false }: { optional?: boolean } = {}): Static<S> {
  return exampleOf(schema as Shape, { optional, field: '', path: '', depth: 0, definitions: {} }) as Static<S>
}

function exampleOf(given: Shape, context: ExampleContext): unknown {
  const definitions = { ...context.definitions, ...given.$defs }
  const within = { ...context, definitions }
  const schema = resolved(given, within)
  if ('const' in schema) return schema.const
  if (schema.examples?.length) return structuredClone(schema.examples[0]) // callers change what they get
  if (schema.default !== undefined && !isEmpty(schema.default)) return schema.default
  if (schema.enum) return schema.enum.find((value) => value !== null && value !== '') ?? schema.enum[0]
  const choice = (schema.anyOf ?? schema.oneOf)?.find(({ type }) => type !== 'null')
  if (choice) return exampleOf(choice, within)
  switch ([schema.type].flat()[0]) {
    case 'string':
      return text(schema, within)
    case 'integer':
    case 'number':
      return numeric(schema, within)
    case 'boolean':
      return true
    case 'array':
      return list(schema, within)
    case 'null':
      return null
    default:
      return record(schema, within)
  }
}

/** An empty default is not a useful example. */
const isEmpty = (value: unknown) => value === '' || (Array.isArray(value) && value.length === 0)

/** The schema with references resolved and `allOf` merged. */
function resolved(schema: Shape, { definitions, path }: ExampleContext): Shape {
  if (schema.$ref !== undefined) {
    const target = definitions[schema.$ref.replace(/^#\/\$defs\//, '')]
    if (!target) throw new Error(`${path || 'The schema'} refers to ${schema.$ref}, which is nowhere.`)
    return target
  }
  if (!schema.allOf) return schema
  const { allOf, ...rest } = schema
  const parts = [rest, ...allOf]
  return {
    ...Object.assign({}, ...parts),
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: parts.flatMap(({ required = [] }) => required),
  }
}

function record({ properties = {}, required = [] }: Shape, context: ExampleContext): Record<string, unknown> {
  const wanted = Object.entries(properties).filter(
    ([field]) => required.includes(field) || (context.optional && context.depth < depthMax),
  )
  return Object.fromEntries(
    wanted.map(([field, schema]) => {
      const path = context.path ? `${context.path}.${field}` : field
      return [field, exampleOf(schema, { ...context, field, path, depth: context.depth + 1 })]
    }),
  )
}

function list({ items = {}, minItems = 0, uniqueItems }: Shape, context: ExampleContext): unknown[] {
  const wanted = context.depth < depthMax ? Math.max(1, minItems) : minItems
  const one = { ...context, field: singular(context.field), path: `${context.path}[]`, depth: context.depth + 1 }
  return Array.from({ length: wanted }, (_, index) => {
    const value = exampleOf(items, one)
    return uniqueItems && index > 0 && typeof value === 'string' ? `${value}-${index + 1}` : value
  })
}

const singular = (field: string) => field.replace(/ies$/, 'y').replace(/s$/, '')

function numeric(schema: Shape, { field }: ExampleContext): number {
  const step = schema.multipleOf ?? (schema.type === 'integer' ? 1 : 0.01)
  const low = schema.minimum ?? (schema.exclusiveMinimum === undefined ? -Infinity : schema.exclusiveMinimum + step)
  const high = schema.maximum ?? (schema.exclusiveMaximum === undefined ? Infinity : schema.exclusiveMaximum - step)
  return Math.min(high, Math.max(low, numbers[field] ?? 1))
}

function text(schema: Shape, { field, path }: ExampleContext): string {
  const { minLength = 0, maxLength = Infinity, pattern, format } = schema
  const fits = (value: string) =>
    value.length >= minLength && value.length <= maxLength && (!pattern || new RegExp(pattern, 'u').test(value))
  const found = [format ? formats[format] : wordFor(field), format ? undefined : 'Text', 'x'.repeat(minLength)]
    .filter((value) => value !== undefined)
    .map((value) => value.slice(0, maxLength))
    .find(fits)
  if (found === undefined) throw new Error(`No example fits ${path || 'the schema'}; give it \`examples\`.`)
  return found
}

const formats: Record<string, string> = {
  'date-time': '2030-01-31T08:00:00Z',
  date: '2026-01-31',
  email: 'amy@example.com',
  uri: 'https://example.com/file.pdf',
  uuid: '01990000-0000-7000-8000-000000000001',
}

/** A typical value for a field of that name; the ending of the name tells the kind of value. */
function wordFor(field: string): string | undefined {
  if (field in words) return words[field]
  if (/^id$|Id$/.test(field)) return formats.uuid
  if (/At$/.test(field)) return formats['date-time']
  if (/(^date|Date|On|^from|^to)$/.test(field)) return formats.date
  if (/[mM]onth$/.test(field)) return '2026-01'
  if (/[cC]urrency$/.test(field)) return 'USD'
  if (/[eE]mail$/.test(field)) return formats.email
  if (/[uU]rl$/.test(field)) return formats.uri
  return undefined
}

const words: Record<string, string> = {
  accountName: 'Operating account',
  accountNumber: '003-912345-6',
  address: '8 Marina View, Singapore 018960',
  bankAddress: '12 Marina Boulevard, Singapore 018982',
  bankCountry: 'Singapore',
  bankName: 'DBS Bank',
  branchCode: '003',
  color: '#4f7cac',
  country: 'Singapore',
  description: 'Consulting in January',
  iban: 'GB82WEST12345698765432',
  localBankCode: '7171',
  name: 'Amber Trading',
  notes: 'Pays on the first of the month',
  phone: '+65 6123 4567',
  registrationNumber: '201912345K',
  routingNumber: '021000021',
  search: 'amber',
  swiftCode: 'DBSSSGSG',
  taxNumber: '201912345K',
  timezone: 'Asia/Singapore',
  title: 'Flight to Tel Aviv',
}

const numbers: Record<string, number> = {
  amount: 1200,
  quantity: 2,
  unitPrice: 600,
  subtotal: 1200,
  discountPercent: 0,
  discountAmount: 0,
  taxRate: 9,
  taxAmount: 108,
  total: 1308,
  year: 2026,
}
