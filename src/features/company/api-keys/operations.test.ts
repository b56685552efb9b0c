import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { sha256 } from '../../../core/values/id.ts'
import { member, operationNamed, person, Someone, send, theApp, withKey } from '../../../test/world.ts'

const anyKey = (more = {}) => ({ name: 'Agent', scopes: ['*:*'], ...more })

/** A key made through the API, and its person calling with it. */
async function newKey(someone: Someone, more = {}) {
  const { key, secret } = await someone.call('api_keys_create', anyKey(more))
  return {
    ...key,
    secret,
    holder: new Someone(someone.userId, { authorization: `Bearer ${secret}` }, someone.organizationId),
  }
}

const setBack = (someone: Someone, hours: number) =>
  theApp().system.use((db) =>
    sql`update sessions set signed_in_at = now() - make_interval(hours => ${hours}) where user_id = ${someone.userId}`.execute(
      db,
    ),
  )

describe('creating a key', () => {
  test('an organization id in two spellings counts once', async () => {
    const amy = await member('OWNER')
    const id = amy.organizationId ?? ''
    const { key } = await amy.call('api_keys_create', anyKey({ organizationIds: [id, id.toUpperCase()] }))
    expect(key.organizationIds).toEqual([id])
  })

  test.each(['2026-02-30T00:00:00Z', '0000-01-01T00:00:00Z', '2031-01-01T24:00:00Z'])(
    'it cannot expire at %s, which is not a time',
    async (expiresAt) => {
      const amy = await person()
      await amy.call('api_keys_create', anyKey({ expiresAt: '2031-01-01T00:00:00Z' }))
      await expect(amy.call('api_keys_create', anyKey({ expiresAt }))).rejects.toMatchObject({
        status: 400,
        details: [{ path: 'expiresAt' }],
      })
    },
  )

  test('the message about an invalid scope lists valid ones', async () => {
    const amy = await person()
    await amy.call('api_keys_create', anyKey())
    await expect(amy.call('api_keys_create', anyKey({ scopes: ['all'] }))).rejects.toMatchObject({
      details: [{ path: 'scopes.0', message: 'scopes.0 must look like customers:read or *:*.' }],
    })
  })

  test('the answer has every documented field and the secret, which is stored as a hash only', async () => {
    const amy = await person()
    const { key, secret } = await amy.call('api_keys_create', anyKey({ scopes: ['customers:read'] }))
    expect(secret).toMatch(/^kt_[0-9A-Za-z]{8}_[0-9A-Za-z]{43}$/)
    expect(key).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Agent',
      prefix: secret.slice(0, 11),
      scopes: ['customers:read'],
      allOrgs: false,
      organizationIds: [],
      expiresAt: null,
      lastUsedAt: null,
      revokedAt: null,
      createdAt: expect.stringMatching(/Z$/),
    })
    const { rows } = await theApp().system.use((db) =>
      sql<{
        row: string
        secretHash: Buffer
      }>`select k::text as row, secret_hash from api_keys k where id = ${key.id}`.execute(db),
    )
    expect(rows[0]?.secretHash).toEqual(sha256(secret))
    expect(rows[0]?.row).not.toContain(secret.slice(12))
  })

  test('the secret is shown once', async () => {
    const amy = await person()
    const { id, secret } = await newKey(amy)
    const answers = [
      await amy.call('api_keys_get', { id }),
      await amy.call('api_keys_list'),
      await amy.call('api_keys_update', { id, name: 'Other' }),
      await amy.call('api_keys_usage', { id }),
      await amy.call('api_keys_revoke', { id }),
    ]
    expect(JSON.stringify(answers)).not.toContain(secret.slice(12))
  })

  test('the answer is 201', async () => {
    const amy = await person()
    expect((await amy.request(operationNamed('api_keys_create'), anyKey())).status).toBe(201)
  })

  test.each(['name', 'scopes'])('%s is required', async (field) => {
    const amy = await person()
    await amy.call('api_keys_create', anyKey())
    await expect(amy.call('api_keys_create', anyKey({ [field]: undefined }))).rejects.toMatchObject({
      status: 400,
      details: [{ path: field, message: `${field} is missing.` }],
    })
  })

  test.each([
    [{ name: 'x' }], [{ name: 'x'.repeat(80) }], [{ scopes: ['*:read'] }], [{ scopes: ['users:*', 'bank_accounts:write'] }],
    [{ scopes: Array(50).fill('customers:read') }], [{ allOrgs: true }], [{ expiresAt: null }],
    [{ expiresAt: '2099-01-01T00:00:00Z' }], [{ expiresAt: '2001-01-01T00:00:00.000Z' }], [{ organizationIds: [] }],
  ])('%j is accepted', async (given) => {
    const amy = await person()
    const { key } = await amy.call('api_keys_create', anyKey(given))
    const expected = { ...given, ...('expiresAt' in given && given.expiresAt && { expiresAt: new Date(given.expiresAt).toISOString() }) }
    expect(key).toMatchObject(expected)
  }) // biome-ignore format: a table

  test.each([
    [{ name: '' }], [{ name: 'x'.repeat(81) }], [{ scopes: [] }], [{ scopes: Array(51).fill('customers:read') }],
    [{ scopes: ['payroll:read'] }], [{ scopes: ['companion:write'] }], [{ scopes: ['customers'] }],
    [{ scopes: ['customers:delete'] }], [{ scopes: ['Customers:read'] }], [{ scopes: ['customers:read '] }],
    [{ scopes: ['x*:read'] }], [{ scopes: 'customers:read' }], [{ allOrgs: 'yes' }], [{ organizationIds: 'all' }],
    [{ expiresAt: '2099-01-01' }], [{ expiresAt: '2099-01-01T00:00:00+02:00' }], [{ expiresAt: 'soon' }],
    [{ userId: '00000000-0000-0000-0000-000000000000' }],
  ])('%j is refused', async (wrong) => {
    const amy = await person()
    const { key } = await amy.call('api_keys_create', anyKey())
    await expect(amy.call('api_keys_create', anyKey(wrong))).rejects.toMatchObject({ status: 400 })
    expect((await amy.call('api_keys_list')).keys.map(({ id }) => id)).toEqual([key.id])
  }) // biome-ignore format: a table

  test.each(['invoices', 'expenses', 'customers', 'suppliers', 'orders', 'logistics', 'reports', 'bank_accounts',
    'organizations', 'users', 'automations', 'integrations', 'settings', '*'])('%s is a feature that a scope can name', async (feature) => {
    const amy = await person()
    const scopes = [`${feature}:read`, `${feature}:write`, `${feature}:*`]
    expect((await amy.call('api_keys_create', anyKey({ scopes }))).key.scopes).toEqual(scopes)
  }) // biome-ignore format: a table

  test('organizations that the person does not belong to are refused', async () => {
    const [amy, eve] = [await member('OWNER'), await member('OWNER')]
    for (const stray of [eve.organizationId, 'nope', '00000000-0000-0000-0000-000000000000'])
      await expect(
        amy.call('api_keys_create', anyKey({ organizationIds: [amy.organizationId, stray] })),
      ).rejects.toMatchObject({ status: 403 })
    const own = [amy.organizationId, amy.organizationId]
    const { key } = await amy.call('api_keys_create', anyKey({ organizationIds: own }))
    expect(key.organizationIds).toEqual([amy.organizationId])
  })

  test('a session older than twelve hours cannot create keys, and can do everything else', async () => {
    const amy = await member('OWNER')
    const { id } = await newKey(amy)
    await setBack(amy, 11)
    await newKey(amy)
    await setBack(amy, 13)
    await expect(amy.call('api_keys_create', anyKey())).rejects.toMatchObject({
      status: 403,
      details: [expect.objectContaining({ code: 'SIGN_IN_AGAIN' })],
    })
    await amy.call('api_keys_update', { id, name: 'Other' })
    await amy.call('api_keys_revoke', { id })
    await amy.call('customers_create', { name: 'Blue Door', country: 'SG' })
  })
})

