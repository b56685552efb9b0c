import { expect, test } from 'vitest'
import { payrollOf } from '../../../../test/payroll/company.ts'
import { expectSoundBooks } from '../../../../test/violations.ts'
import { member, operationNamed, type Someone, withKey } from '../../../../test/world.ts'

const input = (someone: Someone, content: string) => ({
  organizationId: String(someone.organizationId),
  kind: 'EMPLOYEES' as const,
  file: { fileName: 'staff.csv', base64: Buffer.from(content).toString('base64') },
})
const load = (someone: Someone, content: string) => someone.call('organizations_import_create', input(someone, content))
const look = (someone: Someone, content: string) =>
  someone.call('organizations_import_preview', input(someone, content))
const listed = async (amy: Someone) => (await amy.call('payroll_employees_list', { limit: 100 })).employees
const counts = (created: number, updated: number, unchanged: number) => ({ created, updated, unchanged })

const staff = `Name,Start date,Monthly wage,Employee number,NRIC,Job title,E-mail,Birth date,Residency status,Race fund,Mosque fund,Levy,Bank name,Bank code,Account number,Payslip language
Tan Mei,2025-01-01,"5,000.00",E1,S1234567D,Cook,mei@x.test,1990-05-17,citizen,CDAC,no,,DBS,7171,0123456,english
Lee,2026-03-10,2000,,F1234567N,,,1985-01-02,foreigner,,,300.50,,,,
`

test('employees are imported with bank details and facts, paid like others, and the same file again changes nothing', async () => {
  const sg = await payrollOf('SG')
  const { amy } = sg
  expect(await look(amy, staff)).toMatchObject({
    counts: { ...counts(2, 0, 0), wrong: 0 },
    missingFields: [],
    errors: [],
  })
  expect(await listed(amy)).toEqual([])
  expect((await load(amy, staff)).counts).toEqual(counts(2, 0, 0))
  const [lee, mei] = await listed(amy)
  expect(mei).toMatchObject({
    ...{ name: 'Tan Mei', startDate: '2025-01-01', monthlyWage: 5_000, employeeNumber: 'E1', idNumber: 'S1234567D' },
    ...{ jobTitle: 'Cook', email: 'mei@x.test', birthDate: '1990-05-17', residencyStatus: 'CITIZEN', raceFund: 'CDAC' },
    ...{ mosqueFund: false, payslipLanguage: 'en', currency: 'SGD' },
    bankDetails: { bankName: 'DBS', bankCode: '7171', accountNumber: '0123456', iban: null },
    terms: [{ since: '2025-01-01', monthlyWage: 5_000 }],
  })
  expect(lee).toMatchObject({ name: 'Lee', levy: 300.5, bankDetails: null, employeeNumber: null })
  expect((await load(amy, staff)).counts).toEqual(counts(0, 0, 2))
  expect(await sg.generate('2026-03')).toEqual({ generated: 2, errors: [] })
  await expectSoundBooks()
})

test('an employee is recognised by employee number, else by identity number, else by name and first day; empty cells leave what is stored', async () => {
  const { amy } = await payrollOf('SG')
  await load(amy, staff)
  const header = 'name,start date,monthly wage,employee number,id number,account number,phone\n'
  const change = `${header}Tan Mei Lin,2025-01-01,5500,E1,,999,1\nLee,2026-03-10,2000,E2,F1234567N,,2\n`
  expect((await look(amy, change)).rows.map(({ result }) => result)).toEqual(['UPDATE', 'UPDATE'])
  expect((await load(amy, change)).counts).toEqual(counts(0, 2, 0))
  const trail = JSON.stringify(await amy.call('organizations_audit', { organizationId: String(amy.organizationId) }))
  expect(trail).toContain('"paymentDetailsChanged":1')
  expect(trail).not.toContain('S1234567D')
  const [lee, mei] = await listed(amy)
  expect(lee).toMatchObject({ name: 'Lee', employeeNumber: 'E2', phone: '2', levy: 300.5, monthlyWage: 2_000 })
  expect(mei).toMatchObject({
    name: 'Tan Mei Lin',
    phone: '1',
    monthlyWage: 5_500,
    raceFund: 'CDAC',
    idNumber: 'S1234567D',
  })
  expect(mei?.bankDetails).toMatchObject({ bankName: 'DBS', accountNumber: '999' })
  expect(mei?.terms.map(({ monthlyWage }) => monthlyWage)).toEqual([5_000, 5_500])
  expect((await load(amy, `${header}Lee,2026-03-10,2000,E3,,,\n`)).counts).toEqual(counts(1, 0, 0)) // another number
})

