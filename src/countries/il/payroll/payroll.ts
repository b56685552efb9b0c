import type { Warning } from '../../../core/define/schema.ts'
import { add, convertBy, toMajor } from '../../../core/values/money.ts'
import { rowOn } from '../../dated.ts'
import { netOf } from '../../payroll/computed.ts'
import { knownRowOn } from '../../payroll/known-row.ts'
import {
  type ComputedPay,
  earningCodes,
  type MonthlyWage,
  type Pay,
  type PayLine,
  type PayrollRules,
  type Scheme,
  type Step,
  type WageForDays,
} from '../../payroll/payroll.ts'
import { factWarnings } from './fact-warnings.ts'
import { type Deposits, bases as depositBases, depositsOf } from './funds.ts'
import { incomeTaxSteps } from './income-tax.ts'
import { type Insurance, insuranceOf } from './national-insurance.ts'
import { setOff } from './set-off.ts'
import { atLeastZero, forPeriod } from './steps.ts'
import { depositCeilings, incomeTaxTables, insuranceTables, minimumWages } from './tables.ts'

const taxAuthority = 'Tax Authority'
const insuranceInstitute = 'National Insurance Institute'
const pensionFund = 'Pension fund'
const studyFund = 'Study fund'

const schemes = [
  { code: 'INCOME_TAX', label: 'Income tax', labelHe: 'מס הכנסה', payer: 'EMPLOYEE', authority: taxAuthority },
  { code: 'NI_EE', label: 'National Insurance, employee', labelHe: 'ביטוח לאומי – חלק העובד', payer: 'EMPLOYEE', authority: insuranceInstitute },
  { code: 'HEALTH', label: 'Health insurance', labelHe: 'ביטוח בריאות', payer: 'EMPLOYEE', authority: insuranceInstitute },
  { code: 'PENSION_EE', label: 'Pension, employee', labelHe: 'פנסיה – חלק העובד', payer: 'EMPLOYEE', authority: pensionFund },
  { code: 'STUDY_EE', label: 'Study fund, employee', labelHe: 'קרן השתלמות – חלק העובד', payer: 'EMPLOYEE', authority: studyFund },
  { code: 'NI_ER', label: 'National Insurance, employer', labelHe: 'ביטוח לאומי – חלק המעסיק', payer: 'EMPLOYER', authority: insuranceInstitute },
  { code: 'PENSION_ER', label: 'Pension, employer', labelHe: 'פנסיה – חלק המעסיק', payer: 'EMPLOYER', authority: pensionFund },
  { code: 'SEVERANCE', label: 'Severance', labelHe: 'פיצויים', payer: 'EMPLOYER', authority: pensionFund },
  { code: 'STUDY_ER', label: 'Study fund, employer', labelHe: 'קרן השתלמות – חלק המעסיק', payer: 'EMPLOYER', authority: studyFund },
] as const satisfies readonly Scheme[] // biome-ignore format: a list of rows
type SchemeCode = (typeof schemes)[number]['code']

/** The payroll of Israel. Amounts are agorot; docs/payroll-israel.md says what is covered. */
/** docs/payroll-israel.md explains each. */
const baseNames = [
  'GROSS', 'WAGES', 'BENEFITS_IN_KIND', 'TAXED_DEPOSITS', 'TAXABLE', 'INSURABLE', 'INSURABLE_REDUCED', 'INSURABLE_FULL', 'PENSIONABLE',
  depositBases.studyWage,
] // biome-ignore format: a list of words

export const payroll: PayrollRules = {
  corrections: 'RECOMPUTE',
  schemes,
  bases: baseNames,
  prorate,
  compute,
  setOff,
  factWarnings,
  leaveScheme: null,
  minimumWage,
}

function prorate({ wageMinor, first, last }: MonthlyWage): WageForDays {
  const [year = 0, month = 0] = first.split('-').map(Number)
  const inMonth = new Date(Date.UTC(year, month, 0)).getUTCDate()
  const days = Number(last.slice(8)) - Number(first.slice(8)) + 1
  const amountMinor = convertBy(wageMinor, { rate: BigInt(days), per: BigInt(inMonth) })
  const isWhole = days === inMonth
  const step: Step = {
    description: isWhole ? 'Monthly wage' : `${days} of ${inMonth} calendar days`,
    baseMinor: wageMinor,
    rate: isWhole ? null : `${days}/${inMonth}`,
    amountMinor,
    rule: isWhole ? 'Contract of employment' : 'Monthly wage by the calendar days of employment',
  }
  return { amountMinor, step }
}

