import { type SelectQueryBuilder, sql } from 'kysely'
import type { Database } from '../../../../core/define/operation.ts'
import { byId } from '../../../../core/define/query.ts'
import type { Services } from '../../../../core/define/services.ts'
import { toMajor } from '../../../../core/values/money.ts'
import type { Tables } from '../../../../db/database.ts'
import { type AttachmentRow, toAttachment } from '../attachments/attachment.ts'
import type { Expense, ExpenseSource, ListedExpense } from '../expense.ts'
import { type ExpenseStatus, expenseKind } from '../kind.ts'

type Joined = Tables & { d: Tables['documents']; e: Tables['expenses'] }
export type Expenses<O> = SelectQueryBuilder<Joined, 'd' | 'e', O>

/** The expenses of the organization: `d` is the row of the ledger, `e` holds what only expenses have. */
export const expenses = (db: Database): Expenses<object> =>
  db
    .selectFrom('documents as d')
    .innerJoin('expenses as e', (join) =>
      join.onRef('e.organizationId', '=', 'd.organizationId').onRef('e.id', '=', 'd.id'),
    )
    .where('d.kind', '=', sql.lit(expenseKind.name)) as unknown as Expenses<object>

/** Selects what a list shows: amounts in minor units; payments, customers and attachments as JSON. */
export const selectListed = (query: Expenses<object>) =>
  query
    .select([
      'd.id', 'd.organizationId', 'd.currency', 'd.totalMinor', 'd.paidMinor', 'd.creditedMinor', 'd.issueDate as date',
      'd.paymentMethod', 'd.createdAt', 'd.updatedAt', 'e.title', 'e.vendor',
    ]) // biome-ignore format: a list of words
    .select([
      sql<ExpenseStatus>`d.status`.as('status'),
      sql<ExpenseSource>`e.source`.as('source'),
      sql<Category | null>`(select json_build_object('id', c.id, 'name', c.name, 'color', c.color)
        from expense_categories c where c.organization_id = e.organization_id and c.id = e.category_id)`.as('category'),
      person('d.created_by').as('createdBy'),
      sql<
        PaymentRow[]
      >`case when d.paid_minor = 0 then '[]' else (select coalesce(json_agg(json_build_object('id', p.id,
          'amountMinor', case p.kind when 'EXPENSE' then p.amount_minor else a.amount_minor end, 'allocatedMinor', a.amount_minor, 'paidAt', p.paid_at, 'method', p.method) order by a.id), '[]')
        from allocations a join payments p on p.organization_id = a.organization_id and p.id = a.payment_id
        where a.organization_id = d.organization_id and a.document_id = d.id and a.voided_at is null and not a.is_credit) end`.as(
        'payments',
      ),
      sql<
        Party[]
      >`(select coalesce(json_agg(json_build_object('id', c.id, 'name', c.name) order by x.created_at, c.id), '[]')
        from expense_customers x join customers c on c.organization_id = x.organization_id and c.id = x.customer_id
        where x.organization_id = d.organization_id and x.expense_id = d.id)`.as('linked'),
      sql<AttachmentRow[]>`(select coalesce(json_agg(json_build_object('id', a.id, 'fileName', f.file_name,
          'fileType', f.file_type, 'fileSize', f.file_size) order by a.position), '[]')
        from document_attachments a join files f on f.organization_id = a.organization_id and f.id = a.file_id
        where a.organization_id = d.organization_id and a.document_id = d.id)`.as('attached'),
    ])

