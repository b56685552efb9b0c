import { toMinor } from '../../../core/values/money.ts'
import { ask } from '../../processes/api-process.ts'
import type { Move } from './moves.ts'

type Line = { id: string; description: string; quantity: number; unitPrice: number; amount: number }
export type ShownDocument = {
  id: string
  organizationId: string
  documentType: string
  status: string
  invoiceNumber: string | null
  customerId: string
  currency: string
  total: number
  paidAmount: number
  creditedAmount: number
  openBalance: number
  notes: string | null
  items: Line[]
  invoiceDate?: string
  issueDate?: string
  payments?: { id: string; amount: number }[]
}
export type ShownPayment = {
  id: string
  organizationId: string
  amount: number
  currency: string
  source: string
  openRemainder: number
  voidedAt: string | null
  allocations: { id: string; documentId: string; amount: number }[]
}

/** The fields of a document that never change; number and date once it has them. */
type DocumentState = Record<'currency' | 'customerId' | 'notes' | 'documentType', string | null> & {
  totalMinor: bigint
  lines: string
  number: string | null
  issueDate: string | null
}
type PaymentState = {
  currency: string
  amountMinor: bigint
  voided: boolean
  shares: Map<string, bigint>
  isRefund: boolean
}

/**
 * An organization of the bank test: the rows its clients know, and a model of its books, built from the answers alone and
 * in the order they arrive.
 */
export type Branch = {
  organizationId: string
  customerId: string
  authorization: string
  known: {
    documents: { id: string; currency: string; totalMinor: number }[]
    payments: string[]
    allocations: { id: string; paymentId: string }[]
  }
  model: { documents: Map<string, DocumentState>; removed: Set<string>; payments: Map<string, PaymentState> }
}

/** Creates an organization with an owner, a key and a customer, through the API. */
export async function createBranch(url: string, name: string, country = 'SG'): Promise<Branch> {
  const post = async (path: string, body: object, headers: Record<string, string>) =>
    (await ask(`${url}${path}`, { method: 'POST', body, headers })).body
  const person = { name, email: `${name}@example.test`, password: 'correct horse' }
  const signUp = await ask(`${url}/api/auth/sign-up`, { method: 'POST', body: person })
  const cookie = { cookie: signUp.headers.getSetCookie()[0]?.split(';')[0] ?? '' }
  const { id: organizationId = '' } = await post('/api/organizations', { name, country }, cookie)
  const { secret } = await post('/api/api-keys', { name, scopes: ['*:*'], allOrgs: true }, cookie)
  const authorization = `Bearer ${secret}`
  const customer = { organizationId, name: 'Globex', country: 'SG' }
  const { id: customerId = '' } = await post('/api/customers', customer, { authorization })
  const model = { documents: new Map(), removed: new Set<string>(), payments: new Map() }
  return { organizationId, customerId, authorization, known: { documents: [], payments: [], allocations: [] }, model }
}

/** Adds the answer to a successful request to the model. */
export function addAnswer(branch: Branch, { kind, path }: Move, answer: unknown): void {
  if (kind === 'remove') branch.model.removed.add(path.split('/').at(-1) ?? '')
  else if (paying.includes(kind)) enterPayment(branch, answer as ShownPayment)
  else if (kind === 'markPaid') enterSettled(branch, answer as Settled)
  else enterDocument(branch, answer as ShownDocument)
}

/** Requests that are answered with a payment. */
const paying: Move['kind'][] = ['pay', 'paySeveral', 'void', 'refund', 'unallocate']

type Settled = { document: ShownDocument; receipt: ShownDocument | null; payment: ShownPayment | null }

function enterSettled(branch: Branch, { document, receipt, payment }: Settled) {
  enterDocument(branch, document)
  if (receipt) enterDocument(branch, receipt)
  if (payment) enterPayment(branch, payment)
}

function enterDocument({ known, model }: Branch, document: ShownDocument) {
  const { id, currency, total } = document
  const state = stateOf(document)
  const before = model.documents.get(id)
  if (!before) known.documents.push({ id, currency, totalMinor: Number(minorOf(total, currency)) })
  const number = state.number ?? before?.number ?? null
  model.documents.set(id, { ...state, number, issueDate: state.number ? state.issueDate : (before?.issueDate ?? null) })
  // A document that was created as paid has one payment over its total.
  for (const payment of document.payments ?? []) {
    const share = minorOf(payment.amount, currency)
    enterMoney({ known, model }, payment.id, {
      currency,
      amountMinor: share,
      voided: false,
      shares: new Map([[id, share]]),
      isRefund: false,
    })
  }
}

/** Credits are no payments; books.ts counts them separately. */
function enterPayment(branch: Branch, { id, currency, amount, source, voidedAt, allocations }: ShownPayment) {
  if (source === 'CREDIT_MEMO') return
  const shares = new Map<string, bigint>()
  for (const { documentId, amount: share } of allocations)
    shares.set(documentId, (shares.get(documentId) ?? 0n) + minorOf(share, currency))
  if (!branch.model.payments.has(id))
    branch.known.allocations.push(...allocations.map((allocation) => ({ id: allocation.id, paymentId: id })))
  const state = { currency, amountMinor: minorOf(amount, currency), voided: voidedAt !== null, shares }
  enterMoney(branch, id, { ...state, isRefund: source === 'REFUND' })
}

/**
 * Answers may arrive in another order than the changes happened: a voided payment stays voided, and an allocation that was
 * taken back stays so, since no request adds one to a payment later.
 */
function enterMoney({ known, model }: Pick<Branch, 'known' | 'model'>, id: string, money: PaymentState) {
  const before = model.payments.get(id)
  if (!before) known.payments.push(id)
  const shares = new Map([...money.shares].filter(([documentId]) => before?.shares.has(documentId) ?? true))
  model.payments.set(id, before?.voided ? before : { ...money, shares })
}

export const stateOf = ({ invoiceDate, issueDate = invoiceDate, ...document }: ShownDocument): DocumentState => ({
  currency: document.currency,
  customerId: document.customerId,
  notes: document.notes,
  documentType: document.documentType,
  totalMinor: minorOf(document.total, document.currency),
  lines: JSON.stringify(document.items.map(({ id, description, quantity, unitPrice, amount }) => [id, description, quantity, unitPrice, amount])),
  number: document.invoiceNumber,
  issueDate: document.invoiceNumber ? (issueDate ?? null) : null,
}) // biome-ignore format: a fact a line

export function minorOf(amount: number, currency: string): bigint {
  const parsed = toMinor(amount, currency)
  if (parsed.kind !== 'exact') throw new Error(`The answer has the amount ${amount} ${currency}, which is not exact.`)
  return parsed.minor
}
