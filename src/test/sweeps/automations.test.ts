import { beforeAll, describe, expect, test } from 'vitest'
import { apiOperations as operations } from '../../catalog/operations.ts'
import { type Role, roles } from '../../core/define/access.ts'
import { Failure } from '../../core/define/failure.ts'
import type { Operation } from '../../core/define/operation.ts'
import { newId } from '../../core/values/id.ts'
import { engineActions } from '../../features/work/automations/actions/engine-actions.ts'
import { runAutomation } from '../../features/work/automations/engine/run-automation.ts'
import { colleague, filled, inputOnce, sharedInput } from '../filled.ts'
import { doJob } from '../job.ts'
import { inProof, proves, sample } from '../prove.ts'
import { inputFor, isPersonal } from '../rows.ts'
import { sell } from '../sales-documents.ts'
import { type Reply, type Someone, theApp, withKey } from '../world.ts'

/**
 * THR-07: every operation as a step of an automation. The author of the graph and the credential that it was saved with
 * gain nothing: what they may not do directly is refused in the same way, and what they may do succeeds.
 */

let owner: Someone
let automationId: string
/** A key of the owner, as the credential of graphs with scopes. */
let keyId: string
beforeAll(async () => {
  owner = filled().owner
  const { organizationId = '' } = owner
  keyId = (await owner.call('api_keys_create', { name: 'Key', scopes: ['*:*'], allOrgs: true })).key.id
  const started = { organizationId, name: 'Auto', blocks: [start] }
  automationId = (await owner.call('automations_create', started)).id
})
const start = { id: 'start', kind: 'TRIGGER' as const, ref: 'invoice.paid', config: {}, position: {} }

const query = (text: string, values: unknown[]) => theApp().system.raw.query(text, values)

/** Who saved the graph, and with which scopes; null for a session. */
type SavedBy = { author: Someone; scopes?: string[] | null }

/**
 * Runs an action in the automation of the owner, as a worker does, with a graph that was saved like this. The graph is
 * written to the tables, because an editor may not save an action above their role; one who was demoted since has done so.
 */
async function runThrough(ref: string, input: object, { author, scopes = null }: SavedBy) {
  const action = { id: 'a', kind: 'ACTION', ref, config: { input }, position: {} }
  const edge = { id: 'e', fromBlockId: 'start', toBlockId: 'a', cond: null, mode: 'ONCE', order: 0 }
  await query("update automations set blocks = $2, edges = $3, status = 'ENABLED', enabled_at = now() where id = $1", [
    automationId,
    JSON.stringify([start, action]),
    JSON.stringify([edge]),
  ])
  await query(
    `update automation_graphs set author_user_id = $2, scopes = $3, api_key_id = $4, credential_status = $5
     where automation_id = $1 and superseded_at is null`,
    [automationId, author.userId, scopes, scopes && keyId, scopes && 'ACTIVE'],
  )
  const runId = newId()
  const { organizationId } = owner
  await query(
    "insert into automation_runs (organization_id, id, automation_id, input, depth) values ($1, $2, $3, '{}', 0)",
    [organizationId, runId, automationId],
  )
  const failures: Failure[] = []
  const providers = theApp().providers
  const run: typeof providers.run = (operation, call) =>
    providers.run(operation, call).catch((error) => {
      if (error instanceof Failure) failures.push(error)
      throw error
    })
  await doJob(
    runAutomation,
    { runId },
    { providers: { ...providers, run }, flags: { [`organization:${organizationId}`]: true } },
  )
  const { rows } = await query(
    `select r.status as run, r.error, a.status as automation from automation_runs r join automations a on a.id = r.automation_id
     where r.id = $1`,
    [runId],
  )
  const [failure] = failures
  return { ...rows[0], refusal: failure && { status: failure.status, code: failure.details[0]?.code } }
}

const refusalOf = ({ status, body }: Reply) => ({
  status,
  code: (body as { error?: { details?: { code?: string }[] } }).error?.details?.[0]?.code,
})
const paused = { run: 'FAILED', automation: 'PAUSED_NO_ACCESS' }
const forbidden = (code: string) => ({ ...paused, refusal: { status: 403, code } })

const inOrganization = operations.filter(({ within }) => within !== 'caller')
const ofCaller = operations.filter(({ within }) => within === 'caller')
const isForAutomations = ({ sources }: Operation) => sources.includes('AUTOMATION')

