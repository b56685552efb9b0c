import { type CallOperation, everyPage, type Page } from './call-operation.ts'
import type { Credit, Payment, Receipt, Thread } from './follow-ups.ts'
import type { History } from './history.ts'
import { inOrder, inParallel } from './in-parallel.ts'
import type { Sale } from './sale.ts'

/** The organization to record a history in: its customers by name, and its bank account for a currency. */
export type Target = {
  organizationId: string
  customers: ReadonlyMap<string, string>
  accountFor: (currency: string) => string | null
}

/** Records the missing parts of a history. Existing documents and payments are recognized and left as they are. */
export async function recordHistory(
  call: CallOperation,
  target: Target,
  { sales, payments, credits, receipts, threads }: History,
) {
  const documents = await documentsOf(call, target)
  if (documents.size === 0) await call('settings_update', { id: target.organizationId, numbering })
  await inOrder(sales, (sale) => createSale(call, target, documents, sale)) // document numbers follow the dates
  const existing = await paymentsOf(call, target)
  await inParallel(payments, (payment) => createPayment(call, target, { documents, existing }, payment))
  await inParallel(credits, (credit) => createCredit(call, documents, credit))
  await inParallel(receipts, (receipt) => markPaid(call, documents, receipt))
  await inParallel(threads, (thread) => addComments(call, documents, thread))
}

const numbering = [
  { documentType: 'INVOICE', prefix: 'INV-', padding: 4 },
  { documentType: 'INVOICE_RECEIPT', prefix: 'IR-', padding: 4 },
  { documentType: 'RECEIPT', prefix: 'RC-', padding: 4 },
  { documentType: 'PAYMENT_REQUEST', prefix: 'PR-', padding: 4 },
  { documentType: 'CREDIT_MEMO', prefix: 'CM-', padding: 4 },
]

async function createSale(
  call: CallOperation,
  { organizationId, customers, accountFor }: Target,
  documents: Documents,
  sale: Sale,
) {
  const { key, customer, ...document } = sale
  if (documents.has(key)) return
  const references = { organizationId, customerId: customers.get(customer), bankAccountId: accountFor(sale.currency) }
  documents.set(key, await call<DocumentView>('invoices_create', { ...references, ...document }))
}

async function createPayment(
  call: CallOperation,
  target: Target,
  { documents, existing }: { documents: Documents; existing: Set<string> },
  payment: Payment,
) {
  const { customer, shares, ...money } = payment
  const customerId = target.customers.get(customer)
  if (existing.has(paymentKey({ customerId, ...money }))) return
  const allocations = shares.map(({ key, amount }) => ({ documentId: idOf(documents, key), amount }))
  await call('invoices_payments_create', { organizationId: target.organizationId, customerId, ...money, allocations })
}

async function createCredit(call: CallOperation, documents: Documents, { key, of, items, reason }: Credit) {
  if (!documents.has(key)) await call('invoices_memos', { id: idOf(documents, of), kind: 'CREDIT', items, reason })
}

async function markPaid(call: CallOperation, documents: Documents, { of, ...paid }: Receipt) {
  if (documents.get(of)?.status === 'PAID') return
  await call('invoices_mark_paid', { id: idOf(documents, of), ...paid, generateReceipt: true, sendReceiptEmail: false })
}

/** Adds the missing comments. Of the events of a document only comments have an actor, so these are counted. */
async function addComments(call: CallOperation, documents: Documents, { of, comments }: Thread) {
  const id = idOf(documents, of)
  const { events } = await call<{ events: { actorUserId: string | null }[] }>('invoices_events', { id, limit: 100 })
  const existing = events.filter(({ actorUserId }) => actorUserId !== null).length
  await inOrder(comments.slice(existing), ({ type, message }) =>
    call('invoices_events_post', { id, type, payload: { message } }),
  )
}

type DocumentView = { id: string; status: string; documentType: string; items: readonly { id: string }[] }
type Documents = Map<string, DocumentView>

/** The existing documents, by the key that their line ids begin with. Receipts are left out: they repeat the line ids of their document. */
async function documentsOf(call: CallOperation, { organizationId }: Target): Promise<Documents> {
  const documents: Documents = new Map()
  const pages = everyPage((page) =>
    call<Page & { invoices: DocumentView[] }>('invoices_list', { organizationId, sortOrder: 'asc', ...page }),
  )
  for await (const { invoices } of pages)
    for (const document of invoices) {
      const key = document.items[0]?.id.split('.')[0]
      if (key !== undefined && document.documentType !== 'RECEIPT' && !documents.has(key)) documents.set(key, document)
    }
  return documents
}

type PaymentView = { customerId: string | null | undefined; paidAt: string; amount: number }
const paymentKey = ({ customerId, paidAt, amount }: PaymentView) => `${customerId} ${paidAt} ${amount}`

async function paymentsOf(call: CallOperation, { organizationId }: Target): Promise<Set<string>> {
  const keys = new Set<string>()
  const pages = everyPage((page) =>
    call<Page & { payments: PaymentView[] }>('invoices_payments_list', { organizationId, ...page }),
  )
  for await (const { payments } of pages) for (const payment of payments) keys.add(paymentKey(payment))
  return keys
}

function idOf(documents: Documents, key: string): string {
  const document = documents.get(key)
  if (!document) throw new Error(`The demo refers to sale ${key}, which does not exist.`)
  return document.id
}
