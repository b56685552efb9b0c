import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { startEmbedded } from '../../db/embedded/embedded.ts'
import { functionSet } from '../../db/functions.ts'
import { baselineFile, migrate, migrationFiles } from '../../db/migrate.ts'
import { resilientPool } from '../../db/pool.ts'
import { root } from '../processes/bundle.ts'
import { copyDataFolder } from '../processes/data-folder.ts'

const cache = join(root, '.cache/test-postgres')
const maxAgeMs = 24 * 60 * 60 * 1_000

/**
 * Starts PostgreSQL on a copy of a data folder with a migrated database, which tests with a server of their own copy too.
 * KONTOR_TEST_CACHE=1 keeps the data folder for the next run, by a hash of all that it is made from. The full check does not
 * use it.
 */
export async function startPostgres(folder: string) {
  const dataDir = join(folder, 'data')
  const useCache = process.env.KONTOR_TEST_CACHE === '1'
  const template = useCache ? join(cache, hashOfSources()) : join(folder, 'migrated')
  if (useCache) removeOldTemplates()
  if (!existsSync(template)) await makeTemplate(template)
  copyDataFolder(template, dataDir)
  const server = await startEmbedded({ dataDir, say: () => {}, purpose: 'test' })
  const { config, superuser } = server
  const address = { logins: config, superuser: superuser.user, template: config.database, migratedFolder: template }
  return { address, stop: () => server.stop() }
}

/** Another run may make the same template at the same time: the first one to finish is used. */
async function makeTemplate(template: string) {
  const dataDir = `${template}.${process.pid}`
  const server = await startEmbedded({ dataDir, say: () => {}, purpose: 'test' })
  await migrateAll(server.config)
  await server.stop()
  if (existsSync(template)) rmSync(dataDir, { recursive: true, force: true })
  else renameSync(dataDir, template)
}

async function migrateAll(config: Parameters<typeof resilientPool>[0]) {
  const pool = resilientPool({ ...config, max: 3 })
  await migrate(pool)
  await pool.end()
}

function removeOldTemplates() {
  mkdirSync(cache, { recursive: true })
  for (const name of readdirSync(cache)) {
    const { mtimeMs } = statSync(join(cache, name))
    if (Date.now() - mtimeMs > maxAgeMs) rmSync(join(cache, name), { recursive: true, force: true })
  }
}

/** The baseline, the migrations and the functions, the programs that apply them, and the packages (PostgreSQL, the job queue). */
function hashOfSources(): string {
  const hash = createHash('sha256').update(`${process.platform}-${process.arch}`)
  for (const { name, checksum } of migrationFiles()) hash.update(`${name} ${checksum}`)
  hash.update(baselineFile()?.text ?? '')
  for (const { name, checksum } of functionSet().files) hash.update(`${name} ${checksum}`)
  for (const file of [
    'package-lock.json',
    'src/db/migrate.ts',
    'src/db/functions.ts',
    'src/db/embedded/data-folder.ts',
    'src/db/embedded/logins.ts',
  ])
    hash.update(readFileSync(join(root, file)))
  return hash.digest('hex').slice(0, 16)
}
