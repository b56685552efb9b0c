import { newId } from '../../../core/values/id.ts'
import { toMajor } from '../../../core/values/money.ts'
import type { Branch } from './branch.ts'
import type { Random } from './random.ts'

/** A request of a client. Its mark is the Idempotency-Key, the request id and a text in the row it creates. */
export type Move = {
  kind: (typeof kinds)[number]
  mark: string
  method: 'POST' | 'PATCH' | 'DELETE'
  path: string
  body?: Record<string, unknown>
}

/** In the proportions in which they are chosen: issuing and paying more often than correcting. */
export const kinds = [
  'draft', 'draft', 'create', 'create', 'create', 'issue', 'issue', 'pay', 'pay', 'pay', 'paySeveral', 'paySeveral',
  'void', 'markPaid', 'markPaid', 'credit', 'debit', 'remove', 'remove', 'refund', 'refund', 'unallocate',
  'unallocate', 'receipt', 'receipt',
] as const // biome-ignore format: a list of words

const currencies = ['SGD', 'SGD', 'JPY', 'KWD'] as const
const types = ['INVOICE', 'INVOICE', 'PAYMENT_REQUEST', 'INVOICE_RECEIPT'] as const
const day = '2026-03-02'

/** The next request of a client, about a row that it knows, or a new document if it knows no suitable one. */
export function nextMove(random: Random, branch: Branch): Move {
  const kind = random.pick(kinds) ?? 'draft'
  const mark = newId()
  const made = makers[kind](random, branch, mark)
  return made ? { kind, mark, ...made } : { kind: 'draft', mark, ...newDocument(random, branch, { notes: mark }) }
}

type Made = Pick<Move, 'method' | 'path' | 'body'>

const makers: Record<Move['kind'], (random: Random, branch: Branch, mark: string) => Made | undefined> = {
  draft: (random, branch, mark) => newDocument(random, branch, { notes: mark }),
  create: (random, branch, mark) =>
    newDocument(random, branch, { notes: mark, status: random.pick(['UNSENT', 'SENT', 'PAID']), paymentMethod: mark }),
  issue(random, { known }) {
    const document = random.pick(known.documents)
    const status = random.pick(['UNSENT', 'SENT'])
    return document && { method: 'PATCH', path: `/api/documents/${document.id}`, body: { status } }
  },
  pay(random, { known }, mark) {
    const document = random.pick(known.documents)
    if (!document) return undefined
    const share = random.chance(0.5) ? document.totalMinor : random.between(1, Math.max(1, document.totalMinor))
    const body = { amount: major(share, document.currency), paidAt: day, method: mark, ...withheld(random, share, document.currency) }
    return { method: 'POST', path: `/api/documents/${document.id}/payments`, body }
  },
  paySeveral(random, { known, organizationId }, mark) {
    const currency = random.pick(currencies) ?? 'SGD'
    const payable = known.documents.filter((document) => document.currency === currency)
    const some = new Map(Array.from({ length: random.below(4) }, () => random.pick(payable)).map((each) => [each?.id, each]))
    const allocations = [...some.values()].flatMap((document) => (document ? [{ documentId: document.id }] : []))
    const minor = random.between(1, 400_000)
    const money = { amount: major(minor, currency), currency, ...withheld(random, minor, currency) }
    return { method: 'POST', path: '/api/payments', body: { organizationId, ...money, paidAt: day, method: mark, allocations } }
  },
  void(random, { known }, mark) {
    const id = random.pick(known.payments)
    return id ? { method: 'POST', path: `/api/payments/${id}/void`, body: { reason: mark } } : undefined
  },
  markPaid(random, { known }, mark) {
    const document = random.pick(known.documents)
    const body = { paymentDate: day, paymentMethod: mark, sendReceiptEmail: false, generateReceipt: random.chance(0.5) }
    return document && { method: 'POST', path: `/api/documents/${document.id}/mark-paid`, body }
  },
  refund(random, { known }, mark) {
    const id = random.pick(known.payments)
    const amount = random.chance(0.5) ? { amount: random.between(1, 2_000) } : {}
    return id ? { method: 'POST', path: `/api/payments/${id}/refund`, body: { ...amount, paidAt: day, method: mark } } : undefined
  },
  unallocate(random, { known }) {
    const allocation = random.pick(known.allocations)
    return allocation && { method: 'DELETE', path: `/api/payments/${allocation.paymentId}/allocations/${allocation.id}` }
  },
  receipt(random, { known }) {
    const id = random.pick(known.payments)
    return id ? { method: 'POST', path: `/api/payments/${id}/receipt`, body: {} } : undefined
  },
  credit: (random, branch, mark) => memo(random, branch, { kind: 'CREDIT', reason: mark }),
  debit: (random, branch, mark) => memo(random, branch, { kind: 'DEBIT', reason: mark }),
  remove(random, { known }) {
    const document = random.pick(known.documents)
    return document && { method: 'DELETE', path: `/api/documents/${document.id}` }
  },
} // biome-ignore format: a move a paragraph

function newDocument(random: Random, { organizationId, customerId }: Branch, more: object): Made {
  const currency = random.pick(currencies) ?? 'SGD'
  const minor = Array.from({ length: random.between(1, 3) }, () => random.between(1, 90_000))
  const total = major(
    minor.reduce((sum, each) => sum + each, 0),
    currency,
  )
  const items = minor.map((each, at) => line(String(at + 1), major(each, currency)))
  const amounts = { items, subtotal: total, taxRate: 0, taxAmount: 0, total }
  const documentType = random.pick(types)
  const body = { organizationId, customerId, currency, documentType, status: 'DRAFT', ...amounts, ...more }
  return { method: 'POST', path: '/api/documents', body }
}

function memo(random: Random, { known }: Branch, more: { kind: string; reason: string }): Made | undefined {
  const document = random.pick(known.documents)
  if (!document) return undefined
  const amount = major(random.between(1, Math.max(1, document.totalMinor)), document.currency)
  const whole = more.kind === 'CREDIT' && random.chance(0.4)
  const body = { ...more, ...(!whole && { items: [line('1', amount)] }) }
  return { method: 'POST', path: `/api/documents/${document.id}/memos`, body }
}

/** Of some payments, a part was withheld as tax. */
const withheld = (random: Random, minor: number, currency: string) =>
  random.chance(0.3) ? { withheldAmount: major(random.between(0, minor), currency) } : {}

const line = (id: string, amount: number) => ({ id, description: 'Work', quantity: 1, unitPrice: amount, amount })
const major = (minor: number, currency: string) => toMajor(BigInt(minor), currency)
