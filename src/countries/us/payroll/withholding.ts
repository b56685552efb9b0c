import { percentOf } from '../../../core/values/money.ts'
import type { PayFacts } from '../../payroll/facts.ts'
import type { Bases, PayPeriod, Step } from '../../payroll/payroll.ts'
import type { Column, Tables, WithholdingTables } from './tables.ts'
import { atLeastZero, divided, dollars, shown, smaller, type Wages } from './wages.ts'

/** Pay periods of a year (Publication 15-T, table 3). */
const periodsOfYear: Readonly<Record<PayPeriod, bigint>> = {
  DAILY: 260n,
  WEEKLY: 52n,
  BIWEEKLY: 26n,
  SEMIMONTHLY: 24n,
  MONTHLY: 12n,
  QUARTERLY: 4n,
  SEMIANNUALLY: 2n,
  ANNUALLY: 1n,
}

/** The federal income tax of a payslip, step by step; the amounts of the steps add up to the tax. */
export function incomeTax(
  { regular, supplemental }: Wages,
  { facts, period, earlier, tables }: { facts: PayFacts; period: PayPeriod; earlier: Bases; tables: Tables },
): Step[] {
  const bonus = supplementalTax(supplemental, { facts, earlier: earlier.SUPPLEMENTAL ?? 0n, tables })
  if (facts.taxExempt) return bonus
  return [
    ...regularTax(regular, { facts, periods: periodsOfYear[period], tables: tables.withholding }),
    ...bonus,
    ...extra(facts, regular + supplemental, tables),
  ]
}

/** Publication 15-T, Worksheet 1A: percentage method for automated payroll systems, both kinds of Form W-4. */
function regularTax(
  wages: bigint,
  { facts, periods, tables }: { facts: PayFacts; periods: bigint; tables: WithholdingTables },
): Step[] {
  if (wages === 0n) return []
  const worksheet = `${tables.publication}, Worksheet 1A`
  const alien = alienAddition(facts, { periods, tables })
  const annual = (wages + alien.amount) * periods
  const adjusted = adjustedWage(annual, { facts, tables })
  const taxed = tentativeTax(adjusted.wage, { facts, periods, tables })
  return [
    shown('Taxable wages of the pay period', wages, `${worksheet}, line 1a`),
    ...alien.steps,
    shown('Annual wages', annual, `${worksheet}, line 1c`, `× ${periods}`),
    ...adjusted.steps,
    taxed,
    ...credit(facts, { tentative: taxed.amountMinor, periods, worksheet }),
  ]
}

/** Tables 1 and 2 have the amount of a year for each pay period, rounded to ten cents. */
function alienAddition(facts: PayFacts, { periods, tables }: { periods: bigint; tables: WithholdingTables }) {
  if (!facts.nonresidentAlien) return { amount: 0n, steps: [] }
  const isEarlier = facts.allowances !== undefined
  const amount = divided(isEarlier ? tables.alien.earlier : tables.alien.later, periods * 10n) * 10n
  const rule = `${tables.publication}, nonresident alien employees, table ${isEarlier ? 1 : 2}`
  return { amount, steps: [shown('Addition for a nonresident alien', amount, rule)] }
}

/** Lines 1d to 1i for a Form W-4 of 2020 or later, lines 1j to 1l for an earlier one, which has no steps 2 to 4. */
function adjustedWage(annual: bigint, { facts, tables }: { facts: PayFacts; tables: WithholdingTables }) {
  const line = (name: string) => `${tables.publication}, Worksheet 1A, line ${name}`
  if (facts.allowances !== undefined) {
    const allowed = tables.allowance * BigInt(Math.max(0, Math.trunc(facts.allowances)))
    const text = `Less ${facts.allowances} allowances of ${dollars(tables.allowance)}`
    return { wage: atLeastZero(annual - allowed), steps: [shown(text, allowed, line('1k'))] }
  }
  const income = facts.otherIncomeMinor ?? 0n
  const deductions = facts.deductionsMinor ?? 0n
  const adjustment = facts.multipleJobs ? 0n : tables.adjustment[columnOf(facts)]
  const steps = [
    ...(income === 0n ? [] : [shown('Plus other income, Form W-4 step 4(a)', income, line('1d'))]),
    ...(deductions === 0n ? [] : [shown('Less deductions, Form W-4 step 4(b)', deductions, line('1f'))]),
    shown(facts.multipleJobs ? 'Nothing less: Form W-4 step 2 is checked' : 'Less', adjustment, line('1g')),
  ]
  return { wage: atLeastZero(annual + income - deductions - adjustment), steps }
}

