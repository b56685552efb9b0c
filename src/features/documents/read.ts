import { sql } from 'kysely'
import { toMajor } from '../../core/money.ts'
import type { Database } from '../../core/operation.ts'
import { byId } from '../../core/query.ts'
import type { Customer } from '../../countries/country.ts'
import type { Document, Line, ListedDocument } from './document.ts'

/** Sales documents as rows: amounts in minor units, parties and lines as the resource shows them. */
export const documents = (db: Database) =>
  db.selectFrom('documents').select(columns).select(derived).where('kind', '=', sql.lit('SALES'))

const single = (db: Database) => documents(db).select(besides)

export const documentById = byId((db, id) => single(db).where('id', '=', id))

const columns = [
  'id', 'organizationId', 'counterpartyId as customerId', 'documentType', 'number as invoiceNumber', 'status',
  'inDispute', 'dueDate', 'currency', 'exchangeRate', 'subtotalMinor', 'taxMinor', 'totalMinor', 'paidMinor', 'notes',
  'vatAllocationNumber', 'generatorVersion', 'issueDate', 'issueDateGiven', 'paymentId', 'createdAt', 'updatedAt',
] as const // biome-ignore format: a list of words

type ShownLine = Omit<Line, 'amount'> & { amountMinor: number }
type Party = { id: string; name: string | null; email: string | null } | null
type ShownPayment = { id: string; amountMinor: number; paidAt: string; method: string | null }

const derived = [
  sql<Party>`(select jsonb_build_object('id', c.id, 'name', nullif(documents.counterparty_name, ''), 'email', c.email)
    from customers c where c.organization_id = documents.organization_id and c.id = documents.counterparty_id)`.as(
    'customer',
  ),
  sql<Party>`(select jsonb_build_object('id', u.id, 'name', u.name, 'email', u.email)
    from users u where u.id = documents.created_by)`.as('createdBy'),
  sql<
    ShownLine[]
  >`(select coalesce(jsonb_agg(jsonb_build_object('id', l.id, 'itemId', l.item_id, 'description', l.description,
      'quantity', l.quantity, 'unitPrice', l.unit_price, 'amountMinor', l.amount_minor, 'taxRate', l.tax_rate,
      'taxCategory', l.tax_category) order by l.position), '[]')
    from document_lines l where l.organization_id = documents.organization_id and l.document_id = documents.id)`.as(
    'items',
  ),
  sql<ShownPayment[]>`(select coalesce(jsonb_agg(jsonb_build_object('id', p.id, 'amountMinor', a.amount_minor,
      'paidAt', p.paid_at, 'method', p.method) order by a.id), '[]')
    from allocations a join payments p on p.organization_id = a.organization_id and p.id = a.payment_id
    where a.organization_id = documents.organization_id and a.document_id = documents.id and a.voided_at is null)`.as(
    'payments',
  ),
] as const

const besides = [
  'direction', 'bankAccountId', 'payUntil', 'paymentMethod', 'paymentDate', 'receiptNumber', 'taxRate', 'sentAt',
  'cancelledAt',
  sql<Record<string, unknown> | null>`country_specific_data`.as('countrySpecificData'),
  sql<Document['organization']>`(select jsonb_build_object('id', o.id, 'name', o.name, 'country', o.country,
      'currency', o.currency, 'registrationNumber', o.registration_number, 'taxNumber', o.tax_number, 'address', o.address,
      'email', o.email, 'phone', o.phone)
    from organizations o where o.id = documents.organization_id)`.as('organization'),
  sql<Customer | null>`(select jsonb_build_object('name', nullif(documents.counterparty_name, ''), 'country', c.country,
      'kind', c.kind, 'registrationNumber', c.registration_number, 'address', c.address)
    from customers c where c.organization_id = documents.organization_id and c.id = documents.counterparty_id)`.as(
    'buyer',
  ),
  sql<Document['bankAccount']>`(select jsonb_build_object('id', b.id, 'accountName', b.account_name, 'bankName', b.bank_name,
      'accountNumber', b.account_number, 'branchCode', b.branch_code, 'swiftCode', b.swift_code, 'iban', b.iban,
      'routingNumber', b.routing_number)
    from bank_accounts b where b.organization_id = documents.organization_id and b.id = documents.bank_account_id)`.as(
    'bankAccount',
  ),
] as const // biome-ignore format: a list of words

type Listed = Awaited<ReturnType<ReturnType<typeof documents>['executeTakeFirstOrThrow']>>
export type DocumentRow = Awaited<ReturnType<ReturnType<typeof single>['executeTakeFirstOrThrow']>>

/** What both shapes have, in major units. A receipt acknowledges what was paid elsewhere, all of it. */
function shared({ subtotalMinor, taxMinor, totalMinor, paidMinor, paymentId, ...row }: Listed) {
  const major = (minor: number) => toMajor(BigInt(minor), row.currency)
  return {
    ...row,
    exchangeRate: row.exchangeRate === null ? null : Number(row.exchangeRate),
    subtotal: major(subtotalMinor),
    taxAmount: major(taxMinor),
    total: major(totalMinor),
    paidAmount: major(paymentId === null ? paidMinor : totalMinor),
    items: row.items.map(({ amountMinor, ...line }) => ({ ...line, amount: major(amountMinor) })),
    payments: row.payments.map(({ amountMinor, ...payment }) => ({ ...payment, amount: major(amountMinor) })),
  }
}

export function toListed(row: Listed): ListedDocument {
  const document = shared(row)
  return { ...document, invoiceDate: row.issueDate, totalAmount: document.total }
}

export function toDocument(row: DocumentRow): Document {
  return { ...row, ...shared(row), taxRate: row.taxRate === null ? null : Number(row.taxRate) }
}

/** What people sort by. Nobody sorts by capital and small letters, and a total is compared as it reads. */
export const sortedBy = {
  issueDate: sql.ref('issueDate'),
  dueDate: sql.ref('dueDate'),
  total: sql`major_units(total_minor, minor_digits)`,
  status: sql`status_rank(status)`,
  documentNumber: sql.ref('sequence'),
  customerName: sql`lower(counterparty_name)`,
}

/** What may be empty, and then comes last both ways. */
export const mayBeEmpty: readonly (keyof typeof sortedBy)[] = ['dueDate', 'documentNumber']

export const searched = ['number', 'counterpartyName', 'notes'] as const