const features = [...new Set(operations.map(({ feature }) => feature))]
/** Every scope of the other features, and of this feature the other access. */
function allScopesBut({ feature, access }: Operation) {
  const other = access === 'read' ? 'write' : 'read'
  return [`*:${other}`, ...features.filter((each) => each !== feature).map((each) => `${each}:*`)]
}

const keys = new Map<string, Promise<Someone>>()
const keyWithout = (operation: Operation) => {
  const key = keys.get(operation.scope) ?? withKey(owner, allScopesBut(operation))
  keys.set(operation.scope, key)
  return key
}

/**
 * In npm test an operation lacks either the role or the scope, in turn; in a proof each of them. What has no role to lack
 * lacks the scope.
 */
const sharedOut = (list: readonly Operation[], turn: number): readonly Operation[] =>
  proves
    ? list
    : list.filter((operation) => turn === (lacksRole(operation) ? operations.indexOf(operation as never) % 2 : 1))
/** In npm test every third of them: a run is authorized in one place, and access.test.ts asks every operation directly. */
const some = <T>(list: readonly T[]) => sample(list, 3)
const lacksRole = ({ within, role }: Operation) => within !== 'caller' && role !== 'EMPLOYEE'

describe('THR-07: an author with a lower role is refused through an automation as in person', () => {
  const cases = inOrganization.filter(({ role }) => role !== 'EMPLOYEE')
  test.each(some(sharedOut(cases, 0)))('$name', async (operation) => {
    const shared = await sharedInput(operation)
    // In npm test the role just below; that it is refused directly: access.test.ts.
    for (const role of roles.slice(0, roles.indexOf(operation.role)).slice(inProof(-1, 0))) {
      const author = colleague(role)
      const input = isPersonal(operation) ? await inputFor(operation, author) : shared
      const direct = proves ? refusalOf(await author.request(operation, input)) : { status: 403, code: 'ROLE' }
      expect({ role, direct }).toEqual({ role, direct: { status: 403, code: 'ROLE' } })
      const through = await runThrough(operation.name, input, { author })
      expect({ role, through }).toMatchObject({
        role,
        through: isForAutomations(operation) ? { ...paused, refusal: direct } : forbidden('SOURCE'),
      })
    }
  })
})

describe('THR-07: a credential without the scope is refused through an automation as directly', () => {
  test.each(some(sharedOut(operations, 1)))('$name', async (operation) => {
    const input = await sharedInput(operation)
    const expected = { status: 403, code: operation.sources.includes('API_KEY') ? 'SCOPE' : 'SOURCE' }
    // In npm test the direct refusal is left to access.test.ts.
    const direct = proves ? refusalOf(await (await keyWithout(operation)).request(operation, input)) : expected
    expect(direct).toEqual(expected)
    const through = await runThrough(operation.name, input, { author: owner, scopes: allScopesBut(operation) })
    const refusal = isForAutomations(operation) ? direct : { status: 403, code: 'SOURCE' }
    expect(through).toMatchObject({ ...paused, refusal })
  })
})

/** Operations that an automation cannot perform, whoever saved it, and the code of their refusal. */
const neverByAutomation: Record<string, string> = {
  automations_create: 'SOURCE', // a graph has a person as its author
  automations_update: 'SOURCE',
  automations_test: 'SOURCE', // automations that tested each other would not be stopped
  automations_replay: 'SOURCE',
  automations_replay_failed: 'SOURCE',
  automations_cancel: 'SOURCE',
}

/** What a graph must be allowed too: an import writes records. */
const alsoAllowed: Record<string, string[]> = {
  orders_send: ['orders:read'], // to an address of the caller's choice
  companion_write_ask: ['customers:read'], // it asks for the number of customers
  organizations_import_preview: ['customers:write'],
  organizations_import_create: ['customers:write'],
}

/** Operations that would delete the automation itself. */
const ownEnd = ['organizations_delete']

describe('THR-07: an author with the required role and a graph with the required scope succeed', () => {
  test.each(operations.filter(({ name }) => !ownEnd.includes(name)))('$name', async (operation) => {
    const isOwn = operation.within === 'caller' || operation.path.startsWith('/api/hr/me/') // open to no other author
    const author = isOwn ? owner : colleague(operation.role)
    const input = await inputOnce(operation)
    const through = await runThrough(operation.name, input, {
      author,
      scopes: [operation.scope, ...(alsoAllowed[operation.name] ?? [])],
    })
    const code = isForAutomations(operation) ? neverByAutomation[operation.name] : 'SOURCE'
    expect(through).toMatchObject(code ? forbidden(code) : { run: 'SUCCEEDED', error: null, automation: 'ENABLED' })
  })

  test('an automation cannot delete its own organization', async () => {
    const { organizationId: id } = owner
    const through = await runThrough('organizations_delete', { id }, { author: owner })
    expect(through).toMatchObject({ run: 'FAILED', automation: 'ENABLED', refusal: { status: 409 } })
  })
})

