import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { apiOperations as operations } from '../../catalog/operations.ts'
import type { Operation } from '../../core/define/operation.ts'
import type { TSchema } from '../../core/define/schema.ts'
import { resourceOf } from '../../core/run/input.ts'
import { toCamel, toSnake } from '../../db/names.ts'
import { expectRefusal } from '../refusal.ts'
import { inputFor, keyOf, rowOf, rows, storedIn, tableOf } from '../rows.ts'
import type { Shape } from '../sample.ts'
import { addressed, member, type Someone, send, theApp } from '../world.ts'

/** The fields of every operation: unknown ones, those that the server sets itself (THR-05), and those of the answer. */

const writes = operations.filter(({ method }) => method !== 'GET')
const withBody = writes.filter(({ method }) => method !== 'DELETE')

// The serializer silently turns null into text and text into numbers, so the values it is given are checked too.
const mismatches: string[] = []
let answers = 0
vi.mock(import('../../core/run/serialize.ts'), async (original) => {
  const { toJson, toJsonInSlices } = await original()
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  const check = (schema: object, value: unknown) => {
    answers += 1
    if (!ajv.validate(schema, value)) mismatches.push(ajv.errorsText())
  }
  return {
    toJson(schema, value) {
      check(schema, value)
      return toJson(schema, value)
    },
    toJsonInSlices(schema, value) {
      check(schema, value)
      return toJsonInSlices(schema, value)
    },
  }
})
afterEach(() => expect([...new Set(mismatches.splice(0))]).toEqual([]))

/** The owner of an organization with a row of each table, for requests that read or are refused. Others change their own. */
let owner: Someone
/** The owner of another organization. */
let eve: Someone
beforeAll(async () => {
  owner = await member('OWNER')
  eve = await member('OWNER')
  for (const table of Object.keys(rows)) await rowOf(table, owner)
})
const someoneFor = async ({ reads }: Operation) => (reads ? owner : member('OWNER'))

describe('the answer fits the schema, with the required input and with all input', () => {
  test.each(operations)('$name', async (operation) => {
    for (const optional of [false, true]) {
      const amy = await someoneFor(operation)
      const input = await inputFor(operation, amy, { optional })
      if (operation.reads) await addChildren(amy, operation, input)
      await amy.call(operation.name as never, input as never)
    }
  })

  test('every operation answered through its schema', () => expect(answers).toBeGreaterThan(operations.length))
})

/** Rows to show: one of each table that belongs to the operation's own row. */
async function addChildren(someone: Someone, operation: Operation, input: Record<string, unknown>) {
  const table = tableOf(operation)
  if (table === undefined) return
  const children = Object.keys(rows).filter((other) => other.startsWith(table.replace(/s$/, '')))
  for (const child of children) await rowOf(child, someone, String(input[keyOf(operation)]))
}

describe('an unknown field is refused by its name', () => {
  test.each(writes)('$name', async (operation) => {
    const input = await inputFor(operation, owner)
    for (const field of ['colour', 'Name', 'constructor', 'toString', '$where']) {
      const reply = await sendBody(owner, operation, { ...input, [field]: 'red' })
      expectRefusal(reply, 'VALIDATION')
      expect(reply.body).toMatchObject({
        error: { details: [{ path: field }], message: expect.stringContaining(field) },
      })
    }
  })
})

describe('an unknown query parameter is ignored', () => {
  test.each(operations)('$name', async (operation) => {
    const amy = await someoneFor(operation)
    const { url, body } = addressed(operation, await inputFor(operation, amy))
    const more = new URLSearchParams({ colour: 'red', constructor: '1', toString: '1', hasOwnProperty: '1', _: '1' })
    const longer = `${url}${url.includes('?') ? '&' : '?'}${more}&__proto__=1`
    const reply = await send({ method: operation.method, url: longer, body, headers: { ...amy.credentials } })
    expect(reply).toMatchObject({ status: operation.status })
  })
})

describe('a field that the server sets itself is ignored in the input', () => {
  let [forgedCount, rowsRead] = [0, 0]
  test.each(withBody)('$name', async (operation) => {
    const amy = await member('OWNER')
    const forged = forgedFields(operation, eve)
    const input = await inputFor(operation, amy, { optional: true })
    const idempotent = operation.method !== 'POST'
    const first = idempotent ? await amy.call(operation.name as never, input as never) : {}
    const before = await stored(input[keyOf(operation)] ?? idOf(first))
    const answer = await amy.request(operation, { ...input, ...forged })
    expect(answer).toMatchObject({ status: operation.status })
    const after = await stored(idOf(answer.body) ?? input[keyOf(operation)])
    if (idempotent) expect(after).toEqual(before)
    forgedCount += Object.keys(forged).length
    if (Object.keys(after).length > 0) rowsRead += 1
    for (const [field, value] of Object.entries(forged)) {
      expect(after[field], field).not.toEqual(value)
      expect(JSON.stringify(answer.body)).not.toContain(`${JSON.stringify(field)}:${JSON.stringify(value)}`)
    }
  })

  test('many fields were forged, and many rows compared', () => {
    expect(forgedCount).toBeGreaterThanOrEqual(150)
    expect(rowsRead).toBeGreaterThanOrEqual(30)
  })
})

