import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { checkBackup, restore } from '../../backup/restore.ts'
import { takeBackup } from '../../backup/take-backup.ts'
import { openKeyring } from '../../core/secrets/keyring.ts'
import { Secret } from '../../core/secrets/secret.ts'
import { functionSet } from '../../db/functions.ts'
import { dropDatabase, emptyDatabase, newDatabase, queryOn, testSecretsKey } from '../database.ts'
import { newFolder } from '../temporary-folder.ts'

const released = fileURLToPath(new URL('../fixtures/released-0.1.0.tar.gz', import.meta.url))

type Database = Awaited<ReturnType<typeof newDatabase>>

/** Everything that a function or trigger is, a line for each. */
async function functionsOf(database: Database): Promise<string[]> {
  const rows = await queryOn(
    database,
    `select pg_get_functiondef(p.oid) || coalesce((select string_agg(format('%s: %s', a.grantee::regrole, a.privilege_type), ', ' order by a.grantee::regrole::text)
        from aclexplode(p.proacl) a), 'no privileges') as text
     from pg_proc p where p.pronamespace = 'public'::regnamespace
     union all
     select pg_get_triggerdef(t.oid, true) || t.tgenabled::text from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where c.relnamespace = 'public'::regnamespace and not t.tgisinternal order by 1`,
  )
  return rows.map(({ text }) => text)
}

async function restored(file: string): Promise<Database> {
  const { manifest } = await checkBackup(file, openKeyring(new Secret(testSecretsKey)))
  const database = await emptyDatabase()
  onTestFinished(() => dropDatabase(database))
  await restore({ file, manifest, database, filesDir: join(newFolder('restored'), 'files'), say: () => {} })
  return database
}

test('FLT-16: a new database, one upgraded from 0.1.0 and a restored one have the same functions and triggers', async () => {
  const empty = await newDatabase()
  onTestFinished(() => dropDatabase(empty))
  const expected = await functionsOf(empty)
  expect(expected.length).toBeGreaterThan(600)
  const file = join(newFolder('backups'), 'functions.tar.gz')
  await takeBackup({ database: empty, file, filesDir: newFolder('files'), version: '0.0.1' })
  for (const database of [await restored(released), await restored(file)]) {
    const found = await functionsOf(database)
    expect(found.filter((text) => !expected.includes(text))).toEqual([])
    expect(found).toEqual(expected)
    const applied = await queryOn(database, 'select name, checksum from function_files order by name')
    expect(applied).toEqual(functionSet().files.map(({ name, checksum }) => ({ name, checksum })))
  }
})
