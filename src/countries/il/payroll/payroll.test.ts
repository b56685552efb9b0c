import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { percentOf } from '../../../core/values/money.ts'
import { byScheme, employerCostOf, grossOf, netOf } from '../../payroll/computed.ts'
import type { PayFacts } from '../../payroll/facts.ts'
import { type ComputedPay, type Pay, type PayLine, payPeriods } from '../../payroll/payroll.ts'
import { payroll } from './payroll.ts'
import { percent } from './steps.ts'

const employment = { startDate: '2020-01-01', endDate: null }

/** The pay of a month for a wage in shekels, without adjustments. */
const month = (shekels: number, facts: PayFacts = {}, more: Partial<Pay> = {}): Pay => {
  const amountMinor = agorot(shekels)
  const [from = '2026-05-01', to = '2026-05-31'] = [more.from, more.to]
  const { step } = payroll.prorate({ wageMinor: amountMinor, first: '2026-05-01', last: '2026-05-31', facts })
  return {
    period: 'MONTHLY',
    payDay: to,
    wages: [{ description: 'Wage', amountMinor, steps: [step] }],
    additionalWageMinor: 0n,
    adjustments: [],
    facts,
    employment,
    earlier: {},
    knownOn: '2026-11-01',
    ...more,
    from,
    to,
  }
}

const agorot = (shekels: number): bigint => BigInt(Math.round(shekels * 100))
const shekels = (minor: bigint): number => Number(minor) / 100

function computed(pay: Pay): ComputedPay {
  const result = payroll.compute(pay)
  if ('problem' in result) throw new Error(result.problem)
  return result
}

/** The amounts of the schemes in shekels, with zero for those without a line. */
function amounts(pay: Pay) {
  const { lines, bases, warnings, tables } = computed(pay)
  const sums = byScheme(lines)
  const of = (code: string) => shekels(sums.get(code) ?? 0n)
  return {
    tax: of('INCOME_TAX'),
    ni: of('NI_EE'),
    health: of('HEALTH'),
    pension: of('PENSION_EE'),
    study: of('STUDY_EE'),
    employerNi: of('NI_ER'),
    employerPension: of('PENSION_ER'),
    severance: of('SEVERANCE'),
    employerStudy: of('STUDY_ER'),
    gross: shekels(grossOf(lines)),
    net: shekels(netOf(lines)),
    cost: shekels(employerCostOf(lines)),
    bases,
    warnings,
    tables,
  }
}

const in2026 = (from: string, to: string, knownOn = '2026-11-01') => ({ from, to, knownOn })
const february2025 = { from: '2025-02-01', to: '2025-02-28' }
const january2025 = { from: '2025-01-01', to: '2025-01-31' }
const january2024 = { from: '2024-01-01', to: '2024-01-31' }

