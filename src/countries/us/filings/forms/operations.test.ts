import fc from 'fast-check'
import { expect, test } from 'vitest'
import { payrollOf, payslipIdOf } from '../../../../test/payroll/company.ts'
import { cents, generatedMonths, live, summed, totalOf } from '../../../../test/payroll/months.ts'
import { reportFileOf } from '../../../../test/report-file.ts'

async function company() {
  const us = await payrollOf('US')
  const { amy, organizationId } = us
  await amy.call('organizations_update', { id: organizationId, taxNumber: '12-3456789', address: '1 Main St, Austin' })
  const form = { organizationId }
  return {
    ...us,
    hire: (more = {}) => us.hire({ filingStatus: 'SINGLE', state: 'NY', stateRate: 5, idNumber: '123-45-6789', address: '2 Elm St', ...more }),
    form941: (year: number, quarter: number) => amy.call('payroll_form_941', { ...form, year, quarter }),
    form940: (year: number) => amy.call('payroll_form_940', { ...form, year }),
    w2: (year: number, more = {}) => amy.call('payroll_form_w2', { ...form, year, ...more }),
    w3: (year: number) => amy.call('payroll_form_w3', { ...form, year }),
    /** Generates and approves the payslips of months. */
    run: async (...months: string[]) => {
      for (const month of months) {
        expect(await us.generate(month)).toMatchObject({ errors: [] })
        await us.approve(month)
      }
    },
  } // biome-ignore format: a form a line
}

type Line = { line: string; wages: number | null; amount: number | null }
const byLine = ({ lines }: { lines: Line[] }) => Object.fromEntries(lines.map((each) => [each.line, each]))
const codes = ({ problems }: { problems: { code: string }[] }) => problems.map(({ code }) => code)

test('Form 941: a quarter of two people, one of whom left in February, with fractions of cents', async () => {
  const us = await company()
  await us.hire({ monthlyWage: 3_333.33 })
  const bob = await us.hire({ name: 'Bob', monthlyWage: 20_000, endDate: '2026-02-28' })
  await us.run('2026-01', '2026-02')
  await us.generate('2026-03')
  expect(codes(await us.form941(2026, 1))).toEqual(['DRAFTS'])
  await us.approve('2026-03')
  const form = await us.form941(2026, 1)
  const line = byLine(form)
  expect(form).toMatchObject({ from: '2026-01-01', to: '2026-03-31', employees: 1, problems: [] })
  expect(line['2']).toMatchObject({ amount: 49_999.99 })
  expect(line['5a']).toMatchObject({ wages: 49_999.99, amount: 6_200 })
  expect(line['5c']).toMatchObject({ wages: 49_999.99, amount: 1_450 })
  expect(line['5d']).toMatchObject({ wages: 0, amount: 0 })
  expect(line['5e']).toMatchObject({ amount: 7_650 })
  // 3,333.33: 206.67 and 48.33 (both rounded up) for each side; three times 510.00 and twice 3,060.00
  expect(line['7']).toMatchObject({ amount: 0 })
  const sums = await summed(us, ['2026-01', '2026-02', '2026-03'])
  expect(cents(line['3']?.amount ?? 0)).toBe(totalOf(sums, 'FIT'))
  expect(cents(line['12']?.amount ?? 0)).toBe(totalOf(sums, 'FIT', 'SS_EE', 'SS_ER', 'MED_EE', 'MED_ER', 'MED_ADDL'))
  expect(form.liabilities.map(({ month }) => month)).toEqual(['2026-01', '2026-02', '2026-03'])
  expect(cents(form.liabilities.reduce((sum, { amount }) => sum + amount, 0))).toBe(cents(form.total))
  await us.voidPayslip(await payslipIdOf(us, '2026-02', bob.id))
  expect(byLine(await us.form941(2026, 1))['2']).toMatchObject({ amount: 29_999.99 })
  expect(byLine(await us.form941(2026, 2))['2']).toMatchObject({ amount: 0 })
  const file = await reportFileOf(us.amy, 'payroll_form_941', {
    organizationId: us.organizationId,
    year: 2026,
    quarter: 1,
    format: 'csv',
  })
  expect(file.fileName).toBe('form-941-2026-q1.csv')
  expect(file.text).toContain('"2","Wages, tips, and other compensation",,29999.99')
})

test('fractions of cents: each payslip is rounded, the form once', async () => {
  const us = await company()
  for (const name of ['A', 'B', 'C']) await us.hire({ name, monthlyWage: 1_000.04 })
  await us.run('2026-01')
  const line = byLine(await us.form941(2026, 1))
  expect(line['5a']).toMatchObject({ wages: 3_000.12, amount: 372.01 }) // 372.01488; payslips have 6 × 62.00
  expect(line['5c']).toMatchObject({ amount: 87 })
  expect(line['7']).toMatchObject({ amount: -0.01 })
})

