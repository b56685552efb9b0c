import { atLeast, type Role } from '../../../../core/define/access.ts'
import { conflict, forbidden } from '../../../../core/define/failure.ts'
import type { Member } from '../../../../core/define/operation.ts'
import { canTransition } from '../../../../ledger/kind.ts'
import type { ExpenseContext } from '../expense-context.ts'
import { type ExpenseStatus, expenseKind } from '../kind.ts'
import type { ExpenseRow, ExpenseRowWithHome } from '../reading/read.ts'

/** The role that a change of the status needs. Approving, rejecting and taking an approval back change what is owed. */
const roleFor = (from: ExpenseStatus, to: ExpenseStatus): Role =>
  to === 'APPROVED' || to === 'REJECTED' || from === 'APPROVED' ? 'MANAGER' : 'CONTRIBUTOR'

/** Who changes the status. */
type Change = {
  member: Pick<Member, 'actingFor' | 'role'>
  isClaimant: boolean
  organization: ExpenseContext
}

/** Refuses a change of the status that the role, the state or the rules of approval forbid. */
export function refuseTransition(row: ExpenseRowWithHome, to: ExpenseStatus, change: Change) {
  const { role } = change.member
  const needed = roleFor(row.status, to)
  if (!atLeast(role, needed))
    throw forbidden(
      `Moving an expense from ${row.status} to ${to} needs the role ${needed} in the organization; yours is ${role}.`,
      'ROLE',
    )
  if (!canTransition(expenseKind, row.status, to))
    throw conflict(`An expense that is ${row.status} cannot become ${to}. ${nextSteps(row.status)}`, 'STATUS')
  if (row.totalMinor === 0 && (to === 'PENDING_REVIEW' || to === 'APPROVED'))
    throw conflict('The expense has no amount yet. Scan its receipt or enter the amount first.', 'NO_AMOUNT')
  if (to === 'REJECTED' && row.paidMinor > 0)
    throw conflict('The expense has payments. Void them before you reject it.', 'HAS_PAYMENTS')
  if (row.status === 'APPROVED') refuseSettled(row, 'take the approval back')
  if (to === 'APPROVED') refuseOwnApproval(row, change)
}

/** Refuses to take the approval of an expense back that is paid or credited. `todo` is what the caller wants. */
export function refuseSettled(
  { paidMinor, creditedMinor }: Pick<ExpenseRow, 'paidMinor' | 'creditedMinor'>,
  todo: string,
) {
  if (creditedMinor > 0)
    throw conflict(
      `The supplier has credited this approved expense. You cannot ${todo}. If the credit is a mistake, void it first (POST /api/expenses/{id}/credits/{creditId}/void).`,
      'HAS_PAYMENTS',
    )
  if (paidMinor > 0)
    throw conflict(`The expense is approved and has payments. Void them before you ${todo}.`, 'HAS_PAYMENTS')
}

const nextSteps = (status: ExpenseStatus) => `From there it can become ${expenseKind.transitions[status].join(' or ')}.`

/** Everybody in whose interest the expense was entered or changed last, or its amount was set. */
export const enteredBy = ({ createdBy, enteredFor, changedFor, amountFor }: ExpenseRow): string[] => [
  ...(createdBy ? [createdBy.id] : []),
  ...enteredFor,
  ...changedFor,
  ...amountFor,
]

/** Nobody approves a claim of their own; nor, if the organization requires it, an expense that they entered, changed last or set the amount of. */
function refuseOwnApproval(row: ExpenseRowWithHome, { member, isClaimant, organization }: Change) {
  if (isClaimant) throw forbidden('You cannot approve a claim of your own. Ask another manager.', 'OWN_CLAIM')
  const { requireApproval, expenseApprovalAboveMinor: above } = organization
  const own = enteredBy(row)
  if (!requireApproval || !member.actingFor.some((id) => own.includes(id))) return
  const { home } = row
  if (above === null || home === null || BigInt(home.minor) > above)
    throw forbidden(
      'The organization requires that somebody else approves what you entered or changed. Ask another manager.',
      'OWN_EXPENSE',
    )
}
