import { join } from 'node:path'
import type pg from 'pg'
import { examine, restore } from '../backup/restore.ts'
import { foreign } from '../backup/table-list.ts'
import { takeBackup } from '../backup/take-backup.ts'
import type { Config } from '../config/config.ts'
import { resilientPool } from '../db/pool.ts'
import { report, verify } from '../verify/verify.ts'
import { createApp } from './app.ts'
import { findKeyring } from './key-file.ts'
import { openDatabase, openExisting, reach } from './start.ts'

type Say = (line: string) => void

/** Takes a backup of the database in DATABASE_URL or in the data folder, also while Kontor runs on it. */
export async function backupOnly(config: Config, file: string | undefined, version: string, say: Say): Promise<void> {
  const database = await openExisting(config, say)
  try {
    await reached(database.config, say)
    const taken = await takeBackup({ database: database.config, file, filesDir: filesDirOf(config), version })
    say(summary(taken, config))
  } finally {
    await database.stop()
  }
}

/** Restores a backup into an empty database and recomputes what must hold; true when all of it does. */
export async function restoreOnly(config: Config, file: string, say: Say): Promise<boolean> {
  const manifest = await examine(file, findKeyring(config))
  const database = await openDatabase(config, say)
  try {
    await reached(database.config, say)
    await restore({ file, manifest, database: database.config, filesDir: filesDirOf(config), say })
    const app = await createApp({ ...config, logLevel: 'warn' }, database.config)
    const violations = await verify({ system: app.system, storage: app.providers.storage })
    await app.close()
    const waiting = manifest.parts['queue/jobs']?.rows ?? 0
    say(`${report(violations)}\n`)
    say(`Restored what was there at ${manifest.takenAt}: ${counted(manifest.parts)}${filesTold(manifest.files)}.`)
    if (waiting > 0) say(`${waiting} jobs were waiting and will be done as soon as a worker runs here.`)
    return violations.length === 0
  } finally {
    await database.stop()
  }
}

async function reached(config: pg.PoolConfig, say: Say) {
  const pool = resilientPool({ ...config, max: 1, connectionTimeoutMillis: 5_000 })
  await reach(pool, say).finally(() => pool.end())
}

/** Where the local file store keeps its files. */
const filesDirOf = ({ dataDir }: Config) => join(dataDir, 'files')

type Told = Awaited<ReturnType<typeof takeBackup>>

function summary({ file, bytes, manifest }: Told, { secretsKey, dataDir }: Config): string {
  const key = secretsKey ? 'KONTOR_SECRETS_KEY' : join(dataDir, 'secrets.key')
  const others = Object.keys(manifest.notIncluded).filter((name) => manifest.notIncluded[name] === foreign)
  const left = others.length > 0 ? `\nNot in it, because Kontor did not make them: ${others.join(', ')}.` : ''
  return `${file}: ${counted(manifest.parts)}${filesTold(manifest.files)}, ${(bytes / 1e6).toFixed(2)} MB.${left}

Secrets in it are sealed, and the key is not in it: keep ${key} in another place. Without that key they cannot be read.
Files in S3-compatible storage are not in it either. kontor restore <file> brings it back into an empty database.`
}

function counted(parts: Told['manifest']['parts']): string {
  const tables = Object.entries(parts).filter(([part]) => part.startsWith('tables/'))
  const rows = tables.reduce((sum, [, part]) => sum + part.rows, 0)
  return `${rows} rows of ${tables.length} tables, ${parts['queue/jobs']?.rows ?? 0} waiting jobs`
}

const filesTold = (files: Told['manifest']['files']) => (files ? `, ${files.count} files` : '')
