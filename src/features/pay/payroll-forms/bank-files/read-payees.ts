import { sql } from 'kysely'
import { invalid } from '../../../../core/define/failure.ts'
import type { Database } from '../../../../core/define/operation.ts'
import { toUuid } from '../../../../core/define/query.ts'
import { netLine } from '../../payroll/kind.ts'
import type { PayMonth } from '../../payroll/month.ts'
import type { Payee, Payer, PayerAccount } from './bank-file.ts'

/**
 * The employees to whom net pay of the month is outstanding, by name. Money of a voided payslip that is still open with an
 * employee is deducted, since `payroll_pay` uses it first.
 */
export async function readPayees(db: Database, { from }: PayMonth): Promise<Payee[]> {
  const { rows } = await sql<Payee>`
    with owed as materialized (
      select s.employee_id, d.currency, l.amount_minor - l.paid_minor as minor
      from payslips s
      join documents d on d.organization_id = s.organization_id and d.id = s.id
      join document_lines l on l.organization_id = s.organization_id and l.document_id = s.id and l.id = ${netLine}
      where s.month = ${from}::date and s.voided_at is null and d.status in ('APPROVED', 'PAID') and l.amount_minor > l.paid_minor
    )
    select e.id as "employeeId", coalesce(c.name, c.email, '') as name, e.employee_number as "employeeNumber", e.id_number as "idNumber",
      e.bank_code as "bankCode", e.branch_code as "branchCode", e.account_number as "accountNumber", e.account_name as "accountName",
      e.account_type as "accountType", e.iban, e.swift_code as "swiftCode", e.routing_number as "routingNumber",
      (o.minor - k.open)::bigint as "amountMinor"
    from owed o
    join employees e on e.id = o.employee_id
    join customers c on c.organization_id = e.organization_id and c.id = e.id
    cross join lateral (select coalesce(sum(p.amount_minor - p.allocated_minor - p.refunded_minor), 0) as open from payments p
      where p.organization_id = e.organization_id and p.kind = 'PAYSLIP' and p.source = 'NET' and p.counterparty_id = e.id
        and p.currency = o.currency and p.voided_at is null and p.amount_minor > p.allocated_minor + p.refunded_minor) k
    where o.minor > k.open
    order by lower(coalesce(c.name, c.email, '')), e.id`.execute(db)
  return rows
}

/** The organization, with the bank account that is debited: the named one, or the default one. */
export async function readPayer(db: Database, bankAccountId: string | undefined): Promise<Payer> {
  const organization = await db
    .selectFrom('organizations')
    .select(['name', 'registrationNumber', 'taxNumber'])
    .executeTakeFirstOrThrow()
  const accounts = db.selectFrom('bankAccounts').select(['id', 'bankName', 'accountNumber', 'routingNumber'])
  const account: PayerAccount | undefined = await (bankAccountId === undefined
    ? accounts.where('isDefault', '=', true)
    : accounts.where('id', '=', toUuid(bankAccountId))
  ).executeTakeFirst()
  if (bankAccountId !== undefined && !account)
    throw invalid('bankAccountId', 'The bank account does not exist.', 'UNKNOWN_REFERENCE')
  return { ...organization, account: account ?? null }
}
