import { type Steps, type Talk, tryCall } from '../talk.ts'
import { statusWord } from '../words/statuses.ts'
import { andMore, withLast } from './list.ts'
import type { Data } from './rows.ts'

/** How the total of a document is made up: its lines, discounts, tax, payments and credits. */

type Line = {
  description: string
  quantity: number
  unitPrice: number
  amount: number
  taxRate: number | null
  discountPercent: number | null
  discountAmount: number | null
}
export type Document = {
  id: string
  documentType: string
  invoiceNumber: string | null
  status: string
  currency: string
  subtotal: number
  taxRate?: number | null
  taxAmount: number
  total: number
  paidAmount: number
  creditedAmount: number
  openBalance: number
  dueDate: string | null
  issueDate?: string
  invoiceDate?: string
  inDispute: boolean
  customer: { id: string; name: string | null } | null
  items: Line[]
}

/** `Invoice INV-0012 to Globex`, or `the draft to Globex`. */
export function documentTitle(talk: Talk, { id, documentType, invoiceNumber, customer }: Document): string {
  const name = customer?.name ?? ''
  talk.show('document', id, [invoiceNumber ?? '', name].filter(Boolean).join(', '))
  if (customer) talk.show('customer', customer.id, name)
  const type = statusWord(talk.language, documentType)
  const numbered = invoiceNumber ? `${type} ${talk.data(invoiceNumber)}` : talk.in(`the draft ${type}`, `טיוטת ${type}`)
  const sentence = name === '' ? numbered : `${numbered} ${talk.to(name)}`
  return sentence.charAt(0).toUpperCase() + sentence.slice(1)
}

export async function* tellDocument(talk: Talk, document: Document): Steps {
  const { currency, status, total, openBalance, dueDate } = document
  const day = document.issueDate ?? document.invoiceDate ?? ''
  yield* talk.say(
    `${documentTitle(talk, document)}: ${talk.money(total, currency)}, ${statusWord(talk.language, status, 'f')}, ${talk.day(day)}.`,
  )
  if (status === 'DRAFT' && dueDate)
    yield* talk.say(talk.in(`It is due ${talk.day(dueDate)}.`, `לתשלום עד ${talk.day(dueDate)}.`))
  if (status !== 'DRAFT' && openBalance !== 0) {
    const due = dueDate ? talk.in(`, due ${talk.day(dueDate)}`, `, לתשלום עד ${talk.day(dueDate)}`) : ''
    yield* talk.say(
      talk.in(
        `${talk.money(openBalance, currency)} is open${due}.`,
        `נותרו לתשלום ${talk.money(openBalance, currency)}${due}.`,
      ),
    )
  }
  if (document.inDispute) yield* talk.say(talk.in('It is in dispute.', 'המסמך במחלוקת.'))
}

export async function* explainDocument(talk: Talk, document: Document): Steps {
  const { currency, items } = document
  const money = (amount: number) => talk.money(amount, currency)
  yield* talk.say(
    talk.in(
      `${documentTitle(talk, document)} is ${money(document.total)}:`,
      `${documentTitle(talk, document)} בסך ${money(document.total)}:`,
    ),
  )
  const shown = withLast(items, 10)
  for (const line of shown) yield* talk.line(lineText(talk, line, currency))
  if (items.length > shown.length) yield* talk.line(andMore(talk, items.length - shown.length))
  yield* talk.line(`${talk.in('Before tax', 'לפני מס')}: ${money(document.subtotal)}`)
  yield* talk.line(`${taxText(talk, document)}: ${money(document.taxAmount)}`)
  yield* talk.line(`${talk.in('Total', 'סך הכול')}: ${money(document.total)}`)
  if (document.paidAmount !== 0) yield* paymentLines(talk, document)
  if (document.creditedAmount !== 0)
    yield* talk.line(`${talk.in('Credited', 'זוכה')}: ${money(document.creditedAmount)}`)
  if (document.status !== 'DRAFT') yield* talk.line(`${talk.in('Open', 'פתוח לתשלום')}: ${money(document.openBalance)}`)
}

function lineText(talk: Talk, line: Line, currency: string): string {
  const { quantity, unitPrice, amount, discountPercent, discountAmount } = line
  const times = `${talk.number(quantity)} × ${talk.money(unitPrice, currency)}`
  const off = discountPercent
    ? talk.percent(discountPercent)
    : discountAmount
      ? talk.money(discountAmount, currency)
      : ''
  const discount = off === '' ? '' : talk.in(`, discount ${off}`, `, הנחה ${off}`)
  return `• ${talk.data(line.description)}: ${times}${discount} = ${talk.money(amount, currency)}`
}

/** The rate if all lines have one. */
function taxText(talk: Talk, { items, taxRate }: Document): string {
  const rates = new Set(items.map((line) => line.taxRate ?? taxRate ?? null))
  const [rate] = rates
  const name = talk.in('Tax', 'מס')
  return rates.size === 1 && typeof rate === 'number' ? `${name} ${talk.percent(rate)}` : name
}

async function* paymentLines(talk: Talk, { id, paidAmount, currency }: Document): Steps {
  const output = (yield* tryCall(talk, 'invoices_payments_list', { documentId: id, limit: 10 })) as Data | undefined
  const payments = (Array.isArray(output?.payments) ? output.payments : []) as Data[]
  const parts = payments
    .filter(({ voidedAt }) => !voidedAt)
    .flatMap(({ allocations, paidAt }) =>
      (allocations as { documentId: string; amount: number }[])
        .filter(({ documentId }) => documentId === id)
        .map(({ amount }) =>
          talk.in(
            `${talk.money(amount, currency)} on ${talk.day(String(paidAt))}`,
            `${talk.money(amount, currency)} ב-${talk.day(String(paidAt))}`,
          ),
        ),
    )
  const made = parts.length > 0 ? ` (${parts.join('; ')})` : ''
  yield* talk.line(`${talk.in('Paid', 'שולם')}: ${talk.money(paidAmount, currency)}${made}`)
}
