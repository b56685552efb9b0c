import type { Warning } from '../../../../core/define/schema.ts'
import { addMonths } from '../../../../core/values/day.ts'
import { add, toMajor } from '../../../../core/values/money.ts'
import type { Country } from '../../../../countries/country.ts'
import { byScheme, employerCostOf, grossOf, netOf } from '../../../../countries/payroll/computed.ts'
import { earningCodes, type PayLine } from '../../../../countries/payroll/payroll.ts'
import { netLine } from '../kind.ts'
import type { PayMonth } from '../month.ts'
import { monthOfDay } from '../month.ts'
import type { RunInputs } from '../run-inputs.ts'
import { type Arrears, type CorrectingLine, computeMonth, type MonthlyPay, wageDue } from './compute.ts'
import { type Correction, type CorrectionLine, correctionOf, withinSchemes } from './corrections.ts'
import { correctionsWithin, cutsWithin, debtOf, deductible, linesOf, stillOwed, taken } from './held-back.ts'
import { basesBefore, ownBases, type PayableEmployee, type StoredPayslip } from './load.ts'

/** A payslip as it is written: the pay of the month and the corrections of earlier months. */
export type NewPayslip = Omit<MonthlyPay, 'lines'> & {
  employee: PayableEmployee
  month: PayMonth
  inputs: RunInputs
  lines: readonly CorrectingLine[]
  corrections: Record<string, Record<string, bigint>>
  grossMinor: bigint
  reimbursementsMinor: bigint
  deductionsMinor: bigint
  netMinor: bigint
  contributionsMinor: bigint
  /** What is owed because of it: the net pay and every scheme. */
  owed: readonly { id: string; description: string; amountMinor: bigint }[]
}

type Asked = {
  month: PayMonth
  inputs: RunInputs
  knownOn: string
  /** The earlier payslips whose terms or tables changed since. */
  changed: readonly StoredPayslip[]
  /** What was paid for earlier months, by month. */
  paid: ReadonlyMap<string, Readonly<Record<string, number>>>
}

/** Computes the payslip of an employee for a month, or says in a sentence why that is impossible. */
export function payslipOf(country: Country, employee: PayableEmployee, asked: Asked): NewPayslip | { problem: string } {
  const pay = payWithArrears(country, employee, asked)
  if ('problem' in pay) return pay
  const { corrections, warnings } = correctionsOf(country, employee, asked, pay)
  const differences = linesOf(corrections)
  const corrected = withinSchemes(pay.lines, differences)
  const lines: CorrectingLine[] = [...pay.lines, ...corrected]
  const totals = totalsOf(lines)
  if (totals.netMinor < 0n)
    return {
      problem: `The deductions exceed the pay by ${toMajor(-totals.netMinor, country.currency)} ${country.currency}.`,
    }
  const bases: Record<string, bigint> = { ...pay.bases }
  for (const correction of corrections)
    for (const [name, minor] of Object.entries(correction.bases)) bases[name] = (bases[name] ?? 0n) + minor
  return {
    ...pay,
    ...{ employee, month: asked.month, inputs: asked.inputs, lines, bases },
    warnings: [...pay.warnings, ...warnings, ...heldBack(differences, corrected, country.currency)],
    corrections: Object.fromEntries(corrections.map((correction) => [correction.month, correction.bases])),
    ...totals,
    owed: owedBy(country, lines, totals.netMinor),
  }
}

/** The pay of the month with the differences of earlier wages, of which cuts are taken as far as the law allows. */
function payWithArrears(country: Country, employee: PayableEmployee, asked: Asked): MonthlyPay | { problem: string } {
  const arrears = arrearsOf(country, employee, asked)
  const earlier = basesBefore(employee, asked.month.from)
  const payOf = (paid: readonly Arrears[]) => computeMonth(country, employee, { ...asked, earlier, arrears: paid })
  const [cuts, raises] = [arrears.filter(isCut), arrears.filter((each) => !isCut(each))]
  const whole = payOf(raises)
  if (cuts.length === 0 || 'problem' in whole) return whole
  const debtMinor = debtOf(cuts)
  const { limitMinor, rule } = deductible(country, whole, debtMinor)
  const part = cutsWithin(cuts, limitMinor)
  const cut = payOf([...raises, ...part])
  const [pay, leftMinor] = 'problem' in cut ? [whole, debtMinor] : [cut, debtMinor - debtOf(part)]
  const { isFinal, warnings } = pay
  return { ...pay, warnings: [...warnings, ...stillOwed(leftMinor, { rule, isFinal, currency: country.currency })] }
}

const isCut = ({ amountMinor }: Arrears) => amountMinor < 0n

