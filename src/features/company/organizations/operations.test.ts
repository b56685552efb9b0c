import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { member, person, type Someone, theApp } from '../../../test/world.ts'

test.each([
  ['IL', 'ILS', 'Asia/Jerusalem'],
  ['SG', 'SGD', 'Asia/Singapore'],
  ['US', 'USD', 'America/New_York'],
] as const)('an organization in %s starts with %s and %s', async (country, currency, timezone) => {
  const amy = await person()
  const founded = await amy.call('organizations_create', { name: 'Acme', country })
  expect(founded).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    name: 'Acme',
    country,
    currency,
    timezone,
    registrationNumber: null,
    taxNumber: null,
    address: null,
    email: null,
    phone: null,
    createdAt: expect.stringMatching(/Z$/),
    updatedAt: expect.stringMatching(/Z$/),
  })
  expect(await amy.call('organizations_get', { id: founded.id })).toEqual(founded)
})

test('an empty e-mail address is none', async () => {
  const amy = await person()
  const { id, email } = await amy.call('organizations_create', { name: 'Acme', country: 'SG', email: '' })
  expect(email).toBeNull()
  expect(await amy.call('organizations_update', { id, email: 'a@example.test' })).toMatchObject({
    email: 'a@example.test',
  })
  expect(await amy.call('organizations_update', { id, email: '' })).toMatchObject({ email: null })
})

const chosen = {
  currency: 'EUR',
  timezone: 'Europe/Berlin',
  registrationNumber: '514000001',
  taxNumber: '99',
  address: '1 Herzl St',
  email: 'office@acme.test',
  phone: '+972 3 1',
}

test('the chosen values are stored on creation and on change', async () => {
  const amy = await person()
  const founded = await amy.call('organizations_create', { name: 'Acme', country: 'IL', ...chosen })
  expect(founded).toMatchObject(chosen)
  const other = await amy.call('organizations_create', { name: 'Other', country: 'IL' })
  expect(await amy.call('organizations_update', { id: other.id, ...chosen })).toMatchObject({
    ...chosen,
    name: 'Other',
  })
  const emptied = { registrationNumber: null, taxNumber: null, address: null, email: null, phone: null }
  expect(await amy.call('organizations_update', { id: other.id, ...emptied })).toMatchObject({
    ...emptied,
    currency: 'EUR',
  })
  expect((await amy.call('organizations_update', { id: other.id, currency: 'usd' })).currency).toBe('USD')
})

test.each([
  [{ timezone: 'Mars/Olympus' }, 'Mars/Olympus is not a time zone; give one such as Asia/Singapore.'],
  [{ currency: 'ZZZ' }, 'ZZZ is not a currency; give a code such as USD.'],
  [{ currency: 'dollars' }, 'dollars is not a currency; give a code such as USD.'],
  [{ email: 'x' }, 'email must be an e-mail address, or empty.'],
  [{ name: '' }, 'name must not be empty.'],
])('%j is refused with a sentence, on creation and on change', async (wrong, message) => {
  const amy = await member('OWNER')
  const refused = { status: 400, details: [{ path: Object.keys(wrong)[0], message }] }
  const valid = { name: 'Acme', country: 'IL', timezone: 'Asia/Jerusalem', currency: 'ILS', email: 'a@b.test' } as const
  await amy.call('organizations_create', valid)
  await expect(amy.call('organizations_create', { ...valid, ...wrong })).rejects.toMatchObject(refused)
  await expect(amy.call('organizations_update', { id: amy.organizationId ?? '', ...wrong })).rejects.toMatchObject(
    refused,
  )
  expect((await amy.call('organizations_list')).organizations).toHaveLength(2)
})

test.each(['FR', 'il', '', null])('the country %j is refused', async (country) => {
  const amy = await person()
  await amy.call('organizations_create', { name: 'Acme', country: 'IL' })
  await expect(amy.call('organizations_create', { name: 'Acme', country } as never)).rejects.toMatchObject({
    status: 400,
  })
})

test('the country cannot be changed', async () => {
  const amy = await member('OWNER')
  const changed = await amy.call('organizations_update', { id: amy.organizationId ?? '', country: 'IL' } as never)
  expect(changed.country).toBe('SG')
})

test('the creator is the owner', async () => {
  const amy = await person()
  const { id } = await amy.call('organizations_create', { name: 'Acme', country: 'SG' })
  const members = await theApp().system.use((db) =>
    db.selectFrom('memberships').select(['userId', 'role']).where('organizationId', '=', id).execute(),
  )
  expect(members).toEqual([{ userId: amy.userId, role: 'OWNER' }])
})

test('the list shows the organizations of the caller, by name', async () => {
  const amy = await person()
  for (const name of ['beta', 'Alpha']) await amy.call('organizations_create', { name, country: 'SG' })
  await member('OWNER')
  const { organizations } = await amy.call('organizations_list')
  expect(organizations.map(({ name }) => name)).toEqual(['Alpha', 'beta'])
})

test.each([
  ['VIEWER', { read: true, change: false, remove: false }],
  ['CONTRIBUTOR', { read: true, change: false, remove: false }],
  ['MANAGER', { read: true, change: true, remove: false }],
  ['OWNER', { read: true, change: true, remove: true }],
  ['EMPLOYEE', { read: false, change: false, remove: false }],
] as const)('what a %s may do with an organization is %j', async (role, may) => {
  const someone = await member(role)
  const id = someone.organizationId ?? ''
  const can = async (deed: Promise<unknown>) => {
    const refusal = await deed.then(
      () => undefined,
      (error: unknown) => error,
    )
    if (refusal) expect(refusal).toMatchObject({ status: 403 })
    return !refusal
  }
  expect({
    read: await can(someone.call('organizations_get', { id })),
    change: await can(someone.call('organizations_update', { id, phone: '1' })),
    remove: await can(someone.call('organizations_delete', { id })),
  }).toEqual(may)
  expect((await someone.call('organizations_list')).organizations).toHaveLength(may.read && !may.remove ? 1 : 0)
})

