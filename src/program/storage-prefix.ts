import { randomBytes } from 'node:crypto'
import type { Pool } from '../db/pool.ts'

/** The part of the file store that is this database's own (0009_files.sql). */
export const storagePrefix = (system: Pool): Promise<string> =>
  system.use(async (_, connection) => {
    const made = randomBytes(6).toString('hex')
    await connection.query('insert into file_home (home) values ($1) on conflict do nothing', [made])
    const { rows } = await connection.query('select home from file_home')
    return String(rows[0]?.home)
  })
