import { percentOf } from '../../../core/values/money.ts'
import type { Bases, Pay, Step } from '../../payroll/payroll.ts'
import { type CreditReduction, creditReductions, type Tables } from './tables.ts'
import { atLeastZero, dollars, larger, smaller } from './wages.ts'

/** Steps of the lines by the code of their scheme, and what they add to the bases of the year. */
export type Taxes = { steps: Readonly<Record<string, readonly Step[]>>; bases: Bases }

/** Social Security up to the wage base of the year, Medicare on all wages, and additional Medicare above the threshold. */
export function insuranceContributions(wages: bigint, earlier: Bases, { security, health }: Tables): Taxes {
  const secured = smaller(wages, security.wageBase - usedOf('SS_WAGES', security.wageBase, earlier))
  const before = earlier.MED_WAGES ?? 0n
  const above = (amount: bigint) => atLeastZero(amount - health.additionalOver)
  const additional = above(before + wages) - above(before)
  const year = security.since.slice(0, 4)
  const socialSecurity = at(
    security.percent,
    secured,
    `Wages up to ${dollars(security.wageBase)} in the year`,
    `Internal Revenue Code, sections 3101(a) and 3111(a); wage base of ${year}`,
  )
  const hospital = at(health.percent, wages, 'Wages', 'Internal Revenue Code, sections 3101(b)(1) and 3111(b)')
  return {
    steps: {
      SS_EE: socialSecurity,
      SS_ER: socialSecurity,
      MED_EE: hospital,
      MED_ER: hospital,
      MED_ADDL: at(
        health.additionalPercent,
        additional,
        `Wages above ${dollars(health.additionalOver)} in the year`,
        'Internal Revenue Code, sections 3101(b)(2) and 3102(f)',
      ),
    },
    bases: { SS_WAGES: secured, MED_WAGES: wages, MED_ADDL_WAGES: additional },
  }
}

/**
 * Federal unemployment tax at the rate after the whole credit. Where the state owes loans, the credit of the whole year is
 * smaller: the law counts the difference as incurred at the end of the year, and it is due with Form 940. Payslips from
 * 1 December on carry it for all wages of the year that no payslip has carried it for yet.
 */
export function unemploymentTax(wages: bigint, pay: Pay, { unemployment }: Tables): Taxes {
  const { earlier, facts } = pay
  const used = usedOf('FUTA_WAGES', unemployment.wageBase, earlier)
  const taxed = smaller(wages, unemployment.wageBase - used)
  const rule = 'Internal Revenue Code, sections 3301 and 3302'
  const reduced = reductionsOf(pay, used + taxed)
  return {
    steps: {
      FUTA: [
        ...at(unemployment.percent, taxed, `First ${dollars(unemployment.wageBase)} of the year`, rule),
        ...reduced.map(({ step }) => step),
      ],
    },
    bases: {
      FUTA_WAGES: taxed,
      ...(facts.state === undefined ? {} : { [`FUTA_WAGES_${facts.state}`]: taxed }),
      ...Object.fromEntries(reduced.map(({ state, base }) => [`FUTA_REDUCED_${state}`, base])),
    },
  }
}

/** The credit reductions that payslips of the pay day carry; undefined before December, and before they are published. */
export function creditReductionOf({ payDay, knownOn }: Pick<Pay, 'payDay' | 'knownOn'>): CreditReduction | undefined {
  const year = payDay.slice(0, 4)
  if (payDay < `${year}-12-01`) return undefined
  return creditReductions.find((row) => row.year === Number(year) && row.published <= knownOn)
}

function reductionsOf({ payDay, knownOn, earlier, facts }: Pay, wagesOfYear: bigint) {
  const row = creditReductionOf({ payDay, knownOn })
  if (!row) return []
  return Object.entries(row.percent).flatMap(([state, percent]) => {
    const wages =
      state === facts.state ? wagesOfYear - wagesElsewhere(earlier, state) : (earlier[`FUTA_WAGES_${state}`] ?? 0n)
    const base = wages - (earlier[`FUTA_REDUCED_${state}`] ?? 0n)
    if (base <= 0n) return []
    const rule = `Form 940 (${row.year}), Schedule A; Internal Revenue Code, section 3302(c)(2), published ${row.published}`
    return at(percent, base, `Credit reduction of ${state} for the year`, rule).map((step) => ({ state, base, step }))
  })
}

/** Wages of the year that belong to other states. Opening balances that name no state belong to the state of now. */
const wagesElsewhere = (earlier: Bases, state: string): bigint =>
  Object.entries(earlier).reduce(
    (sum, [name, amount]) => (name.startsWith('FUTA_WAGES_') && name !== `FUTA_WAGES_${state}` ? sum + amount : sum),
    0n,
  )

/** State unemployment insurance by the rate and the wage base that the state told the employer. */
export function stateInsurance(wages: bigint, { facts, earlier }: Pay, { unemployment }: Tables): Taxes {
  const percent = facts.unemploymentRate ?? 0
  if (percent === 0) return { steps: {}, bases: {} }
  // No state has a smaller wage base than the federal one.
  const wageBase = facts.unemploymentWageBaseMinor ?? unemployment.wageBase
  const taxed = smaller(wages, atLeastZero(wageBase - (earlier.SUI_WAGES ?? 0n)))
  const rule = `State unemployment insurance${facts.state === undefined ? '' : ` of ${facts.state}`}, rate of the employer`
  return {
    steps: { SUI: at(`${percent}`, taxed, `Wages up to ${dollars(wageBase)} in the year`, rule) },
    bases: { SUI_WAGES: taxed },
  }
}

/**
 * How much of a yearly limit earlier wages used. The limits apply to the same wages as Medicare, which has none, so an opening
 * balance of Medicare wages alone is enough.
 */
const usedOf = (name: 'SS_WAGES' | 'FUTA_WAGES', limit: bigint, earlier: Bases): bigint =>
  smaller(limit, larger(earlier[name] ?? 0n, earlier.MED_WAGES ?? 0n))

/** One step: the part of a base at a rate, half up; none for an empty base. */
export const at = (percent: string, baseMinor: bigint, description: string, rule: string): Step[] =>
  baseMinor === 0n
    ? []
    : [{ description, baseMinor, rate: `${percent} %`, amountMinor: percentOf(baseMinor, percent, 'half-up'), rule }]
