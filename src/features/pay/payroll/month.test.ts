import { expect, test } from 'vitest'
import { payrollOf, rowOf } from '../../../test/payroll/company.ts'

test('the months of payroll are those that reports can show', async () => {
  const sg = await payrollOf('SG')
  const dana = await sg.hire({ startDate: '2999-12-01' })
  for (const month of ['3000-01', '9999-12', '1899-12']) {
    const refusal = {
      status: 400,
      details: [{ path: 'month', message: 'month must be between 1900-01 and 2999-12.' }],
    }
    await expect(sg.generate(month)).rejects.toMatchObject(refusal)
    await expect(sg.summary(month)).rejects.toMatchObject(refusal)
  }
  expect(await sg.generate('2999-12')).toEqual({ generated: 1, errors: [] })
  await sg.approve('2999-12')
  const { gross } = await rowOf(sg, '2999-12', dana.id)
  const report = await sg.amy.call('reports_profit_and_loss', {
    ...{ organizationId: sg.organizationId, from: '2999-12-01', to: '2999-12-31' },
  })
  expect(gross).toBe(5_000)
  expect(JSON.stringify(report)).toContain('5386.25') // gross, 7.5 % CPF of an employer for somebody above 70, and the levy
})
