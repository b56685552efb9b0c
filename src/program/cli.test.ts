import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { kontor } from '../test/processes/kontor.ts'
import { sample } from '../test/prove.ts'
import { newFolder } from '../test/temporary-folder.ts'

test('an unknown command shows a sentence, a blank line and the help', async () => {
  const { status, stderr } = await kontor(['bogus'])
  expect(status).toBe(1)
  expect(stderr).toMatch(/Unknown command "kontor bogus"\.\n\nKontor: [^\n]+\n\n {2}kontor start /)
})

test('a wrong setting is reported without a stack trace', async () => {
  const { status, stderr } = await kontor(['start'], { TRUSTED_PROXIES: 'nowhere' })
  expect(status).toBe(1)
  expect(stderr).toContain('TRUSTED_PROXIES must be')
  expect(stderr).not.toMatch(/^\s+at /m)
})

test('the help says how to call a command from any folder', async () => {
  const { status, stdout } = await kontor(['--help'])
  expect(status).toBe(0)
  expect(stdout).toMatch(/^kontor is node ('.+\/scripts\/kontor\.mjs'|\S+\/scripts\/kontor\.mjs), from any folder\.$/m)
})

// command.test.ts asks for the help of every command, in every way.
test.each(
  sample(
    [
      [['start', '--help'], 'kontor start [--without-secrets]'],
      [['restore', 'x.tar.gz', '-h'], 'kontor restore <file> [--without-secrets]'],
    ] as const,
    2,
  ),
)('%j shows the help of the command and runs nothing, not even with a wrong setting', async (words, first) => {
  const { status, stdout, stderr, cwd } = await kontor([...words], { PORT: 'wrong' })
  expect([status, stderr, stdout.split('\n')[0]]).toEqual([0, '', first])
  expect(readdirSync(cwd)).toEqual([])
})

test('an unknown option is refused before anything runs', async () => {
  const { status, stdout, stderr, cwd } = await kontor(['backup', '--nowhere'])
  const sentence = 'kontor backup has no option --nowhere. See kontor backup --help.\n'
  expect({ status, stdout, stderr }).toEqual({ status: 1, stdout: '', stderr: sentence })
  expect(readdirSync(cwd)).toEqual([])
})

test('the settings of a file are used and named, never shown; a wrong line is a sentence', async () => {
  const file = join(newFolder('env'), '.env')
  writeFileSync(file, 'PORT=wrong\nMETRICS_TOKEN=sixteen-letters!\n')
  const used = await kontor(['start'], { KONTOR_ENV_FILE: file })
  expect(used.stderr).toBe(
    `Settings of ${file} are used: PORT, METRICS_TOKEN.\nPORT must be a whole number from 0 to 65535; it is "wrong".\n`,
  )
  writeFileSync(file, 'PORT=3000\nhunter2\n')
  const wrong = await kontor(['start'], { KONTOR_ENV_FILE: file })
  expect({ status: wrong.status, stderr: wrong.stderr }).toEqual({
    status: 1,
    stderr: `Line 2 of ${file} must be NAME=value, or a comment that begins with #.\n`,
  })
})

test('kontor mcp says that no server runs on the data folder', async () => {
  const { status, stdout, stderr, cwd } = await kontor(['mcp'], { KONTOR_API_KEY: 'kt_x' })
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
  expect(stderr).toBe(
    `No Kontor is running on ${join(cwd, 'data')}. Start it with npm start, or set KONTOR_URL to another one.\n`,
  )
})