test('what is wrong with a row is said with its row and column, and nothing is imported', async () => {
  const { amy } = await payrollOf('US')
  const header = 'name,start date,monthly wage,end date,filing status,state,position percent\n'
  const right = 'Ann,2026-01-01,4000,,single,NY,100\n'
  expect((await look(amy, header + right)).errorCount).toBe(0)
  const cases = [
    ['Bob,2026-02-01,4000,2026-01-31,,,', 'endDate'],
    ['Bob,2026-02-01,4000.005,,,,', 'monthlyWage'],
    ['Bob,2026-02-01,-1,,,,', 'monthlyWage'],
    ['Bob,soon,4000,,,,', 'startDate'],
    ['Bob,2026-02-01,4000,,divorced,,', 'filingStatus'],
    ['Bob,2026-02-01,4000,,,N1,', 'state'],
    ['Bob,2026-02-01,4000,,,,0', 'positionPercent'],
    [',2026-02-01,4000,,,,', 'name'],
    ['Ann,2026-01-01,1,,,,', 'name'], // the same as row 2
  ] as const
  for (const [row, field] of cases) {
    const seen = await look(amy, `${header}${right}${row}\n`)
    expect([row, seen.errors[0]?.row, seen.errors[0]?.field]).toEqual([row, 3, field])
    expect(seen.errorCount).toBe(1)
    const refused = await amy.request(
      operationNamed('organizations_import_create'),
      input(amy, `${header}${right}${row}\n`),
    )
    expect(refused.status).toBe(400)
  }
  expect(await listed(amy)).toEqual([])
})

test('importing employees needs payroll:write and payroll:read; the import is seen with payroll:read by a CONTRIBUTOR', async () => {
  const { amy, organizationId } = await payrollOf('SG')
  const refused = async (scopes: string[]) =>
    (await (await withKey(amy, scopes)).request(operationNamed('organizations_import_create'), input(amy, staff)))
      .status
  expect(await refused(['organizations:*', 'customers:*', 'payroll:read'])).toBe(403)
  expect(await refused(['organizations:*', 'payroll:write'])).toBe(403)
  expect(await refused(['organizations:*', 'payroll:*'])).toBe(201)
  const { imports } = await amy.call('organizations_imports', { organizationId })
  const id = String(imports[0]?.id)
  const seenBy = async (someone: Someone) => {
    const one = await someone.request(operationNamed('organizations_import'), { id })
    const all = await someone.call('organizations_imports', { organizationId })
    return [one.status, all.imports.length, all.pagination.total]
  }
  expect(await seenBy(amy)).toEqual([200, 1, 1])
  expect(await seenBy(await withKey(amy, ['organizations:read', 'payroll:read']))).toEqual([200, 1, 1])
  expect(await seenBy(await withKey(amy, ['organizations:read', 'payroll:write']))).toEqual([404, 0, 0])
  expect(await seenBy(await member('CONTRIBUTOR', { of: amy }))).toEqual([200, 1, 1])
  expect(await seenBy(await member('VIEWER', { of: amy }))).toEqual([404, 0, 0])
  expect((await amy.call('organizations_imports')).imports).toEqual([])
})
