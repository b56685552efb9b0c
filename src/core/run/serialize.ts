import fastJson from 'fast-json-stringify'
import type { TSchema } from '../define/schema.ts'
import { memoize } from '../values/memoize.ts'

const writerOf = memoize((schema: TSchema) => fastJson(schema as fastJson.Schema))

/** JSON text of a value through its schema: a column that the schema does not name never leaves (INV-20). */
export const toJson = (schema: TSchema, value: unknown): string => writerOf(schema)(value)
