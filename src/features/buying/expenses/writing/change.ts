import { sql } from 'kysely'
import { conflict } from '../../../../core/define/failure.ts'
import type { Database, Inside, Member } from '../../../../core/define/operation.ts'
import { one } from '../../../../core/define/query.ts'
import { requireUnchanged } from '../../../../core/define/unchanged.ts'
import { withWarnings } from '../../../../core/define/warning.ts'
import { toMajor } from '../../../../core/values/money.ts'
import { pipeline } from '../../../../db/pipeline.ts'
import { appendHistory } from '../../../../ledger/history.ts'
import { lockDocument } from '../../../../ledger/numbering.ts'
import { changedRate, type GivenRate } from '../../../selling/documents/rates/exchange-rate.ts'
import { learnAlias } from '../../suppliers/aliases.ts'
import { expenseSubmitted, toEventPayload } from '../events.ts'
import type { Expense, ExpenseChanges } from '../expense.ts'
import { deductsInputTax, type ExpenseContext, expenseContext, resolveReferences } from '../expense-context.ts'
import { type ExpenseRow, expenseById, expenseWithHome, toExpense } from '../reading/read.ts'
import { refuseSettled } from '../status/transitions.ts'
import { type ExpenseInput, emptyFields, refuseDeduction, type SplitAmounts } from './amounts.ts'
import { insertExpenseLines, isOfSplit, lineText, toRows } from './save.ts'
import { storedWarnings } from './stored-warnings.ts'

type ChangeContext = Omit<Inside, 'who'> & { who: Promise<Member> }

/**
 * Changes an expense. Of an approved one the title, the notes, the category and the payment method may change; another
 * change takes the approval back, which is possible while nothing is paid.
 */
export async function changeExpense(
  context: ChangeContext,
  { id, ...changes }: ExpenseChanges,
  { replace = false } = {},
): Promise<Expense> {
  const { db, who, now, emit } = context
  const { organization, member, row } = await pipeline({
    organization: expenseContext(db),
    member: who,
    locked: lockDocument(db, id),
    row: one(expenseById(db, id), 'expense'),
  })
  await requireUnchanged(context, { id, noun: 'expense', updatedAt: row.updatedAt })
  const wanted = changedInput(row, changes, { replace })
  if (changes.deductibleTaxAmount !== toMajor(BigInt(row.taxMinor), row.currency))
    refuseDeduction(changes.deductibleTaxAmount, deductsInputTax(organization))
  const supplier = wantedSupplier(row, wanted, changes, { replace })
  const references = await resolveReferences(db, {
    ...wanted,
    ...{ supplierId: supplier.id, customerIds: [] },
  })
  const supplierId = supplier.isFound ? references.supplierId : supplier.id
  const input = { ...wanted, vendor: references.vendor, supplierId }
  const isDraft = row.status === 'DRAFT'
  const { isReopened, changed, warnings } = await storeChange(db, row, input, { organization, now, isDraft, member })
  if (supplierId !== null && supplierId !== row.supplierId) await learnAlias(db, { expenseId: id, supplierId })
  const reopened = isReopened && (await one(expenseWithHome(db, id), 'expense'))
  const after = reopened || (changed ? await one(expenseById(db, id), 'expense') : row)
  if (changed) context.audit({ fields: changedFields(inputOf(row), input) })
  if (changed)
    await appendHistory(db, id, 'UPDATED', { userId: member.userId, ...(isReopened && { status: after.status }) })
  const expense = toExpense(context, after)
  if (reopened) emit(expenseSubmitted, toEventPayload(expense, reopened))
  return withWarnings(expense, [...warnings, ...(await storedWarnings(db, after, organization))])
}

/** The supplier that is given, or else the one that is kept with the name of the vendor; a new name finds another one. */
function wantedSupplier(
  row: ExpenseRow,
  { vendor }: ExpenseInput,
  changes: Partial<ExpenseChanges>,
  { replace }: { replace: boolean },
): { id: string | null; isFound: boolean } {
  if (changes.supplierId !== undefined) return { id: changes.supplierId, isFound: changes.supplierId !== null }
  const isKept = !replace && vendor === row.vendor
  return isKept ? { id: row.supplierId, isFound: false } : { id: null, isFound: true }
}

