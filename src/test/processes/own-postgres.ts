import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbedded } from '../../db/embedded/embedded.ts'
import { serversIn, signalTo } from '../../db/embedded/process.ts'
import { migrate } from '../../db/migrate.ts'
import { openPool, resilientPool } from '../../db/pool.ts'

/** A PostgreSQL of the test's own, as durable as the product's, that it may kill and freeze. */
export async function ownPostgres() {
  const dataDir = mkdtempSync(join(tmpdir(), 'kontor-own-'))
  const server = await startEmbedded({ dataDir, say: () => {} })
  const migrating = resilientPool({ ...server.config, max: 3 })
  await migrate(migrating)
  await migrating.end()
  const system = openPool(server.config, { confined: false, max: 2 })
  return {
    config: server.config,
    system,
    /** To the server itself, which then ends; it is started again by who watches over it. */
    kill: (signal: 'SIGQUIT' | 'SIGKILL') => signalTo(server.pid, signal),
    /** To the server and all who work for it. */
    toAll(signal: 'SIGSTOP' | 'SIGCONT') {
      for (const pid of serversIn(join(dataDir, 'postgres'))) signalTo(pid, signal)
    },
    async close() {
      await system.close()
      await server.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
