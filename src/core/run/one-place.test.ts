import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const src = fileURLToPath(new URL('../..', import.meta.url))

/** Product files that contain the text, tests and test helpers left out. */
const filesWith = (text: RegExp) =>
  readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.startsWith('test/'))
    .filter((name) => text.test(readFileSync(`${src}/${name}`, 'utf8')))

test.each([
  ['audit rows are written', /insert into audit_log|insertInto\('auditLog'\)/, 'core/run/audit.ts'],
  [
    'a transaction gets its person, organization and role',
    /set_config\('app\.|set local role/,
    'core/run/transaction-context.ts',
  ],
  ['time limits of work are made', /AbortSignal\.timeout/, 'core/values/time-limit.ts'],
  ['the languages are listed', /type Language =|'en' \| 'he'/, 'core/values/language.ts'],
])('%s in one file', (_, text, file) => {
  expect(filesWith(text)).toEqual([file])
})
