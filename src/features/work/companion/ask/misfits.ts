import { toDay } from '../../../../core/values/day.ts'
import { type AnswerSchema, isNullable, typeOf } from './answer-schema.ts'

/** Where and why a value does not fit a schema; `answer` is the value itself. */
export type Misfit = { path: string; message: string }

/**
 * Checks an answer. The validator of operations compiles each schema to code and keeps it, which is for schemas of the product
 * and not for those of callers.
 */
export function misfitsOf(schema: AnswerSchema, value: unknown, path = 'answer'): Misfit[] {
  const misfit = (message: string) => [{ path, message: `${path} ${message}.` }]
  if (value === undefined) return misfit('is missing')
  if (value === null && isNullable(schema)) return []
  const type = typeOf(schema)
  if (!hasType[type](value)) return misfit(`must be of the type ${type}`)
  if (schema.enum && !schema.enum.some((each) => each === value)) return misfit('is none of the possible values')
  if (Array.isArray(value))
    return schema.items
      ? value.flatMap((each, at) => misfitsOf(schema.items as AnswerSchema, each, `${path}.${at}`))
      : []
  if (type === 'object') return misfitsOfObject(schema, value as Record<string, unknown>, path)
  if (typeof value === 'number') return misfitsOfNumber(schema, value).flatMap(misfit)
  return schema.format === 'date' && toDay(String(value)) !== value ? misfit('must be a day such as 2026-03-31') : []
}

const hasType: Record<ReturnType<typeof typeOf>, (value: unknown) => boolean> = {
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  integer: Number.isSafeInteger,
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
}

function misfitsOfObject(
  { properties = {}, required = [], additionalProperties }: AnswerSchema,
  value: Record<string, unknown>,
  path: string,
): Misfit[] {
  const missing = required.filter((name) => value[name] === undefined)
  const given = Object.entries(value).filter(([, each]) => each !== undefined)
  return [
    ...missing.map((name) => ({ path: `${path}.${name}`, message: `${path}.${name} is missing.` })),
    ...given.flatMap(([name, each]) => {
      const schema = Object.hasOwn(properties, name) ? properties[name] : undefined
      if (schema) return misfitsOf(schema, each, `${path}.${name}`)
      if (additionalProperties) return []
      return [{ path: `${path}.${name}`, message: `${path}.${name} is not in the schema.` }]
    }),
  ]
}

function misfitsOfNumber({ minimum, maximum }: AnswerSchema, value: number): string[] {
  if (minimum !== undefined && value < minimum) return [`must be at least ${minimum}`]
  return maximum !== undefined && value > maximum ? [`must be at most ${maximum}`] : []
}
