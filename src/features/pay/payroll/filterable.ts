import { sql } from 'kysely'
import { amount, column, type Field, filterable, toMany, toOne } from '../../../core/define/filterable.ts'

/** The wage of today; before the first terms apply, that of the first. Wages have cents. */
const monthlyWage: Field = {
  kind: 'number',
  money: true,
  of: (row) => sql`(select major_units(t.wage_minor, 2::smallint) from employee_terms t
    where t.organization_id = ${row.column('organizationId')} and t.employee_id = ${row.column('id')}
    order by t.since <= ${row.today}::date desc, case when t.since <= ${row.today}::date then t.since end desc, t.since limit 1)`,
}

const isEmployed: Field = {
  kind: 'boolean',
  of: (row) =>
    sql`(${row.column('startDate')} <= ${row.today}::date and coalesce(${row.column('endDate')} >= ${row.today}::date, true))`,
}

/** Without numbers of identity and bank accounts, which no filter needs. */
const Employee = filterable({
  feature: 'payroll',
  from: sql`(select e.id, e.organization_id, e.user_id, e.employee_number, e.job_title, e.start_date, e.end_date, e.currency, e.created_at,
      e.updated_at, c.name, e.email, e.phone, e.address
    from employees e join customers c on c.organization_id = e.organization_id and c.id = e.id)`,
  fields: {
    id: 'id',
    organizationId: 'id',
    userId: 'id',
    name: 'text',
    email: 'text',
    phone: 'text',
    address: 'text',
    employeeNumber: 'text',
    jobTitle: 'text',
    startDate: 'day',
    endDate: 'day',
    isEmployed,
    currency: 'text',
    monthlyWage,
    createdAt: 'instant',
    updatedAt: 'instant',
  },
  relations: {
    payslips: toMany('Payslip', 'id', 'employeeId'),
    member: toOne('Member', 'userId', 'userId'),
    organization: toOne('Organization', 'organizationId', 'id'),
  },
})

const Payslip = filterable({
  feature: 'payroll',
  from: sql`(select p.id, p.organization_id, p.employee_id, p.month, p.period_start, p.period_end, p.is_final, p.gross_minor,
      p.reimbursements_minor, p.deductions_minor, p.net_minor, p.contributions_minor, p.voided_at, d.status, d.currency, d.minor_digits,
      d.total_minor, d.paid_minor, d.counterparty_name, d.created_at, d.updated_at
    from payslips p join documents d on d.organization_id = p.organization_id and d.id = p.id)`,
  fields: {
    id: 'id',
    organizationId: 'id',
    counterpartyId: column('id', 'employeeId'),
    employeeName: column('text', 'counterpartyName'),
    month: 'day',
    periodStart: 'day',
    periodEnd: 'day',
    isFinalPayslip: column('boolean', 'isFinal'),
    status: 'text',
    currency: 'text',
    gross: amount('grossMinor'),
    reimbursements: amount('reimbursementsMinor'),
    deductions: amount('deductionsMinor'),
    net: amount('netMinor'),
    employerCost: amount('totalMinor'),
    paidTotal: amount('paidMinor'),
    voidedAt: 'instant',
    createdAt: 'instant',
    updatedAt: 'instant',
  },
  relations: {
    employee: toOne('Employee', 'employeeId', 'id'),
    organization: toOne('Organization', 'organizationId', 'id'),
  },
})

export const payrollObjects = { Employee, Payslip }
