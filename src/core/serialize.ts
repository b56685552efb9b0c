import fastJson from 'fast-json-stringify'
import type { TSchema } from './schema.ts'

const writers = new WeakMap<TSchema, (value: unknown) => string>()

/** JSON text of a value through its schema: a column that the schema does not name never leaves (INV-20). */
export function toJson(schema: TSchema, value: unknown): string {
  let write = writers.get(schema)
  if (!write) writers.set(schema, (write = fastJson(schema as fastJson.Schema)))
  return write(value)
}
