import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, vi } from 'vitest'
import { startEmbedded } from '../../db/embedded/embedded.ts'
import { serversIn, signalTo } from '../../db/embedded/process.ts'
import { openPool } from '../../db/pool.ts'
import { migratedFolder } from '../database.ts'
import { copyDataFolder } from './data-folder.ts'

/** Starts a separate PostgreSQL with a migrated database, as durable as the product's, that a test may kill and freeze. */
export async function ownPostgres() {
  const dataDir = mkdtempSync(join(tmpdir(), 'kontor-own-'))
  copyDataFolder(migratedFolder(), dataDir)
  const server = await startEmbedded({ dataDir, say: () => {} })
  const system = openPool(server.config, { confined: false, max: 2 })
  return {
    config: server.config,
    superuser: server.superuser,
    system,
    /** Kills the server and waits until its supervisor has started it again and knows its new process. */
    async kill(signal: 'SIGQUIT' | 'SIGKILL') {
      const { pid } = server
      signalTo(pid, signal)
      await vi.waitFor(() => expect(server.pid).not.toBe(pid), { timeout: 60_000, interval: 20 })
    },
    /** Sends a signal to the server and all of its processes. */
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