test.each(['api_keys_list', 'api_keys_create', 'api_keys_get', 'api_keys_update', 'api_keys_revoke', 'api_keys_usage'])(
  '%s is for browser sessions, not for keys',
  async (name) => {
    const amy = await person()
    const { id, holder } = await newKey(amy, { allOrgs: true })
    const reply = await holder.request(operationNamed(name), { id, ...anyKey() })
    expect(reply).toMatchObject({ status: 403, body: { error: { details: [{ code: 'SOURCE' }] } } })
  },
)

describe('reading and changing keys', () => {
  test('the list shows the person’s own keys, newest first, revoked ones too', async () => {
    const [amy, eve] = [await person(), await person()]
    await newKey(eve)
    const first = await newKey(amy, { name: 'first' })
    await newKey(amy, { name: 'second' })
    const { revokedAt } = await amy.call('api_keys_revoke', { id: first.id })
    const { keys } = await amy.call('api_keys_list')
    expect(keys.map((key) => [key.name, key.revokedAt])).toEqual([
      ['second', null],
      ['first', revokedAt],
    ])
    expect(await amy.call('api_keys_get', { id: first.id })).toEqual({ key: keys[1] })
  })

  test('a key of another person is not found', async () => {
    const [amy, eve] = [await person(), await person()]
    const { id } = await newKey(amy)
    for (const name of ['api_keys_get', 'api_keys_update', 'api_keys_revoke', 'api_keys_usage'] as const)
      for (const wanted of [id, 'nope', '00000000-0000-0000-0000-000000000000'])
        await expect(eve.call(name, { id: wanted })).rejects.toMatchObject({ status: 404 })
    expect((await amy.call('api_keys_get', { id })).key.revokedAt).toBeNull()
  })

  test('name and expiry can change, each by itself', async () => {
    const amy = await person()
    const { id } = await newKey(amy)
    const expiresAt = '2099-01-01T00:00:00.000Z'
    expect((await amy.call('api_keys_update', { id, name: 'Other' })).key).toMatchObject({
      name: 'Other',
      expiresAt: null,
    })
    expect((await amy.call('api_keys_update', { id, expiresAt })).key).toMatchObject({ name: 'Other', expiresAt })
    expect((await amy.call('api_keys_update', { id })).key).toMatchObject({ name: 'Other', expiresAt })
    expect((await amy.call('api_keys_update', { id, expiresAt: null })).key).toMatchObject({ expiresAt: null })
  })

  test.each([{ name: '' }, { name: 'x'.repeat(81) }, { name: null }, { expiresAt: 'soon' }, { colour: 'red' }])(
    'a change to %j is refused',
    async (wrong) => {
      const amy = await person()
      const { id } = await newKey(amy)
      await expect(amy.call('api_keys_update', { id, ...wrong } as never)).rejects.toMatchObject({ status: 400 })
    },
  )

  test('a change cannot extend the rights of a key', async () => {
    const amy = await member('OWNER')
    const { id, secret, holder, ...before } = await newKey(amy, { scopes: ['customers:read'] })
    const wider = {
      scopes: ['*:*'],
      allOrgs: true,
      organizationIds: [amy.organizationId],
      revokedAt: null,
      prefix: 'kt',
    }
    const { key } = await amy.call('api_keys_update', { id, ...wider })
    expect(key).toEqual({ ...before, id })
    await expect(holder.call('customers_list', { organizationId: amy.organizationId ?? '' })).rejects.toMatchObject({
      status: 403,
    })
  })

  test('an id in the body must be the one in the path', async () => {
    const amy = await person()
    const { id } = await newKey(amy)
    const patch = (body: object) =>
      send({ method: 'PATCH', url: `/api/api-keys/${id}`, body, headers: { ...amy.credentials } })
    expect((await patch({ id, name: 'Same' })).status).toBe(200)
    expect((await patch({ name: 'None' })).status).toBe(200)
    expect((await patch({ id: 'other', name: 'Other' })).status).toBe(400)
  })
})

