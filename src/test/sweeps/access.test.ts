import { beforeAll, describe, expect, test } from 'vitest'
import { apiOperations as operations } from '../../catalog/operations.ts'
import { type Role, roles } from '../../core/define/access.ts'
import type { Operation } from '../../core/define/operation.ts'
import { missingId } from '../../core/define/query.ts'
import type { TSchema } from '../../core/define/schema.ts'
import { outboxMail } from '../../providers/mail/outbox.ts'
import { colleague, filled, sharedInput } from '../filled.ts'
import { inProof, pairs, proves, sample } from '../prove.ts'
import { expectRefusal } from '../refusal.ts'
import { inputFor, isPersonal, keyOf, tableOf } from '../rows.ts'
import { addressed, type Reply, Someone, send, stranger, theApp, withKey } from '../world.ts'

/**
 * Who is refused, over every operation: credentials, scopes, sources, roles, and in which order they are checked; and that a
 * refusal leaves no trace in the audit trail. Who is let in: success.test.ts.
 */

const inOrganization = operations.filter(({ within }) => within !== 'caller')
const byKey = operations.filter(({ sources }) => sources.includes('API_KEY'))
const bySessionOnly = operations.filter(({ sources }) => !sources.includes('API_KEY'))
const writes = operations.filter(({ reads }) => !reads)

/** Why each operation was refused in these sweeps. */
const refused = new Map<string, Set<string>>(operations.map(({ name }) => [name, new Set()]))

/** The id of these requests, by which the audit trail would name them. */
const requestId = { 'x-request-id': 'refused-by-a-sweep' }

function expectRefused(operation: Operation, reply: Reply, code: Parameters<typeof expectRefusal>[1], detail?: string) {
  expectRefusal(reply, code, detail)
  refused.get(operation.name)?.add(detail ?? code)
}

/** Input for requests that are refused before it is read. */
const anything = { id: '00000000-0000-0000-0000-000000000000' }

const badBearers = ['Bearer kt_garbage1_0000000000000000000000000000000000000000000', 'Basic YTpi', 'Bearer', ''].map(
  (authorization) => ({ authorization }),
)

/** Headers without valid credentials. A bearer token is checked alone, whatever cookie comes with it. */
const withoutCredentials: [string, () => Record<string, string>][] = [
  ['a wrong cookie', () => ({ cookie: 'sid=garbage' })],
  ...badBearers.flatMap((bearer): [string, () => Record<string, string>][] => [
    [JSON.stringify(bearer), () => bearer],
    [`${JSON.stringify(bearer)} and a valid cookie`, () => ({ ...filled().owner.credentials, ...bearer })],
  ]),
]

describe('without valid credentials nothing is done', () => {
  test('a valid cookie by itself is accepted', async () => {
    const { owner } = filled()
    expect((await owner.request(operations[0] as Operation, anything)).status).not.toBe(401)
  })

  test.each(operations)('$name without any', async (operation) => {
    expectRefused(operation, await stranger().request(operation, anything, requestId), 'UNAUTHENTICATED')
  })

  const cases = pairs(operations, withoutCredentials).map(([operation, [called, headers]]) => ({
    name: `${operation.name} with ${called}`,
    operation,
    headers,
  }))
  test.each(cases)('$name', async ({ operation, headers }) => {
    const reply = await stranger().request(operation, anything, { ...headers(), ...requestId })
    expectRefused(operation, reply, 'UNAUTHENTICATED')
  })
})

/** A key of the owner with every scope but that of the operation; one for all operations with that scope. */
const keys = new Map<string, Promise<Someone>>()
function keyWithout(operation: Operation): Promise<Someone> {
  const key = keys.get(operation.scope) ?? withKey(filled().owner, allScopesBut(operation))
  keys.set(operation.scope, key)
  return key
}

const features = [...new Set(operations.map(({ feature }) => feature))]

/** Every scope of the other features, and of this feature the other access: `write` does not include `read`. */
function allScopesBut({ feature, access }: Operation) {
  const other = access === 'read' ? 'write' : 'read'
  return [`*:${other}`, ...features.filter((each) => each !== feature).map((each) => `${each}:*`)]
}

