import { expect, test } from 'vitest'
import { cents, computed, figures, type PayOfMonth, payOf, young } from '../../../test/payroll/singapore.ts'
import type { PayFacts } from '../../payroll/facts.ts'
import { payroll } from './payroll.ts'

const amount = (code: string, month: string, pay: PayOfMonth) =>
  Number(computed(payOf(month, pay)).lines.find((line) => line.code === code)?.amountMinor ?? 0n) / 100

test.each([
  [0.01, 2], [609.5, 2], [799.99, 2], [800, 2], [801.99, 2], [802, 2.01], [1234.5, 3.09], [2000, 5], [4499.99, 11.25], [4497.99, 11.24],
  [4500, 11.25], [4500.01, 11.25], [4502.03, 11.25], [10_000, 11.25],
])('the Skills Development Levy on %d is %d', (wage, expected) => {
  expect(amount('SDL', '2026-06', { wage, facts: { residencyStatus: 'FOREIGNER' } })).toBe(expected)
  expect(amount('SDL', '2026-06', { wage: 0, bonus: wage, facts: { residencyStatus: 'FOREIGNER' } })).toBe(expected)
}) // biome-ignore format: a table

// The highest wages of each row, and the contribution; the last row has no end.
test.each<[NonNullable<PayFacts['raceFund']>, [number, number][]]>([
  ['CDAC', [[2000, 0.5], [3500, 1], [5000, 1.5], [7500, 2], [1e6, 3]]],
  ['ECF', [[1000, 2], [1500, 4], [2500, 6], [4000, 9], [7000, 12], [10_000, 16], [1e6, 20]]],
  ['MBMF', [[1000, 3], [2000, 4.5], [3000, 6.5], [4000, 15], [6000, 19.5], [8000, 22], [10_000, 24], [1e6, 26]]],
  ['SINDA', [[1000, 1], [1500, 3], [2500, 5], [4500, 7], [7500, 9], [10_000, 12], [15_000, 18], [1e6, 30]]],
])('%s goes by total wages', (raceFund, rows) => {
  const facts = { ...young, raceFund }
  for (const [at, [upTo, expected]] of rows.entries()) {
    expect(amount(raceFund, '2026-06', { wage: upTo - 0.01, facts }), `${upTo}`).toBe(expected)
    expect(amount(raceFund, '2026-06', { wage: upTo, facts }), `${upTo}`).toBe(expected)
    expect(amount(raceFund, '2026-06', { wage: upTo - 10, bonus: 10, facts }), `${upTo}`).toBe(expected)
    const next = rows[at + 1]
    if (next) expect(amount(raceFund, '2026-06', { wage: upTo + 0.01, facts }), `${upTo}`).toBe(next[1])
  }
}) // biome-ignore format: a table

test.each<[string, PayFacts, Record<string, number>]>([
  ['a Muslim Indian', { raceFund: 'SINDA', mosqueFund: true }, { SINDA: 7, MBMF: 15 }],
  ['a Muslim by the fund of the race and by religion', { raceFund: 'MBMF', mosqueFund: true }, { MBMF: 15 }],
  ['no fund', { raceFund: 'NONE' }, {}],
  ['opted out', { raceFund: 'CDAC', raceFundMinor: 0n }, {}],
  ['opted out of one of two', { raceFund: 'SINDA', raceFundMinor: 0n, mosqueFund: true }, { MBMF: 15 }],
  ['opted out of the other', { raceFund: 'SINDA', mosqueFund: true, mosqueFundMinor: 0n }, { SINDA: 7 }],
  ['own amounts', { raceFund: 'SINDA', raceFundMinor: 1_000n, mosqueFund: true, mosqueFundMinor: 2_001n }, { SINDA: 10, MBMF: 20.01 }],
  ['an own amount of MBMF', { raceFund: 'MBMF', raceFundMinor: 500n, mosqueFund: true }, { MBMF: 5 }],
  ['opted out of MBMF', { raceFund: 'MBMF', mosqueFundMinor: 0n }, {}],
  ['a foreigner', { residencyStatus: 'FOREIGNER', raceFund: 'CDAC' }, {}],
  ['a foreigner who chose an amount', { residencyStatus: 'FOREIGNER', raceFund: 'ECF', raceFundMinor: 300n }, { ECF: 3 }],
  ['an Indian with an Employment Pass', { workPass: 'EMPLOYMENT_PASS', raceFund: 'SINDA' }, { SINDA: 7 }],
  ['an Indian with a work permit', { workPass: 'WORK_PERMIT', raceFund: 'SINDA' }, {}],
  ['a Muslim with a work permit', { workPass: 'WORK_PERMIT', mosqueFund: true }, { MBMF: 15 }],
])('funds: %s', (_, facts, expected) => {
  const { lines } = computed(payOf('2026-06', { wage: 4000, facts }))
  const funds = lines.filter(({ kind, code }) => kind === 'DEDUCTION' && code !== 'CPF_EE')
  expect(Object.fromEntries(funds.map(({ code, amountMinor }) => [code, Number(amountMinor) / 100]))).toEqual(expected)
}) // biome-ignore format: a table

const june = (first: string | null, last: string | null) => ({
  employment: { startDate: first ?? '2020-01-01', endDate: last },
})