describe('revoking', () => {
  test('a revoked key is refused and cannot be changed, and revoking it again gives the same answer', async () => {
    const amy = await member('OWNER')
    const { id, holder } = await newKey(amy, { allOrgs: true })
    await holder.call('customers_list')
    const first = await amy.call('api_keys_revoke', { id })
    expect(first).toEqual({ revokedAt: expect.stringMatching(/Z$/) })
    await expect(holder.call('customers_list')).rejects.toMatchObject({ status: 401 })
    expect(await amy.call('api_keys_revoke', { id })).toEqual(first)
    await expect(amy.call('api_keys_update', { id, name: 'Other' })).rejects.toMatchObject({
      status: 409,
      details: [expect.objectContaining({ code: 'KEY_REVOKED' })],
    })
  })

  test('no call that starts after the answer to the revoke succeeds (INV-21)', async () => {
    const amy = await member('OWNER')
    const { id, holder } = await newKey(amy, { allOrgs: true })
    const answers: { after: boolean; status: number }[] = []
    let [revoked, over] = [false, false]
    const burst = Array.from({ length: 8 }, async () => {
      while (!over) {
        const after = revoked
        answers.push({ after, status: (await holder.request(operationNamed('customers_list'), {})).status })
      }
    })
    const until = async (enough: () => boolean) => {
      while (!enough()) await new Promise((resolve) => setImmediate(resolve))
    }
    await until(() => answers.length > 20)
    await amy.call('api_keys_revoke', { id })
    revoked = true
    await until(() => answers.filter(({ after }) => after).length > 20)
    over = true
    await Promise.all(burst)
    expect(answers[0]).toEqual({ after: false, status: 200 })
    expect(answers.filter(({ after, status }) => after && status !== 401)).toEqual([])
  })

  test('an expired key is refused until its expiry is extended', async () => {
    const amy = await member('OWNER')
    const { id, holder } = await newKey(amy, { allOrgs: true, expiresAt: '2001-01-01T00:00:00Z' })
    await expect(holder.call('customers_list')).rejects.toMatchObject({ status: 401 })
    await amy.call('api_keys_update', { id, expiresAt: '2099-01-01T00:00:00Z' })
    await holder.call('customers_list')
    await amy.call('api_keys_update', { id, expiresAt: new Date(Date.now() - 1000).toISOString() })
    await expect(holder.call('customers_list')).rejects.toMatchObject({ status: 401 })
  })

  test('the keys of a disabled person are refused', async () => {
    const amy = await member('OWNER')
    const { holder } = await newKey(amy, { allOrgs: true })
    await theApp().system.use((db) =>
      db.updateTable('users').set({ disabledAt: new Date().toISOString() }).where('id', '=', amy.userId).execute(),
    )
    await expect(holder.call('customers_list')).rejects.toMatchObject({ status: 401 })
    await expect(amy.call('customers_list')).rejects.toMatchObject({ status: 401 })
  })
})

