import type { Inside, Member } from '../../../../core/define/operation.ts'
import { one } from '../../../../core/define/query.ts'
import type { Warning } from '../../../../core/define/schema.ts'
import { addDays, today } from '../../../../core/values/day.ts'
import { newId } from '../../../../core/values/id.ts'
import { minorDigits } from '../../../../core/values/money.ts'
import { pipeline } from '../../../../db/pipeline.ts'
import { appendHistory } from '../../../../ledger/history.ts'
import { requiredDay } from '../../../../ledger/organization-context.ts'
import { expenseCreated, expenseSubmitted, toEventPayload } from '../events.ts'
import type { Expense, NewExpense } from '../expense.ts'
import {
  deductsInputTax,
  type ExpenseContext,
  expenseContext,
  resolveReferences,
  type SupplierTerms,
} from '../expense-context.ts'
import { expenseWithHome, toExpense } from '../reading/read.ts'
import { type ExpenseInput, emptyFields, refuseDeduction } from './amounts.ts'
import { insertExpenseLines, lineText, linkCustomers, newDocument, toRows } from './save.ts'
import { storedWarnings } from './stored-warnings.ts'

type CreateContext = Omit<Inside, 'who'> & { who: Promise<Member> }

/**
 * Creates an expense: one that a person enters is a DRAFT unless they submit it, one that was read from a scan or a mail waits
 * for review.
 */
export async function createExpense(
  context: CreateContext,
  { organizationId: _, source, customerIds = [], ...given }: NewExpense,
  { isSubmitted = source !== 'MANUAL' } = {},
): Promise<{ expense: Expense; warnings: Warning[] }> {
  const { db, who, now, emit } = context
  const input: ExpenseInput = { ...emptyFields, ...given, taxAmount: given.taxAmount ?? undefined }
  const { organization, member, references } = await pipeline({
    organization: expenseContext(db),
    member: who,
    references: resolveReferences(db, { ...input, customerIds }),
  })
  refuseDeduction(input.deductibleTaxAmount, deductsInputTax(organization))
  const status = isSubmitted ? 'PENDING_REVIEW' : 'DRAFT'
  const isDraft = status === 'DRAFT'
  const { terms, ...parties } = references
  const rows = toRows(withTerms({ ...input, ...parties }, terms, organization), { organization, now, isDraft })
  const id = newId()
  const { row } = await pipeline({
    document: db
      .insertInto('documents')
      .values({ ...newDocument, ...rows.document, id, status, createdBy: member.userId })
      .execute(),
    expense: db
      .insertInto('expenses')
      .values({ ...rows.expense, id, source, enteredFields: givenFields(given), ...ownedBy(member) })
      .execute(),
    lines: insertExpenseLines(db, id, rows.amounts, lineText(rows.expense)),
    customers: customerIds.length > 0 && linkCustomers(db, id, customerIds),
    history: appendHistory(db, id, 'CREATED', { status, source, userId: member.userId }),
    row: one(expenseWithHome(db, id), 'expense'),
  })
  const expense = toExpense(context, row)
  emit(expenseCreated, toEventPayload(expense, row))
  if (!isDraft) emit(expenseSubmitted, toEventPayload(expense, row))
  return { expense, warnings: [...rows.warnings, ...(await storedWarnings(db, row, organization))] }
}

/** Everybody in whose interest it is entered, and who has set its amount. */
const ownedBy = (member: Entering) => ({ enteredFor: everybodyOf(member), amountFor: everybodyOf(member) })

/** Who enters something; a job does it for one person. */
export type Entering = Pick<Member, 'userId'> & Partial<Pick<Member, 'actingFor'>>
export const everybodyOf = ({ userId, actingFor = [userId] }: Entering): string[] => [...actingFor]

const givenFields = (given: object) =>
  Object.entries(given)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([field]) => field)

/** What the supplier usually has, where the caller says nothing: the category, and the due date by the payment terms. */
export function withTerms(
  input: ExpenseInput,
  terms: SupplierTerms | null,
  organization: ExpenseContext,
): ExpenseInput {
  const { categoryId, dueDate, splits } = input
  const days = terms?.paymentTermsDays ?? null
  return {
    ...input,
    categoryId: categoryId ?? (splits?.length ? null : (terms?.defaultCategoryId ?? null)),
    dueDate: dueDate ?? (days === null ? null : addDays(requiredDay('date', input.date, organization), days)),
  }
}

type Origin = { source: 'SCAN' | 'EMAIL'; emailMessageId?: string | null }
type UploadContext = Omit<Inside, 'who' | 'audit' | 'emitAll'> & {
  who: Promise<Entering>
}

/** Creates the expense of a file: an empty draft, until a scan or a person fills it in. Returns its id. */
export async function createForUpload(
  { db, emit, who, now, ...services }: UploadContext,
  { source, emailMessageId = null }: Origin = { source: 'SCAN' },
): Promise<string> {
  const { organization, member } = await pipeline({ organization: expenseContext(db), member: who })
  const id = newId()
  const { currency, timezone } = organization
  const amounts = { subtotalMinor: 0, taxMinor: 0, totalMinor: 0, taxRate: null }
  const ledger = { counterpartyId: null, dueDate: null, paymentMethod: null, issueDate: today(now, timezone) }
  const { row } = await pipeline({
    document: db
      .insertInto('documents')
      .values({
        ...newDocument,
        ...ledger,
        ...amounts,
        currency,
        minorDigits: minorDigits(currency),
        id,
        status: 'DRAFT',
        createdBy: member.userId,
      })
      .execute(),
    expense: db
      .insertInto('expenses')
      .values({ ...emptyExpense, id, source, emailMessageId, enteredFields: [], ...ownedBy(member) })
      .execute(),
    history: appendHistory(db, id, 'CREATED', { status: 'DRAFT', source, userId: member.userId }),
    row: one(expenseWithHome(db, id), 'expense'),
  })
  emit(expenseCreated, toEventPayload(toExpense({ ...services, now }, row), row))
  return id
}

const emptyExpense = {
  title: null, vendor: null, supplierId: null, claimantId: null, orderId: null, categoryId: null, notes: null, chargedTaxMinor: null,
  deductibleTaxMinor: null, documentNumber: null, vendorTaxNumber: null, allocationNumber: null,
} // biome-ignore format: a list of words
