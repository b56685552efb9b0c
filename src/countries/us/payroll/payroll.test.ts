import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cents, computed, costOf, grossOf, lineOf, netOf, usPay } from '../../../test/payroll/us-pay.ts'
import { filingStatuses, type PayFacts } from '../../payroll/facts.ts'
import { adjustmentKinds, type Bases, type ComputedPay, type Pay, payPeriods } from '../../payroll/payroll.ts'
import { payroll } from './payroll.ts'
import { smaller } from './wages.ts'

/** What is paid to the Internal Revenue Service with Form 941. */
const liability = (pay: ComputedPay) =>
  ['FIT', 'SS_EE', 'SS_ER', 'MED_EE', 'MED_ER', 'MED_ADDL'].reduce((sum, code) => sum + lineOf(pay, code), 0n)

describe('worked examples', () => {
  const paid = (amount: number, secured = amount, unemployed = 7000) => ({
    SS_WAGES: secured,
    MED_WAGES: amount,
    FUTA_WAGES: unemployed,
  })
  test.each([
    [
      'A',
      { wage: 5000 },
      { FIT: 418.33, SS_EE: 310, MED_EE: 72.5, MED_ADDL: 0, net: 4199.17, liability: 1183.33, FUTA: 30, cost: 5412.5 },
    ],
    [
      'A25',
      { wage: 5000, payDay: '2025-01-31' },
      { FIT: 430.13, SS_EE: 310, MED_EE: 72.5, MED_ADDL: 0, net: 4187.37, liability: 1195.13, FUTA: 30, cost: 5412.5 },
    ],
    [
      'B',
      {
        wage: 3000,
        period: 'BIWEEKLY',
        facts: { filingStatus: 'MARRIED_JOINTLY', dependentsCreditMinor: cents(4400) },
      },
      { FIT: 23.08, SS_EE: 186, MED_EE: 43.5, MED_ADDL: 0, net: 2747.42, liability: 482.08, FUTA: 18, cost: 3247.5 },
    ],
    [
      'C',
      { wage: 4200, period: 'SEMIMONTHLY', facts: { filingStatus: 'HEAD_OF_HOUSEHOLD', multipleJobs: true } },
      {
        FIT: 695.31,
        SS_EE: 260.4,
        MED_EE: 60.9,
        MED_ADDL: 0,
        net: 3183.39,
        liability: 1337.91,
        FUTA: 25.2,
        cost: 4546.5,
      },
    ],
    [
      'D',
      { wage: 25000, earlier: paid(175000) },
      {
        FIT: 5677.85,
        SS_EE: 589,
        MED_EE: 362.5,
        MED_ADDL: 0,
        net: 18370.65,
        liability: 7580.85,
        FUTA: 0,
        cost: 25951.5,
      },
    ],
    [
      'D2',
      { wage: 25000, earlier: paid(200000, 184500) },
      {
        FIT: 5677.85,
        SS_EE: 0,
        MED_EE: 362.5,
        MED_ADDL: 225,
        net: 18734.65,
        liability: 6627.85,
        FUTA: 0,
        cost: 25362.5,
      },
    ],
    [
      'E',
      { wage: 2500, period: 'BIWEEKLY', earlier: paid(5000, 5000, 5000) },
      { FIT: 216.15, SS_EE: 155, MED_EE: 36.25, MED_ADDL: 0, net: 2092.6, liability: 598.65, FUTA: 12, cost: 2703.25 },
    ],
    [
      'F',
      { wage: 600 },
      { FIT: 0, SS_EE: 37.2, MED_EE: 8.7, MED_ADDL: 0, net: 554.1, liability: 91.8, FUTA: 3.6, cost: 649.5 },
    ],
    [
      'A with a state rate of 3.07 %',
      { wage: 5000, facts: { state: 'PA', stateRate: 3.07 } },
      { FIT: 418.33, SS_EE: 310, MED_EE: 72.5, SIT: 153.5, net: 4045.67, liability: 1183.33, FUTA: 30, cost: 5412.5 },
    ],
    [
      'a bonus of 1,000',
      { wage: 5000, additionalWageMinor: cents(1000) },
      { FIT: 638.33, SS_EE: 372, MED_EE: 87, net: 4902.67, liability: 1556.33, FUTA: 36, cost: 6495 },
    ],
  ] as const)('%s', (_, { wage, ...given }, { net, liability: owed, cost, ...lines }) => {
    const pay = computed({ wage: cents(wage), ...given })
    for (const [code, amount] of Object.entries(lines)) expect([code, lineOf(pay, code)]).toEqual([code, cents(amount)])
    expect(netOf(pay)).toBe(cents(net))
    expect(liability(pay)).toBe(cents(owed))
    expect(costOf(pay)).toBe(cents(cost))
  })
})

