import { expect, test } from 'vitest'
import { type Payroll, payrollOf, payslipIdOf } from '../../../../test/payroll/company.ts'
import { reportFileOf } from '../../../../test/report-file.ts'
import { theApp } from '../../../../test/world.ts'
import { wholeShekels } from './figures.ts'
import { form102Due } from './form-102.ts'

const form102 = ({ amy, organizationId }: Payroll, month: string) =>
  amy.call('payroll_form_102', { organizationId, month })
const form126 = ({ amy, organizationId }: Payroll, more: object = {}) =>
  amy.call('payroll_form_126', { organizationId, year: 2026, ...more })
const form106 = ({ amy, organizationId }: Payroll, employeeId: string) =>
  amy.call('payroll_form_106', { organizationId, year: 2026, employeeId })

type Form = Awaited<ReturnType<typeof form102>>
const rowOf = ({ rows }: Form, section: string, code: string, category: string | null = null) => {
  const row = rows.find((each) => each.section === section && each.code === code && each.category === category)
  return row && [row.count, row.amount, row.reported]
}

test('form 102 of the worked example: 20,000 in May 2026', async () => {
  const il = await payrollOf('IL')
  await il.hire({ monthlyWage: 20_000, idNumber: '123456782' })
  await il.hire({ name: 'Noa', monthlyWage: 10_000, birthDate: '2009-06-01', creditPoints: 2.25, pensionRate: 0 })
  await il.generate('2026-05')
  expect((await form102(il, '2026-05')).payslips).toBe(0)
  await il.approve('2026-05')
  const form = await form102(il, '2026-05')
  expect(form).toMatchObject({ month: '2026-05', currency: 'ILS', payslips: 2, problems: [] })
  expect(rowOf(form, 'INCOME_TAX', 'EMPLOYEES')).toEqual([2, null, null])
  expect(rowOf(form, 'INCOME_TAX', 'TAXABLE')).toEqual([null, 30_000, 30_000])
  const regular = (code: string) => rowOf(form, 'NATIONAL_INSURANCE', code, 'REGULAR')
  expect(regular('EMPLOYEES')).toEqual([1, null, null])
  expect(regular('TAXABLE')).toEqual([null, 20_000, 20_000])
  expect(regular('INSURABLE_REDUCED')).toEqual([null, 7_703, 7_703])
  expect(regular('INSURABLE_FULL')).toEqual([null, 12_297, 12_297])
  expect(regular('NI_EE')).toEqual([null, 940.9, 941])
  expect(regular('HEALTH')).toEqual([null, 884.56, 885])
  expect(regular('NI_ER')).toEqual([null, 1_281.98, 1_282])
  // under 18: 7,703 × 0.61 % is 46.99 and 2,297 × 2.12 % is 48.70, of the employer alone
  expect(rowOf(form, 'NATIONAL_INSURANCE', 'NI_ER', 'UNDER_18')).toEqual([null, 95.69, 96])
  expect(rowOf(form, 'NATIONAL_INSURANCE', 'TOTAL')).toEqual([null, 3_203.13, 3_204])
  expect(rowOf(form, 'NATIONAL_INSURANCE', 'EMPLOYEES')).toEqual([2, null, null])
})

test('a month without payslips has zeros', async () => {
  const il = await payrollOf('IL')
  const form = await form102(il, '2026-02')
  expect(form.payslips).toBe(0)
  for (const { count, amount, reported } of form.rows)
    expect([count, amount, reported].filter((each) => each)).toEqual([])
  expect(await form126(il)).toMatchObject({ employees: [], count: 0, totals: { gross: 0 }, problems: [] })
})

test('reports are due on the 15th and 16th, and on Monday if that is a Friday, Saturday or Sunday', () => {
  expect(form102Due('2026-03')).toEqual({ nationalInsurance: '2026-04-15', incomeTax: '2026-04-16' })
  expect(form102Due('2026-04')).toEqual({ nationalInsurance: '2026-05-18', incomeTax: '2026-05-18' })
  expect(form102Due('2026-12')).toEqual({ nationalInsurance: '2027-01-18', incomeTax: '2027-01-18' })
})

