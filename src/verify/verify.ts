import type pg from 'pg'
import type { Check } from '../core/define/check.ts'
import type { Storage } from '../core/outside/storage.ts'
import { toCamel } from '../db/names.ts'
import type { Pool } from '../db/pool.ts'
import { checks, facts } from './checks.ts'
import { filesAreKept, lostFiles } from './lost-files.ts'

const shownMax = 20

/** A rule that does not hold, with the rows that break it. */
export type Violation = Pick<Check, 'id' | 'says'> & { rows: Record<string, unknown>[] }

/**
 * Recomputes every invariant from the tables, all as they were at one moment, and compares the file store with its rows
 * if it is given. Nobody waits for it, however long it takes.
 */
export async function verify({ system, storage }: { system: Pool; storage?: Storage }): Promise<Violation[]> {
  const violations = await atOneMoment(system, findViolations)
  const rows = storage ? await lostFiles({ system, storage }) : []
  return rows.length > 0 ? [...violations, { ...filesAreKept, rows }] : violations
}

/** What is worth knowing beside: `Jobs that were given up …: 3`. Nothing is said of what there is none of. */
export function observe(system: Pool): Promise<string[]> {
  return atOneMoment(system, async (client) => {
    const lines: string[] = []
    for (const { says, counts } of facts) {
      const times = (await client.query(counts)).rows[0]?.times
      if (times > 0) lines.push(`${says}: ${times}`)
    }
    return lines
  })
}

export async function findViolations(client: pg.ClientBase): Promise<Violation[]> {
  const violations: Violation[] = []
  for (const check of checks) {
    const { rows } = await client.query(`select * from (${check.finds}) found limit ${shownMax}`)
    if (rows.length > 0) violations.push({ id: check.id, says: check.says, rows: rows.map(named) })
  }
  return violations
}

const named = (row: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [toCamel(name), value]))

async function atOneMoment<T>(system: Pool, work: (client: pg.ClientBase) => Promise<T>): Promise<T> {
  const client = await system.raw.connect()
  try {
    await client.query('begin transaction isolation level repeatable read read only')
    await client.query('set local statement_timeout = 0')
    return await work(client)
  } finally {
    await client.query('rollback').then(
      () => client.release(),
      () => client.release(true),
    )
  }
}

/** What a person reads: every rule with its verdict, and what breaks it. */
export function report(violations: Violation[], observed: string[] = []): string {
  const rules = [...checks, filesAreKept]
  const lines = rules.map((check) => {
    const broken = violations.find(({ says }) => says === check.says)
    const rows = broken?.rows.map((row) => `\n      ${JSON.stringify(row)}`).join('') ?? ''
    return `  ${broken ? 'BROKEN' : 'holds '}  ${check.id.padEnd(16)}${check.says}${rows}`
  })
  const verdict =
    violations.length === 0 ? 'Everything holds.' : `${violations.length} of ${rules.length} rules are broken.`
  const beside = observed.map((line) => `\n  ${line}`).join('')
  return `${lines.join('\n')}\n\n${verdict}${beside && `\n\nBeside that:${beside}`}`
}
