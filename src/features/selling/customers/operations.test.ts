import '../../../test/own-world.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { problemsOf } from '../../../core/define/validate.ts'
import { member, operationNamed, person, type Someone, theApp, withKey } from '../../../test/world.ts'
import { customerCreated, customerUpdated } from './customer.ts'

const customer = (more = {}) => ({ name: 'Blue Door', country: 'Singapore', ...more })
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

test('a new customer has every documented field, with the documented defaults', async () => {
  const amy = await member('CONTRIBUTOR')
  const created = await amy.call('customers_create', customer())
  expect(created).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    organizationId: amy.organizationId,
    name: 'Blue Door',
    email: null,
    phone: null,
    address: null,
    country: 'SG',
    registrationNumber: null,
    defaultCurrencies: ['USD'],
    kind: 'ORGANIZATION',
    notes: null,
    status: 'ACTIVE',
    displayName: 'Blue Door',
    displayAddress: null,
    displayCountry: 'SG',
    displayRegistrationNumber: null,
    activeOrderCount: 0,
    totalOrderCount: 0,
    isSupplier: false,
    _count: { invoices: 0 },
    createdAt: instant,
    updatedAt: instant,
  })
  expect(await amy.call('customers_get', { id: created.id })).toEqual(created)
})

test('all fields that can be given are stored and shown', async () => {
  const amy = await member('CONTRIBUTOR')
  const given = {
    name: 'Dana Levi',
    country: 'ישראל',
    kind: 'INDIVIDUAL' as const,
    defaultCurrencies: ['ILS', 'EUR'],
    email: 'dana@example.test',
    phone: '+972 3 1234567',
    address: '1 Herzl St, Tel Aviv',
    registrationNumber: '514000001',
    notes: 'pays late',
  }
  expect(await amy.call('customers_create', given)).toMatchObject({
    ...given,
    country: 'IL',
    displayName: 'Dana Levi',
    displayAddress: given.address,
    displayCountry: 'IL',
    displayRegistrationNumber: '514000001',
  })
})

test.each([
  ['Israel', 'IL'],
  ['usa', 'US'],
  ['  Singapore ', 'SG'],
  ['sg', 'SG'],
  ['Atlantis', 'Atlantis'],
])('the country %j is stored as %s', async (country, kept) => {
  const amy = await member('CONTRIBUTOR')
  const created = await amy.call('customers_create', customer({ country }))
  expect(created.country).toBe(kept)
  const changed = await amy.call('customers_update_patch', { id: created.id, country })
  expect(changed.country).toBe(kept)
})

test.each([
  ['an empty e-mail address is none', { email: '' }, { email: null }],
  ['a null e-mail address is none', { email: null }, { email: null }],
  ['no currencies at all may be asked for', { defaultCurrencies: [] }, { defaultCurrencies: [] }],
  ['fields of the server are ignored', { status: 'INACTIVE', _count: { invoices: 9 } }, { status: 'ACTIVE' }],
])('on create, %s', async (_, given, expected) => {
  const amy = await member('CONTRIBUTOR')
  expect(await amy.call('customers_create', customer(given))).toMatchObject(expected)
})

test.each([
  [{ name: '' }, 'name'],
  [{ name: undefined }, 'name'],
  [{ name: null }, 'name'],
  [{ country: '' }, 'country'],
  [{ country: undefined }, 'country'],
  [{ kind: 'COMPANY' }, 'kind'],
  [{ kind: null }, 'kind'],
  [{ email: 'nobody' }, 'email'],
  [{ email: 'a@b.test, c@d.test' }, 'email'],
  [{ email: 'a@b.test\r\nBcc: c@d.test' }, 'email'],
  [{ phone: 5 }, 'phone'],
  [{ defaultCurrencies: 'USD' }, 'defaultCurrencies'],
  [{ defaultCurrencies: [''] }, 'defaultCurrencies.0'],
])('a customer with %j is refused, naming the field', async (wrong, path) => {
  const amy = await member('CONTRIBUTOR')
  await amy.call('customers_create', customer())
  await expect(amy.call('customers_create', customer(wrong))).rejects.toMatchObject({
    status: 400,
    details: expect.arrayContaining([expect.objectContaining({ path })]),
  })
  expect((await amy.call('customers_list')).pagination.total).toBe(1)
})

