import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cents, computed, figures, type PayOfMonth, payOf, young } from '../../../test/payroll/singapore.ts'
import { raceFunds, workPasses } from '../../payroll/facts.ts'
import type { SetOff } from '../../payroll/payroll.ts'
import { payroll } from './payroll.ts'

const chinese = { ...young, raceFund: 'CDAC' } as const
const bornIn = (year: number) => ({ birthDate: `${year}-01-10`, raceFund: 'CDAC' }) as const
const resident = (residencySince: string) =>
  ({ ...chinese, residencyStatus: 'PERMANENT_RESIDENT', residencySince }) as const

// Employee CPF, employer CPF, funds, SDL, levy, net, all to authorities, cost of the employer.
test.each<[string, string, PayOfMonth, number[]]>([
  ['5,000', '2026-06', { wage: 5000 }, [1000, 850, 1.5, 11.25, 0, 3998.5, 1862.75, 5861.25]],
  ['1,234.50', '2026-06', { wage: 1234.5 }, [246, 211, 0.5, 3.09, 0, 988, 460.59, 1448.59]],
  ['57 years', '2026-06', { wage: 3000, facts: bornIn(1969) }, [540, 480, 1, 7.5, 0, 2459, 1028.5, 3487.5]],
  ['57 years in December 2025', '2025-12', { wage: 3000, facts: bornIn(1969) }, [510, 465, 1, 7.5, 0, 2489, 983.5, 3472.5]],
  ['57 years in January 2027', '2027-01', { wage: 3000, facts: bornIn(1969) }, [570, 495, 1, 7.5, 0, 2429, 1073.5, 3502.5]],
  ['50', '2026-06', { wage: 50 }, [0, 0, 0.5, 2, 0, 49.5, 2.5, 52]],
  ['500', '2026-06', { wage: 500 }, [0, 85, 0.5, 2, 0, 499.5, 87.5, 587]],
  ['600', '2026-06', { wage: 600 }, [60, 102, 0.5, 2, 0, 539.5, 164.5, 704]],
  ['750', '2026-06', { wage: 750 }, [150, 128, 0.5, 2, 0, 599.5, 280.5, 880]],
  ['650 at 62 years', '2026-06', { wage: 650, facts: bornIn(1964) }, [56, 82, 0.5, 2, 0, 593.5, 140.5, 734]],
  ['700 at 57 years', '2026-06', { wage: 700, facts: bornIn(1969) }, [108, 112, 0.5, 2, 0, 591.5, 222.5, 814]],
  ['799.99', '2026-06', { wage: 799.99 }, [159, 137, 0.5, 2, 0, 640.49, 298.5, 938.99]],
  ['10,000', '2026-06', { wage: 10000 }, [1600, 1360, 3, 11.25, 0, 8397, 2974.25, 11371.25]],
  ['8,000 in 2025', '2025-06', { wage: 8000 }, [1480, 1258, 3, 11.25, 0, 6517, 2752.25, 9269.25]],
  ['a bonus of 20,000 in December', '2026-12', { wage: 8000, bonus: 20000, earlier: { CPF_OW: 8_800_000n } }, [2800, 2380, 3, 11.25, 0, 25197, 5194.25, 30391.25]],
  ['a bonus, rounded once', '2026-06', { wage: 1001.5, bonus: 1001.5 }, [400, 341, 1, 5.01, 0, 1602, 747.01, 2349.01]],
  ['first year, graduated', '2026-06', { wage: 3000, facts: resident('2026-01-15') }, [150, 120, 1, 7.5, 0, 2849, 278.5, 3127.5]],
  ['second year, graduated', '2026-06', { wage: 3000, facts: resident('2025-01-15') }, [450, 270, 1, 7.5, 0, 2549, 728.5, 3277.5]],
  ['first year, full for the employer', '2026-06', { wage: 3000, facts: { ...resident('2026-01-15'), cpfRates: 'FULL_EMPLOYER' } }, [150, 510, 1, 7.5, 0, 2849, 668.5, 3517.5]],
  ['second year, 600', '2026-06', { wage: 600, facts: resident('2025-01-15') }, [45, 54, 0.5, 2, 0, 554.5, 101.5, 656]],
  ['S Pass, Muslim', '2026-06', { wage: 3500, facts: { residencyStatus: 'FOREIGNER', workPass: 'S_PASS', mosqueFund: true } }, [0, 0, 15, 8.75, 650, 3485, 673.75, 4158.75]],
  ['Employment Pass, Indian', '2026-06', { wage: 6000, facts: { residencyStatus: 'FOREIGNER', workPass: 'EMPLOYMENT_PASS', raceFund: 'SINDA' } }, [0, 0, 9, 11.25, 0, 5991, 20.25, 6011.25]],
  ['69 years', '2026-06', { wage: 5400, facts: bornIn(1957) }, [405, 486, 2, 11.25, 0, 4993, 904.25, 5897.25]],
])('a payslip: %s in %s', (_, month, pay, expected) => {
  expect(Object.values(figures(computed(payOf(month, { facts: chinese, ...pay }))))).toEqual(expected)
}) // biome-ignore format: a table

