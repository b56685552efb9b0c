import { operation } from '../../../../core/define/operation.ts'
import { Id, Type } from '../../../../core/define/schema.ts'
import { toMajor } from '../../../../core/values/money.ts'
import { OwnPayslip } from '../payslips/payslip.ts'
import { payslipsOfUser } from '../payslips/read.ts'

export const myPayslips = operation({
  name: 'payroll_my_payslips',
  http: 'GET /api/hr/me/payslips',
  does: 'Lists the approved and paid payslips of the signed-in employee, the latest first.',
  scope: 'payroll:read',
  role: 'EMPLOYEE',
  within: 'organizationId',
  input: Type.Object({ organizationId: Id, year: Type.Optional(Type.Integer({ minimum: 1900, maximum: 9999 })) }),
  output: Type.Object({ payslips: Type.Array(OwnPayslip) }),
  async run({ db, who }, { year }) {
    const { userId } = await who
    const rows = await payslipsOfUser(db, userId, year)
    return {
      payslips: rows.map(({ netMinor, ...row }) => ({ ...row, total: toMajor(BigInt(netMinor), row.currency) })),
    }
  },
})
