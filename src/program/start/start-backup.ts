import { join } from 'node:path'
import type pg from 'pg'
import { readBackup } from '../../backup/archive.ts'
import { contents, describe, problemOf } from '../../backup/describe.ts'
import { recordGood } from '../../backup/outcomes.ts'
import { withSession } from '../../backup/session.ts'
import { type FileStore, storedSentence } from '../../backup/stored-files.ts'
import { foreignTableReason, homeOf } from '../../backup/table-list.ts'
import { type Backup, type BackupRequest, takeBackup } from '../../backup/take-backup.ts'
import { type Config, WrongSetting } from '../../config/config.ts'
import type { Storage } from '../../core/outside/storage.ts'
import { resilientPool } from '../../db/pool.ts'
import { StartFailure } from '../../db/start-failure.ts'
import { openStorage } from '../../providers/storage/storage.ts'
import { keyFileIn, keyTextOf, passphraseOf } from '../data-folder/backup-secrets.ts'
import { findKeyring } from '../data-folder/key-file.ts'
import type { Say } from '../say.ts'
import { openExisting, reach } from './open-database.ts'

export type BackupOptions = {
  file: string | undefined
  version: string
  /** Whether the secrets key is included. */
  withKey: boolean
  /** Whether a key that does not open the secrets is accepted. */
  withoutSecrets: boolean
}

/** Backs up the database in DATABASE_URL or in the data folder, also while Kontor runs on it. */
export async function backupOnly(config: Config, options: BackupOptions, say: Say): Promise<void> {
  const withKey = options.withKey || (config.backups.withKey && !options.withoutSecrets)
  if (withKey && !passphraseOf(config)) {
    throw new WrongSetting(
      'kontor backup --with-key needs a passphrase: set KONTOR_BACKUP_PASSPHRASE or KONTOR_BACKUP_PASSPHRASE_FILE.',
    )
  }
  const database = await openExisting(config, say)
  try {
    await waitForDatabase(database.config, say)
    const storage = await openStore(config, database.config)
    const { keys, ...request } = backupRequest(
      { ...config, backups: { ...config.backups, withKey } },
      database.config,
      storage,
    )
    const { file, version, withoutSecrets } = options
    const waiting = { ...request.waiting, say }
    const taken = await takeBackup({ ...request, waiting, ...(!withoutSecrets && keys && { keys }), file, version })
    await withSession(database.config, (client) => recordGood(client, taken))
    say(summary(taken, config, options))
  } finally {
    await database.stop()
  }
}

/** How this installation takes backups, by command and on schedule. */
export function backupRequest(
  config: Config,
  database: pg.ClientConfig,
  storage: FileStore['storage'],
): Omit<BackupRequest, 'version'> {
  return {
    database,
    filesDir: filesDirOf(config),
    store: { kind: config.s3Url ? 's3' : 'disk', storage },
    keys: { keyring: findKeyring(config) },
    passphrase: passphraseOf(config),
    waiting: { waitS: config.migrationWaitS },
    key: config.backups.withKey && findKeyring(config) ? keyTextOf(config) : undefined,
  }
}

async function openStore({ dataDir, s3Url }: Config, database: pg.ClientConfig): Promise<Storage> {
  const home = await withSession(database, homeOf)
  return openStorage({ dataDir, s3Url, home: home ?? 'none' })
}

/** Reads a backup to its end and says what it is. Returns true if it can be used here. Never touches the database. */
export async function checkOnly(config: Config, file: string, version: string, say: Say): Promise<boolean> {
  try {
    const read = await readBackup(file, passphraseOf(config))
    const { lines, usable } = describe(read, { file, version, keyring: findKeyring(config) })
    say(lines.join('\n'))
    return usable
  } catch (error) {
    const problem = problemOf(error, file)
    throw problem ? new StartFailure(problem) : error
  }
}

/** Prints the secrets key that a backup includes, for KONTOR_SECRETS_KEY. */
export async function keyOnly(config: Config, file: string, say: Say): Promise<void> {
  const { key } = await readBackup(file, passphraseOf(config))
  if (!key) throw new StartFailure(`${file} does not include the secrets key.`)
  say(key.reveal())
}

export async function waitForDatabase(config: pg.PoolConfig, say: Say): Promise<void> {
  const pool = resilientPool({ ...config, max: 1, connectionTimeoutMillis: 5_000 })
  await reach(pool, say).finally(() => pool.end())
}

/** The folder of the local file store. */
export const filesDirOf = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'files')

function summary({ file, bytes, manifest }: Backup, config: Config, { withoutSecrets }: BackupOptions): string {
  const others = Object.keys(manifest.notIncluded).filter((name) => manifest.notIncluded[name] === foreignTableReason)
  const lines = [
    `${file}: ${contents(manifest)}, ${(bytes / 1e6).toFixed(2)} MB.`,
    ...(others.length > 0 ? [`Not included, because they are not tables of Kontor: ${others.join(', ')}.`] : []),
    '',
    keyLine(manifest.includesKey === true, config, { withoutSecrets }),
    ...(manifest.stored ? [storedSentence(manifest.stored)] : []),
    ...(config.s3Url ? ['Files in S3-compatible storage are not included: back up the bucket too.'] : []),
    'kontor restore <file> restores the backup into an empty database; kontor backup --check <file> reads it again.',
  ]
  return lines.join('\n')
}

function keyLine(
  includesKey: boolean,
  { secretsKey, dataDir }: Config,
  { withoutSecrets }: Pick<BackupOptions, 'withoutSecrets'>,
): string {
  if (includesKey)
    return 'The key of the secrets is included: whoever has the file and the passphrase can read everything.'
  if (withoutSecrets) {
    return 'Whether a key set here opens the secrets in it was not checked. Without the right key they cannot be read.'
  }
  const key = secretsKey ? 'KONTOR_SECRETS_KEY' : keyFileIn(dataDir)
  return `Secrets in it are encrypted, and the key is not included: store ${key} elsewhere. Without it the secrets cannot be read.`
}