const setOff = (asked: Partial<SetOff>) => {
  const rest = {
    monthlyWageMinor: 0n,
    advancesMinor: 0n,
    isFinal: false,
    hasConsent: false,
    finalAuthorized: false,
    facts: {},
  }
  return payroll.setOff({ netMinor: 0n, wagesMinor: 0n, ...rest, ...asked }).limitMinor
}

test('a quarter of the salary may be set off against advances, and with consent all of net', () => {
  expect(figures(computed(payOf('2026-06', { wage: 4000, facts: chinese }))).net).toBe(3198.5)
  const pay = { netMinor: 319_850n, wagesMinor: 400_000n }
  expect(setOff(pay)).toBe(100_000n)
  expect(setOff({ ...pay, hasConsent: true })).toBe(319_850n)
  expect(setOff({ netMinor: 50_000n, wagesMinor: 400_000n })).toBe(50_000n)
  expect(setOff({ netMinor: 319_850n, wagesMinor: 400_003n })).toBe(100_000n)
  expect(setOff({ netMinor: -1n, wagesMinor: 400_000n, hasConsent: true })).toBe(0n)
})

test('authorization of the last pay lifts no limit: only consent does', () => {
  expect(figures(computed(payOf('2026-06', { wage: 2000, facts: chinese }))).net).toBe(1599.5)
  const last = { netMinor: 159_950n, wagesMinor: 200_000n, isFinal: true, finalAuthorized: true }
  expect(setOff(last)).toBe(50_000n)
  expect(setOff({ ...last, hasConsent: true })).toBe(159_950n)
})

// March 2026 begins on a Sunday and has 22 days from Monday to Friday and 4 Saturdays.
test.each<[string, number | undefined, string, string, number, number]>([
  ['11 of 22 days', undefined, '2026-03-17', '2026-03-31', 4400, 2200],
  ['a whole month', 6, '2026-03-01', '2026-03-31', 4400, 4400],
  ['a whole month without its weekend', 5, '2026-03-02', '2026-03-31', 4400, 4400],
  ['6 days a week', 6, '2026-03-02', '2026-03-07', 2600, 600],
  ['5.5 days a week', 5.5, '2026-03-02', '2026-03-07', 2400, 550],
  ['7 days a week', 7, '2026-03-01', '2026-03-07', 3100, 700],
  ['a Saturday alone', 5, '2026-03-07', '2026-03-07', 4400, 0],
  ['a third of a cent is rounded', 5, '2026-03-02', '2026-03-02', 1000, 45.45],
])('a part of a month: %s', (_, workDaysPerWeek, first, last, wage, amount) => {
  const facts = workDaysPerWeek === undefined ? {} : { workDaysPerWeek }
  const part = payroll.prorate({ wageMinor: cents(wage), first, last, facts })
  expect(part.amountMinor).toBe(cents(amount))
  expect(part.step.amountMinor).toBe(part.amountMinor)
})

