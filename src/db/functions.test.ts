import { cpSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { dropDatabase, emptyDatabase, newDatabase, queryOn } from '../test/database.ts'
import { functionSet, namesIn, partsOf } from './functions.ts'
import { migrate, migrationFiles } from './migrate.ts'
import { resilientPool } from './pool.ts'

const folder = fileURLToPath(new URL('./functions/', import.meta.url))
const { files } = functionSet()

let database: Awaited<ReturnType<typeof newDatabase>>
beforeAll(async () => {
  database = await newDatabase()
})
afterAll(() => dropDatabase(database))

async function migrated(target: pg.PoolConfig, options: Parameters<typeof migrate>[2] = {}) {
  const pool = resilientPool({ ...target, max: 3 })
  await migrate(pool, () => {}, options).finally(() => pool.end())
}

/** The functions of another version, in which `change` writes into a copy of the folder. */
function otherVersion(change: (folder: string) => void, version?: string) {
  const copy = mkdtempSync(join(tmpdir(), 'kontor-functions-'))
  cpSync(folder, copy, { recursive: true })
  change(copy)
  return functionSet(pathToFileURL(`${copy}/`), version)
}

const edit = (file: string, from: string, to: string) => (inFolder: string) => {
  const path = join(inFolder, file)
  const text = readFileSync(path, 'utf8')
  expect(text).toContain(from)
  writeFileSync(path, text.replace(from, to))
}

/** Tables keep what these functions gave (defaults, indexes, checks) or ask them in policies: a change needs a change of the table. */
const usedByTables = [
  'are_sales_tax_rates', 'current_organization', 'current_organizations', 'current_person', 'fits_purpose', 'is_receipt_by_law',
  'major_units', 'new_id', 'reads_own_payroll', 'reads_payroll', 'search_grams', 'status_rank', 'trigger_types',
] // biome-ignore format: a list of words

/** Migrations call these to make a table, and what they made stays as it was made. */
const tableHelpers = [
  'add_updated_at_trigger', 'append_only', 'organization_table', 'own_table', 'payroll_table', 'person_table', 'refuse_change',
  'secret_column', 'set_updated_at', 'system_table',
] // biome-ignore format: a list of words

/** `organization_table()` makes such a function with each table. */
const madeWithTable = (body: string) =>
  /^ begin return \(select t\.\w+ from public\.\w+ t where t\.id = row_id\); end $/.test(body)

describe('the folder of functions', () => {
  test('has every function that migrations do not keep, once', async () => {
    const all = await queryOn(
      database,
      "select proname as name, prosrc as body from pg_proc where pronamespace = 'public'::regnamespace",
    )
    const kept = new Set([...usedByTables, ...tableHelpers])
    const wanted = all.filter(
      ({ name, body }) => !kept.has(name) && !(name.startsWith('owner_of_') && madeWithTable(body)),
    )
    const there = files.flatMap(({ text }) => namesIn(text))
    expect(there.sort()).toEqual(wanted.map(({ name }) => name).sort())
  })

  test('has none that defaults, indexes, generated columns, checks or policies use', async () => {
    const used = await queryOn(
      database,
      `select distinct p.proname as name from pg_depend d join pg_proc p on p.oid = d.refobjid and p.pronamespace = 'public'::regnamespace
       where d.refclassid = 'pg_proc'::regclass and d.deptype = 'n' and d.classid <> 'pg_trigger'::regclass order by 1`,
    )
    expect(used.map(({ name }) => name)).toEqual(usedByTables)
  })

  test('has every trigger that is not made with its table', async () => {
    const all = await queryOn(
      database,
      `select t.tgname || ' on ' || t.tgrelid::regclass as trigger from pg_trigger t
       join pg_class c on c.oid = t.tgrelid and c.relnamespace = 'public'::regnamespace
       where not t.tgisinternal and t.tgname not in ('touch', 'append_only')`,
    )
    const there = files.flatMap(({ text }) => partsOf(text).triggers.map(({ name, table }) => `${name} on ${table}`))
    expect(there.sort()).toEqual(all.map(({ trigger }) => trigger).sort())
    expect(files.filter(({ text }) => /\btrigger (?:touch|append_only) /.test(text))).toEqual([])
  })

  test('has files that begin with what they guard and contain functions, grants and triggers alone', () => {
    expect(files.filter(({ text }) => !text.startsWith('-- ')).map(({ name }) => name)).toEqual([])
    const others = files.flatMap(({ name, text }) =>
      partsOf(text)
        .functions.replace(/^create or replace function \w+\([\s\S]*?\bas (\$\w*\$)[\s\S]*?\1;$/gm, '')
        .replace(/^grant execute on function [^;]+;$/gm, '')
        .split('\n')
        .filter((line) => line !== '' && !line.startsWith('--'))
        .map((line) => `${name}: ${line}`),
    )
    expect(others).toEqual([])
    expect(readdirSync(folder, { withFileTypes: true }).filter((entry) => !entry.isDirectory())).toEqual([])
  })

  test('has functions and triggers that no migration makes since they moved to it', () => {
    const later = migrationFiles().filter(({ name }) => name > '0107_kept_letters.sql')
    const ofFolder = new Set(
      files.flatMap(({ text }) => [...namesIn(text), ...partsOf(text).triggers.map(({ name }) => name)]),
    )
    const made = later.flatMap(({ name, text }) =>
      [...text.matchAll(/^create (?:or replace )?(?:constraint )?(?:function|trigger) (\w+)/gm)]
        .filter(([, subject = '']) => ofFolder.has(subject))
        .map(([statement]) => `${name}: ${statement}`),
    )
    expect(made, 'The files of src/db/functions are applied after the migrations: change these there.').toEqual([])
  })

  test('has functions and triggers that a migration drops only if they are there: a new database may never have had them', () => {
    const later = migrationFiles().filter(({ name }) => name > '0107_kept_letters.sql')
    const strict = later.filter(({ text }) => /\bdrop (?:function|trigger) (?!if exists)/.test(text))
    expect(strict.map(({ name }) => name)).toEqual([])
  })

  test('has bodies that PostgreSQL accepts, which is not checked while they are applied', async () => {
    const bodies = `do $$ declare made record; begin
      for made in select p.oid, l.lanname from pg_proc p join pg_language l on l.oid = p.prolang where p.pronamespace = 'public'::regnamespace
      loop if made.lanname = 'plpgsql' then perform plpgsql_validator(made.oid); else perform fmgr_sql_validator(made.oid); end if; end loop;
    end $$`
    await expect(queryOn(database, bodies)).resolves.toEqual([])
  })
})

describe('a start', () => {
  const applied = (target = database) =>
    queryOn(target, 'select name, checksum, version, applied_at from function_files order by name')
  const bodyOf = async (name: string) =>
    (await queryOn(database, 'select prosrc as body from pg_proc where proname = $1', [name]))[0]?.body

  test('applies a file whose text changed, and no other one', async () => {
    const before = await applied()
    await migrated(database)
    expect(await applied()).toEqual(before)
    const changed = otherVersion(edit('dashboard/cash.sql', 'begin\n', 'begin -- as it was\n'))
    await migrated(database, { functions: changed })
    const differing = (await applied()).filter(({ checksum }, index) => checksum !== before[index]?.checksum)
    expect(differing.map(({ name }) => name)).toEqual(['dashboard/cash.sql'])
    expect(await bodyOf('update_cash_totals')).toContain('-- as it was')
    await migrated(database)
    expect((await applied()).map(({ checksum }) => checksum)).toEqual(before.map(({ checksum }) => checksum))
    expect(await bodyOf('update_cash_totals')).not.toContain('-- as it was')
  })

  test('keeps the plans of a function that it applied', async () => {
    await migrated(database, {
      functions: otherVersion(edit('dashboard/cash.sql', 'begin\n', 'begin -- with plans\n')),
    })
    const [settings] = await queryOn(database, "select proconfig from pg_proc where proname = 'update_cash_totals'")
    expect(settings?.proconfig).toContain('plan_cache_mode=force_generic_plan')
    await migrated(database)
  })

  test('takes a grant that a file no longer has, and makes a trigger that a file changed', async () => {
    const mayLock = async () =>
      (
        await queryOn(
          database,
          "select has_function_privilege('kontor_confined', 'lock_session(uuid, uuid)', 'execute') as may",
        )
      )[0]?.may
    const triggersOf = (table: string) =>
      queryOn(
        database,
        'select oid, tgname, pg_get_triggerdef(oid) as text from pg_trigger where tgrelid = $1::regclass order by tgname',
        [table],
      )
    const [sessions, expenses, may] = [await triggersOf('sessions'), await triggersOf('payslips'), await mayLock()]
    expect(may).toBe(true)
    const withoutGrant = otherVersion((inFolder) => {
      edit(
        'access/sign-in.sql',
        'grant execute on function lock_session(uuid, uuid) to kontor_confined;\n',
        '',
      )(inFolder)
      edit('payroll/payslips.sql', 'after insert or update on payslips', 'after insert on payslips')(inFolder)
    })
    await migrated(database, { functions: withoutGrant })
    expect(await mayLock()).toBe(false)
    expect(await triggersOf('sessions')).toEqual(sessions) // with the same numbers: none was made again
    expect((await triggersOf('payslips')).find(({ tgname }) => tgname === 'payslip_adds_up')?.text).not.toContain(
      'UPDATE',
    )
    await migrated(database)
    expect(await mayLock()).toBe(true)
    expect((await triggersOf('payslips')).map(({ text }) => text)).toEqual(expenses.map(({ text }) => text))
  })

  test.each([
    [
      'another parameter',
      'subtract_sign_in_failure(attempted text, allowed integer) returns',
      'subtract_sign_in_failure(attempted text) returns',
    ],
    ['another result', 'allowed integer) returns void language sql', 'allowed integer) returns text language sql'],
    ['another name of a parameter', 'subtract_sign_in_failure(attempted text,', 'subtract_sign_in_failure(tried text,'],
  ])('FLT-16: refuses %s of a function and changes nothing', async (_, from, to) => {
    const before = await applied()
    const changed = otherVersion(edit('access/sign-in.sql', from, to))
    await expect(migrated(database, { functions: changed })).rejects.toThrow(
      'A file may not change a signature: drop the function in a migration first.',
    )
    expect(await applied()).toEqual(before)
    await migrated(database)
  })

  test('FLT-16: an older version does not set back the functions of a newer one, and a newer one replaces them', async () => {
    const changes = edit('dashboard/cash.sql', 'begin\n', 'begin -- later\n')
    await migrated(database, { functions: otherVersion(changes, '99.1.0') })
    for (const version of ['99.0.9', '98.2.0', '99.1.0-dev'])
      await expect(migrated(database, { functions: { files, version } })).rejects.toThrow(
        'The functions of the database are those of a newer Kontor (99.1.0). Run that version, or restore an older backup.',
      )
    await migrated(database, { functions: otherVersion(changes, '0.0.1') }) // the same files
    await migrated(database, { functions: { files, version: '99.1.1' } })
    expect(await bodyOf('update_cash_totals')).not.toContain('-- later')
  })

  test('leaves the functions of migrations alone while some migrations are left out', async () => {
    const older = await emptyDatabase()
    onTestFinished(() => dropDatabase(older))
    const names = migrationFiles().map(({ name }) => name)
    await migrated(older, { only: new Set(names.slice(0, names.indexOf('0107_kept_letters.sql') + 1)) })
    expect(await queryOn(older, "select to_regclass('function_files') as there")).toEqual([{ there: null }])
    await migrated(older)
    expect((await applied(older)).map(({ name }) => name)).toEqual(files.map(({ name }) => name))
  })
})
