import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { migrate, migrationFiles } from '../../db/migrate.ts'
import { resilientPool } from '../../db/pool.ts'
import { dropDatabase, emptyDatabase, newDatabase, queryOn, urlOf } from '../database.ts'
import { kontor } from '../processes/kontor.ts'
import { randomKey } from '../secrets.ts'

/** Starts `kontor start` with more words, and answers when it is ready. */
async function started(words: string[], env: Record<string, string>): Promise<{ child: ChildProcess; output: string }> {
  const { PATH, HOME } = process.env
  const program = fileURLToPath(new URL('../../../scripts/kontor.mjs', import.meta.url))
  const child = spawn(process.execPath, [program, 'start', ...words], {
    env: { PATH, HOME, KONTOR_ENV_FILE: 'off', PORT: '0', KONTOR_DEMO: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let output = ''
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text) => {
        output += text
        if (output.includes('Kontor is ready')) resolve()
      })
    child.once('exit', (code) => reject(new Error(`It ended with ${code}: ${output}`)))
  })
  return { child, output }
}

async function stop({ child }: { child: ChildProcess }) {
  child.kill('SIGTERM')
  await new Promise((resolve) => child.once('exit', resolve))
}

test('SEC-2 FLT-19: without its key the books are verified, restored and opened, and no wrong key is ever made', async () => {
  const top = mkdtempSync(join(tmpdir(), 'kontor-lost-key-'))
  onTestFinished(() => rmSync(top, { recursive: true, force: true }))
  const [here, there] = [join(top, 'here'), join(top, 'there')]
  const at = (dataDir: string) => ({ KONTOR_SECRETS_KEY: undefined, KONTOR_DATA: dataDir })
  const file = join(here, 'secrets.key')
  await stop(await started([], { KONTOR_DATA: here }))
  const backup = join(top, 'backup.tar.gz')
  expect(await kontor(['backup', backup], at(here))).toMatchObject({ status: 0 })
  renameSync(file, join(top, 'stored-elsewhere.key'))

  for (const words of [['start'], ['secrets', 'rotate']]) {
    const refused = await kontor(words, { ...at(here), PORT: '0' })
    expect(refused.status).toBe(1)
    expect(refused.stderr).toContain(`${file} is missing and KONTOR_SECRETS_KEY is not set`)
    expect(refused.stderr).toContain('kontor start --without-secrets opens the books')
    expect(refused.stderr).not.toMatch(/^\s+at /m)
  }
  const verified = await kontor(['verify'], at(here))
  expect(verified).toMatchObject({ status: 1, stderr: '' })
  expect(verified.stdout).toMatch(/All rules hold\.[\s\S]*is missing and KONTOR_SECRETS_KEY is not set/)
  expect(await kontor(['verify', '--without-secrets'], at(here))).toMatchObject({ status: 0, stderr: '' })
  expect(readdirSync(here)).not.toContain('secrets.key')

  writeFileSync(file, `${randomKey()}\n`)
  const wrong = await kontor(['start'], { ...at(here), PORT: '0' })
  expect(wrong.stderr).toMatch(/^The secrets in this database were sealed with the key [\s\S]*--without-secrets/)
  rmSync(file)

  const opened = await started(['--without-secrets'], { KONTOR_DATA: here })
  expect(opened.output).toContain('was marked as lost')
  await stop(opened)
  expect(readFileSync(file, 'utf8')).not.toBe(readFileSync(join(top, 'stored-elsewhere.key'), 'utf8'))
  const again = await started(['--without-secrets'], { KONTOR_DATA: here })
  expect(again.output).toContain('nothing is lost')
  await stop(again)
  expect(await kontor(['verify'], at(here))).toMatchObject({ status: 0, stderr: '' })
  // A backup of these books needs the new key only.
  const second = join(top, 'second.tar.gz')
  expect(await kontor(['backup', second], at(here))).toMatchObject({ status: 0 })
  const elsewhere = { KONTOR_SECRETS_KEY: readFileSync(file, 'utf8').trim(), KONTOR_DATA: join(top, 'elsewhere') }
  expect(await kontor(['restore', second], elsewhere)).toMatchObject({ status: 0, stderr: '' })

  const keyless = await kontor(['restore', backup], at(there))
  expect(keyless.stderr).toContain('kontor restore <file> --without-secrets')
  expect(existsSync(there)).toBe(false)
  const restored = await kontor(['restore', backup, '--without-secrets'], at(there))
  expect(restored).toMatchObject({ status: 0, stderr: '' })
  expect(restored.stdout).toContain('was marked as lost')
  expect(await kontor(['verify'], at(there))).toMatchObject({ status: 0, stderr: '' })
}, 600_000)

test.each([[['verify']], [['secrets', 'rotate']], [['secrets', 'rotate', '--data']]])(
  'kontor %j refuses a database of another version and changes nothing',
  async (words) => {
    const older = await emptyDatabase()
    onTestFinished(() => dropDatabase(older))
    const names = migrationFiles().map(({ name }) => name)
    const pool = resilientPool({ ...older, max: 3 })
    await migrate(pool, () => {}, { only: new Set(names.slice(0, -2)) })
    await pool.end()
    const applied = 'select name, applied_at from migrations order by name'
    const before = await queryOn(older, applied)
    const folder = { KONTOR_DATA: mkdtempSync(join(tmpdir(), 'kontor-older-')) }
    expect(await kontor(words, { DATABASE_URL: urlOf(older), ...folder })).toMatchObject({
      status: 1,
      stderr: `The database has the schema of an older Kontor: it lacks 2 migrations, from ${names.at(-2)} on. Migrate it first with kontor migrate or kontor start, or run this command with the version that it has. Nothing was changed.\n`,
    })
    expect(await queryOn(older, applied)).toEqual(before)

    const newer = await newDatabase()
    onTestFinished(() => dropDatabase(newer))
    await queryOn(newer, "insert into migrations (name, checksum) values ('9999_future.sql', '')")
    expect(await kontor(words, { DATABASE_URL: urlOf(newer), ...folder })).toMatchObject({
      status: 1,
      stderr:
        'The database was migrated by a newer Kontor (9999_future.sql). Run this command with that version. Nothing was changed.\n',
    })
    expect(readdirSync(folder.KONTOR_DATA)).toEqual([])
  },
)
