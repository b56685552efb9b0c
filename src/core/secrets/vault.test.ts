import '../../test/own-world.ts'
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, expect, test, vi } from 'vitest'
import { testSecretsKey } from '../../test/database.ts'
import { asProduct, makeMailboxes, randomKey, readPassword, storePassword, within } from '../../test/secrets.ts'
import { member, theApp } from '../../test/world.ts'
import { type Operation, operation } from '../define/operation.ts'
import { Type } from '../define/schema.ts'
import { newId } from '../values/id.ts'
import { openKeyring } from './keyring.ts'
import { Secret } from './secret.ts'
import { createKeyCache, createVault, type Vault } from './vault.ts'

beforeAll(makeMailboxes)

const vault = () => theApp().services.secrets.vault
const unreadable = { status: 500, details: [{ code: 'SECRET_UNREADABLE' }] }

async function somewhere() {
  const amy = await member('OWNER')
  return { amy, table: 'mailboxes', column: 'password', rowId: newId(), organizationId: amy.organizationId ?? '' }
}

test('SEC-2 SEC-3: a secret is sealed and opened in the organization of the request', async () => {
  const place = await somewhere()
  const sealed = await storePassword(place, 'hunter2')
  expect(sealed.includes('hunter2')).toBe(false)
  expect(await readPassword(place)).toBe('hunter2')
})

test('SEC-6: operations seal and open in their own transaction, and an answer does not reveal the secret', async () => {
  const { amy, ...place } = await somewhere()
  const { organizationId } = place
  const define = { does: 'Tests.', scope: 'customers:write', within: 'organizationId' } as const
  const input = Type.Object({ organizationId: Type.String(), password: Type.Optional(Type.String()) })
  const output = Type.Object({ told: Type.String() })
  const store = operation({
    ...define,
    input,
    output,
    name: 'test_store',
    http: 'POST /api/test',
    async run({ db }, { password = '' }) {
      const sealed = await vault().close(db, place, new Secret(password))
      await sql`insert into mailboxes (id, password) values (${place.rowId}, ${sealed})`.execute(db)
      return { told: 'stored' }
    },
  })
  let opened: Secret | undefined
  const use = operation({
    ...define,
    input,
    output,
    name: 'test_use',
    http: 'GET /api/test',
    async run({ db }) {
      const { rows } = await sql<{
        password: Buffer
      }>`select password from mailboxes where id = ${place.rowId}`.execute(db)
      opened = await freshVault().open(db, place, rows[0]?.password ?? Buffer.alloc(0))
      return { told: opened as unknown as string } // a mistake
    },
  })
  const caller = { source: 'COMPANION', credential: null, userId: amy.userId, requestId: 'test' } as const
  const run = (what: Operation, more = {}) =>
    theApp().runner.run(what, { caller, input: { organizationId, ...more }, trace: {} })
  expect(await run(store, { password: 'hunter2' })).toMatchObject({ status: 200 })
  expect(JSON.parse((await run(use)).body)).toEqual({ told: '[redacted]' })
  expect(opened?.reveal()).toBe('hunter2')
})

test('SEC-2: an organization has one key from its first secret on, also when several are sealed at once', async () => {
  const place = await somewhere()
  await Promise.all(Array.from({ length: 8 }, (_, index) => storePassword({ ...place, rowId: newId() }, `p${index}`)))
  const keys = await asProduct('select wrapped, uses from organization_keys where organization_id = $1', [
    place.organizationId,
  ])
  expect(keys).toEqual([{ wrapped: expect.any(Buffer), uses: '8' }])
})

