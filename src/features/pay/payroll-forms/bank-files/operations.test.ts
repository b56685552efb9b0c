import { expect, test } from 'vitest'
import { recordsOf } from '../../../../test/payroll/bank-file.ts'
import { type Payroll, payrollOf, payslipIdOf } from '../../../../test/payroll/company.ts'
import { reportFileOf } from '../../../../test/report-file.ts'
import { expectSoundBooks } from '../../../../test/violations.ts'

const month = '2026-03'
const bankDetails = { bankCode: '7171', branchCode: '005', accountNumber: '0052312891' }

const fileOf = ({ amy, organizationId }: Payroll, more: Record<string, unknown> = {}) =>
  reportFileOf(amy, 'payroll_bank_file', { organizationId, month, ...more })

const checklistOf = ({ amy, organizationId }: Payroll, more: Record<string, unknown> = {}) =>
  amy.call('payroll_bank_file', { organizationId, month, answer: 'checklist', ...more })

/** The default bank account of the company. */
const openAccount = ({ amy, organizationId }: Payroll, more: Record<string, unknown> = {}) =>
  amy.call('bank_accounts_create', {
    ...{ organizationId, accountName: 'Main', bankName: 'First Bank', accountNumber: '0012345678', isDefault: true },
    ...more,
  })

/** Amounts of a GIRO file by the names of the payees. */
const amountsOf = (text: string) =>
  Object.fromEntries(
    recordsOf(text)
      .slice(1)
      .map((line) => [line.split(',')[0], Number(line.split(',')[6])]),
  )

async function twoInSingapore() {
  const sg = await payrollOf('SG')
  await openAccount(sg)
  const dana = await sg.hire({ name: 'Dana', bankDetails })
  const raj = await sg.hire({ name: 'Raj', bankDetails: { ...bankDetails, accountNumber: '77' } })
  await sg.generate(month)
  return { sg, dana, raj }
}

test('the file has what is outstanding of approved payslips: after advances, without claims, and nothing that is paid', async () => {
  const { sg, dana, raj } = await twoInSingapore()
  await expect(fileOf(sg)).rejects.toThrow(/NOTHING_OPEN|outstanding/)
  const [danas, rajs] = [await payslipIdOf(sg, month, dana.id), await payslipIdOf(sg, month, raj.id)]
  await sg.advance(dana.id, 500)
  await sg.apply(danas)
  await sg.approve(month)
  const claim = { amount: 80, currency: 'SGD', date: '2026-03-12', description: 'Taxi', claimantId: raj.id }
  const { id } = await sg.amy.call('expenses_create', { organizationId: sg.organizationId, ...claim })
  await sg.amy.call('expenses_status', { id, status: 'APPROVED' })
  const { fileName, type, text } = await fileOf(sg, { paidOn: '2026-04-07' })
  expect({ fileName, type }).toMatchObject({ fileName: 'giro-2026-03.csv', type: expect.stringContaining('text/csv') })
  expect(amountsOf(text)).toEqual({ Dana: 3_500, Raj: 4_000 })
  expect(text).toContain(',2026-04-07,SALA,SALARY202603,0012345678')
  expect(await checklistOf(sg)).toMatchObject({
    ...{ month, format: 'giro', currency: 'SGD', problems: [], totals: { count: 2, amount: 7_500 } },
    payees: [
      { employeeId: dana.id, name: 'Dana', amount: 3_500 },
      { name: 'Raj', amount: 4_000 },
    ],
  })
  await sg.pay(rajs, 'NET')
  expect(amountsOf((await fileOf(sg)).text)).toEqual({ Dana: 3_500 })
  expect((await sg.payments(month)).payments.map(({ source }) => source).sort()).toEqual(['ADVANCE', 'NET'])
  await expectSoundBooks()
})

test('money of a voided payslip is not paid again: the file has what payroll_pay would pay', async () => {
  const { sg, dana, raj } = await twoInSingapore()
  await sg.approve(month)
  for (const { id } of [dana, raj]) {
    const payslipId = await payslipIdOf(sg, month, id)
    await sg.pay(payslipId, 'NET')
    await sg.voidPayslip(payslipId)
  }
  await sg.generate(month, { employeeIds: [dana.id], runInputs: { additionalWage: 1_000 } })
  await sg.generate(month)
  await sg.approve(month)
  const { text } = await fileOf(sg)
  expect(Object.keys(amountsOf(text))).toEqual(['Dana']) // nothing is left to pay to Raj
  await sg.pay(await payslipIdOf(sg, month, dana.id), 'NET')
  const { payments } = await sg.payments(month)
  expect(payments.map(({ amount }) => amount)).toContain(amountsOf(text).Dana)
})

