import { describe, expect, test } from 'vitest'
import { cents, computed, grossOf, lineOf, netOf } from '../../../test/payroll/us-pay.ts'
import type { PayFacts } from '../../payroll/facts.ts'

describe('supplemental wages', () => {
  const bonus = (amount: number, earlier = 0, facts: PayFacts = {}) =>
    lineOf(computed({ wage: 0n, additionalWageMinor: cents(amount), earlier: { SUPPLEMENTAL: earlier }, facts }), 'FIT')

  test.each([
    [1000, 0, 220],
    [0.02, 0, 0],
    [0.03, 0, 0.01],
    [1_000_000, 0, 220_000],
    [1_000_000.01, 0, 220_000],
    [1_000_001, 0, 220_000.37],
    [1000, 999_500, 295],
    [1000, 1_000_000, 370],
    [1000, 2_000_000, 370],
  ])('a bonus of %s after %s in the year is taxed with %s', (amount, earlier, tax) => {
    expect(bonus(amount, earlier)).toBe(cents(tax))
  })

  test('the form does not matter, except that an exempt employee pays only above a million', () => {
    expect(bonus(1000, 0, { filingStatus: 'MARRIED_JOINTLY', dependentsCreditMinor: cents(4400) })).toBe(cents(220))
    expect(bonus(1000, 0, { taxExempt: true })).toBe(0n)
    expect(bonus(1000, 999_500, { taxExempt: true })).toBe(cents(185))
  })

  test('absences and deductions that are larger than the regular wage reduce the bonus', () => {
    const pay = computed({
      wage: cents(100),
      additionalWageMinor: cents(1000),
      facts: { pretaxBenefitsMinor: cents(300) },
    })
    expect(lineOf(pay, 'FIT')).toBe(cents(176))
    expect(pay.bases).toMatchObject({ FIT_WAGES: cents(800), SUPPLEMENTAL: cents(800), MED_WAGES: cents(800) })
  })
})

describe('what counts as wages', () => {
  test('benefits are before all taxes, deferrals before income tax alone', () => {
    const pay = computed({
      facts: {
        state: 'PA',
        stateRate: 3.07,
        localRate: 1,
        pretaxBenefitsMinor: cents(200),
        retirementDeferralMinor: cents(300),
      },
    })
    // 4,500 × 12 − 8,600 = 45,400; 1,240 + 12 % × 25,500 = 4,300; ÷ 12
    const lines = {
      BENEFITS: 200,
      RETIREMENT: 300,
      FIT: 358.33,
      SS_EE: 297.6,
      MED_EE: 69.6,
      SIT: 138.15,
      LOCAL: 45,
      SS_ER: 297.6,
      MED_ER: 69.6,
      FUTA: 28.8,
    }
    expect(
      Object.fromEntries(pay.lines.slice(1).map(({ code, amountMinor }) => [code, Number(amountMinor) / 100])),
    ).toEqual(lines)
    expect(pay.bases).toEqual({
      GROSS: cents(5000),
      REIMBURSEMENTS: 0n,
      BENEFITS: cents(200),
      RETIREMENT: cents(300),
      FIT_WAGES: cents(4500),
      SUPPLEMENTAL: 0n,
      SS_WAGES: cents(4800),
      MED_WAGES: cents(4800),
      MED_ADDL_WAGES: 0n,
      FUTA_WAGES: cents(4800),
      FUTA_WAGES_PA: cents(4800),
      STATE_WAGES: cents(4500),
      STATE_WAGES_PA: cents(4500),
      STATE_TAX_PA: cents(138.15),
      LOCAL_WAGES: cents(4500),
    })
  })

  test('leave pay and other adjustments are wages; an absence is negative', () => {
    const adjustments = [
      { description: 'Vacation paid out', amountMinor: cents(700), kind: 'LEAVE_PAY' as const },
      { description: 'Unpaid days', amountMinor: cents(-700), kind: 'OTHER' as const },
    ]
    const pay = computed({ adjustments })
    expect(netOf(pay)).toBe(cents(4199.17))
    expect(pay.lines.slice(0, 3).map(({ kind, code }) => `${kind} ${code}`)).toEqual([
      'EARNING WAGE',
      'EARNING LEAVE_PAY',
      'EARNING ADJUSTMENT',
    ])
  })

  test('a reimbursement is part of gross and net and of no base', () => {
    const reimbursed = computed({
      adjustments: [{ description: 'Taxi', amountMinor: cents(80), kind: 'REIMBURSEMENT' }],
    })
    const plain = computed()
    expect(grossOf(reimbursed)).toBe(grossOf(plain) + cents(80))
    expect(netOf(reimbursed)).toBe(netOf(plain) + cents(80))
    expect(reimbursed.bases).toEqual({ ...plain.bases, GROSS: cents(5080), REIMBURSEMENTS: cents(80) })
  })

  test('nothing is withheld from somebody who earned nothing', () => {
    const facts = {
      extraWithholdingMinor: cents(50),
      pretaxBenefitsMinor: cents(50),
      retirementDeferralMinor: cents(50),
      stateTaxMinor: cents(50),
      otherIncomeMinor: cents(90_000),
    }
    const pay = computed({
      wage: 0n,
      facts,
      adjustments: [{ description: 'Taxi', amountMinor: cents(80), kind: 'REIMBURSEMENT' }],
    })
    expect(pay.lines.map(({ code }) => code)).toEqual(['WAGE', 'REIMBURSEMENT'])
  })
})

describe('state income tax', () => {
  const result = (facts: PayFacts) => {
    const pay = computed({ facts })
    return { tax: Number(lineOf(pay, 'SIT')) / 100, warnings: pay.warnings.map(({ code }) => code) }
  }
  test.each([
    ['a rate', { state: 'IL', stateRate: 4.95 }, 247.5, []],
    ['an amount, which comes before a rate', { state: 'NY', stateTaxMinor: cents(212.4), stateRate: 5 }, 212.4, []],
    ['a rate of zero, which is an answer', { state: 'CA', stateRate: 0 }, 0, []],
    ['neither', { state: 'CA' }, 0, ['STATE_RATE']],
    ['a state without income tax', { state: 'FL' }, 0, []],
    ['a state without income tax, but a rate', { state: 'FL', stateRate: 2 }, 100, ['STATE_RATE']],
    ['an unknown state', { state: 'XX', stateRate: 2 }, 100, ['STATE']],
  ] as const)('%s', (_, facts, tax, warnings) => {
    expect(result(facts)).toEqual({ tax, warnings })
  })

  test.each('AK FL NV NH SD TN TX WA WY'.split(' '))('%s has none, and no warning', (state) => {
    expect(result({ state })).toEqual({ tax: 0, warnings: [] })
  })

  test('a bonus is in its base', () => {
    const pay = computed({ additionalWageMinor: cents(1000), facts: { state: 'PA', stateRate: 3.07, localRate: 1.5 } })
    expect(lineOf(pay, 'SIT')).toBe(cents(184.2))
    expect(lineOf(pay, 'LOCAL')).toBe(cents(90))
  })
})
