import { type NotNull, type SelectQueryBuilder, sql } from 'kysely'
import type { Database } from '../../../../core/define/operation.ts'
import { byId } from '../../../../core/define/query.ts'
import type { Services } from '../../../../core/define/services.ts'
import type { Language } from '../../../../core/values/language.ts'
import { toMajor } from '../../../../core/values/money.ts'
import type { Customer } from '../../../../countries/country.ts'
import type { Tables } from '../../../../db/database.ts'
import { type Attachment, type AttachmentRow, toAttachment } from '../attachments/attachment.ts'
import type { Document, DocumentStatus, Line, ListedDocument } from '../document.ts'
import { salesKind } from '../kind.ts'

export type Documents<O> = SelectQueryBuilder<Tables, 'documents', O>

/** The sales documents of the organization. */
export const salesDocuments = (db: Database): Documents<object> =>
  db.selectFrom('documents').where('kind', '=', sql.lit(salesKind.name))

/** Selects what a list shows: amounts in minor units, parties, lines, payments and attachments as JSON. */
export const selectListed = (query: Documents<object>, withLines = true) =>
  query
    .select(columns)
    .select(relations)
    .select(withLines ? lines : noLines)
    .$narrowType<{ customerId: NotNull; status: DocumentStatus }>()

/** Selects everything that a document shows. */
export const selectDocument = (db: Database) => selectListed(salesDocuments(db)).select(detailColumns)

/** Selects what the rules of the country need of a final document, for reports that check many. */
export const selectForCountry = (db: Database) =>
  salesDocuments(db)
    .select([
      'id', 'documentType', 'number as invoiceNumber', 'counterpartyName', 'issueDate', 'currency', 'subtotalMinor', 'taxMinor', 'totalMinor',
      'notes', 'vatAllocationNumber', sql<null>`null`.as('issuedAs'),
    ]) // biome-ignore format: a list of words
    .select(fixedRate)
    .select(countryColumns)
    .select(lines)

export const documentById = byId((db, id) => selectDocument(db).where('id', '=', id))

const columns = [
  'id', 'organizationId', 'counterpartyId as customerId', 'documentType', 'number as invoiceNumber', 'status',
  'inDispute', 'dueDate', 'currency', 'subtotalMinor', 'taxMinor', 'totalMinor', 'paidMinor', 'creditedMinor', 'notes',
  'vatAllocationNumber', 'generatorVersion', 'counterpartyName', 'issueDate', 'issueDateGiven', 'paymentId', 'createdAt', 'updatedAt',
  'cancelledAt', 'convertedToId', 'sourceDocumentId', sql<number>`open_minor(documents)`.as('openMinor'), sql<number>`open_credit(documents)`.as('openCreditMinor'),
] as const // biome-ignore format: a list of words

type LineRow = Omit<Line, 'amount' | 'discountAmount'> & { amountMinor: number; discountMinor: number | null }
type Party = { id: string; name: string | null; email: string | null } | null
const attachments = sql<
  AttachmentRow[]
>`(select coalesce(json_agg(json_build_object('id', a.id, 'fileId', f.id, 'fileName', f.file_name,
      'fileType', f.file_type, 'fileSize', f.file_size) order by a.position), '[]')
    from document_attachments a join files f on f.organization_id = a.organization_id and f.id = a.file_id
    where a.organization_id = documents.organization_id and a.document_id = documents.id)`.as('attached')

type PaymentRow = { id: string; amountMinor: number; paidAt: string; method: string | null }

const fixedRate = [
  // Of a draft the rate that was given.
  sql<string | null>`coalesce(exchange_rate, given_rate)`.as('exchangeRate'),
  sql<string | null>`case when exchange_rate is not null then rate_date
    when given_rate is not null then coalesce(given_rate_date, issue_date) end`.as('exchangeRateDate'),
] as const

const relations = [
  ...fixedRate,
  sql<string | null>`(select c.email from customers c
    where c.organization_id = documents.organization_id and c.id = documents.counterparty_id)`.as('customerEmail'),
  sql<Party>`(select json_build_object('id', u.id, 'name', u.name, 'email', u.email)
    from users u where u.id = documents.created_by)`.as('createdBy'),
  // The paid amount is the sum of the allocations of money, so without one there are none to look for.
  sql<PaymentRow[]>`case when paid_minor = 0 then '[]' else (select coalesce(json_agg(json_build_object('id', p.id,
      'amountMinor', a.amount_minor, 'paidAt', p.paid_at, 'method', p.method) order by a.id), '[]')
    from allocations a join payments p on p.organization_id = a.organization_id and p.id = a.payment_id
    where a.organization_id = documents.organization_id and a.document_id = documents.id and a.voided_at is null
      and not a.is_credit) end`.as('payments'),
  attachments,
] as const

