import '../own-world.ts'
import { type ChildProcess, spawn } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { inspectArchive } from '../../backup/archive.ts'
import type { SecretPlace } from '../../core/secrets/sealed.ts'
import { newId } from '../../core/values/id.ts'
import { serversIn } from '../../db/embedded/process.ts'
import type { DatabaseConfig } from '../../db/pool.ts'
import { queueTables } from '../../db/queue.ts'
import { createApp } from '../../program/app.ts'
import { dropDatabase, emptyDatabase, newDatabase, queryOn, testSecretsKey, urlOf } from '../database.ts'
import { startApiHere } from '../processes/api-here.ts'
import { ask } from '../processes/api-process.ts'
import { buildProgram } from '../processes/bundle.ts'
import { kontor } from '../processes/kontor.ts'
import { runProgram } from '../processes/program.ts'
import { startWorkerHere } from '../processes/worker-here.ts'
import { inProof, proves, sample } from '../prove.ts'
import { asProduct, makeMailboxes, randomKey, storePassword } from '../secrets.ts'
import { member, testConfig, theDatabase, withKey } from '../world.ts'

/** How many clients, writes before the backup, jobs, and workers after the restore. */
const [clients, wave, jobCount, workerCount] = inProof([4, 40, 60, 1], [16, 500, 1_000, 2])
/** How long a client waits after an answer. */
const pauseMs = inProof(50, 0)

/**
 * A database to restore into. In `npm test` it has the schema already: that a restore makes the schema is shown by
 * src/backup/backup.test.ts, and with these commands by first-five-minutes.test.ts and lost-key.test.ts.
 */
const target = () => (proves ? emptyDatabase() : newDatabase())

/** A secret as the product seals it. Its table belongs to the test, so it is dropped before the backup. */
async function sealedSecret(organizationId: string) {
  await makeMailboxes()
  const place: SecretPlace = { table: 'mailboxes', column: 'password', rowId: newId(), organizationId }
  const sealed = await storePassword(place, 'open sesame')
  await asProduct('drop table mailboxes')
  return { place, sealed }
}

test('FLT-19 INV-22: a backup taken under load contains every write acknowledged before it and no incomplete one, and its jobs run once', async () => {
  const amy = await member('CONTRIBUTOR')
  const { authorization } = (await withKey(amy)).credentials as { authorization: string }
  const organizationId = amy.organizationId ?? ''
  const { place, sealed } = await sealedSecret(organizationId)
  const marks = Array.from({ length: jobCount }, () => newId())
  await queryOn(
    theDatabase(),
    `select set_config('app.organization', $1, false), enqueue('test-mark', jsonb_build_object('mark', m)) from unnest($2::text[]) m`,
    [organizationId, marks],
  )
  // Some of them are locked by a worker when the backup is taken.
  await queryOn(
    theDatabase(),
    `update ${queueTables.jobs} set locked_by = 'gone', locked_at = now(), attempts = 1 where id % 7 = 0`,
  )

  const api = await startApiHere({ RATE_LIMIT_SCALE: '1000' })
  onTestFinished(api.close)
  const [acknowledged, attempted] = [new Set<string>(), new Set<string>()]
  let writing = true
  const create = async (): Promise<void> => {
    while (writing) {
      const mark = newId()
      attempted.add(mark)
      const headers = { authorization, 'idempotency-key': mark }
      const body = { organizationId, name: mark, country: 'SG' }
      const { status } = await ask(`${api.url}/api/customers`, { method: 'POST', headers, body })
      expect(status).toBe(201)
      acknowledged.add(mark)
      await sleep(pauseMs)
    }
  }
  const burst = Promise.all(Array.from({ length: clients }, create))
  await vi.waitFor(() => expect(acknowledged.size).toBeGreaterThan(wave), { timeout: 60_000, interval: 20 })
  const before = [...acknowledged]
  const backup = await (proves ? openBackup() : encryptedBackup())
  const during = acknowledged.size - before.length
  writing = false
  await burst
  expect(backup.taken).toMatchObject({ status: 0, stderr: '' })
  expect(during).toBeGreaterThan(0)

  const { restored, elsewhere } = await restoreOf(backup)
  expect(restored.stdout).toContain(`${jobCount} jobs were waiting`)

  const customers = await queryOn(elsewhere, 'select id, name from customers where organization_id = $1', [
    organizationId,
  ])
  const names = customers.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(before))
  expect(names.filter((name) => !attempted.has(name))).toEqual([])
  // Every customer is complete: with its event, its audit row and its remembered answer.
  const ids = customers.map(({ id }) => id).sort()
  const [events, audited, remembered] = await Promise.all([
    queryOn(elsewhere, "select payload ->> 'id' as id from events where type = 'customer.created' order by 1"),
    queryOn(elsewhere, "select object_id as id from audit_log where operation = 'customers_create' order by 1"),
    queryOn(elsewhere, 'select key from idempotency_keys where status = 201 order by 1'),
  ])
  expect(events.map(({ id }) => id)).toEqual(ids)
  expect(audited.map(({ id }) => id)).toEqual(ids)
  expect(remembered.map(({ key }) => key)).toEqual([...names].sort())

  await secretsOpen(elsewhere, { place, sealed })
  await jobsRunOnce(elsewhere, marks)
}, 600_000)

