import { operation } from '../../../../core/define/operation.ts'
import { Pagination, paging } from '../../../../core/define/page.ts'
import { one, paged, toUuid } from '../../../../core/define/query.ts'
import { ById, Id, Type } from '../../../../core/define/schema.ts'
import { pipeline } from '../../../../db/pipeline.ts'
import { organizationContext } from '../../../../ledger/organization-context.ts'
import { Month, payMonth } from '../month.ts'
import { rulesOf } from '../rules.ts'
import { ListedPayslip, Payslip, Status } from './payslip.ts'
import { listed, wholePayslipById } from './read.ts'
import { toListed, toPayslip } from './to-payslip.ts'

export const list = operation({
  name: 'payroll_payslips_list',
  http: 'GET /api/payroll/payslips',
  does: 'Lists payslips, the latest month first; void ones too.',
  scope: 'payroll:read',
  role: 'CONTRIBUTOR',
  within: 'organizationId',
  input: Type.Object({
    organizationId: Id,
    ...paging(),
    month: Type.Optional(Month),
    employeeId: Type.Optional(Id),
    status: Type.Optional(Status),
  }),
  output: Type.Object({ payslips: Type.Array(ListedPayslip), pagination: Pagination }),
  async run({ db, now }, { month, employeeId, status, page, limit }) {
    let query = listed(db).orderBy('p.month', 'desc').orderBy('p.id', 'desc')
    if (month !== undefined) query = query.where('p.month', '=', payMonth(month, { now, timezone: 'UTC' }).from)
    if (employeeId !== undefined) query = query.where('p.employeeId', '=', toUuid(employeeId))
    if (status !== undefined) query = query.where('d.status', '=', status)
    const { rows, pagination } = await paged(query, { page, limit })
    return { payslips: rows.map(toListed), pagination }
  },
})

export const get = operation({
  name: 'payroll_payslips_get',
  http: 'GET /api/payroll/payslips/{id}',
  does: 'Reads one payslip. It has its lines with the steps of their computation and the sums of the year, what is outstanding, advances, consents, leave balances and files.',
  scope: 'payroll:read',
  role: 'CONTRIBUTOR',
  within: 'payslips',
  input: ById,
  output: Payslip,
  async run(context, { id }) {
    const { row, organization } = await pipeline({
      row: one(wholePayslipById(context.db, id), 'payslip'),
      organization: organizationContext(context.db),
    })
    return toPayslip(context, row, rulesOf(organization))
  },
})
