import fc from 'fast-check'
import { expect, test } from 'vitest'
import { payrollOf, payslipIdOf } from '../../../../test/payroll/company.ts'
import { cents, generatedMonths, live, summed, totalOf } from '../../../../test/payroll/months.ts'
import { reportFileOf } from '../../../../test/report-file.ts'
import { operationNamed } from '../../../../test/world.ts'

const uen = '201403121W'

async function company() {
  const sg = await payrollOf('SG')
  const { amy, organizationId } = sg
  await amy.call('organizations_update', { id: organizationId, registrationNumber: uen })
  const cpf = (month: string, more = {}) => amy.call('payroll_form_cpf', { organizationId, month, ...more })
  const ir8a = (year: number) => amy.call('payroll_form_ir8a', { organizationId, year })
  return { ...sg, cpf, ir8a }
}

const codes = ({ problems }: { problems: { code: string }[] }) => problems.map(({ code }) => code)

test('a month of CPF: the figures of the payslips, the levy in whole dollars, and the file of EZPay', async () => {
  const sg = await company()
  await sg.hire({ name: 'Tan Mei', raceFund: 'CDAC', idNumber: 'S1234567D' })
  await sg.hire({ name: 'Ali', monthlyWage: 609.5, raceFund: 'MBMF', idNumber: 'T1234567J', startDate: '2026-03-01' })
  await sg.hire({
    name: 'Lee',
    monthlyWage: 2_000,
    idNumber: 'F1234567N',
    workPass: 'S_PASS',
    residencyStatus: 'FOREIGNER',
    endDate: '2026-03-31',
  })
  await sg.generate('2026-03')
  expect(codes(await sg.cpf('2026-03'))).toEqual(['DRAFTS'])
  await sg.approve('2026-03')
  const form = await sg.cpf('2026-03')
  expect(form).toMatchObject({ month: '2026-03', submissionNumber: `${uen}PTE01`, problems: [] })
  expect(form.employees.map(({ name, accountNumber, status }) => [name, accountNumber, status])).toEqual([
    ['Ali', '*****567J', 'N'],
    ['Lee', '*****567N', 'L'],
    ['Tan Mei', '*****567D', 'E'],
  ])
  expect(form.employees[2]).toMatchObject({
    ...{ ordinaryWages: 5_000, additionalWages: 0, cpfEmployee: 1_000, cpfEmployer: 850, cpf: 1_850, cdac: 1.5 },
    skillsDevelopmentLevy: 11.25,
  })
  expect(form.totals).toMatchObject({
    ...{ ordinaryWages: 7_609.5, cpf: 2_019, funds: 4.5, foreignWorkerLevy: 650 },
    ...{ skillsDevelopmentLevyOfPayslips: 18.25, skillsDevelopmentLevyRounding: -0.25, skillsDevelopmentLevy: 18 },
    payable: 2_019 + 4.5 + 18,
  })
  const { amy, organizationId } = sg
  const file = await reportFileOf(amy, 'payroll_form_cpf', {
    organizationId,
    month: '2026-03',
    format: 'dtl',
    adviceCode: '02',
  })
  expect(file.fileName).toBe(`${uen}PTE01MAR202602.DTL`)
  const records = file.text.split('\r\n')
  expect(records.pop()).toBe('')
  expect(records.map((record) => record.length)).toEqual(records.map(() => 150))
  expect(records.map((record) => record.slice(1, 2) + record.slice(20, 28))).toEqual([
    expect.any(String), '020260301', '020260302', '020260304', '020260311', '120260301', '120260301', '120260302', '120260304',
    '900000100',
  ]) // biome-ignore format: a list of words
  expect(records.find((record) => record.includes('S1234567D'))).toContain(
    'S1234567D00000018500000005000000000000000ETAN MEI ',
  )
  expect(records.at(-1)?.slice(27, 42)).toBe('000000000204150')
  const csv = await reportFileOf(amy, 'payroll_form_cpf', { organizationId, month: '2026-03', format: 'csv' })
  expect(csv.text).toContain('"S1234567D","Tan Mei","E",5000,0,1000,850,1850,11.25,1.5,0,0,0,0')
  expect(csv.text).toContain(',"Rounding of the Skills Development Levy",,0,0,0,0,0,-0.25,0,0,0,0,0')
})