const lines = sql<
  LineRow[]
>`(select coalesce(json_agg(json_build_object('id', l.id, 'itemId', l.item_id, 'description', l.description,
      'quantity', l.quantity, 'unitPrice', l.unit_price, 'amountMinor', l.amount_minor, 'taxRate', l.tax_rate,
      'taxCategory', l.tax_category, 'discountPercent', l.discount_percent, 'discountMinor', l.discount_minor)
      order by l.position), '[]')
    from document_lines l where l.organization_id = documents.organization_id and l.document_id = documents.id)`.as(
  'items',
)
const noLines = sql<LineRow[]>`'[]'::json`.as('items')

/** What the document was issued with; a draft has no copy and shows what is stored now. */
const issuedCopy = sql`issued_copies i where i.organization_id = documents.organization_id and i.document_id = documents.id`

/** What the rules of the country are about, as the document was issued. */
const countryColumns = [
  'paymentMethod', 'taxRate', 'rateCurrency', 'countryRate', 'countryRateDate',
  sql<Record<string, unknown> | null>`country_specific_data`.as('countrySpecificData'),
  sql<Document['organization']>`coalesce((select i.issuer from ${issuedCopy}), (select jsonb_build_object('id', o.id, 'name', o.name,
      'country', o.country, 'currency', o.currency, 'registrationNumber', o.registration_number, 'taxNumber', o.tax_number,
      'address', o.address, 'email', o.email, 'phone', o.phone)
    from organizations o where o.id = documents.organization_id))`.as('organization'),
  sql<Customer | null>`coalesce((select i.customer from ${issuedCopy}), (select jsonb_build_object('name', nullif(documents.counterparty_name, ''),
      'country', c.country, 'kind', c.kind, 'registrationNumber', c.registration_number, 'address', c.address)
    from customers c where c.organization_id = documents.organization_id and c.id = documents.counterparty_id))`.as(
    'buyer',
  ),
  sql<Language | null>`case when documents.issued_at is null
    then (select s.language from organization_settings s where s.organization_id = documents.organization_id) end`.as(
    'chosenLanguage',
  ),
] as const // biome-ignore format: a list of words

const detailColumns = [
  ...countryColumns,
  'direction', 'series', 'bankAccountId', 'payUntil', 'paymentDate', 'receiptNumber', 'sentAt',
  'linkVersion', 'givenRate', 'givenRateDate',
  // What the rate would be, had none been given.
  sql<string | null>`case when given_rate is not null then published_rate(documents) end`.as('publishedRate'),
  sql<IssuedAs | null>`(select jsonb_build_object('language', i.language, 'title', i.title, 'logoFileId', i.logo_file_id,
      'bankAccount', i.bank_account, 'originalFileId', i.original_file_id, 'terms', i.terms) from ${issuedCopy})`.as('issuedAs'),
  sql<string | null>`case when documents.issued_at is null
    then (select s.sender_name from organization_settings s where s.organization_id = documents.organization_id)
    else (select i.issuer ->> 'senderName' from ${issuedCopy}) end`.as('senderName'),
  // An issued document that names another account since then shows that one; the original keeps the first one.
  sql<PayerBankAccount | null>`coalesce((select i.bank_account from ${issuedCopy}
      and i.bank_account ->> 'id' = documents.bank_account_id::text),
    (select jsonb_build_object('id', b.id, 'accountName', b.account_name, 'bankName', b.bank_name,
      'accountNumber', b.account_number, 'branchCode', b.branch_code, 'swiftCode', b.swift_code, 'iban', b.iban,
      'routingNumber', b.routing_number, 'localBankCode', b.local_bank_code, 'notes', b.notes)
    from bank_accounts b where b.organization_id = documents.organization_id and b.id = documents.bank_account_id))`.as(
    'bankAccount',
  ),
] as const // biome-ignore format: a list of words

/** The bank account with the fields that a payer needs; the API shows fewer. */
type PayerBankAccount = NonNullable<Document['bankAccount']> & { localBankCode: string | null; notes: string | null }

/** The parts of the copy of an issued document that are not fields of the document. */
type IssuedAs = {
  language: Language
  title: Record<Language, string>
  logoFileId: string | null
  bankAccount: PayerBankAccount | null
  originalFileId: string | null
  /** Null if an earlier version issued the document. */
  terms: { dueDate: string | null; payUntil: string | null; notes: string | null } | null
}

