import { type SelectQueryBuilder, sql } from 'kysely'
import type { Database } from '../../../core/define/operation.ts'
import { byId } from '../../../core/define/query.ts'
import type { Services } from '../../../core/define/services.ts'
import { toMajor } from '../../../core/values/money.ts'
import type { Customer } from '../../../countries/country.ts'
import type { Tables } from '../../../db/database.ts'
import type { Document, Line, ListedDocument } from '../document.ts'
import { type Attached, toAttachment } from '../sending/attachment.ts'

export type Documents<O> = SelectQueryBuilder<Tables, 'documents', O>

export const sales = (db: Database): Documents<object> =>
  db.selectFrom('documents').where('kind', '=', sql.lit('SALES'))

/** Documents as rows: amounts in minor units, parties and lines as the resource shows them. */
export const listed = (query: Documents<object>) => query.select(columns).select(derived)

const single = (db: Database) => listed(sales(db)).select(besides)

export const documentById = byId((db, id) => single(db).where('id', '=', id))

const columns = [
  'id', 'organizationId', 'counterpartyId as customerId', 'documentType', 'number as invoiceNumber', 'status',
  'inDispute', 'dueDate', 'currency', 'exchangeRate', 'subtotalMinor', 'taxMinor', 'totalMinor', 'paidMinor', 'notes',
  'vatAllocationNumber', 'generatorVersion', 'issueDate', 'issueDateGiven', 'paymentId', 'createdAt', 'updatedAt',
] as const // biome-ignore format: a list of words

type ShownLine = Omit<Line, 'amount'> & { amountMinor: number }
type Party = { id: string; name: string | null; email: string | null } | null
const attached = sql<
  Attached[]
>`(select coalesce(jsonb_agg(jsonb_build_object('id', a.id, 'fileId', f.id, 'fileName', f.file_name,
      'fileType', f.file_type, 'fileSize', f.file_size) order by a.position), '[]')
    from document_attachments a join files f on f.organization_id = a.organization_id and f.id = a.file_id
    where a.organization_id = documents.organization_id and a.document_id = documents.id)`.as('attached')

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
  attached,
] as const

const besides = [
  'direction', 'bankAccountId', 'payUntil', 'paymentMethod', 'paymentDate', 'receiptNumber', 'taxRate', 'sentAt',
  'cancelledAt', 'linkVersion', 'rateCurrency',
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
  sql<string | null>`(select s.sender_name from organization_settings s where s.organization_id = documents.organization_id)`.as(
    'senderName',
  ),
  sql<PaidInto | null>`(select jsonb_build_object('id', b.id, 'accountName', b.account_name, 'bankName', b.bank_name,
      'accountNumber', b.account_number, 'branchCode', b.branch_code, 'swiftCode', b.swift_code, 'iban', b.iban,
      'routingNumber', b.routing_number, 'localBankCode', b.local_bank_code, 'notes', b.notes)
    from bank_accounts b where b.organization_id = documents.organization_id and b.id = documents.bank_account_id)`.as(
    'bankAccount',
  ),
] as const // biome-ignore format: a list of words

/** The account as whoever pays into it needs it; a resource shows less. */
type PaidInto = NonNullable<Document['bankAccount']> & { localBankCode: string | null; notes: string | null }

export type ListedRow = Awaited<ReturnType<ReturnType<typeof listed>['executeTakeFirstOrThrow']>>
export type DocumentRow = Awaited<ReturnType<ReturnType<typeof single>['executeTakeFirstOrThrow']>>

/** What both shapes have, in major units. A receipt acknowledges what was paid elsewhere, all of it. */
function shared({ subtotalMinor, taxMinor, totalMinor, paidMinor, paymentId, ...row }: ListedRow) {
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

export function toListed(row: ListedRow): ListedDocument {
  const document = shared(row)
  return { ...document, invoiceDate: row.issueDate, totalAmount: document.total }
}

export function toDocument(row: DocumentRow): Document {
  return { ...row, ...shared(row), taxRate: row.taxRate === null ? null : Number(row.taxRate) }
}

/** What is still to be paid of it. */
export const openOf = ({ totalMinor, paidMinor, currency }: DocumentRow): number =>
  toMajor(BigInt(totalMinor) - BigInt(paidMinor), currency)

/** The files that go along, with addresses that open them for a while. */
export const attachmentsShown = (kept: Services & { now: Date }, row: ListedRow) => ({
  attachments: row.attached.map((each) => toAttachment(kept, row, each)),
})
