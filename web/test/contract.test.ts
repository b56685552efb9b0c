import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))

test('contract.ts is what scripts/contract.mjs writes for docs/openapi.json; if not, run npm run openapi', () => {
  const written = execFileSync(process.execPath, ['scripts/contract.mjs', '--print'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 10_000_000,
  })
  expect(readFileSync(`${root}web/src/contract.ts`, 'utf8')).toBe(written)
})
