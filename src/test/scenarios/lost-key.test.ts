import '../own-world.ts'
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { migrationFiles } from '../../db/migrate.ts'
import { dropDatabase, migratedFolder, newDatabase, queryOn, urlOf } from '../database.ts'
import { copyDataFolder } from '../processes/data-folder.ts'
import { kontor } from '../processes/kontor.ts'
import { inProof, pairs, proves, sample } from '../prove.ts'
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
  copyDataFolder(migratedFolder(), here)
  const running = await started([], { KONTOR_DATA: here })
  const backup = join(top, 'backup.tar.gz')
  const taken = await kontor(['backup', backup], at(here)) // while Kontor runs
  expect(taken).toMatchObject({ status: 0, stderr: '' })
  expect(taken.stdout).toContain(`the key is not included: store ${file} elsewhere.`)
  renameSync(file, join(top, 'stored-elsewhere.key'))
  const verified = await kontor(['verify'], at(here))
  expect(verified).toMatchObject({ status: 1, stderr: '' })
  expect(verified.stdout).toMatch(/All rules hold\.[\s\S]*is missing and KONTOR_SECRETS_KEY is not set/)
  await stop(running)

  for (const words of inProof([['start']], [['start'], ['secrets', 'rotate']])) {
    const refused = await kontor(words, { ...at(here), PORT: '0' })
    expect(refused.status).toBe(1)
    expect(refused.stderr).toContain(`${file} is missing and KONTOR_SECRETS_KEY is not set`)
    expect(refused.stderr).toContain('kontor start --without-secrets opens the books')
    expect(refused.stderr).not.toMatch(/^\s+at /m)
  }
  if (proves) {
    const alone = await kontor(['verify'], at(here)) // also when Kontor does not run
    expect([alone.status, alone.stdout]).toEqual([
      1,
      expect.stringContaining('is missing and KONTOR_SECRETS_KEY is not set'),
    ])
    expect(await kontor(['verify', '--without-secrets'], at(here))).toMatchObject({ status: 0, stderr: '' })
  }
  expect(readdirSync(here)).not.toContain('secrets.key')

  // src/backup/backup.test.ts and src/core/secrets/secrets.test.ts open books with a wrong key without a process.
  if (proves) {
    writeFileSync(file, `${randomKey()}\n`)
    const wrong = await kontor(['start'], { ...at(here), PORT: '0' })
    expect(wrong.stderr).toMatch(/^The secrets in this database were sealed with the key [\s\S]*--without-secrets/)
    rmSync(file)
  }

  const opened = await started(['--without-secrets'], { KONTOR_DATA: here })
  expect(opened.output).toContain('was marked as lost')
  await stop(opened)
  expect(readFileSync(file, 'utf8')).not.toBe(readFileSync(join(top, 'stored-elsewhere.key'), 'utf8'))
  if (proves) {
    const again = await started(['--without-secrets'], { KONTOR_DATA: here })
    expect(again.output).toContain('nothing is lost')
    await stop(again)
  }
  if (proves) {
    expect(await kontor(['verify'], at(here))).toMatchObject({ status: 0, stderr: '' })
    // A backup of these books needs the new key only.
    const second = join(top, 'second.tar.gz')
    expect(await kontor(['backup', second], at(here))).toMatchObject({ status: 0 })
    const elsewhere = { KONTOR_SECRETS_KEY: readFileSync(file, 'utf8').trim(), KONTOR_DATA: join(top, 'elsewhere') }
    expect(await kontor(['restore', second], elsewhere)).toMatchObject({ status: 0, stderr: '' })
  }

  if (proves) {
    const keyless = await kontor(['restore', backup], at(there))
    expect(keyless.stderr).toContain('kontor restore <file> --without-secrets')
    expect(existsSync(there)).toBe(false)
  }
  const restored = await kontor(['restore', backup, '--without-secrets'], at(there))
  expect(restored).toMatchObject({ status: 0, stderr: '' })
  for (const line of ['was marked as lost', 'All rules hold.']) expect(restored.stdout).toContain(line)
  if (proves) expect(await kontor(['verify'], at(there))).toMatchObject({ status: 0, stderr: '' })
}, 600_000)

describe('a database of another version', () => {
  const names = migrationFiles().map(({ name }) => name)
  let older: Awaited<ReturnType<typeof newDatabase>>
  let newer: typeof older
  let changed: typeof older
  beforeAll(async () => {
    ;[older, newer, changed] = [await newDatabase(), await newDatabase(), await newDatabase()]
    await queryOn(changed, "update function_files set checksum = '' where name like 'documents/%'")
    await queryOn(older, 'delete from migrations where name = any ($1)', [names.slice(-2)]) // which say the version
    await queryOn(newer, "insert into migrations (name, checksum) values ('9999_future.sql', '')")
  })
  afterAll(() => Promise.all([older, newer, changed].map((database) => dropDatabase(database))))

  const versions = [
    {
      version: 'older',
      database: () => older,
      says: `The database has the schema of an older Kontor: it lacks 2 migrations, from ${names.at(-2)} on. Migrate it first with kontor migrate or kontor start, or run this command with the version that it has. Nothing was changed.\n`,
    },
    {
      version: 'newer',
      database: () => newer,
      says: 'The database was migrated by a newer Kontor (9999_future.sql). Run this command with that version. Nothing was changed.\n',
    },
    {
      version: 'otherwise built',
      database: () => changed,
      says: 'The functions of the database are those of another Kontor. Apply those of this one first with kontor migrate or kontor start, or run this command with the version that it has. Nothing was changed.\n',
    },
  ]
  const commands = [['verify'], ['secrets', 'rotate'], ['secrets', 'rotate', '--data']]

  test.each(
    pairs(sample(commands, 2), versions).map(([words, version]) => ({ command: words.join(' '), words, ...version })),
  )('an $version one is refused by kontor $command, which changes nothing', async ({ words, database, says }) => {
    const applied = 'select name, applied_at from migrations order by name'
    const before = await queryOn(database(), applied)
    const folder = { KONTOR_DATA: mkdtempSync(join(tmpdir(), 'kontor-version-')) }
    const answer = await kontor(words, { DATABASE_URL: urlOf(database()), ...folder })
    expect(answer).toMatchObject({ status: 1, stderr: says })
    expect(await queryOn(database(), applied)).toEqual(before)
    expect(readdirSync(folder.KONTOR_DATA)).toEqual([])
  })
})