describe('proration', () => {
  test.each([
    ['2026-01-01', '2026-01-31', 5000],
    ['2026-02-01', '2026-02-28', 5000],
    ['2028-02-01', '2028-02-28', 4827.59],
    ['2026-01-16', '2026-01-31', 2580.65],
    ['2026-01-01', '2026-01-15', 2419.35],
    ['2026-04-30', '2026-04-30', 166.67],
  ])('from %s to %s', (first, last, amount) => {
    const { amountMinor, step } = payroll.prorate({ wageMinor: cents(5000), first, last, facts: {} })
    expect(amountMinor).toBe(cents(amount))
    expect(step.amountMinor).toBe(amountMinor)
  })
})

describe('setting off advances', () => {
  const asked = {
    netMinor: cents(4199.17),
    wagesMinor: cents(5000),
    monthlyWageMinor: cents(5000),
    advancesMinor: cents(9000),
    isFinal: false,
    hasConsent: false,
    finalAuthorized: false,
    facts: { state: 'TX' },
  }
  const limit = (given: Partial<typeof asked>) => Number(payroll.setOff({ ...asked, ...given }).limitMinor) / 100
  test('a regular pay: up to the net', () => {
    expect(limit({})).toBe(4199.17)
    expect(limit({ facts: { state: 'CA' } })).toBe(4199.17)
    expect(limit({ netMinor: 0n })).toBe(0)
  })
  test('the last pay: nothing, unless it is authorized or the employee agreed', () => {
    expect(limit({ isFinal: true })).toBe(0)
    expect(limit({ isFinal: true, hasConsent: true })).toBe(4199.17)
    expect(limit({ isFinal: true, finalAuthorized: true })).toBe(4199.17)
  })
  test('the last pay in California: nothing, whatever was agreed', () => {
    const agreed = { isFinal: true, hasConsent: true, finalAuthorized: true }
    expect(limit(agreed)).toBe(4199.17)
    expect(limit({ ...agreed, facts: { state: 'CA' } })).toBe(0)
  })
  test('the worked example: 1,000 of a last pay leave 3,199.17', () => {
    const { limitMinor } = payroll.setOff({ ...asked, advancesMinor: cents(1000), isFinal: true, hasConsent: true })
    expect(limitMinor).toBeGreaterThanOrEqual(cents(1000))
    expect(asked.netMinor - cents(1000)).toBe(cents(3199.17))
  })
})

describe('problems', () => {
  const problem = (pay: Pay) => payroll.compute(pay)
  test('deductions that are larger than the pay', () => {
    expect(problem(usPay())).toHaveProperty('lines')
    const facts = { retirementDeferralMinor: cents(4900) }
    expect(problem(usPay({ facts }))).toEqual({
      problem: 'The deductions are larger than the pay: the net would be -282.50.',
    })
  })
  test('absences that are larger than the wage', () => {
    const adjustments = [{ description: 'Unpaid', amountMinor: cents(-5000.01), kind: 'OTHER' as const }]
    expect(problem(usPay({ adjustments }))).toEqual({ problem: 'The wages are below zero: -0.01.' })
  })
  test('an additional wage below zero', () => {
    expect(problem(usPay({ additionalWageMinor: -1n }))).toHaveProperty('problem')
  })
  test('a pay day before the first tables; after the last ones the latest are used with a warning', () => {
    expect(problem(usPay({ payDay: '2025-01-01' }))).toHaveProperty('lines')
    expect(problem(usPay({ payDay: '2024-12-31' }))).toEqual({
      problem: 'No payroll tables of the United States are known for 2024-12-31.',
    })
    const next = computed({ payDay: '2027-01-31' })
    expect(next.warnings.map(({ code }) => code)).toEqual(['TABLES'])
    expect(lineOf(next, 'FIT')).toBe(cents(418.33))
  })
})

test('the tables go by the pay day, not by the days worked', () => {
  const pay = computed({ from: '2025-12-01', to: '2025-12-31', payDay: '2026-01-02' })
  expect(lineOf(pay, 'FIT')).toBe(cents(418.33))
  expect(pay.tables).toBe('US 2026-01-01, Publication 15-T (2026), Social Security 2026-01-01')
  expect(computed({ payDay: '2025-11-30' }).tables).toBe(
    'US 2025-01-01, Publication 15-T (2025), Social Security 2025-01-01',
  )
  expect(computed({ payDay: '2025-12-31' }).tables).toContain(', FUTA credit reductions published 2025-11-10')
})

