import { sql } from 'kysely'
import { type Database, operation } from '../../../../core/define/operation.ts'
import { Id, Type } from '../../../../core/define/schema.ts'
import { toMajor } from '../../../../core/values/money.ts'
import { OwnPayslip } from '../payslip.ts'

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

const payslipsOfUser = (db: Database, userId: string, year: number | undefined) => {
  const query = db
    .selectFrom('payslips as p')
    .innerJoin('employees as e', (join) =>
      join.onRef('e.organizationId', '=', 'p.organizationId').onRef('e.id', '=', 'p.employeeId'),
    )
    .innerJoin('documents as d', (join) =>
      join.onRef('d.organizationId', '=', 'p.organizationId').onRef('d.id', '=', 'p.id'),
    )
    .select(['p.id', 'd.status', 'd.currency', 'p.netMinor', 'p.periodStart', 'p.periodEnd', 'd.issueDate'])
    .where('e.userId', '=', userId)
    .where('d.status', 'in', ['APPROVED', 'PAID'])
    .orderBy('p.month', 'desc')
    .orderBy('p.id')
  return (year === undefined ? query : query.where(sql<number>`extract(year from p.month)`, '=', year)).execute()
}
