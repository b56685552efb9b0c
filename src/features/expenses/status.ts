import { sql } from 'kysely'
import { conflict } from '../../core/define/failure.ts'
import { type Database, type Inside, type Member, operation } from '../../core/define/operation.ts'
import { one } from '../../core/define/query.ts'
import { Id, nullable, OneOf, optional, type Static, Type } from '../../core/define/schema.ts'
import { withWarnings } from '../../core/define/warning.ts'
import { toMajor } from '../../core/values/money.ts'
import { pipeline } from '../../db/pipeline.ts'
import { appendHistory } from '../../ledger/history.ts'
import { lockDocument } from '../../ledger/numbering.ts'
import { changedInput, storeChange } from './change.ts'
import { expenseApproved, expenseRejected, expenseSubmitted, toEventPayload } from './events.ts'
import { Expense } from './expense.ts'
import { type ExpenseContext, expenseContext } from './expense-context.ts'
import { type ExpenseStatus, expenseKind } from './kind.ts'
import { type ExpenseRow, expenseById, toExpense } from './reading/read.ts'
import { storedWarnings } from './stored-warnings.ts'
import { refuseTransition } from './transitions.ts'

const StatusChange = Type.Object({
  id: Id,
  status: OneOf(...expenseKind.statuses),
  reason: Type.Optional(nullable(Type.String({ maxLength: 2_000, description: 'Kept with the expense.' }))),
  ...optional({
    expectedAmount: Type.Number({
      description: 'What was reviewed: refused if the expense has another amount by now.',
      examples: [117],
    }),
    expectedCurrency: Type.String({
      maxLength: 10,
      description: 'What was reviewed: refused if the expense has another currency by now.',
      examples: ['SGD'],
    }),
  }),
})

export const changeStatus = operation({
  name: 'expenses_status',
  http: 'PATCH /api/expenses/{id}/status',
  does: 'Moves an expense to another status. Approving, rejecting and taking an approval back need the role MANAGER.',
  scope: 'expenses:write',
  role: 'CONTRIBUTOR',
  within: 'expenses',
  input: StatusChange,
  output: Expense,
  async run(context, { id, status, reason = null, ...reviewed }) {
    const { db, who } = context
    const { organization, member, row } = await pipeline({
      organization: expenseContext(db),
      member: who,
      locked: lockDocument(db, id),
      row: one(expenseById(db, id), 'expense'),
    })
    if (row.status === status) return toExpense(context, row)
    refuseOther(row, reviewed)
    const asked = { row, status, organization, member }
    refuseTransition(row, status, { member, organization, ...(await approvalFacts(db, asked)) })
    const warnings = await moveTo(context, { ...asked, reason })
    const after = await one(expenseById(db, id), 'expense')
    const expense = toExpense(context, after)
    emitStatus(context, expense)
    const doubts = status === 'APPROVED' ? await storedWarnings(db, after, organization) : []
    return withWarnings(expense, [...warnings, ...doubts])
  },
})

/** Refuses if the expense was changed since the caller read it: somebody who reviewed a small amount approves no large one. */
function refuseOther({ currency, totalMinor }: ExpenseRow, reviewed: Reviewed) {
  const amount = toMajor(BigInt(totalMinor), currency)
  const isSame = (reviewed.expectedAmount ?? amount) === amount && (reviewed.expectedCurrency ?? currency) === currency
  if (!isSame)
    throw conflict(`The expense was changed to ${amount} ${currency} since. Review it again.`, 'EXPENSE_CHANGED')
}

type Reviewed = Pick<Static<typeof StatusChange>, 'expectedAmount' | 'expectedCurrency'>

type Asked = { row: ExpenseRow; status: ExpenseStatus; organization: ExpenseContext; member: Member }

/** Whether the caller is the claimant, who is known by their e-mail, and the amount in the organization's currency. */
async function approvalFacts(db: Database, { row, status, organization, member }: Asked) {
  if (status !== 'APPROVED') return { isClaimant: false, homeMinor: null }
  const { rows } = await sql<{ isClaimant: boolean; homeMinor: number | null }>`select
      exists (select from customers c join users u on lower(u.email) = lower(c.email)
        where c.id = ${row.claimantId}::uuid and u.id = ${member.userId}::uuid) as is_claimant,
      (select convert_minor(${row.totalMinor}, ${row.currency}, ${organization.currency}, r.from_rate, r.to_rate)
        from rate_on(${row.currency}, ${organization.currency}, ${row.date}::date, ${organization.country}) r) as home_minor`.execute(
    db,
  )
  return rows[0] ?? { isClaimant: false, homeMinor: null }
}

type Move = Asked & { reason: string | null }

/** Writes the new status. An approval computes the input tax anew, since the organization may have been registered since. */
async function moveTo({ db, now }: Inside, { row, status, organization, member, reason }: Move) {
  const { warnings } =
    status === 'APPROVED'
      ? await storeChange(db, row, changedInput(row, {}, { replace: false }), { organization, now, isDraft: false })
      : { warnings: [] }
  const isReview = status === 'APPROVED' || status === 'REJECTED'
  await pipeline({
    document: db.updateTable('documents').set({ status }).where('id', '=', row.id).execute(),
    expense: db
      .updateTable('expenses')
      .set({
        statusReason: reason,
        ...(isReview && { reviewedBy: member.userId, reviewedAt: sql<string>`now()` }),
      })
      .where('id', '=', row.id)
      .execute(),
    history: appendHistory(db, row.id, 'STATUS_CHANGED', {
      from: row.status,
      to: status,
      reason,
      userId: member.userId,
    }),
  })
  return warnings
}

const events = { PENDING_REVIEW: expenseSubmitted, APPROVED: expenseApproved, REJECTED: expenseRejected }

function emitStatus({ emit }: Pick<Inside, 'emit'>, expense: Static<typeof Expense>) {
  if (expense.status !== 'DRAFT') emit(events[expense.status], toEventPayload(expense))
}