test.each<[string, string, PayFacts, PayOfMonth, number]>([
  ['the S Pass', '2026-06', { workPass: 'S_PASS' }, {}, 650],
  ['the S Pass in September 2025', '2025-09', { workPass: 'S_PASS' }, {}, 650],
  ['the S Pass in August 2025', '2025-08', { workPass: 'S_PASS' }, {}, 550],
  ['another amount', '2026-06', { workPass: 'S_PASS', levyMinor: 33_000n }, {}, 330],
  ['a work permit', '2026-06', { workPass: 'WORK_PERMIT', levyMinor: 90_000n }, {}, 900],
  ['a work permit without a levy', '2026-06', { workPass: 'WORK_PERMIT' }, {}, 0],
  ['an Employment Pass', '2026-06', { workPass: 'EMPLOYMENT_PASS', levyMinor: 90_000n }, {}, 0],
  ['a foreigner without a pass', '2026-06', { residencyStatus: 'FOREIGNER', levyMinor: 30_000n }, {}, 300],
  ['a citizen', '2026-06', { residencyStatus: 'CITIZEN', workPass: 'S_PASS' }, {}, 0],
  // 650 × 12 ÷ 365 is 21.3698…, so 21.37 for a day.
  ['from the 30th', '2026-06', { workPass: 'S_PASS' }, june('2026-06-30', null), 21.37],
  ['from the 30th, of 300', '2026-06', { workPass: 'WORK_PERMIT', levyMinor: 30_000n }, june('2026-06-30', null), 9.87], // 9.8630…
  ['from the 2nd', '2026-06', { workPass: 'S_PASS' }, june('2026-06-02', null), 619.73],
  ['until the 15th', '2026-06', { workPass: 'S_PASS' }, june(null, '2026-06-15'), 320.55],
  ['until the 30th', '2026-06', { workPass: 'S_PASS' }, june(null, '2026-06-30'), 650],
  ['after leaving', '2026-06', { workPass: 'S_PASS' }, june(null, '2026-05-31'), 0],
])('the foreign worker levy: %s in %s', (_, month, facts, pay, expected) => {
  expect(figures(computed(payOf(month, { wage: 3500, facts, ...pay }))).levy).toBe(expected)
}) // biome-ignore format: a table

test('a part of a month never costs more levy than the month', () => {
  for (let day = 1; day <= 31; day++) {
    const startDate = `2026-07-${String(day).padStart(2, '0')}`
    const pay = payOf('2026-07', {
      wage: 3500,
      facts: { workPass: 'S_PASS' },
      employment: { startDate, endDate: null },
    })
    expect(computed(pay).lines.find(({ code }) => code === 'FWL')?.amountMinor).toBeLessThanOrEqual(cents(650))
  }
})

const employment = { startDate: '2020-01-01', endDate: null }
test.each<[string, PayFacts, string[]]>([
  ['a citizen with a birth date', young, []],
  ['nothing known', {}, ['BIRTH_DATE']],
  ['a permanent resident without a date', { ...young, residencyStatus: 'PERMANENT_RESIDENT' }, ['RESIDENCY_SINCE']],
  ['a permanent resident', { ...young, residencyStatus: 'PERMANENT_RESIDENT', residencySince: '2026-01-05' }, []],
  ['a citizen with a levy', { ...young, residencyStatus: 'CITIZEN', workPass: 'S_PASS', levyMinor: 1n }, ['WORK_PASS', 'LEVY']],
  ['an S Pass without a levy', { workPass: 'S_PASS' }, ['LEVY']],
  ['an S Pass', { workPass: 'S_PASS', levyMinor: 65_000n }, []],
  ['a work permit without a levy', { workPass: 'WORK_PERMIT' }, ['LEVY']],
  ['an Employment Pass', { workPass: 'EMPLOYMENT_PASS' }, []],
  ['an Employment Pass with a levy', { workPass: 'EMPLOYMENT_PASS', levyMinor: 1n }, ['LEVY']],
  ['a foreigner with CPF', { residencyStatus: 'FOREIGNER', cpfRates: 'FULL', residencySince: '2020-01-01' }, ['CPF_RATES', 'RESIDENCY_SINCE']],
  ['a foreigner with a fund of residents', { residencyStatus: 'FOREIGNER', raceFund: 'CDAC' }, ['RACE_FUND']],
  ['an Indian with an S Pass', { workPass: 'S_PASS', levyMinor: 0n, raceFund: 'SINDA' }, ['RACE_FUND']],
  ['a foreigner who will be a resident', { residencyStatus: 'PERMANENT_RESIDENT', residencySince: '2026-07-01' }, []],
])('warnings about facts: %s', (_, facts, codes) => {
  const warnings = payroll.factWarnings(facts, employment, '2026-06-30')
  expect(warnings.map(({ code }) => code)).toEqual(codes)
  expect(computed(payOf('2026-06', { wage: 1000, facts })).warnings).toEqual(warnings)
}) // biome-ignore format: a table

test('CPF without a birth date is that of 55 and younger', () => {
  expect(figures(computed(payOf('2026-06', { wage: 3000, facts: {} })))).toMatchObject({ employee: 600, employer: 510 })
})