test('missing bank details are refused for each employee and field, and a request for another layout', async () => {
  const { sg, dana } = await twoInSingapore()
  await sg.approve(month)
  const { fileName } = await fileOf(sg, { format: 'dbs-uff', companyNumber: 'SGACME01' })
  expect(fileName).toBe('dbs-uff-2026-03.txt')
  await sg.amy.call('payroll_employees_update', { id: dana.id, bankDetails: { accountNumber: 'none' } })
  const asked = { organizationId: sg.organizationId, month }
  await expect(sg.amy.call('payroll_bank_file', asked)).rejects.toMatchObject({
    ...{ status: 409 },
    details: [
      { path: `employees.${dana.id}.bankCode`, message: 'Dana: The code of the bank is missing.' },
      { path: `employees.${dana.id}.accountNumber` },
    ],
  })
  const { problems, totals } = await checklistOf(sg)
  expect(problems.map(({ employeeName, field }) => `${employeeName} ${field}`)).toEqual([
    'Dana bankCode',
    'Dana accountNumber',
  ])
  expect(totals.count).toBe(2)
  await expect(sg.amy.call('payroll_bank_file', { ...asked, format: 'masav' })).rejects.toMatchObject({
    ...{ status: 400, details: [{ path: 'format' }] },
  })
  await expect(sg.amy.call('payroll_bank_file', { ...asked, month: '2026-13' })).rejects.toMatchObject({ status: 400 })
})

test('Israel: a Masav file in Hebrew, and a refusal that names the numbers that Masav issues', async () => {
  const il = await payrollOf('IL')
  const numbers = { institutionNumber: '12345678', senderNumber: '54321', paidOn: '2026-06-09' }
  await il.hire({
    name: 'נועה לוי',
    monthlyWage: 20_000,
    bankDetails: { iban: 'IL620108000000099999999' },
    idNumber: '123456782',
  })
  await il.generate('2026-05')
  await il.approve('2026-05')
  const { fileName, text } = await fileOf(il, { month: '2026-05', ...numbers })
  expect(fileName).toBe('masav-2026-05.txt')
  const [, detail, total] = recordsOf(text)
  // נועה לוי from its last letter: י ו ל, space, ה ע ו נ
  expect(detail?.slice(17)).toBe(
    `1080000000999999990123456782        IEL DREP0000001453069${'0'.repeat(11)}12345678226052605000006${'0'.repeat(18)}  `,
  )
  expect(total?.slice(21, 36)).toBe('000000001453069')
  const asked = { organizationId: il.organizationId, month: '2026-05' }
  await expect(il.amy.call('payroll_bank_file', asked)).rejects.toMatchObject({
    ...{ status: 400, details: [{ path: 'institutionNumber' }, { path: 'senderNumber' }] },
  })
})

test('the United States: a Nacha file from the default bank account, or from the one that is named', async () => {
  const us = await payrollOf('US')
  const { amy, organizationId } = us
  await us.hire({
    ...{ name: 'Bob', filingStatus: 'SINGLE', state: 'TX', startDate: '2026-01-01' },
    bankDetails: { routingNumber: '111000025', accountNumber: '4417', accountType: 'SAVINGS' },
  })
  await us.generate('2026-01')
  await us.approve('2026-01')
  const given = { month: '2026-01', companyNumber: '1123456789', immediateOrigin: '1123456789' }
  await expect(amy.call('payroll_bank_file', { organizationId, ...given })).rejects.toMatchObject({
    ...{ status: 400, details: [{ path: 'bankAccountId' }] },
  })
  await openAccount(us, { routingNumber: '021000021' })
  const { fileName, text } = await fileOf(us, given)
  expect(fileName).toBe('nacha-2026-01.txt')
  expect(recordsOf(text)[2]).toMatch(/^6321110000254417 {13}0000419917/)
  const other = await openAccount(us, { routingNumber: '121000358', isDefault: false })
  const named = await fileOf(us, { ...given, bankAccountId: other.id })
  expect(recordsOf(named.text)[2]).toMatch(/121000350000001$/)
  const unknown = { organizationId, ...given, bankAccountId: organizationId }
  await expect(amy.call('payroll_bank_file', unknown)).rejects.toMatchObject({ status: 400 })
})