/** The corrections of earlier months, of which those that reduce the pay are taken as far as the law allows. */
function correctionsOf(country: Country, employee: PayableEmployee, asked: Asked, pay: MonthlyPay) {
  const all = country.payroll.corrections === 'RECOMPUTE' ? recomputed(country, employee, asked) : []
  const debtMinor = taken(pay.lines, all)
  if (debtMinor <= 0n) return { corrections: all, warnings: [] }
  const { limitMinor, rule } = deductible(country, pay, debtMinor)
  const corrections = correctionsWithin(pay.lines, all, limitMinor)
  const leftMinor = debtMinor - taken(pay.lines, corrections)
  return {
    corrections,
    warnings: stillOwed(leftMinor, { rule, isFinal: pay.isFinal, currency: country.currency }),
  }
}

/** A warning about refunds that are more than what is withheld this month. */
function heldBack(wanted: readonly CorrectionLine[], taken: readonly CorrectionLine[], currency: string): Warning[] {
  const sum = (lines: readonly CorrectionLine[]) => add(lines.map(({ amountMinor }) => amountMinor))
  const left = sum(taken) - sum(wanted)
  if (left === 0n) return []
  const message = `${toMajor(left, currency)} ${currency} of deductions and contributions of earlier months are to be refunded, which is more than is due this month. The rest follows on the next payslips.`
  return [{ code: 'REFUND_HELD_BACK', path: 'lines', message }]
}

/** The earlier payslips of twelve months whose terms changed after them, or whose tables were published later. Drafts are generated again instead. */
export function changedPayslips(
  country: Country,
  employee: PayableEmployee,
  { month, knownOn, tables }: Known,
): StoredPayslip[] {
  const since = addMonths(month.from, -12)
  return employee.earlier.filter((payslip) => {
    if (payslip.isDraft || payslip.month < since) return false
    if (payslip.isStale || country.payroll.corrections !== 'RECOMPUTE') return payslip.isStale
    const key = `${payslip.month} ${payslip.tables}`
    const known = tables.get(key) ?? tablesNow(country, employee, payslip, knownOn)
    tables.set(key, known)
    return known !== payslip.tables
  })
}

type Known = {
  month: PayMonth
  knownOn: string
  /** The tables that hold now, by month and by the tables that were used then: they are the same for everybody with those. */
  tables: Map<string, string>
}

function tablesNow(country: Country, employee: PayableEmployee, payslip: StoredPayslip, knownOn: string): string {
  const now = earlierMonth(country, employee, payslip, knownOn)
  return 'problem' in now ? payslip.tables : now.tables
}

const earlierMonth = (country: Country, employee: PayableEmployee, { month, inputs }: StoredPayslip, knownOn: string) =>
  computeMonth(country, employee, { month: monthOfDay(month), inputs, earlier: basesBefore(employee, month), knownOn })

/** The differences of every line of the months that changed. */
function recomputed(country: Country, employee: PayableEmployee, { changed, paid, knownOn }: Asked): Correction[] {
  return changed.flatMap((payslip) => {
    const now = earlierMonth(country, employee, payslip, knownOn)
    if ('problem' in now) return []
    const { month } = payslip
    const correction = correctionOf({ month, paid: paid.get(month) ?? {}, bases: ownBases(employee, payslip) }, now)
    return correction.lines.length > 0 ? [correction] : []
  })
}

/** The differences of the wage alone, where they are wages of the month in which they are paid. */
function arrearsOf(country: Country, employee: PayableEmployee, { changed, paid }: Asked): Arrears[] {
  const { corrections } = country.payroll
  if (corrections === 'RECOMPUTE') return []
  return changed.flatMap(({ month }) => {
    const paidMinor = BigInt(paid.get(month)?.[`EARNING ${earningCodes.wage}`] ?? 0)
    const amountMinor = wageDue(country, employee, monthOfDay(month)) - paidMinor
    return amountMinor === 0n ? [] : [{ month, amountMinor, as: amountMinor < 0n ? 'WAGES' : corrections }]
  })
}

function totalsOf(lines: readonly PayLine[]) {
  const grossMinor = grossOf(lines)
  const netMinor = netOf(lines)
  return {
    ...{ grossMinor, netMinor, deductionsMinor: grossMinor - netMinor },
    reimbursementsMinor: add(
      lines.filter(({ kind }) => kind === 'REIMBURSEMENT').map(({ amountMinor }) => amountMinor),
    ),
    contributionsMinor: employerCostOf(lines) - grossMinor,
  }
}

/** The lines of the document: the net pay, and each scheme that is due. */
function owedBy({ payroll }: Country, lines: readonly PayLine[], netMinor: bigint) {
  const due = byScheme(lines)
  const schemes = payroll.schemes.map(({ code, label }) => ({
    id: code,
    description: label,
    amountMinor: due.get(code) ?? 0n,
  }))
  const net = { id: netLine, description: 'Net pay', amountMinor: netMinor }
  return [net, ...schemes].filter(({ amountMinor }) => amountMinor !== 0n)
}
