import { beforeAll, describe, expect, test } from 'vitest'
import { apiOperations as operations } from '../../catalog/operations.ts'
import { type Role, roles } from '../../core/define/access.ts'
import type { Operation } from '../../core/define/operation.ts'
import type { TSchema } from '../../core/define/schema.ts'
import { expectRefusal } from '../refusal.ts'
import { employeeOf, inputFor, isPersonal, rowOf, rows, tableOf } from '../rows.ts'
import { addressed, member, Someone, send, stranger, withKey } from '../world.ts'

/** Who is let in, over every operation: credentials, scopes, sources, roles, and in which order they are checked. */

const inOrganization = operations.filter(({ within }) => within !== 'caller')
const byKey = operations.filter(({ sources }) => sources.includes('API_KEY'))
const bySessionOnly = operations.filter(({ sources }) => !sources.includes('API_KEY'))

let owner: Someone
/** The owner of another organization. */
let other: Someone
const colleagues = new Map<Role, Someone>()
beforeAll(async () => {
  owner = await member('OWNER')
  other = await member('OWNER')
  for (const role of roles) colleagues.set(role, await member(role, { of: owner }))
})

const colleague = (role: Role) => colleagues.get(role) ?? owner

/** Input for requests that are refused: they change nothing, so they share the rows that it names. */
const inputs = new Map<string, ReturnType<typeof inputFor>>()
function refusedInput(operation: Operation) {
  const input = inputs.get(operation.name) ?? inputFor(operation, owner)
  inputs.set(operation.name, input)
  return input
}

/** Input for requests that are refused before it is read. */
const anything = { id: '00000000-0000-0000-0000-000000000000' }

describe('without valid credentials nothing is done', () => {
  test.each(operations)('$name', async (operation) => {
    const garbage = { authorization: 'Bearer kt_garbage1_0000000000000000000000000000000000000000000' }
    const badBearers = [garbage, { authorization: 'Basic YTpi' }, { authorization: 'Bearer' }, { authorization: '' }]
    for (const headers of [{}, { cookie: 'sid=garbage' }, ...badBearers]) {
      expectRefusal(await stranger().request(operation, anything, headers), 'UNAUTHENTICATED')
    }
    // A bearer token is checked alone, whatever cookie comes with it: the cookie by itself is accepted.
    expect((await owner.request(operation, anything)).status).not.toBe(401)
    for (const headers of badBearers) {
      expectRefusal(await owner.request(operation, anything, headers), 'UNAUTHENTICATED')
    }
  })
})

describe('a key with every scope but the required one is refused', () => {
  test.each(byKey)('$name', async (operation) => {
    const key = await withKey(owner, allScopesBut(operation))
    expectRefusal(await key.request(operation, await refusedInput(operation)), 'FORBIDDEN', 'SCOPE')
  })
})

const features = [...new Set(operations.map(({ feature }) => feature))]

/** Every scope of the other features, and of this feature the other access: `write` does not include `read`. */
function allScopesBut({ feature, access }: Operation) {
  const other = access === 'read' ? 'write' : 'read'
  return [`*:${other}`, ...features.filter((each) => each !== feature).map((each) => `${each}:*`)]
}

describe('an operation for signed-in people only is refused with a key', () => {
  test.each(bySessionOnly)('$name', async (operation) => {
    const key = await withKey(owner, ['*:*'])
    expectRefusal(await key.request(operation, await refusedInput(operation)), 'FORBIDDEN', 'SOURCE')
  })
})

describe('a role below the required one is refused', () => {
  const cases = inOrganization.flatMap((operation) =>
    roles.slice(0, roles.indexOf(operation.role)).map((role) => ({ operation, name: operation.name, role })),
  )
  test.each(cases)('$name to $role', async ({ operation, role }) => {
    const input = isPersonal(operation) ? await inputFor(operation, colleague(role)) : await refusedInput(operation)
    expectRefusal(await colleague(role).request(operation, input), 'FORBIDDEN', 'ROLE')
    if (!operation.sources.includes('API_KEY')) return
    expectRefusal(await (await withKey(colleague(role))).request(operation, input), 'FORBIDDEN', 'ROLE')
  })
})

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

