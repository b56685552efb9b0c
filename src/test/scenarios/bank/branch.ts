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
  allocations: { documentId: string; amount: number }[]
}

/** What stays of a document, whatever happens to it; number and date from the moment it has them. */
type Facts = Record<'currency' | 'customerId' | 'notes' | 'documentType', string | null> & {
  totalMinor: bigint
  lines: string
  number: string | null
  issueDate: string | null
}
type Money = { currency: string; amountMinor: bigint; voided: boolean; shares: Map<string, bigint> }

/**
 * An organization of the bank: what its clients know to ask about, and a model of its books, kept from answers alone and
 * in whatever order they come.
 */
export type Branch = {
  organizationId: string
  customerId: string
  authorization: string
  known: { documents: { id: string; currency: string; totalMinor: number }[]; payments: string[] }
  model: { documents: Map<string, Facts>; removed: Set<string>; payments: Map<string, Money> }
}

/** Founds an organization, with an owner, a key and a customer, through the API. */
export async function found(url: string, name: string): Promise<Branch> {
  const post = async (path: string, body: object, headers: Record<string, string>) =>
    (await ask(`${url}${path}`, { method: 'POST', body, headers })).body
  const person = { name, email: `${name}@example.test`, password: 'correct horse' }
  const signUp = await ask(`${url}/api/auth/sign-up`, { method: 'POST', body: person })
  const cookie = { cookie: signUp.headers.getSetCookie()[0]?.split(';')[0] ?? '' }
  const { id: organizationId = '' } = await post('/api/organizations', { name, country: 'SG' }, cookie)
  const { secret } = await post('/api/api-keys', { name, scopes: ['*:*'], allOrgs: true }, cookie)
  const authorization = `Bearer ${secret}`
  const customer = { organizationId, name: 'Globex', country: 'SG' }
  const { id: customerId = '' } = await post('/api/customers', customer, { authorization })
  const model = { documents: new Map(), removed: new Set<string>(), payments: new Map() }
  return { organizationId, customerId, authorization, known: { documents: [], payments: [] }, model }
}

/** Enters the answer to a move that was carried out. */
export function enter(branch: Branch, { kind, path }: Move, answer: unknown): void {
  if (kind === 'remove') branch.model.removed.add(path.split('/').at(-1) ?? '')
  else if (kind === 'pay' || kind === 'paySeveral' || kind === 'void') enterPayment(branch, answer as ShownPayment)
  else if (kind === 'markPaid') enterSettled(branch, answer as Settled)
  else enterDocument(branch, answer as ShownDocument)
}

type Settled = { document: ShownDocument; receipt: ShownDocument | null; payment: ShownPayment | null }

function enterSettled(branch: Branch, { document, receipt, payment }: Settled) {
  enterDocument(branch, document)
  if (receipt) enterDocument(branch, receipt)
  if (payment) enterPayment(branch, payment)
}

function enterDocument({ known, model }: Branch, document: ShownDocument) {
  const { id, currency, total } = document
  const facts = factsOf(document)
  const before = model.documents.get(id)
  if (!before) known.documents.push({ id, currency, totalMinor: Number(minorOf(total, currency)) })
  const number = facts.number ?? before?.number ?? null
  model.documents.set(id, { ...facts, number, issueDate: facts.number ? facts.issueDate : (before?.issueDate ?? null) })
  // A document that was created paid was paid with one payment, for all of it.
  for (const payment of document.payments ?? []) {
    const share = minorOf(payment.amount, currency)
    enterMoney({ known, model }, payment.id, { currency, amountMinor: share, voided: false, shares: new Map([[id, share]]) })
  }
} // biome-ignore format: a step a line

/** A credit is no money; the books count it for themselves. */
function enterPayment(branch: Branch, { id, currency, amount, source, voidedAt, allocations }: ShownPayment) {
  if (source === 'CREDIT_MEMO') return
  const shares = new Map<string, bigint>()
  for (const { documentId, amount: share } of allocations)
    shares.set(documentId, (shares.get(documentId) ?? 0n) + minorOf(share, currency))
  enterMoney(branch, id, { currency, amountMinor: minorOf(amount, currency), voided: voidedAt !== null, shares })
}

/** Answers may come in another order than things happened: voided is for good, and then nothing is allocated. */
function enterMoney({ known, model }: Pick<Branch, 'known' | 'model'>, id: string, money: Money) {
  const before = model.payments.get(id)
  if (!before) known.payments.push(id)
  model.payments.set(id, before?.voided ? before : money)
}

export const factsOf = ({ invoiceDate, issueDate = invoiceDate, ...document }: ShownDocument): Facts => ({
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
  if (parsed.kind !== 'exact') throw new Error(`${amount} ${currency} was answered, which is no exact amount.`)
  return parsed.minor
}
