import { add } from '../../../core/values/money.ts'
import {
  type Bases,
  type ComputedPay,
  earningCodes,
  type Pay,
  type PayLine,
  type PayrollRules,
  type SetOff,
  type Step,
} from '../../payroll/payroll.ts'
import { employedDays, presentOrdinary } from './additional-wages.ts'
import { larger, smaller } from './compare.ts'
import { type CpfRates, ratesIn } from './cpf.ts'
import { cpfOfPay, employerCpfOnMonth, type PaidWages } from './cpf-of-pay.ts'
import { factWarnings } from './fact-warnings.ts'
import { claimBases, claimWage, leaveClaimWarnings, leaveScheme } from './leave-claims.ts'
import { foreignWorkerLevy, fundContributions, skillsLevy } from './levies.ts'
import { isForeignerOn } from './residency.ts'
import { schemes } from './schemes.ts'
import { dollars } from './words.ts'
import { monthAround, prorate } from './working-days.ts'

/** CPF, Skills Development Levy, self-help group funds and foreign worker levy. Singapore withholds no income tax from pay. */
/** docs/payroll-singapore.md explains each. */
const wageBases = ['OW', 'AW', 'WAGES', 'GROSS', 'CPF_OW', 'CPF_AW', 'AW_EXEMPT', 'CLAIM_GPCL', 'CLAIM_GPECL']

export const payroll: PayrollRules = {
  corrections: 'ADDITIONAL_WAGES',
  schemes,
  bases: [...wageBases, ...schemes.map(({ code }) => code)],
  prorate,
  compute,
  setOff,
  factWarnings,
  leaveScheme,
  minimumWage: null,
}

function compute(given: Pay): ComputedPay | { problem: string } {
  const earnings = earningsOf(given)
  const pay = withEncashedLeave(given)
  const paid = { ordinaryMinor: ordinaryOf(pay), additionalMinor: pay.additionalWageMinor }
  const rates = ratesIn(pay.from, pay.facts)
  const problem = problemOf(pay, paid)
  if (problem) return { problem }
  if (!rates) return { problem: `There are no CPF rates for ${pay.from.slice(0, 7)}: the first table is of 2023.` }

  const cpf = cpfOfPay(pay, paid, rates)
  const levies = leviesOf(pay, paid.ordinaryMinor + paid.additionalMinor)
  const lines = inOrder([...earnings, ...cpf.lines, ...levies.map(({ line }) => line)])
  const net = sumOf(lines, 'EARNING', 'REIMBURSEMENT') - sumOf(lines, 'DEDUCTION')
  if (net < 0n)
    return { problem: `The deductions are ${dollars(-net)} more than the pay, so net pay would be negative.` }
  return {
    lines,
    bases: { ...basesOf(lines, paid), ...cpf.bases, ...claimBases(pay) },
    warnings: [...factWarnings(pay.facts, pay.employment, pay.to), ...cpf.warnings, ...leaveWarnings(pay, rates)],
    tables: `SG ${[...cpf.tables, ...levies.flatMap(({ table }) => table ?? [])].join(', ')}`.trim(),
  }
}

/** Encashed leave is additional wages, although it is entered as an adjustment. */
function withEncashedLeave(pay: Pay): Pay {
  const isEncashed = ({ kind, description }: Pay['adjustments'][number]) =>
    kind === 'OTHER' && /\bencash/i.test(description)
  const encashed = pay.adjustments.filter(isEncashed)
  return {
    ...pay,
    additionalWageMinor: pay.additionalWageMinor + add(encashed.map(({ amountMinor }) => amountMinor)),
    adjustments: pay.adjustments.filter((adjustment) => !isEncashed(adjustment)),
  }
}

function leaveWarnings(pay: Pay, rates: CpfRates) {
  if (!pay.adjustments.some(({ kind }) => kind === 'LEAVE_PAY')) return []
  return leaveClaimWarnings(pay, claimWage(presentOrdinary(pay), employerCpfOnMonth(pay, rates), pay))
}

function problemOf({ period, from, to }: Pay, { ordinaryMinor, additionalMinor }: PaidWages): string | undefined {
  const month = monthAround(from)
  if (period !== 'MONTHLY') return 'CPF goes by the calendar month, so pay in Singapore is computed for a month.'
  if (from !== month.first || to !== month.last) return 'CPF goes by the calendar month, and this period is not one.'
  if (ordinaryMinor < 0n) return `The deductions for absence are ${dollars(-ordinaryMinor)} more than the wage.`
  if (additionalMinor < 0n)
    return 'The additional wage is negative; CPF of an earlier month is refunded by the CPF Board.'
  return undefined
}

