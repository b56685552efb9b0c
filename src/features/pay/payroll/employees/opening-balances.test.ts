import { expect, test } from 'vitest'
import { countries } from '../../../../countries/countries.ts'
import { isBase } from '../../../../countries/payroll/base-names.ts'
import { payrollOf, payslipIdOf } from '../../../../test/payroll/company.ts'

const leave = [{ description: 'GPCL 2 days', amount: 300, kind: 'LEAVE_PAY' }]

test.each([
  ['IL', { TAXABLE: 40_000, STUDY_FUND_WAGE: 1 }, 'SS_WAGES', /GROSS, WAGES, .*PENSIONABLE/],
  ['SG', { CPF_OW: 10_000, CPF_EE: 2_000 }, 'CPF_OV', /OW, AW, .*CPF_EE/],
  ['US', { MED_WAGES: 10_000, STATE_WAGES_NY: 10_000 }, 'STATE_WAGES_ny', /FIT_WAGES, .*STATE_WAGES_<state>/],
] as const)(
  'opening balances in %s have the bases of payslips there, and no others',
  async (country, known, unknown, names) => {
    const payroll = await payrollOf(country)
    const { id } = await payroll.hire({ openingBalances: { year: 2026, bases: known } })
    const refusal = {
      status: 400,
      details: [{ path: `openingBalances.bases.${unknown}`, message: expect.stringMatching(names) }],
    }
    const openingBalances = { year: 2026, bases: { ...known, [unknown]: 1 } }
    await expect(payroll.hire({ openingBalances })).rejects.toMatchObject(refusal)
    await expect(payroll.amy.call('payroll_employees_update', { id, openingBalances })).rejects.toMatchObject(refusal)
  },
)

test.each(['IL', 'SG', 'US'] as const)(
  'every base of a payslip in %s is one that opening balances can have',
  async (country) => {
    const payroll = await payrollOf(country)
    const facts = { state: 'NY', stateRate: 5, unemploymentRate: 3, studyFundRate: 2.5, raceFund: 'CDAC' }
    const { id } = await payroll.hire(facts)
    await payroll.generate('2026-03', { runInputs: { additionalWage: 100, adjustments: leave } })
    const { bases } = await payroll.amy.call('payroll_payslips_get', { id: await payslipIdOf(payroll, '2026-03', id) })
    expect(Object.keys(bases).length).toBeGreaterThan(5)
    expect(Object.keys(bases).filter((name) => !isBase(countries[country].payroll, name))).toEqual([])
  },
)
