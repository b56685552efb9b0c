import { invalid } from '../../../core/define/failure.ts'
import type { Database } from '../../../core/define/operation.ts'
import { toUuid } from '../../../core/define/query.ts'
import { today } from '../../../core/values/day.ts'
import { minorDigits } from '../../../core/values/money.ts'
import { productVersion } from '../../../core/values/product-version.ts'
import { pipeline } from '../../../db/pipeline.ts'
import { currencyOf } from '../../../ledger/currency-of.ts'
import { refuseDuplicateLineIds } from '../../../ledger/lines.ts'
import { dayOf, type OrganizationContext } from '../../../ledger/organization-context.ts'
import { readAmounts, refuseProblems, type Totals, totalsProblems } from '../../../ledger/totals.ts'
import type { DocumentStatus } from './document.ts'
import { refuseFutureDate } from './issuing/dates.ts'
import { tooLongWarnings } from './print/print-length.ts'
import { type GivenRate, noRate, rateColumns } from './rates/exchange-rate.ts'

/** All fields of a document that a caller sets. */
export type DocumentInput = Totals &
  GivenRate & {
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

/** The optional fields of a new document that are not given, and those that PUT empties when they are left out. */
export const emptyOptionalFields = {
  bankAccountId: null,
  issueDate: undefined,
  dueDate: null,
  payUntil: null,
  countrySpecificData: null,
  notes: null,
  paymentMethod: null,
  paymentDate: null,
  ...noRate,
} as const

/** Refuses an unknown customer or bank account. */
export async function checkReferences(
  db: Database,
  references: { customerId?: string; bankAccountId?: string | null },
) {
  const { customerId, bankAccountId } = references
  const { hasCustomer, hasAccount } = await pipeline({
    hasCustomer: customerId === undefined || exists(db, 'customers', customerId),
    hasAccount: bankAccountId === undefined || bankAccountId === null || exists(db, 'bankAccounts', bankAccountId),
  })
  if (!hasCustomer) throw invalid('customerId', 'The customer does not exist.', 'UNKNOWN_REFERENCE')
  if (!hasAccount) throw invalid('bankAccountId', 'The bank account does not exist.', 'UNKNOWN_REFERENCE')
}

const exists = async (db: Database, table: 'customers' | 'bankAccounts', id: string) =>
  (await db.selectFrom(table).select('id').where('id', '=', toUuid(id)).executeTakeFirst()) !== undefined

/** The columns and amounts of a document, with warnings. Refuses amounts that an issued document must not have. */
export function toColumns(
  input: DocumentInput,
  { organization, now }: { organization: OrganizationContext; now: Date },
) {
  const isDraft = input.status === 'DRAFT'
  const currency = currencyOf(input.currency)
  refuseDuplicateLineIds(input.items)
  const amounts = readAmounts({ ...input, currency }, { draft: isDraft })
  if (!isDraft) refuseProblems(totalsProblems(amounts))
  const day = (field: 'dueDate' | 'payUntil' | 'paymentDate') => dayOf(field, input[field], organization)
  const currentDay = today(now, organization.timezone)
  const issueDate = dayOf('issueDate', input.issueDate ?? null, organization) ?? currentDay
  if (!isDraft) refuseFutureDate(issueDate, currentDay)
  const rate = rateColumns({ ...input, currency }, organization)
  const columns = {
    documentType: input.documentType,
    counterpartyId: input.customerId,
    bankAccountId: input.bankAccountId,
    currency,
    minorDigits: minorDigits(currency),
    issueDate,
    issueDateGiven: Boolean(input.issueDate),
    dueDate: day('dueDate'),
    payUntil: day('payUntil'),
    subtotalMinor: Number(amounts.subtotal),
    taxMinor: Number(amounts.taxAmount),
    totalMinor: Number(amounts.total),
    taxRate: amounts.taxRate,
    notes: input.notes,
    paymentMethod: input.paymentMethod,
    paymentDate: day('paymentDate'),
    countrySpecificData: input.countrySpecificData === null ? null : JSON.stringify(input.countrySpecificData),
    generatorVersion: productVersion,
    ...rate.columns,
  }
  const lengthWarnings = isDraft ? tooLongWarnings(input) : []
  return { columns, amounts, warnings: [...amounts.warnings, ...rate.warnings, ...lengthWarnings] }
}
