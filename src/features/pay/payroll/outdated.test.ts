import { expect, test } from 'vitest'
import { payrollOf, payslipIdOf, rowOf } from '../../../test/payroll/company.ts'
import { expectSoundBooks } from '../../../test/violations.ts'

const changes: [string, Record<string, unknown>, Record<string, unknown>][] = [
  ['the last day', { endDate: '2026-03-15' }, { isFinalPayslip: true, gross: 2_272.73 }],
  ['a last day at the end of the month', { endDate: '2026-03-31' }, { isFinalPayslip: true, gross: 5_000 }],
  ['the first day', { startDate: '2026-03-16' }, { isFinalPayslip: false, gross: 2_727.27 }],
  ['the wage', { monthlyWage: 6_000, effectiveFrom: '2026-03-01' }, { gross: 6_000 }],
  ['a fact', { raceFund: 'CDAC', effectiveFrom: '2026-03-01' }, { gross: 5_000 }],
] // biome-ignore format: a table

test.each(changes)('a draft is not approved after %s changed, until it is computed again', async (_, change, after) => {
  const sg = await payrollOf('SG')
  const [dana, noa] = [await sg.hire({ name: 'Dana' }), await sg.hire({ name: 'Noa' })]
  await sg.generate('2026-03')
  await sg.amy.call('payroll_employees_update', { id: dana.id, ...change })
  const payslipId = await payslipIdOf(sg, '2026-03', dana.id)
  await expect(sg.approve('2026-03')).rejects.toMatchObject({
    status: 409,
    message: expect.stringMatching(/Dana.*payroll_regenerate/),
  })
  expect(await sg.generate('2026-03')).toEqual({
    generated: 0,
    errors: [{ counterpartyId: dana.id, message: expect.stringContaining('payroll_regenerate') }],
  })
  const others = { payslipIds: [await payslipIdOf(sg, '2026-03', noa.id)] }
  expect(await sg.approve('2026-03', others)).toEqual({ approved: 1 })
  await sg.regenerate(payslipId)
  expect(await sg.approve('2026-03')).toEqual({ approved: 1 })
  expect(await rowOf(sg, '2026-03', dana.id)).toMatchObject({ status: 'APPROVED', ...after })
  await expectSoundBooks()
})

test('what does not concern the pay of the month leaves a draft as it is', async () => {
  const sg = await payrollOf('SG')
  const { id } = await sg.hire()
  await sg.generate('2026-03')
  const bankDetails = { accountNumber: '17' }
  await sg.amy.call('payroll_employees_update', { id, bankDetails, monthlyWage: 6_000, effectiveFrom: '2026-04-01' })
  await sg.amy.call('payroll_employees_update', { id, endDate: '2026-04-10' })
  expect(await sg.approve('2026-03')).toEqual({ approved: 1 })
})

test('somebody who left in a month that is approved already is named until its payslip is void', async () => {
  const sg = await payrollOf('SG')
  const dana = await sg.hire()
  await sg.generate('2026-03')
  await sg.approve('2026-03')
  await sg.amy.call('payroll_employees_update', { id: dana.id, endDate: '2026-03-15' })
  const message = expect.stringMatching(/ended on 2026-03-15.*payslip of 2026-03.*payroll_void/)
  expect(await sg.generate('2026-04')).toEqual({ generated: 0, errors: [{ counterpartyId: dana.id, message }] })
  await sg.voidPayslip(await payslipIdOf(sg, '2026-03', dana.id))
  expect(await sg.generate('2026-03')).toEqual({ generated: 1, errors: [] })
  await sg.approve('2026-03')
  expect(await sg.generate('2026-04')).toEqual({ generated: 0, errors: [] })
  expect(await rowOf(sg, '2026-03', dana.id)).toMatchObject({ isFinalPayslip: true, gross: 2_272.73 })
})

test('a first day that turns out later is a difference on the next payslip', async () => {
  const us = await payrollOf('US')
  const bob = await us.hire({ startDate: '2026-03-01', monthlyWage: 3_100, filingStatus: 'SINGLE', state: 'TX' })
  await us.generate('2026-03')
  await us.approve('2026-03')
  await us.amy.call('payroll_employees_update', { id: bob.id, startDate: '2026-03-02' })
  expect(await us.generate('2026-04')).toEqual({ generated: 1, errors: [] })
  expect(await rowOf(us, '2026-04', bob.id)).toMatchObject({ gross: 3_000 })
})