test('PUT resets fields that are left out, but keeps name, country, kind and status', async () => {
  const amy = await member('CONTRIBUTOR')
  const full = {
    email: 'a@b.test',
    phone: '1',
    address: 'x',
    registrationNumber: '5',
    notes: 'n',
    defaultCurrencies: ['ILS'],
    kind: 'INDIVIDUAL',
  }
  const before = await amy.call('customers_create', customer(full))
  await amy.call('customers_update_patch', { id: before.id, status: 'INACTIVE' })
  const after = await amy.call('customers_update', { id: before.id })
  expect(after).toMatchObject({
    name: 'Blue Door',
    country: 'SG',
    kind: 'INDIVIDUAL',
    status: 'INACTIVE',
    email: null,
    phone: null,
    address: null,
    registrationNumber: null,
    notes: null,
    defaultCurrencies: ['USD'],
    createdAt: before.createdAt,
  })
  const filled = { name: 'Red Door', email: 'c@d.test', country: 'Israel', status: 'PENDING' as const, notes: 'm' }
  expect(await amy.call('customers_update', { id: before.id, ...filled })).toMatchObject({ ...filled, country: 'IL' })
})

test('PATCH changes only the given fields', async () => {
  const amy = await member('CONTRIBUTOR')
  const before = await amy.call('customers_create', customer({ email: 'a@b.test', phone: '1', notes: 'n' }))
  for (const change of [
    { name: 'Red Door' },
    { email: 'c@d.test' },
    { phone: '2' },
    { address: 'y' },
    { country: 'US' },
    { registrationNumber: '7' },
    { defaultCurrencies: ['EUR'] },
    { notes: null },
    { status: 'PENDING' as const },
  ]) {
    const was = await amy.call('customers_get', { id: before.id })
    const is = await amy.call('customers_update_patch', { id: before.id, ...change })
    expect(is).toEqual({
      ...was,
      ...change,
      updatedAt: is.updatedAt,
      displayName: is.name,
      displayAddress: is.address,
      displayCountry: is.country,
      displayRegistrationNumber: is.registrationNumber,
    })
    expect(is.updatedAt > was.updatedAt).toBe(true)
  }
})

test.each([{ email: '' }, { email: null }])('PATCH with %j removes the e-mail address', async (change) => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await amy.call('customers_create', customer({ email: 'a@b.test' }))
  expect((await amy.call('customers_update_patch', { id, ...change })).email).toBeNull()
})

test.each([{ country: '' }, { country: null }, { country: '  ' }])(
  'PATCH with %j leaves no country',
  async (change) => {
    const amy = await member('CONTRIBUTOR')
    const { id } = await amy.call('customers_create', customer())
    expect(await amy.call('customers_update_patch', { id, ...change })).toMatchObject({
      country: null,
      displayCountry: null,
    })
  },
)

test.each([{ name: '' }, { name: null }, { email: 'x' }, { status: 'GONE' }, { status: null }, { colour: 'red' }])(
  'neither PUT nor PATCH takes %j',
  async (wrong) => {
    const amy = await member('CONTRIBUTOR')
    const created = await amy.call('customers_create', customer())
    for (const name of ['customers_update', 'customers_update_patch'] as const)
      await expect(amy.call(name, { id: created.id, ...(wrong as object) })).rejects.toMatchObject({ status: 400 })
    expect(await amy.call('customers_get', { id: created.id })).toEqual(created)
  },
)

test.each(['customers_update', 'customers_update_patch'] as const)(
  '%s takes back what was read, and the kind stays',
  async (name) => {
    const amy = await member('CONTRIBUTOR')
    const read = await amy.call('customers_create', customer({ email: 'a@b.test' }))
    expect(await amy.call(name, { ...read, kind: 'INDIVIDUAL' } as never)).toEqual(read)
  },
)