describe('a key with every scope but the required one is refused', () => {
  test.each(byKey)('$name', async (operation) => {
    const key = await keyWithout(operation)
    expectRefused(
      operation,
      await key.request(operation, await sharedInput(operation), requestId),
      'FORBIDDEN',
      'SCOPE',
    )
  })
})

describe('an operation for signed-in people only is refused with a key', () => {
  test.each(bySessionOnly)('$name', async (operation) => {
    const key = await withKey(filled().owner, ['*:*'])
    expectRefused(
      operation,
      await key.request(operation, await sharedInput(operation), requestId),
      'FORBIDDEN',
      'SOURCE',
    )
  })
})

describe('a role below the required one is refused', () => {
  const lower = ({ role }: Operation): Role[] => roles.slice(0, roles.indexOf(role))
  // In npm test the role just below, with a session or a key in turn.
  const cases = inOrganization.flatMap((operation) =>
    lower(operation)
      .slice(inProof(-1, 0))
      .map((role) => ({ operation, role })),
  )
  const asCalled = pairs(cases, ['SESSION', 'API_KEY'] as const).map(([{ operation, role }, asked]) => {
    const source = operation.sources.includes(asked) ? asked : 'SESSION'
    return { operation, role, source, name: operation.name }
  })
  const keysOf = new Map<Role, Promise<Someone>>()
  const callerWith = async (role: Role, source: string) => {
    if (source === 'SESSION') return colleague(role)
    const key = keysOf.get(role) ?? withKey(colleague(role))
    keysOf.set(role, key)
    return key
  }
  test.each(asCalled)('$name to $role with $source', async ({ operation, role, source }) => {
    const input = isPersonal(operation) ? await inputFor(operation, colleague(role)) : await sharedInput(operation)
    const caller = await callerWith(role, source)
    expectRefused(operation, await caller.request(operation, input, requestId), 'FORBIDDEN', 'ROLE')
  })

  test('this covers every operation that needs a role', () => {
    const named = new Set(asCalled.map(({ name }) => name))
    expect(named.size).toBe(inOrganization.filter(({ role }) => role !== 'EMPLOYEE').length)
    expect(named.size).toBeGreaterThanOrEqual(70)
  })
})

describe('a role that is too low is told so, whether or not the row exists, where the call names the organization', () => {
  const onRows = inOrganization.filter(
    (operation) => tableOf(operation) && operation.role !== 'EMPLOYEE' && operation.within !== 'organizationId',
  )
  // In npm test some: the three are checked in the same place for all.
  test.each(sample(onRows, 3))('$name', async (operation) => {
    const { owner, other } = filled()
    const below = colleague(roles[roles.indexOf(operation.role) - 1] as Role)
    const unknown = {
      ...(await sharedInput(operation)),
      [keyOf(operation)]: missingId,
      organizationId: owner.organizationId,
    }
    expectRefused(operation, await below.request(operation, unknown, requestId), 'FORBIDDEN', 'ROLE')
    expectRefused(operation, await other.request(operation, unknown, requestId), 'NOT_FOUND')
    expectRefused(operation, await owner.request(operation, unknown, requestId), 'NOT_FOUND')
  })

  test('there are many such operations', () => expect(onRows.length).toBeGreaterThanOrEqual(150))
})

describe('a key that may read everything finds no token of an invitation', () => {
  const readable = byKey.filter(({ reads, within }) => reads && within !== 'caller')
  let token = ''
  let reader: Someone
  beforeAll(async () => {
    const { owner } = filled()
    reader = await withKey(owner, ['*:read'])
    const email = 'invited-by-a-sweep@example.test'
    const invited = await owner.call('users_invitations_post', {
      id: String(owner.organizationId),
      email,
      role: 'VIEWER',
    })
    token = String(invited.token)
    const text = `https://kontor.example/invitations/accept?token=${token}`
    const content = {
      to: [email],
      senderName: 'Acme',
      replyTo: null,
      subject: 'Invitation',
      text,
      html: text,
      attachments: [],
    }
    await outboxMail(theApp().system, 'a@x.test').send({
      id: invited.id,
      organizationId: String(owner.organizationId),
      ...content,
    })
  })

  test.each(readable)('$name', async (operation) => {
    expect(token).toHaveLength(43)
    expect(JSON.stringify((await reader.request(operation, await sharedInput(operation))).body ?? '')).not.toContain(
      token,
    )
  })

  test('this covers the outbox, the audit, runs and the search', () => {
    const names = readable.map(({ name }) => name)
    for (const name of ['organizations_outbox', 'organizations_audit', 'automations_runs', 'search_everything'])
      expect(names).toContain(name)
  })
})

