import type { Country } from '../../../../countries/country.ts'
import { earningCodes, type PayLine } from '../../../../countries/payroll/payroll.ts'
import type { Opening } from '../employees/employee.ts'
import type { SummedRow, WholePayslip } from './read.ts'

/** What was paid of one kind in the calendar year, in minor units. */
export type YearLine = Pick<SummedRow, 'kind' | 'code' | 'description' | 'minor'>

/** Lines that are told apart by what somebody wrote. */
const described: readonly string[] = [earningCodes.adjustment, earningCodes.leave, earningCodes.reimbursement]

type Keyed = { kind: PayLine['kind']; code: string; description: string; corrects?: string | null }

const keyOf = ({ kind, code, description, corrects = null }: Keyed) =>
  `${kind} ${code} ${described.includes(code) && corrects === null ? description : ''}`

/** The sums of a calendar year up to a payslip: earlier payslips, the payslip itself, and what was paid before the first one. */
export function yearToDateOf(
  { summed, opening, month }: Pick<WholePayslip, 'summed' | 'opening' | 'month'>,
  country: Pick<Country, 'payroll'>,
) {
  const lines = new Map<string, YearLine>()
  for (const { kind, code, description, minor } of summed)
    lines.set(keyOf({ kind, code, description }), { kind, code, description, minor })
  for (const line of openingLines(opening, month, country)) {
    const key = keyOf(line)
    lines.set(key, { ...line, minor: line.minor + (lines.get(key)?.minor ?? 0) })
  }
  const all = [...lines.values()]
  const sum = (...kinds: PayLine['kind'][]) =>
    all.filter(({ kind }) => kinds.includes(kind)).reduce((total, { minor }) => total + minor, 0)
  const [gross, deductions] = [sum('EARNING', 'REIMBURSEMENT'), sum('DEDUCTION')]
  return {
    lines: all,
    totals: { gross, deductions, net: gross - deductions, contributions: sum('CONTRIBUTION') },
    minorOf: (line: Keyed) => lines.get(keyOf(line))?.minor ?? 0,
    keyOf,
  }
}
export type YearToDate = ReturnType<typeof yearToDateOf>

/** The opening balances of the year, which have codes alone; codes that are not those of a line are left out. */
function openingLines(opening: Opening | null, month: string, { payroll }: Pick<Country, 'payroll'>): YearLine[] {
  if (!opening?.amounts || String(opening.year) !== month.slice(0, 4)) return []
  return Object.entries(opening.amounts).flatMap(([code, minor]): YearLine[] => {
    const kind = kindOf(code, payroll)
    return kind ? [{ kind, code, description: '', minor }] : []
  })
}

function kindOf(code: string, { schemes }: Country['payroll']): PayLine['kind'] | undefined {
  const scheme = schemes.find((each) => each.code === code)
  if (scheme) return scheme.payer === 'EMPLOYEE' ? 'DEDUCTION' : 'CONTRIBUTION'
  if (code === earningCodes.reimbursement) return 'REIMBURSEMENT'
  return Object.values<string>(earningCodes).includes(code) ? 'EARNING' : undefined
}