test('any status can follow any other, and the same status again changes nothing', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await amy.call('customers_create', customer())
  for (const status of ['INACTIVE', 'PENDING', 'ACTIVE', 'PENDING', 'INACTIVE', 'ACTIVE'] as const)
    expect((await amy.call('customers_update_patch', { id, status })).status).toBe(status)
  const before = await amy.call('customers_get', { id })
  expect(await amy.call('customers_update_patch', { id, status: 'ACTIVE' })).toEqual(before)
})

test('a deleted customer is not found, also when deleting it again', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await amy.call('customers_create', customer())
  expect(await amy.call('customers_delete', { id })).toEqual({ success: true })
  for (const name of ['customers_get', 'customers_delete'] as const)
    await expect(amy.call(name, { id })).rejects.toMatchObject({ status: 404 })
})

// Lists

async function withCustomers(...given: object[]) {
  const amy = await member('CONTRIBUTOR')
  const created = []
  for (const each of given) created.push(await amy.call('customers_create', customer(each)))
  return { amy, created }
}
const names = async (someone: Someone, input = {}) =>
  (await someone.call('customers_list', input)).customers.map(({ name }) => name)

test('the list shows ten per page, newest first, each with the same fields as a single read', async () => {
  const { amy, created } = await withCustomers(...Array.from({ length: 12 }, (_, at) => ({ name: `C${at}` })))
  const first = await amy.call('customers_list')
  expect(first.pagination).toEqual({ page: 1, limit: 10, total: 12, totalPages: 2 })
  expect(first.customers).toEqual(created.toReversed().slice(0, 10))
  const second = await amy.call('customers_list', { page: 2 })
  expect(second.customers).toEqual(created.slice(0, 2).toReversed())
})

test('the list filters by kind', async () => {
  const { amy } = await withCustomers({ name: 'Co' }, { name: 'Dana', kind: 'INDIVIDUAL' })
  expect(await names(amy, { kind: 'INDIVIDUAL' })).toEqual(['Dana'])
  expect(await names(amy, { kind: 'ORGANIZATION' })).toEqual(['Co'])
  expect(await names(amy, { kind: '' })).toEqual(['Dana', 'Co'])
})

test.each([
  ['blue', ['Blue Door']],
  ['  blue ', ['Blue Door']],
  ['BLUE', ['Blue Door']],
  ['פרח', ['פרחי השרון']],
  ['100%', ['100% Juice']],
  ['%', ['100% Juice']],
  ['_', ['snake_case']],
  ['\\', ['back\\slash']],
  ['office@flowers', ['פרחי השרון']],
  ['555', ['Blue Door']],
  ['514', ['snake_case']],
  ['   ', ['back\\slash', 'snake_case', '100% Juice', 'פרחי השרון', 'Blue Door']],
  ['', ['back\\slash', 'snake_case', '100% Juice', 'פרחי השרון', 'Blue Door']],
  ["'; drop table customers; --", []],
])('a search for %j finds %j', async (search, found) => {
  const { amy } = await withCustomers(
    { name: 'Blue Door', phone: '555-1' },
    { name: 'פרחי השרון', email: 'office@flowers.test' },
    { name: '100% Juice' },
    { name: 'snake_case', registrationNumber: '514000' },
    { name: 'back\\slash' },
  )
  expect(await names(amy, { search })).toEqual(found)
})

test('inSystem selects customers whose company uses this installation', async () => {
  const { amy } = await withCustomers(
    { name: 'Here', registrationNumber: '201900001A', country: 'Singapore' },
    { name: 'Elsewhere', registrationNumber: '201900001A', country: 'IL' },
    { name: 'Unknown' },
  )
  const other = await person()
  await other.call('organizations_create', { name: 'Here Pte', country: 'SG', registrationNumber: '201900001A' })
  expect(await names(amy, { inSystem: 'true' })).toEqual(['Here'])
  expect(await names(amy, { inSystem: 'false' })).toEqual(['Unknown', 'Elsewhere'])
  expect(await names(amy, { inSystem: '' })).toEqual(['Unknown', 'Elsewhere', 'Here'])
})