const selectExpense = (db: Database) =>
  selectListed(expenses(db))
    .select([
      'd.subtotalMinor', 'd.taxMinor', 'd.taxRate', 'd.dueDate', 'd.givenRate', 'd.givenRateDate', 'd.counterpartyId', 'd.minorDigits',
      'e.notes', 'e.chargedTaxMinor', 'e.deductibleTaxMinor', 'e.emailMessageId', 'e.categoryId', 'e.supplierId',
      'e.claimantId', 'e.documentNumber', 'e.vendorTaxNumber', 'e.allocationNumber', 'e.statusReason', 'e.reviewedAt',
      'e.changedBy', 'e.enteredFor', 'e.changedFor', 'e.amountFor', 'e.orderId', 'e.enteredFields', 'd.revision',
    ]) // biome-ignore format: a list of words
    .select([
      sql<string | null>`case when d.issued_at is not null then d.exchange_rate else d.given_rate end`.as(
        'exchangeRate',
      ),
      sql<string | null>`case when d.issued_at is not null then d.rate_date
        when d.given_rate is not null then coalesce(d.given_rate_date, d.issue_date) end`.as('exchangeRateDate'),
      sql<OrderRow | null>`(select json_build_object('id', o.id, 'orderNumber', o.order_number, 'status', o.status, 'subtotalMinor', o.subtotal_minor,
          'currency', o.currency, 'orderDate', o.order_date, 'supplier', json_build_object('id', c.id, 'name', c.name,
            'supplierOrganization', registered_organization(c.registration_number, c.country)))
        from orders o join customers c on c.organization_id = o.organization_id and c.id = o.counterparty_id
        where o.organization_id = e.organization_id and o.id = e.order_id)`.as('order'),
      counterparty('e.supplier_id').as('supplier'),
      counterparty('e.claimant_id').as('claimant'),
      person('e.reviewed_by').as('reviewedBy'),
      sql<CreditRows>`(select json_build_object('total', coalesce(sum(m.total_minor) filter (where m.cancelled_at is null), 0),
          'inputTax', coalesce(sum(m.tax_minor) filter (where m.cancelled_at is null), 0),
          'list', coalesce(json_agg(json_build_object('id', m.id, 'paymentId', p.id, 'amountMinor', m.total_minor, 'date', m.issue_date,
            'documentNumber', p.reference, 'reason', m.notes,
            'openMinor', case when p.voided_at is null then p.amount_minor - p.allocated_minor - p.refunded_minor else 0 end, 'voidedAt', p.voided_at,
            'voidReason', p.void_reason,
            'lineId', (select min(s.line_id) from document_lines l left join expense_splits s
                on s.organization_id = l.organization_id and s.expense_id = d.id and s.line_id = l.id
              where l.organization_id = m.organization_id and l.document_id = m.id having count(*) = 1))
            order by m.id), '[]'))
        from documents m join payments p on p.organization_id = m.organization_id and p.id = m.payment_id
        where m.organization_id = d.organization_id and m.source_document_id = d.id)`.as('credits'),
      sql<SplitRow[]>`(select coalesce(json_agg(json_build_object('id', s.line_id, 'amountMinor', s.amount_minor,
          'taxMinor', s.charged_tax_minor, 'description', s.description,
          'category', (select json_build_object('id', c.id, 'name', c.name) from expense_categories c
            where c.organization_id = s.organization_id and c.id = s.category_id)) order by l.position), '[]')
        from expense_splits s join document_lines l
          on l.organization_id = s.organization_id and l.document_id = s.expense_id and l.id = s.line_id
        where s.organization_id = e.organization_id and s.expense_id = e.id)`.as('splits'),
    ])

export const expenseById = byId((db, id) => selectExpense(db).where('d.id', '=', id))

/** An expense with its amount in the currency of the organization, which only events and the approval rule need. */
export const expenseWithHome = byId((db, id) => withHome(db).where('d.id', '=', id))

const withHome = (db: Database) =>
  selectExpense(db).select(
    sql<HomeAmount | null>`(select json_build_object('minor', c.minor::text, 'currency', o.currency)
        from organizations o cross join lateral rate_on(d.currency, o.currency, d.issue_date, o.country) r
        cross join lateral (select convert_minor(d.total_minor, d.currency, o.currency, r.from_rate, r.to_rate) as published,
          convert_minor(d.total_minor, d.currency, o.currency, 1, d.given_rate) as given) v
        cross join lateral (select case when v.published is null then null else greatest(v.published, v.given) end as minor) c
        where o.id = d.organization_id and (c.minor is null or c.minor <= amount_max()))`.as('home'),
  )

/**
 * The amount in the currency of the organization, at the rate of its date or the given one, whichever makes more of it: a given rate
 * neither hides an amount from the rules of approval nor lets the books have a larger one. None if it is larger than an amount can be.
 */
type HomeAmount = { minor: string; currency: string }
type CreditRows = {
  total: number
  inputTax: number
  list: {
    id: string
    paymentId: string
    amountMinor: number
    date: string
    documentNumber: string | null
    reason: string | null
    openMinor: number
    voidedAt: string | null
    voidReason: string | null
    lineId: string | null
  }[]
}
const orderOf = ({ subtotalMinor, ...order }: OrderRow) => ({
  ...order,
  subtotal: toMajor(BigInt(subtotalMinor), order.currency),
})

