import { rmSync } from 'node:fs'
import { type ReadBackup, readArchive } from '../../backup/archive.ts'
import { contents } from '../../backup/describe.ts'
import { checkBackup, restore } from '../../backup/restore.ts'
import { createKeyReader, missingFrom } from '../../backup/stored-files.ts'
import type { Config } from '../../config/config.ts'
import { Failure } from '../../core/define/failure.ts'
import type { Secret } from '../../core/secrets/secret.ts'
import { openStorage } from '../../providers/storage/storage.ts'
import { report, verify } from '../../verify/verify.ts'
import { createApp } from '../app.ts'
import { keyFileIn, passphraseOf, writeKeyFile } from '../data-folder/backup-secrets.ts'
import { findKeyring } from '../data-folder/key-file.ts'
import type { Say } from '../say.ts'
import { openDatabase } from './open-database.ts'
import { filesDirOf, waitForDatabase } from './start-backup.ts'
import { giveUpLostSecrets } from './without-secrets.ts'

/** Restores a backup into an empty database and verifies it. Returns true if every rule holds. */
export async function restoreOnly(
  config: Config,
  { file, withoutSecrets }: { file: string; withoutSecrets: boolean },
  say: Say,
): Promise<boolean> {
  const keyring = findKeyring(config)
  const passphrase = passphraseOf(config)
  const read = await checkBackup(file, withoutSecrets ? 'lost' : keyring, passphrase)
  const reading: Reading = { read, passphrase, withoutSecrets, say }
  await sayStored(config, file, reading)
  const key = keyring || withoutSecrets ? undefined : read.key
  return withKeyFile(config, key, say, () => load(config, file, reading))
}

type Reading = { read: ReadBackup; passphrase: Secret | undefined; withoutSecrets: boolean; say: Say }

async function load(config: Config, file: string, reading: Reading): Promise<boolean> {
  const { manifest } = reading.read
  const { passphrase, withoutSecrets, say } = reading
  const database = await openDatabase(config, say)
  try {
    await waitForDatabase(database.config, say)
    const input = { file, manifest, filesDir: filesDirOf(config), passphrase, waitS: config.migrationWaitS, say }
    await restore({ ...input, database: database.config })
    if (withoutSecrets) await giveUpLostSecrets(config, database.config, say)
    const app = await createApp({ ...config, logLevel: 'warn' }, database.config)
    const violations = await verify({ system: app.system, storage: app.providers.storage }).catch(ifStoreFails)
    await app.close()
    const waiting = manifest.parts['queue/jobs']?.rows ?? 0
    if (violations) say(`${report(violations)}\n`)
    say(`Restored the state of ${manifest.takenAt}: ${contents(manifest)}.`)
    if (waiting > 0) say(`${waiting} jobs were waiting and will run as soon as a worker is started.`)
    if (!violations) say('The file store is unavailable, so the books were not verified: run kontor verify later.')
    return violations?.length === 0
  } finally {
    await database.stop()
  }
}

/** Puts the key of the backup into the data folder before anything is restored, and removes it again if that fails. */
async function withKeyFile(config: Config, key: Secret | undefined, say: Say, work: () => Promise<boolean>) {
  if (!key) return work()
  const file = keyFileIn(config.dataDir)
  await writeKeyFile(file, key)
  try {
    const result = await work()
    say(`The key of the secrets was in the backup and is now in ${file}.`)
    return result
  } catch (error) {
    rmSync(file, { force: true })
    throw error
  }
}

/** Files in S3 are not in the backup, so the store of this installation must have them. */
async function sayStored({ dataDir, s3Url }: Config, file: string, { read: { manifest }, passphrase, say }: Reading) {
  const { stored } = manifest
  if (!stored || stored.count === 0) return
  if (!s3Url) {
    if (stored.store === 's3')
      say(`${stored.count} files must be in the S3-compatible store, and S3_URL is not set: they will be missing.`)
    return
  }
  const reader = createKeyReader(manifest.parts['tables/files']?.columns ?? [])
  await readArchive(file, passphrase, {
    rows: async (part, piece) => void (part === 'tables/files' && reader.add(piece)),
    file: async (_, body) => {
      for await (const _piece of body);
    },
  })
  const storage = await openStorage({ dataDir, s3Url, home: 'none' })
  const missing = await missingFrom(storage, toAsync(reader.keys)).catch(ifStoreFails)
  if (!missing)
    return say(`The store of S3_URL does not answer, so it is not known whether it has the ${stored.count} files.`)
  const some = missing.slice(0, 20).join(', ')
  say(
    missing.length === 0
      ? `All ${stored.count} files that rows refer to are in the store of S3_URL.`
      : `${missing.length} of ${stored.count} files that rows refer to are not in the store of S3_URL: ${some}${missing.length > 20 ? ', …' : ''}.`,
  )
}

/** The books are restored all the same; `kontor verify` asks the store again. */
function ifStoreFails(error: unknown): undefined {
  if (!(error instanceof Failure)) throw error
}

async function* toAsync(keys: readonly string[]): AsyncGenerator<string> {
  yield* [...new Set(keys)].sort()
}
