import { statfs } from 'node:fs/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../../config/config.ts'
import { type FullDisks, type FullPlace, watchFullDisks } from '../../core/observe/full-disks.ts'
import type { Metrics } from '../../core/observe/metrics.ts'
import type { Storage } from '../../core/outside/storage.ts'
import type { Pool } from '../../db/pool.ts'

type Dependencies = {
  config: Config
  system: Pool
  storage: Storage
  meter: Metrics
  /** Read when it is needed: the server is created later. */
  log: () => Pick<FastifyBaseLogger, 'error' | 'warn'>
}

/** PostgreSQL ends when it cannot create a file of its log, and does not start without one: these have 16 MiB. */
const neededBytes = 16 * 1024 * 1024

/** Notices full disks, logs each outage once, and shows it in the metrics. */
export const openFullDisks = ({ config, system, storage, meter, log }: Dependencies): FullDisks =>
  watchFullDisks({
    probes: { database: () => storeRows(system), files: () => storage.check() },
    async hasTooLittleSpace() {
      if (config.databaseUrl) return false
      const { bavail, bsize } = await statfs(config.dataDir)
      return bavail * bsize < neededBytes
    },
    changed(place, isFull, seconds) {
      meter.storageFull(place, isFull)
      if (isFull)
        log().error({ place }, `${called(place, config)} is full. Writes answer STORAGE_FULL until it has space.`)
      else log().warn({ place, seconds: Math.round(seconds) }, `${called(place, config)} has space again.`)
    },
  })

const called = (place: FullPlace, { databaseUrl, s3Url, dataDir }: Config): string => {
  if (place === 'database') return databaseUrl ? 'The disk of the database' : `The disk that holds ${dataDir}`
  return s3Url ? 'The file store of S3_URL' : `The disk that holds ${dataDir}`
}

/** A megabyte, in a table that exists only in this statement: a small write succeeds on a full disk now and then. */
const storeRows = (system: Pool) => system.use((_, connection) => connection.query(probeText), 3_000)
const probeText = `do $$ begin
    create temp table space_probe as select repeat(md5(n::text), 32) as content from generate_series(1, 1024) n;
    drop table space_probe;
  end $$`