test.each([
  ['name', 'asc', ['A', 'B', 'C']],
  ['name', 'desc', ['C', 'B', 'A']],
  ['email', 'asc', ['C', 'A', 'B']],
  ['email', 'desc', ['B', 'A', 'C']],
  ['createdAt', 'asc', ['B', 'A', 'C']],
  ['createdAt', 'desc', ['C', 'A', 'B']],
  ['updatedAt', 'asc', ['A', 'C', 'B']],
  ['updatedAt', 'desc', ['B', 'C', 'A']],
])('sorted by %s %s the list reads %j', async (sortBy, sortOrder, sorted) => {
  const { amy, created } = await withCustomers(
    { name: 'B', email: 'c@x.test' },
    { name: 'A', email: 'b@x.test' },
    { name: 'C', email: 'a@x.test' },
  )
  await amy.call('customers_update_patch', { id: created[0]?.id ?? '', notes: 'touched last' })
  expect(await names(amy, { sortBy, sortOrder })).toEqual(sorted)
})

test.each([
  ['asc', ['A', 'B', 'C']],
  ['desc', ['B', 'A', 'C']],
])('sorted by email %s, customers without one come last', async (sortOrder, sorted) => {
  const { amy } = await withCustomers({ name: 'C' }, { name: 'A', email: 'a@x.test' }, { name: 'B', email: 'b@x.test' })
  expect(await names(amy, { sortBy: 'email', sortOrder })).toEqual(sorted)
})

const orders = ['name), id', 'name) desc, id desc', 'email) nulls last, id', 'email) desc nulls last, id desc']
test.each(orders.flatMap((order) => [[order, 'is_customer'] as const, [order, 'is_supplier'] as const]))(
  'an index serves the order lower(%s where %s',
  async (order, list) => {
    const { rows } = await theApp().system.use(async (db) => {
      await sql`set enable_sort = off`.execute(db)
      await sql`set enable_seqscan = off`.execute(db)
      const plan = await sql<{ 'QUERY PLAN': string }>`explain select * from customers
        where organization_id = '00000000-0000-0000-0000-000000000001' and ${sql.raw(list)}
        order by ${sql.raw(`lower(${order}`)} limit 10`.execute(db)
      await sql`reset enable_sort`.execute(db)
      await sql`reset enable_seqscan`.execute(db)
      return plan
    })
    const plan = rows.map((row) => Object.values(row)[0]).join('\n')
    expect(plan).toContain('Index Scan')
    expect(plan).not.toContain('Sort')
  },
)

test.each([{ name: ' ' }, { country: ' ' }, { name: '\u00a0\t' }])('%j counts as empty', async (blank) => {
  const amy = await member('CONTRIBUTOR')
  const [field] = Object.keys(blank)
  const message = `${field} must not be empty.`
  await amy.call('customers_create', customer())
  await expect(amy.call('customers_create', customer(blank))).rejects.toMatchObject({ details: [{ message }] })
  await expect(amy.call('customers_create', customer({ [field ?? '']: '' }))).rejects.toMatchObject({
    details: [{ message }],
  })
})

test('a country of spaces counts as empty in a change', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await amy.call('customers_create', customer())
  expect(await amy.call('customers_update_patch', { id, country: ' ' })).toMatchObject({ country: null })
})

test('known currencies are stored in upper case, others unchanged', async () => {
  const amy = await member('CONTRIBUTOR')
  const created = await amy.call('customers_create', customer({ defaultCurrencies: ['usd', 'btc'] }))
  expect(created.defaultCurrencies).toEqual(['USD', 'btc'])
  const changed = await amy.call('customers_update_patch', { id: created.id, defaultCurrencies: [' eur'] })
  expect(changed.defaultCurrencies).toEqual(['EUR'])
})