test('amounts are rounded half up to whole shekels', () => {
  expect([149n, 150n, 249n, 0n, -150n].map(wholeShekels)).toEqual([100n, 200n, 200n, 0n, -200n])
})

test('forms of other countries are refused', async () => {
  const sg = await payrollOf('SG')
  const dana = await sg.hire()
  const sentence = 'is filed in Israel, and the organization is in Singapore.'
  for (const refused of [() => form102(sg, '2026-03'), () => form126(sg), () => form106(sg, dana.id)])
    await expect(refused()).rejects.toMatchObject({ status: 400, message: expect.stringContaining(sentence) })
})

/** The sums of final payslips by the codes of their lines, read from the database. */
async function linesOf({ organizationId }: Payroll, where: string, employeeId: string | null = null) {
  const { rows } = await theApp().system.use((_, connection) =>
    connection.query(
      `select l.code, sum(l.amount_minor)::float8 / 100 as amount from payslip_lines l join payslips p on p.organization_id = l.organization_id and p.id = l.payslip_id
        join documents d on d.organization_id = p.organization_id and d.id = p.id
        where p.organization_id = $1 and d.status in ('APPROVED', 'PAID') and to_char(p.month, 'YYYY-MM') like $2 and ($3::uuid is null or p.employee_id = $3) group by 1`,
      [organizationId, where, employeeId],
    ),
  )
  return Object.fromEntries(rows.map(({ code, amount }) => [String(code), Number(amount)])) as Record<string, number>
}

test('figures are the sums of the payslips, with raises, corrections, voids and drafts', async () => {
  const il = await payrollOf('IL')
  const wages = [6_443.85, 20_000, 61_234.56]
  const people = []
  for (const [at, monthlyWage] of wages.entries())
    people.push(
      await il.hire({
        name: `E${at}`,
        monthlyWage,
        idNumber: at === 0 ? '123456789' : '123456782',
        studyFundRate: 2.5,
        studyFundEmployerRate: 7.5,
      }),
    )
  const [first, second, third] = people.map(({ id }) => id)
  const months = ['2026-01', '2026-02', '2026-03', '2026-04']
  for (const [at, month] of months.entries()) {
    if (at === 2)
      // a raise in the month before makes a correction
      await il.amy.call('payroll_employees_update', {
        id: String(second),
        monthlyWage: 21_111.11,
        effectiveFrom: '2026-02-01',
      })
    await il.generate(month, { runInputs: { additionalWage: at * 333.33 } })
    if (at < 3) await il.approve(month)
  }
  await il.voidPayslip(await payslipIdOf(il, '2026-02', String(third)))
  for (const month of months) {
    const lines = await linesOf(il, month)
    const form = await form102(il, month)
    for (const [section, code] of [
      ['INCOME_TAX', 'INCOME_TAX'],
      ['NATIONAL_INSURANCE', 'NI_EE'],
      ['NATIONAL_INSURANCE', 'HEALTH'],
      ['NATIONAL_INSURANCE', 'NI_ER'],
    ] as const)
      expect(rowOf(form, section, code)?.[1], `${month} ${code}`).toBeCloseTo(lines[code] ?? 0, 6)
    expect(form.payslips).toBe({ '2026-02': 2, '2026-04': 0 }[month] ?? 3)
  }
  const year = await form126(il)
  expect(year.employees.map(({ months: count }) => count)).toEqual([3, 3, 2])
  for (const line of year.employees) {
    const lines = await linesOf(il, '2026-%', line.employeeId)
    const statement = await form106(il, line.employeeId)
    const whole = (amount: number | undefined) => Math.round((amount ?? 0) + 1e-9)
    expect(line).toMatchObject({
      ...{ incomeTax: whole(lines.INCOME_TAX), nationalInsurance: whole(lines.NI_EE), health: whole(lines.HEALTH) },
      ...{
        pension: whole(lines.PENSION_EE),
        severance: whole(lines.SEVERANCE),
        studyFundEmployer: whole(lines.STUDY_ER),
      },
      gross: whole((lines.WAGE ?? 0) + (lines.ADDITIONAL_WAGE ?? 0)),
    })
    expect(statement.totals.incomeTax).toBeCloseTo(lines.INCOME_TAX ?? 0, 6)
    expect(statement.totals.net).toBeCloseTo(
      statement.months.reduce((sum, { net }) => sum + net, 0),
      6,
    )
    expect(statement.months).toHaveLength(line.months)
  }
  expect(year.totals.incomeTax).toBe(year.employees.reduce((sum, { incomeTax }) => sum + incomeTax, 0))
  expect(year.payslipTotals.incomeTax).toBeCloseTo((await linesOf(il, '2026-%')).INCOME_TAX ?? 0, 6)
  expect(year.problems.map(({ severity, code, employeeId }) => [severity, code, employeeId])).toEqual([
    ...[
      ['REJECTED', 'ID_NUMBER', first],
      ['CHECK', 'DRAFT', first],
      ['CHECK', 'DRAFT', second],
      ['CHECK', 'DRAFT', third],
    ],
  ])
  expect((await form126(il, { through: 1 })).employees.map(({ months: count }) => count)).toEqual([1, 1, 1])
})