describe('payslips of Israel', () => {
  test('a wage of 20,000 in 2026 has tax by brackets less points and the pension credit, two bands of insurance, and deposits', () => {
    expect(amounts(month(20_000))).toMatchObject({
      tax: 2443.85, ni: 940.9, health: 884.56, pension: 1200, net: 14_530.69,
      employerNi: 1281.98, employerPension: 1300, severance: 1200, cost: 23_781.98,
    }) // biome-ignore format: a table
  })

  test('each step of the tax is a line of the computation with its rule', () => {
    const tax = computed(month(20_000)).lines.find(({ code }) => code === 'INCOME_TAX')
    expect(tax?.steps.map(({ baseMinor, rate, amountMinor }) => [baseMinor, rate, amountMinor])).toEqual([
      [701_000n, '10 %', 70_100n],
      [305_000n, '14 %', 42_700n],
      [894_000n, '20 %', 178_800n],
      [100_000n, '31 %', 31_000n],
      [24_200n, '2.25', -54_450n],
      [67_900n, '35 %', -23_765n],
    ])
    expect(tax?.steps.map(({ rule }) => rule)).toEqual([
      ...Array(4).fill('Income Tax Ordinance, section 121, table of 2026-01-01 published 2026-03-31'),
      'Income Tax Ordinance, sections 33A to 40, table of 2026-01-01',
      'Income Tax Ordinance, section 45A, table of 2026-01-01',
    ])
  })

  const noPension = { pensionRate: 0 }
  const withStudyFund = { studyFundRate: 2.5, studyFundEmployerRate: 7.5, severanceRate: 8.33 }
  const provisional = in2026('2026-01-01', '2026-01-31', '2026-02-15')
  test.each([
    ['2.75 points', month(20_000, { creditPoints: 2.75 }), 2322.85, 940.9, 884.56, 1200, 14_651.69, 1281.98, 23_781.98],
    ['a study fund', month(20_000, withStudyFund), 2443.85, 940.9, 884.56, 1200, 14_030.69, 1281.98, 25_747.98],
    ['the provisional table', month(20_000, {}, provisional), 2757.35, 940.9, 884.56, 1200, 14_217.19, 1281.98, 23_781.98],
    ['the year 2025', month(20_000, {}, february2025), 2757.35, 951.69, 888.07, 1200, 14_202.89, 1287.57, 23_787.57],
    ['10,000', month(10_000), 365.1, 240.9, 367.56, 600, 8426.44, 521.98, 11_771.98],
    ['the minimum wage', month(6443.85), 0, 67.02, 208.14, 386.63, 5782.06, 290.62, 7539.95],
    ['30,000', month(30_000), 5739.85, 1640.9, 1401.56, 1800, 19_417.69, 2041.98, 35_791.98],
    ['60,000', month(60_000, noPension), 18_074.7, 3174.6, 2534.31, 0, 36_216.39, 3707.14, 63_707.14],
    ['65,000', month(65_000, noPension), 20_570.8, 3174.6, 2534.31, 0, 38_720.29, 3707.14, 68_707.14],
  ])('with %s the amounts are those of the worked example', (_, pay, tax, ni, health, pension, net, employerNi, cost) => {
    expect(amounts(pay)).toMatchObject({ tax, ni, health, pension, net, employerNi, cost })
  }) // biome-ignore format: a table

  test('a payslip names its tables: those that were published by the day', () => {
    expect(amounts(month(20_000, {}, provisional)).tables).toBe(
      'IL income tax 2026-01-01, published 2026-01-01; National Insurance 2026-01-01; deposits 2026-01-01',
    )
    expect(amounts(month(20_000, {}, { ...provisional, knownOn: '2026-03-31' })).tables).toContain(
      'published 2026-03-31',
    )
    // The correction of a month after Amendment 288 is the difference, 313.50.
    expect(amounts(month(20_000, {}, { ...provisional, knownOn: '2026-03-30' })).tax).toBe(2757.35)
    expect(amounts(month(20_000, {}, { ...provisional, knownOn: '2026-03-31' })).tax).toBe(2443.85)
  })
})

test('schemes have their own codes and Hebrew labels, and are paid to four authorities', () => {
  const codes = payroll.schemes.map(({ code }) => code)
  expect(new Set(codes).size).toBe(codes.length)
  for (const { labelHe } of payroll.schemes) expect(labelHe).toMatch(/[א-ת]/)
  expect([...new Set(payroll.schemes.map(({ authority }) => authority))]).toEqual([
    'Tax Authority', 'National Insurance Institute', 'Pension fund', 'Study fund',
  ]) // biome-ignore format: a list of words
})