test('sorting by name ignores case', async () => {
  const { amy } = await withCustomers({ name: 'beta' }, { name: 'Alpha' }, { name: 'Gamma' })
  expect(await names(amy, { sortBy: 'name', sortOrder: 'asc' })).toEqual(['Alpha', 'beta', 'Gamma'])
})

test.each(['name', 'email', 'createdAt', 'updatedAt'].flatMap((by) => [`${by} asc`, `${by} desc`]))(
  'pages over equal %s show every customer once (INV-23)',
  async (sort) => {
    const [sortBy, sortOrder] = sort.split(' ')
    const { amy, created } = await withCustomers(...Array.from({ length: 9 }, () => ({ name: 'Same' })))
    await theApp().system.use((db) =>
      sql`update customers set created_at = '2026-01-01', email = null where organization_id = ${amy.organizationId}`.execute(
        db,
      ),
    )
    await theApp().system.use((db) =>
      sql`alter table customers disable trigger touch`.execute(db).then(async () => {
        await sql`update customers set updated_at = '2026-01-01' where organization_id = ${amy.organizationId}`.execute(
          db,
        )
        await sql`alter table customers enable trigger touch`.execute(db)
      }),
    )
    const seen = []
    for (const page of [1, 2, 3, 4, 5])
      seen.push(...(await amy.call('customers_list', { sortBy, sortOrder, page, limit: 2 } as never)).customers)
    expect(new Set(seen.map(({ id }) => id))).toEqual(new Set(created.map(({ id }) => id)))
    expect(seen).toHaveLength(9)
  },
)

test.each([{ page: 0 }, { page: -1 }, { page: 'two' }, { page: 1.5 }, { limit: 0 }, { limit: 101 }, { limit: 'all' },
  { sortBy: 'phone' }, { sortOrder: 'up' }, { kind: 'COMPANY' }, { inSystem: 'maybe' }, { search: 'x'.repeat(201) }])(
  'a list with %j is refused',
  async (wrong) => {
    const amy = await member('VIEWER')
    await expect(amy.call('customers_list', wrong as never)).rejects.toMatchObject({ status: 400 })
  },
) // biome-ignore format: a table

test('the largest page is a hundred, and a page past the end is empty with the right totals', async () => {
  const { amy } = await withCustomers({}, {}, {})
  expect((await amy.call('customers_list', { limit: 100 })).customers).toHaveLength(3)
  expect(await amy.call('customers_list', { page: 3, limit: 2 })).toEqual({
    customers: [],
    pagination: { page: 3, limit: 2, total: 3, totalPages: 2 },
  })
  const nobody = await member('VIEWER')
  expect((await nobody.call('customers_list')).pagination).toEqual({ page: 1, limit: 10, total: 0, totalPages: 0 })
})

// Organizations

const join = (someone: Someone, organizationId: string | undefined, role: 'VIEWER' | 'EMPLOYEE' | 'CONTRIBUTOR') =>
  theApp().system.use((db) =>
    db
      .insertInto('memberships')
      .values({ organizationId: organizationId ?? '', userId: someone.userId, role })
      .execute(),
  )

test('without organizationId the list covers every organization where the caller may read', async () => {
  const [amy, bob, eve] = [await member('OWNER'), await member('OWNER'), await member('OWNER')]
  await amy.call('customers_create', customer({ name: 'of Amy' }))
  await bob.call('customers_create', customer({ name: 'of Bob' }))
  await eve.call('customers_create', customer({ name: 'of Eve' }))
  await join(amy, bob.organizationId, 'VIEWER')
  await join(amy, eve.organizationId, 'EMPLOYEE') // an employee sees their own payslips only
  expect(await names(amy)).toEqual(['of Bob', 'of Amy'])
  expect((await amy.call('customers_list')).pagination.total).toBe(2)
  expect(await names(amy, { organizationId: bob.organizationId })).toEqual(['of Bob'])
  await expect(amy.call('customers_list', { organizationId: eve.organizationId ?? '' })).rejects.toMatchObject({
    status: 403,
  })
})

