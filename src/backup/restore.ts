import type pg from 'pg'
import type { Keyring } from '../core/secrets/keyring.ts'
import { opensCanary } from '../core/secrets/secrets.ts'
import { migrate, migrationFiles } from '../db/migrate.ts'
import { resilientPool } from '../db/pool.ts'
import { StartFailure } from '../db/start-failure.ts'
import { inspectArchive } from './archive.ts'
import { createReturn } from './files.ts'
import { load, refuseOccupied } from './load.ts'
import type { Manifest } from './manifest.ts'
import { withSession } from './session.ts'

/** Reads a backup to its end and says no to one that cannot be restored here, before there is anything to undo. */
export async function examine(file: string, keyring: Keyring | undefined): Promise<Manifest> {
  const manifest = await inspectArchive(file)
  refuseNewer(manifest, file)
  refuseOtherKey(manifest, keyring)
  return manifest
}

function refuseNewer({ migrations, version }: Manifest, file: string) {
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

/** FLT-19: with another key every secret would be there and none could ever be read. */
function refuseOtherKey({ secrets: { canary, wrappingKeys } }: Manifest, keyring: Keyring | undefined) {
  if (!canary) return
  if (!keyring) {
    throw new StartFailure(
      `The secrets in this backup were sealed with the key ${canary.kekId}, and there is none here. Set KONTOR_SECRETS_KEY, or put the file secrets.key into the data folder, and run it again. Nothing was restored.`,
    )
  }
  const opens = opensCanary(keyring, { wrapped: Buffer.from(canary.wrapped, 'hex'), kekId: canary.kekId })
  const missing = wrappingKeys.find((id) => !keyring.ids.includes(id))
  if (opens && !missing) return
  throw new StartFailure(
    `The secrets in this backup were sealed with the key ${opens ? missing : canary.kekId}, and KONTOR_SECRETS_KEY (or secrets.key in the data folder) holds ${keyring.ids.join(', ')}. Give it that key: without it they can never be read. Nothing was restored.`,
  )
}

type Restoring = {
  file: string
  manifest: Manifest
  database: pg.PoolConfig
  filesDir: string
  say: (line: string) => void
}

/** Fills an empty database with an examined backup, at the backup's version first and then brought to this one. */
export async function restore({ file, manifest, database, filesDir, say }: Restoring): Promise<void> {
  const pool = resilientPool({ ...database, max: 3 })
  try {
    await withSession(database, (client) => refuseOccupied(client, manifest))
    await migrate(pool, () => {}, { only: new Set(manifest.migrations.map(({ name }) => name)) })
    await withSession(database, (client) => load(client, { file, manifest, files: createReturn(filesDir) }))
    await migrate(pool, say)
    await pool.query('analyze') // plans would otherwise take every table for empty
  } finally {
    await pool.end()
  }
}
