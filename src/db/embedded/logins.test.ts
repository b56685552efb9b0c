import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migratedFolder } from '../../test/database.ts'
import { copyDataFolder } from '../../test/processes/data-folder.ts'
import { migrate, migrationFiles } from '../migrate.ts'
import { openPool, resilientPool } from '../pool.ts'
import { type Embedded, findEmbedded, startEmbedded } from './embedded.ts'

/** Everything that a role owns in the database of Kontor, and everybody that a policy names. */
const belongings = `
  select 'database' as kind, datname::text as name, datdba::regrole::text as owner from pg_database where datname = 'kontor'
  union all select 'schema', nspname, nspowner::regrole::text from pg_namespace where nspname = 'graphile_worker'
  union all select 'relation', c.oid::regclass::text, relowner::regrole::text from pg_class c where relnamespace in (select oid from pg_namespace where nspname in ('public', 'graphile_worker'))
  union all select 'function', p.oid::regprocedure::text, proowner::regrole::text from pg_proc p where pronamespace in (select oid from pg_namespace where nspname in ('public', 'graphile_worker'))
  union all select 'type', t.oid::regtype::text, typowner::regrole::text from pg_type t where typnamespace in (select oid from pg_namespace where nspname in ('public', 'graphile_worker'))
  union all select 'policy', polrelid::regclass::text || ' ' || polname, (select string_agg(r::regrole::text, ', ' order by r::regrole::text) from unnest(polroles) r) from pg_policy
  order by 1, 2`

const grants = `
  select c.oid::regclass::text as name, a.grantee::regrole::text as grantee, a.privilege_type as right
  from pg_class c, aclexplode(c.relacl) a where relnamespace = 'public'::regnamespace and a.grantee <> c.relowner
  union all select c.oid::regclass::text || '.' || t.attname, a.grantee::regrole::text, a.privilege_type
  from pg_class c join pg_attribute t on t.attrelid = c.oid, aclexplode(t.attacl) a where relnamespace = 'public'::regnamespace
  union all select p.oid::regprocedure::text, a.grantee::regrole::text, a.privilege_type
  from pg_proc p, aclexplode(p.proacl) a where pronamespace = 'public'::regnamespace and a.grantee not in (0, p.proowner)
  order by 1, 2, 3`

async function ask(config: pg.ClientConfig, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(config)
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

/** A new data folder with a database of this version, made by the product. */
function freshFolder() {
  const folder = newFolder()
  copyDataFolder(migratedFolder(), folder)
  return folder
}

const folders: string[] = []
const start = (dataDir: string) => startEmbedded({ dataDir, say: () => {}, purpose: 'test' })
const newFolder = () => {
  folders.push(mkdtempSync(join(tmpdir(), 'kontor-logins-')))
  return folders.at(-1) ?? ''
}
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** The last version that logged in as the superuser. */
const before = new Set(
  migrationFiles()
    .map(({ name }) => name)
    .filter((name) => name < '0024'),
)

async function migrateAs(config: pg.PoolConfig, only?: ReadonlySet<string>) {
  const pool = resilientPool({ ...config, max: 3 })
  await migrate(pool, () => {}, only ? { only } : {})
  await pool.end()
}

/** Makes the database as the version before made it: by the superuser, without our logins. */
async function makeOld({ superuser }: Embedded) {
  const admin = { ...superuser, database: 'postgres' }
  await ask(admin, 'drop database kontor')
  await ask(admin, 'drop role kontor_owner, kontor_requests, kontor_confined, kontor_across')
  await ask(admin, 'create database kontor')
  await migrateAs(superuser, before)
}

describe('a data folder of the version before', () => {
  const dataDir = freshFolder()
  let upgraded: Embedded
  beforeAll(async () => {
    const old = await start(dataDir)
    await makeOld(old)
    const owners = (await ask(old.superuser, belongings)).map(({ owner }) => owner)
    expect(owners).toContain('kontor')
    expect(owners).not.toContain('kontor_owner')
    await old.stop()
    upgraded = await start(dataDir)
  }, 60_000)
  afterAll(() => upgraded?.stop())

  test('belongs to the login of the product after the start, as in a new data folder', async () => {
    const fresh = await start(freshFolder())
    await migrateAs(upgraded.config)
    expect(await ask(upgraded.config, belongings)).toEqual(await ask(fresh.config, belongings))
    expect(await ask(upgraded.config, grants)).toEqual(await ask(fresh.config, grants))
    const rights = `select rolname, rolsuper, rolinherit, rolcreaterole, rolcreatedb, rolcanlogin, rolreplication, rolbypassrls, rolconnlimit
      from pg_roles where rolname like 'kontor\\_%' order by 1`
    expect(await ask(upgraded.config, rights)).toEqual(await ask(fresh.config, rights))
    await fresh.stop()
  })

  test('is not changed by a further start', async () => {
    const version = "select xmin::text from pg_authid where rolname = 'kontor_requests'"
    const once = await ask(upgraded.superuser, version)
    await upgraded.stop()
    upgraded = await start(dataDir)
    expect(await ask(upgraded.superuser, version)).toEqual(once)
  })

  test('loses the defaults that a connection of requests has set for its login', async () => {
    const login = () => openPool(upgraded.config, { confined: true, max: 1 })
    const pool = login()
    await pool.use(async (_, connection) => {
      await connection.query('set role none')
      await connection.query('alter role current_user set default_transaction_read_only = on')
    })
    await pool.close()
    await upgraded.stop()
    upgraded = await start(dataDir)
    const next = login()
    const { rows } = await next.use((_, connection) => connection.query('show default_transaction_read_only'))
    await next.close()
    expect(rows).toEqual([{ defaultTransactionReadOnly: 'off' }])
  })
})

test('FLT-16: the version before keeps working on a running server that the new version opens', async () => {
  const dataDir = freshFolder()
  const running = await start(dataDir)
  await makeOld(running)
  // The version before logs in as the superuser, for requests too.
  const [system, confined] = [false, true].map((each) => openPool(running.superuser, { confined: each, max: 1 }))
  const works = async () => {
    await system?.use((_, connection) => connection.query('select count(*) from users'))
    await confined?.use((_, connection) =>
      connection.query(
        "select c.id from customers c, authorize_request('SESSION', null, null, null, null, null, null)",
      ),
    )
  }
  await works()
  const found = await findEmbedded(dataDir)
  expect(found).toEqual(running.config)
  await works()
  await migrateAs(running.config)
  await works()
  expect(await ask(running.config, 'select session_user::text')).toEqual([{ session_user: 'kontor_owner' }])
  await Promise.all([system?.close(), confined?.close()])
  await running.stop()
})
