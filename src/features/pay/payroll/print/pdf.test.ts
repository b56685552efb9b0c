import { expect, test, vi } from 'vitest'
import { payrollOf, payslipIdOf } from '../../../../test/payroll/company.ts'
import { printedPayslip } from '../../../../test/payroll/printed.ts'
import { readPdf } from '../../../../test/readers/pdf-objects.ts'
import { textOf } from '../../../../test/readers/text-of-pdf.ts'
import { member } from '../../../../test/world.ts'

vi.setConfig({ testTimeout: 120_000 }) // the first document of a thread compiles Typst

const work = {
  ...{ workedDays: 20, workedHours: 168.5, overtimeHours: 6, vacationAccrued: 1, vacationUsed: 2.5 },
  ...{ sickAccrued: 1.5, sickUsed: 1 },
}

/** Noa in Israel, with opening balances and the payslips of two months; that of May is a draft. */
async function israel(more: Record<string, unknown> = {}) {
  const il = await payrollOf('IL')
  const noa = await il.hire({
    ...{ name: 'Noa Levi', monthlyWage: 20_000, idNumber: '123456782', jobTitle: 'Developer', startDate: '2024-11-01' },
    ...{ studyFundRate: 2.5, studyFundEmployerRate: 7.5, positionPercent: 90 },
    bankDetails: { bankName: 'Hapoalim', bankCode: '12', branchCode: '600', accountNumber: '123456' },
    openingBalances: { year: 2026, amounts: { WAGE: 60_000, INCOME_TAX: 9_000 }, vacationDays: 7.5, sickDays: 12 },
    ...more,
  })
  await il.generate('2026-04', { runInputs: { work } })
  await il.approve('2026-04')
  await il.generate('2026-05', {
    runInputs: { work, adjustments: [{ description: 'Travel', amount: 226, kind: 'REIMBURSEMENT' }] },
  })
  return { il, noa, id: await payslipIdOf(il, '2026-05', noa.id) }
}

const expectParts = (text: string, parts: readonly string[]) => {
  for (const part of parts) expect(text).toContain(part)
}

test('a payslip of Israel has all that the law demands', async () => {
  const { il, noa, id } = await israel()
  await il.advance(noa.id, 1_500, '2026-05-10')
  await il.apply(id)
  await il.approve('2026-05')
  await il.pay(id, 'NET', { paidAt: '2026-06-08', method: 'BANK_TRANSFER' })
  const { status, headers, bytes } = await printedPayslip(il.amy, id, '?language=en')
  expect(status).toBe(200)
  expect(headers['content-type']).toBe('application/pdf')
  expect(headers['content-disposition']).toContain('Payslip 2026-05 Noa Levi.pdf')
  const text = await textOf(bytes)
  expectParts(text, ['Acme', 'Noa Levi', 'Developer', 'ID no. 123456782', 'May 2026', '01/05/2026', '31/05/2026'])
  expectParts(text, ['01/11/2024', '1 year, 7 months', '90%', '20,000.00', 'Travel', '226.00', '20,226.00'])
  // worked and possible, overtime, leave, the hourly rate for 90 percent of 182 hours
  expectParts(text, [
    'Days 20 21',
    'Hours 168.5 163.8',
    'Overtime hours 6',
    'Vacation 6 1 2.5 4.5',
    'Sick leave 12.5 1.5 1 13',
  ])
  expectParts(text, ['Hourly rate 122.10', 'Minimum wage, month 6,443.85', 'Minimum wage, hour 35.40'])
  expectParts(text, ['Gross for income tax 20,000.00', 'Gross for National Insurance', 'Gross for pension'])
  expectParts(text, [
    'Income tax',
    'National Insurance, employee',
    'Health insurance',
    'Pension, employee',
    'Study fund, employee',
  ])
  expectParts(text, ['National Insurance, employer', 'Pension, employer', 'Severance', 'Study fund, employer'])
  expectParts(text, ['Year to date', '100,000.00', 'Advance of 10/05/2026 -1,500.00', 'Paid to you'])
  expectParts(text, ['Paid on 08/06/2026', 'Bank transfer', 'Hapoalim', '12-600-123456', 'IL income tax 2026-01-01'])
  expect(text).not.toContain('DRAFT')
})

test('in Israel a payslip is in Hebrew from right to left unless the employee or the caller wants another language', async () => {
  const { il, id } = await israel()
  const own = (await printedPayslip(il.amy, id)).bytes
  expect(readPdf(own).at('Root', 'Lang')?.toString()).toBe('he')
  const hebrew = await textOf(own)
  expectParts(hebrew, ['תלוש', 'מאי', 'הכנסה', 'פיצויים', 'נטו', 'טיוטה'])
  expect(hebrew).not.toContain('Net pay')
  expectParts(await textOf((await printedPayslip(il.amy, id, '?language=both')).bytes), [
    'פיצויים',
    'Net pay',
    'Severance',
  ])
  expect((await printedPayslip(il.amy, id, '?language=fr')).status).toBe(400)
  const english = await israel({ payslipLanguage: 'en' })
  const { bytes } = await printedPayslip(english.il.amy, english.id)
  expect(readPdf(bytes).at('Root', 'Lang')?.toString()).toBe('en')
})