describe('what a key reaches', () => {
  test('without organizations it reaches none', async () => {
    const amy = await member('OWNER')
    const organizationId = amy.organizationId ?? ''
    const { id } = await amy.call('customers_create', { name: 'Blue Door', country: 'SG' })
    const { holder } = await newKey(amy)
    await expect(holder.call('customers_list', { organizationId })).rejects.toMatchObject({ status: 403 })
    await expect(holder.call('customers_get', { id })).rejects.toMatchObject({ status: 404 })
    expect((await holder.call('customers_list')).customers).toEqual([])
    expect(await holder.call('organizations_list')).toEqual({ organizations: [] })
    expect(await holder.call('bank_accounts_list')).toEqual({ bankAccounts: [] })
  })

  test.each([
    ['customers:read', { read: 200, write: 403, other: 403 }],
    ['customers:write', { read: 403, write: 201, other: 403 }],
    ['customers:*', { read: 200, write: 201, other: 403 }],
    ['*:read', { read: 200, write: 403, other: 200 }],
    ['*:*', { read: 200, write: 201, other: 200 }],
  ])('with the scope %s its calls answer %j', async (scope, expected) => {
    const amy = await member('OWNER')
    const { holder } = await newKey(amy, { scopes: [scope], allOrgs: true })
    const status = async (name: string, input = {}) => (await holder.request(operationNamed(name), input)).status
    expect({
      read: await status('customers_list'),
      write: await status('customers_create', { name: 'Blue Door', country: 'SG' }),
      other: await status('bank_accounts_list'),
    }).toEqual(expected)
  })

  test('the role of its user is read at every call', async () => {
    const owner = await member('OWNER')
    const bob = await member('CONTRIBUTOR', { of: owner })
    const organizationId = owner.organizationId ?? ''
    const { id, holder } = await newKey(bob, { organizationIds: [organizationId] })
    const create = () => holder.call('customers_create', { name: 'Blue Door', country: 'SG' })
    const mine = (role: 'VIEWER' | 'EMPLOYEE') =>
      theApp().system.use((db) =>
        db.updateTable('memberships').set({ role }).where('userId', '=', bob.userId).execute(),
      )
    await create()
    await expect(holder.call('organizations_update', { id: organizationId, phone: '1' })).rejects.toMatchObject({
      status: 403,
    })
    await mine('VIEWER')
    await expect(create()).rejects.toMatchObject({ status: 403, details: [expect.objectContaining({ code: 'ROLE' })] })
    expect((await holder.call('customers_list')).customers).toHaveLength(1)
    await mine('EMPLOYEE')
    expect((await holder.call('customers_list')).customers).toHaveLength(0)
    await theApp().system.use((db) => db.deleteFrom('memberships').where('userId', '=', bob.userId).execute())
    await expect(holder.call('customers_list', { organizationId })).rejects.toMatchObject({ status: 403 })
    expect((await bob.call('api_keys_get', { id })).key.organizationIds).toEqual([])
  })

  test('the old keys of a member who rejoins an organization do not reach it again', async () => {
    const owner = await member('OWNER')
    const bob = await member('CONTRIBUTOR', { of: owner })
    const organizationId = owner.organizationId ?? ''
    const { holder } = await newKey(bob, { organizationIds: [organizationId] })
    await theApp().system.use((db) => db.deleteFrom('memberships').where('userId', '=', bob.userId).execute())
    await theApp().system.use((db) =>
      db.insertInto('memberships').values({ organizationId, userId: bob.userId, role: 'CONTRIBUTOR' }).execute(),
    )
    await expect(holder.call('customers_list', { organizationId })).rejects.toMatchObject({ status: 403 })
  })
})