test('adjustments are ordinary wages, and reimbursements are in gross and net alone', () => {
  const adjustments = [
    { description: 'Unpaid leave', amountMinor: -100_000n, kind: 'OTHER' },
    { description: 'GPPL 1 week', amountMinor: 100_000n, kind: 'LEAVE_PAY' },
    { description: 'Taxi', amountMinor: 2_550n, kind: 'REIMBURSEMENT' },
  ] as const
  const pay = computed(payOf('2026-06', { wage: 5000, adjustments }))
  expect(figures(pay)).toMatchObject({ employee: 1000, employer: 850, net: 4025.5, sdl: 11.25 })
  expect(pay.lines.map(({ kind, code }) => `${kind} ${code}`)).toEqual([
    'EARNING WAGE', 'EARNING ADJUSTMENT', 'EARNING LEAVE_PAY', 'REIMBURSEMENT REIMBURSEMENT', 'DEDUCTION CPF_EE',
    'CONTRIBUTION CPF_ER', 'CONTRIBUTION SDL',
  ]) // biome-ignore format: a list
  expect(pay.bases).toEqual({
    OW: 500_000n, AW: 0n, WAGES: 500_000n, GROSS: 502_550n, CPF_OW: 500_000n, CPF_AW: 0n, CPF_EE: 100_000n, CPF_ER: 85_000n, SDL: 1_125n,
  }) // biome-ignore format: a list
  expect(figures(computed(payOf('2026-06', { wage: 5000, adjustments: adjustments.slice(0, 1) })))).toMatchObject({
    employee: 800,
    employer: 680,
    net: 3200,
  })
})

test('a month without wages has no lines but the wage', () => {
  const { lines, warnings } = computed(payOf('2026-06', { wage: 0, facts: { ...chinese, mosqueFund: true } }))
  expect(lines.map(({ code }) => code)).toEqual(['WAGE'])
  expect(warnings).toEqual([])
})

test.each<[string, PayOfMonth, RegExp]>([
  ['every two weeks', { period: 'BIWEEKLY' }, /calendar month/],
  ['half a month', { to: '2026-06-15' }, /calendar month/],
  ['more absence than wage', { adjustments: [{ description: 'Absence', amountMinor: -100_001n, kind: 'OTHER' }] }, /absence are 0.01 more/],
  ['a negative bonus', { additionalWageMinor: -1n }, /additional wage is negative/],
  ['a month before the tables', { from: '2022-06-01', to: '2022-06-30' }, /no CPF rates for 2022-06/],
  ['less pay than deductions', { wages: [{ description: 'Wage', amountMinor: 49n, steps: [] }], facts: chinese }, /negative/],
  ['a reimbursement taken back', { adjustments: [{ description: 'Taxi', amountMinor: -100_000n, kind: 'REIMBURSEMENT' }] }, /net pay would be negative/],
])('pay that cannot be computed: %s', (_, change, problem) => {
  const pay = payOf('2026-06', { wage: 1000 })
  expect(payroll.compute(pay)).toHaveProperty('lines')
  expect(payroll.compute({ ...pay, ...change })).toEqual({ problem: expect.stringMatching(problem) })
}) // biome-ignore format: a table

test('a payslip names its tables', () => {
  const { tables } = computed(payOf('2026-06', { wage: 1000, facts: { ...chinese, mosqueFund: true } }))
  expect(tables).toBe('SG CPF 2026-01-01, OW ceiling 2026-01-01, CDAC 2015-01-01, MBMF 2016-06-01, SDL 2008-10-01')
  const foreigner = { residencyStatus: 'FOREIGNER', workPass: 'S_PASS' } as const
  expect(computed(payOf('2025-08', { wage: 1000, facts: foreigner })).tables).toBe('SG SDL 2008-10-01, FWL 2023-09-01')
})

test('a step names what it is computed from, and its rule', () => {
  const { lines } = computed(payOf('2026-06', { wage: 8123.45, bonus: 999.99, earlier: { CPF_OW: 4_000_000n } }))
  const steps = (code: string) => lines.find((line) => line.code === code)?.steps.map((step) => Object.values(step))
  const table = 'CPF Board, table 1 of 2026-01-01'
  const rounding = 'CPF Board: rounding of contributions'
  expect(steps('CPF_EE')).toEqual([
    ['Ordinary wages, up to the ceiling of 8,000.00', 800_000n, '20 %', 160_000n, table],
    ['Additional wages', 99_999n, '20 %', 19_999n, table],
    ['Cents are dropped', null, null, -99n, rounding],
  ])
  expect(steps('CPF_ER')).toEqual([
    ['Ordinary wages, up to the ceiling of 8,000.00', 800_000n, '37 %', 296_000n, table],
    ['Additional wages', 99_999n, '37 %', 36_999n, table],
    ['Total to the nearest dollar', null, null, 1n, rounding],
    ["Less the employee's share", null, null, -179_900n, rounding],
  ])
})