describe('warnings about facts', () => {
  const complete: PayFacts = {
    filingStatus: 'SINGLE',
    state: 'CA',
    stateRate: 4,
    unemploymentRate: 3.4,
    unemploymentWageBaseMinor: cents(7000),
  }
  const codes = (facts: PayFacts, monthlyWage = 5000) =>
    payroll
      .factWarnings(
        facts,
        { startDate: '2026-01-01', endDate: null, monthlyWageMinor: cents(monthlyWage) },
        '2026-01-31',
      )
      .map(({ code }) => code)
  const { filingStatus, state, unemploymentRate, unemploymentWageBaseMinor, ...rest } = complete

  test('complete facts have none', () => expect(codes(complete)).toEqual([]))
  test('nothing is known', () => expect(codes({})).toEqual(['FILING_STATUS', 'STATE', 'UNEMPLOYMENT_RATE']))
  test('one fact is missing', () => {
    expect(codes({ ...rest, state: 'CA', unemploymentRate: 0 })).toEqual(['FILING_STATUS'])
    expect(codes({ ...rest, filingStatus: 'SINGLE', unemploymentRate: 0 })).toEqual(['STATE'])
    expect(codes({ ...rest, filingStatus: 'SINGLE', state: 'CA' })).toEqual(['UNEMPLOYMENT_RATE'])
    expect(codes({ ...rest, filingStatus: 'SINGLE', state: 'CA', unemploymentRate: 3 })).toEqual([
      'UNEMPLOYMENT_WAGE_BASE',
    ])
  })
  test('facts contradict each other', () => {
    expect(codes({ ...complete, filingStatus: 'HEAD_OF_HOUSEHOLD' })).toEqual([])
    expect(codes({ ...complete, filingStatus: 'HEAD_OF_HOUSEHOLD', allowances: 1 })).toEqual(['FILING_STATUS'])
    expect(codes({ ...complete, nonresidentAlien: true })).toEqual([])
    expect(codes({ ...complete, nonresidentAlien: true, filingStatus: 'MARRIED_JOINTLY', taxExempt: true })).toEqual([
      'FILING_STATUS',
      'TAX_EXEMPT',
    ])
  })
  test('a wage below the federal minimum for the position', () => {
    expect(codes(complete, 1256.67)).toEqual([])
    expect(codes(complete, 1256.66)).toEqual(['MINIMUM_WAGE'])
    expect(codes({ ...complete, positionPercent: 50 }, 628.33)).toEqual([])
    expect(codes({ ...complete, positionPercent: 50 }, 628.32)).toEqual(['MINIMUM_WAGE'])
  })
  test('without a filing status single is used, and the payslip says so', () => {
    const pay = payroll.compute({ ...usPay(), facts: { state: 'TX' } })
    if ('problem' in pay) throw new Error(pay.problem)
    expect(lineOf(pay, 'FIT')).toBe(cents(418.33))
    expect(pay.warnings.map(({ code }) => code)).toEqual(['FILING_STATUS'])
  })
})

test('each scheme has one code and labels in both languages, and all but plans and states belong to the IRS', () => {
  const { schemes } = payroll
  expect(new Set(schemes.map(({ code }) => code)).size).toBe(schemes.length)
  for (const { label, labelHe } of schemes) {
    expect(label).toMatch(/[a-z]/)
    expect(labelHe).toMatch(/[א-ת]/)
  }
  const federal = schemes.filter(({ authority }) => authority === 'Internal Revenue Service')
  expect(federal.map(({ code }) => code)).toEqual(['FIT', 'SS_EE', 'MED_EE', 'MED_ADDL', 'SS_ER', 'MED_ER', 'FUTA'])
})

