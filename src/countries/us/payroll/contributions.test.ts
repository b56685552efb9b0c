import { describe, expect, test } from 'vitest'
import { cents, computed, lineOf } from '../../../test/payroll/us-pay.ts'
import { smaller } from './wages.ts'

describe('yearly limits', () => {
  const limits = [
    ['SS_EE', '2026-06-30', 184_500, '6.2'],
    ['SS_ER', '2026-06-30', 184_500, '6.2'],
    ['SS_EE', '2025-06-30', 176_100, '6.2'],
    ['SS_ER', '2025-06-30', 176_100, '6.2'],
    ['FUTA', '2026-06-30', 7_000, '0.6'],
    ['FUTA', '2025-06-30', 7_000, '0.6'],
  ] as const
  test.each(limits)('%s on %s is levied on the first %s of the year', (code, payDay, limit) => {
    const rate = code === 'FUTA' ? 6n : 62n
    for (const left of [0n, 1n, 49_999n, 50_000n, 50_001n]) {
      const used = Number(cents(limit) - left) / 100
      const pay = computed({ wage: cents(500), payDay, earlier: { SS_WAGES: used, FUTA_WAGES: used, MED_WAGES: used } })
      const base = smaller(left, 50_000n)
      expect(lineOf(pay, code)).toBe((base * rate + 500n) / 1000n)
      expect(pay.bases[code === 'FUTA' ? 'FUTA_WAGES' : 'SS_WAGES']).toBe(base)
    }
  })

  test('an opening balance of Medicare wages alone counts towards the limits', () => {
    const pay = computed({ wage: cents(500), earlier: { MED_WAGES: 200_000 } })
    expect(pay.lines.map(({ code }) => code)).toEqual(['WAGE', 'MED_EE', 'MED_ADDL', 'MED_ER'])
  })

  test.each([
    [199_000, 999.99, 0],
    [199_000, 1000, 0],
    [199_000, 1000.55, 0], // 0.9 % of 0.55 is less than half a cent
    [199_000, 1000.56, 0.01],
    [199_999.99, 1000, 9],
    [200_000, 1000, 9],
    [0, 200_000, 0],
    [0, 250_000, 450],
  ])('after wages of %s, additional Medicare on %s is %s', (before, wage, tax) => {
    const given = { wage: cents(wage), earlier: { SS_WAGES: before, MED_WAGES: before, FUTA_WAGES: 7000 } }
    expect(lineOf(computed(given), 'MED_ADDL')).toBe(cents(tax))
    expect(lineOf(computed({ ...given, facts: { filingStatus: 'MARRIED_JOINTLY' } }), 'MED_ADDL')).toBe(cents(tax))
  })

  test('state unemployment insurance stops at its wage base', () => {
    const facts = { state: 'NY', unemploymentRate: 4.1, unemploymentWageBaseMinor: cents(12_800) }
    expect(lineOf(computed({ facts }), 'SUI')).toBe(cents(205))
    expect(lineOf(computed({ facts, earlier: { SUI_WAGES: 10_000 } }), 'SUI')).toBe(cents(114.8))
    expect(lineOf(computed({ facts, earlier: { SUI_WAGES: 12_800 } }), 'SUI')).toBe(0n)
    expect(lineOf(computed({ facts: { unemploymentRate: 2.7 }, earlier: { SUI_WAGES: 5_000 } }), 'SUI')).toBe(cents(54))
  })
})

describe('FUTA credit reduction', () => {
  const december = { payDay: '2025-12-31', knownOn: '2026-01-05' }
  const whole = { MED_WAGES: 60_000, SS_WAGES: 60_000, FUTA_WAGES: 7000, FUTA_WAGES_CA: 7000 }
  const facts = { state: 'CA', stateRate: 4 }

  test('the payslips of a year before December have the rate after the whole credit', () => {
    expect(lineOf(computed({ facts, payDay: '2025-01-31', knownOn: '2026-11-16' }), 'FUTA')).toBe(cents(30))
    expect(lineOf(computed({ facts, payDay: '2025-11-30', knownOn: '2026-11-16', earlier: whole }), 'FUTA')).toBe(0n)
  })

  test('December has the reduction for the wages of the whole year, once', () => {
    const pay = computed({ facts, ...december, earlier: whole })
    expect(lineOf(pay, 'FUTA')).toBe(cents(84))
    expect(pay.bases.FUTA_REDUCED_CA).toBe(cents(7000))
    expect(lineOf(computed({ facts, ...december, earlier: { ...whole, FUTA_REDUCED_CA: 7000 } }), 'FUTA')).toBe(0n)
  })

  test('somebody who began in December has both: 1.8 % of California, 5.1 % of the Virgin Islands', () => {
    expect(lineOf(computed({ facts, ...december }), 'FUTA')).toBe(cents(90))
    expect(lineOf(computed({ facts, ...december, wage: cents(9000) }), 'FUTA')).toBe(cents(126))
    expect(lineOf(computed({ facts: { state: 'VI' }, ...december, wage: cents(9000) }), 'FUTA')).toBe(cents(357))
    expect(lineOf(computed({ facts: { state: 'NY', stateRate: 5 }, ...december, wage: cents(9000) }), 'FUTA')).toBe(
      cents(42),
    )
  })

  test('wages of each state have its own reduction', () => {
    const moved = { ...whole, FUTA_WAGES_CA: 3000, FUTA_WAGES_TX: 4000 }
    expect(lineOf(computed({ facts, ...december, earlier: moved }), 'FUTA')).toBe(cents(36))
    expect(lineOf(computed({ facts: { state: 'TX' }, ...december, earlier: moved }), 'FUTA')).toBe(cents(36))
  })

  test('a reduction that was not published yet is not known', () => {
    const known = computed({ facts, ...december, knownOn: '2025-11-10', earlier: whole })
    expect(lineOf(known, 'FUTA')).toBe(cents(84))
    expect(lineOf(computed({ facts, ...december, knownOn: '2025-11-09', earlier: whole }), 'FUTA')).toBe(0n)
  })

  test('a state that had a reduction gets a warning in December of a year that is not known', () => {
    const codes = (payDay: string) => computed({ facts, payDay }).warnings.map(({ code }) => code)
    expect(codes('2026-12-31')).toEqual(['FUTA_CREDIT'])
    expect(codes('2026-11-30')).toEqual([])
    expect(codes('2025-12-31')).toEqual([])
  })
})
