import '../test/own-world.ts'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { Secret } from '../core/secrets/secret.ts'
import { newId } from '../core/values/id.ts'
import { createS3 } from '../providers/storage/s3.ts'
import { dropDatabase, emptyDatabase } from '../test/database.ts'
import { type S3Server, startS3 } from '../test/fakes/s3.ts'
import { newFolder } from '../test/temporary-folder.ts'
import { member, theApp, theDatabase } from '../test/world.ts'
import { inspectArchive, readArchive } from './archive.ts'
import { createKeyReader, missingFrom, storedSentence } from './stored-files.ts'
import { takeBackup } from './take-backup.ts'

const ended: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ended.splice(0)) await end()
})

const name = (n: number) => `${n}`.padStart(43, '0')

async function bucket(keys: string[]): Promise<S3Server> {
  const s3 = await startS3()
  ended.push(() => s3.close())
  for (const key of keys) s3.objects.set(key, { bytes: Buffer.from('x'), modifiedAt: new Date() })
  return s3
}

const storeOf = (s3: S3Server, home = 'home') => createS3(new Secret(s3.url), home)

async function* each(keys: string[]) {
  yield* keys
}

test('files are compared with a listing, and only those that are not listed are asked for', async () => {
  const own = Array.from({ length: 2_500 }, (_, n) => `home/${name(n)}`)
  const s3 = await bucket([...own.filter((_, n) => n !== 7), `other/${name(1)}`])
  const keys = [...own, `other/${name(1)}`, `other/${name(2)}`]
  expect(await missingFrom(storeOf(s3), each(keys))).toEqual([own[7], `other/${name(2)}`])
  expect(s3.seen.filter((line) => line.startsWith('HEAD'))).toHaveLength(3)
  expect(s3.seen.filter((line) => line.startsWith('GET'))).toHaveLength(3)
})

/** A row for each key, in an organization of its own. */
async function withFiles(keys: string[]) {
  const { organizationId } = await member('OWNER')
  for (const key of keys) {
    await theApp().system.raw.query(
      `insert into files (organization_id, id, file_name, file_type, file_size, sha256, storage_key)
       values ($1, $2, $3, 'text/plain', 10, repeat('a', 64), $4)`,
      [organizationId, newId(), 'receipt.txt', key],
    )
  }
}

const take = (s3: S3Server, database = theDatabase()) =>
  takeBackup({
    database,
    file: newFolder('stored'),
    filesDir: join(newFolder('stored'), 'files'),
    version: '0.1.0',
    store: { kind: 's3', storage: storeOf(s3) },
  })

test('FLT-19: a backup counts the files in the store, names the missing ones, and keeps key, size and hash of each', async () => {
  const keys = [1, 2, 3].map((n) => `home/${name(n)}`)
  await withFiles(keys)
  const s3 = await bucket(keys.slice(0, 2))
  const { file } = await take(s3)
  const { stored, parts } = await inspectArchive(file)
  expect(stored).toEqual({ store: 's3', count: 3, bytes: 30, missing: 1, missingKeys: [keys[2]] })
  expect(stored && storedSentence(stored)).toBe(
    `Rows refer to 3 files in the store of S3_URL; 1 of them were missing when the backup was taken: ${keys[2]}.`,
  )
  const columns = parts['tables/files']?.columns ?? []
  expect(columns).toEqual(expect.arrayContaining(['storage_key', 'file_size', 'sha256']))
  const reader = createKeyReader(columns)
  await readArchive(file, undefined, {
    rows: async (part, piece) => void (part === 'tables/files' && reader.add(piece)),
    file: async () => {},
  })
  expect(reader.keys.sort()).toEqual(keys)
})

test('a store that does not answer is recorded, and the backup is written', async () => {
  const s3 = await bucket([])
  s3.trouble.push('SlowDown', 'SlowDown', 'SlowDown')
  const { manifest } = await take(s3)
  expect(manifest.stored).toMatchObject({ missing: null, missingKeys: [] })
  expect(manifest.stored && storedSentence(manifest.stored)).toContain('the store did not answer')
})

test('a database error during the check is not taken for one of the store', async () => {
  const s3 = await bucket([])
  const empty = await emptyDatabase()
  ended.push(() => dropDatabase(empty))
  await expect(take(s3, empty)).rejects.toThrow('There is nothing to back up')
})
