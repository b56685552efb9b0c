/** A simple model of the expenses of an organization, in cents. */

export type Status = 'DRAFT' | 'PENDING_REVIEW' | 'APPROVED' | 'REJECTED'

export type ExpenseModel = {
  total: number
  status: Status
  /** What each payment or credit pays of it. */
  shares: Map<string, number>
  /** Its credits, the oldest first. */
  credits: string[]
  /** Whether anything was ever allocated to it; such an expense is not deleted. */
  wasPaid: boolean
}
export type PaymentModel = {
  kind: 'PAYMENT' | 'CREDIT' | 'REFUND'
  amount: number
  refunded: number
  isVoided: boolean
  /** The payment that a refund gives back. */
  of?: string
  /** The address of a credit below its expense. */
  path?: string
}
export type Books = { expenses: Map<string, ExpenseModel>; payments: Map<string, PaymentModel> }

export const emptyBooks = (): Books => ({ expenses: new Map(), payments: new Map() })

const sum = (amounts: Iterable<number>) => [...amounts].reduce((total, each) => total + each, 0)

export const creditedOf = ({ shares, credits }: ExpenseModel) => sum(credits.map((id) => shares.get(id) ?? 0))
export const paidOf = (expense: ExpenseModel) => sum(expense.shares.values()) - creditedOf(expense)
export const openOf = (expense: ExpenseModel) => expense.total - sum(expense.shares.values())

const allocatedOf = ({ expenses }: Books, id: string) =>
  sum([...expenses.values()].map(({ shares }) => shares.get(id) ?? 0))

/** What is left of a payment or credit. */
export function remainderOf(books: Books, id: string): number {
  const payment = books.payments.get(id)
  if (!payment || payment.isVoided || payment.kind === 'REFUND') return 0
  return payment.amount - payment.refunded - allocatedOf(books, id)
}

export function addShare(expense: ExpenseModel, id: string, amount: number) {
  if (amount === 0) return
  expense.wasPaid = true
  const share = (expense.shares.get(id) ?? 0) + amount
  if (share === 0) expense.shares.delete(id)
  else expense.shares.set(id, share)
}

/** A credit that is free falls back on its expense, as far as that is open. */
export function applyFreeCredits(books: Books) {
  for (const expense of books.expenses.values())
    for (const id of expense.credits) addShare(expense, id, Math.min(remainderOf(books, id), openOf(expense)))
}

/** The balances that the journal must have: debits less credits by account, without those that are zero. */
export function balancesOf(books: Books): Record<string, number> {
  const expenses = [...books.expenses.values()]
  const approved = expenses.filter(({ status }) => status === 'APPROVED')
  const live = [...books.payments.values()].filter(({ isVoided }) => !isVoided)
  const total = (kind: PaymentModel['kind']) =>
    sum(live.filter((each) => each.kind === kind).map(({ amount }) => amount))
  const balances = {
    EXPENSES: sum(approved.map((each) => each.total)) - total('CREDIT'),
    PAYABLES: -sum(approved.map(openOf)),
    CASH: total('REFUND') - total('PAYMENT'),
    PREPAYMENTS:
      sum([...books.payments.keys()].map((id) => remainderOf(books, id))) +
      sum(expenses.filter(({ status }) => status !== 'APPROVED').map(paidOf)),
  }
  return Object.fromEntries(Object.entries(balances).filter(([, balance]) => balance !== 0))
}
