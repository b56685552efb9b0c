import '../test/own-world.ts'
import { expect, test } from 'vitest'
import { theApp } from '../test/world.ts'

/**
 * Functions that run with the rights of their owner and have no search path of their own: each request or step calls them, and
 * a SET clause would cost time in every call. They name the schema of all tables and functions of ours instead.
 */
const withoutSearchPath = [
  'authorize_request', 'authorize_run', 'credential_reaches', 'enqueue', 'enter', 'finish_job', 'remembered_organization',
  'require_rights_of_run', 'rights_of_graph',
] // biome-ignore format: a list of words
const isListed = (name: string) => withoutSearchPath.includes(name) || name.startsWith('owner_of_')

const query = async (text: string) => (await theApp().system.raw.query<Record<string, string>>(text)).rows

const definers = `select p.proname as name, p.prosrc as body, array_to_string(p.proconfig, ' ') as settings from pg_proc p
  where p.pronamespace = 'public'::regnamespace and p.prosecdef`

test('THR-07: a function with the rights of its owner has its own search path, or is one of those that name all schemas', async () => {
  const rows = await query(definers)
  expect(rows.length).toBeGreaterThan(30)
  const open = rows.filter(({ settings }) => !settings?.includes('search_path='))
  expect(open.map(({ name = '' }) => name).filter((name) => !isListed(name))).toEqual([])
})

test('THR-07: the functions without a search path name the schema of every table and function of ours', async () => {
  const rows = (await query(definers)).filter(({ settings }) => !settings?.includes('search_path='))
  expect(rows.length).toBeGreaterThan(20)
  const tables = (await query("select relname as name from pg_class where relnamespace = 'public'::regnamespace")).map(({ name }) => name)
  const functions = (await query("select proname as name from pg_proc where pronamespace = 'public'::regnamespace")).map(({ name }) => name)
  const unnamed = rows.flatMap(({ name, body = '' }) => [
    ...[...body.matchAll(/\b(?:from|join|update|into)\s+(\w+)\b(?!\s*[.(])/gi)].filter(([, word]) => tables.includes(word)).map(([text]) => `${name}: ${text}`),
    ...[...body.matchAll(/(?<![.\w])(\w+)\s*\(/g)].filter(([, word]) => functions.includes(word)).map(([text]) => `${name}: ${text}`),
  ])
  expect(unnamed).toEqual([])
}) // biome-ignore format: a list of words