/** Lists that show no row of an organization. */
const withoutRows: Record<string, string> = {
  reports_exchange_rates: 'rates belong to no organization',
  expenses_usage: 'it shows counts',
}

describe('a list over all organizations leaves out those where the role is too low', () => {
  const lists = inOrganization.filter(
    ({ reads, within, input }) => reads && within === 'organizationId' && !input.required?.includes('organizationId'),
  )
  test.each(lists)('$name', async (operation) => {
    const { organizationId: _, ...input } = await inputFor(operation, filled().owner)
    const ids = Object.values(filled().hers)
    const shown = async (who: Someone) => {
      // The rows of the template are older than those of other files of this run, so that they may be on a later page.
      const all = 'limit' in operation.input.properties ? { ...input, limit: 100 } : input
      return JSON.stringify((await who.request(operation, all)).body)
    }
    const [seen, hidden] = [await shown(filled().owner), await shown(colleague('EMPLOYEE'))]
    if (!(operation.name in withoutRows)) expect(ids.filter((id) => seen.includes(id))).not.toEqual([])
    expect(ids.filter((id) => hidden.includes(id))).toEqual([])
    expect(hidden).not.toContain('"error"')
  })

  test('this covers every such list', () => expect(lists.length).toBeGreaterThanOrEqual(20))
})

describe('credentials come before scope, scope before the row, the row before the body', () => {
  // In npm test some: the order is that of the steps of every call (core/run/steps.ts).
  const checked = operations.filter((operation) => spoilt(operation) !== undefined)
  test.each(sample(checked, 4))('$name', async (operation) => {
    const { owner, other } = filled()
    const input = await sharedInput(operation)
    const bad = (caller: Someone) => sendBad(caller, operation, input)
    expectRefused(operation, await bad(stranger()), 'UNAUTHENTICATED')
    expectRefused(operation, await bad(await keyWithout(operation)), 'FORBIDDEN')
    if (operation.within !== 'caller') {
      const row = tableOf(operation) !== undefined
      expectRefused(operation, await bad(other), row ? 'NOT_FOUND' : 'FORBIDDEN')
      const isTheirs = typeof operation.within === 'object' && operation.within.idOf === 'caller'
      if (isTheirs) expectRefused(operation, await bad(colleague('EMPLOYEE')), 'NOT_FOUND')
      else if (operation.role !== 'EMPLOYEE')
        expectRefused(operation, await bad(colleague('EMPLOYEE')), 'FORBIDDEN', 'ROLE')
    }
    expectRefused(operation, await bad(owner), 'VALIDATION')
  })
})

/** One wrong field: an unknown one in a write, a value out of range in a read. */
function spoilt(operation: Operation): Record<string, unknown> | undefined {
  if (!operation.reads) return { colour: 'red' }
  const numeric = Object.entries(operation.input.properties as Record<string, TSchema & { type?: string }>)
  const [name] = numeric.find(([, { type }]) => type === 'integer') ?? []
  return name === undefined ? undefined : { [name]: -1 }
}

function sendBad(caller: Someone, operation: Operation, input: Record<string, unknown>) {
  if (operation.method !== 'DELETE') return caller.request(operation, { ...input, ...spoilt(operation) }, requestId)
  const { url } = addressed(operation, input)
  return send({ method: 'DELETE', url, body: spoilt(operation), headers: { ...caller.credentials, ...requestId } })
}