describe('THR-07: the account of the owner is open to no other author, whatever their role', () => {
  test.each(ofCaller)('$name', async (operation) => {
    const input = await sharedInput(operation)
    const through = await runThrough(operation.name, input, { author: colleague('OWNER') })
    expect(through).toMatchObject(forbidden(isForAutomations(operation) ? 'PERSONAL' : 'SOURCE'))
  })
})

/** Inputs for which an operation itself needs a higher role than its definition says. */
const higherRoles: [name: string, author: Role, input: () => Promise<Record<string, unknown>>][] = [
  ['users_member_update', 'MANAGER', async () => ({ ...here(), userId: colleague('MANAGER').userId, role: 'OWNER' })],
  ['users_member_update', 'MANAGER', async () => ({ ...here(), userId: colleague('OWNER').userId, role: 'VIEWER' })],
  ['users_member_delete', 'MANAGER', async () => ({ ...here(), userId: colleague('OWNER').userId })],
  ['users_invitations_post', 'MANAGER', async () => ({ ...here(), email: `${newId()}@x.test`, role: 'OWNER' })],
  [
    'invoices_update',
    'CONTRIBUTOR',
    async () => ({ id: (await sell(owner, { status: 'PAID' })).id, clearReceiptInfo: true }),
  ],
  [
    'invoices_payments_void',
    'CONTRIBUTOR',
    async () => {
      const { id } = await sell(owner, { status: 'PAID' })
      const { payments } = await owner.call('invoices_payments_list', { documentId: id })
      return { id: payments[0]?.id }
    },
  ],
  [
    'invoices_payments_unallocate',
    'CONTRIBUTOR',
    async () => {
      const { id } = await sell(owner, { status: 'PAID' })
      const { payments } = await owner.call('invoices_payments_list', { documentId: id })
      return { id: payments[0]?.id, allocationId: payments[0]?.allocations[0]?.id }
    },
  ],
]
const here = () => ({ id: owner.organizationId })

describe('THR-07: a role that the operation itself checks is that of the author too', () => {
  test.each(higherRoles)('%s by %s', async (name, role, inputOf) => {
    const operation = operations.find((each) => each.name === name)
    if (!operation) throw new Error(`There is no operation ${name}`)
    const input = await inputOf()
    const direct = refusalOf(await colleague(role).request(operation, input))
    expect(direct).toEqual({ status: 403, code: 'ROLE' })
    expect(await runThrough(name, input, { author: colleague(role) })).toMatchObject({ ...paused, refusal: direct })
    if (!name.startsWith('users_member'))
      expect(await runThrough(name, input, { author: owner })).toMatchObject({ run: 'SUCCEEDED' })
  })
})

describe('THR-07: an action of the engine needs its role and scope too', () => {
  const inputs: Record<string, object> = {
    'email.send': { to: 'dana@x.test', subject: 'Hello', body: 'Hi' },
    'webhook.post': { url: 'http://127.0.0.1:1/' },
  }
  test.each(engineActions)('$name', async ({ name, role, scope }) => {
    const input = inputs[name] ?? {}
    for (const low of roles.slice(0, roles.indexOf(role)))
      expect(await runThrough(name, input, { author: colleague(low) })).toMatchObject({
        ...paused,
        error: expect.stringContaining(role),
      })
    const without = await runThrough(name, input, { author: owner, scopes: ['*:read', 'customers:*'] })
    expect(without).toMatchObject({ ...paused, error: expect.stringContaining(scope) })
    const allowed = await runThrough(name, input, { author: colleague(role), scopes: [scope] })
    expect(allowed.automation).toBe('ENABLED')
  })
})

test('these sweeps cover every operation they are meant for', () => {
  expect(inOrganization.length + ofCaller.length).toBe(operations.length)
  expect(inOrganization.filter(isForAutomations).length).toBeGreaterThanOrEqual(73)
  expect(ofCaller.filter(isForAutomations).length).toBeGreaterThanOrEqual(7)
  expect(Object.keys(neverByAutomation)).toHaveLength(6)
})