function leviesOf(pay: Pay, totalMinor: bigint) {
  const month = { first: pay.from, last: pay.to }
  const employed = employedDays(pay)
  const isForeigner = isForeignerOn(pay.to, pay.facts)
  return [
    ...fundContributions(pay.from, totalMinor, isForeigner, pay.facts),
    ...skillsLevy(pay.from, totalMinor),
    ...(isForeigner && employed ? foreignWorkerLevy(employed, month, pay.facts) : []),
  ]
}

/** Everything that is wages for the month alone. Less for absence is negative. */
const ordinaryOf = ({ wages, adjustments }: Pay) =>
  add([...wages, ...adjustments.filter(({ kind }) => kind !== 'REIMBURSEMENT')].map(({ amountMinor }) => amountMinor))

const ordinaryRule = 'CPF Act 1953: ordinary wages'
const adjustmentRules = {
  OTHER: { code: earningCodes.adjustment, rule: ordinaryRule },
  LEAVE_PAY: { code: earningCodes.leave, rule: 'Child Development Co-Savings Act 2001: government-paid leave; ordinary wages' },
  REIMBURSEMENT: { code: earningCodes.reimbursement, rule: 'CPF Act 1953: reimbursements of expenses are not wages' },
} as const // biome-ignore format: a table

function earningsOf({ wages, additionalWageMinor, adjustments }: Pay): PayLine[] {
  const additional = { description: 'Additional wage', amountMinor: additionalWageMinor }
  return [
    ...wages.map(({ steps, ...wage }) => ({
      ...earning(earningCodes.wage, wage, ordinaryRule),
      ...(steps.length > 0 ? { steps } : {}),
    })),
    ...(additionalWageMinor === 0n
      ? []
      : [earning(earningCodes.additional, additional, 'CPF Act 1953: additional wages')]),
    ...adjustments.map(({ kind, ...adjustment }) => {
      const { code, rule } = adjustmentRules[kind]
      const line = earning(code, adjustment, rule)
      return kind === 'REIMBURSEMENT' ? { ...line, kind } : line
    }),
  ]
}

function earning(
  code: string,
  { description, amountMinor }: { description: string; amountMinor: bigint },
  rule: string,
): PayLine {
  const step: Step = { description, baseMinor: null, rate: null, amountMinor, rule }
  return { kind: 'EARNING', code, description, amountMinor, steps: [step] }
}

const kinds = ['EARNING', 'REIMBURSEMENT', 'DEDUCTION', 'CONTRIBUTION'] as const
const inOrder = (lines: readonly PayLine[]) => kinds.flatMap((kind) => lines.filter((line) => line.kind === kind))
const sumOf = (lines: readonly PayLine[], ...of: PayLine['kind'][]) =>
  add(lines.filter(({ kind }) => of.includes(kind)).map(({ amountMinor }) => amountMinor))

/** OW, AW and WAGES as paid, GROSS with reimbursements, and what was paid to each scheme, which IR8A reports. */
function basesOf(lines: readonly PayLine[], { ordinaryMinor, additionalMinor }: PaidWages): Bases {
  const ofSchemes = lines.filter(({ kind }) => kind === 'DEDUCTION' || kind === 'CONTRIBUTION')
  return {
    OW: ordinaryMinor,
    AW: additionalMinor,
    WAGES: ordinaryMinor + additionalMinor,
    GROSS: sumOf(lines, 'EARNING', 'REIMBURSEMENT'),
    ...Object.fromEntries(ofSchemes.map(({ code, amountMinor }) => [code, amountMinor])),
  }
}

/**
 * A quarter of the salary due for the period, also of the last one: section 32(2) lifts the limit on all deductions together
 * for it, but not that on instalments of an advance. Written consent allows more.
 */
function setOff({ netMinor, wagesMinor, hasConsent }: SetOff): { limitMinor: bigint; rule: string } {
  const net = larger(netMinor, 0n)
  if (hasConsent) return { limitMinor: net, rule: 'Employment Act 1968, s 27(1)(i): deductions with written consent' }
  const quarter = larger(wagesMinor / 4n, 0n)
  return { limitMinor: smaller(quarter, net), rule: 'Employment Act 1968, s 31: at most 25 % of the salary due' }
}