test('W-2 and W-3: the boxes of each employee with additional Medicare, deferrals and two states, and their totals', async () => {
  const us = await company()
  const dana = await us.hire({ monthlyWage: 210_000, retirementDeferral: 1_000, pretaxBenefits: 100, localRate: 1 })
  await us.hire({ name: 'Bob', monthlyWage: 4_000, state: 'TX', stateRate: undefined, startDate: '2026-02-01' })
  await us.run('2026-01')
  await us.amy.call('payroll_employees_update', {
    id: dana.id,
    monthlyWage: 4_000,
    state: 'NJ',
    stateRate: 3,
    effectiveFrom: '2026-02-01',
  })
  await us.run('2026-02')
  const found = await us.w2(2026)
  const [bob, own] = found.forms
  expect(own).toMatchObject({
    ...{ name: 'Dana', socialSecurityNumber: '***-**-6789', wages: 211_800, socialSecurityWages: 184_500 },
    ...{
      medicareWages: 213_800,
      socialSecurityTax: 11_439,
      deferrals: 2_000,
      retirementPlan: true,
      localWages: 211_800,
    },
    medicareTax: 3_224.3, // 1.45 % of 213,800, and 0.9 % of the 13,800 above 200,000
    states: [
      { state: 'NY', stateWages: 208_900, stateIncomeTax: 10_445 },
      { state: 'NJ', stateWages: 2_900, stateIncomeTax: 87 },
    ],
  })
  expect(bob).toMatchObject({ name: 'Bob', wages: 4_000, states: [], localIncomeTax: 0 })
  expect(codes(found).sort()).toEqual(['LOCALITY'])
  const w3 = await us.w3(2026)
  expect(w3).toMatchObject({ forms: 2, wages: 215_800, state: 'X', stateWages: 211_800, stateIncomeTax: 10_532 })
  const { organizationId } = us
  expect((await us.w2(2026, { employeeId: dana.id })).forms.map(({ name }) => name)).toEqual(['Dana'])
  await expect(us.w2(2026, { employeeId: us.organizationId })).rejects.toMatchObject({ status: 404 })
  const csv = await reportFileOf(us.amy, 'payroll_form_w2', { organizationId, year: 2026, format: 'csv' })
  const rows = csv.text.split('\n').filter((row) => row.includes('"Dana"'))
  expect(rows).toHaveLength(2)
  expect(rows[0]).toContain('2026,"123-45-6789","12-3456789"')
  expect(rows[1]).toContain(',,,,,,,"NJ",2900,87,,')
  const totals = await reportFileOf(us.amy, 'payroll_form_w3', { organizationId, year: 2026, format: 'csv' })
  expect(totals.text).toContain('"1","Wages, tips, other compensation",,215800')
})

test('W-2: opening balances are included, and missing facts are listed', async () => {
  const us = await company()
  const opening = {
    year: 2026,
    bases: {
      FIT_WAGES: 10_000,
      SS_WAGES: 10_000,
      MED_WAGES: 10_000,
      STATE_WAGES: 10_000,
      STATE_WAGES_NY: 10_000,
      STATE_TAX_NY: 500,
    },
    amounts: { FIT: 1_000, SS_EE: 620, MED_EE: 145, SIT: 500 },
  }
  await us.hire({ openingBalances: opening })
  await us.hire({ name: 'Bob', idNumber: '912-70-1234', address: null, state: undefined, stateRate: undefined })
  await us.run('2026-03')
  const { forms, ...found } = await us.w2(2026)
  expect(forms[1]).toMatchObject({
    ...{ wages: 15_000, socialSecurityTax: 930, medicareTax: 217.5, hasOpeningBalances: true },
    states: [{ state: 'NY', stateWages: 15_000, stateIncomeTax: 750 }],
  })
  expect(codes(found).sort()).toEqual(['ADDRESS_MISSING', 'OPENING_BALANCES', 'SSN', 'STATE_MISSING'])
  expect(codes(await us.form941(2026, 1))).toEqual(['OPENING_BALANCES'])
  expect(byLine(await us.form941(2026, 1))['2']).toMatchObject({ amount: 10_000 })
})

test('Form 940: wages up to 7,000, and the credit reduction also of people who left before December', async () => {
  const us = await company()
  const california = { state: 'CA', stateRate: 4 }
  await us.hire({ ...california, startDate: '2025-06-01' })
  await us.hire({
    ...california,
    name: 'Left',
    startDate: '2025-06-01',
    endDate: '2025-06-30',
    monthlyWage: 3_000,
    pretaxBenefits: 200,
  })
  await us.hire({ name: 'Texan', state: 'TX', stateRate: undefined, startDate: '2025-12-01' })
  await us.run('2025-06', '2025-07', '2025-12')
  const form = await us.form940(2025)
  const line = byLine(form)
  expect(line['3']).toMatchObject({ amount: 23_000 })
  expect(line['4']).toMatchObject({ amount: 200 })
  expect(line['7']).toMatchObject({ amount: 7_000 + 2_800 + 5_000 })
  expect(line['5']).toMatchObject({ amount: 8_000 })
  expect(line['8']).toMatchObject({ amount: 88.8 })
  expect(form.creditReductions).toEqual([{ state: 'CA', wages: 9_800, rate: 1.2, amount: 117.6 }])
  expect(form.total).toBe(206.4)
  expect(form).toMatchObject({ onPayslips: 88.8 + 84, difference: 33.6, problems: [] }) // 1.2 % of the 2,800 of the one who left
  expect(form.liabilities.map(({ amount }) => amount)).toEqual(
    [0, 46.8, 12, 147.6].map((each) => expect.closeTo(each, 5)),
  )
  expect(codes(await us.form940(2026))).toEqual(['CREDIT_REDUCTION'])
})

