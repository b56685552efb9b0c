import { randomBytes } from 'node:crypto'
import type { Pool } from '../../db/pool.ts'

/** The prefix of this database in the file store, created on first use (0009_files.sql). */
export const storagePrefix = (system: Pool): Promise<string> =>
  system.use(async (_, connection) => {
    const newPrefix = randomBytes(6).toString('hex')
    await connection.query('insert into file_home (home) values ($1) on conflict do nothing', [newPrefix])
    const { rows } = await connection.query('select home from file_home')
    return String(rows[0]?.home)
  })
