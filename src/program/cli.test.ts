import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const kontor = (verb: string, env: Record<string, string> = {}) => {
  const program = fileURLToPath(new URL('../../scripts/kontor.mjs', import.meta.url))
  const { PATH, HOME } = process.env
  const { status, stderr } = spawnSync(process.execPath, [program, verb], {
    env: { PATH, HOME, ...env },
    encoding: 'utf8',
  })
  return { status, stderr }
}

test('an unknown command shows a sentence, a blank line and the help', () => {
  const { status, stderr } = kontor('bogus')
  expect(status).toBe(1)
  expect(stderr).toMatch(/Unknown command "kontor bogus"\.\n\nKontor: [^\n]+\n\n {2}kontor start /)
})

test('a wrong setting is reported without a stack trace', () => {
  const { status, stderr } = kontor('start', { TRUSTED_PROXIES: 'nowhere' })
  expect(status).toBe(1)
  expect(stderr).toContain('TRUSTED_PROXIES must be')
  expect(stderr).not.toMatch(/^\s+at /m)
})