/** A backup as it is without settings. `npm test` restores the encrypted one only; what this one says lost-key.test.ts expects too. */
async function openBackup() {
  const taken = await kontor(['backup', 'books.tar.gz'], { DATABASE_URL: urlOf(theDatabase()) })
  expect(taken.stdout).toContain('store KONTOR_SECRETS_KEY elsewhere')
  return { taken, file: join(taken.cwd, 'books.tar.gz'), env: {} }
}

const passphrase = { KONTOR_BACKUP_PASSPHRASE: 'six random words in a row' }

/** A backup with its key, and the folder of the files of these books. It needs nothing but the passphrase. */
async function encryptedBackup() {
  const amy = await member('CONTRIBUTOR')
  const upload = { file: { fileName: 'a.txt', base64: 'SGVsbG8=' } }
  const [originalHome] = (await amy.call('organizations_file_upload', upload)).storageKey.split('/')
  const top = mkdtempSync(join(tmpdir(), 'kontor-sealed-'))
  const [file, there] = [join(top, 'books.tar.gz.enc'), join(top, 'there')]
  const database = { DATABASE_URL: urlOf(theDatabase()), KONTOR_DATA: testConfig().dataDir }
  if (proves) await backupsAreRefused(file, database)
  expect(readdirSync(top)).toEqual([])
  const taken = await kontor(['backup', file, '--with-key'], { ...database, ...passphrase })
  encrypted = {
    taken,
    file,
    originalHome,
    there,
    env: { KONTOR_DATA: there, KONTOR_SECRETS_KEY: undefined, ...passphrase },
  }
  return encrypted
}
type Encrypted = {
  taken: Awaited<ReturnType<typeof kontor>>
  file: string
  env: Record<string, string | undefined>
  originalHome: string | undefined
  there: string
}
let encrypted: Encrypted | undefined

/** Restores a backup into another database, where every rule holds. */
async function restoreOf({ file, env }: Pick<Encrypted, 'file' | 'env'>) {
  const elsewhere = await target()
  databases.push(elsewhere)
  const isOpen = !('KONTOR_BACKUP_PASSPHRASE' in env)
  if (proves && isOpen) await wrongKeyIsRefused(file, elsewhere)
  const restored = await kontor(['restore', file], { ...env, DATABASE_URL: urlOf(elsewhere) })
  expect(restored.stderr).toBe('')
  // The server for tests gives up durability for speed, and verify says so; every other rule holds.
  expect(restored.stdout.match(/BROKEN {2}\S+/g)).toEqual(['BROKEN  INV-22'])
  copy = { restored, elsewhere }
  return copy
}
/** What was restored last. */
let copy: { restored: Awaited<ReturnType<typeof kontor>>; elsewhere: Awaited<ReturnType<typeof target>> } | undefined
const databases: Awaited<ReturnType<typeof target>>[] = []
afterAll(async () => {
  for (const each of databases) await dropDatabase(each)
})

/** src/backup/keys.test.ts proves it without a process. */
async function wrongKeyIsRefused(file: string, elsewhere: Awaited<ReturnType<typeof emptyDatabase>>) {
  const wrong = await kontor(['restore', file], { DATABASE_URL: urlOf(elsewhere), KONTOR_SECRETS_KEY: randomKey() })
  expect(wrong.status).toBe(1)
  expect(wrong.stderr).toMatch(/^The secrets in this backup were encrypted with the key .* Nothing was restored\.\n$/)
  expect(await queryOn(elsewhere, "select 1 from pg_class where relnamespace = 'public'::regnamespace")).toEqual([])
}