test('an organization of another country, and a year without tables, are refused in a sentence', async () => {
  const [us, sg] = [await company(), await payrollOf('SG')]
  expect((await us.w3(2026)).forms).toBe(0)
  const { organizationId } = sg
  for (const name of ['payroll_form_w2', 'payroll_form_w3', 'payroll_form_940'] as const)
    await expect(sg.amy.call(name, { organizationId, year: 2026 })).rejects.toMatchObject({
      ...{
        status: 400,
        message: expect.stringContaining('is filed in the United States, and the organization is in Singapore.'),
      },
    })
  await expect(sg.amy.call('payroll_form_941', { organizationId, year: 2026, quarter: 1 })).rejects.toMatchObject({
    status: 400,
  })
  await expect(us.form941(2024, 1)).rejects.toMatchObject({ status: 400 })
})

test('the forms are the sums of the payslips, whatever is void, corrected or still a draft', async () => {
  const months = ['2026-01', '2026-02', '2026-03', '2026-04']
  await fc.assert(
    fc.asyncProperty(generatedMonths(months), async (happened) => {
      const us = await company()
      const people = [
        { monthlyWage: 60_000.01 },
        { retirementDeferral: 250, localRate: 1 },
        { state: 'CA', startDate: '2026-02-10', pretaxBenefits: 33.33 },
      ]
      const ids: string[] = []
      for (const facts of people) ids.push((await us.hire(facts)).id)
      await live(us, ids, happened)
      const taxes = ['FIT', 'SS_EE', 'SS_ER', 'MED_EE', 'MED_ER', 'MED_ADDL']
      for (const [quarter, own] of [
        [1, months.slice(0, 3)],
        [2, months.slice(3)],
      ] as const) {
        const [form, sums] = [await us.form941(2026, quarter), await summed(us, own)]
        expect(cents(form.total)).toBe(totalOf(sums, ...taxes))
        expect(cents(byLine(form)['3']?.amount ?? 0)).toBe(totalOf(sums, 'FIT'))
        const monthly = await Promise.all(own.map(async (month) => totalOf(await summed(us, [month]), ...taxes)))
        expect(form.liabilities.slice(0, own.length).map(({ amount }) => cents(amount))).toEqual(monthly)
      }
      const [{ forms }, w3, futa, sums] = [
        await us.w2(2026),
        await us.w3(2026),
        await us.form940(2026),
        await summed(us, months),
      ]
      expect(forms.map(({ employeeId }) => employeeId).sort()).toEqual([...sums.keys()].sort())
      for (const form of forms) {
        const own = sums.get(form.employeeId) ?? {}
        const boxes = [
          form.federalIncomeTax,
          form.socialSecurityTax,
          form.medicareTax,
          form.deferrals,
          form.localIncomeTax,
        ]
        expect(boxes.map(cents)).toEqual([
          own.FIT ?? 0,
          own.SS_EE ?? 0,
          (own.MED_EE ?? 0) + (own.MED_ADDL ?? 0),
          own.RETIREMENT ?? 0,
          own.LOCAL ?? 0,
        ])
        expect(form.states.reduce((sum, { stateIncomeTax }) => sum + cents(stateIncomeTax), 0)).toBe(own.SIT ?? 0)
      }
      const sum = (of: (form: (typeof forms)[number]) => number) =>
        forms.reduce((part, form) => part + cents(of(form)), 0)
      expect(cents(w3.wages)).toBe(sum(({ wages }) => wages))
      expect(cents(w3.medicareWages)).toBe(sum(({ medicareWages }) => medicareWages))
      expect(cents(w3.federalIncomeTax)).toBe(totalOf(sums, 'FIT'))
      expect(cents(w3.stateIncomeTax)).toBe(totalOf(sums, 'SIT'))
      expect(cents(futa.onPayslips)).toBe(totalOf(sums, 'FUTA'))
      expect(cents(futa.total)).toBe(cents(futa.onPayslips) + cents(futa.difference))
      expect(futa.liabilities.reduce((part, { amount }) => part + cents(amount), 0)).toBe(cents(futa.total))
    }),
    { numRuns: 8 },
  )
}, 120_000)
