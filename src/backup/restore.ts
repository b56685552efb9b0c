import type pg from 'pg'
import type { Keyring } from '../core/secrets/keyring.ts'
import { opensCanary } from '../core/secrets/secrets.ts'
import { migrate, migrationFiles } from '../db/migrate.ts'
import { resilientPool } from '../db/pool.ts'
import { StartFailure } from '../db/start-failure.ts'
import { inspectArchive } from './archive.ts'
import { createFileRestore } from './files.ts'
import { load, requireEmpty } from './load.ts'
import type { Manifest } from './manifest.ts'
import { withSession } from './session.ts'

/**
 * Reads a whole backup and refuses one that cannot be restored here, before anything is changed. With a lost key the secrets
 * in it are restored as they are, to be marked as lost.
 */
export async function checkBackup(file: string, keyring: Keyring | 'lost' | undefined): Promise<Manifest> {
  const manifest = await inspectArchive(file)
  requireKnownMigrations(manifest, file)
  if (keyring !== 'lost') requireKey(manifest, keyring)
  return manifest
}

function requireKnownMigrations({ migrations, version }: Manifest, file: string) {
  const known = new Map(migrationFiles().map(({ name, checksum }) => [name, checksum]))
  for (const { name, checksum } of migrations) {
    if (!known.has(name))
      throw new StartFailure(`${file} was made by a newer Kontor (${version}, ${name}): restore it with that version.`)
    if (known.get(name) !== checksum)
      throw new StartFailure(
        `${file} was made by another build: migration ${name} differs. Restore it with that build.`,
      )
  }
}

/** FLT-19: with another key the restored secrets could never be read. */
function requireKey({ secrets: { canary, wrappingKeys } }: Manifest, keyring: Keyring | undefined) {
  if (!canary) return
  if (!keyring) {
    throw new StartFailure(
      `The secrets in this backup were encrypted with the key ${canary.kekId}, and no key is set here. Set KONTOR_SECRETS_KEY, or put the file secrets.key into the data folder, and run it again. ${orWithout} Nothing was restored.`,
    )
  }
  const opens = opensCanary(keyring, { wrapped: Buffer.from(canary.wrapped, 'hex'), kekId: canary.kekId })
  const missing = wrappingKeys.find((id) => !keyring.ids.includes(id))
  if (opens && !missing) return
  throw new StartFailure(
    `The secrets in this backup were encrypted with the key ${opens ? missing : canary.kekId}, and KONTOR_SECRETS_KEY (or secrets.key in the data folder) holds ${keyring.ids.join(', ')}. Set that key: without it the secrets can never be read. ${orWithout} Nothing was restored.`,
  )
}

const orWithout =
  'If it is lost for good, kontor restore <file> --without-secrets restores the books without what it encrypted.'

type RestoreInput = {
  file: string
  manifest: Manifest
  database: pg.PoolConfig
  filesDir: string
  say: (line: string) => void
}

/** Loads a checked backup into an empty database: first at the version of the backup, then migrated to this version. */
export async function restore({ file, manifest, database, filesDir, say }: RestoreInput): Promise<void> {
  const pool = resilientPool({ ...database, max: 3 })
  try {
    await withSession(database, (client) => requireEmpty(client, manifest))
    await migrate(pool, () => {}, { only: new Set(manifest.migrations.map(({ name }) => name)) })
    await withSession(database, (client) => load(client, { file, manifest, files: createFileRestore(filesDir) }))
    await migrate(pool, say)
    await pool.query('analyze') // without statistics the planner assumes that every table is empty
  } finally {
    await pool.end()
  }
}