async function secretsOpen(elsewhere: pg.PoolConfig, { place, sealed }: Awaited<ReturnType<typeof sealedSecret>>) {
  const app = await createApp(testConfig({ KONTOR_SECRETS_KEY: testSecretsKey }), elsewhere)
  const secret = await app.system.use((db) => app.services.secrets.vault.open(db, place, sealed))
  expect(secret.reveal()).toBe('open sesame')
  await app.close()
  await expect(createApp(testConfig({ KONTOR_SECRETS_KEY: randomKey() }), elsewhere)).rejects.toThrow(
    'Give it that key',
  )
}

/** In `npm test` the one worker is this process, because nobody kills it. Answers how to stop it. */
async function startWorkerOn(database: DatabaseConfig): Promise<() => Promise<unknown>> {
  if (!proves) return startWorkerHere({}, database)
  const worker = await runProgram(await buildProgram('worker'), { DATABASE: JSON.stringify(database) })
  return () => new Promise((resolve) => worker.once('exit', resolve).kill('SIGTERM'))
}

async function jobsRunOnce(elsewhere: DatabaseConfig, marks: string[]) {
  await queryOn(
    elsewhere,
    'create table test_marks (mark text not null); grant insert, select on test_marks to kontor_confined',
  )
  const stops = await Promise.all(Array.from({ length: workerCount }, () => startWorkerOn(elsewhere)))
  const left = "select count(*)::int as jobs from graphile_worker.jobs where task_identifier = 'test-mark'"
  await vi.waitFor(async () => expect(await queryOn(elsewhere, left)).toEqual([{ jobs: 0 }]), {
    timeout: 60_000,
    interval: 100,
  })
  await Promise.all(stops.map((stop) => stop()))
  const done = await queryOn(elsewhere, 'select mark from test_marks order by 1')
  expect(done.map(({ mark }) => mark)).toEqual([...marks].sort())
}

// first-five-minutes.test.ts backs up and verifies beside a running Kontor and restores into another folder, lost-key.test.ts
// restores without a key, and src/backup/backup.test.ts compares the backup of a restored database.
test.runIf(proves)(
  'FLT-19: backup and verify work while Kontor runs on the data folder, and the backup is restored into another folder',
  async () => {
    const top = mkdtempSync(join(tmpdir(), 'kontor-beside-'))
    const [here, there] = [join(top, 'here'), join(top, 'there')]
    const running = await startKontor({ KONTOR_DATA: here, PORT: '0' })
    onTestFinished(() => void running.kill('SIGKILL'))
    const local = { KONTOR_SECRETS_KEY: undefined, KONTOR_DATA: here }
    const taken = await kontor(['backup'], local)
    expect(taken).toMatchObject({ status: 0, stderr: '' })
    expect(taken.stdout).toContain(`store ${join(here, 'secrets.key')} elsewhere`)
    const [name = ''] = readdirSync(taken.cwd)
    expect(name).toMatch(/^kontor-backup-\d{8}T\d{6}Z\.tar\.gz$/)
    expect((await inspectArchive(join(taken.cwd, name))).parts['tables/organizations']?.rows).toBe(3)
    const verified = await kontor(['verify'], local)
    expect(verified).toMatchObject({ status: 0, stderr: '' })
    expect(verified.stdout).toContain('All rules hold.')
    running.kill('SIGTERM')
    await new Promise((resolve) => running.once('exit', resolve))

    const keyless = await kontor(['restore', join(taken.cwd, name)], { ...local, KONTOR_DATA: there })
    expect(keyless.stderr).toContain('no key is set here')
    expect(readdirSync(top)).toEqual(['here'])

    mkdirSync(there)
    copyFileSync(join(here, 'secrets.key'), join(there, 'secrets.key'))
    const restored = await kontor(['restore', join(taken.cwd, name)], { ...local, KONTOR_DATA: there })
    expect(restored).toMatchObject({ status: 0, stderr: '' })
    expect(restored.stdout).toContain('All rules hold.')
    expect(serversIn(join(there, 'postgres'))).toEqual([])

    const again = await kontor(['backup', join(top, 'again.tar.gz')], { ...local, KONTOR_DATA: there })
    expect(again).toMatchObject({ status: 0 })
    const both = [join(taken.cwd, name), join(top, 'again.tar.gz')].map((file) => inspectArchive(file))
    const [first, second] = await Promise.all(both)
    expect(second?.parts).toEqual(first?.parts)
  },
  600_000,
)

