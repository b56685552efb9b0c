import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../../core/define/operation.ts'
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

/** What belongs to some expenses, each with a list of it: read for all of them at once, because most have none. */
const listed = <T>(rows: RawBuilder<unknown>) => sql<{ expenseId: string; list: T[] }>`(${rows} group by 1)`

const splitsOf = (ids: readonly string[]) =>
  listed<Split>(sql`select s.expense_id, json_agg(json_build_object('category',
        case when c.id is not null then json_build_object('id', c.id, 'name', c.name) end, 'description', s.description,
        'amount', ${decimal('s.amount_minor')}, 'taxAmount', ${decimal('s.charged_tax_minor')}) order by l.position) as list
      from expense_splits s
      join documents d on d.organization_id = s.organization_id and d.id = s.expense_id
      join document_lines l on l.organization_id = s.organization_id and l.document_id = s.expense_id and l.id = s.line_id
      left join expense_categories c on c.organization_id = s.organization_id and c.id = s.category_id
      where s.expense_id = any (${ids}::uuid[])`)

const customersOf = (ids: readonly string[]) =>
  listed<{ id: string; name: string | null }>(sql`select x.expense_id,
        json_agg(json_build_object('id', c.id, 'name', c.name) order by x.created_at, c.id) as list
      from expense_customers x join customers c on c.organization_id = x.organization_id and c.id = x.customer_id
      where x.expense_id = any (${ids}::uuid[])`)

const attachmentsOf = (ids: readonly string[]) =>
  listed<Attached>(sql`select a.document_id as expense_id, json_agg(json_build_object('id', a.id, 'fileName', f.file_name,
        'fileType', f.file_type, 'fileSize', f.file_size) order by a.position) as list
      from document_attachments a join files f on f.organization_id = a.organization_id and f.id = a.file_id
      where a.document_id = any (${ids}::uuid[])`)

type Named<N> = { id: string; name: N } | null

/** What exports show of expenses, in the order of the ids. Amounts are decimal text, as the database computes them. */
export const exportedByIds = (db: Database, ids: readonly string[]) =>
  expenses(db)
    .innerJoin('organizations as o', 'o.id', 'd.organizationId')
    .leftJoin('expenseCategories as c', (join) =>
      join.onRef('c.organizationId', '=', 'e.organizationId').onRef('c.id', '=', 'e.categoryId'),
    )
    .leftJoin('customers as p', (join) =>
      join.onRef('p.organizationId', '=', 'e.organizationId').onRef('p.id', '=', 'e.claimantId'),
    )
    .leftJoin('users as u', 'u.id', 'd.createdBy')
    .leftJoin(splitsOf(ids).as('s'), 's.expenseId', 'd.id')
    .leftJoin(customersOf(ids).as('x'), 'x.expenseId', 'd.id')
    .leftJoin(attachmentsOf(ids).as('a'), 'a.expenseId', 'd.id')
    .select([
      'd.id',
      'd.organizationId',
      'd.currency',
      'd.status',
      'd.issueDate as date',
      'd.dueDate',
      'd.paymentMethod',
      'd.createdAt',
      'e.title',
      'e.vendor',
      'e.notes',
      'e.source',
      'e.documentNumber',
      'e.vendorTaxNumber',
      'e.allocationNumber',
    ])
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
        when convert_minor(d.total_minor, d.currency, ${home}, 1, ${rate}) <= amount_max()
          then home_minor(d.total_minor, d.currency, ${home}, ${rate}) end`.as('homeMinor'), // null where a draft is larger than an amount can be
      sql<Named<string | null>>`case when p.id is not null then json_build_object('id', p.id, 'name', p.name) end`.as(
        'claimant',
      ),
      sql<Named<string>>`case when c.id is not null then json_build_object('id', c.id, 'name', c.name) end`.as(
        'category',
      ),
      sql<Person | null>`case when u.id is not null
        then json_build_object('id', u.id, 'name', u.name, 'email', u.email) end`.as('createdBy'),
      sql<Split[]>`coalesce(s.list, '[]')`.as('splits'),
      sql<{ id: string; name: string | null }[]>`coalesce(x.list, '[]')`.as('customers'),
      sql<Attached[]>`coalesce(a.list, '[]')`.as('attached'),
    ])
    .where(sql<boolean>`d.id = any (${ids}::uuid[])`)
    .orderBy('d.issueDate')
    .orderBy('d.id')
    .execute()

export type ExportedRow = Awaited<ReturnType<typeof exportedByIds>>[number]