test('what the CPF Board would reject is listed, and no file is written until it is right', async () => {
  const sg = await company()
  const dana = await sg.hire({ idNumber: 'S1234567D' })
  await sg.generate('2026-03')
  await sg.approve('2026-03')
  const { amy, organizationId } = sg
  const file = (more = {}) =>
    amy.request(operationNamed('payroll_form_cpf'), { organizationId, month: '2026-03', format: 'dtl', ...more })
  expect((await file()).status).toBe(200)
  const wrong = [
    [{ idNumber: null }, 'ID_NUMBER_MISSING'],
    [{ idNumber: 'S1234567A' }, 'ID_NUMBER'],
    [{ idNumber: 'F1234567N' }, 'ID_NUMBER'],
    [{ idNumber: 'S1234567D', name: 'Д'.repeat(5) }, 'NAME'],
    [{ name: 'N'.repeat(67) }, 'NAME'],
  ] as const
  for (const [change, code] of wrong) {
    await amy.call('payroll_employees_update', { id: dana.id, ...change })
    expect(codes(await sg.cpf('2026-03'))).toEqual([code])
    expect(await file()).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining('would reject') } },
    })
  }
  await amy.call('payroll_employees_update', { id: dana.id, name: 'Dana' })
  expect((await file()).status).toBe(200)
  await amy.call('organizations_update', { id: organizationId, registrationNumber: null })
  expect(codes(await sg.cpf('2026-03'))).toEqual(['UEN_MISSING'])
  expect((await file()).status).toBe(400)
})

test('IR8A: salary, bonus, CPF and funds of a year without reimbursements and void payslips, with opening balances, and missing facts', async () => {
  const sg = await company()
  const opening = { year: 2026, amounts: { WAGE: 5_000, CPF_EE: 1_000, CDAC: 1.5 } }
  const dana = await sg.hire({
    raceFund: 'CDAC',
    idNumber: 'S1234567D',
    jobTitle: 'Cook',
    address: '1 Road',
    openingBalances: opening,
  })
  const nobody = await sg.hire({ name: 'Nobody', birthDate: undefined, monthlyWage: 1_000 })
  const runInputs = { additionalWage: 1_000, adjustments: [{ description: 'Taxi', amount: 50, kind: 'REIMBURSEMENT' }] }
  await sg.generate('2026-02', { runInputs })
  await sg.approve('2026-02')
  await sg.generate('2026-03')
  await sg.approve('2026-03')
  await sg.voidPayslip(await payslipIdOf(sg, '2026-03', nobody.id))
  const form = await sg.ir8a(2026)
  expect(form).toMatchObject({ year: 2026, yearOfAssessment: 2027, employerNumber: uen })
  const byName = Object.fromEntries(form.records.map((record) => [record.name, record]))
  expect(byName.Dana).toMatchObject({
    ...{ idNumber: '*****567D', grossSalary: 15_000, bonus: 1_000, income: 16_000, cpf: 3_200, donations: 5 },
    ...{ mosqueBuildingFund: 0, hasOpeningBalances: true, birthDate: '1990-05-17', designation: 'Cook', endDate: null },
  })
  expect(byName.Nobody).toMatchObject({ grossSalary: 1_000, bonus: 1_000, hasOpeningBalances: false })
  expect(form.totals).toMatchObject({ grossSalary: 16_000, bonus: 2_000, income: 18_000 })
  const missing = form.problems.filter(({ employeeId }) => employeeId === nobody.id).map(({ code }) => code)
  expect(missing.sort()).toEqual(['ADDRESS_MISSING', 'BIRTH_DATE_MISSING', 'DESIGNATION_MISSING', 'ID_NUMBER_MISSING'])
  expect(form.problems.filter(({ employeeId }) => employeeId === dana.id).map(({ code }) => code)).toEqual([
    'OPENING_BALANCES',
  ])
  const { amy, organizationId } = sg
  const csv = await reportFileOf(amy, 'payroll_form_ir8a', { organizationId, year: 2026, format: 'csv' })
  expect(csv.text).toContain(
    `2026,"${uen}","S1234567D","Dana","1990-05-17","Cook","1 Road","2025-01-01",,15000,1000,3200,5,0`,
  )
  expect((await sg.ir8a(2025)).records).toEqual([])
})

