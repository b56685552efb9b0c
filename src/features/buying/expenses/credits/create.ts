import { conflict } from '../../../../core/define/failure.ts'
import { operation } from '../../../../core/define/operation.ts'
import { one } from '../../../../core/define/query.ts'
import { Id, nullable, optional, Type, type Warning } from '../../../../core/define/schema.ts'
import { withWarnings } from '../../../../core/define/warning.ts'
import { today } from '../../../../core/values/day.ts'
import { newId } from '../../../../core/values/id.ts'
import { pipeline } from '../../../../db/pipeline.ts'
import { appendHistory } from '../../../../ledger/history.ts'
import { lockDocument } from '../../../../ledger/numbering.ts'
import { dayOf } from '../../../../ledger/organization-context.ts'
import { recordPayment } from '../../../../ledger/payments/record-payment.ts'
import { expenseCredited } from '../events.ts'
import { Expense } from '../expense.ts'
import { expenseContext } from '../expense-context.ts'
import { expenseKind } from '../kind.ts'
import { type ExpenseRow, expenseById, toExpense } from '../reading/read.ts'
import { newDocument } from '../writing/save.ts'
import { type CreditAmounts, creditAmounts, majorOf } from './amounts.ts'
import { creditedLine, insertCreditLines } from './lines.ts'

const NewCredit = Type.Object({
  id: Id,
  ...optional({
    amount: Type.Number({
      exclusiveMinimum: 0,
      description: 'Including tax; all that is not credited yet unless given.',
    }),
    taxAmount: Type.Number({ minimum: 0, description: 'The tax in it; in proportion to the expense unless given.' }),
    date: Type.String({
      maxLength: 40,
      description: 'The day of the credit note; today unless given.',
      examples: ['2026-02-15'],
    }),
    documentNumber: nullable(Type.String({ maxLength: 200, description: 'The number on the credit note.' })),
    reason: nullable(Type.String({ maxLength: 2_000 })),
    lineId: nullable(
      Type.String({
        maxLength: 40,
        description:
          'The id of the split that it credits; all of them in proportion to what is left of them unless given.',
        examples: ['1'],
      }),
    ),
  }),
})

export const credit = operation({
  name: 'expenses_credits',
  http: 'POST /api/expenses/{id}/credits',
  does: 'Records the credit note of a supplier for an approved expense. It reduces what is owed; the rest can be allocated to other expenses of the supplier or refunded by them.',
  scope: 'expenses:write',
  role: 'MANAGER',
  within: 'expenses',
  input: NewCredit,
  output: Expense,
  status: 201,
  async run(context, { id, ...given }) {
    const { db, emit, who, now } = context
    const { organization, member, row } = await pipeline({
      organization: expenseContext(db),
      member: who,
      locked: lockDocument(db, id),
      row: one(expenseById(db, id), 'expense'),
    })
    if (row.status !== 'APPROVED')
      throw conflict('Only an approved expense is credited. Change the amount of this one instead.', 'DRAFT')
    const line = given.lineId ? await creditedLine(db, row, given.lineId) : null
    const amounts = creditAmounts(row, given, line)
    const date = dayOf('date', given.date ?? null, organization) ?? today(now, organization.timezone)
    const reference = given.documentNumber?.trim() || null
    const reason = given.reason?.trim() || null
    const applied = Math.min(amounts.total, row.totalMinor - row.paidMinor - row.creditedMinor)
    const payment = recordPayment(
      { db, emit, member },
      {
        ...{ kind: expenseKind, customerId: row.counterpartyId, currency: row.currency, amountMinor: amounts.total },
        ...{ paidAt: date, method: 'CREDIT_MEMO', source: 'CREDIT_MEMO' },
        stored: { reference, details: null, withheldMinor: 0, bankAccountId: null },
        shares: applied > 0 ? [{ documentId: id, amountMinor: applied }] : [],
      },
    )
    const creditId = newId()
    const { userId } = member
    await pipeline({
      payment: payment.recorded,
      document: db
        .insertInto('documents')
        .values({
          ...newDocument,
          ...creditColumns(row, amounts, date),
          ...{ id: creditId, sourceDocumentId: id, paymentId: payment.id, notes: reason, createdBy: userId },
        })
        .execute(),
      lines: insertCreditLines(db, { creditId, expenseId: id, netMinor: amounts.total - amounts.inputTax }, line),
      created: appendHistory(db, creditId, 'CREATED', { userId }),
      history: appendHistory(db, id, 'MEMO_ISSUED', {
        memoId: creditId,
        kind: 'CREDIT',
        total: majorOf(row, amounts.total),
        userId,
      }),
    })
    const { currency, organizationId, vendor, supplierId } = row
    const amount = majorOf(row, amounts.total)
    emit(expenseCredited, {
      id: creditId,
      expenseId: id,
      organizationId,
      vendor,
      supplierId,
      currency,
      amount,
      date,
      reason,
    })
    const after = toExpense(context, await one(expenseById(db, id), 'expense'))
    return withWarnings(after, dateWarnings(date, { expense: row.date }))
  },
})

/** A credit note is normally of the day of the expense or a later one. */
function dateWarnings(date: string, { expense }: { expense: string }): Warning[] {
  if (date >= expense) return []
  const message = `The credit is dated ${date}, which is before the expense (${expense}).`
  return [{ code: 'CREDIT_BEFORE_EXPENSE', path: 'date', message }]
}

const creditColumns = (row: ExpenseRow, { total, inputTax }: CreditAmounts, date: string) => ({
  documentType: 'CREDIT_MEMO',
  status: 'APPROVED',
  counterpartyId: row.counterpartyId,
  currency: row.currency,
  minorDigits: row.minorDigits,
  issueDate: date,
  dueDate: null,
  subtotalMinor: total - inputTax,
  taxMinor: inputTax,
  totalMinor: total,
  taxRate: row.taxRate,
  paymentMethod: null,
})
