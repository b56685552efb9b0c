import { Decimal } from 'decimal.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cents, computed, lineOf } from '../../../test/payroll/us-pay.ts'
import { filingStatuses, type PayFacts } from '../../payroll/facts.ts'
import { type PayPeriod, payPeriods } from '../../payroll/payroll.ts'
import { type Column, withholdingTables } from './tables.ts'

// The brackets and standard deductions of the two years, from which the tables of Publication 15-T follow.
const rates = [10, 12, 22, 24, 32, 35, 37]
const columns = ['single', 'jointly', 'head'] as const
const years = {
  '2026': {
    deduction: { single: 16100, jointly: 32200, head: 24150 },
    brackets: {
      single: [12400, 50400, 105700, 201775, 256225, 640600],
      jointly: [24800, 100800, 211400, 403550, 512450, 768700],
      head: [17700, 67450, 105700, 201750, 256200, 640600],
    },
  },
  '2025': {
    deduction: { single: 15000, jointly: 30000, head: 22500 },
    brackets: {
      single: [11925, 48475, 103350, 197300, 250525, 626350],
      jointly: [23850, 96950, 206700, 394600, 501050, 751600],
      head: [17000, 64850, 103350, 197300, 250500, 626350],
    },
  },
} as const
const yearNames = ['2026', '2025'] as const
const subtracted = { single: 8600, jointly: 12900, head: 8600 } as const

type Row = [over: number, base: number, rate: number]
const schedules = new Map<string, Row[]>()
function rebuilt(year: keyof typeof years, column: Column, isStepTwo: boolean): Row[] {
  const key = `${year} ${column} ${isStepTwo}`
  const known = schedules.get(key) ?? rebuild(year, column, isStepTwo)
  schedules.set(key, known)
  return known
}

/** The schedule of a year in dollars. With step 2 checked everything is half; thresholds are then rounded to dollars. */
function rebuild(year: keyof typeof years, column: Column, isStepTwo: boolean): Row[] {
  const { deduction, brackets } = years[year]
  const half = isStepTwo ? 2 : 1
  const zero = isStepTwo ? deduction[column] : deduction[column] - subtracted[column]
  let tax = new Decimal(0)
  return [
    [0, 0, 0],
    ...rates.map((rate, at): Row => {
      const from = brackets[column][at - 1] ?? 0
      const before = brackets[column][at - 2] ?? 0
      if (at > 0) tax = tax.plus(new Decimal(from - before).times(rates[at - 1] ?? 0).div(100))
      const threshold = new Decimal(zero + from).div(half).toDecimalPlaces(0, Decimal.ROUND_HALF_UP)
      return [threshold.toNumber(), tax.div(half).toDecimalPlaces(2, Decimal.ROUND_HALF_UP).toNumber(), rate]
    }),
  ]
}

const all = yearNames.flatMap((year) =>
  columns.flatMap((column) => [false, true].map((isStepTwo) => ({ year, column, isStepTwo }))),
)

describe('the tables of Publication 15-T', () => {
  test.each(all)('$year, $column, step 2 checked $isStepTwo follow from brackets and deduction', (table) => {
    const row = withholdingTables.find(({ since }) => since.startsWith(table.year))
    const printed = row?.[table.isStepTwo ? 'stepTwo' : 'standard'][table.column]
    expect(printed?.map((bracket) => bracket.map(Number))).toEqual(
      rebuilt(table.year, table.column, table.isStepTwo).map(([over, base, rate]) => [
        over * 100,
        Math.round(base * 100),
        rate,
      ]),
    )
  })

  test('the allowances and the subtracted amounts are the same in both years', () => {
    for (const { allowance, adjustment } of withholdingTables) {
      expect(allowance).toBe(cents(4300))
      expect(adjustment).toEqual({ single: cents(8600), jointly: cents(12900), head: cents(8600) })
    }
  })
})

// Worksheet 1A again, in decimals and from the rebuilt tables.
const periods = {
  DAILY: 260,
  WEEKLY: 52,
  BIWEEKLY: 26,
  SEMIMONTHLY: 24,
  MONTHLY: 12,
  QUARTERLY: 4,
  SEMIANNUALLY: 2,
  ANNUALLY: 1,
} as const
type Case = { year: keyof typeof years; period: PayPeriod; wage: bigint; facts: PayFacts }
const major = (minor: bigint | undefined) => new Decimal(`${minor ?? 0n}`).div(100)
const toCents = (value: Decimal) => value.toDecimalPlaces(2, Decimal.ROUND_HALF_UP)