test('SEC-3: a seal that is rolled back leaves nothing behind, and the next one works', async () => {
  const place = await somewhere()
  const undone = within(place.organizationId, async (db) => {
    await vault().close(db, place, new Secret('hunter2'))
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  await storePassword(place, 'hunter3')
  expect(await readPassword(place)).toBe('hunter3')
})

test('SEC-7: with any byte of it flipped, a stored secret does not open', async () => {
  const place = await somewhere()
  const sealed = await storePassword(place, 'hunter2')
  await within(place.organizationId, async (db) => {
    for (let index = 0; index < sealed.length; index++) {
      const altered = Buffer.from(sealed)
      altered.writeUInt8((sealed[index] ?? 0) ^ 0x40, index)
      await expect(vault().open(db, place, altered), `byte ${index}`).rejects.toMatchObject(unreadable)
    }
  })
})

test('SEC-7 THR-20: a secret copied to another row, column or organization does not open there', async () => {
  const [here, there] = [await somewhere(), await somewhere()]
  const beside = { ...here, rowId: newId() }
  const token = { ...here, column: 'token' }
  for (const [place, text] of [[here, 'h'], [beside, 'b'], [there, 't'], [token, 'k']] as const) await storePassword(place, text) // biome-ignore format: a table
  const copy = (from: typeof here, to: typeof here) =>
    asProduct(`update mailboxes t set ${to.column} = f.${from.column} from mailboxes f where f.id = $1 and t.id = $2`, [
      from.rowId,
      to.rowId,
    ])
  await copy(here, beside)
  await expect(readPassword(beside)).rejects.toMatchObject(unreadable)
  await copy(token, here)
  await expect(readPassword(here)).rejects.toMatchObject(unreadable)
  // Across organizations the database refuses: the key that the value names is not one of theirs.
  await expect(copy(beside, there)).rejects.toThrow(/foreign key/)
  expect(await readPassword(there)).toBe('t')
})

test('SEC-7 THR-20: a sealed value copied together with its wrapped key does not open in another organization', async () => {
  const [here, there] = [await somewhere(), await somewhere()]
  const sealed = await storePassword(here, 'hunter2')
  await storePassword(there, 'other')
  await asProduct(
    `insert into organization_keys (organization_id, id, wrapped, kek_id, retired_at)
     select $2, id, wrapped, kek_id, now() from organization_keys where organization_id = $1`,
    [here.organizationId, there.organizationId],
  )
  await asProduct('update mailboxes set password = $1 where id = $2', [sealed, there.rowId])
  await expect(readPassword(there)).rejects.toMatchObject(unreadable)
})

test('SEC-2: a request reaches no key of another organization', async () => {
  const [here, there] = [await somewhere(), await somewhere()]
  const sealed = await storePassword(there, 'hunter2')
  const fresh = createVault({ keyring: openKeyring(new Secret(randomKey())) }) // nothing in its memory
  for (const organizationId of [here.organizationId, undefined]) {
    await within(organizationId, async (db) => {
      await expect(fresh.open(db, there, sealed)).rejects.toMatchObject(unreadable)
      await expect(fresh.close(db, there, new Secret('x'))).rejects.toThrow('cannot be reached')
    })
  }
  const keys = await asProduct('select uses from organization_keys where organization_id = $1', [there.organizationId])
  expect(keys).toEqual([{ uses: '1' }])
})

test.each(['organization_keys', 'secrets_root', 'secrets_canary', 'secrets_rotation'])(
  'SEC-2: no request reads or writes %s itself',
  async (table) => {
    const { organizationId } = await somewhere()
    for (const statement of [`select * from ${table}`, `delete from ${table}`, `insert into ${table} default values`]) {
      const attempt = within(organizationId, (_, connection) => connection.query(statement))
      await expect(attempt).rejects.toThrow(/permission denied/)
    }
  },
)

test('SEC-2: the worker opens what a request sealed', async () => {
  const place = { ...(await somewhere()), column: 'token' }
  const sealed = await storePassword(place, 'refresh')
  const opened = await theApp().system.use((db) => freshVault().open(db, place, sealed))
  expect(opened.reveal()).toBe('refresh')
})

/** One that shares the keys of the application and remembers nothing. */
const freshVault = (): Vault => createVault({ keyring: openKeyring(new Secret(testSecretsKey)) })

test('SEC-7: another wrapping key opens nothing and seals nothing', async () => {
  const place = await somewhere()
  const sealed = await storePassword(place, 'hunter2')
  const wrong = createVault({ keyring: openKeyring(new Secret(randomKey())) })
  await within(place.organizationId, async (db) => {
    await expect(wrong.open(db, place, sealed)).rejects.toMatchObject(unreadable)
    await expect(wrong.close(db, place, new Secret('x'))).rejects.toMatchObject(unreadable)
  })
})

test('SEC-3: uses of a key are counted, from 2^30 with an alarm, and not beyond 2^32', async () => {
  const place = await somewhere()
  await storePassword(place, 'hunter2')
  const alarm = vi.fn()
  const close = () =>
    within(place.organizationId, (db) =>
      createVault({ keyring: openKeyring(new Secret(testSecretsKey)), alarm }).close(db, place, new Secret('x')),
    )
  const setUses = (uses: number) =>
    asProduct('update organization_keys set uses = $1 where organization_id = $2', [uses, place.organizationId])
  await setUses(2 ** 30 - 2)
  await close()
  expect(alarm).not.toHaveBeenCalled()
  await close()
  expect(alarm).toHaveBeenCalledExactlyOnceWith(expect.stringContaining(place.organizationId))
  await setUses(2 ** 32 - 1)
  await close()
  await expect(close()).rejects.toThrow('used up')
  await expect(setUses(2 ** 32 + 1)).rejects.toThrow('key_is_not_used_up')
  expect(await readPassword(place)).toBe('hunter2')
})

test('SEC-6: a secret column takes nothing but sealed values', async () => {
  const { organizationId } = await somewhere()
  const inserted = (value: Buffer) =>
    within(organizationId, (_, connection) =>
      connection.query('insert into mailboxes (id, password) values ($1, $2)', [newId(), value]),
    )
  const formed = Buffer.concat([Buffer.of(1), randomBytes(112)])
  for (const value of [Buffer.from('hunter2'), Buffer.from('hunter2'.repeat(30)), formed.fill(2, 0, 1)]) {
    await expect(inserted(value)).rejects.toThrow(/mailboxes_password_is_sealed|invalid input syntax/)
  }
  await expect(inserted(formed.fill(1, 0, 1))).rejects.toThrow(/foreign key/)
})

test('SEC-6: secrets are sealed only for declared secret columns', async () => {
  const place = { ...(await somewhere()), column: 'host' }
  await expect(storePassword(place, 'hunter2')).rejects.toThrow('mailboxes.host is no secret column')
})

test('SEC-6: a column for the worker alone is written by requests and not read by them', async () => {
  const place = { ...(await somewhere()), column: 'token' }
  await storePassword(place, 'refresh')
  const asked = (text: string) => within(place.organizationId, (_, connection) => connection.query(text))
  for (const columns of ['token', '*', 'token_key_id']) {
    await expect(asked(`select ${columns} from mailboxes`)).rejects.toThrow(/permission denied/)
  }
  expect((await asked('select id, host, password from mailboxes')).rows).toHaveLength(1)
  expect(await asProduct('select token from mailboxes where id = $1', [place.rowId])).toHaveLength(1)
})

test('SEC-4: deleting an organization destroys its keys', async () => {
  const place = await somewhere()
  await storePassword(place, 'hunter2')
  await place.amy.call('organizations_delete', { id: place.organizationId })
  for (const table of ['organization_keys', 'mailboxes'])
    expect(await asProduct(`select from ${table} where organization_id = $1`, [place.organizationId])).toEqual([])
})

/** Bytes that are no credentials: mail, sealed while it waits (features/platform/mail/sealed-message.ts), and what anybody may know. */
const contents = ['mail_deliveries.contents', 'mail_deliveries.letter', 'outbox.contents', 'passkeys.public_key']

test('SEC-1: every column of bytes is a hash, a wrapped key, a secret column or content', async () => {
  const columns = await asProduct(`select table_name || '.' || column_name as name from information_schema.columns c
    where table_schema = 'public' and data_type = 'bytea'
      and (table_name, column_name) not in (select table_name, column_name from secret_columns())`)
  const others = columns
    .map(({ name }) => name as string)
    .filter((name) => !/\.(\w*hash|wrapped|fingerprint)$/.test(name))
  expect(others.sort()).toEqual(contents)
  expect(await asProduct("select * from secret_columns() where table_name = 'mailboxes'")).toEqual([
    { table_name: 'mailboxes', column_name: 'password' },
    { table_name: 'mailboxes', column_name: 'token' },
  ])
})

test('SEC-1: every hash of a secret that is only compared is unique', async () => {
  const hashes = await asProduct(`select a.attrelid::regclass::text as name from pg_attribute a
    where a.attname = 'secret_hash' and a.attrelid in (select oid from pg_class where relkind = 'r')
      and not exists (select from pg_index i where i.indrelid = a.attrelid and i.indisunique and i.indkey[0] = a.attnum)`)
  expect(hashes).toEqual([])
})

test('SEC-7 INV-20: a dump of the database contains no secret', async () => {
  const canary = `canary-${newId()}`
  const place = await somewhere()
  await storePassword(place, canary)
  await storePassword({ ...place, column: 'token' }, canary)
  const tables = await asProduct(`select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname in ('public', 'graphile_worker')`)
  const rows = await Promise.all(tables.map(({ name }) => asProduct(`select t::text as text from ${name} t`)))
  const dump = rows
    .flat()
    .map(({ text }) => text as string)
    .join('\n')
  expect(dump).toContain(place.rowId)
  for (const secret of [Buffer.from(canary), Buffer.from(testSecretsKey, 'base64')])
    for (const form of ['utf8', 'hex', 'base64', 'base64url'] as const)
      expect(dump).not.toContain(secret.toString(form))
})

test('SEC-6: the cache of unwrapped keys is limited in size and time', () => {
  vi.useFakeTimers()
  const cache = createKeyCache({ max: 2, lifeMs: 1000 })
  const key = { type: 'secret' } as never
  for (const id of ['a', 'b', 'c']) cache.add('o', id, key)
  expect(['a', 'b', 'c'].map((id) => cache.find('o', id) !== undefined)).toEqual([false, true, true])
  expect(cache.find('p', 'b')).toBeUndefined()
  vi.advanceTimersByTime(1001)
  expect(cache.find('o', 'c')).toBeUndefined()
  vi.useRealTimers()
})
