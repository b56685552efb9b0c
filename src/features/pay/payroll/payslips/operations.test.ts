import { expect, test } from 'vitest'
import { hire, payrollOf, payslipIdOf } from '../../../../test/payroll/company.ts'
import { member } from '../../../../test/world.ts'

const opening = { year: 2026, amounts: { WAGE: 10_000, CPF_EE: 2_000, CPF_ER: 1_700 }, vacationDays: 4.1, sickDays: 3 }

test('a payslip has its lines with steps, what is outstanding, the sums of the year and the balances of leave', async () => {
  const sg = await payrollOf('SG')
  const dana = await sg.hire({ openingBalances: opening, startDate: '2025-01-01', employeeNumber: '7' })
  const work = { workedDays: 20, vacationAccrued: 1.2, vacationUsed: 0.5, sickUsed: 1 }
  const overtime = { adjustments: [{ description: 'Overtime', amount: 100 }], work }
  await sg.generate('2026-02', { runInputs: overtime })
  await sg.approve('2026-02')
  await sg.generate('2026-03', { runInputs: { ...overtime, additionalWage: 1_000 } })
  const id = await payslipIdOf(sg, '2026-03', dana.id)
  await sg.advance(dana.id, 300)
  await sg.apply(id, { consent: { affirmed: true, at: '2026-03-20' } })
  await sg.approve('2026-03')
  await sg.pay(id, 'STATUTORY')
  const payslip = await sg.amy.call('payroll_payslips_get', { id })
  expect(payslip).toMatchObject({
    ...{ id, counterpartyId: dana.id, employeeName: 'Dana', month: '2026-03', status: 'APPROVED', currency: 'SGD' },
    ...{ periodStart: '2026-03-01', periodEnd: '2026-03-31', gross: 6_100, net: 4_880, deductions: 1_220 },
    ...{ netOutstanding: 4_580, monthlyWage: 5_000, isFinalPayslip: false, work },
    employee: { id: dana.id, name: 'Dana', employeeNumber: '7', startDate: '2025-01-01' },
    vacation: { carriedOver: 4.8, accrued: 1.2, used: 0.5, balance: 5.5 },
    sickLeave: { carriedOver: 2, accrued: 0, used: 1, balance: 1 },
    advances: [{ paidAt: '2026-03-10', amount: 300 }],
    payments: [{ source: 'STATUTORY', paidAt: '2026-03-31' }],
    consents: [{ affirmed: true, at: '2026-03-20T00:00:00.000Z', applied: 300 }],
    attachments: [],
  })
  expect(payslip.tables).toContain('SG CPF 2026-01-01')
  const line = (code: string) => payslip.lines.find((each) => each.code === code)
  expect(line('WAGE')).toMatchObject({ kind: 'EARNING', amount: 5_000, yearToDate: 20_000 })
  expect(line('ADJUSTMENT')).toMatchObject({ description: 'Overtime', amount: 100, yearToDate: 200 })
  expect(line('CPF_EE')).toMatchObject({ kind: 'DEDUCTION', amount: 1_220, yearToDate: 2_000 + 1_020 + 1_220 })
  expect(line('CPF_EE')?.steps[0]).toMatchObject({ rule: expect.any(String), amount: expect.any(Number) })
  const cpf = payslip.schemes.find(({ code }) => code === 'CPF_EE')
  expect(cpf).toEqual({ code: 'CPF_EE', label: 'CPF, employee', amount: 1_220, paid: 1_220, outstanding: 0 })
  const { gross, deductions, net } = payslip.yearToDate
  expect({ gross, deductions, net }).toEqual({ gross: 21_200, deductions: 4_240, net: 16_960 })
})

test('the sums of the year leave void payslips and other years out', async () => {
  const sg = await payrollOf('SG')
  const dana = await sg.hire({})
  for (const month of ['2025-12', '2026-01', '2026-02', '2026-03']) {
    await sg.generate(month)
    await sg.approve(month)
  }
  const id = await payslipIdOf(sg, '2026-03', dana.id)
  const gross = async () => (await sg.amy.call('payroll_payslips_get', { id })).yearToDate.gross
  expect(await gross()).toBe(15_000)
  const february = await payslipIdOf(sg, '2026-02', dana.id)
  await sg.voidPayslip(february)
  expect(await gross()).toBe(10_000)
  const voided = await sg.amy.call('payroll_payslips_get', { id: february })
  expect(voided).toMatchObject({ status: 'VOID', voidedAt: expect.any(String), yearToDate: { gross: 10_000 } })
})

test('payslips are listed by month, employee and status, the latest month first', async () => {
  const sg = await payrollOf('SG')
  const { organizationId } = sg
  const dana = await sg.hire({})
  const bob = await hire(sg.amy, { name: 'Bob' })
  await sg.generate('2026-01')
  await sg.approve('2026-01')
  await sg.generate('2026-02')
  const found = async (query: Record<string, unknown>) => {
    const { payslips, pagination } = await sg.amy.call('payroll_payslips_list', { organizationId, ...query })
    expect(pagination.total).toBe(payslips.length)
    return payslips.map(({ month, employeeName, status }) => `${month} ${employeeName} ${status}`).sort()
  }
  expect(await found({ employeeId: dana.id })).toEqual(['2026-01 Dana APPROVED', '2026-02 Dana DRAFT'])
  expect(await found({ month: '2026-01' })).toEqual(['2026-01 Bob APPROVED', '2026-01 Dana APPROVED'])
  expect(await found({ status: 'DRAFT', employeeId: bob.id })).toEqual(['2026-02 Bob DRAFT'])
  const { payslips } = await sg.amy.call('payroll_payslips_list', { organizationId })
  expect(payslips.map(({ month }) => month)).toEqual(['2026-02', '2026-02', '2026-01', '2026-01'])
  await expect(found({ month: '2026-13' })).rejects.toMatchObject({ status: 400 })
})

test('a viewer reads no payslip', async () => {
  const sg = await payrollOf('SG')
  const dana = await sg.hire({})
  await sg.generate('2026-01')
  const id = await payslipIdOf(sg, '2026-01', dana.id)
  expect(await sg.amy.call('payroll_payslips_get', { id })).toMatchObject({ gross: 5_000 })
  const viewer = await member('VIEWER', { of: sg.amy })
  await expect(viewer.call('payroll_payslips_get', { id })).rejects.toMatchObject({ status: 403 })
})