function worksheet({ year, period, wage, facts }: Case): bigint {
  const isOld = facts.allowances !== undefined
  const column: Column =
    facts.filingStatus === 'MARRIED_JOINTLY'
      ? 'jointly'
      : facts.filingStatus === 'HEAD_OF_HOUSEHOLD' && !isOld
        ? 'head'
        : 'single'
  const isStepTwo = !isOld && facts.multipleJobs === true
  const { deduction } = years[year]
  const alien = facts.nonresidentAlien
    ? new Decimal(deduction.single - (isOld ? 4300 : 0)).div(periods[period]).toDecimalPlaces(1, Decimal.ROUND_HALF_UP)
    : 0
  const annual = major(wage).plus(alien).times(periods[period])
  const adjusted = isOld
    ? annual.minus(4300 * (facts.allowances ?? 0))
    : annual
        .plus(major(facts.otherIncomeMinor))
        .minus(major(facts.deductionsMinor))
        .minus(isStepTwo ? 0 : subtracted[column])
  const line = Decimal.max(0, adjusted)
  const [over, base, rate] = rebuilt(year, column, isStepTwo).findLast(([from]) => line.gte(from)) ?? [0, 0, 0]
  const tentative = toCents(line.minus(over).times(rate).div(100).plus(base).div(periods[period]))
  const credit = toCents(major(isOld ? 0n : facts.dependentsCreditMinor).div(periods[period]))
  const tax = Decimal.max(0, tentative.minus(credit)).plus(major(facts.extraWithholdingMinor))
  return BigInt(tax.times(100).toFixed(0))
}

const payDays = { '2026': '2026-06-30', '2025': '2025-06-30' } as const
const taxOf = ({ year, period, wage, facts }: Case) =>
  lineOf(computed({ period, wage, facts, payDay: payDays[year], knownOn: '2026-11-16' }), 'FIT')

describe('federal income tax at each threshold', () => {
  const statuses = {
    single: ['SINGLE', 'MARRIED_SEPARATELY'],
    jointly: ['MARRIED_JOINTLY'],
    head: ['HEAD_OF_HOUSEHOLD'],
  } as const
  const cases = all.flatMap(({ year, column, isStepTwo }) =>
    statuses[column].map((filingStatus) => ({ year, column, isStepTwo, filingStatus })),
  )

  test.each(cases)('$year, $filingStatus, step 2 checked $isStepTwo', ({ year, column, isStepTwo, filingStatus }) => {
    const schedule = rebuilt(year, column, isStepTwo)
    for (const [at, [over, base, rate]] of schedule.entries()) {
      if (at === 0) continue
      const [overBefore, baseBefore, rateBefore] = schedule[at - 1] ?? [0, 0, 0]
      const wageAt = cents(over + (isStepTwo ? 0 : subtracted[column]))
      const facts = { filingStatus, multipleJobs: isStepTwo }
      const annual = (more: bigint) => taxOf({ year, period: 'ANNUALLY', wage: wageAt + more, facts })
      expect(annual(0n)).toBe(cents(base))
      for (const more of [1n, 100n, 12_345n]) {
        const tax = new Decimal(base).plus(major(more).times(rate).div(100))
        expect(annual(more)).toBe(BigInt(toCents(tax).times(100).toFixed()))
      }
      for (const less of [1n, 100n, 12_345n]) {
        const wage = new Decimal(over).minus(major(less)).minus(overBefore)
        const tax = new Decimal(baseBefore).plus(wage.times(rateBefore).div(100))
        expect(annual(-less)).toBe(BigInt(toCents(tax).times(100).toFixed()))
      }
      // The same threshold through the other pay periods, a cent of the period's wage below, at and above it.
      for (const period of payPeriods) {
        for (const more of [-1n, 0n, 1n]) {
          const wage = wageAt / BigInt(periods[period]) + more
          expect(taxOf({ year, period, wage, facts })).toBe(worksheet({ year, period, wage, facts }))
        }
      }
    }
  })
})

