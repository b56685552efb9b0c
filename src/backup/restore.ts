import type pg from 'pg'
import { type Keyring, openKeyring } from '../core/secrets/keyring.ts'
import type { Secret } from '../core/secrets/secret.ts'
import { migrate, migrationFiles } from '../db/migrate.ts'
import { resilientPool } from '../db/pool.ts'
import { StartFailure } from '../db/start-failure.ts'
import { type ReadBackup, readBackup } from './archive.ts'
import { createFileRestore } from './files.ts'
import { keyProblem } from './key-check.ts'
import { load, requireEmpty } from './load.ts'
import type { Manifest } from './manifest.ts'
import { withSession } from './session.ts'

/**
 * Reads a whole backup and refuses one that cannot be restored here, before anything is changed. Without a key here, the one
 * in the backup is used. With a lost key the secrets in it are restored as they are, to be marked as lost.
 */
export async function checkBackup(
  file: string,
  keyring: Keyring | 'lost' | undefined,
  passphrase?: Secret,
): Promise<ReadBackup> {
  const read = await readBackup(file, passphrase)
  const problem = versionProblem(read.manifest, file)
  if (problem) throw new StartFailure(problem)
  if (keyring !== 'lost') requireKey(read, keyring)
  return read
}

/** Why this Kontor cannot restore the backup; undefined if it can. */
export function versionProblem({ migrations, version }: Manifest, file: string): string | undefined {
  const known = new Map(migrationFiles().map(({ name, checksum }) => [name, checksum]))
  for (const { name, checksum } of migrations) {
    if (!known.has(name))
      return `${file} was made by a newer Kontor (${version}, ${name}): restore it with that version.`
    if (known.get(name) !== checksum)
      return `${file} was made by another build: migration ${name} differs. Restore it with that build.`
  }
  return undefined
}

/** FLT-19: with another key the restored secrets could never be read. */
function requireKey({ manifest: { secrets }, key }: ReadBackup, keyring: Keyring | undefined) {
  const included = key && openKeyring(key)
  const problem = keyProblem(secrets, keyring ?? included)
  if (!problem) return
  const hint = included && !keyProblem(secrets, included) ? howToUseKey : orWithout
  throw new StartFailure(`The secrets in this backup ${problem} ${hint} Nothing was restored.`)
}

const howToUseKey = 'The backup includes its key: kontor backup --key <file> prints it, for KONTOR_SECRETS_KEY.'
const orWithout =
  'If it is lost for good, kontor restore <file> --without-secrets restores the books without what it encrypted.'

type RestoreInput = {
  file: string
  manifest: Manifest
  database: pg.PoolConfig
  filesDir: string
  passphrase?: Secret | undefined
  /** How long another migration is waited for. */
  waitS?: number | undefined
  say: (line: string) => void
}

/** Loads a checked backup into an empty database: first at the version of the backup, then migrated to this version. */
export async function restore(input: RestoreInput): Promise<void> {
  const { file, manifest, database, filesDir, passphrase, waitS, say } = input
  const pool = resilientPool({ ...database, max: 3 })
  const sayWaiting = (line: string) => void (line.startsWith('Waiting') && say(line)) // the migrations are those of the backup
  try {
    await withSession(database, (client) => requireEmpty(client, manifest))
    await migrate(pool, sayWaiting, { only: new Set(manifest.migrations.map(({ name }) => name)), waitS })
    await withSession(database, (client) =>
      load(client, { file, manifest, passphrase, files: createFileRestore(filesDir) }),
    )
    await migrate(pool, say, { waitS })
    await pool.query('analyze') // without statistics the planner assumes that every table is empty
  } finally {
    await pool.end()
  }
}
