import { describe, expect, test } from 'vitest'
import { apiOperations as operations } from '../../catalog/operations.ts'
import type { Operation } from '../../core/define/operation.ts'
import { resourceOf } from '../../core/run/input.ts'
import { toCamel, toSnake } from '../../db/names.ts'
import { filled, sharedInput } from '../filled.ts'
import { inProof } from '../prove.ts'
import { expectRefusal } from '../refusal.ts'
import { keyOf, storedIn, tableOf } from '../rows.ts'
import { storedRow } from '../stored-row.ts'
import { addressed, type Someone, send, theApp } from '../world.ts'

/** Fields that an operation refuses: unknown ones, and columns that nobody sees (THR-05). What it ignores: success.test.ts. */

const writes = operations.filter(({ method }) => method !== 'GET')
const withBody = writes.filter(({ method }) => method !== 'DELETE')

describe('an unknown field is refused by its name', () => {
  const unknown = ['colour', 'Name', 'constructor', 'toString', '$where']
  // In npm test one of the names, in turn.
  const cases = writes.map((operation, turn) => ({
    operation,
    name: operation.name,
    fields: inProof(unknown.slice(turn % unknown.length).slice(0, 1), unknown),
  }))
  test.each(cases)('$name', async ({ operation, fields }) => {
    const { owner } = filled()
    const input = await sharedInput(operation)
    for (const field of fields) {
      const reply = await sendBody(owner, operation, { ...input, [field]: 'red' })
      expectRefusal(reply, 'VALIDATION')
      expect(reply.body).toMatchObject({
        error: { details: [{ path: field }], message: expect.stringContaining(field) },
      })
    }
  })

  test('this covers every write', () => expect(cases.length).toBeGreaterThanOrEqual(100))
})

describe('an unknown field that is nearly a known one is refused with the known name', () => {
  const cases = withBody.flatMap((operation) => {
    const known = Object.keys(operation.input.properties).filter((name) => name.length > 5 && name !== 'organizationId')
    return known.slice(0, 1).map((meant) => ({ operation, meant, name: operation.name }))
  })
  test.each(cases)('$name', async ({ operation, meant }) => {
    const { owner } = filled()
    const wrong = `${meant}x`
    const reply = await sendBody(owner, operation, { ...(await sharedInput(operation)), [wrong]: 'red' })
    expectRefusal(reply, 'VALIDATION', 'UNKNOWN_FIELD')
    expect(reply.body).toMatchObject({
      error: {
        message: `${wrong} is not a field of this operation; the nearest is ${meant}.`,
        details: [{ path: wrong, params: { nearest: meant } }],
      },
    })
  })

  test('this covers most writes', () => expect(cases.length).toBeGreaterThanOrEqual(100))
})

describe('text where the resource shows an object or a list is an unknown field', () => {
  const cases = writes.flatMap((operation) => {
    const shown = resourceOf(operation.output)?.properties ?? {}
    const nested = Object.keys(shown).filter(
      (field) => !(field in operation.input.properties) && isNested(shown[field]),
    )
    return nested.slice(0, 1).map((field) => ({ operation, field, name: operation.name }))
  })
  test.each(cases)('$name with $field', async ({ operation, field }) => {
    const { owner } = filled()
    const reply = await sendBody(owner, operation, { ...(await sharedInput(operation)), [field]: 'Acme' })
    expectRefusal(reply, 'VALIDATION', 'UNKNOWN_FIELD')
    expect(reply.body).toMatchObject({ error: { details: [{ path: field }] } })
  })

  test('this covers expenses and what else has such fields', () => {
    expect(cases.map(({ name }) => name)).toContain('expenses_create')
    expect(cases.length).toBeGreaterThanOrEqual(10)
  })
})

const isNested = (schema: object = {}) => {
  const { type, anyOf = [] } = schema as { type?: string; anyOf?: { type?: string }[] }
  return type === 'object' || type === 'array' || anyOf.some((each) => each.type === 'object')
}

describe('a column that the resource does not show is an unknown field', () => {
  test.each(withBody)('$name', async (operation) => {
    const { owner, other } = filled()
    const input = await sharedInput(operation)
    const before = await storedRow(input[keyOf(operation)])
    const hidden = await hiddenColumns(operation)
    expect(hidden).not.toEqual([])
    // A refusal names at most fifty fields.
    for (let from = 0; from < hidden.length; from += 50) {
      const some = hidden.slice(from, from + 50)
      const forged = Object.fromEntries(some.map((column) => [column, other.userId]))
      const answer = await owner.request(operation, { ...input, ...forged })
      expectRefusal(answer, 'VALIDATION')
      const { details } = (answer.body as { error: { details: { path: string }[] } }).error
      expect(details.map(({ path }) => path).sort()).toEqual(some.sort())
    }
    expect(await storedRow(input[keyOf(operation)])).toEqual(before)
  })
})

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
  const shown = {
    ...resourceOf(operation.output)?.properties,
    ...operation.alsoShown?.properties,
    ...operation.input.properties,
    organizationId: true,
  }
  const names = new Set([...tried, ...columns.map(({ columnName }) => toCamel(String(columnName)))])
  return [...names].filter((name) => !(name in shown))
}

const query = (text: string, values: unknown[] = []) =>
  theApp().system.use(async (_, connection) => (await connection.query(text, values)).rows)

/** Sends the fields in the body, also of a DELETE. */
function sendBody(who: Someone, operation: Operation, input: Record<string, unknown>) {
  if (operation.method !== 'DELETE') return who.request(operation, input)
  const { url } = addressed(operation, { ...input })
  const named = Object.fromEntries(Object.entries(input).filter(([field]) => !operation.path.includes(`{${field}}`)))
  return send({ method: 'DELETE', url: url.split('?')[0] ?? '', body: named, headers: { ...who.credentials } })
}
