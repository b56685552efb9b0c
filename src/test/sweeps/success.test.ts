import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test, vi } from 'vitest'
import { apiOperations as operations } from '../../catalog/operations.ts'
import type { Role } from '../../core/define/access.ts'
import type { Operation } from '../../core/define/operation.ts'
import type { TSchema } from '../../core/define/schema.ts'
import { resourceOf } from '../../core/run/input.ts'
import { newId, sha256 } from '../../core/values/id.ts'
import { colleague, filled, inputOnce } from '../filled.ts'
import { proves } from '../prove.ts'
import { employeeOf, inputFor, isPersonal, keyOf, moveFor, rowOf, rows, tableOf } from '../rows.ts'
import type { Shape } from '../sample.ts'
import { storedRow } from '../stored-row.ts'
import { addressed, answerOf, member, type Reply, type Someone, send, theApp, withKey } from '../world.ts'
import { remembered } from './remembered.ts'

/**
 * What is true whenever a call succeeds. Every operation is called by two people, and each property looks at these calls:
 * by an owner with a session, all input, unknown query parameters and forged fields; and by somebody with the least role,
 * a key with the one required scope, and the least input. The second call of a change is sent twice with one
 * Idempotency-Key.
 */

const writes = operations.filter(({ reads }) => !reads)
const reads = operations.filter(({ reads }) => reads)
const withBody = operations.filter(({ method }) => method !== 'GET' && method !== 'DELETE')

// Deleting an organization also deletes the answers remembered in it, so that a retry finds nothing.
const notRemembered = ['organizations_delete']
const repeatable: Operation[] = writes.filter(({ name }) => !notRemembered.includes(name))

