import { add } from '../../../core/values/money.ts'
import {
  type Adjustment,
  type Bases,
  type ComputedPay,
  earningCodes,
  type MonthlyWage,
  type Pay,
  type PayLine,
  type PayrollRules,
  type SetOff,
  type Step,
  type WageForDays,
} from '../../payroll/payroll.ts'
import { creditReductionOf, insuranceContributions, stateInsurance, unemploymentTax } from './contributions.ts'
import { labelOf, schemes } from './schemes.ts'
import { stateAndLocalTax } from './state.ts'
import { statesWithoutFinalSetOff, type Tables, tablesOn } from './tables.ts'
import { atLeastZero, divided, dollars, type Wages, wagesOf } from './wages.ts'
import { factWarnings, payWarnings } from './warnings.ts'
import { incomeTax } from './withholding.ts'

/** docs/payroll-united-states.md explains each. */
const baseNames = [
  'FIT_WAGES', 'SS_WAGES', 'MED_WAGES', 'MED_ADDL_WAGES', 'FUTA_WAGES', 'FUTA_WAGES_<state>', 'FUTA_REDUCED_<state>', 'SUI_WAGES',
  'STATE_WAGES', 'STATE_WAGES_<state>', 'STATE_TAX_<state>', 'LOCAL_WAGES', 'RETIREMENT', 'BENEFITS', 'SUPPLEMENTAL', 'GROSS', 'REIMBURSEMENTS',
] as const // biome-ignore format: a list of words

/** Payroll of the United States: federal taxes from dated tables, state and local taxes from the facts of the employee. */
export const payroll: PayrollRules = {
  corrections: 'WAGES',
  leaveScheme: null,
  minimumWage: null,
  schemes,
  bases: baseNames,
  prorate,
  compute,
  setOff,
  factWarnings,
}

/** By the calendar days of the month, half up. */
function prorate({ wageMinor, first, last }: MonthlyWage): WageForDays {
  const daysOfMonth = new Date(Date.UTC(Number(first.slice(0, 4)), Number(first.slice(5, 7)), 0)).getUTCDate()
  const days = Number(last.slice(8)) - Number(first.slice(8)) + 1
  const amountMinor = divided(wageMinor * BigInt(days), BigInt(daysOfMonth))
  const isWhole = days === daysOfMonth
  return {
    amountMinor,
    step: {
      description: isWhole ? 'Monthly wage' : `Monthly wage for ${days} of ${daysOfMonth} days`,
      baseMinor: wageMinor,
      rate: isWhole ? null : `${days}/${daysOfMonth}`,
      amountMinor,
      rule: isWhole ? 'Employment agreement' : 'Calendar days of the month',
    },
  }
}

function compute(pay: Pay): ComputedPay | { problem: string } {
  const tables = tablesOn(pay.payDay)
  if (!tables) return { problem: `No payroll tables of the United States are known for ${pay.payDay}.` }
  if (pay.additionalWageMinor < 0n) {
    return { problem: 'An additional wage cannot be negative; an adjustment can.' }
  }
  const wages = wagesOf(pay)
  if (wages.total < 0n) return { problem: `The wages are below zero: ${dollars(wages.total)}.` }
  const taxes = taxesOf(pay, wages, tables)
  const lines = [...earnings(pay), ...schemeLines(taxes.steps)]
  const netMinor = netOf(lines)
  if (netMinor < 0n)
    return { problem: `The deductions are larger than the pay: the net would be ${dollars(netMinor)}.` }
  return {
    lines,
    bases: { ...basesOf(pay, wages), ...taxes.bases },
    warnings: payWarnings(pay),
    tables: versionOf(pay, tables),
  }
}

/** Which tables the payslip was computed with. */
function versionOf(pay: Pay, { withholding, security }: Tables): string {
  const reduction = creditReductionOf(pay)
  const reduced = reduction ? `, FUTA credit reductions published ${reduction.published}` : ''
  return `US ${withholding.since}, ${withholding.publication}, Social Security ${security.since}${reduced}`
}

function taxesOf(pay: Pay, wages: Wages, tables: Tables) {
  const parts = [
    { steps: { ...preTaxSteps(wages), FIT: incomeTax(wages, { ...pay, tables }) }, bases: {} },
    insuranceContributions(wages.social, pay.earlier, tables),
    unemploymentTax(wages.social, pay, tables),
    stateAndLocalTax(wages, pay.facts),
    stateInsurance(wages.social, pay, tables),
  ]
  const steps: Record<string, readonly Step[]> = Object.assign({}, ...parts.map((part) => part.steps))
  const bases: Bases = Object.assign({}, ...parts.map((part) => part.bases))
  return { steps, bases }
}

