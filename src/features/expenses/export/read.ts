import { sql } from 'kysely'
import type { Database } from '../../../core/define/operation.ts'
import { expenses } from '../reading/read.ts'

type Attached = { id: string; fileName: string; fileType: string; fileSize: number }
type Person = { id: string; name: string | null; email: string | null }

/** What exports show of expenses, in the order of the ids. Amounts are decimal text, as the database computes them. */
export const exportedByIds = (db: Database, ids: readonly string[]) =>
  expenses(db)
    .select([
      'd.id', 'd.organizationId', 'd.currency', 'd.status', 'd.issueDate as date', 'd.dueDate', 'd.paymentMethod', 'd.createdAt',
      'e.title', 'e.vendor', 'e.notes', 'e.source', 'e.documentNumber', 'e.vendorTaxNumber', 'e.allocationNumber',
    ]) // biome-ignore format: a list of words
    .select([
      decimal('d.total_minor').as('amount'),
      decimal('e.charged_tax_minor').as('taxAmount'),
      decimal('d.tax_minor').as('deductibleTaxAmount'),
      decimal('d.paid_minor').as('paidAmount'),
      decimal('d.total_minor - d.paid_minor - d.credited_minor').as('openBalance'),
      sql<string | null>`trim_scale(d.tax_rate)::text`.as('taxRate'),
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

/** An amount in minor units as decimal text with the digits of its currency, such as 117.00. */
const decimal = (minor: string) =>
  sql<string>`round(major_units(${sql.raw(minor)}, d.minor_digits), d.minor_digits)::text`

export type ExportedRow = Awaited<ReturnType<typeof exportedByIds>>[number]