test('an organization of another country is refused in a sentence', async () => {
  const [sg, us] = [await company(), await payrollOf('US')]
  expect((await sg.ir8a(2026)).records).toEqual([])
  const { organizationId } = us
  await expect(us.amy.call('payroll_form_ir8a', { organizationId, year: 2026 })).rejects.toMatchObject({
    ...{
      status: 400,
      message: expect.stringContaining(
        'Form IR8A is filed in Singapore, and the organization is in the United States.',
      ),
    },
  })
  await expect(us.amy.call('payroll_form_cpf', { organizationId })).rejects.toMatchObject({ status: 400 })
})

test('the forms are the sums of the payslips, whatever is void, corrected or still a draft', async () => {
  const months = ['2026-01', '2026-02', '2026-03', '2026-04']
  await fc.assert(
    fc.asyncProperty(generatedMonths(months), async (happened) => {
      const sg = await company()
      const people = [
        { raceFund: 'CDAC' },
        { raceFund: 'SINDA', mosqueFund: true, monthlyWage: 700 },
        { workPass: 'S_PASS', startDate: '2026-02-10' },
      ]
      const ids: string[] = []
      for (const facts of people) ids.push((await sg.hire({ idNumber: 'S1234567D', ...facts })).id)
      await live(sg, ids, happened)
      for (const month of months) {
        const [form, sums] = [await sg.cpf(month), await summed(sg, [month])]
        expect(form.employees.map(({ employeeId }) => employeeId).sort()).toEqual([...sums.keys()].sort())
        for (const row of form.employees) {
          const own = sums.get(row.employeeId) ?? {}
          expect(cents(row.cpf)).toBe((own.CPF_EE ?? 0) + (own.CPF_ER ?? 0))
          expect([row.cdac, row.mbmf, row.sinda, row.foreignWorkerLevy].map(cents)).toEqual([
            own.CDAC ?? 0,
            own.MBMF ?? 0,
            own.SINDA ?? 0,
            own.FWL ?? 0,
          ])
        }
        const { totals } = form
        expect(cents(totals.skillsDevelopmentLevy - totals.skillsDevelopmentLevyRounding)).toBe(totalOf(sums, 'SDL'))
        expect(cents(totals.skillsDevelopmentLevy) % 100).toBe(0)
        expect(cents(totals.payable)).toBe(
          totalOf(sums, 'CPF_EE', 'CPF_ER', 'CDAC', 'MBMF', 'SINDA') + cents(totals.skillsDevelopmentLevy),
        )
      }
      const [year, sums] = [await sg.ir8a(2026), await summed(sg, months)]
      expect(cents(year.totals.cpf)).toBe(totalOf(sums, 'CPF_EE'))
      expect(cents(year.totals.donations)).toBe(totalOf(sums, 'CDAC', 'SINDA'))
      expect(cents(year.totals.mosqueBuildingFund)).toBe(totalOf(sums, 'MBMF'))
      const wages = (await Promise.all(months.map((month) => sg.cpf(month)))).map(({ totals }) => totals)
      expect(cents(year.totals.income)).toBe(
        wages.reduce((sum, each) => sum + cents(each.ordinaryWages) + cents(each.additionalWages), 0),
      )
    }),
    { numRuns: 8 },
  )
}, 120_000)
