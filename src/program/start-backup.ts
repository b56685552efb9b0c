import { join } from 'node:path'
import type pg from 'pg'
import { checkBackup, restore } from '../backup/restore.ts'
import { foreignTableReason } from '../backup/table-list.ts'
import { takeBackup } from '../backup/take-backup.ts'
import type { Config } from '../config/config.ts'
import { resilientPool } from '../db/pool.ts'
import { report, verify } from '../verify/verify.ts'
import { createApp } from './app.ts'
import { findKeyring } from './key-file.ts'
import { openDatabase, openExisting, reach } from './open-database.ts'
import { giveUpLostSecrets } from './without-secrets.ts'

type Say = (line: string) => void

/** Backs up the database in DATABASE_URL or in the data folder, also while Kontor runs on it. */
export async function backupOnly(config: Config, file: string | undefined, version: string, say: Say): Promise<void> {
  const database = await openExisting(config, say)
  try {
    await waitForDatabase(database.config, say)
    const taken = await takeBackup({ database: database.config, file, filesDir: filesDirOf(config), version })
    say(summary(taken, config))
  } finally {
    await database.stop()
  }
}

/** Restores a backup into an empty database and verifies it. Returns true if every rule holds. */
export async function restoreOnly(
  config: Config,
  { file, withoutSecrets }: { file: string; withoutSecrets: boolean },
  say: Say,
): Promise<boolean> {
  const manifest = await checkBackup(file, withoutSecrets ? 'lost' : findKeyring(config))
  const database = await openDatabase(config, say)
  try {
    await waitForDatabase(database.config, say)
    await restore({ file, manifest, database: database.config, filesDir: filesDirOf(config), say })
    if (withoutSecrets) await giveUpLostSecrets(config, database.config, say)
    const app = await createApp({ ...config, logLevel: 'warn' }, database.config)
    const violations = await verify({ system: app.system, storage: app.providers.storage })
    await app.close()
    const waiting = manifest.parts['queue/jobs']?.rows ?? 0
    say(`${report(violations)}\n`)
    say(`Restored the state of ${manifest.takenAt}: ${rowCounts(manifest.parts)}${fileCount(manifest.files)}.`)
    if (waiting > 0) say(`${waiting} jobs were waiting and will run as soon as a worker is started.`)
    return violations.length === 0
  } finally {
    await database.stop()
  }
}

async function waitForDatabase(config: pg.PoolConfig, say: Say) {
  const pool = resilientPool({ ...config, max: 1, connectionTimeoutMillis: 5_000 })
  await reach(pool, say).finally(() => pool.end())
}

/** The folder of the local file store. */
const filesDirOf = ({ dataDir }: Config) => join(dataDir, 'files')

type Backup = Awaited<ReturnType<typeof takeBackup>>

function summary({ file, bytes, manifest }: Backup, { secretsKey, dataDir }: Config): string {
  const key = secretsKey ? 'KONTOR_SECRETS_KEY' : join(dataDir, 'secrets.key')
  const others = Object.keys(manifest.notIncluded).filter((name) => manifest.notIncluded[name] === foreignTableReason)
  const left = others.length > 0 ? `\nNot included, because they are not tables of Kontor: ${others.join(', ')}.` : ''
  return `${file}: ${rowCounts(manifest.parts)}${fileCount(manifest.files)}, ${(bytes / 1e6).toFixed(2)} MB.${left}

Secrets in it are encrypted, and the key is not included: store ${key} elsewhere. Without it the secrets cannot be read.
Files in S3-compatible storage are not included. kontor restore <file> restores the backup into an empty database.`
}

function rowCounts(parts: Backup['manifest']['parts']): string {
  const tables = Object.entries(parts).filter(([part]) => part.startsWith('tables/'))
  const rows = tables.reduce((sum, [, part]) => sum + part.rows, 0)
  return `${rows} rows of ${tables.length} tables, ${parts['queue/jobs']?.rows ?? 0} waiting jobs`
}

const fileCount = (files: Backup['manifest']['files']) => (files ? `, ${files.count} files` : '')
