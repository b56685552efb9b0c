/** The part of JSON Schema that the inputs of operations use. */
export type Schema = {
  type?: string | readonly string[]
  enum?: readonly unknown[]
  description?: string
  examples?: readonly unknown[]
  default?: unknown
  format?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  items?: Schema
  anyOf?: readonly Schema[]
  properties?: Record<string, Schema>
  patternProperties?: Record<string, Schema>
  additionalProperties?: unknown
  required?: readonly string[]
}

/** How a value is typed in: one control for each. */
export type Control =
  | 'text'
  | 'long'
  | 'number'
  | 'switch'
  | 'choice'
  | 'day'
  | 'list'
  | 'choices'
  | 'object'
  | 'pairs'
  | 'json'

export type SchemaField = { name: string; schema: Schema; control: Control; required: boolean }

const isDay = (text: unknown) => typeof text === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(text)

export const typeOf = ({ type }: Schema): string | undefined =>
  typeof type === 'string' ? type : type?.find((each) => each !== 'null')

export const isNullable = ({ type }: Schema): boolean => Array.isArray(type) && type.includes('null')

export function controlOf(schema: Schema): Control {
  if (schema.enum) return 'choice'
  if (schema.anyOf) return schema.anyOf.some((each) => typeOf(each) === 'string') ? 'text' : 'json'
  switch (typeOf(schema)) {
    case 'boolean':
      return 'switch'
    case 'number':
    case 'integer':
      return 'number'
    case 'array':
      return schema.items?.enum ? 'choices' : 'list'
    case 'object':
      return schema.properties ? 'object' : 'pairs'
    case 'string':
      return textControl(schema)
    default:
      return 'json'
  }
}

/** A day is known by its example; what may be long is typed into several lines. */
function textControl({ examples = [], format, maxLength = 0 }: Schema): Control {
  if (format === 'date' || isDay(examples[0])) return 'day'
  return maxLength >= 2000 ? 'long' : 'text'
}

/** Numbers, codes and names are short, whatever the schema allows. */
const oneLine = (name: string, control: Control): Control =>
  control === 'long' && /(number|code|name|iban|country|phone|email|reference|sku|title)$/i.test(name)
    ? 'text'
    : control

/** The fields of an object: what is required first, the rest in the order of the schema. */
export function fieldsOf(schema: Schema, leaveOut: readonly string[] = []): SchemaField[] {
  const required = new Set(schema.required ?? [])
  const fields = Object.entries(schema.properties ?? {})
    .filter(([name]) => !leaveOut.includes(name))
    .map(([name, each]) => ({
      name,
      schema: each,
      control: oneLine(name, controlOf(each)),
      required: required.has(name),
    }))
  return [...fields.filter((field) => field.required), ...fields.filter((field) => !field.required)]
}

export const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

/** What a new element of a list begins with: its defaults, and nothing else. */
export function startOf(schema: Schema): unknown {
  if (schema.default !== undefined) return schema.default
  if (typeOf(schema) === 'array') return []
  if (typeOf(schema) !== 'object') return ''
  const fields = Object.entries(schema.properties ?? {}).filter(([, each]) => each.default !== undefined)
  return Object.fromEntries(fields.map(([name, each]) => [name, each.default]))
}

/** An object with a field changed; `undefined` takes the field out. */
export function withField(value: unknown, name: string, next: unknown): Record<string, unknown> {
  const { [name]: _, ...rest } = asObject(value)
  if (next === undefined) return rest
  return name in asObject(value) ? { ...asObject(value), [name]: next } : { ...rest, [name]: next }
}

export const asObject = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}

/** The paths of required fields without a value, also inside objects and lists that are there. */
export function missingIn(schema: Schema, value: unknown, path = ''): string[] {
  return fieldsOf(schema).flatMap(({ name, schema: each, control, required }) => {
    const at = path ? `${path}.${name}` : name
    const inside = asObject(value)[name]
    if (inside === undefined || inside === '') return required ? [at] : []
    if (control === 'object') return missingIn(each, inside, at)
    const { items } = each
    if (control !== 'list' || !Array.isArray(inside) || !items) return []
    return inside.flatMap((element, index) => missingIn(items, element, `${at}.${index}`))
  })
}

/** What is typed as JSON where any value is allowed: text that is no JSON is itself. */
export function readJson(text: string): unknown {
  if (text.trim() === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
export const shownJson = (value: unknown): string =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value, null, 2)