type StoreOptions = {
  organization: ExpenseContext
  now: Date
  isDraft: boolean
  member?: Member
  /** Who let a scan fill in what it read. */
  scannedFor?: readonly string[]
}

/**
 * Writes what differs. `member` is the caller who changes an expense; without one the expense is being approved, and its
 * amounts are written as they are now.
 */
export async function storeChange(
  db: Database,
  row: ExpenseRow,
  input: ExpenseInput,
  { member, scannedFor, ...options }: StoreOptions,
) {
  const before = toRows(inputOf(row), options)
  const after = toRows(input, options)
  const booked = differs(bookedPart(before), bookedPart(after))
  const changed = booked || differs(before, after)
  if (member && !changed) return { changed, isReopened: false, warnings: after.warnings }
  const isReopened = booked && row.status === 'APPROVED'
  if (isReopened) await reopen(db, row)
  else refuseChangeOfPaid(row, after)
  const acting = member?.actingFor ?? scannedFor
  const writesLines = row.status !== 'APPROVED' || isReopened
  await pipeline({
    document: db
      .updateTable('documents')
      .set({ ...(writesLines ? after.document : openFields(after.document)), revision: sql<number>`revision + 1` })
      .where('id', '=', row.id)
      .execute(),
    expense: db
      .updateTable('expenses')
      .set({
        ...after.expense,
        ...(member && booked && { changedBy: member.userId, changedFor: [...member.actingFor] }),
        ...(acting && setsAmount(before, after) && { amountFor: [...acting] }),
        ...(member && { enteredFields: withEntered(changedFields(inputOf(row), input)) }),
      })
      .where('id', '=', row.id)
      .execute(),
    oldLines: writesLines && db.deleteFrom('documentLines').where('documentId', '=', row.id).execute(),
    lines: writesLines && insertExpenseLines(db, row.id, after.amounts, lineText(after.expense)),
    categories: !writesLines && setCategories(db, row.id, after.amounts.splits),
  })
  return { changed, isReopened, warnings: after.warnings }
}

/** Whether what it is worth is another amount afterwards. */
const setsAmount = ({ document: one }: Rows, { document: other }: Rows) =>
  one.totalMinor !== other.totalMinor || one.currency !== other.currency || one.givenRate !== other.givenRate

/** The fields that a person has changed, which a scan then leaves alone. */
const changedFields = (before: ExpenseInput, after: ExpenseInput) =>
  Object.keys(after).filter((field) =>
    differs([before[field as keyof ExpenseInput]], [after[field as keyof ExpenseInput]]),
  )

const withEntered = (fields: readonly string[]) =>
  sql<string[]>`(select array_agg(distinct field) from unnest(entered_fields || ${[...fields]}::text[]) field)`

type Rows = ReturnType<typeof toRows>

/** What the journal and the tax report are made of: everything but the title, the notes, the category and how it is paid. */
function bookedPart({ document, expense, amounts }: Rows) {
  const { paymentMethod: _, dueDate: __, ...booked } = document
  const { title, notes, categoryId, ...named } = expense
  return { booked, named, nets: amounts.nets, splits: amounts.splits.map(({ amount, tax }) => ({ amount, tax })) }
}

const openFields = ({ paymentMethod, dueDate }: Rows['document']) => ({ paymentMethod, dueDate })

const differs = (a: object, b: object) => textOf(a) !== textOf(b)
const textOf = (value: object) =>
  JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? String(part) : part))

/** The parts of a payment stay with whom and with what they paid, and never exceed the expense. */
function refuseChangeOfPaid({ currency, counterpartyId, paidMinor, creditedMinor }: ExpenseRow, { document }: Rows) {
  if (paidMinor === 0) return
  if (document.currency !== currency || document.counterpartyId !== counterpartyId)
    throw conflict(
      'The expense has payments. Void them before you change its currency, supplier or claimant.',
      'HAS_PAYMENTS',
    )
  const paid = paidMinor + creditedMinor
  if (document.totalMinor < paid)
    throw conflict(
      `${toMajor(BigInt(paid), currency)} ${currency} of the expense is paid. Void payments before you lower its amount below that.`,
      'HAS_PAYMENTS',
    )
}