/** Minimum Wage Law: an hour is 1/182 of the month, as published without the rest of an agora. */
function minimumWage(day: string) {
  const row = rowOn(minimumWages, day)
  return row && { monthlyMinor: row.monthlyMinor, hourlyMinor: row.monthlyMinor / 182n }
}

function compute(pay: Pay): ComputedPay | { problem: string } {
  const tables = tablesFor(pay)
  if (!tables) return { problem: `There are no payroll tables of Israel for ${pay.to}; they begin with January 2024.` }
  const earnings = earningLines(pay)
  const wagesMinor = wagesOf(earnings)
  const deposits = depositsOf(pay, wagesMinor, tables.ceilings)
  const benefitsMinor = forPeriod(pay.facts.benefitsInKindMinor ?? 0n, pay.period)
  const taxableMinor = atLeastZero(wagesMinor + benefitsMinor + deposits.taxedMinor)
  const { period, facts, from } = pay
  const insurance = insuranceOf({ period, facts, from, table: tables.insurance, baseMinor: taxableMinor })
  const tax = incomeTaxSteps({
    period,
    facts,
    table: tables.incomeTax,
    taxableMinor,
    pensionableMinor: deposits.pensionableMinor,
    pensionMinor: deposits.pensionEmployee.amountMinor,
  })
  const intro = baseStep({ wagesMinor, benefitsMinor, taxedMinor: deposits.taxedMinor, taxableMinor })
  const lines = [...earnings, ...schemeLines({ tax: [...intro, ...tax], insurance, deposits })]
  const net = netOf(lines)
  if (net < 0n) return { problem: `The deductions are ${shown(-net)} more than the pay.` }
  return {
    lines,
    bases: basesOf({ earnings, wagesMinor, benefitsMinor, taxableMinor, deposits, insurance }),
    warnings: [...tableWarnings(pay.to, tables.insurance.since), ...insuranceWarnings(insurance)],
    tables: tables.names,
  }
}

/** The tables that are valid on the last day of the period and known; undefined before the first ones. */
function tablesFor({ to, knownOn }: Pay) {
  const incomeTax = knownRowOn(incomeTaxTables, to, knownOn) ?? rowOn(incomeTaxTables, to)
  const insurance = rowOn(insuranceTables, to)
  const ceilings = rowOn(depositCeilings, to)
  if (!incomeTax || !insurance || !ceilings) return undefined
  const names = `IL income tax ${incomeTax.since}, published ${incomeTax.published}; National Insurance ${insurance.since}; deposits ${ceilings.since}`
  return { incomeTax, insurance, ceilings, names }
}

function earningLines(pay: Pay): PayLine[] {
  const wages = pay.wages.map(
    ({ description, amountMinor, steps }): PayLine => ({
      kind: 'EARNING',
      code: earningCodes.wage,
      description,
      amountMinor,
      steps,
    }),
  )
  const bonus = pay.additionalWageMinor
  const additional =
    bonus === 0n ? [] : [simpleLine('EARNING', earningCodes.additional, 'Additional wage', bonus, bonusRule)]
  const adjustments = pay.adjustments.map(({ description, amountMinor, kind }) => {
    if (kind === 'REIMBURSEMENT')
      return simpleLine('REIMBURSEMENT', earningCodes.reimbursement, description, amountMinor, expensesRule)
    const code = kind === 'LEAVE_PAY' ? earningCodes.leave : earningCodes.adjustment
    return simpleLine('EARNING', code, description, amountMinor, 'Wage of the month')
  })
  return [...wages, ...additional, ...adjustments]
}

const bonusRule = 'Wage of the month in which it is paid'
const expensesRule = 'Repaid expenses are not income (Income Tax Ordinance, section 2(2))'

