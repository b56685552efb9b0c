import { setImmediate as nextTurn } from 'node:timers/promises'
import fastJson from 'fast-json-stringify'
import type { TArray, TObject, TSchema } from '../define/schema.ts'
import { memoize } from '../values/memoize.ts'

const writerOf = memoize((schema: TSchema) => fastJson(schema as fastJson.Schema))

/** JSON text of a value through its schema: a column that the schema does not name never leaves (INV-20). */
export const toJson = (schema: TSchema, value: unknown): string => writerOf(schema)(value)

/** Writing so many rows takes less than a millisecond. */
const rowsInSlice = 25

/**
 * The same text for an answer with a long list of rows. It is written in slices, with a turn of the event loop after each,
 * so that other requests do not wait until all rows are written.
 */
export async function toJsonInSlices(schema: TSchema, value: object): Promise<string> {
  const properties = propertiesOf(schema)
  const known = value as Record<string, unknown>
  if (!properties || properties.some(({ name, isRequired }) => isRequired && known[name] === undefined))
    return toJson(schema, value)
  let text = ''
  for (const { name, schema: own, rows } of properties) {
    const part = known[name]
    if (part === undefined) continue
    const written = rows && Array.isArray(part) ? await rowsInSlices(rows, part) : toJson(own, part)
    text += `${text && ','}${JSON.stringify(name)}:${written}`
  }
  return `{${text}}`
}

/** Texts are appended, which copies nothing until the answer is sent. */
async function rowsInSlices(schema: TSchema, rows: readonly unknown[]): Promise<string> {
  const write = writerOf(schema)
  let text = ''
  for (const [at, row] of rows.entries()) {
    if (at > 0 && at % rowsInSlice === 0) await nextTurn()
    text += `${text && ','}${write(row)}`
  }
  return `[${text}]`
}

/** The fields of an object in the order in which they are written, and the schema of the rows of those that are lists. */
const propertiesOf = memoize((schema: TSchema) => {
  const { type, properties, required } = schema as Partial<TObject> & { required?: string[] }
  const refersToItself = JSON.stringify(schema).includes('"$ref"') // its parts cannot be written apart
  if (type !== 'object' || !properties || refersToItself) return null
  const fields = Object.entries(properties).map(([name, own]) => {
    const { type: ownType, items } = own as Partial<TArray>
    return { name, schema: own, rows: ownType === 'array' ? items : undefined, isRequired: required?.includes(name) }
  })
  return [...fields.filter(({ isRequired }) => isRequired), ...fields.filter(({ isRequired }) => !isRequired)]
})
