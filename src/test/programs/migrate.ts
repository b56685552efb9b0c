import { pathToFileURL } from 'node:url'
import { migrate } from '../../db/migrate.ts'
import { sturdyPool } from '../../db/pool.ts'

/** A process that migrates a database with the migrations of a folder, for tests that kill it. */

const pool = sturdyPool({ ...JSON.parse(process.env.DATABASE ?? '{}'), max: 3 })
process.stdout.write('migrating\n')
await migrate(pool, () => {}, { folder: pathToFileURL(`${process.env.FOLDER}/`) })
await pool.end()