/** Lines 2a to 2h. The tax of the year is exact, and rounded once after the division by the pay periods. */
function tentativeTax(
  wage: bigint,
  { facts, periods, tables }: { facts: PayFacts; periods: bigint; tables: WithholdingTables },
): Step {
  const isStepTwo = facts.allowances === undefined && facts.multipleJobs === true
  const column = columnOf(facts)
  const schedule = (isStepTwo ? tables.stepTwo : tables.standard)[column]
  const [over, base, percent] = schedule.findLast(([from]) => from <= wage) ?? [0n, 0n, 0n]
  const hundredths = base * 100n + (wage - over) * percent
  const plus = base === 0n ? '' : `${dollars(base)} plus `
  const table = isStepTwo ? 'step 2 checked' : 'standard'
  return {
    description: `Tax on the adjusted annual wage, for one of ${periods} pay periods`,
    baseMinor: wage,
    rate: `${plus}${percent} % above ${dollars(over)}`,
    amountMinor: divided(hundredths, 100n * periods),
    rule: `${tables.publication}, percentage method table for automated payroll systems, ${table}, ${columnNames[column]}`,
  }
}

/** Lines 3a to 3c: the credit of step 3, at most the tax. Forms of 2019 and earlier have none. */
function credit(
  facts: PayFacts,
  { tentative, periods, worksheet }: { tentative: bigint; periods: bigint; worksheet: string },
): Step[] {
  const year = facts.allowances === undefined ? (facts.dependentsCreditMinor ?? 0n) : 0n
  const amount = smaller(divided(year, periods), tentative)
  const description = 'Less credit for dependents, Form W-4 step 3'
  return year === 0n
    ? []
    : [
        {
          description,
          baseMinor: year,
          rate: `÷ ${periods}`,
          amountMinor: -amount,
          rule: `${worksheet}, lines 3a to 3c`,
        },
      ]
}

/** Line 4a, also for line 6 of an earlier form. */
function extra({ extraWithholdingMinor: amountMinor = 0n }: PayFacts, wages: bigint, tables: Tables): Step[] {
  if (amountMinor === 0n || wages === 0n) return []
  const rule = `${tables.withholding.publication}, Worksheet 1A, line 4a`
  return [{ description: 'Extra withholding, Form W-4 step 4(c)', baseMinor: null, rate: null, amountMinor, rule }]
}

/** The part above a million in the year is taxed at the highest rate, even if the employee claims to be exempt. */
function supplementalTax(
  wages: bigint,
  { facts, earlier, tables }: { facts: PayFacts; earlier: bigint; tables: Tables },
): Step[] {
  const { percent, highPercent, high } = tables.supplemental
  const low = smaller(wages, atLeastZero(high - earlier))
  const step = (description: string, baseMinor: bigint, rate: string): Step => ({
    description,
    baseMinor,
    rate: `${rate} %`,
    amountMinor: percentOf(baseMinor, rate, 'half-up'),
    rule: 'Publication 15, supplemental wages; Treasury Regulations section 31.3402(g)-1',
  })
  return [
    ...(low === 0n || facts.taxExempt ? [] : [step('Supplemental wages', low, percent)]),
    ...(wages === low ? [] : [step('Supplemental wages above a million in the year', wages - low, highPercent)]),
  ]
}

/** The column of the tables. Forms of 2019 and earlier know single and married alone. */
function columnOf({ filingStatus, allowances }: PayFacts): Column {
  if (filingStatus === 'MARRIED_JOINTLY') return 'jointly'
  return filingStatus === 'HEAD_OF_HOUSEHOLD' && allowances === undefined ? 'head' : 'single'
}

const columnNames: Readonly<Record<Column, string>> = {
  single: 'single or married filing separately',
  jointly: 'married filing jointly',
  head: 'head of household',
}
