import type { Random } from '../bank/random.ts'
import {
  addShare,
  type Books,
  creditedOf,
  type ExpenseModel,
  openOf,
  paidOf,
  remainderOf,
  type Status,
} from './model.ts'

type Answer = {
  id: string
  allocations?: { id: string; amount: number; documentId: string; voidedAt?: string | null }[]
}

/** A request, whether the model allows it, and what it then changes. */
export type Move = {
  name: string
  method: 'POST' | 'PATCH' | 'DELETE'
  path: string
  body?: Record<string, unknown>
  isAllowed: boolean
  /** Changes the model; `paymentId` finds the payment that the request recorded. */
  apply(answer: Answer, paymentId: () => Promise<string>): void | Promise<void>
}

type Asked = { random: Random; books: Books; organizationId: string; mark: string }
type Maker = (asked: Asked) => Move | undefined

const day = '2026-03-02'
const major = (cents: number) => cents / 100

const anExpense = ({ random, books }: Asked) => random.pick([...books.expenses])
const aPayment = ({ random, books }: Asked) => random.pick([...books.payments])
const cents = (random: Random, about: number) => random.between(1, Math.max(1, about + 200))

const allowedMoves: Record<Status, Status[]> = {
  DRAFT: ['PENDING_REVIEW', 'APPROVED', 'REJECTED'],
  PENDING_REVIEW: ['DRAFT', 'APPROVED', 'REJECTED'],
  APPROVED: ['PENDING_REVIEW'],
  REJECTED: ['DRAFT'],
}

function mayMove(expense: ExpenseModel, to: Status): boolean {
  if (expense.status === to) return true
  const isUsed = paidOf(expense) > 0 || creditedOf(expense) > 0
  if ((to === 'REJECTED' || expense.status === 'APPROVED') && isUsed) return false
  return allowedMoves[expense.status].includes(to)
}

const create: Maker = ({ random, books, organizationId }) => {
  const total = random.between(100, 50_000)
  const body = { organizationId, amount: major(total), currency: 'SGD', date: day }
  const apply = ({ id }: Answer) =>
    void books.expenses.set(id, { total, status: 'DRAFT', shares: new Map(), credits: [], wasPaid: false })
  return { name: 'create', method: 'POST', path: '/api/expenses', body, isAllowed: true, apply }
}

const move: Maker = (asked) => {
  const [id, expense] = anExpense(asked) ?? []
  if (!expense) return undefined
  const to = asked.random.pick(['DRAFT', 'PENDING_REVIEW', 'APPROVED', 'APPROVED', 'REJECTED'] as const) ?? 'DRAFT'
  return {
    ...{ name: `to ${to}`, method: 'PATCH', path: `/api/expenses/${id}/status`, body: { status: to } },
    isAllowed: mayMove(expense, to),
    apply() {
      expense.status = to
    },
  }
}

const change: Maker = (asked) => {
  const [id, expense] = anExpense(asked) ?? []
  if (!expense) return undefined
  const total = asked.random.between(100, 50_000)
  const settled = expense.total - openOf(expense)
  const isApproved = expense.status === 'APPROVED'
  return {
    ...{ name: 'change', method: 'PATCH', path: `/api/expenses/${id}`, body: { amount: major(total) } },
    isAllowed: total === expense.total || (isApproved ? settled === 0 : total >= settled),
    apply() {
      if (isApproved && total !== expense.total) expense.status = 'PENDING_REVIEW'
      expense.total = total
    },
  }
}

const remove: Maker = (asked) => {
  const [id = '', expense] = anExpense(asked) ?? []
  if (!expense) return undefined
  const apply = () => void asked.books.expenses.delete(id)
  return { name: 'remove', method: 'DELETE', path: `/api/expenses/${id}`, isAllowed: !expense.wasPaid, apply }
}

const pay: Maker = (asked) => {
  const { random, books, mark } = asked
  const [id, expense] = anExpense(asked) ?? []
  if (!expense) return undefined
  const open = openOf(expense)
  const amount = random.chance(0.4) && open > 0 ? open : cents(random, open)
  const allowUnallocated = random.chance(0.3)
  const body = { amount: major(amount), paidAt: day, method: mark, allowUnallocated }
  return {
    ...{ name: 'pay', method: 'POST', path: `/api/expenses/${id}/payments`, body },
    isAllowed: expense.status !== 'REJECTED' && (allowUnallocated || amount <= open),
    async apply(_, paymentId) {
      const made = await paymentId()
      books.payments.set(made, { kind: 'PAYMENT', amount, refunded: 0, isVoided: false })
      addShare(expense, made, Math.min(amount, open))
    },
  }
}

const advance: Maker = ({ random, books, organizationId, mark }) => {
  const amount = random.between(100, 30_000)
  const body = { organizationId, amount: major(amount), currency: 'SGD', paidAt: day, method: mark }
  const apply = ({ id }: Answer) =>
    void books.payments.set(id, { kind: 'PAYMENT', amount, refunded: 0, isVoided: false })
  return { name: 'advance', method: 'POST', path: '/api/expenses/payments', body, isAllowed: true, apply }
}

