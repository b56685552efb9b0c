import { beforeAll, describe, expect, test } from 'vitest'
import { apiOperations as operations } from '../../catalog/operations.ts'
import type { Operation } from '../../core/define/operation.ts'
import { missingId } from '../../core/define/query.ts'
import { newId, sha256 } from '../../core/values/id.ts'
import { inputFor, keyOf } from '../rows.ts'
import { member, type Someone, stranger, theApp, withKey } from '../world.ts'

/** The audit trail: one row for every change, none for anything else, and no row can be edited (INV-19). */

const writes = operations.filter(({ reads }) => !reads)
const reads = operations.filter(({ reads }) => reads)

let owner: Someone
let employee: Someone
beforeAll(async () => {
  owner = await member('OWNER')
  employee = await member('EMPLOYEE', { of: owner })
})

describe('a change writes one audit row that says who did what, where and how', () => {
  const cases = writes.flatMap((operation) =>
    (['SESSION', 'API_KEY'] as const)
      .filter((source) => operation.sources.includes(source))
      .map((source) => ({ operation, name: operation.name, source })),
  )
  test.each(cases)('$name by $source', async ({ operation, source }) => {
    const amy = await member('OWNER')
    const caller = source === 'SESSION' ? amy : await withKey(amy)
    const input = await inputFor(operation, amy)
    const { requestId, reply } = await requested(caller, operation, input)
    expect(reply).toMatchObject({ status: operation.status })
    expect(await trail(requestId)).toEqual([
      {
        id: expect.any(String),
        organizationId: organizationOf(operation, amy, reply.body),
        userId: amy.userId,
        source,
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
  })
})

/** An operation of the caller alone is in no organization; creating or joining one is in that organization. */
function organizationOf({ within, name }: Operation, { organizationId }: Someone, body: unknown) {
  if (name === 'organizations_create') return (body as { id: string }).id
  if (name === 'users_invitation_accept') return (body as { organization: { id: string } }).organization.id
  return within === 'caller' ? null : organizationId
}

const madeBy = (body: unknown) =>
  (body as { paymentId?: string }).paymentId ??
  [body, ...Object.values(body as object)].find((each) => typeof each?.id === 'string')?.id ??
  null

/** What an EMPLOYEE may do too, without a row of their own. */
const forEveryMember = new Set(['views_create'])

describe('a refused change writes no audit row', () => {
  test.each(writes)('$name', async (operation) => {
    const input = await inputFor(operation, owner)
    const refused = [
      await requested(stranger(), operation, input),
      await requested(await withKey(owner, ['reports:read']), operation, input),
      await requested(owner, operation, {
        ...input,
        [keyOf(operation)]: missingId,
        colour: 'red',
        organizationId: missingId,
      }),
      ...(operation.within === 'caller' || forEveryMember.has(operation.name)
        ? []
        : [await requested(employee, operation, input)]),
    ]
    for (const { reply, requestId } of refused) {
      expect(reply.status).toBeGreaterThanOrEqual(400)
      expect(await trail(requestId)).toEqual([])
    }
  })
})

describe('reading writes no audit row', () => {
  test.each(reads)('$name', async (operation) => {
    const { requestId, reply } = await requested(owner, operation, await inputFor(operation, owner))
    expect(reply.status).toBe(200)
    expect(await trail(requestId)).toEqual([])
  })
})

describe.each(['audit_log', 'events'])('%s is append-only', (table) => {
  test.each([`update ${table} set created_at = now()`, `delete from ${table}`])('%s', async (statement) => {
    await owner.call('customers_create', {
      name: 'Globex',
      country: 'SG',
      organizationId: String(owner.organizationId),
    })
    await expect(system(statement)).rejects.toThrow(/append-only/)
    for (const role of ['kontor_confined', 'kontor_across']) {
      await expect(system(`set role ${role}`, statement)).rejects.toThrow(/permission denied/)
    }
  })
})

async function requested(who: Someone, operation: Operation, input: Record<string, unknown>) {
  const requestId = newId()
  return { requestId, reply: await who.request(operation, input, { 'x-request-id': requestId }) }
}

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

/** Statements as the owner of the tables. */
const system = (...statements: string[]) =>
  theApp().system.use(async (_, connection) => {
    for (const statement of statements) await connection.query(statement)
  })

test('these sweeps cover every operation', () => {
  expect(writes.length + reads.length).toBe(operations.length)
  expect(writes.length).toBeGreaterThanOrEqual(53)
  expect(reads.length).toBeGreaterThanOrEqual(38)
})
