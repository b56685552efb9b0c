import { sql } from 'kysely'
import { invalid } from '../../core/define/failure.ts'
import type { Database } from '../../core/define/operation.ts'
import { toUuid } from '../../core/define/query.ts'
import { isCurrency } from '../../core/values/currency.ts'
import { toDay, today } from '../../core/values/day.ts'
import { newId } from '../../core/values/id.ts'
import { minorDigits } from '../../core/values/money.ts'
import { productVersion } from '../../core/values/product-version.ts'
import { pipeline } from '../../db/pipeline.ts'
import type { DocumentStatus, NewLine } from './document.ts'
import { type Amounts, readAmounts, refuse, type Totals, totalsProblems } from './totals.ts'

/** A document as somebody wants it to be, all of it. */
export type DocumentInput = Totals & {
  customerId: string
  bankAccountId: string | null
  documentType: string
  status: DocumentStatus
  issueDate: string | undefined
  dueDate: string | null
  payUntil: string | null
  countrySpecificData: Record<string, unknown> | null
  notes: string | null
  paymentMethod: string | null
  paymentDate: string | null
}

/**
 * What a document has where nothing was said, and what PUT empties when it is left out. Customer, currency, lines and
 * totals have no default; type and status stay.
 */
export const unsaid = {
  bankAccountId: null,
  issueDate: undefined,
  dueDate: null,
  payUntil: null,
  countrySpecificData: null,
  notes: null,
  paymentMethod: null,
  paymentDate: null,
} as const

/** Where a document is made: what the organization counts in, and which day it is there. */
export type OrganizationContext = { currency: string; timezone: string }

export const organizationContext = (db: Database): Promise<OrganizationContext> =>
  db.selectFrom('organizations').select(['currency', 'timezone']).executeTakeFirstOrThrow()

/** Refuses a customer or an account that is not there; both are asked for in one go with whatever else is. */
export async function checkReferences(db: Database, named: { customerId?: string; bankAccountId?: string | null }) {
  const { customerId, bankAccountId } = named
  const { customer, account } = await pipeline({
    customer: customerId === undefined ? true : exists(db, 'customers', customerId),
    account: bankAccountId === undefined || bankAccountId === null ? true : exists(db, 'bankAccounts', bankAccountId),
  })
  if (!customer) throw invalid('customerId', 'There is no such customer.', 'UNKNOWN_REFERENCE')
  if (!account) throw invalid('bankAccountId', 'There is no such bank account.', 'UNKNOWN_REFERENCE')
}

const exists = async (db: Database, table: 'customers' | 'bankAccounts', id: string) =>
  (await db.selectFrom(table).select('id').where('id', '=', toUuid(id)).executeTakeFirst()) !== undefined

/** The columns of a document that is wanted so, and what is odd about it. Throws what makes it impossible. */
export function toColumns(wanted: DocumentInput, { home, now }: { home: OrganizationContext; now: Date }) {
  const draft = wanted.status === 'DRAFT'
  const currency = currencyOf(wanted.currency)
  refuseSameIds(wanted.items)
  const amounts = readAmounts({ ...wanted, currency }, { draft })
  if (!draft) refuse(totalsProblems(amounts))
  const day = (field: 'dueDate' | 'payUntil' | 'paymentDate') => dayOf(field, wanted[field], home)
  const columns = {
    documentType: wanted.documentType,
    counterpartyId: wanted.customerId,
    bankAccountId: wanted.bankAccountId,
    currency,
    minorDigits: minorDigits(currency),
    issueDate: dayOf('issueDate', wanted.issueDate ?? null, home) ?? today(now, home.timezone),
    issueDateGiven: Boolean(wanted.issueDate),
    dueDate: day('dueDate'),
    payUntil: day('payUntil'),
    subtotalMinor: Number(amounts.subtotal),
    taxMinor: Number(amounts.taxAmount),
    totalMinor: Number(amounts.total),
    taxRate: amounts.taxRate,
    notes: wanted.notes,
    paymentMethod: wanted.paymentMethod,
    paymentDate: day('paymentDate'),
    countrySpecificData: wanted.countrySpecificData === null ? null : JSON.stringify(wanted.countrySpecificData),
    generatorVersion: productVersion,
  }
  return { columns, amounts, warnings: amounts.warnings }
}

function currencyOf(text: string) {
  const code = text.trim().toUpperCase()
  if (!isCurrency(code)) throw invalid('currency', `${text} is not a currency; give a code such as USD.`)
  return code
}

/** An empty day is none. */
export function dayOf(field: string, text: string | null, { timezone }: OrganizationContext): string | null {
  if (text === null || text === '') return null
  const day = toDay(text, timezone)
  if (day === undefined) throw invalid(field, `${field} must be a day such as 2026-01-31.`)
  return day
}

/** The same where there has to be one. */
export function requiredDay(field: string, text: string, home: OrganizationContext): string {
  const day = dayOf(field, text, home)
  if (day === null) throw invalid(field, `${field} must be a day such as 2026-01-31.`)
  return day
}

export function refuseSameIds(items: readonly NewLine[]) {
  const seen = new Set<string>()
  for (const [at, { id }] of items.entries()) {
    if (seen.has(id)) throw invalid(`items.${at}.id`, `Two lines have the id ${id}.`, 'DUPLICATE_LINE')
    seen.add(id)
  }
}

/** One statement however many lines there are, so that it is prepared once. */
export function insertLines(db: Database, documentId: string, items: readonly NewLine[], { lines }: Amounts) {
  const rows = items.map(({ id, itemId, description, taxCategory }, at) => ({
    position: at, id, item_id: itemId, description, tax_category: taxCategory,
    quantity: lines[at]?.quantity, unit_price: lines[at]?.unitPrice, tax_rate: lines[at]?.taxRate,
    amount_minor: String(lines[at]?.amount),
  })) // biome-ignore format: a list of words
  return sql`insert into document_lines
      (document_id, position, id, item_id, description, quantity, unit_price, amount_minor, tax_rate, tax_category)
    select ${documentId}::uuid, l.position, l.id, l.item_id, l.description, l.quantity, l.unit_price, l.amount_minor, l.tax_rate, l.tax_category
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as l (position integer, id text, item_id text, description text,
      quantity numeric, unit_price numeric, amount_minor bigint, tax_rate numeric, tax_category text)`.execute(db)
}

/** What the product itself records about a document, in the chain of its events. */
export const appendHistory = (db: Database, documentId: string, type: string, payload: object) =>
  db
    .insertInto('documentEvents')
    .values({ id: newId(), documentId, type, actorUserId: null, payload: JSON.stringify(payload) })
    .execute()