const allocate: Maker = (asked) => {
  const [paymentId = '', payment] = aPayment(asked) ?? []
  const [expenseId, expense] = anExpense(asked) ?? []
  if (!payment || !expense) return undefined
  const [left, open] = [remainderOf(asked.books, paymentId), openOf(expense)]
  const amount = cents(asked.random, Math.min(left, open))
  const body = { allocations: [{ expenseId, amount: major(amount) }] }
  return {
    ...{ name: 'allocate', method: 'POST', path: `/api/expenses/payments/${paymentId}/allocations`, body },
    isAllowed: amount <= left && amount <= open && expense.status !== 'REJECTED',
    apply: () => addShare(expense, paymentId, amount),
  }
}

/** Takes everything that a payment pays of one expense back; `allocationOf` is asked for first. */
export function unallocate(
  books: Books,
  paymentId: string,
  allocation: { id: string; amount: number; expenseId: string },
): Move | undefined {
  const expense = books.expenses.get(allocation.expenseId)
  if (!expense) return undefined
  return {
    ...{ name: 'unallocate', method: 'DELETE' },
    path: `/api/expenses/payments/${paymentId}/allocations/${allocation.id}`,
    isAllowed: !expense.credits.includes(paymentId),
    apply: () => addShare(expense, paymentId, -Math.round(allocation.amount * 100)),
  }
}

const cancel: Maker = (asked) => {
  const { books } = asked
  const [id = '', payment] = aPayment(asked) ?? []
  if (!payment) return undefined
  return {
    ...{ name: 'void', method: 'POST', path: `/api/expenses/payments/${id}/void`, body: { reason: 'bounced' } },
    isAllowed: payment.isVoided || (payment.kind !== 'CREDIT' && payment.refunded === 0),
    apply() {
      if (payment.isVoided) return
      payment.isVoided = true
      for (const expense of books.expenses.values()) expense.shares.delete(id)
      const original = books.payments.get(payment.of ?? '')
      if (original) original.refunded -= payment.amount
    },
  }
}

const refund: Maker = (asked) => {
  const { books, random } = asked
  const [of = '', payment] = aPayment(asked) ?? []
  if (!payment) return undefined
  const left = remainderOf(books, of)
  const amount = cents(random, left)
  return {
    ...{ name: 'refund', method: 'POST', path: `/api/expenses/payments/${of}/refund` },
    body: { amount: major(amount), paidAt: day },
    isAllowed: amount <= left,
    apply({ id }) {
      payment.refunded += amount
      books.payments.set(id, { kind: 'REFUND', amount, refunded: 0, isVoided: false, of })
    },
  }
}

const credit: Maker = (asked) => {
  const { books, random } = asked
  const approved = [...books.expenses].filter(([, { status }]) => status === 'APPROVED')
  const [id, expense] = (random.chance(0.7) ? random.pick(approved) : anExpense(asked)) ?? []
  if (!expense) return undefined
  const credited = expense.credits.reduce((sum, each) => sum + liveAmount(books, each), 0)
  const amount = cents(random, expense.total - credited)
  return {
    ...{ name: 'credit', method: 'POST', path: `/api/expenses/${id}/credits` },
    body: { amount: major(amount), date: day, documentNumber: asked.mark },
    isAllowed: expense.status === 'APPROVED' && amount <= expense.total - credited,
    apply(answer) {
      const { credits } = answer as unknown as { credits: { id: string; paymentId: string; documentNumber: string }[] }
      const found = credits.find(({ documentNumber }) => documentNumber === asked.mark)
      const made = found?.paymentId ?? ''
      const path = `/api/expenses/${id}/credits/${found?.id}`
      books.payments.set(made, { kind: 'CREDIT', amount, refunded: 0, isVoided: false, path })
      expense.credits.push(made)
    },
  }
}

const liveAmount = ({ payments }: Books, id: string) => {
  const payment = payments.get(id)
  return payment && !payment.isVoided ? payment.amount : 0
}

const voidCredit: Maker = ({ random, books }) => {
  const credits = [...books.payments].filter(([, { kind }]) => kind === 'CREDIT')
  const [id = '', credit] = random.pick(credits) ?? []
  if (!credit) return undefined
  return {
    ...{ name: 'void credit', method: 'POST', path: `${credit.path}/void`, body: { reason: 'mistake' } },
    isAllowed: credit.isVoided || credit.refunded === 0,
    apply() {
      credit.isVoided = true
      for (const expense of books.expenses.values()) expense.shares.delete(id)
    },
  }
}

const makers: Maker[] = [
  create, create, create, move, move, move, move, change, remove, pay, pay, pay, pay, advance, allocate, allocate, allocate,
  cancel, cancel, refund, refund, credit, credit, voidCredit, voidCredit,
] // biome-ignore format: a list of words

/** The next request of a walk, about a row that it knows, or a new expense if it knows no suitable one. */
export const nextMove = (asked: Asked): Move => {
  const made = asked.random.pick(makers)?.(asked) ?? create(asked)
  if (!made) throw new Error('A new expense is always possible.')
  return made
}
