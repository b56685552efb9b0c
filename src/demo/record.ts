import { type Act, everyPage, type Page } from './call-operation.ts'
import type { Credit, Payment, Receipt, Thread } from './follow-ups.ts'
import type { History } from './history.ts'
import { inOrder, inParallel } from './in-parallel.ts'
import type { Sale } from './sale.ts'

/** Where a history is written down: customers by name, accounts by what they take. */
export type Books = {
  organizationId: string
  customers: ReadonlyMap<string, string>
  accountFor: (currency: string) => string | null
}

/** Writes down of a history what is missing; what stands there already is known again and left as it is. */
export async function record(act: Act, books: Books, { sales, payments, credits, receipts, threads }: History) {
  const made = await documentsOf(act, books)
  if (made.size === 0) await act('settings_update', { id: books.organizationId, numbering })
  // Numbers follow the calendar, so those of a type are written one after the other.
  const chainOf = ({ status, documentType }: Sale) => (status === 'DRAFT' ? 'DRAFT' : documentType)
  await inParallel([...new Set(sales.map(chainOf))], (chain) =>
    inOrder(
      sales.filter((sale) => chainOf(sale) === chain),
      (sale) => sell(act, books, made, sale),
    ),
  )
  const paid = await paymentsOf(act, books)
  await inParallel(payments, (payment) => pay(act, books, { made, paid }, payment))
  await inParallel(credits, (credit) => grant(act, made, credit))
  await inParallel(receipts, (receipt) => receipted(act, made, receipt))
  await inParallel(threads, (thread) => discuss(act, made, thread))
}

const numbering = [
  { documentType: 'INVOICE', prefix: 'INV-', padding: 4 },
  { documentType: 'INVOICE_RECEIPT', prefix: 'IR-', padding: 4 },
  { documentType: 'RECEIPT', prefix: 'RC-', padding: 4 },
  { documentType: 'PAYMENT_REQUEST', prefix: 'PR-', padding: 4 },
  { documentType: 'CREDIT_MEMO', prefix: 'CM-', padding: 4 },
]

async function sell(act: Act, { organizationId, customers, accountFor }: Books, made: Made, sale: Sale) {
  const { key, customer, ...document } = sale
  if (made.has(key)) return
  const named = { organizationId, customerId: customers.get(customer), bankAccountId: accountFor(sale.currency) }
  made.set(key, await act<Shown>('invoices_create', { ...named, ...document }))
}

async function pay(act: Act, books: Books, { made, paid }: { made: Made; paid: Set<string> }, payment: Payment) {
  const { customer, shares, ...money } = payment
  const customerId = books.customers.get(customer)
  if (paid.has(markOf({ customerId, ...money }))) return
  const allocations = shares.map(({ key, amount }) => ({ documentId: idOf(made, key), amount }))
  await act('invoices_payments_create', { organizationId: books.organizationId, customerId, ...money, allocations })
}

async function grant(act: Act, made: Made, { key, of, items, reason }: Credit) {
  if (!made.has(key)) await act('invoices_memos', { id: idOf(made, of), kind: 'CREDIT', items, reason })
}

async function receipted(act: Act, made: Made, { of, ...paid }: Receipt) {
  if (made.get(of)?.status === 'PAID') return
  await act('invoices_mark_paid', { id: idOf(made, of), ...paid, generateReceipt: true, sendReceiptEmail: false })
}

/** Whoever remarks something is named, and nothing else that happens to a document has an actor. */
async function discuss(act: Act, made: Made, { of, remarks }: Thread) {
  const id = idOf(made, of)
  const { events } = await act<{ events: { actorUserId: string | null }[] }>('invoices_events', { id, limit: 100 })
  const said = events.filter(({ actorUserId }) => actorUserId !== null).length
  await inOrder(remarks.slice(said), ({ type, message }) =>
    act('invoices_events_post', { id, type, payload: { message } }),
  )
}

type Shown = { id: string; status: string; documentType: string; items: readonly { id: string }[] }
type Made = Map<string, Shown>

/** The documents that are there, by the key that the ids of their lines begin with; a receipt repeats its document's. */
async function documentsOf(act: Act, { organizationId }: Books): Promise<Made> {
  const made: Made = new Map()
  const pages = everyPage((page) =>
    act<Page & { invoices: Shown[] }>('invoices_list', { organizationId, sortOrder: 'asc', ...page }),
  )
  for await (const { invoices } of pages)
    for (const document of invoices) {
      const key = document.items[0]?.id.split('.')[0]
      if (key !== undefined && document.documentType !== 'RECEIPT' && !made.has(key)) made.set(key, document)
    }
  return made
}

type Money = { customerId: string | null | undefined; paidAt: string; amount: number }
const markOf = ({ customerId, paidAt, amount }: Money) => `${customerId} ${paidAt} ${amount}`

async function paymentsOf(act: Act, { organizationId }: Books): Promise<Set<string>> {
  const paid = new Set<string>()
  const pages = everyPage((page) =>
    act<Page & { payments: Money[] }>('invoices_payments_list', { organizationId, ...page }),
  )
  for await (const { payments } of pages) for (const payment of payments) paid.add(markOf(payment))
  return paid
}

function idOf(made: Made, key: string): string {
  const document = made.get(key)
  if (!document) throw new Error(`The demo speaks of its sale ${key}, which was not made.`)
  return document.id
}
