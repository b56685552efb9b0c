import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startEmbedded } from '../../db/embedded/embedded.ts'
import { migrate } from '../../db/migrate.ts'
import { resilientPool } from '../../db/pool.ts'
import { buildThreads, programs } from '../processes/program.ts'
import { folders } from '../temporary-folder.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The server that this run brought along, with a migrated database to copy from. */
    postgres: { host: string; port: number; user: string; template: string }
  }
}

/** One PostgreSQL for the whole run, and one migrated database that every test file gets a copy of. */
export async function setup(project: TestProject) {
  const dataDir = mkdtempSync(join(tmpdir(), 'kontor-test-'))
  const made = mkdtempSync(join(tmpdir(), 'kontor-tests-'))
  process.env[folders] = made
  await buildThreads()
  const server = await startEmbedded({ dataDir, say: () => {}, purpose: 'test' })
  const { host, port, user, database } = server.config
  const pool = resilientPool({ host, port, user, database, max: 3 })
  await migrate(pool)
  await pool.end()
  project.provide('postgres', { host, port, user, template: database })
  return async () => {
    await server.stop()
    rmSync(dataDir, { recursive: true, force: true })
    rmSync(made, { recursive: true, force: true })
    rmSync(programs, { recursive: true, force: true })
  }
}