describe('income tax', () => {
  // No credits, so that the brackets are seen alone.
  const plain = { creditPoints: 0, pensionRate: 0 }
  const tax = (shekels: number, pay: Partial<Pay> = {}) => amounts(month(shekels, plain, pay)).tax

  test.each([
    [7010, 701, 10, 14],
    [10_060, 1128, 14, 20],
    [19_000, 2916, 20, 31],
    [25_100, 4807, 31, 35],
    [46_690, 12_363.5, 35, 47],
    [60_130, 18_680.3, 47, 50],
  ])(
    'at the bracket edge of %d in 2026 the tax is %d, and the rates beside it are %d and %d',
    (edge, at, below, above) => {
      for (const agora of [-0.01, 0]) expect(tax(edge + agora)).toBe(at)
      // One agora above is half an agora of tax at 50 %, which is rounded up, and less at the other rates.
      expect(tax(edge + 0.01)).toBe(above === 50 ? 18_680.31 : at)
      expect(tax(edge - 1)).toBeCloseTo(at - below / 100, 5)
      expect(tax(edge + 1)).toBeCloseTo(at + above / 100, 5)
    },
  )

  test.each([
    ['2024', january2024],
    ['2025', february2025],
  ])('the brackets of %s end at 16,150 and 22,440', (_, days) => {
    const cases = [[7010, 701], [10_060, 1128], [16_150, 2346], [16_151, 2346.31], [22_440, 4295.9], [22_441, 4296.25], [46_690, 12_783.4], [60_130, 19_100.2], [60_131, 19_100.7]] // biome-ignore format: a table
    for (const [wage = 0, due = 0] of cases) expect(tax(wage, days)).toBe(due)
  })

  test('the pension credit counts deposits up to 7 % of a wage of 9,700', () => {
    const credit = (shekels: number, pensionRate: number) =>
      amounts(month(shekels, { ...plain })).tax - amounts(month(shekels, { ...plain, pensionRate })).tax
    expect(credit(9700, 7)).toBeCloseTo(237.65, 5)
    expect(credit(9699, 7)).toBeCloseTo(237.63, 5)
    expect(credit(30_000, 7)).toBeCloseTo(237.65, 5)
    expect(credit(8000, 6)).toBeCloseTo(168, 5)
    expect(credit(8000, 8)).toBeCloseTo(196, 5)
  })

  test('without form 101 the highest rate is withheld, without credits', () => {
    expect(amounts(month(10_000, {})).tax).toBe(365.1)
    expect(amounts(month(10_000, { hasTaxForm: false })).tax).toBe(4700)
  })

  test('the rate of a certificate replaces the brackets', () => {
    expect(amounts(month(10_000, { fixedTaxRate: 12.5 })).tax).toBe(1250)
    expect(amounts(month(10_000, { fixedTaxRate: 0 })).tax).toBe(0)
    expect(amounts(month(10_000, { fixedTaxRate: 12.5, hasTaxForm: false })).tax).toBe(1250)
  })

  test('credits beyond the tax are a step of their own, and the tax is not below zero', () => {
    const pay = computed(month(7000, { creditPoints: 2.9 }))
    expect(byScheme(pay.lines).has('INCOME_TAX')).toBe(false)
    expect(amounts(month(7018, { creditPoints: 2.9, pensionRate: 0 })).tax).toBe(0.32)
  })
})