test('opening balances of the year are in the yearly forms, and the files have the same rows', async () => {
  const il = await payrollOf('IL')
  const opening = { year: 2026, bases: { GROSS: 40_000, TAXABLE: 40_000 }, amounts: { INCOME_TAX: 4_887.7 } }
  const noa = await il.hire({ name: 'נועה', monthlyWage: 20_000, idNumber: '123456782', openingBalances: opening })
  await il.generate('2026-05')
  await il.approve('2026-05')
  const statement = await form106(il, noa.id)
  expect(statement).toMatchObject({
    ...{ openingBalances: { gross: 40_000, incomeTax: 4_887.7 }, months: [{ month: '2026-05', incomeTax: 2_443.85 }] },
    totals: { gross: 60_000, incomeTax: 7_331.55, net: 14_530.69 },
    ...{ employee: { name: 'נועה', months: 1 }, problems: [] },
  })
  expect((await form126(il)).employees).toMatchObject([{ gross: 60_000, incomeTax: 7_332, net: 14_531, months: 1 }])
  const { amy, organizationId } = il
  const file = (name: 'payroll_form_102' | 'payroll_form_106' | 'payroll_form_126', more: object) =>
    reportFileOf(amy, name, { organizationId, format: 'csv', ...more })
  const csv126 = await file('payroll_form_126', { year: 2026 })
  expect(csv126).toMatchObject({ fileName: 'form-126-2026.csv', text: expect.stringContaining('"123456782","נועה"') })
  const csv102 = await file('payroll_form_102', { month: '2026-05' })
  expect(csv102.text).toContain('"INCOME_TAX",,"INCOME_TAX","Income tax withheld","מס הכנסה שנוכה",,2443.85,2444')
  const csv106 = await file('payroll_form_106', { year: 2026, employeeId: noa.id })
  expect(csv106.text).toMatch(/"OPENING",40000,.*\r\n"2026-05",20000,.*\r\n"TOTAL",60000,/)
  const xlsx = await file('payroll_form_106', { year: 2026, employeeId: noa.id, format: 'xlsx' })
  expect(xlsx.fileName).toMatch(/^form-106-2026-.*\.xlsx$/)
  const unknown = { organizationId, year: 2026, employeeId: organizationId }
  await expect(amy.call('payroll_form_106', unknown)).rejects.toMatchObject({ status: 400 })
})