describe('a caller without access is refused for that, even if the body cannot be read', () => {
  const taking = operations.filter(({ method }) => method !== 'GET')
  type Unreadable = { called: string; body: string; type: string; 'idempotency-key'?: string }
  const unreadable: Unreadable[] = [
    { called: 'malformed JSON', body: '{"name": ', type: 'application/json' },
    { called: 'a list', body: '[]', type: 'application/json' },
    { called: 'plain text', body: '{}', type: 'text/plain' },
    { called: 'a wrong key', body: '{}', type: 'application/json', 'idempotency-key': 'schlüssel' },
  ]
  const cases = pairs(taking, unreadable)
    // A read takes no key, so none is looked at.
    .map(([operation, bad]) => ({ operation, ...(operation.reads && bad['idempotency-key'] ? unreadable[0] : bad) }))
    .map((each) => ({ ...(each as Unreadable & { operation: Operation }), name: each.operation.name }))
  // In npm test some: bodies are read before it is known which operation is meant.
  test.each(sample(cases, 5))('$name with $called', async ({ operation, called: _, name: __, body, type, ...more }) => {
    const { owner, other } = filled()
    const { url } = addressed(operation, await sharedInput(operation))
    const headers = { 'content-type': type, ...more, ...requestId }
    const sent = ({ credentials }: Someone) =>
      send({ method: operation.method, url, body, headers: { ...headers, ...credentials } })
    expectRefused(operation, await sent(stranger()), 'UNAUTHENTICATED')
    expectRefused(operation, await sent(new Someone('', { authorization: 'Bearer kt_garbage1_0' })), 'UNAUTHENTICATED')
    expectRefused(operation, await sent(await keyWithout(operation)), 'FORBIDDEN')
    const odd = type === 'text/plain' // with a cookie, such a request may come from a page of another site (WEB-3)
    if (operation.within !== 'caller' && tableOf(operation)) {
      const isInBody = !operation.path.includes('{') // then nobody knows which row is meant
      const refusal = isInBody ? 'VALIDATION' : 'NOT_FOUND'
      expectRefused(operation, await sent(other), odd ? 'FORBIDDEN' : refusal)
    }
    expectRefused(operation, await sent(owner), odd ? 'FORBIDDEN' : 'VALIDATION')
  })
})

describe('a refused change writes no audit row', () => {
  const recorded = async (id: string) =>
    (await theApp().system.raw.query('select operation from audit_log where request_id = $1', [id])).rows

  test('each of the refusals above', async () => {
    for (const { name, within, role, sources } of writes) {
      const reasons = [
        ...['UNAUTHENTICATED', ...(proves ? ['VALIDATION'] : []), sources.includes('API_KEY') ? 'SCOPE' : 'SOURCE'],
        ...(within === 'caller' || role === 'EMPLOYEE' ? [] : ['ROLE']),
      ]
      expect([...(refused.get(name) ?? [])], name).toEqual(expect.arrayContaining(reasons))
    }
    expect(await recorded(requestId['x-request-id'])).toEqual([])
    const accepted = { 'x-request-id': 'accepted-by-a-sweep' }
    const create = operations.find(({ name }) => name === 'customers_create') as Operation
    expect(await filled().owner.request(create, await sharedInput(create), accepted)).toMatchObject({ status: 201 })
    expect(await recorded('accepted-by-a-sweep')).toEqual([{ operation: 'customers_create' }])
  })

  test.each(sample(writes, 3))('$name with an unknown id', async (operation) => {
    const wrong = { [keyOf(operation)]: missingId, colour: 'red', organizationId: missingId }
    const input = { ...(await sharedInput(operation)), ...wrong }
    const reply = await filled().owner.request(operation, input, { 'x-request-id': `unknown-${operation.name}` })
    expect(reply.status).toBeGreaterThanOrEqual(400)
    expect(await recorded(`unknown-${operation.name}`)).toEqual([])
  })
})

test('these sweeps cover every operation they are meant for', () => {
  expect(byKey.length + bySessionOnly.length).toBe(operations.length)
  expect(bySessionOnly.length).toBeGreaterThanOrEqual(11)
  expect(inOrganization.length).toBeGreaterThanOrEqual(74)
  expect(operations.filter((operation) => spoilt(operation) !== undefined).length).toBeGreaterThanOrEqual(65)
})