describe('National Insurance and health', () => {
  const insured = (shekels: number, facts: PayFacts = {}, pay: Partial<Pay> = {}) => {
    const { ni, health, employerNi } = amounts(month(shekels, { pensionRate: 0, ...facts }, pay))
    return [ni, health, employerNi]
  }

  test.each([
    ['2026', in2026('2026-03-01', '2026-03-31'), 7703, 5.17, [80.11, 248.81, 347.41], [80.11, 248.81, 347.4]],
    ['February 2025', february2025, 7522, 5.17, [78.23, 242.96, 339.24], [78.23, 242.96, 339.24]],
    ['January 2025', january2025, 7522, 5.16, [78.23, 242.96, 339.24], [78.23, 242.96, 339.24]],
    ['2024', january2024, 7522, 5, [30.09, 233.18, 267.03], [30.09, 233.18, 267.03]],
  ])('in %s the reduced rates apply up to the end of the band', (_, days, band, fullHealth, due, below) => {
    for (const agora of [0, 0.01]) expect(insured(band + agora, {}, days)).toEqual(due)
    expect(insured(band - 0.01, {}, days)).toEqual(below)
    const [ni = 0, health = 0, employer = 0] = due
    const [more = 0, moreHealth = 0, moreEmployer = 0] = insured(band + 100, {}, days)
    expect(more - ni).toBeCloseTo(7, 5)
    expect(moreHealth - health).toBeCloseTo(fullHealth, 5)
    expect(moreEmployer - employer).toBeCloseTo(7.6, 5)
  })

  test.each([
    ['2026', in2026('2026-03-01', '2026-03-31'), 51_910, [3174.6, 2534.31, 3707.14]],
    ['February 2025', february2025, 50_695, [3100.34, 2475.0, 3620.39]],
    ['January 2025', january2025, 50_695, [3100.34, 2470.69, 3620.39]],
    ['2024', january2024, 49_030, [2935.65, 2308.58, 3421.64]],
  ])('in %s nothing is due above the ceiling', (_, days, ceiling, due) => {
    for (const agora of [-0.01, 0, 0.01]) expect(insured(ceiling + agora, {}, days)).toEqual(due)
    expect(insured(ceiling + 10_000, {}, days)).toEqual(due)
    const below = insured(ceiling - 1, {}, days)
    expect(below[0]).toBeCloseTo((due[0] ?? 0) - 0.07, 5)
  })

  test.each([
    ['UNDER_18', [0, 0, 46.99 + 48.7]],
    ['OLD_AGE_PENSION', [0, 0, 46.99 + 48.7]],
    ['CONTROLLING_SHAREHOLDER', [78.57 + 155.97, 248.81 + 118.75, 343.55 + 169.52]],
    ['DISABILITY_PENSION', [0, 248.81 + 118.75, 46.99 + 48.7]],
    ['RESIDENT_AFTER_62', [28.5 + 52.37, 248.81 + 118.75, 80.11 + 67.76]],
    ['AGE_67_TO_70', [53.92 + 111.63, 248.81 + 118.75, 347.41 + 174.57]],
    ['NOT_INSURED', [0, 0, 0]],
  ] as const)('the category %s has its own rates', (insuranceCategory, due) => {
    const found = insured(10_000, { insuranceCategory })
    due.forEach((amount, at) => {
      expect(found[at]).toBeCloseTo(amount, 5)
    })
  })

  test('rates that are not confirmed are a warning on the payslip', () => {
    expect(amounts(month(10_000)).warnings).toEqual([])
    expect(amounts(month(10_000, { insuranceCategory: 'AGE_67_TO_70' })).warnings).toMatchObject([
      { code: 'INSURANCE_RATES' },
    ])
  })

  test.each([
    ['2008-05-02', 0],
    ['2008-05-01', 240.9],
    ['2008-04-30', 240.9],
    ['1959-05-02', 240.9],
    ['1959-05-01', 165.55],
    ['1956-05-02', 165.55],
    ['1956-05-01', 0],
  ])('somebody born on %s pays %d of National Insurance on 10,000 in May 2026', (birthDate, due) => {
    expect(amounts(month(10_000, { birthDate })).ni).toBe(due)
    expect(amounts(month(10_000, { birthDate, insuranceCategory: 'REGULAR' })).ni).toBe(240.9)
  })
})

