import { pathToFileURL } from 'node:url'
import { migrate } from '../../../db/migrate.ts'
import { resilientPool } from '../../../db/pool.ts'

/** A process that migrates a database with the migrations of a folder, for tests that kill it. */

const pool = resilientPool({ ...JSON.parse(process.env.DATABASE ?? '{}'), max: 3 })
process.stdout.write('migrating\n')
await migrate(pool, () => {}, { folder: pathToFileURL(`${process.env.FOLDER}/`) })
await pool.end()
