import { type Detail, Failure, invalid } from '../../../../core/define/failure.ts'

/** The part of JSON Schema that an answer can be asked for with. */
export const schemaTypes = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'] as const
export type SchemaType = (typeof schemaTypes)[number]

type Scalar = string | number | boolean | null

export type AnswerSchema = {
  /** One type, or one and `null`. */
  type: SchemaType | readonly SchemaType[]
  description?: string
  properties?: Record<string, AnswerSchema>
  required?: readonly string[]
  additionalProperties?: boolean
  items?: AnswerSchema
  enum?: readonly Scalar[]
  format?: 'date'
  minimum?: number
  maximum?: number
}

/** Limits of a schema: its size as JSON, how deep it is, and the values of an enum. */
const [bytesMax, depthMax, enumMax] = [16_384, 8, 200]

export const schemaRules = `A JSON Schema of at most 16 KB and ${depthMax} levels. It may have: type (one, or one and "null"), description, properties, required, additionalProperties (true or false), items, enum (of plain values), format ("date"), minimum, maximum.`

const keywords = new Set([
  'type', 'description', 'properties', 'required', 'additionalProperties', 'items', 'enum', 'format', 'minimum', 'maximum',
]) // biome-ignore format: a list of words

/** The schema, if it keeps to the rules; otherwise a refusal that names each wrong place. */
export function readSchema(given: unknown): AnswerSchema {
  const size = Buffer.byteLength(JSON.stringify(given) ?? '')
  if (hasNul(given)) throw invalid('schema', 'schema must not contain the character U+0000.', 'NUL_CHARACTER')
  const details =
    size > bytesMax ? [wrong('schema', `is ${size} bytes long; at most ${bytesMax} are possible`)] : problemsOf(given)
  const [first] = details
  if (first) throw new Failure('VALIDATION', first.message, { details: details.slice(0, 20) })
  return given as AnswerSchema
}

/** The answer may be stored, and no name or value with this character can be. */
function hasNul(given: unknown): boolean {
  let found = false
  JSON.stringify(given, (name, value) => {
    found ||= name.includes('\u0000') || (typeof value === 'string' && value.includes('\u0000'))
    return value
  })
  return found
}

const wrong = (path: string, complaint: string): Detail => ({ path, message: `${path} ${complaint}.` })

function problemsOf(given: unknown, path = 'schema', depth = 1): Detail[] {
  if (!isPlainObject(given)) return [wrong(path, 'must be a JSON Schema, which is an object')]
  if (depth > depthMax) return [wrong(path, `is too deep; at most ${depthMax} levels are possible`)]
  const unknown = Object.keys(given).find((keyword) => !keywords.has(keyword))
  if (unknown !== undefined) return [wrong(`${path}.${unknown}`, 'is not possible here')]
  const types = typesIn(given.type)
  if (!types) return [wrong(`${path}.type`, 'must be one type, or one type and "null" in a list')]
  return [
    ...problemsOfPlain(given, path),
    ...problemsOfEnum(given.enum, path),
    ...problemsOfObject(given, path, { depth, isObject: types.includes('object') }),
    ...problemsOfItems(given, path, { depth, isArray: types.includes('array') }),
  ]
}

/** The types of a schema; undefined if they are none of those that are possible. */
function typesIn(type: unknown): SchemaType[] | undefined {
  const types = Array.isArray(type) ? type : [type]
  const isKnown = types.every((each) => schemaTypes.includes(each))
  const named = types.filter((each) => each !== 'null')
  return isKnown && types.length <= 2 && named.length <= 1 && types.length > 0 ? types : undefined
}

function problemsOfPlain({ description, format, minimum, maximum, additionalProperties }: Plain, path: string) {
  const problems: Detail[] = []
  if (description !== undefined && typeof description !== 'string')
    problems.push(wrong(`${path}.description`, 'must be a text'))
  if (format !== undefined && format !== 'date') problems.push(wrong(`${path}.format`, 'can only be "date"'))
  if (minimum !== undefined && typeof minimum !== 'number') problems.push(wrong(`${path}.minimum`, 'must be a number'))
  if (maximum !== undefined && typeof maximum !== 'number') problems.push(wrong(`${path}.maximum`, 'must be a number'))
  if (additionalProperties !== undefined && typeof additionalProperties !== 'boolean')
    problems.push(wrong(`${path}.additionalProperties`, 'must be true or false'))
  return problems
}

type Plain = Record<string, unknown>

function problemsOfEnum(values: unknown, path: string): Detail[] {
  if (values === undefined) return []
  const isPossible =
    Array.isArray(values) &&
    values.length > 0 &&
    values.length <= enumMax &&
    values.every((value) => value === null || ['string', 'number', 'boolean'].includes(typeof value))
  return isPossible ? [] : [wrong(`${path}.enum`, `must be a list of 1 to ${enumMax} texts, numbers, booleans or null`)]
}

function problemsOfObject(
  { properties, required }: Plain,
  path: string,
  { depth, isObject }: { depth: number; isObject: boolean },
): Detail[] {
  if (!isObject) {
    const given = properties !== undefined ? 'properties' : required !== undefined ? 'required' : undefined
    return given ? [wrong(`${path}.${given}`, 'is possible for the type "object" only')] : []
  }
  if (!isPlainObject(properties) || Object.keys(properties).length === 0)
    return [wrong(`${path}.properties`, 'must name at least one property')]
  const hidden = Object.keys(properties).find((name) => name in Object.prototype || name === 'prototype')
  if (hidden !== undefined) return [wrong(`${path}.properties.${hidden}`, 'is not possible as a name')]
  const isList = required === undefined || Array.isArray(required)
  const isKnown = (name: unknown) => typeof name === 'string' && Object.hasOwn(properties, name)
  return [
    ...(isList && (required ?? []).every(isKnown) ? [] : [wrong(`${path}.required`, 'must list names of properties')]),
    ...Object.entries(properties).flatMap(([name, each]) => problemsOf(each, `${path}.properties.${name}`, depth + 1)),
  ]
}

function problemsOfItems({ items }: Plain, path: string, { depth, isArray }: { depth: number; isArray: boolean }) {
  if (isArray) return problemsOf(items, `${path}.items`, depth + 1)
  return items === undefined ? [] : [wrong(`${path}.items`, 'is possible for the type "array" only')]
}

const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The type of a schema that is not `null`. */
export const typeOf = ({ type }: AnswerSchema): SchemaType =>
  typeof type === 'string' ? type : (type.find((each) => each !== 'null') ?? 'null')

export const isNullable = ({ type }: AnswerSchema): boolean =>
  typeof type === 'string' ? type === 'null' : type.includes('null')