const tablesOfOrganizations = async () =>
  (
    await theApp().system.use((db) =>
      sql<{ name: string }>`select table_name as name from information_schema.columns
        where table_schema = 'public' and column_name = 'organization_id'`.execute(db),
    )
  ).rows.map(({ name }) => name)

const rowsOf = async (organizationId: string) => {
  const counts: Record<string, number> = {}
  for (const table of await tablesOfOrganizations()) {
    const { rows } = await theApp().system.use((db) =>
      sql<{
        count: number
      }>`select count(*) from ${sql.table(table)} where organization_id = ${organizationId}`.execute(db),
    )
    if (rows[0]?.count) counts[table] = rows[0].count
  }
  return counts
}

test('deleting an organization deletes everything except the audit trail', async () => {
  const amy = await member('OWNER')
  const organizationId = amy.organizationId ?? ''
  const { id } = await amy.call('customers_create', { name: 'Blue Door', country: 'SG' })
  await amy.call('customers_recipients_post', { id, email: 'a@b.test' })
  await amy.call('bank_accounts_create', { accountName: 'Main', bankName: 'DBS' })
  await amy.call('api_keys_create', { name: 'key', scopes: ['*:*'], organizationIds: [organizationId] })
  const before = await rowsOf(organizationId)
  expect(before).toMatchObject({
    customers: 1,
    customer_recipients: 1,
    bank_accounts: 1,
    events: 1,
    memberships: 1,
    api_key_organizations: 1,
  })
  expect(await amy.call('organizations_delete', { id: organizationId })).toEqual({ success: true })
  expect(await rowsOf(organizationId)).toEqual({ audit_log: (before.audit_log ?? 0) + 1 })
  await expect(amy.call('organizations_get', { id: organizationId })).rejects.toMatchObject({ status: 404 })
  expect((await amy.call('api_keys_list')).keys).toMatchObject([{ organizationIds: [] }])
})

test('the audit trail and the events are append-only (INV-19)', async () => {
  const amy = await member('OWNER')
  await amy.call('customers_create', { name: 'Blue Door', country: 'SG' })
  for (const table of ['audit_log', 'events'])
    for (const change of [sql`update ${sql.table(table)} set id = id`, sql`delete from ${sql.table(table)}`])
      for (const pool of [theApp().system, theApp().confined])
        await expect(pool.use((db) => change.execute(db))).rejects.toMatchObject({ code: '42501' })
})

// The last owner

type Change = { role?: 'OWNER' | 'MANAGER'; of: Someone; gone?: true }

/** Changes memberships directly in the database, in one transaction: the rule must hold there too. */
const changeMembers = (organizationId: string, changes: Change[]) =>
  theApp().system.use(async (db, connection) => {
    await connection.query('begin')
    for (const { role, of, gone } of changes) {
      if (gone)
        await sql`delete from memberships where organization_id = ${organizationId} and user_id = ${of.userId}`.execute(
          db,
        )
      else
        await sql`update memberships set role = ${role} where organization_id = ${organizationId} and user_id = ${of.userId}`.execute(
          db,
        )
    }
    await connection.query('commit')
  })

test('the last owner can neither leave nor give up the role, and ownership can be transferred in one call', async () => {
  const amy = await member('OWNER')
  const bob = await member('MANAGER', { of: amy })
  const organizationId = amy.organizationId ?? ''
  const refused = { constraint: 'organization_has_owner' }
  await expect(changeMembers(organizationId, [{ of: amy, gone: true }])).rejects.toMatchObject(refused)
  await expect(changeMembers(organizationId, [{ of: amy, role: 'MANAGER' }])).rejects.toMatchObject(refused)
  await changeMembers(organizationId, [
    { of: amy, role: 'MANAGER' },
    { of: bob, role: 'OWNER' },
  ])
  await changeMembers(organizationId, [{ of: amy, gone: true }])
  await expect(changeMembers(organizationId, [{ of: bob, gone: true }])).rejects.toMatchObject(refused)
})

test('an organization cannot be created without an owner', async () => {
  const ownerless = theApp().system.use((db) =>
    sql`insert into organizations (id, name, country, currency, timezone)
      values (gen_random_uuid(), 'x', 'SG', 'SGD', 'Asia/Singapore')`.execute(db),
  )
  await expect(ownerless).rejects.toMatchObject({ constraint: 'organization_has_owner' })
})

test('numbers that fail their check are stored, with a warning until they are corrected', async () => {
  const amy = await person()
  const wrong = { registrationNumber: '514000004', taxNumber: '123456789' }
  const founded = await amy.call('organizations_create', { name: 'Acme', country: 'IL', ...wrong })
  expect(founded).toMatchObject({
    ...wrong,
    warnings: [
      { code: 'REGISTRATION_NUMBER', path: 'registrationNumber' },
      { code: 'TAX_NUMBER', path: 'taxNumber' },
    ],
  })
  expect(await amy.call('organizations_get', { id: founded.id })).toEqual(founded)
  const right = { registrationNumber: '514000009', taxNumber: null }
  expect((await amy.call('organizations_update', { id: founded.id, ...right })).warnings).toBeUndefined()
})