const preTaxSteps = ({ benefits, deferral }: Wages) => ({
  BENEFITS: oneStep(benefits, 'Before all taxes', 'Internal Revenue Code, section 125'),
  RETIREMENT: oneStep(deferral, 'Before income tax', 'Internal Revenue Code, section 401(k)'),
})

const oneStep = (amountMinor: bigint, description: string, rule: string): Step[] =>
  amountMinor === 0n ? [] : [{ description, baseMinor: null, rate: null, amountMinor, rule }]

/** Lines of the schemes that have an amount, in the order of the schemes. */
const schemeLines = (steps: Readonly<Record<string, readonly Step[]>>): PayLine[] =>
  schemes.flatMap(({ code, payer }) => {
    const own = steps[code] ?? []
    const amountMinor = sum(own)
    const kind = payer === 'EMPLOYEE' ? 'DEDUCTION' : 'CONTRIBUTION'
    return amountMinor === 0n ? [] : [{ kind, code, description: labelOf(code), amountMinor, steps: own }]
  })

function earnings({ wages, additionalWageMinor, adjustments }: Pay): PayLine[] {
  const { wage, additional } = earningCodes
  const earning = (code: string, description: string, amountMinor: bigint, steps: readonly Step[]): PayLine => ({
    kind: 'EARNING',
    code,
    description,
    amountMinor,
    steps,
  })
  const bonus = oneStep(additionalWageMinor, 'Additional wage', 'Publication 15, supplemental wages')
  return [
    ...wages.map(({ description, amountMinor, steps }) =>
      earning(
        wage,
        description,
        amountMinor,
        steps.length > 0 ? steps : oneStep(amountMinor, description, 'Employment agreement'),
      ),
    ),
    ...(bonus.length > 0 ? [earning(additional, 'Additional wage', additionalWageMinor, bonus)] : []),
    ...adjustments.map(adjustmentLine),
  ]
}

function adjustmentLine({ kind, description, amountMinor }: Adjustment): PayLine {
  const { adjustment, leave, reimbursement } = earningCodes
  if (kind === 'REIMBURSEMENT') {
    const rule = 'Treasury Regulations section 1.62-2, accountable plan: not wages'
    return { kind, code: reimbursement, description, amountMinor, steps: oneStep(amountMinor, description, rule) }
  }
  const code = kind === 'LEAVE_PAY' ? leave : adjustment
  const steps = oneStep(amountMinor, description, 'Adjustment of the wages')
  return { kind: 'EARNING', code, description, amountMinor, steps }
}

const signs = { EARNING: 1n, REIMBURSEMENT: 1n, DEDUCTION: -1n, CONTRIBUTION: 0n } as const
const netOf = (lines: readonly PayLine[]): bigint =>
  add(lines.map(({ kind, amountMinor }) => signs[kind] * amountMinor))

const sum = (of: readonly { amountMinor: bigint }[]): bigint => add(of.map(({ amountMinor }) => amountMinor))

/** What forms 941, 940, W-2 and W-3 report beside the bases of the taxes. */
function basesOf({ adjustments }: Pay, { total, benefits, deferral, regular, supplemental }: Wages): Bases {
  const reimbursed = sum(adjustments.filter(({ kind }) => kind === 'REIMBURSEMENT'))
  return {
    GROSS: total + reimbursed,
    REIMBURSEMENTS: reimbursed,
    FIT_WAGES: regular + supplemental,
    SUPPLEMENTAL: supplemental,
    BENEFITS: benefits,
    RETIREMENT: deferral,
  }
}

/** The principal of an advance may be taken even below the minimum wage; the last pay has stricter rules. */
function setOff({ netMinor, isFinal, hasConsent, finalAuthorized, facts }: SetOff) {
  const net = atLeastZero(netMinor)
  if (!isFinal) {
    const rule =
      'Fair Labor Standards Act, Field Operations Handbook 30c10(b): principal of an advance, up to the net pay'
    return { limitMinor: net, rule }
  }
  if (statesWithoutFinalSetOff.has(facts.state ?? '')) {
    return { limitMinor: 0n, rule: `${facts.state}: nothing is set off against the last pay, whatever was agreed` }
  }
  return hasConsent || finalAuthorized
    ? { limitMinor: net, rule: 'Last pay: up to the net pay, as the employee agreed or the employer is authorized' }
    : { limitMinor: 0n, rule: 'Last pay: nothing without written authorization' }
}
