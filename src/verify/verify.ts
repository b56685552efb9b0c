import type pg from 'pg'
import type { Check } from '../core/define/check.ts'
import type { Storage } from '../core/outside/storage.ts'
import { toCamel } from '../db/names.ts'
import type { Pool } from '../db/pool.ts'
import { alteredOriginals, alteredOriginalsRule } from './altered-originals.ts'
import { checks, observations } from './checks.ts'
import { lostFiles, lostFilesRule } from './lost-files.ts'

const shownMax = 20

/** A broken rule, with the rows that break it. */
export type Violation = Pick<Check, 'id' | 'says'> & { rows: Record<string, unknown>[] }

/**
 * Checks every invariant against one consistent snapshot of the tables, and compares the file store with its rows if a
 * store is given. It blocks no other transaction, however long it takes.
 */
export async function verify({ system, storage }: { system: Pool; storage?: Storage }): Promise<Violation[]> {
  const violations = await inSnapshot(system, (client) => findViolations(client))
  if (!storage) return violations
  const inStore = [
    { ...lostFilesRule, rows: await lostFiles({ system, storage }) },
    { ...alteredOriginalsRule, rows: await alteredOriginals({ system, storage }) },
  ]
  return [...violations, ...inStore.filter(({ rows }) => rows.length > 0)]
}

/** Counts worth knowing that break no rule, such as `Failed jobs that were given up: 3`. Zeros are left out. */
export function readObservations(system: Pool): Promise<string[]> {
  return inSnapshot(system, async (client) => {
    const lines: string[] = []
    for (const { says, counts } of observations) {
      const times = (await client.query(counts)).rows[0]?.times
      if (times > 0) lines.push(`${says}: ${times}`)
    }
    return lines
  })
}

/** The broken ones of the rules. */
export async function findViolations(client: pg.ClientBase, rules: readonly Check[] = checks): Promise<Violation[]> {
  const violations: Violation[] = []
  for (const check of rules) {
    const rows = await find(client, check)
    if (rows.length > 0) violations.push({ id: check.id, says: check.says, rows: rows.map(withCamelNames) })
  }
  return violations
}

/** The rows that break a rule. One that cannot be checked counts as broken, and the others are still checked. */
async function find(client: pg.ClientBase, { finds }: Check): Promise<Record<string, unknown>[]> {
  await client.query('savepoint before_check')
  try {
    return (await client.query(`select * from (${finds}) found limit ${shownMax}`)).rows
  } catch (error) {
    await client.query('rollback to savepoint before_check')
    return [{ error: `The rule could not be checked: ${error instanceof Error ? error.message : error}` }]
  }
}

const withCamelNames = (row: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [toCamel(name), value]))

async function inSnapshot<T>(system: Pool, work: (client: pg.ClientBase) => Promise<T>): Promise<T> {
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

/** The report for people: every rule with its result, and the rows that break it. */
export function report(violations: Violation[], observed: string[] = []): string {
  const rules = [...checks, lostFilesRule, alteredOriginalsRule]
  const lines = rules.map((check) => {
    const broken = violations.find(({ says }) => says === check.says)
    const rows = broken?.rows.map((row) => `\n      ${JSON.stringify(row)}`).join('') ?? ''
    return `  ${broken ? 'BROKEN' : 'holds '}  ${check.id.padEnd(16)}${check.says}${rows}`
  })
  const verdict =
    violations.length === 0 ? 'All rules hold.' : `${violations.length} of ${rules.length} rules are broken.`
  const notes = observed.map((line) => `\n  ${line}`).join('')
  return `${lines.join('\n')}\n\n${verdict}${notes && `\n\nAlso:${notes}`}`
}