test('a key sees only the organizations that it was given', async () => {
  const [amy, bob] = [await member('OWNER'), await member('OWNER')]
  await amy.call('customers_create', customer({ name: 'of Amy' }))
  await bob.call('customers_create', customer({ name: 'of Bob' }))
  await join(amy, bob.organizationId, 'CONTRIBUTOR')
  const [here, there] = [amy.organizationId ?? '', bob.organizationId ?? '']
  expect(await names(await withKey(amy))).toEqual(['of Bob', 'of Amy'])
  expect(await names(await withKey(amy, ['*:*'], { organizationIds: [there] }))).toEqual(['of Bob'])
  expect(await names(await withKey(amy, ['*:*'], {}))).toEqual([])
  const narrow = await withKey(amy, ['customers:*'], { organizationIds: [there] })
  await expect(narrow.call('customers_list', { organizationId: here })).rejects.toMatchObject({ status: 403 })
  expect((await narrow.call('customers_create', customer())).organizationId).toBe(there)
})

test('without organizationId a customer is added to the only organization of the caller, and with several it is required', async () => {
  const amy = await member('CONTRIBUTOR')
  expect((await amy.call('customers_create', customer())).organizationId).toBe(amy.organizationId)
  const bob = await member('OWNER')
  await join(amy, bob.organizationId, 'VIEWER')
  const missing = { status: 400, details: [expect.objectContaining({ path: 'organizationId' })] }
  await expect(amy.call('customers_create', customer())).rejects.toMatchObject(missing)
  const organizationId = amy.organizationId ?? ''
  expect((await amy.call('customers_create', customer({ organizationId }))).organizationId).toBe(organizationId)
  const newcomer = await person()
  await expect(newcomer.call('customers_create', customer())).rejects.toMatchObject(missing)
  await expect((await withKey(amy, ['*:*'], {})).call('customers_create', customer())).rejects.toMatchObject(missing)
})

// Events

const eventsOf = (someone: Someone) =>
  theApp().system.use((db) =>
    db
      .selectFrom('events')
      .select(['type', 'payload', 'cause'])
      .where('organizationId', '=', someone.organizationId ?? '')
      .orderBy('id')
      .execute(),
  )

test('adding and changing a customer emit events with data, actor, key and request', async () => {
  const amy = await member('CONTRIBUTOR')
  const key = await withKey(amy)
  const created = await amy.request(operationNamed('customers_create'), customer(), { 'x-request-id': 'first' })
  const { id } = created.body as { id: string }
  const renamed = { id, name: 'Red Door' }
  await key.request(operationNamed('customers_update_patch'), renamed, { 'x-request-id': 'second' })
  await amy.request(operationNamed('customers_update'), { id, email: 'a@b.test' }, { 'x-request-id': 'third' })
  const facts = { id, organizationId: amy.organizationId, country: 'SG', kind: 'ORGANIZATION', status: 'ACTIVE' }
  const { userId } = amy
  const events = await eventsOf(amy)
  expect(events).toEqual([
    {
      type: 'customer.created',
      payload: { ...facts, name: 'Blue Door', email: null },
      cause: { source: 'SESSION', requestId: 'first', userId, keyId: null, depth: 0 },
    },
    {
      type: 'customer.updated',
      payload: { ...facts, name: 'Red Door', email: null },
      cause: {
        source: 'API_KEY',
        requestId: 'second',
        userId,
        keyId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        depth: 0,
      },
    },
    {
      type: 'customer.updated',
      payload: { ...facts, name: 'Red Door', email: 'a@b.test' },
      cause: { source: 'SESSION', requestId: 'third', userId, keyId: null, depth: 0 },
    },
  ])
  for (const { type, payload } of events) {
    const declared = type === 'customer.created' ? customerCreated : customerUpdated
    expect(problemsOf(declared.payload, payload)).toEqual([])
  }
})

