import { expect, test } from 'vitest'
import { payrollOf, payslipIdOf } from '../../../test/payroll/company.ts'
import { theApp } from '../../../test/world.ts'

const changes: [string, (id: string) => string][] = [
  ['added', (id) => `insert into payslip_lines (organization_id, payslip_id, position, kind, code, description, amount_minor)
    select organization_id, id, 99, 'EARNING', 'OTHER', 'More', 0 from payslips where id = '${id}'`],
  ['changed', (id) => `update payslip_lines set description = 'Other' where payslip_id = '${id}'`],
  ['deleted', (id) => `delete from payslip_lines where payslip_id = '${id}' and amount_minor = 0`],
] // biome-ignore format: a change a line

test.each(changes)(
  'INV-07: a line is %s while its payslip is a draft, and not once it is approved',
  async (_, change) => {
    const sg = await payrollOf('SG')
    const dana = await sg.hire({})
    await sg.generate('2026-03')
    const id = await payslipIdOf(sg, '2026-03', dana.id)
    const { raw } = theApp().system
    await raw.query(changes[0]?.[1](id) ?? '')
    if (change !== changes[0]?.[1]) await raw.query(change(id))
    await raw.query(`delete from payslip_lines where payslip_id = '${id}' and position = 99`)
    if (change === changes[2]?.[1]) await raw.query(changes[0]?.[1](id) ?? '')
    await sg.approve('2026-03')
    await expect(raw.query(change(id))).rejects.toThrow(/cannot be changed|final|frozen|issued/i)
  },
)