describe('the required role with the required scope is accepted', () => {
  test.each(operations)('$name to $role', async (operation) => {
    const amy = operation.reads ? owner : await member('OWNER') // some of these delete what they are called on
    const role = onAColleagues[operation.name] ?? operation.role
    const inOrganizationOfAmy = () => (operation.reads ? colleague(role) : member(role, { of: amy }))
    const caller = operation.within === 'caller' ? amy : await inOrganizationOfAmy()
    const input = await inputFor(operation, isPersonal(operation) ? caller : amy)
    if (asEmployee.includes(operation.name))
      await amy.call('payroll_employees_update', { id: await employeeOf(amy), userId: caller.userId })
    const scopes = [operation.scope, ...(alsoAllowed[operation.name] ?? [])]
    const calling = operation.sources.includes('API_KEY') ? await withKey(caller, scopes) : caller
    expect(await calling.request(operation, input)).toMatchObject({ status: operation.status })
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
    const { organizationId: _, ...input } = await inputFor(operation, owner)
    const ids: string[] = []
    for (const table of Object.keys(rows)) ids.push(await rowOf(table, owner))
    const shown = async (who: Someone) => JSON.stringify((await who.request(operation, input)).body)
    const [seen, hidden] = [await shown(owner), await shown(colleague('EMPLOYEE'))]
    if (!(operation.name in withoutRows)) expect(ids.filter((id) => seen.includes(id))).not.toEqual([])
    expect(ids.filter((id) => hidden.includes(id))).toEqual([])
    expect(hidden).not.toContain('"error"')
  })
})

describe('credentials come before scope, scope before the row, the row before the body', () => {
  const checked = operations.filter((operation) => spoilt(operation) !== undefined)
  test.each(checked)('$name', async (operation) => {
    const [amy, eve] = [owner, other]
    const input = await refusedInput(operation)
    const bad = (caller: Someone) => sendBad(caller, operation, input)
    expectRefusal(await bad(stranger()), 'UNAUTHENTICATED')
    expectRefusal(await bad(await withKey(amy, allScopesBut(operation))), 'FORBIDDEN')
    if (operation.within !== 'caller') {
      const row = tableOf(operation) !== undefined
      expectRefusal(await bad(eve), row ? 'NOT_FOUND' : 'FORBIDDEN')
      const isTheirs = typeof operation.within === 'object' && operation.within.idOf === 'caller'
      if (isTheirs) expectRefusal(await bad(colleague('EMPLOYEE')), 'NOT_FOUND')
      else if (operation.role !== 'EMPLOYEE') expectRefusal(await bad(colleague('EMPLOYEE')), 'FORBIDDEN', 'ROLE')
    }
    expectRefusal(await bad(amy), 'VALIDATION')
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
  if (operation.method !== 'DELETE') return caller.request(operation, { ...input, ...spoilt(operation) })
  const { url } = addressed(operation, input)
  return send({ method: 'DELETE', url, body: spoilt(operation), headers: { ...caller.credentials } })
}

describe('a caller without access is refused for that, even if the body cannot be read', () => {
  const taking = operations.filter(({ method }) => method !== 'GET')
  test.each(taking)('$name', async (operation) => {
    const [amy, eve] = [owner, other]
    const wrongScopes = await withKey(amy, allScopesBut(operation))
    const { url } = addressed(operation, await refusedInput(operation))
    const unreadable = [
      { body: '{"name": ', type: 'application/json' },
      { body: '[]', type: 'application/json' },
      { body: '{}', type: 'text/plain' },
      // A read takes no key, so none is looked at.
      ...(operation.reads ? [] : [{ body: '{}', type: 'application/json', 'idempotency-key': 'schlüssel' }]),
    ]
    for (const { body, type, ...more } of unreadable) {
      const headers = { 'content-type': type, ...more }
      const sent = ({ credentials }: Someone) =>
        send({ method: operation.method, url, body, headers: { ...headers, ...credentials } })
      expectRefusal(await sent(stranger()), 'UNAUTHENTICATED')
      expectRefusal(await sent(new Someone('', { authorization: 'Bearer kt_garbage1_0' })), 'UNAUTHENTICATED')
      expectRefusal(await sent(wrongScopes), 'FORBIDDEN')
      const odd = type === 'text/plain' // with a cookie, such a request may come from a page of another site (WEB-3)
      if (operation.within !== 'caller' && tableOf(operation)) {
        const isInBody = !operation.path.includes('{') // then nobody knows which row is meant
        const refusal = isInBody ? 'VALIDATION' : 'NOT_FOUND'
        expectRefusal(await sent(eve), odd ? 'FORBIDDEN' : refusal)
      }
      expectRefusal(await sent(amy), odd ? 'FORBIDDEN' : 'VALIDATION')
    }
  })
})

test('these sweeps cover every operation they are meant for', () => {
  expect(byKey.length + bySessionOnly.length).toBe(operations.length)
  expect(bySessionOnly.length).toBeGreaterThanOrEqual(11)
  expect(inOrganization.length).toBeGreaterThanOrEqual(74)
  expect(operations.filter((operation) => spoilt(operation) !== undefined).length).toBeGreaterThanOrEqual(65)
})