export type ListedRow = Awaited<ReturnType<ReturnType<typeof selectListed>['executeTakeFirstOrThrow']>>
export type CountryRow = Omit<
  Awaited<ReturnType<ReturnType<typeof selectForCountry>['executeTakeFirstOrThrow']>>,
  'issuedAs'
> & {
  issuedAs: Pick<IssuedAs, 'language' | 'title'> | null
}
export type DocumentRow = Awaited<ReturnType<ReturnType<typeof selectDocument>['executeTakeFirstOrThrow']>>

/** The customer as the API shows them, with the name as it was when the document was issued. */
const customerOf = ({ customerId, counterpartyName, customerEmail }: ListedRow) => ({
  id: customerId,
  name: counterpartyName || null,
  email: customerEmail,
})

/**
 * The amounts of a document in major units. A receipt counts as paid in full unless it was cancelled; a draft is not owed. Of a
 * credit memo what was used of its credit is paid, and the rest is open.
 */
function amountsOf(row: ListedRow) {
  const { currency, exchangeRate, subtotalMinor, taxMinor, totalMinor, paidMinor, paymentId, cancelledAt } = row
  const { openCreditMinor } = row
  const major = (minor: number) => toMajor(BigInt(minor), currency)
  return {
    exchangeRate: exchangeRate === null ? null : Number(exchangeRate),
    subtotal: major(subtotalMinor),
    taxAmount: major(taxMinor),
    total: major(totalMinor),
    paidAmount: major(paymentId === null ? paidMinor : cancelledAt === null ? totalMinor - openCreditMinor : 0),
    creditedAmount: major(row.creditedMinor),
    openBalance: row.status === 'DRAFT' ? 0 : major(row.openMinor + openCreditMinor),
    items: row.items.map(
      ({ id, itemId, description, quantity, unitPrice, amountMinor, taxRate, taxCategory, discountPercent, discountMinor }): Line =>
        ({ id, itemId, description, quantity, unitPrice, amount: major(amountMinor), taxRate, taxCategory, discountPercent,
          discountAmount: discountMinor === null ? null : major(discountMinor) }),
    ),
    payments: row.payments.map(({ id, amountMinor, paidAt, method }) =>
      ({ id, amount: major(amountMinor), paidAt, method })),
  }
} // biome-ignore format: one line a row

/** The links of a conversion. An invoice that names a source document was issued for that payment request. */
const conversionOf = ({ documentType, sourceDocumentId, convertedToId }: ListedRow) => ({
  convertedFromId: documentType === 'INVOICE' || documentType === 'INVOICE_RECEIPT' ? sourceDocumentId : null,
  convertedToId,
})

/** Names every field, because copying rows with a spread took a quarter of the time of a list. */
export function toListed(row: ListedRow, attachments?: Attachment[]): ListedDocument {
  const { exchangeRate, subtotal, taxAmount, total, paidAmount, creditedAmount, openBalance, items, payments } =
    amountsOf(row)
  const { id, organizationId, customerId, documentType, invoiceNumber, status, inDispute, dueDate, currency } = row
  const { notes, vatAllocationNumber, generatorVersion, issueDate, createdBy, createdAt, updatedAt, cancelledAt } = row
  const { exchangeRateDate } = row
  const { convertedFromId, convertedToId } = conversionOf(row)
  const customer = customerOf(row)
  return {
    id, organizationId, customerId, documentType, invoiceNumber, status, inDispute, dueDate, currency, exchangeRate,
    exchangeRateDate, subtotal, taxAmount, total, paidAmount, creditedAmount, openBalance, notes, vatAllocationNumber,
    generatorVersion, customer, items, createdBy, createdAt, updatedAt, cancelledAt, convertedFromId, convertedToId,
    payments, invoiceDate: issueDate, totalAmount: total, ...(attachments && { attachments }),
  } // biome-ignore format: a list of words
}

/** New fields come before the spread, and fields that the row has after it, because that is the fastest order. */
export function toDocument(row: DocumentRow): Document {
  const { exchangeRate, subtotal, taxAmount, total, paidAmount, creditedAmount, openBalance, items, payments } =
    amountsOf(row)
  const { convertedFromId, convertedToId } = conversionOf(row)
  const document = {
    subtotal, taxAmount, total, paidAmount, creditedAmount, openBalance, convertedFromId, customer: customerOf(row),
    ...row,
    exchangeRate, items, payments, convertedToId, taxRate: row.taxRate === null ? null : Number(row.taxRate),
  } // biome-ignore format: a list of words
  return document
}

/** The attachments of a document, with temporary links to their files. */
export const attachmentsOfRow = (services: Services & { now: Date }, row: ListedRow): Attachment[] =>
  row.attached.map((attachment) => toAttachment(services, row, attachment))
