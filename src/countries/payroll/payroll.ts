import type { Warning } from '../../core/define/schema.ts'
import type { PayFacts } from './facts.ts'

/**
 * How a country computes pay: pure functions of facts about the employee, the wages of a period and dated tables. They know no
 * database and no clock. Amounts are minor units of the country's currency.
 */
export type PayrollRules = {
  /** Everything that is withheld from employees or paid for them, in the order of the summary. */
  schemes: readonly Scheme[]
  /** The names of all bases of payslips, which opening balances have too; `<state>` stands for two letters. */
  bases: readonly string[]
  /** The part of a monthly wage for the days from `first` to `last` of the month, which may be all of them. */
  prorate(wage: MonthlyWage): WageForDays
  /** Computes the pay of one period, or says in a sentence what is missing or impossible. */
  compute(pay: Pay): ComputedPay | { problem: string }
  /**
   * How a change of an earlier month is made good. RECOMPUTE: every line of that month is computed again, and the differences are
   * paid. WAGES and ADDITIONAL_WAGES: the difference of the wage alone is paid, as such wages of the month in which it is paid.
   */
  corrections: 'RECOMPUTE' | 'WAGES' | 'ADDITIONAL_WAGES'
  /** How much of an employee's advances may be taken from the pay, and by which rule. Never more than `netMinor`. */
  setOff(asked: SetOff): { limitMinor: bigint; rule: string }
  /** Warnings about facts that the law does not allow or that are missing, such as a wage below the minimum. */
  factWarnings(facts: PayFacts, employment: Employment, day: string): Warning[]
  /** The authority that pays back government-paid leave, by the words of an adjustment; null without such leave. */
  leaveScheme: ((description: string) => LeaveScheme) | null
  /** The minimum wage of a day, for a full month and for an hour, where payslips must show it. */
  minimumWage: ((day: string) => { monthlyMinor: bigint; hourlyMinor: bigint } | undefined) | null
}

/** Something that is withheld or contributed, such as CPF of the employee. Its amounts are paid to its authority. */
export type Scheme = {
  code: string
  label: string
  labelHe: string
  payer: 'EMPLOYEE' | 'EMPLOYER'
  /** To whom it is paid, such as the National Insurance Institute. Schemes of one authority are paid together. */
  authority: string
}

export type LeaveScheme = { code: string; label: string; authority: LeaveAuthority }
/** A public body that the organization claims money from. The id is the same on every server. */
export type LeaveAuthority = { id: string; name: string }

export type Employment = {
  startDate: string
  /** The last day of the employment; null while it goes on. */
  endDate: string | null
  /** The full monthly wage on the day in question, where it is known: for warnings about the minimum wage. */
  monthlyWageMinor?: bigint | undefined
}

/** Days of one month with one wage: a raise or a joiner in the middle of a month makes two or more of them. */
export type MonthlyWage = { wageMinor: bigint; first: string; last: string; facts: PayFacts }
export type WageForDays = { amountMinor: bigint; step: Step }

export const payPeriods = ['DAILY', 'WEEKLY', 'BIWEEKLY', 'SEMIMONTHLY', 'MONTHLY', 'QUARTERLY', 'SEMIANNUALLY', 'ANNUALLY'] as const // biome-ignore format: a list of words
export type PayPeriod = (typeof payPeriods)[number]

export const adjustmentKinds = ['OTHER', 'LEAVE_PAY', 'REIMBURSEMENT'] as const
export type Adjustment = { description: string; amountMinor: bigint; kind: (typeof adjustmentKinds)[number] }

export type Pay = {
  period: PayPeriod
  /** The first and the last day of the period, also for somebody who was employed for a part of it. */
  from: string
  to: string
  /** The day on which the pay is due; the tables of the United States go by it. */
  payDay: string
  /** The regular wage of the period for the days of employment; one line for each wage. */
  wages: readonly { description: string; amountMinor: bigint; steps: readonly Step[] }[]
  /** Bonus and the like, which does not belong to this period alone. */
  additionalWageMinor: bigint
  adjustments: readonly Adjustment[]
  /** As of the last day of employment in the period. */
  facts: PayFacts
  employment: Employment
  /** The bases of the calendar year before this payslip: the sums of `ComputedPay.bases` and the opening balances. */
  earlier: Bases
  /** Tables that were published by this day are used; a table can be published after the day from which it is valid. */
  knownOn: string
}

/** Amounts by name, such as the wages that were subject to Social Security. Each country has its own names. */
export type Bases = Readonly<Record<string, bigint>>

export type ComputedPay = {
  lines: readonly PayLine[]
  /** What this payslip adds to the bases of the year. Bases that are not needed later are here too: forms report them. */
  bases: Bases
  warnings: readonly Warning[]
  /** Which tables were used, such as "IL 2026-01-01, published 2026-03-31". */
  tables: string
}

/**
 * One line of a payslip. Earnings and reimbursements are gross; gross less deductions is net; gross and contributions are what
 * the employee costs. A deduction or contribution has the code of its scheme and a positive amount.
 */
export type PayLine = {
  kind: 'EARNING' | 'REIMBURSEMENT' | 'DEDUCTION' | 'CONTRIBUTION'
  code: string
  description: string
  amountMinor: bigint
  /** How the amount was computed. The amounts of the steps add up to the amount of the line, before its last rounding. */
  steps: readonly Step[]
}

/** One step of a computation: a part of a base at a rate, a credit, a rounding. `rate` is a text such as "6.2 %". */
export type Step = {
  description: string
  baseMinor: bigint | null
  rate: string | null
  amountMinor: bigint
  /** The law, table or form that says so, with its date. */
  rule: string
}

export type SetOff = {
  /** The net pay that is still to be paid. */
  netMinor: bigint
  /** The pay for the period without reimbursements. */
  wagesMinor: bigint
  /** The full monthly wage of the employee. */
  monthlyWageMinor: bigint
  /** All advances that are open. */
  advancesMinor: bigint
  isFinal: boolean
  /** The employee agreed in writing. */
  hasConsent: boolean
  /** The caller authorized setting off against the last pay. */
  finalAuthorized: boolean
  facts: PayFacts
}

/** The codes of lines that are not schemes; every country uses them. */
export const earningCodes = { wage: 'WAGE', additional: 'ADDITIONAL_WAGE', adjustment: 'ADJUSTMENT', leave: 'LEAVE_PAY', reimbursement: 'REIMBURSEMENT' } as const // biome-ignore format: a list of words