describe('deposits', () => {
  test('the pension is paid on the insured wage where one is given, never on more than the wages', () => {
    expect(amounts(month(20_000, { insuredWageMinor: 1_376_900n }))).toMatchObject({
      pension: 826.14,
      employerPension: 894.99,
      severance: 826.14,
    })
    expect(amounts(month(5000, { insuredWageMinor: 1_376_900n })).pension).toBe(300)
    const joiner = { employment: { startDate: '2026-05-22', endDate: null } }
    expect(amounts(month(5000, { insuredWageMinor: 310_000n }, joiner)).bases.PENSIONABLE).toBe(100_000n)
    const leaver = { employment: { startDate: '2020-01-01', endDate: '2026-05-01' } }
    expect(amounts(month(5000, { insuredWageMinor: 310_000n }, leaver)).bases.PENSIONABLE).toBe(10_000n)
  })

  test('an employee without a pension has no deposits of the employer, unless they are given', () => {
    expect(amounts(month(20_000, { pensionRate: 0 }))).toMatchObject({ pension: 0, employerPension: 0, severance: 0 })
    expect(amounts(month(20_000, { pensionRate: 0, severanceRate: 8.33 }))).toMatchObject({
      employerPension: 0,
      severance: 1666,
    })
  })

  test('deposits of the employer on a wage above 2.5 average wages are income that is not paid', () => {
    expect(amounts(month(34_423)).bases.TAXED_DEPOSITS).toBe(0n)
    const { bases, gross, employerPension } = amounts(month(40_000))
    expect(employerPension).toBe(2600)
    expect(bases).toMatchObject({
      TAXED_DEPOSITS: 36_250n,
      TAXABLE: 4_036_250n,
      INSURABLE: 4_036_250n,
      PENSIONABLE: 4_000_000n,
    })
    expect(gross).toBe(40_000)
  })

  test('deposits of the employer above 7.5 % are income', () => {
    expect(amounts(month(10_000, { pensionEmployerRate: 7.5 })).bases.TAXED_DEPOSITS).toBe(0n)
    expect(amounts(month(10_000, { pensionEmployerRate: 8 })).bases.TAXED_DEPOSITS).toBe(5000n)
  })

  test('severance deposits above 3,800 a month are income', () => {
    const taxed = (severanceRate: number) =>
      amounts(month(50_000, { insuredWageMinor: 5_000_000n, pensionEmployerRate: 0, severanceRate })).bases
        .TAXED_DEPOSITS
    expect(taxed(7.6)).toBe(0n)
    expect(taxed(8.33)).toBe(36_500n)
  })

  const study = { studyFundRate: 2.5, studyFundEmployerRate: 7.5 }
  test('the deposits of the employer to a study fund are income on the wages of the year above 188,544', () => {
    const taxed = (earlier: bigint) =>
      amounts(month(20_000, study, { earlier: { STUDY_FUND_WAGE: earlier } })).bases.TAXED_DEPOSITS
    expect(taxed(0n)).toBe(0n)
    expect(taxed(16_854_400n)).toBe(0n)
    expect(taxed(16_856_400n)).toBe(150n)
    expect(taxed(18_000_000n)).toBe(85_920n)
    expect(taxed(18_854_400n)).toBe(150_000n)
    expect(taxed(20_000_000n)).toBe(150_000n)
  })

  test('with a monthly ceiling they are income on the wages of each month above 15,712', () => {
    const facts: PayFacts = { ...study, studyFundCeiling: 'MONTHLY' }
    expect(amounts(month(15_712, facts)).bases.TAXED_DEPOSITS).toBe(0n)
    const { bases, tax, net } = amounts(month(20_000, facts))
    expect(bases).toMatchObject({ TAXED_DEPOSITS: 32_160n, TAXABLE: 2_032_160n, STUDY_FUND_WAGE: 2_000_000n })
    expect(tax).toBe(2543.55)
    expect(net).toBe(20_000 - 2543.55 - 963.41 - 901.19 - 1200 - 500)
  })

  test('they are income too where the employee pays less than a third of them', () => {
    expect(amounts(month(10_000, { ...study, studyFundRate: 2 })).bases.TAXED_DEPOSITS).toBe(15_000n)
    expect(amounts(month(10_000, { ...study, studyFundRate: 0 })).bases.TAXED_DEPOSITS).toBe(75_000n)
  })
})

