import '../test/own-world.ts'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { theApp } from '../test/world.ts'

const migration = readFileSync(new URL('./migrations/0022_plain_function_names.sql', import.meta.url), 'utf8')
const renamed = [...migration.matchAll(/^-- {3}(\w+) +-> (\w+)$/gm)].map(([, oldName, newName]) => ({
  oldName,
  newName,
}))

/** What callers of a function depend on, apart from its name. */
const contractOf = `select pg_get_function_arguments(p.oid) as arguments, pg_get_function_result(p.oid) as result,
    p.prosecdef as definer, p.provolatile as volatility, p.proparallel as parallel,
    array(select c from unnest(p.proconfig) c where c not like 'plan_cache_mode=%') as settings,
    p.proacl::text as grants, p.proowner as owner
  from pg_proc p where p.pronamespace = 'public'::regnamespace and p.proname = $1`

test('the migration lists the renamed functions', () => {
  expect(renamed).toHaveLength(17)
  expect(renamed).toContainEqual({ oldName: 'enter', newName: 'authorize_request' })
})

test.each(renamed)('FLT-16: $oldName is still there for one version, with the contract of $newName', async (names) => {
  await theApp().system.use(async (_, connection) => {
    const [older, newer] = [names.oldName, names.newName].map((name) => connection.query(contractOf, [name]))
    const expected = (await newer)?.rows
    expect(expected).toHaveLength(1)
    expect((await older)?.rows).toEqual(expected)
  })
})

test('no function calls an old name', async () => {
  const oldNames = renamed.map(({ oldName }) => oldName)
  const { rows } = await theApp().system.use((_, connection) =>
    connection.query(
      `select p.proname as caller, called from pg_proc p, unnest($1::text[]) called
       where p.pronamespace = 'public'::regnamespace and p.prosrc ~ ('\\m' || called || '\\M\\s*\\(')`,
      [oldNames],
    ),
  )
  expect(rows).toEqual([])
})