describe('a column that the resource does not show is an unknown field', () => {
  test.each(withBody)('$name', async (operation) => {
    const input = await inputFor(operation, owner)
    const before = await stored(input[keyOf(operation)])
    const hidden = await hiddenColumns(operation)
    expect(hidden).not.toEqual([])
    // A refusal names at most fifty fields.
    for (let from = 0; from < hidden.length; from += 50) {
      const some = hidden.slice(from, from + 50)
      const forged = Object.fromEntries(some.map((column) => [column, eve.userId]))
      const answer = await owner.request(operation, { ...input, ...forged })
      expectRefusal(answer, 'VALIDATION')
      const { details } = (answer.body as { error: { details: { path: string }[] } }).error
      expect(details.map(({ path }) => path).sort()).toEqual(some.sort())
    }
    expect(await stored(input[keyOf(operation)])).toEqual(before)
  })
})

/** Every field of the resource that the operation does not take, with a plausible value. */
function forgedFields(operation: Operation, eve: Someone): Record<string, unknown> {
  const owned = Object.entries(shownBy(operation)).filter(
    ([field]) => !(field in operation.input.properties) && field !== 'organizationId',
  )
  const forged = owned.map(([field, schema]) => [
    field,
    otherWords[operation.name]?.[field] ?? forge(schema, field, eve),
  ])
  return Object.fromEntries(forged)
}

/** Words to forge where the last word of the field is what the server itself sets. */
const otherWords: Record<string, Record<string, string | boolean>> = {
  invoices_payments_receipt: { status: 'SENT' },
  invoices_payments_refund: { direction: 'OUTGOING' },
  expenses_payments_create: { direction: 'OUTGOING' },
  expenses_payments_allocate: { direction: 'OUTGOING' },
  expenses_payments_void: { direction: 'OUTGOING' },
  orders_cancel: { status: 'OPEN' },
  automations_cancel: { status: 'SUCCEEDED' },
  companion_write_cancel_turn: { status: 'SUCCEEDED' },
  companion_write_session: { live: false }, // its turn waits for a worker
  orders_close: { isInvoiced: false }, // nothing was delivered, so nothing is left to invoice
  orders_receive: { kind: 'SALES' },
  customers_update: { kind: 'ORGANIZATION' },
  customers_update_patch: { kind: 'ORGANIZATION' },
}

/** The fields of the resource, in every shape that it is shown in. */
const shownBy = ({ output, alsoShown }: Operation): Record<string, TSchema> => ({
  ...resourceOf(output)?.properties,
  ...alsoShown?.properties,
})

function forge(schema: TSchema, field: string, eve: Someone): unknown {
  const { type, enum: words, format, properties } = schema as Shape
  if (field === 'id' || field.endsWith('Id')) return eve.organizationId
  if (words) return words.findLast((word) => word !== null)
  if (format === 'date-time') return '1999-01-01T00:00:00.000Z'
  if (properties) {
    return Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, forge(inner, name, eve)]))
  }
  const values: Record<string, unknown> = { string: 'forged', integer: 987_654, number: 987_654, boolean: true }
  return values[[type].flat()[0] ?? ''] ?? ['forged']
}

/** Columns of the operation's table, and names that attackers try, that are no field of the resource. */
async function hiddenColumns(operation: Operation): Promise<string[]> {
  const segment = operation.path.split('/').at(-1) ?? ''
  const tables = [storedIn(tableOf(operation) ?? ''), segment.replaceAll('-', '_')].map(toSnake)
  // The catalog itself, because information_schema takes a hundred times as long.
  const columns = await query(
    `select attname as column_name from pg_attribute a join pg_class c on c.oid = a.attrelid
     where relname = any ($1) and relkind in ('r', 'v') and attnum > 0 and not attisdropped`,
    [tables],
  )
  const tried = ['role', 'ownerUserId', 'userId', 'isAdmin', 'paidAmount', 'revokedAt', 'secretHash', 'status']
  const shown = { ...shownBy(operation), ...operation.input.properties, organizationId: true }
  const names = new Set([...tried, ...columns.map(({ columnName }) => toCamel(String(columnName)))])
  return [...names].filter((name) => !(name in shown))
}

/** The row with this id, of any table, without what is new after every save: `updatedAt`, and of an automation graph and version. */
async function stored(id: unknown): Promise<Record<string, unknown>> {
  if (typeof id !== 'string') return {}
  const found = await Promise.all(
    (await tablesWithId()).map((table) => query(`select * from ${table} where id = $1`, [id])),
  )
  const { updatedAt: _, savedAt: __, graphId, version, ...row } = found.flat()[0] ?? {}
  return graphId === undefined && version !== undefined ? { ...row, version } : row
}

const tablesWithId = async () =>
  (
    await query(
      `select attrelid::regclass::text as table_name from pg_attribute a join pg_class c on c.oid = a.attrelid
       where relkind = 'r' and relnamespace = 'public'::regnamespace and attname = 'id' and atttypid = 'uuid'::regtype`,
    )
  ).map(({ tableName }) => String(tableName))

const query = (text: string, values: unknown[] = []) =>
  theApp().system.use(async (_, connection) => (await connection.query(text, values)).rows)

/** The id of an answer, or of the one object in it. */
function idOf(body: unknown): string | undefined {
  const all = [body, ...Object.values(body as object)] as ({ id?: string } | null)[]
  return all.find((each) => typeof each?.id === 'string')?.id
}

/** Sends the fields in the body, also of a DELETE. */
function sendBody(who: Someone, operation: Operation, input: Record<string, unknown>) {
  if (operation.method !== 'DELETE') return who.request(operation, input)
  const { url } = addressed(operation, { ...input })
  const named = Object.fromEntries(Object.entries(input).filter(([field]) => !operation.path.includes(`{${field}}`)))
  return send({ method: 'DELETE', url: url.split('?')[0] ?? '', body: named, headers: { ...who.credentials } })
}
