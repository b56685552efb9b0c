import { event } from '../../../core/define/event.ts'
import { Id, nullable, OneOf, type Static, Text, Type } from '../../../core/define/schema.ts'
import { toMajor } from '../../../core/values/money.ts'
import { type Expense, sources } from './expense.ts'
import { expenseKind } from './kind.ts'
import type { ExpenseRowWithHome } from './reading/read.ts'

const ExpensePayload = Type.Object({
  id: Id,
  organizationId: Id,
  title: nullable(Text),
  description: nullable(Text),
  vendor: nullable(Text),
  supplierId: nullable(Id),
  claimantId: nullable(Id),
  categoryId: nullable(Id),
  categoryName: nullable(Text),
  status: OneOf(...expenseKind.statuses),
  source: OneOf(...sources),
  currency: Text,
  amount: Type.Number(),
  homeAmount: nullable(
    Type.Number({
      description:
        'The amount in the currency of the organization, at the rate of its date or the given one, whichever makes more of it; null if no rate is known.',
    }),
  ),
  revision: Type.Integer({ description: 'Larger after every change of the expense.' }),
  taxAmount: nullable(Type.Number()),
  paidAmount: Type.Number(),
  openBalance: Type.Number(),
  date: Type.String({ description: 'A calendar day, such as 2026-01-31.' }),
  dueDate: nullable(Type.String()),
  documentNumber: nullable(Text),
  statusReason: nullable(Text),
})
export const expenseCreated = event('expense.created', ExpensePayload, 'An expense was created')
export const expenseSubmitted = event('expense.submitted', ExpensePayload, 'An expense was submitted for review')
export const expenseApproved = event('expense.approved', ExpensePayload, 'An expense was approved')
export const expenseRejected = event('expense.rejected', ExpensePayload, 'An expense was rejected')
export const expensePaid = event('expense.paid', ExpensePayload, 'An expense was paid in full')

export const expenseScanned = event(
  'expense.scanned',
  Type.Object({
    ...ExpensePayload.properties,
    attachmentId: Id,
    providerId: { ...Text, description: 'The reader: kontor-ocr, kontor-pdf, kontor-einvoice or a model.' },
  }),
  'An attachment of an expense was read, and the expense was filled in',
)

export const expenseCredited = event(
  'expense.credited',
  Type.Object({
    id: { ...Id, description: 'Of the credit.' },
    expenseId: Id,
    organizationId: Id,
    vendor: nullable(Text),
    supplierId: nullable(Id),
    currency: Text,
    amount: Type.Number(),
    date: Type.String(),
    reason: nullable(Text),
  }),
  'A supplier credited an expense',
)

/** `row` is the row that the expense was read from. */
export const toEventPayload = (
  expense: Expense,
  { home }: Pick<ExpenseRowWithHome, 'home'>,
): Static<typeof ExpensePayload> => ({
  ...expense,
  categoryName: expense.category?.name ?? null,
  homeAmount: home && toMajor(BigInt(home.minor), home.currency),
})
