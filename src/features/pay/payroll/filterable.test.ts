import { expect, test } from 'vitest'
import { preview, take, where } from '../../../test/automations/filters.ts'
import { payrollOf } from '../../../test/payroll/company.ts'
import { member, withKey } from '../../../test/world.ts'

const employees = { root: 'Employee', extract: take('Employee.name', 'Employee.monthlyWage', 'Employee.isEmployed') }
const payslips = {
  root: 'Payslip',
  predicates: [where('Payslip', 'status', 'eq', 'APPROVED')],
  extract: take('Payslip.employeeName', 'Payslip.gross', 'Payslip.net', 'Payslip.month'),
}

async function company() {
  const sg = await payrollOf('SG')
  await sg.hire()
  const eli = await sg.hire({ name: 'Eli', monthlyWage: 3_000, endDate: '2026-03-31' })
  await sg.amy.call('payroll_employees_update', { id: eli.id, monthlyWage: 3_500, effectiveFrom: '2099-01-01' })
  await sg.generate('2026-03')
  await sg.approve('2026-03')
  await sg.generate('2026-04')
  return sg
}

test('filters read employees with the wage of today, and payslips, in both directions', async () => {
  const { amy } = await company()
  expect(await preview(amy, employees)).toEqual({
    count: 2,
    sample: [
      { name: 'Dana', monthlyWage: 5_000, isEmployed: true },
      { name: 'Eli', monthlyWage: 3_000, isEmployed: false },
    ],
  })
  const found = await preview(amy, payslips)
  expect(found.count).toBe(2)
  expect(found.sample).toContainEqual({ employeeName: 'Dana', gross: 5_000, net: 4_000, month: '2026-03-01' })
  const ofEmployees = {
    root: 'Employee',
    follows: [{ from: 'Employee', name: 'payslips' }],
    predicates: [where('Payslip', 'status', 'eq', 'DRAFT')],
    extract: take('Employee.name'),
  }
  expect(await preview(amy, ofEmployees)).toEqual({ count: 1, sample: [{ name: 'Dana' }] })
  const ofPayslips = {
    ...payslips,
    follows: [{ from: 'Payslip', name: 'employee' }],
    extract: take('Employee.startDate'),
  }
  expect(await preview(amy, ofPayslips)).toMatchObject({ count: 2, sample: [{ startDate: '2025-01-01' }, {}] })
})

test('without the scope payroll:read a filter finds nothing and says so; a VIEWER is refused', async () => {
  const { amy } = await company()
  const others = ['automations:read', 'customers:read', 'invoices:read', 'payroll:write']
  for (const spec of [employees, payslips]) {
    expect(await preview(await withKey(amy, ['automations:read', 'payroll:read']), spec)).toMatchObject({ count: 2 })
    expect(await preview(await withKey(amy, others), spec)).toEqual({
      count: 0,
      sample: [],
      warnings: [{ code: 'MISSING_SCOPE', path: 'spec.root', message: expect.stringContaining('payroll:read') }],
    })
    expect(await preview(await member('CONTRIBUTOR', { of: amy }), spec)).toMatchObject({ count: 2 })
    await expect(preview(await member('VIEWER', { of: amy }), spec)).rejects.toMatchObject({ status: 403 })
  }
})
