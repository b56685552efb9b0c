import { expect, test } from 'vitest'
import { payrollOf, payslipIdOf } from '../../../test/payroll/company.ts'
import { member, type Someone } from '../../../test/world.ts'

test.each([
  ['IL', 'il-uniform-file'],
  ['SG', 'sg-iras-audit-file'],
] as const)(
  'in %s the file of somebody without payroll rights says that wages are summed up',
  async (country, file) => {
    const payroll = await payrollOf(country)
    const { amy, organizationId } = payroll
    const { id: danaId } = await payroll.hire()
    await payroll.generate('2026-03')
    await payroll.approve('2026-03')
    await payroll.pay(await payslipIdOf(payroll, '2026-03', danaId), 'NET')
    const viewer = await member('VIEWER', { of: amy })
    const days = { from: '2026-03-01', to: '2026-03-31' }
    const codes = async (someone: Someone) =>
      (await someone.call('reports_statutory_file', { organizationId, file, ...days })).problems.map(({ code }) => code)
    expect(await codes(amy)).not.toContain('PAYROLL_SUMMED')
    expect(await codes(viewer)).toContain('PAYROLL_SUMMED')
  },
)