// The serializer silently turns null into text and text into numbers, so the values it is given are checked too.
const mismatches: string[] = []
let answers = 0
vi.mock(import('../../core/run/serialize.ts'), async (original) => {
  const { toJson, toJsonInSlices } = await original()
  const ajv = new Ajv2020({ strict: false, validateFormats: false, code: { optimize: false } })
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

type Input = Record<string, unknown>
type Call = {
  caller: Someone
  organizationId: string | undefined
  input: Input
  requestId: string
  reply: Reply
  /** What the serializer was given that does not fit the schema. */
  unfit: string[]
}

/** Operations whose whole input has words that only one row may have: two of them would be in each other's way. */
const takesUniqueWords = ['payroll_employees_update', 'logistics_items_update', 'logistics_items_update_patch']

/** Whether a call changes or deletes the organization that all share: such an operation gets one of its own. */
const changesOrganization = (operation: Operation) => !operation.reads && tableOf(operation) === 'organizations'
const needsOwn = (operation: Operation) => changesOrganization(operation) || takesUniqueWords.includes(operation.name)

/** The call of an owner. What is forged is sent with it, unless the same call can be made again. */
const byOwner = remembered(async (operation): Promise<Call & { forged: Input }> => {
  const owner = needsOwn(operation) ? await member('OWNER') : filled().owner
  const input = await inputFor(operation, owner, { optional: true })
  if (operation.reads) await addChildren(owner, operation, input)
  const forged = forgedFields(operation)
  const { url, body } = addressed(operation, operation.method === 'POST' ? { ...input, ...forged } : input)
  const more = new URLSearchParams({ colour: 'red', constructor: '1', toString: '1', hasOwnProperty: '1', _: '1' })
  const longer = `${url}${url.includes('?') ? '&' : '?'}${more}&__proto__=1`
  const made = await sent(owner, input, (headers) => send({ method: operation.method, url: longer, body, headers }))
  return { ...made, organizationId: owner.organizationId, forged }
})

/** The call of somebody with the least role, with a key where one is accepted. */
const byLeastRole = remembered(async (operation): Promise<Call & { again?: Call }> => {
  const { caller, input, organizationId } = await leastCaller(operation)
  const scopes = [operation.scope, ...(alsoAllowed[operation.name] ?? [])]
  const calling = operation.sources.includes('API_KEY') ? await withKey(caller, scopes) : caller
  const once = operation.reads ? {} : { 'idempotency-key': `once-${operation.name}` }
  const send = async () => {
    const made = await sent(calling, input, (headers) => calling.request(operation, input, { ...headers, ...once }))
    return { ...made, organizationId }
  }
  const first = await send()
  return repeatable.includes(operation) ? { ...first, again: await send() } : first
})

/** Rows to show: one of each table that belongs to the operation's own row. */
async function addChildren(someone: Someone, operation: Operation, input: Input) {
  const table = tableOf(operation)
  if (table === undefined) return
  const children = Object.keys(rows).filter((other) => other !== table && other.startsWith(table.replace(/s$/, '')))
  for (const child of children) await rowOf(child, someone, String(input[keyOf(operation)]))
}

async function sent(caller: Someone, input: Input, request: (headers: Record<string, string>) => Promise<Reply>) {
  const requestId = newId()
  mismatches.splice(0)
  const reply = await request({ ...caller.credentials, 'x-request-id': requestId })
  return { caller, input, requestId, reply, unfit: [...new Set(mismatches.splice(0))] }
}

/** Operations that need a higher role on a colleague's row: an automation runs with the rights of its owner. */
const onAColleagues: Record<string, Role> = {
  automations_test: 'MANAGER',
  automations_replay: 'MANAGER',
  automations_replay_failed: 'MANAGER',
  automations_cancel: 'MANAGER',
}

/** What a key must be allowed too: a replay uses the payload that the run has recorded, and an import writes records. */
const alsoAllowed: Record<string, string[]> = {
  lists_export: ['customers:read'], // that of the list
  orders_send: ['orders:read'], // to an address of the caller's choice
  companion_write_ask: ['customers:read'], // it asks for the number of customers
  automations_replay: ['customers:read', 'invoices:read'],
  organizations_import_preview: ['customers:write'],
  organizations_import_create: ['customers:write'],
}

/** What a person does as an employee: the employee of the input becomes the caller. */
const asEmployee = ['payroll_my_payslip_pdf', 'payroll_my_claims_create']

/** In npm test every second read is called once. */
const calledTwice: readonly Operation[] = operations.filter(
  (operation, at) => proves || !operation.reads || at % 2 === 0,
)

/** The caller with the least role, and their input. */
async function leastCaller(operation: Operation) {
  const role = onAColleagues[operation.name] ?? operation.role
  const isEmployee = asEmployee.includes(operation.name)
  if (!isEmployee && !changesOrganization(operation)) {
    const { owner } = filled()
    const caller = operation.within === 'caller' ? owner : colleague(role)
    const input = await inputOfLeast(operation, caller)
    return { caller, input, organizationId: owner.organizationId }
  }
  const owner = await member('OWNER')
  const caller = operation.within === 'caller' ? owner : await member(role, { of: owner })
  const input = await inputFor(operation, owner)
  if (isEmployee) await owner.call('payroll_employees_update', { id: await employeeOf(owner), userId: caller.userId })
  return { caller, input, organizationId: owner.organizationId }
}

/** A read that is called once is called with all input: access.test.ts and tenancy.test.ts call it with the least. */
async function inputOfLeast(operation: Operation, caller: Someone) {
  const optional = !calledTwice.includes(operation)
  if (isPersonal(operation)) return inputFor(operation, caller, { optional })
  return optional ? inputFor(operation, filled().owner, { optional }) : inputOnce(operation)
}

describe('the required role with the required scope is accepted', () => {
  test.each(operations)('$name to $role', async (operation) => {
    expect((await byLeastRole(operation)).reply).toMatchObject({ status: operation.status })
  })
})

/** The calls of an operation. */
const callsOf = async (operation: Operation): Promise<Call[]> => [
  await byLeastRole(operation),
  ...(calledTwice.includes(operation) ? [await byOwner(operation)] : []),
]

describe('all input is accepted, and an unknown query parameter is ignored', () => {
  test.each(calledTwice)('$name', async (operation) => {
    expect((await byOwner(operation)).reply).toMatchObject({ status: operation.status })
  })
})

describe('the answer fits the schema, with the required input and with all input', () => {
  test.each(operations)('$name', async (operation) => {
    for (const { reply, input, unfit } of await callsOf(operation)) {
      expect(unfit).toEqual([])
      expect(answerOf(operation, reply, input).wrong).toEqual([])
    }
  })

  test('every operation answered through its schema', () => expect(answers).toBeGreaterThan(operations.length))
})

describe('a change writes one audit row that says who did what, where and how, with a session and with a key', () => {
  test.each(writes)('$name', async (operation) => {
    for (const { caller, organizationId, input, reply, requestId } of [
      await byLeastRole(operation),
      await byOwner(operation),
    ]) {
      expect(await trail(requestId)).toEqual([
        {
          id: expect.any(String),
          organizationId: organizationOf(operation, organizationId, reply.body),
          userId: caller.userId,
          source: 'cookie' in caller.credentials ? 'SESSION' : 'API_KEY',
          ...(await credentialOf(caller)),
          runId: null,
          automationId: null,
          turnId: null,
          requestId,
          operation: operation.name,
          objectId: input[keyOf(operation)] ?? input.payslipId ?? madeBy(reply.body), // the row that the call names, or the one that it made
          detail: expect.toSatisfy((detail) => detail === null || typeof detail === 'object'),
          clientId: null,
          createdAt: expect.stringMatching(/Z$/),
        },
      ])
    }
  })
})

describe('reading writes no audit row', () => {
  test.each(reads)('$name', async (operation) => {
    for (const { requestId } of await callsOf(operation)) expect(await trail(requestId)).toEqual([])
  })
})

/** An operation of the caller alone is in no organization; creating or joining one is in that organization. */
function organizationOf({ within, name }: Operation, organizationId: string | undefined, body: unknown) {
  if (name === 'organizations_create') return (body as { id: string }).id
  if (name === 'users_invitation_accept') return (body as { organization: { id: string } }).organization.id
  return within === 'caller' ? null : organizationId
}

const madeBy = (body: unknown) =>
  (body as { paymentId?: string }).paymentId ??
  [body, ...Object.values(body as object)].find((each) => typeof each?.id === 'string')?.id ??
  null

const trail = (requestId: string) =>
  theApp().system.use((db) => db.selectFrom('auditLog').selectAll().where('requestId', '=', requestId).execute())

/** The key or session that a person calls with, as the trail should name it. */
function credentialOf({ credentials }: Someone) {
  return theApp().system.use(async (db) => {
    const [secret = ''] = Object.values(credentials).map((text) => text.replace(/^(Bearer |sid=)/, ''))
    const [key] = await db.selectFrom('apiKeys').select('id').where('secretHash', '=', sha256(secret)).execute()
    const [session] = await db.selectFrom('sessions').select('id').where('secretHash', '=', sha256(secret)).execute()
    return { apiKeyId: key?.id ?? null, sessionId: session?.id ?? null }
  })
}

describe('IDEM-6: the same request with the same Idempotency-Key is answered again, not carried out again', () => {
  test.each(repeatable)('$name', async (operation) => {
    const { reply, again } = await byLeastRole(operation)
    expect(again?.reply).toMatchObject({ status: reply.status, body: reply.body })
    expect(again?.reply.headers['idempotency-replayed']).toBe('true')
    expect(await trail(again?.requestId ?? '')).toEqual([])
  })
})

describe('THR-05: a field that the server sets itself is ignored in the input', () => {
  let [forgedCount, rowsRead] = [0, 0]
  test.each(withBody)('$name', async (operation) => {
    const { caller, input, reply, forged } = await byOwner(operation)
    const isAgain = operation.method !== 'POST'
    const before = await storedRow(input[keyOf(operation)] ?? idOf(reply.body))
    await moveFor(operation, caller)
    const answer = isAgain ? await caller.request(operation, { ...input, ...forged }) : reply
    expect(answer).toMatchObject({ status: operation.status })
    const after = await storedRow(idOf(answer.body) ?? input[keyOf(operation)])
    if (isAgain) expect(after).toEqual(before)
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

/** Every field of the resource that the operation does not take, with a plausible value. */
function forgedFields(operation: Operation): Input {
  if (!withBody.includes(operation as (typeof withBody)[number])) return {}
  const owned = Object.entries(shownBy(operation)).filter(
    ([field]) => !(field in operation.input.properties) && field !== 'organizationId',
  )
  const forged = owned.map(([field, schema]) => [field, otherWords[operation.name]?.[field] ?? forge(schema, field)])
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

function forge(schema: TSchema, field: string): unknown {
  const { type, enum: words, format, properties } = schema as Shape
  if (field === 'id' || field.endsWith('Id')) return filled().other.organizationId
  if (words) return words.findLast((word) => word !== null)
  if (format === 'date-time') return '1999-01-01T00:00:00.000Z'
  if (properties) {
    return Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, forge(inner, name)]))
  }
  const values: Record<string, unknown> = { string: 'forged', integer: 987_654, number: 987_654, boolean: true }
  return values[[type].flat()[0] ?? ''] ?? ['forged']
}

/** The id of an answer, or of the one object in it. */
function idOf(body: unknown): string | undefined {
  const all = [body, ...Object.values(body as object)] as ({ id?: string } | null)[]
  return all.find((each) => typeof each?.id === 'string')?.id
}

test('these sweeps cover every operation', () => {
  expect(writes.length + reads.length).toBe(operations.length)
  expect(writes.length).toBeGreaterThanOrEqual(53)
  expect(reads.length).toBeGreaterThanOrEqual(38)
  expect(repeatable.length).toBe(writes.length - notRemembered.length)
  expect(repeatable.length).toBeGreaterThanOrEqual(52)
})