describe('parts of the pay', () => {
  test('benefits in kind are taxed and insured, but neither paid nor pensionable', () => {
    const plain = amounts(month(20_000))
    const car = amounts(month(20_000, { benefitsInKindMinor: 300_000n }))
    expect(car.bases).toMatchObject({
      GROSS: 2_000_000n,
      TAXABLE: 2_300_000n,
      INSURABLE: 2_300_000n,
      PENSIONABLE: 2_000_000n,
      BENEFITS_IN_KIND: 300_000n,
    })
    expect(car.gross).toBe(20_000)
    expect(car.pension).toBe(plain.pension)
    expect(car.tax - plain.tax).toBeCloseTo(930, 5)
    expect(car.ni - plain.ni).toBeCloseTo(210, 5)
    expect(car.net).toBeCloseTo(plain.net - 930 - 210 - 155.1, 5)
  })

  test('a bonus, leave pay and other adjustments are wages of the month', () => {
    const whole = amounts(month(20_000))
    const parts = month(
      12_000,
      {},
      {
        additionalWageMinor: 500_000n,
        adjustments: [
          { description: 'Leave', amountMinor: 400_000n, kind: 'LEAVE_PAY' },
          { description: 'Unpaid absence', amountMinor: -100_000n, kind: 'OTHER' },
        ],
      },
    )
    expect(amounts(parts)).toEqual(whole)
    expect(computed(parts).lines.slice(0, 4).map(({ kind, code }) => [kind, code])).toEqual([
      ['EARNING', 'WAGE'],
      ['EARNING', 'ADDITIONAL_WAGE'],
      ['EARNING', 'LEAVE_PAY'],
      ['EARNING', 'ADJUSTMENT'],
    ]) // biome-ignore format: a table
  })

  test('a reimbursement is in gross and net and in no base', () => {
    const plain = amounts(month(20_000))
    const adjustments = [{ description: 'Travel', amountMinor: 12_345n, kind: 'REIMBURSEMENT' as const }]
    const { bases, ...paid } = amounts(month(20_000, {}, { adjustments }))
    expect(bases).toEqual({ ...plain.bases, GROSS: 2_012_345n })
    expect(paid).toMatchObject({ tax: plain.tax, ni: plain.ni, gross: 20_123.45, net: 14_654.14, cost: 23_905.43 })
  })

  test('pay that does not cover the deductions is a problem, and so is a month before the tables', () => {
    expect(computed(month(5000, {})).lines).toHaveLength(7)
    expect(payroll.compute(month(5000, { benefitsInKindMinor: 5_000_000n }))).toMatchObject({
      problem: expect.stringContaining('more than the pay'),
    })
    const absence = [{ description: 'Absence', amountMinor: -500_001n, kind: 'OTHER' as const }]
    expect(payroll.compute(month(5000, {}, { adjustments: absence }))).toEqual({
      problem: 'The deductions are 0.01 ILS more than the pay.',
    })
    expect(payroll.compute(month(5000, {}, { from: '2023-12-01', to: '2023-12-31' }))).toMatchObject({
      problem: expect.stringContaining('January 2024'),
    })
  })

  test('a year without tables uses the last ones with a warning', () => {
    const { warnings, tax } = amounts(
      month(20_000, {}, { from: '2027-01-01', to: '2027-01-31', knownOn: '2027-02-01' }),
    )
    expect(warnings).toMatchObject([{ code: 'PAYROLL_TABLES' }])
    expect(tax).toBe(2443.85)
  })

  test('a part of a month is paid by calendar days', () => {
    const part = (first: string, last: string) =>
      payroll.prorate({ wageMinor: 1_000_000n, first, last, facts: {} }).amountMinor
    expect(part('2026-02-01', '2026-02-28')).toBe(1_000_000n)
    expect(part('2026-02-15', '2026-02-28')).toBe(500_000n)
    expect(part('2024-02-01', '2024-02-29')).toBe(1_000_000n)
    expect(part('2024-02-29', '2024-02-29')).toBe(34_483n)
    expect(part('2026-05-11', '2026-05-31')).toBe(677_419n)
    expect(part('2026-12-01', '2026-12-10')).toBe(322_581n)
  })
})

describe('other pay periods', () => {
  test.each([
    ['DAILY', 800, 107.26, 37.63, 35.38],
    ['SEMIMONTHLY', 10_000, 1340.75, 470.46, 442.28],
    ['QUARTERLY', 60_000, 8044.5, 2822.7, 2653.68],
    ['SEMIANNUALLY', 120_000, 16_089, 5645.41, 5307.37],
    ['ANNUALLY', 240_000, 32_178, 11_290.81, 10_614.74],
  ] as const)('a wage of %s is taxed by the part of the monthly tables: %d', (period, wage, tax, ni, health) => {
    const facts = { pensionRate: 0 }
    expect(amounts(month(wage, facts, { period }))).toMatchObject({ tax, ni, health })
  })

  test('weeks and pairs of weeks use the 52nd and 26th part of twelve months', () => {
    const plain = { creditPoints: 0, pensionRate: 0 }
    expect(amounts(month(1617.69, plain, { period: 'WEEKLY' })).tax).toBe(161.77)
    expect(amounts(month(1618.69, plain, { period: 'WEEKLY' })).tax).toBe(161.91)
    expect(amounts(month(3235.38, plain, { period: 'BIWEEKLY' })).tax).toBe(323.54)
    expect(amounts(month(3236.38, plain, { period: 'BIWEEKLY' })).tax).toBe(323.68)
  })
})