test('a payslip of Singapore has the twelve items', async () => {
  const sg = await payrollOf('SG')
  const dana = await sg.hire({ name: 'Dana Tan', monthlyWage: 6_000, raceFund: 'CDAC' })
  const adjustments = [
    { description: 'Overtime', amount: 210 },
    { description: 'Transport allowance', amount: 80 },
  ]
  await sg.generate('2026-03', { runInputs: { work, additionalWage: 2_000, adjustments } })
  await sg.approve('2026-03')
  const id = await payslipIdOf(sg, '2026-03', dana.id)
  await sg.pay(id, 'NET', { paidAt: '2026-04-02' })
  const text = await textOf((await printedPayslip(sg.amy, id)).bytes)
  expectParts(text, ['Acme', 'Dana Tan', 'Paid on 02/04/2026', 'Wage 6,000.00', '01/03/2026 – 31/03/2026'])
  expectParts(text, ['Transport allowance 80.00', 'Additional wage 2,000.00', 'CPF, employee', 'CDAC 3.00'])
  expectParts(text, ['Overtime hours 6', 'Overtime 210.00', 'Net pay', 'CPF, employer', 'Skills Development Levy'])
})

test('a pay statement of the United States has current amounts and those of the year, and four digits of the social security number', async () => {
  const us = await payrollOf('US')
  const bob = await us.hire({
    ...{ name: 'Bob Miller', monthlyWage: 5_000, filingStatus: 'SINGLE', state: 'TX', startDate: '2026-01-01' },
    ...{ idNumber: '123-45-6789', address: '12 Main Street\nAustin, TX 78701' },
    bankDetails: { bankName: 'First Bank', routingNumber: '021000021', accountNumber: '000123456789' },
  })
  await us.generate('2026-01', { runInputs: { additionalWage: 1_000 } })
  await us.approve('2026-01')
  await us.generate('2026-02', { runInputs: { work } })
  await us.approve('2026-02')
  const { bytes } = await printedPayslip(us.amy, await payslipIdOf(us, '2026-02', bob.id))
  const text = await textOf(bytes)
  expectParts(text, ['Pay Statement', 'February 2026', 'Bob Miller', 'Austin, TX 78701', 'SSN •••• 6789', '•••• 6789'])
  expectParts(text, ['02/01/2026 – 02/28/2026', 'Wage 5,000.00 10,000.00', 'Additional wage 0.00 1,000.00'])
  expectParts(text, [
    'Gross pay 5,000.00 11,000.00',
    'Social Security 5,000.00 6.2% 310.00 682.00',
    'Federal income tax',
  ])
  expectParts(text, ['Hours 168.5', 'Sick leave 0 1.5 1 0.5', 'Social Security wages 5,000.00'])
  for (const hidden of ['123-45', '12345', '123456789']) expect(text).not.toContain(hidden)
})

test('printing a payslip twice gives identical bytes; a draft and a void payslip are marked', async () => {
  const sg = await payrollOf('SG')
  const dana = await sg.hire({})
  await sg.generate('2026-03')
  const id = await payslipIdOf(sg, '2026-03', dana.id)
  const text = async () => textOf((await printedPayslip(sg.amy, id)).bytes)
  expect(await text()).toContain('DRAFT')
  await sg.approve('2026-03')
  const [first, second] = [await printedPayslip(sg.amy, id), await printedPayslip(sg.amy, id)]
  expect(first.bytes.equals(second.bytes)).toBe(true)
  await sg.voidPayslip(id)
  expect(await text()).toContain('VOID')
})

test('an employee prints their own approved payslips and no others', async () => {
  const sg = await payrollOf('SG')
  const user = await member('EMPLOYEE', { of: sg.amy })
  const dana = await sg.hire({ userId: user.userId })
  const bob = await sg.hire({ name: 'Bob' })
  await sg.generate('2026-03')
  const [own, other] = [await payslipIdOf(sg, '2026-03', dana.id), await payslipIdOf(sg, '2026-03', bob.id)]
  const printed = async (id: string) => (await printedPayslip(user, id, '', '/api/hr/me/payslips')).status
  expect(await printed(own)).toBe(404) // a draft
  await sg.approve('2026-03')
  expect(await printed(own)).toBe(200)
  expect(await printed(other)).toBe(404)
  expect((await printedPayslip(user, own)).status).toBe(403)
  await sg.voidPayslip(own)
  expect(await printed(own)).toBe(404)
})

test('corrections, wages of a part of the month and a final payslip are printed', async () => {
  const il = await payrollOf('IL')
  const noa = await il.hire({ name: 'Noa', monthlyWage: 10_000, payslipLanguage: 'he' })
  await il.generate('2026-04')
  await il.approve('2026-04')
  await il.amy.call('payroll_employees_update', { id: noa.id, monthlyWage: 11_000, effectiveFrom: '2026-04-01' })
  await il.amy.call('payroll_employees_update', { id: noa.id, monthlyWage: 12_000, effectiveFrom: '2026-05-16' })
  await il.amy.call('payroll_employees_update', { id: noa.id, endDate: '2026-05-31' })
  await il.generate('2026-05')
  const id = await payslipIdOf(il, '2026-05', noa.id)
  const text = await textOf((await printedPayslip(il.amy, id, '?language=en')).bytes)
  expectParts(text, [
    'Final payslip',
    'Wage 01.05 – 15.05',
    'Wage 16.05 – 31.05',
    'Wage: difference for 04/2026 1,000.00',
  ])
  expectParts(await textOf((await printedPayslip(il.amy, id)).bytes), ['אחרון', 'הפרש', '04/2026'])
})
