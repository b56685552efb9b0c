import '../../test/own-world.ts'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { takeBackup } from '../../backup/take-backup.ts'
import { Secret } from '../../core/secrets/secret.ts'
import { createS3 } from '../../providers/storage/s3.ts'
import { asSuperuser, dropDatabase, newDatabase, queryAsSuperuser, queryOn, urlOf } from '../../test/database.ts'
import { type S3Server, startS3 } from '../../test/fakes/s3.ts'
import { newFolder } from '../../test/temporary-folder.ts'
import { member, testConfig, theDatabase } from '../../test/world.ts'
import { restoreOnly } from './start-restore.ts'

let s3: S3Server
let keys: string[]
let file: string

/** Three files in the store, with their rows, and a backup of the database. */
beforeAll(async () => {
  s3 = await startS3()
  const { organizationId } = await member('OWNER')
  const storage = createS3(new Secret(s3.url), 'home')
  keys = []
  for (const text of ['one', 'two', 'three']) {
    const path = join(newFolder('upload'), 'receipt')
    writeFileSync(path, text)
    const key = await storage.put(path)
    keys.push(key)
    await queryOn(
      theDatabase(),
      `insert into files (organization_id, id, file_name, file_type, file_size, sha256, storage_key)
       values ('${organizationId}', gen_random_uuid(), 'receipt.txt', 'text/plain', ${text.length}, repeat('a', 64), '${key}')`,
    )
  }
  const store = { kind: 's3' as const, storage }
  const filesDir = join(newFolder('restore'), 'files')
  const request = { database: theDatabase(), file: newFolder('restore'), filesDir, version: '0.1.0', store }
  file = (await takeBackup(request)).file
})
afterAll(() => s3.close())

/** Restores the backup into an empty database, with the files in the store. */
async function restored() {
  const database = await newDatabase()
  onTestFinished(() => dropDatabase(database))
  const said: string[] = []
  const env = { DATABASE_URL: urlOf(asSuperuser(database)), KONTOR_DATA: newFolder('restored'), S3_URL: s3.url }
  const holds = await restoreOnly(testConfig(env), { file, withoutSecrets: false }, (line) => void said.push(line))
  const rows = await queryAsSuperuser(database, 'select storage_key as key from files order by storage_key collate "C"')
  return { said: said.join('\n'), holds, rows }
}

const all = () => [...keys].sort().map((key) => ({ key }))

test('FLT-19: a restore with S3_URL finds the files of the backup in the store, and verify too', async () => {
  const { said, rows } = await restored()
  expect(said).toContain('All 3 files that rows refer to are in the store of S3_URL.')
  expect(said).toMatch(/holds +FLT-08/)
  expect(rows).toEqual(all())
})

test('a store that does not answer does not stop a restore, and says what was not checked', async () => {
  s3.trouble.push(...Array.from({ length: 6 }, () => 'SlowDown' as const)) // each question is asked three times
  const { said, holds, rows } = await restored()
  expect(said).toContain('The store of S3_URL does not answer, so it is not known whether it has the 3 files.')
  expect(said).toMatch(/Restored the state of .*\nThe file store is unavailable, so .* run kontor verify/s)
  expect(holds).toBe(false)
  expect(rows).toEqual(all())
})

test('FLT-19: a restore with S3_URL names the files that the store does not have, and restores the books', async () => {
  const [lost = ''] = keys
  s3.objects.delete(lost)
  const { said, holds, rows } = await restored()
  expect(said).toContain(`1 of 3 files that rows refer to are not in the store of S3_URL: ${lost}.`)
  expect(said).toMatch(/BROKEN +FLT-08/)
  expect(holds).toBe(false)
  expect(rows).toEqual(all())
})
