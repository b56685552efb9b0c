import { invalid } from '../../core/define/failure.ts'
import type { Database } from '../../core/define/operation.ts'
import { toUuid } from '../../core/define/query.ts'
import { isCurrency } from '../../core/values/currency.ts'
import { today } from '../../core/values/day.ts'
import { minorDigits } from '../../core/values/money.ts'
import { productVersion } from '../../core/values/product-version.ts'
import { refuseDuplicateLineIds } from '../../ledger/lines.ts'
import { dayOf, type OrganizationContext } from '../../ledger/organization-context.ts'
import { readAmounts, refuse, type Totals, totalsProblems } from '../../ledger/totals.ts'
import type { DocumentStatus } from './document.ts'

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

/** Refuses a customer or an account that is not there; both are asked for in one go with whatever else is. */
export async function checkReferences(db: Database, named: { customerId?: string; bankAccountId?: string | null }) {
  const { customerId, bankAccountId } = named
  const [customer, account] = await Promise.all([
    customerId === undefined ? true : exists(db, 'customers', customerId),
    bankAccountId === undefined || bankAccountId === null ? true : exists(db, 'bankAccounts', bankAccountId),
  ])
  if (!customer) throw invalid('customerId', 'There is no such customer.', 'UNKNOWN_REFERENCE')
  if (!account) throw invalid('bankAccountId', 'There is no such bank account.', 'UNKNOWN_REFERENCE')
}

const exists = async (db: Database, table: 'customers' | 'bankAccounts', id: string) =>
  (await db.selectFrom(table).select('id').where('id', '=', toUuid(id)).executeTakeFirst()) !== undefined

/** The columns of a document that is wanted so, and what is odd about it. Throws what makes it impossible. */
export function toColumns(wanted: DocumentInput, { home, now }: { home: OrganizationContext; now: Date }) {
  const draft = wanted.status === 'DRAFT'
  const currency = currencyOf(wanted.currency)
  refuseDuplicateLineIds(wanted.items)
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