const anyFacts = fc.record(
  {
    birthDate: fc.constantFrom('1950-05-05', '1958-02-28', '1964-12-31', '1970-06-15', '1996-01-01'),
    residencyStatus: fc.constantFrom('CITIZEN', 'PERMANENT_RESIDENT', 'FOREIGNER'),
    residencySince: fc.constantFrom('2024-06-10', '2025-09-01', '2026-06-18'),
    cpfRates: fc.constantFrom('GRADUATED', 'FULL_EMPLOYER', 'FULL'),
    raceFund: fc.constantFrom(...raceFunds),
    mosqueFund: fc.boolean(),
    workPass: fc.constantFrom(...workPasses),
    levyMinor: fc.constantFrom(0n, 30_000n, 90_000n),
  } as const,
  { requiredKeys: [] },
)
const anyPay = fc.record({
  month: fc.constantFrom('2023-08', '2024-02', '2025-09', '2026-06', '2026-12', '2027-01'),
  facts: anyFacts,
  wageMinor: fc.oneof(fc.bigInt(0n, 100_000n), fc.bigInt(0n, 2_000_000n)),
  additionalWageMinor: fc.oneof(fc.constant(0n), fc.bigInt(0n, 20_000_000n)),
  other: fc.bigInt(-50_000n, 50_000n),
  earlier: fc.record({ CPF_OW: fc.bigInt(0n, 8_800_000n), CPF_AW: fc.bigInt(0n, 3_000_000n), AW: fc.bigInt(0n, 9_000_000n) }),
  endDate: fc.constantFrom(null, '2026-06-20', '2026-09-11'),
}) // biome-ignore format: one line for each

test('every payslip adds up: steps to lines, lines to net and cost, subject wages within the ceilings', () => {
  fc.assert(
    fc.property(anyPay, ({ month, facts, wageMinor, other, endDate, ...rest }) => {
      const wages = [{ description: 'Wage', amountMinor: wageMinor, steps: [] }]
      const adjustments = [{ description: 'Other', amountMinor: other, kind: 'OTHER' as const }]
      const pay = payOf(month, { ...rest, facts, wages, adjustments, employment: { startDate: '2020-01-01', endDate } })
      const result = payroll.compute(pay)
      if ('problem' in result) return
      for (const { steps, amountMinor, kind, code } of result.lines) {
        expect(
          steps.reduce((sum, step) => sum + step.amountMinor, 0n),
          code,
        ).toBe(amountMinor)
        if (kind === 'DEDUCTION' || kind === 'CONTRIBUTION') expect(amountMinor > 0n, code).toBe(true)
        if (code.startsWith('CPF')) expect(amountMinor % 100n, code).toBe(0n)
        expect(steps.every(({ rule }) => rule.length > 0)).toBe(true)
      }
      const { net, statutory, cost } = figures(result)
      expect(net).toBeGreaterThanOrEqual(0)
      expect(cents(net) + cents(statutory)).toBe(cents(cost))
      const { CPF_OW = 0n, CPF_AW = 0n, OW = 0n } = result.bases
      expect(CPF_OW <= OW && CPF_OW <= 800_000n).toBe(true)
      if (rest.earlier.CPF_AW === 0n)
        expect(CPF_AW >= 0n && CPF_AW + CPF_OW + rest.earlier.CPF_OW <= 10_200_000n).toBe(true)
    }),
    { numRuns: 500 },
  )
})

test('schemes have a code of their own and words in both languages', () => {
  expect(payroll.schemes.map(({ code }) => code)).toEqual([
    'CPF_EE',
    'CPF_ER',
    'SDL',
    'CDAC',
    'ECF',
    'MBMF',
    'SINDA',
    'FWL',
  ])
  for (const { label, labelHe, authority } of payroll.schemes) {
    expect(label && authority).toBeTruthy()
    expect(labelHe).toMatch(/[א-ת]/)
  }
  const [employee, employer] = payroll.schemes
  expect(employee?.authority).toBe(employer?.authority)
})