/** Takes the approval back, so that the amounts can change. */
async function reopen(db: Database, row: ExpenseRow) {
  refuseSettled(row, 'change its amount, currency, date, tax or vendor')
  await db.updateTable('documents').set({ status: 'PENDING_REVIEW' }).where('id', '=', row.id).execute()
}

/** The categories and descriptions of splits may change without the amounts. */
const setCategories = (db: Database, id: string, splits: readonly SplitAmounts[]) =>
  Promise.all(
    splits.map(({ categoryId, description }, at) =>
      db
        .updateTable('expenseSplits')
        .set({ categoryId, description })
        .where('expenseId', '=', id)
        .where('lineId', '=', String(at + 1))
        .execute(),
    ),
  )

/** What a caller would have to write for the expense to be as it is, with the changes. */
export function changedInput(
  row: ExpenseRow,
  changes: Omit<Partial<ExpenseChanges>, 'id'>,
  { replace }: { replace: boolean },
): ExpenseInput {
  const current = inputOf(row)
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
  const input: ExpenseInput = { ...current, ...(replace && emptyFields), ...given }
  if (changes.deductibleTaxAmount === toMajor(BigInt(row.taxMinor), row.currency))
    input.deductibleTaxAmount = current.deductibleTaxAmount // the client read what is deducted and sent it back
  if (changes.categoryId === undefined && changes.splits && !isOfSplit(current.categoryId, changes.splits))
    input.categoryId = null // that of the first split
  Object.assign(input, changedExpenseRate(row, changes, { currency: input.currency, replace }))
  const isNewBase = changes.taxRate !== undefined || (changes.amount !== undefined && current.taxAmount !== null)
  if (changes.taxAmount === undefined && isNewBase && input.taxRate !== null) input.taxAmount = undefined
  return input
}

/** The given rate of a changed expense. An approved one shows the rate that it was booked with; sent back, it changes nothing. */
function changedExpenseRate(
  row: ExpenseRow,
  changes: Omit<Partial<ExpenseChanges>, 'id'>,
  options: { currency: string; replace: boolean },
): GivenRate {
  const isAsRead = row.exchangeRate !== null && changes.exchangeRate === Number(row.exchangeRate)
  const { currency, exchangeRateDate, givenRateDate } = row
  const stored = { currency, exchangeRate: row.givenRate, exchangeRateDate, givenRateDate }
  return changedRate(stored, isAsRead ? { ...changes, exchangeRate: null } : changes, options)
}

const inputOf = (row: ExpenseRow): ExpenseInput => {
  const major = (minor: number) => toMajor(BigInt(minor), row.currency)
  const majorOrNull = (minor: number | null) => (minor === null ? null : major(minor))
  const { title, vendor, notes, categoryId, paymentMethod, supplierId, claimantId, orderId, dueDate, currency, date } =
    row
  const { documentNumber, vendorTaxNumber } = row
  return {
    title,
    vendor,
    notes,
    categoryId,
    paymentMethod,
    supplierId,
    claimantId,
    orderId,
    dueDate,
    currency,
    date,
    documentNumber,
    vendorTaxNumber,
    vatAllocationNumber: row.allocationNumber,
    amount: major(row.totalMinor),
    taxAmount: majorOrNull(row.chargedTaxMinor),
    taxRate: row.taxRate === null ? null : Number(row.taxRate),
    deductibleTaxAmount: majorOrNull(row.deductibleTaxMinor),
    exchangeRate: row.givenRate === null ? null : Number(row.givenRate),
    exchangeRateDate: row.givenRateDate,
    splits:
      row.splits.length === 0
        ? null
        : row.splits.map(({ category, amountMinor, taxMinor, description }) => ({
            categoryId: category?.id ?? null,
            amount: major(amountMinor),
            taxAmount: majorOrNull(taxMinor),
            description,
          })),
  }
}