test('refused calls, calls without a change and reads emit no event', async () => {
  const amy = await member('CONTRIBUTOR')
  const viewer = await member('VIEWER', { of: amy })
  const { id } = await amy.call('customers_create', customer())
  await amy.call('customers_update_patch', { id, name: 'Blue Door' })
  await amy.call('customers_get', { id })
  await amy.call('customers_list')
  for (const refused of [
    () => amy.call('customers_create', customer({ name: '' })),
    () => amy.call('customers_update_patch', { id, status: 'GONE' as never }),
    () => viewer.call('customers_create', customer()),
    () => viewer.call('customers_update', { id, name: 'Mine' }),
  ])
    await expect(refused()).rejects.toBeInstanceOf(Error)
  expect((await eventsOf(amy)).map(({ type }) => type)).toEqual(['customer.created'])
})

test('a change and its event are committed together or not at all (INV-10)', async () => {
  const amy = await member('CONTRIBUTOR')
  await theApp().system.use((db) =>
    sql`create function fail_event() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$;`
      .execute(db)
      .then(() =>
        sql`create trigger fail_event before insert on events for each row execute function fail_event()`.execute(db),
      ),
  )
  try {
    await expect(amy.call('customers_create', customer())).rejects.toMatchObject({ status: 500 })
  } finally {
    await theApp().system.use((db) => sql`drop trigger fail_event on events`.execute(db))
  }
  expect((await amy.call('customers_list')).pagination.total).toBe(0)
})

test.each([
  [{ country: 'Israel', registrationNumber: '514000009' }, []],
  [{ country: 'Israel', registrationNumber: '514000004' }, ['REGISTRATION_NUMBER']],
  [{ country: 'SG', registrationNumber: '201132058E' }, []],
  [{ country: 'SG', registrationNumber: '200312345A' }, ['REGISTRATION_NUMBER']],
  [{ country: 'SG', registrationNumber: 'S1234567D', kind: 'INDIVIDUAL' }, []],
  [{ country: 'USA', registrationNumber: '07-1234567' }, ['REGISTRATION_NUMBER']],
  [{ country: 'Germany', registrationNumber: '514000004' }, []],
  [{ country: 'Narnia', registrationNumber: 'x' }, []],
] as const)('%j is accepted with the warnings %j', async (given, codes) => {
  const amy = await member('CONTRIBUTOR')
  const created = await amy.call('customers_create', customer(given))
  expect(created.registrationNumber).toBe(given.registrationNumber)
  expect((created.warnings ?? []).map(({ code }) => code)).toEqual(codes)
  expect(await amy.call('customers_get', { id: created.id })).toEqual(created)
  const patched = await amy.call('customers_update_patch', { id: created.id, notes: 'n' })
  expect(patched.warnings).toEqual(created.warnings)
  const { warnings } = await amy.call('customers_update_patch', { id: created.id, registrationNumber: null })
  expect(warnings).toBeUndefined()
})

test('expenses of a customer who is a supplier too are no invoices', async () => {
  const amy = await member('OWNER')
  const { id } = await amy.call('customers_create', { name: 'Both', country: 'SG', isSupplier: true })
  const expense = { amount: 10, currency: 'SGD', date: '2026-01-31', supplierId: id }
  const made = await amy.call('expenses_create', { organizationId: String(amy.organizationId), ...expense })
  expect(await amy.call('customers_get', { id })).toMatchObject({ isSupplier: true, _count: { invoices: 0 } })
  expect(await amy.call('suppliers_get', { id })).toMatchObject({ isCustomer: true, _count: { expenses: 1 } })
  await amy.call('expenses_status', { id: made.id, status: 'APPROVED' })
  const credited = await amy.call('expenses_credits', { id: made.id, date: '2026-02-01', amount: 4 })
  await amy.call('expenses_credits_void', { id: made.id, creditId: String(credited.credits?.[0]?.id) })
  expect((await amy.call('customers_get', { id }))._count).toEqual({ invoices: 0 })
})
