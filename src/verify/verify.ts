import { type Check, checks, type Means, type Row } from './checks.ts'

const shownMax = 20

/** A rule that does not hold, with the rows that break it. */
export type Violation = Check & { rows: Row[] }

/** Recomputes every invariant from the tables and the file store. */
export async function verify(means: Means): Promise<Violation[]> {
  const violations: Violation[] = []
  for (const check of checks) {
    const rows = typeof check.finds === 'string' ? await queried(means, check.finds) : await check.finds(means)
    if (rows.length > 0) violations.push({ ...check, rows })
  }
  return violations
}

const queried = ({ system }: Means, query: string): Promise<Row[]> =>
  system.use(async (_, connection) => (await connection.query(`${query} limit ${shownMax}`)).rows)

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