const amount = (most: number) => fc.bigInt(0n, cents(most))
const anyFacts: fc.Arbitrary<PayFacts> = fc.record(
  {
    filingStatus: fc.constantFrom(...filingStatuses),
    multipleJobs: fc.boolean(),
    nonresidentAlien: fc.boolean(),
    taxExempt: fc.boolean(),
    dependentsCreditMinor: amount(8000),
    deductionsMinor: amount(20_000),
    otherIncomeMinor: amount(20_000),
    extraWithholdingMinor: amount(50),
    allowances: fc.nat(10),
    state: fc.constantFrom('CA', 'NY', 'TX', 'PA', 'VI'),
    stateRate: fc.constantFrom(0, 2.5, 3.07, 4.95, 10.75),
    stateTaxMinor: amount(100),
    localRate: fc.constantFrom(0, 1, 3.876),
    unemploymentRate: fc.constantFrom(0, 2.7, 4.125),
    unemploymentWageBaseMinor: fc.constantFrom(cents(7000), cents(12_800)),
    pretaxBenefitsMinor: amount(300),
    retirementDeferralMinor: amount(500),
  },
  { requiredKeys: [] },
)
const anyPay: fc.Arbitrary<Pay> = fc
  .record({
    wage: amount(60_000),
    facts: anyFacts,
    period: fc.constantFrom(...payPeriods),
    payDay: fc.constantFrom('2025-03-31', '2025-12-31', '2026-01-31', '2026-12-15'),
    additionalWageMinor: fc.oneof(fc.constant(0n), amount(600_000)),
    adjustments: fc.array(
      fc.record({
        description: fc.constant('Adjustment'),
        amountMinor: fc.bigInt(cents(-500), cents(2000)),
        kind: fc.constantFrom(...adjustmentKinds),
      }),
      { maxLength: 3 },
    ),
  })
  .map((given) => usPay({ ...given, knownOn: '2026-11-16' }))

test('any payslip adds up: steps to lines, deductions and net to gross, and both sides of Social Security and Medicare are equal', () => {
  let count = 0
  fc.assert(
    fc.property(anyPay, (pay) => {
      const result = payroll.compute(pay)
      if ('problem' in result) return
      count += 1
      for (const { kind, amountMinor, steps, code } of result.lines) {
        expect([code, steps.reduce((sum, step) => sum + step.amountMinor, 0n)]).toEqual([code, amountMinor])
        for (const { description, rule } of steps) expect(description !== '' && rule !== '').toBe(true)
        if (kind === 'DEDUCTION' || kind === 'CONTRIBUTION') {
          expect(amountMinor > 0n).toBe(true)
          expect(payroll.schemes.find((scheme) => scheme.code === code)?.payer).toBe(
            kind === 'DEDUCTION' ? 'EMPLOYEE' : 'EMPLOYER',
          )
        }
      }
      const given = [...pay.wages, ...pay.adjustments].reduce(
        (sum, { amountMinor }) => sum + amountMinor,
        pay.additionalWageMinor,
      )
      expect(grossOf(result)).toBe(given)
      expect(result.bases.GROSS).toBe(given)
      expect(netOf(result) >= 0n).toBe(true)
      expect(lineOf(result, 'SS_EE')).toBe(lineOf(result, 'SS_ER'))
      expect(lineOf(result, 'MED_EE')).toBe(lineOf(result, 'MED_ER'))
      for (const base of Object.values(result.bases).slice(2)) expect(base >= 0n).toBe(true)
    }),
    { numRuns: 400 },
  )
  expect(count).toBeGreaterThan(250)
})

test('the bases of a year do not depend on how its wages are divided into payslips', () => {
  const wages = fc.array(fc.tuple(amount(40_000), fc.oneof(fc.constant(0n), amount(300_000))), {
    minLength: 1,
    maxLength: 12,
  })
  fc.assert(
    fc.property(wages, (parts) => {
      let earlier: Bases = {}
      for (const [wage, additionalWageMinor] of parts) {
        const result = payroll.compute({ ...usPay({ wage, additionalWageMinor }), earlier })
        if ('problem' in result) throw new Error(result.problem)
        const names = new Set([...Object.keys(earlier), ...Object.keys(result.bases)])
        earlier = Object.fromEntries(
          [...names].map((name) => [name, (earlier[name] ?? 0n) + (result.bases[name] ?? 0n)]),
        )
      }
      const total = parts.reduce((sum, [wage, additional]) => sum + wage + additional, 0n)
      const least = (limit: number) => smaller(total, cents(limit))
      expect(earlier).toMatchObject({
        GROSS: total,
        FIT_WAGES: total,
        MED_WAGES: total,
        SS_WAGES: least(184_500),
        FUTA_WAGES: least(7_000),
        FUTA_WAGES_TX: least(7_000),
        MED_ADDL_WAGES: total - least(200_000),
        SUPPLEMENTAL: parts.reduce((sum, [, additional]) => sum + additional, 0n),
      })
    }),
    { numRuns: 200 },
  )
})