test('FLT-19: an encrypted backup with its key is checked and restored into an empty folder, with nothing but its passphrase', async () => {
  const backup = encrypted ?? (await encryptedBackup()) // in `npm test` the one of the test before
  const { file, taken, there } = backup
  expect(taken).toMatchObject({ status: 0, stderr: '' })
  expect(taken.stdout).toContain('The key of the secrets is included')
  expect(taken.stdout).not.toContain('elsewhere')

  // Another machine in strict mode, without a key and without a database.
  const elsewhere = { KONTOR_MODE: 'strict', KONTOR_SECRETS_KEY: undefined, ...passphrase }
  const checked = await kontor(['backup', '--check', file], elsewhere)
  expect(checked).toMatchObject({ status: 0, stderr: '' })
  expect(checked.stdout).toMatch(
    /is complete: .*\nTaken at .*\n.*\nRows refer to .*\nThis Kontor .* can restore it\.\nIt includes its key/,
  )
  const key = await kontor(['backup', '--key', file], elsewhere)
  expect(key.stdout).toBe(`${testSecretsKey}\n`)
  if (proves) {
    const closed = await kontor(['backup', '--check', file])
    expect(closed).toMatchObject({ status: 1, stdout: '' })
    expect(closed.stderr).toMatch(/is encrypted: set KONTOR_BACKUP_PASSPHRASE/)
  }

  const { restored } = proves || !copy ? await restoreOf(backup) : copy
  expect(restored.stdout).toContain(
    `The key of the secrets was in the backup and is now in ${join(there, 'secrets.key')}.`,
  )
  expect(readFileSync(join(there, 'secrets.key'), 'utf8').trim()).toBe(testSecretsKey)
}, 600_000)

test('FLT-19: a restored copy stores its files under a key of its own, so that it cannot delete those of the original', async () => {
  if (!copy) throw new Error('Nothing was restored.')
  expect(copy.restored.stdout).toContain('holds   FLT-08')
  const [here] = await queryOn(copy.elsewhere, 'select home from file_home')
  expect(here.home).toMatch(/^[0-9a-f]{12}$/)
  expect(here.home).not.toBe(encrypted?.originalHome)
})

/** Without a passphrase, and with a wrong key. src/backup/keys.test.ts proves it without a process. */
async function backupsAreRefused(file: string, database: Record<string, string>) {
  const refused = await kontor(['backup', file, '--with-key'], database)
  expect(refused).toMatchObject({ status: 1, stdout: '' })
  expect(refused.stderr).toContain('kontor backup --with-key needs a passphrase')
  const wrong = await kontor(['backup', file], { ...database, KONTOR_SECRETS_KEY: randomKey() })
  expect(wrong).toMatchObject({ status: 1, stdout: '' })
  expect(wrong.stderr).toMatch(/^The secrets in this database were encrypted with the key .* No backup was written\./)
}

// They open the database in the same way.
test.each(sample(['backup', 'verify'], 2))(
  'kontor %s on a data folder without a database is refused and creates none',
  async (verb) => {
    const { status, stderr, cwd } = await kontor([verb])
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: `There is no database in ${join(cwd, 'data')}: set KONTOR_DATA or DATABASE_URL.\n`,
    })
    expect(readdirSync(cwd)).toEqual([])
  },
)

/** Starts everything as `npm start` does, with the demo companies, and waits until it is ready. */
async function startKontor(env: Record<string, string>): Promise<ChildProcess> {
  const { PATH, HOME } = process.env
  const program = fileURLToPath(new URL('../../../scripts/kontor.mjs', import.meta.url))
  const child = spawn(process.execPath, [program, 'start'], {
    env: { PATH, HOME, KONTOR_ENV_FILE: 'off', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (text) => String(text).includes('Kontor is ready') && resolve())
    child.once('exit', (code) => reject(new Error(`It ended with ${code}`)))
  })
  return child
}