describe('Form W-4', () => {
  // All of them computed by hand from the worksheet.
  test.each([
    ['married filing separately as single', 'MONTHLY', 5000, { filingStatus: 'MARRIED_SEPARATELY' }, 418.33],
    // 60,000 + 12,000 − 6,000 − 8,600 = 57,400; 1,240 + 12 % × 37,500 = 5,740; ÷ 12 = 478.33; + 25
    [
      'steps 4(a), 4(b) and 4(c)',
      'MONTHLY',
      5000,
      { otherIncomeMinor: cents(12000), deductionsMinor: cents(6000), extraWithholdingMinor: cents(25) },
      503.33,
    ],
    // 418.33 − 2,200 ÷ 12 = 183.33
    ['step 3', 'MONTHLY', 5000, { dependentsCreditMinor: cents(2200) }, 235],
    ['step 3 larger than the tax', 'MONTHLY', 5000, { dependentsCreditMinor: cents(8800) }, 0],
    [
      'step 3 larger than the tax, with extra withholding',
      'MONTHLY',
      5000,
      { dependentsCreditMinor: cents(8800), extraWithholdingMinor: cents(10) },
      10,
    ],
    ['deductions larger than the wages', 'MONTHLY', 5000, { deductionsMinor: cents(100000) }, 0],
    ['exempt', 'MONTHLY', 5000, { taxExempt: true, extraWithholdingMinor: cents(10) }, 0],
    // 60,000 − 2 × 4,300 = 51,400, the same as single of 2020 and later
    ['an earlier form with two allowances', 'MONTHLY', 5000, { allowances: 2 }, 418.33],
    // 60,000; 5,800 + 22 % × 2,100 = 6,262; ÷ 12
    ['an earlier form without allowances', 'MONTHLY', 5000, { allowances: 0 }, 521.83],
    // 78,000 − 3 × 4,300 = 65,100; the same as married filing jointly
    [
      'an earlier form, married with three allowances',
      'BIWEEKLY',
      3000,
      { filingStatus: 'MARRIED_JOINTLY', allowances: 3 },
      192.31,
    ],
    [
      'an earlier form has no steps 2 to 4',
      'BIWEEKLY',
      3000,
      {
        filingStatus: 'MARRIED_JOINTLY',
        allowances: 3,
        multipleJobs: true,
        otherIncomeMinor: cents(5000),
        deductionsMinor: cents(900),
        dependentsCreditMinor: cents(4400),
      },
      192.31,
    ],
    [
      'an earlier form knows no head of household',
      'MONTHLY',
      5000,
      { filingStatus: 'HEAD_OF_HOUSEHOLD', allowances: 2 },
      418.33,
    ],
    [
      'an earlier form with extra withholding',
      'MONTHLY',
      5000,
      { allowances: 2, extraWithholdingMinor: cents(30) },
      448.33,
    ],
    // (5,000 + 1,341.70) × 12 = 76,100.40 − 8,600 = 67,500.40; 5,800 + 22 % × 9,600.40 = 7,912.088; ÷ 12 = 659.34
    ['nonresident alien', 'MONTHLY', 5000, { nonresidentAlien: true }, 659.34],
    // (5,000 + 983.30) × 12 = 71,799.60 − 4,300 = 67,499.60; 5,800 + 22 % × 9,599.60 = 7,911.912; ÷ 12 = 659.33
    ['nonresident alien with an earlier form', 'MONTHLY', 5000, { nonresidentAlien: true, allowances: 1 }, 659.33],
  ] as const)('%s', (_, period, wage, facts, tax) => {
    expect(lineOf(computed({ period, wage: cents(wage), facts }), 'FIT')).toBe(cents(tax))
  })

  test.each([
    ['DAILY', 57.7, 41.2],
    ['WEEKLY', 288.5, 205.8],
    ['BIWEEKLY', 576.9, 411.5],
    ['SEMIMONTHLY', 625, 445.8],
    ['MONTHLY', 1250, 891.7],
    ['QUARTERLY', 3750, 2675],
    ['SEMIANNUALLY', 7500, 5350],
    ['ANNUALLY', 15000, 10700],
  ] as const)('the addition for a nonresident alien is that of the table for %s in 2025', (period, later, earlier) => {
    const added = (facts: PayFacts) =>
      computed({ period, wage: cents(50000), payDay: '2025-03-31', facts: { nonresidentAlien: true, ...facts } })
        .lines.find(({ code }) => code === 'FIT')
        ?.steps.find(({ description }) => description.includes('nonresident'))?.baseMinor
    expect(added({})).toBe(cents(later))
    expect(added({ allowances: 1 })).toBe(cents(earlier))
  })
})

const facts = fc.record(
  {
    filingStatus: fc.constantFrom(...filingStatuses),
    multipleJobs: fc.boolean(),
    nonresidentAlien: fc.boolean(),
    otherIncomeMinor: fc.bigInt(0n, cents(50_000)),
    deductionsMinor: fc.bigInt(0n, cents(50_000)),
    dependentsCreditMinor: fc.bigInt(0n, cents(10_000)),
    allowances: fc.integer({ min: 0, max: 12 }),
  },
  { requiredKeys: ['filingStatus', 'multipleJobs'] },
)
const anyCase: fc.Arbitrary<Case> = fc.record({
  year: fc.constantFrom(...yearNames),
  period: fc.constantFrom(...payPeriods),
  wage: fc.bigInt(cents(100), cents(120_000)),
  facts,
})

/** Other income can make the tax larger than the pay, which is a problem and no payslip; such cases are left out. */
const isPayable = (given: Case) => worksheet(given) * 10n < given.wage * 8n

test('any wage, form and pay period is taxed as Worksheet 1A says', () => {
  fc.assert(
    fc.property(anyCase.filter(isPayable), (given) => {
      expect(taxOf(given)).toBe(worksheet(given))
    }),
    { numRuns: 1000 },
  )
})

test('a larger credit or deduction never raises the tax, and a larger wage lowers it by no more than the rounding of a threshold', () => {
  fc.assert(
    fc.property(anyCase.filter(isPayable), fc.bigInt(1n, cents(5000)), (given, more) => {
      const tax = taxOf(given)
      const credit = (given.facts.dependentsCreditMinor ?? 0n) + more
      expect(taxOf({ ...given, facts: { ...given.facts, dependentsCreditMinor: credit } })).toBeLessThanOrEqual(tax)
      // With step 2 checked a threshold is rounded to whole dollars, so that the tax of a year drops there by up to 13 cents.
      expect(taxOf({ ...given, wage: given.wage + more })).toBeGreaterThanOrEqual(tax - 13n)
    }),
    { numRuns: 300 },
  )
})
