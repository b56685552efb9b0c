import { sql } from 'kysely'
import type { Database } from '../../../../core/define/operation.ts'
import type { Warning } from '../../../../core/define/schema.ts'
import { today } from '../../../../core/values/day.ts'
import { minorDigits } from '../../../../core/values/money.ts'
import { productVersion } from '../../../../core/values/product-version.ts'
import { currencyOf } from '../../../../ledger/currency-of.ts'
import { dayOf, requiredDay } from '../../../../ledger/organization-context.ts'
import { rateColumns } from '../../../selling/documents/rates/exchange-rate.ts'
import { deductsInputTax, type ExpenseContext } from '../expense-context.ts'
import { expenseKind } from '../kind.ts'
import { type ExpenseAmounts, type ExpenseInput, readAmounts } from './amounts.ts'

/** The rows of an expense, computed from what a caller wrote. */
export function toRows(
  input: ExpenseInput,
  { organization, now, isDraft }: { organization: ExpenseContext; now: Date; isDraft: boolean },
) {
  const currency = currencyOf(input.currency)
  const date = requiredDay('date', input.date, organization)
  const amounts = readAmounts(input, currency, { isDraft, deductsInputTax: deductsInputTax(organization) })
  const rate = rateColumns({ ...input, currency }, organization, 'expense')
  const document = {
    counterpartyId: input.claimantId ?? input.supplierId,
    currency,
    minorDigits: minorDigits(currency),
    issueDate: date,
    dueDate: dayOf('dueDate', input.dueDate, organization),
    subtotalMinor: Number(amounts.subtotal),
    taxMinor: Number(amounts.inputTax),
    totalMinor: Number(amounts.total),
    taxRate: amounts.taxRate,
    paymentMethod: textOrNull(input.paymentMethod),
    ...rate.columns,
  }
  const expense = {
    title: textOrNull(input.title),
    vendor: textOrNull(input.vendor),
    supplierId: input.supplierId,
    claimantId: input.claimantId,
    orderId: input.orderId,
    categoryId: input.categoryId ?? amounts.splits[0]?.categoryId ?? null,
    notes: textOrNull(input.notes),
    chargedTaxMinor: amounts.chargedTax === null ? null : Number(amounts.chargedTax),
    deductibleTaxMinor: amounts.deductible === null ? null : Number(amounts.deductible),
    documentNumber: textOrNull(input.documentNumber),
    vendorTaxNumber: textOrNull(input.vendorTaxNumber),
    allocationNumber: textOrNull(input.vatAllocationNumber),
  }
  const warnings = [
    ...amounts.warnings,
    ...categoryWarnings(expense.categoryId, amounts.splits),
    ...dateWarnings(date, organization, now),
    ...rate.warnings,
  ]
  return { document, expense, amounts, warnings }
}

/** The columns of the ledger that are the same for every new expense. */
export const newDocument = {
  kind: expenseKind.name,
  direction: expenseKind.direction,
  documentType: 'EXPENSE',
  bankAccountId: null,
  payUntil: null,
  notes: null,
  paymentDate: null,
  countrySpecificData: null,
  generatorVersion: productVersion,
  issueDateGiven: true,
} as const

const textOrNull = (text: string | null) => text?.trim() || null

function dateWarnings(date: string, { timezone }: ExpenseContext, now: Date): Warning[] {
  if (date <= today(now, timezone)) return []
  return [{ code: 'FUTURE_DATE', path: 'date', message: `The date ${date} is in the future.` }]
}

/** Whether a category is that of a split; ids are compared as PostgreSQL does. */
export const isOfSplit = (categoryId: string | null, splits: readonly { categoryId: string | null }[]) =>
  splits.some((split) => split.categoryId?.toLowerCase() === categoryId?.toLowerCase())

/** The journal books a split expense to the categories of its splits; its own category only sorts it in lists. */
function categoryWarnings(categoryId: string | null, splits: ExpenseAmounts['splits']): Warning[] {
  if (categoryId === null || splits.length === 0 || isOfSplit(categoryId, splits)) return []
  const message =
    'categoryId is none of the categories of the splits. The journal follows the splits; categoryId is only shown and filtered by.'
  return [{ code: 'CATEGORY_NOT_IN_SPLITS', path: 'categoryId', message }]
}

/** Writes the lines of an expense, one for each split or one for all. */
export async function insertExpenseLines(db: Database, id: string, { nets, splits }: ExpenseAmounts, title: string) {
  const rows = nets.map((net, at) => ({
    position: at,
    id: String(at + 1),
    description: splits[at]?.description ?? null,
    net: String(net),
    category_id: splits[at]?.categoryId ?? null,
    amount_minor: splits[at] && String(splits[at].amount),
    tax_minor: splits[at]?.tax?.toString() ?? null,
  }))
  await sql`with given as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as l (position integer, id text, description text, net bigint,
        category_id uuid, amount_minor bigint, tax_minor bigint)
    ), lines as (
      insert into document_lines (document_id, position, id, description, quantity, unit_price, amount_minor)
      select ${id}::uuid, position, id, coalesce(description, ${title}::text), 1, 0, net from given
    )
    insert into expense_splits (expense_id, line_id, category_id, description, amount_minor, charged_tax_minor)
      select ${id}::uuid, id, category_id, description, amount_minor, tax_minor from given where amount_minor is not null`.execute(
    db,
  )
}

/** What the line of an expense without splits says. */
export const lineText = ({ title, vendor }: { title: string | null; vendor: string | null }) =>
  title ?? vendor ?? 'Expense'

/** Links customers to an expense; those that are linked already stay. */
export const linkCustomers = (db: Database, id: string, customerIds: readonly string[]) =>
  db
    .insertInto('expenseCustomers')
    .values([...new Set(customerIds)].map((customerId) => ({ expenseId: id, customerId })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
