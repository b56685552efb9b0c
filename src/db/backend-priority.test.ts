import '../test/own-world.ts'
import { readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { expect, onTestFinished, test } from 'vitest'
import { theDatabase } from '../test/world.ts'
import { openPool } from './pool.ts'

test('processes of PostgreSQL for heavy reads and jobs come after those for requests (LOAD-14)', async ({ skip }) => {
  skip(process.platform !== 'linux' || !String(theDatabase().host).startsWith('/'), 'PostgreSQL is not on this machine')
  const priorityOf = async (lowPriority: boolean) => {
    const pool = openPool(theDatabase(), { confined: true, lowPriority, max: 1 })
    onTestFinished(() => pool.close())
    const { rows } = await pool.use((_, connection) => connection.query('select pg_backend_pid() as pid'))
    return Number(rows[0]?.pid)
  }
  const [usual, later] = [await priorityOf(false), await priorityOf(true)]
  expect(getPriority(usual)).toBe(getPriority())
  expect(getPriority(later)).toBe(10)
  await expect.poll(() => nicenessOfSession(later), { timeout: 10_000 }).toMatch(/nice 10|none/)
})

/** What Linux says of the session of a process; `none` where it does not share processors between sessions. */
function nicenessOfSession(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/autogroup`, 'utf8') || 'none'
  } catch {
    return 'none'
  }
}
