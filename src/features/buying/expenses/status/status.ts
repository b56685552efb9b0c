import { sql } from 'kysely'
import { conflict } from '../../../../core/define/failure.ts'
import { type Database, type Inside, type Member, operation } from '../../../../core/define/operation.ts'
import { one } from '../../../../core/define/query.ts'
import { Id, nullable, OneOf, optional, type Static, storable, Type } from '../../../../core/define/schema.ts'
import { withWarnings } from '../../../../core/define/warning.ts'
import { toMajor } from '../../../../core/values/money.ts'
import { pipeline } from '../../../../db/pipeline.ts'
import { appendHistory } from '../../../../ledger/history.ts'
import { lockDocument } from '../../../../ledger/numbering.ts'
import { expenseApproved, expenseRejected, expenseSubmitted, toEventPayload } from '../events.ts'
import { Expense } from '../expense.ts'
import { type ExpenseContext, expenseContext } from '../expense-context.ts'
import { type ExpenseStatus, expenseKind } from '../kind.ts'
import { type ExpenseRow, expenseWithHome, toExpense } from '../reading/read.ts'
import { changedInput, storeChange } from '../writing/change.ts'
import { storedWarnings } from '../writing/stored-warnings.ts'
import { enteredBy, refuseTransition } from './transitions.ts'

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
      pattern: storable,
      description: 'What was reviewed: refused if the expense has another currency by now.',
      examples: ['SGD'],
    }),
    expectedRevision: Type.Integer({
      description: 'What was reviewed: refused if the expense was changed since.',
      examples: [0],
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
      row: one(expenseWithHome(db, id), 'expense'),
    })
    if (row.status === status) return toExpense(context, row)
    refuseOther(row, reviewed)
    const asked = { row, status, organization, member }
    refuseTransition(row, status, { member, organization, isClaimant: await isOwnClaim(db, asked) })
    const warnings = await moveTo(context, { ...asked, reason })
    const after = await one(expenseWithHome(db, id), 'expense')
    const expense = toExpense(context, after)
    if (expense.status !== 'DRAFT') context.emit(events[expense.status], toEventPayload(expense, after))
    const doubts = status === 'APPROVED' ? await storedWarnings(db, after, organization) : []
    return withWarnings(expense, [...warnings, ...doubts])
  },
})

/** Refuses if the expense was changed since the caller read it: somebody who reviewed a small amount approves no large one. */
function refuseOther({ currency, totalMinor, revision }: ExpenseRow, reviewed: Reviewed) {
  const amount = toMajor(BigInt(totalMinor), currency)
  const isSame = (reviewed.expectedAmount ?? amount) === amount && (reviewed.expectedCurrency ?? currency) === currency
  if (!isSame)
    throw conflict(`The expense was changed to ${amount} ${currency} since. Review it again.`, 'EXPENSE_CHANGED')
  if ((reviewed.expectedRevision ?? revision) !== revision)
    throw conflict('The expense was changed since. Review it again.', 'EXPENSE_CHANGED')
}

type Reviewed = Pick<Static<typeof StatusChange>, 'expectedAmount' | 'expectedCurrency' | 'expectedRevision'>

type Asked = { row: ExpenseRow; status: ExpenseStatus; organization: ExpenseContext; member: Member }

/**
 * Whether one of the acting people is the claimant, by an address or as an employee, or was it when the claimant was set. Of a
 * claimant without an address or account, whoever entered the claim may be the one; an owner knows.
 */
async function isOwnClaim(db: Database, { row, status, member }: Asked): Promise<boolean> {
  if (status !== 'APPROVED') return false
  const { rows } = await sql<{ people: string[]; hasAddress: boolean }>`select array(select unnest(e.claimed_by)
      union select p from people_of_claimant(e.organization_id, e.claimant_id) p) as people,
      exists (select from customers c where c.id = e.claimant_id and c.email is not null)
        or exists (select from employees m where m.id = e.claimant_id and m.email is not null) as has_address
    from expenses e where e.id = ${row.id}::uuid`.execute(db)
  const { people = [], hasAddress = false } = rows[0] ?? {}
  const isNobody = row.claimantId !== null && people.length === 0 && !hasAddress
  const known = isNobody && member.role !== 'OWNER' ? enteredBy(row) : people
  return member.actingFor.some((id) => known.includes(id))
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