describe('advances', () => {
  const base = { netMinor: 800_000n, wagesMinor: 1_000_000n, monthlyWageMinor: 1_000_000n, facts: {} }
  const choices = { isFinal: false, hasConsent: false, finalAuthorized: false }
  const limit = (asked: Partial<Parameters<typeof payroll.setOff>[0]>) =>
    payroll.setOff({ ...base, advancesMinor: 1_200_000n, ...choices, ...asked }).limitMinor

  test('advances of up to three monthly wages may take all of the net pay', () => {
    expect(limit({ advancesMinor: 3_000_000n })).toBe(800_000n)
    expect(limit({ advancesMinor: 3_000_001n })).toBe(250_000n)
  })

  test('a quarter is that of the wage of the period, rounded down, and never above the net pay', () => {
    expect(limit({ advancesMinor: 4_000_000n, wagesMinor: 999_999n })).toBe(249_999n)
    expect(limit({ advancesMinor: 4_000_000n, netMinor: 100_000n })).toBe(100_000n)
    expect(limit({ advancesMinor: 4_000_000n, wagesMinor: -5n })).toBe(0n)
    expect(limit({ netMinor: -1n })).toBe(0n)
  })

  test('with consent, or authorized for the last pay, the limit is the net pay', () => {
    expect(limit({ advancesMinor: 4_000_000n, hasConsent: true })).toBe(800_000n)
    expect(limit({ advancesMinor: 4_000_000n, finalAuthorized: true })).toBe(250_000n)
    expect(limit({ advancesMinor: 4_000_000n, isFinal: true })).toBe(250_000n)
    expect(limit({ advancesMinor: 4_000_000n, isFinal: true, finalAuthorized: true })).toBe(800_000n)
    expect(limit({ advancesMinor: 700_000n, isFinal: true, finalAuthorized: true, netMinor: 600_000n })).toBe(600_000n)
  })
})

describe('warnings about facts', () => {
  const codes = (facts: PayFacts, monthlyWage: number | undefined, day: string) =>
    payroll
      .factWarnings(
        facts,
        { ...employment, monthlyWageMinor: monthlyWage === undefined ? undefined : agorot(monthlyWage) },
        day,
      )
      .map(({ code }) => code)
  const adult = { birthDate: '1990-01-01' }

  test.each([
    ['2024-04-01', 100, 5880.02],
    ['2025-03-31', 100, 5880.02],
    ['2025-04-01', 100, 6247.67],
    ['2026-03-31', 100, 6247.67],
    ['2026-04-01', 100, 6443.85],
    ['2026-04-01', 50, 3221.93],
  ])('on %s the minimum wage for a position of %d percent is %d', (day, positionPercent, least) => {
    expect(codes({ ...adult, positionPercent }, least, day)).toEqual([])
    expect(codes({ ...adult, positionPercent }, least - 0.01, day)).toEqual(['MINIMUM_WAGE'])
    expect(codes({ ...adult, positionPercent }, undefined, day)).toEqual([])
  })

  test.each([
    ['2010-05-02', 4510.7],
    ['2010-05-01', 4832.89],
    ['2009-05-01', 5348.4],
    ['2008-05-01', 6443.85],
  ])('somebody born on %s has a minimum wage of %d in May 2026', (birthDate, least) => {
    expect(codes({ birthDate }, least, '2026-05-01')).toEqual([])
    expect(codes({ birthDate }, least - 0.01, '2026-05-01')).toEqual(['MINIMUM_WAGE'])
  })

  test('a category that does not fit the age, and deposits below the order, are warnings', () => {
    const day = '2026-05-01'
    expect(codes({ ...adult, insuranceCategory: 'REGULAR' }, 9000, day)).toEqual([])
    expect(codes({ ...adult, insuranceCategory: 'UNDER_18' }, 9000, day)).toEqual(['INSURANCE_CATEGORY'])
    expect(codes({ birthDate: '1958-01-01' }, 9000, day)).toEqual(['INSURANCE_CATEGORY'])
    expect(codes({}, 9000, day)).toEqual(['INSURANCE_CATEGORY'])
    expect(codes({ ...adult, pensionRate: 6, severanceRate: 8.33 }, 9000, day)).toEqual([])
    expect(codes({ ...adult, pensionRate: 0 }, 9000, day)).toEqual([])
    expect(codes({ ...adult, pensionRate: 5.5 }, 9000, day)).toEqual(['PENSION_RATE'])
  })
})