type OrderRow = Omit<NonNullable<Expense['order']>, 'subtotal'> & { subtotalMinor: number }
type Party = { id: string; name: string | null }
type Person = Party & { email: string | null }
type Category = { id: string; name: string; color: string | null }
type PaymentRow = { id: string; amountMinor: number; allocatedMinor: number; paidAt: string; method: string | null }
type SplitRow = {
  id: string
  amountMinor: number
  taxMinor: number | null
  description: string | null
  category: { id: string; name: string } | null
}

const person = (column: string) =>
  sql<Person | null>`(select json_build_object('id', u.id, 'name', u.name, 'email', u.email) from users u where u.id = ${sql.raw(column)})`

const counterparty = (column: string) =>
  sql<Party | null>`(select json_build_object('id', c.id, 'name', c.name)
    from customers c where c.organization_id = e.organization_id and c.id = ${sql.raw(column)})`

export type ListedRow = Awaited<ReturnType<ReturnType<typeof selectListed>['executeTakeFirstOrThrow']>>
export type ExpenseRow = Awaited<ReturnType<ReturnType<typeof selectExpense>['executeTakeFirstOrThrow']>>
export type ExpenseRowWithHome = Awaited<ReturnType<ReturnType<typeof withHome>['executeTakeFirstOrThrow']>>

type ReadServices = Services & { now: Date }

/** Names every field, because copying rows with a spread is slow. */
export function toListed(services: ReadServices, row: ListedRow): ListedExpense {
  const { id, organizationId, currency, date, vendor, paymentMethod, source, status, createdBy, createdAt, updatedAt } =
    row
  const major = (minor: number) => toMajor(BigInt(minor), currency)
  return {
    id,
    organizationId,
    description: row.title,
    amount: major(row.totalMinor),
    currency,
    date,
    category: row.category && { id: row.category.id, name: row.category.name },
    vendor,
    paymentMethod,
    paidAmount: major(row.paidMinor),
    creditedAmount: major(row.creditedMinor),
    openBalance: major(row.totalMinor - row.paidMinor - row.creditedMinor),
    payments: row.payments.map((payment) => ({
      id: payment.id,
      amount: major(payment.amountMinor),
      allocated: major(payment.allocatedMinor),
      paidAt: payment.paidAt,
      method: payment.method,
    })),
    source,
    status,
    attachments: row.attached.map((attachment) => toAttachment(services, row, attachment)),
    customers: row.linked.map((customer) => ({ customerId: customer.id, customer })),
    createdBy,
    createdAt,
    updatedAt,
  }
}

/** New fields come before the spread: behind it they took 83 of 86 µs. */
export function toExpense(services: ReadServices, row: ExpenseRow): Expense {
  const major = (minor: number) => toMajor(BigInt(minor), row.currency)
  const majorOrNull = (minor: number | null) => (minor === null ? null : major(minor))
  const numberOrNull = (text: string | null) => (text === null ? null : Number(text))
  return {
    title: row.title,
    taxAmount: majorOrNull(row.chargedTaxMinor),
    taxRate: numberOrNull(row.taxRate),
    notes: row.notes,
    emailMessageId: row.emailMessageId,
    order: row.order && orderOf(row.order),
    orderId: row.orderId,
    categoryId: row.categoryId,
    supplierId: row.supplierId,
    supplier: row.supplier,
    claimantId: row.claimantId,
    claimant: row.claimant,
    dueDate: row.dueDate,
    documentNumber: row.documentNumber,
    vendorTaxNumber: row.vendorTaxNumber,
    vatAllocationNumber: row.allocationNumber,
    deductibleTaxAmount: major(row.taxMinor),
    exchangeRate: numberOrNull(row.exchangeRate),
    exchangeRateDate: row.exchangeRateDate,
    splits: row.splits.map(({ id, category, amountMinor, taxMinor, description }) => ({
      id,
      categoryId: category?.id ?? null,
      category,
      amount: major(amountMinor),
      taxAmount: majorOrNull(taxMinor),
      description,
    })),
    credits: row.credits.list.map(({ amountMinor, openMinor, voidedAt, ...credit }) => ({
      ...credit,
      voidedAt: voidedAt && new Date(voidedAt).toISOString(),
      amount: major(amountMinor),
      openRemainder: major(openMinor),
    })),
    revision: row.revision,
    statusReason: row.statusReason,
    reviewedBy: row.reviewedBy,
    reviewedAt: row.reviewedAt,
    ...toListed(services, row),
    category: row.category,
  }
}
