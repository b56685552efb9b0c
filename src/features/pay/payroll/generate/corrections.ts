import { earningCodes, type PayLine } from '../../../../countries/payroll/payroll.ts'
import type { MonthlyPay } from './compute.ts'

/** An earlier payslip: what it and later corrections of its month have paid. */
export type EarlierPayslip = {
  month: string
  /** Amounts by `kind code`, with the corrections that later payslips made. */
  paid: Readonly<Record<string, number>>
  /** The bases by name, with those corrections. */
  bases: Readonly<Record<string, number>>
}

export type CorrectionLine = PayLine & { corrects: string }
export type Correction = { month: string; lines: CorrectionLine[]; bases: Record<string, bigint> }

const keyOf = ({ kind, code }: Pick<PayLine, 'kind' | 'code'>) => `${kind} ${code}`

/** The differences between what an earlier month should have been and what was paid for it. */
export function correctionOf(earlier: EarlierPayslip, now: MonthlyPay): Correction {
  const due = new Map<string, { line: PayLine; amountMinor: bigint }>()
  for (const line of now.lines) {
    const before = due.get(keyOf(line))
    due.set(keyOf(line), { line, amountMinor: (before?.amountMinor ?? 0n) + line.amountMinor })
  }
  const keys = new Set([...due.keys(), ...Object.keys(earlier.paid)])
  const lines = [...keys].flatMap((key) => {
    const wanted = due.get(key)
    const paidMinor = BigInt(earlier.paid[key] ?? 0)
    const amountMinor = (wanted?.amountMinor ?? 0n) - paidMinor
    if (amountMinor === 0n) return []
    const [kind, code] = key.split(' ') as [PayLine['kind'], string]
    const name = kind === 'EARNING' && code === earningCodes.wage ? 'Wage' : (wanted?.line.description ?? code)
    return [differenceLine({ kind, code, name }, { earlier, amountMinor, paidMinor })]
  })
  const bases: Record<string, bigint> = {}
  for (const name of new Set([...Object.keys(now.bases), ...Object.keys(earlier.bases)])) {
    const difference = (now.bases[name] ?? 0n) - BigInt(earlier.bases[name] ?? 0)
    if (difference !== 0n) bases[name] = difference
  }
  return { month: earlier.month, lines, bases }
}

type Difference = { earlier: EarlierPayslip; amountMinor: bigint; paidMinor: bigint }

function differenceLine(
  { kind, code, name }: Pick<PayLine, 'kind' | 'code'> & { name: string },
  { earlier, amountMinor, paidMinor }: Difference,
): CorrectionLine {
  const description = `${name}: difference for ${earlier.month.slice(0, 7)}`
  const step = (text: string, minor: bigint) => ({
    description: text,
    baseMinor: null,
    rate: null,
    amountMinor: minor,
    rule: 'The earlier month computed again with the facts and tables that are known now',
  })
  return {
    ...{ kind, code, description, amountMinor, corrects: earlier.month },
    steps: [step('Due', amountMinor + paidMinor), step('Paid before', -paidMinor)],
  }
}

/**
 * Takes so much of the corrections that no scheme falls below zero: an authority is paid, it does not pay. What is left is a
 * difference again in the month after.
 */
export function withinSchemes(own: readonly PayLine[], corrections: readonly CorrectionLine[]): CorrectionLine[] {
  const left = new Map<string, bigint>()
  for (const line of own) left.set(keyOf(line), (left.get(keyOf(line)) ?? 0n) + line.amountMinor)
  return corrections.flatMap((line) => {
    if (line.kind === 'EARNING' || line.kind === 'REIMBURSEMENT') return [line]
    const available = left.get(keyOf(line)) ?? 0n
    const amountMinor = available + line.amountMinor < 0n ? -available : line.amountMinor
    left.set(keyOf(line), available + amountMinor)
    if (amountMinor === 0n) return []
    return amountMinor === line.amountMinor ? [line] : [{ ...line, amountMinor, steps: [] }]
  })
}
