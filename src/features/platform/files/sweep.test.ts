import '../../../test/own-world.ts'
import { utimesSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { migrationLock } from '../../../db/migration-lock.ts'
import { resilientPool } from '../../../db/pool.ts'
import { changeJobs, findJobs } from '../../../test/queue.ts'
import { within } from '../../../test/secrets.ts'
import { member, type Someone, testConfig, theApp, theDatabase } from '../../../test/world.ts'
import { startWorker } from '../../../worker/worker.ts'
import { remove } from './store.ts'
import { removeFile, sweepFiles } from './sweep.ts'

const storage = () => theApp().providers.storage
const query = (text: string, values: unknown[] = []) => theApp().system.raw.query(text, values)

const stopping: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stopping.splice(0).reverse()) await stop()
})

async function work() {
  const pool = resilientPool({ ...theDatabase(), max: 4 })
  const complaints: unknown[] = []
  const logError = (error: unknown) => void complaints.push(error)
  const worker = await startWorker(pool, {
    ...theApp(),
    jobs: [removeFile, sweepFiles],
    subscriberJobs: () => [],
    logError,
  })
  stopping.push(
    () => pool.end(),
    () => worker.stop(),
  )
  return complaints
}

const upload = (who: Someone) =>
  who.call('organizations_file_upload', { file: { fileName: 'a.txt', base64: 'SGVsbG8=' } })

/** Bytes that an upload left without a row. */
async function orphan() {
  const path = storage().scratch()
  await writeFile(path, 'orphan')
  return storage().put(path)
}

function aged(key: string, hours: number) {
  const [home = '', name = ''] = key.split('/')
  const at = new Date(Date.now() - hours * 60 * 60 * 1000)
  utimesSync(join(testConfig().dataDir, 'files', home, name.slice(0, 2), name), at, at)
  return key
}

test('FLT-08: files without a row are removed after an hour, and files with a row or younger ones are kept', async () => {
  const amy = await member('CONTRIBUTOR')
  const { storageKey: kept } = await upload(amy)
  aged(kept, 48)
  const old = [aged(await orphan(), 2), aged(await orphan(), 30)]
  const young = aged(await orphan(), 0.9)
  await query("select enqueue('sweep-files', '{}')")
  await work()
  await vi.waitFor(async () => {
    for (const key of old) expect(await storage().has(key)).toBe(false)
  }, 10_000)
  expect(await storage().has(kept)).toBe(true)
  expect(await storage().has(young)).toBe(true)
})

test('the files of a deleted organization are removed by the next sweep', async () => {
  const amy = await member('OWNER')
  const { storageKey } = await upload(amy)
  aged(storageKey, 2)
  await amy.call('organizations_delete', { id: String(amy.organizationId) })
  await query("select enqueue('sweep-files', '{}')")
  await work()
  await vi.waitFor(async () => expect(await storage().has(storageKey)).toBe(false), 10_000)
})

test('a deleted file is removed from the store by its job, and not before', async () => {
  const amy = await member('CONTRIBUTOR')
  const [gone, other] = [await upload(amy), await upload(amy)]
  const order = (job: string, payload: object) => void ordered.push([job, payload])
  const ordered: [string, object][] = []
  await within(amy.organizationId, (db) => remove({ db, enqueue: order }, gone.id))
  expect(await storage().has(gone.storageKey)).toBe(true)
  // A job that names a file with a row removes nothing.
  for (const [job, payload] of [...ordered, ['remove-file', { storageKey: other.storageKey }] as const]) {
    await query("select set_config('app.organization', $1, false), enqueue($2, $3)", [amy.organizationId, job, payload])
  }
  await work()
  await vi.waitFor(async () => expect(await storage().has(gone.storageKey)).toBe(false), 10_000)
  await vi.waitFor(async () => {
    expect((await query("select from graphile_worker.jobs where task_identifier = 'remove-file'")).rows).toEqual([])
  }, 10_000)
  expect(await storage().has(other.storageKey)).toBe(true)
})

test('concurrent removal jobs do not take each other for a backup, and each removes its file', async () => {
  const amy = await member('CONTRIBUTOR')
  const files = await Promise.all(Array.from({ length: 12 }, () => upload(amy)))
  await query('delete from files where organization_id = $1', [amy.organizationId])
  for (const { storageKey } of files) {
    await query("select set_config('app.organization', $1, false), enqueue('remove-file', $2)", [
      amy.organizationId,
      { storageKey },
    ])
  }
  await work()
  await vi.waitFor(async () => {
    expect((await query("select from graphile_worker.jobs where task_identifier = 'remove-file'")).rows).toEqual([])
  }, 15_000)
  for (const { storageKey } of files) expect(await storage().has(storageKey)).toBe(false)
})

test('FLT-19: no file is removed from the store during a backup, and it is removed afterwards', async () => {
  const amy = await member('OWNER')
  const [gone, swept] = [(await upload(amy)).storageKey, aged(await orphan(), 2)]
  await query('delete from files where storage_key = $1', [gone])
  const backup = await theApp().system.raw.connect()
  await backup.query(`select pg_advisory_lock_shared(${migrationLock})`)
  const order = async () => {
    await query("select enqueue('remove-file', $1)", [{ storageKey: gone }])
    await query("select enqueue('sweep-files', '{}')")
  }
  const due = async () => (await findJobs('run_at <= now()')).length
  await order()
  await work()
  await vi.waitFor(async () => expect(await due()).toBe(0), 10_000)
  expect([await storage().has(gone), await storage().has(swept)]).toEqual([true, true])
  backup.release(true)
  await changeJobs('run_at = now()') // the removal was put off, not forgotten
  await query("select enqueue('sweep-files', '{}')")
  await vi.waitFor(async () => {
    expect([await storage().has(gone), await storage().has(swept)]).toEqual([false, false])
  }, 10_000)
})