describe('any pay', () => {
  test('shares are rounded like those of invoices', () => {
    const rates = fc.integer({ min: 0, max: 100_000_000 }).map((millionths) => millionths / 1e6)
    fc.assert(
      fc.property(fc.bigInt(-1_000_000_000_000n, 1_000_000_000_000n), rates, (amount, rate) => {
        expect(percent(amount, rate)).toBe(percentOf(amount, rate, 'half-up'))
      }),
    )
  })

  const rate = fc.integer({ min: 0, max: 1000 }).map((hundredths) => hundredths / 100)
  const facts: fc.Arbitrary<PayFacts> = fc.record(
    {
      birthDate: fc.constantFrom('1950-01-01', '1958-03-31', '1990-12-31', '2009-06-01'),
      creditPoints: fc.constantFrom(0, 0.5, 2.25, 2.75, 7.25),
      hasTaxForm: fc.boolean(),
      fixedTaxRate: rate,
      insuranceCategory: fc.constantFrom('REGULAR', 'OLD_AGE_PENSION', 'CONTROLLING_SHAREHOLDER', 'NOT_INSURED'),
      pensionRate: rate,
      pensionEmployerRate: rate,
      severanceRate: rate,
      studyFundRate: rate,
      studyFundEmployerRate: rate,
      studyFundCeiling: fc.constantFrom('YEARLY', 'MONTHLY'),
      insuredWageMinor: fc.bigInt(0n, 5_000_000n),
      benefitsInKindMinor: fc.bigInt(0n, 500_000n),
    },
    { requiredKeys: [] },
  )
  const minor = fc.bigInt(0n, 12_000_000n)
  const amount = fc.bigInt(-300_000n, 300_000n)
  const kind = fc.constantFrom('OTHER' as const, 'LEAVE_PAY' as const, 'REIMBURSEMENT' as const)
  const days = fc.constantFrom(january2024, january2025, february2025, in2026('2026-01-01', '2026-01-31'))
  const pay = fc
    .record({
      wage: minor,
      facts,
      days,
      period: fc.constantFrom(...payPeriods),
      additionalWageMinor: fc.oneof(fc.constant(0n), minor),
      adjustments: fc.array(fc.record({ description: fc.constant('Adjustment'), amountMinor: amount, kind }), {
        maxLength: 3,
      }),
      studied: minor,
      knownOn: fc.constantFrom('2024-01-01', '2026-02-15', '2026-11-01'),
    })
    .map(({ wage, facts, days, studied, ...more }) =>
      month(Number(wage) / 100, facts, { ...days, ...more, earlier: { STUDY_FUND_WAGE: studied } }),
    )

  const payers = new Map(payroll.schemes.map(({ code, payer }) => [code, payer]))
  function problemsOf({ steps, amountMinor, kind, code }: PayLine): string[] {
    const problems: string[] = []
    const sum = steps.reduce((total, step) => total + step.amountMinor, 0n)
    if (sum !== amountMinor) problems.push(`The steps of ${code} are ${sum}, its amount is ${amountMinor}.`)
    if (steps.some(({ rate, description }) => /NaN|undefined/.test(`${rate} ${description}`))) problems.push(code)
    if (kind === 'EARNING' || kind === 'REIMBURSEMENT') return problems
    if (amountMinor <= 0n) problems.push(`${code} is ${amountMinor}.`)
    if (payers.get(code) !== (kind === 'DEDUCTION' ? 'EMPLOYEE' : 'EMPLOYER')) problems.push(`${code} is of ${kind}.`)
    return problems
  }

  test('its steps add up to its lines, deductions are positive, and gross less deductions is net', () => {
    fc.assert(
      fc.property(pay, (asked) => {
        const result = payroll.compute(asked)
        if ('problem' in result) return
        const { lines, bases } = result
        expect(lines.flatMap(problemsOf)).toEqual([])
        const deducted = [...byScheme(lines.filter((line) => line.kind === 'DEDUCTION')).values()].reduce(
          (a, b) => a + b,
          0n,
        )
        expect(grossOf(lines) - deducted).toBe(netOf(lines))
        expect(netOf(lines) >= 0n).toBe(true)
        expect(employerCostOf(lines) >= grossOf(lines)).toBe(true)
        expect(bases.GROSS).toBe(grossOf(lines))
        expect((bases.INSURABLE ?? 0n) <= (bases.TAXABLE ?? 0n)).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })

  // Each of some ten parts of a deduction is rounded by up to half an agora.
  test('a higher wage never has a lower net pay, apart from rounding', () => {
    fc.assert(
      fc.property(minor, fc.bigInt(1n, 100_000n), days, (wage, more, when) => {
        const net = (wageMinor: bigint) => netOf(computed(month(Number(wageMinor) / 100, {}, when)).lines)
        expect(net(wage + more) + 5n >= net(wage)).toBe(true)
        expect(net(wage + more + 1000n) > net(wage)).toBe(true)
      }),
      { numRuns: 500 },
    )
  })
})