const simpleLine = (kind: PayLine['kind'], code: string, description: string, amountMinor: bigint, rule: string) =>
  ({
    kind,
    code,
    description,
    amountMinor,
    steps: [{ description, baseMinor: null, rate: null, amountMinor, rule }],
  }) satisfies PayLine

const wagesOf = (lines: readonly PayLine[]): bigint =>
  add(lines.filter(({ kind }) => kind === 'EARNING').map(({ amountMinor }) => amountMinor))

type Parts = { wagesMinor: bigint; benefitsMinor: bigint; taxedMinor: bigint; taxableMinor: bigint }

/** Says what the taxable income is where it is more than the wages. */
function baseStep({ wagesMinor, benefitsMinor, taxedMinor, taxableMinor }: Parts): Step[] {
  if (taxableMinor === wagesMinor) return []
  const parts = [`wages ${shown(wagesMinor)}`]
  if (benefitsMinor !== 0n) parts.push(`benefits in kind ${shown(benefitsMinor)}`)
  if (taxedMinor !== 0n) parts.push(`taxed deposits of the employer ${shown(taxedMinor)}`)
  const description = `Taxable income: ${parts.join(', ')}`
  const rule = 'Income Tax Ordinance, sections 2(2), 3(e) and 3(e3)'
  return [{ description, baseMinor: taxableMinor, rate: null, amountMinor: 0n, rule }]
}

function schemeLines({ tax, insurance, deposits }: { tax: Step[]; insurance: Insurance; deposits: Deposits }) {
  const steps: Record<SchemeCode, readonly Step[]> = {
    INCOME_TAX: tax,
    NI_EE: insurance.employee,
    HEALTH: insurance.health,
    PENSION_EE: [deposits.pensionEmployee],
    STUDY_EE: [deposits.studyEmployee],
    NI_ER: insurance.employer,
    PENSION_ER: [deposits.pensionEmployer],
    SEVERANCE: [deposits.severance],
    STUDY_ER: [deposits.studyEmployer],
  }
  return schemes
    .map(
      ({ code, label, payer }): PayLine => ({
        kind: payer === 'EMPLOYEE' ? 'DEDUCTION' : 'CONTRIBUTION',
        code,
        description: label,
        amountMinor: add(steps[code].map(({ amountMinor }) => amountMinor)),
        steps: steps[code],
      }),
    )
    .filter(({ amountMinor }) => amountMinor !== 0n)
}

type Based = {
  earnings: readonly PayLine[]
  wagesMinor: bigint
  benefitsMinor: bigint
  taxableMinor: bigint
  deposits: Deposits
  insurance: Insurance
}

/** The bases that payslips and the forms 102, 106 and 126 report; docs/payroll-israel.md explains each. */
const basesOf = ({ earnings, wagesMinor, benefitsMinor, taxableMinor, deposits, insurance }: Based) => ({
  GROSS: add(earnings.map(({ amountMinor }) => amountMinor)),
  WAGES: wagesMinor,
  BENEFITS_IN_KIND: benefitsMinor,
  TAXED_DEPOSITS: deposits.taxedMinor,
  TAXABLE: taxableMinor,
  INSURABLE: insurance.reducedMinor + insurance.fullMinor,
  INSURABLE_REDUCED: insurance.reducedMinor,
  INSURABLE_FULL: insurance.fullMinor,
  PENSIONABLE: deposits.pensionableMinor,
  [depositBases.studyWage]: deposits.studyWageMinor,
})

/** National Insurance has new amounts every January. */
function tableWarnings(day: string, since: string): Warning[] {
  const year = day.slice(0, 4)
  if (since.slice(0, 4) === year) return []
  const message = `The payroll tables of Israel for ${year} are not known yet; those of ${since.slice(0, 4)} were used.`
  return [{ code: 'PAYROLL_TABLES', message, path: 'month' }]
}

function insuranceWarnings({ unconfirmed, category }: Insurance): Warning[] {
  const message = `Not all rates of National Insurance for the category ${category} are confirmed; check the table of the National Insurance Institute.`
  return unconfirmed ? [{ code: 'INSURANCE_RATES', message, path: 'insuranceCategory' }] : []
}

const shown = (minor: bigint): string => `${toMajor(minor, 'ILS').toFixed(2)} ILS`