describe('usage', () => {
  test('an unused key has no usage', async () => {
    const amy = await person()
    const { id } = await newKey(amy)
    expect(await amy.call('api_keys_usage', { id })).toEqual({
      totals: { callCount: 0, errorCount: 0, avgDurationMs: null },
      byFeature: [],
      recent: [],
    })
  })

  test('every call counts at once, errors with their code', async () => {
    const amy = await member('OWNER')
    const { id, holder } = await newKey(amy, { scopes: ['customers:*', 'expenses:read'], allOrgs: true })
    const created = await holder.call('customers_create', { name: 'Blue Door', country: 'SG' })
    await holder.request(operationNamed('customers_create'), { name: '' })
    await holder.request(operationNamed('customers_get'), { id: 'nope' })
    await holder.call('expense_categories_list')
    await holder.request(operationNamed('bank_accounts_list'), {})
    const { totals, byFeature, recent } = await amy.call('api_keys_usage', { id })
    expect(totals).toEqual({ callCount: 5, errorCount: 3, avgDurationMs: expect.any(Number) })
    expect(byFeature).toEqual([
      { feature: 'customers', calls: 3, errors: 2 },
      { feature: 'bank_accounts', calls: 1, errors: 1 },
      { feature: 'expenses', calls: 1, errors: 0 },
    ])
    const called = { id: expect.stringMatching(/^[0-9a-f-]{36}$/), durationMs: expect.any(Number), createdAt: expect.stringMatching(/Z$/) }
    expect(recent).toEqual([
      { ...called, method: 'GET', path: '/api/bank-accounts', feature: 'bank_accounts', verb: 'list', statusCode: 403, errorCode: 'SCOPE', organizationId: null },
      { ...called, method: 'GET', path: '/api/expense-categories', feature: 'expenses', verb: 'expense_categories_list', statusCode: 200, errorCode: null, organizationId: null },
      { ...called, method: 'GET', path: '/api/customers/nope', feature: 'customers', verb: 'get', statusCode: 404, errorCode: 'NOT_FOUND', organizationId: null },
      { ...called, method: 'POST', path: '/api/customers', feature: 'customers', verb: 'create', statusCode: 400, errorCode: 'VALIDATION', organizationId: created.organizationId },
      { ...called, method: 'POST', path: '/api/customers', feature: 'customers', verb: 'create', statusCode: 201, errorCode: null, organizationId: created.organizationId },
    ])
    expect((await amy.call('api_keys_get', { id })).key.lastUsedAt).toBe(recent[0]?.createdAt)
  }) // biome-ignore format: a table

  test('lastUsedAt is up to date at once, in the list and in a single read', async () => {
    const amy = await member('OWNER')
    const { id, holder } = await newKey(amy, { allOrgs: true })
    const before = new Date().toISOString()
    await holder.call('customers_list')
    const { key } = await amy.call('api_keys_get', { id })
    expect(key.lastUsedAt && key.lastUsedAt >= before).toBe(true)
    expect((await amy.call('api_keys_list')).keys).toEqual([key])
  })

  test('limit bounds only the recent calls, and sinceDays everything', async () => {
    const amy = await member('OWNER')
    const { id } = await newKey(amy)
    await theApp().system.use((db) =>
      sql`insert into api_key_calls (id, api_key_id, user_id, method, path, feature, verb, status_code, duration_ms, created_at)
        select gen_random_uuid(), ${id}, ${amy.userId}, 'GET', '/api/customers', 'customers', 'list', 200, 10, now() - make_interval(days => day)
        from generate_series(0, 399) as day`.execute(db),
    )
    const usage = async (input = {}) => {
      const { totals, byFeature, recent } = await amy.call('api_keys_usage', { id, ...input })
      expect(byFeature.reduce((sum, { calls }) => sum + calls, 0)).toBe(totals.callCount)
      return [totals.callCount, recent.length]
    }
    expect(await usage()).toEqual([7, 7])
    expect(await usage({ sinceDays: 365 })).toEqual([365, 50])
    expect(await usage({ sinceDays: 365, limit: 200 })).toEqual([365, 200])
    expect(await usage({ sinceDays: 1, limit: 1 })).toEqual([1, 1])
  })

  test.each([{ limit: 0 }, { limit: 201 }, { limit: 'all' }, { sinceDays: 0 }, { sinceDays: 366 }, { sinceDays: 1.5 }])(
    'usage with %j is refused',
    async (wrong) => {
      const amy = await person()
      const { id } = await newKey(amy)
      await expect(amy.call('api_keys_usage', { id, ...wrong } as never)).rejects.toMatchObject({ status: 400 })
    },
  )

  test('calls of a session are not counted for a key, and a token in a query is not recorded', async () => {
    const amy = await member('OWNER')
    const { id } = await newKey(amy)
    await amy.call('customers_list')
    const key = await withKey(amy)
    await send({ method: 'GET', url: '/api/customers?token=canary', headers: { ...key.credentials } })
    expect((await amy.call('api_keys_usage', { id })).totals.callCount).toBe(0)
    const { rows } = await theApp().system.use((db) =>
      sql`select * from api_key_calls where path like '%canary%'`.execute(db),
    )
    expect(rows).toEqual([])
  })
})
