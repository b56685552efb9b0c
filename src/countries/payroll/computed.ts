import { add } from '../../core/values/money.ts'
import type { PayLine } from './payroll.ts'

const total = (lines: readonly PayLine[], kinds: readonly PayLine['kind'][]): bigint =>
  add(lines.filter(({ kind }) => kinds.includes(kind)).map(({ amountMinor }) => amountMinor))

/** Earnings and reimbursements. */
export const grossOf = (lines: readonly PayLine[]): bigint => total(lines, ['EARNING', 'REIMBURSEMENT'])

/** What is paid to the employee. */
export const netOf = (lines: readonly PayLine[]): bigint => grossOf(lines) - total(lines, ['DEDUCTION'])

/** What the employee costs: gross and the contributions of the employer. */
export const employerCostOf = (lines: readonly PayLine[]): bigint => grossOf(lines) + total(lines, ['CONTRIBUTION'])

/** What is owed for each scheme, by its code. */
export function byScheme(lines: readonly PayLine[]): ReadonlyMap<string, bigint> {
  const sums = new Map<string, bigint>()
  for (const { kind, code, amountMinor } of lines)
    if (kind === 'DEDUCTION' || kind === 'CONTRIBUTION') sums.set(code, (sums.get(code) ?? 0n) + amountMinor)
  return sums
}
