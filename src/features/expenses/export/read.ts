import { sql } from 'kysely'
import type { Database } from '../../../core/define/operation.ts'
import { expenses } from '../reading/read.ts'

type Attached = { id: string; fileName: string; fileType: string; fileSize: number }
type Person = { id: string; name: string | null; email: string | null }

type Split = {
  category: { id: string; name: string } | null
  description: string | null
  amount: string
  taxAmount: string | null
}

/** An amount in minor units as decimal text with the digits of its currency, such as 117.00. */
const decimal = (minor: string) =>
  sql<string>`round(major_units(${sql.raw(minor)}, d.minor_digits), d.minor_digits)::text`

/** The rate that an expense was booked with, or before its approval the given one, and the currency that it is to. */
const rate = sql`case when d.issued_at is not null then d.exchange_rate else d.given_rate end`
const home = sql<string>`coalesce(case when d.issued_at is not null then d.rate_currency end, o.currency)`

/** What exports show of expenses, in the order of the ids. Amounts are decimal text, as the database computes them. */
export const exportedByIds = (db: Database, ids: readonly string[]) =>
  expenses(db)
    .innerJoin('organizations as o', 'o.id', 'd.organizationId')
    .select([
      'd.id', 'd.organizationId', 'd.currency', 'd.status', 'd.issueDate as date', 'd.dueDate', 'd.paymentMethod', 'd.createdAt',
      'e.title', 'e.vendor', 'e.notes', 'e.source', 'e.documentNumber', 'e.vendorTaxNumber', 'e.allocationNumber',
    ]) // biome-ignore format: a list of words
    .select([
      decimal('d.total_minor').as('amount'),
      decimal('e.charged_tax_minor').as('taxAmount'),
      decimal('d.tax_minor').as('deductibleTaxAmount'),
      decimal('d.paid_minor').as('paidAmount'),
      decimal('d.credited_minor').as('creditedAmount'),
      decimal('d.total_minor - d.paid_minor - d.credited_minor').as('openBalance'),
      sql<string | null>`trim_scale(d.tax_rate)::text`.as('taxRate'),
      sql<string | null>`trim_scale(${rate})::text`.as('exchangeRate'),
      home.as('homeCurrency'),
      sql<number | null>`case when d.currency = ${home} then d.total_minor
        when ${rate} is not null then home_minor(d.total_minor, d.currency, ${home}, ${rate}) end`.as('homeMinor'),
      sql<{
        id: string
        name: string | null
      } | null>`(select json_build_object('id', c.id, 'name', c.name) from customers c
        where c.organization_id = e.organization_id and c.id = e.claimant_id)`.as('claimant'),
      sql<Split[]>`(select coalesce(json_agg(json_build_object('category',
          (select json_build_object('id', c.id, 'name', c.name) from expense_categories c
            where c.organization_id = s.organization_id and c.id = s.category_id),
          'description', s.description, 'amount', ${decimal('s.amount_minor')}, 'taxAmount', ${decimal('s.charged_tax_minor')}) order by l.position), '[]')
        from expense_splits s join document_lines l
          on l.organization_id = s.organization_id and l.document_id = s.expense_id and l.id = s.line_id
        where s.organization_id = e.organization_id and s.expense_id = e.id)`.as('splits'),
      sql<{
        id: string
        name: string
      } | null>`(select json_build_object('id', c.id, 'name', c.name) from expense_categories c
        where c.organization_id = e.organization_id and c.id = e.category_id)`.as('category'),
      sql<Person | null>`(select json_build_object('id', u.id, 'name', u.name, 'email', u.email)
        from users u where u.id = d.created_by)`.as('createdBy'),
      sql<
        { id: string; name: string | null }[]
      >`(select coalesce(json_agg(json_build_object('id', c.id, 'name', c.name) order by x.created_at, c.id), '[]')
        from expense_customers x join customers c on c.organization_id = x.organization_id and c.id = x.customer_id
        where x.organization_id = d.organization_id and x.expense_id = d.id)`.as('customers'),
      sql<Attached[]>`(select coalesce(json_agg(json_build_object('id', a.id, 'fileName', f.file_name,
          'fileType', f.file_type, 'fileSize', f.file_size) order by a.position), '[]')
        from document_attachments a join files f on f.organization_id = a.organization_id and f.id = a.file_id
        where a.organization_id = d.organization_id and a.document_id = d.id)`.as('attached'),
    ])
    .where(sql<boolean>`d.id = any (${ids}::uuid[])`)
    .orderBy('d.issueDate')
    .orderBy('d.id')
    .execute()

export type ExportedRow = Awaited<ReturnType<typeof exportedByIds>>[number]
