import type { Pool } from '../db/pool.ts'
import { type Check, checks } from './checks.ts'

const shownMax = 20

/** A rule that does not hold, with the rows that break it. */
export type Violation = Check & { rows: Record<string, unknown>[] }

/** Recomputes every invariant from the tables. */
export async function verify(system: Pool): Promise<Violation[]> {
  const violations: Violation[] = []
  for (const check of checks) {
    const { rows } = await system.use((_, connection) => connection.query(`${check.finds} limit ${shownMax}`))
    if (rows.length > 0) violations.push({ ...check, rows })
  }
  return violations
}

/** What a person reads: every rule with its verdict, and what breaks it. */
export function report(violations: Violation[]): string {
  const lines = checks.map((check) => {
    const broken = violations.find(({ says }) => says === check.says)
    const rows = broken?.rows.map((row) => `\n      ${JSON.stringify(row)}`).join('') ?? ''
    return `  ${broken ? 'BROKEN' : 'holds '}  ${check.id.padEnd(16)}${check.says}${rows}`
  })
  const verdict =
    violations.length === 0 ? 'Everything holds.' : `${violations.length} of ${checks.length} rules are broken.`
  return `${lines.join('\n')}\n\n${verdict}`
}
