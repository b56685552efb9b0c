import { conflict } from '../../../core/define/failure.ts'
import { operation } from '../../../core/define/operation.ts'
import { one } from '../../../core/define/query.ts'
import { Id, Type } from '../../../core/define/schema.ts'
import { withWarnings } from '../../../core/define/warning.ts'
import { exact, round, toMajor } from '../../../core/values/money.ts'
import { pipeline } from '../../../db/pipeline.ts'
import { createDocument } from '../../selling/documents/create.ts'
import { ListedDocument, type NewLine } from '../../selling/documents/document.ts'
import { toListed } from '../../selling/documents/reading/read.ts'
import { lockOrder } from './context.ts'
import { orderInvoiced } from './order.ts'
import { type LineRow, type OrderRow, orderById, toInvoice, toOrder, toPayload } from './read.ts'
import { sumsOf } from './write.ts'

export const invoice = operation({
  name: 'orders_invoice',
  http: 'POST /api/orders/{id}/invoice',
  does: 'Drafts an invoice for what is not yet invoiced of an order of a customer.',
  scope: 'invoices:write',
  role: 'CONTRIBUTOR',
  within: 'orders',
  input: Type.Object({ id: Id }),
  output: Type.Object({
    invoice: ListedDocument,
    redirectUrl: Type.String({ description: 'Where the web app edits the draft.' }),
  }),
  status: 201,
  async run(context, { id }) {
    const { db, emit } = context
    const { order } = await pipeline({ locked: lockOrder(db, id), order: one(orderById(db, id), 'order') })
    const lines = linesToInvoice(order)
    const { row, warnings } = await createDocument(context, draftOf(order, lines))
    await db
      .insertInto('orderInvoiceLines')
      .values(lines.map((line) => ({ documentId: row.id, documentLineId: line.id, orderId: id, lineId: line.id })))
      .execute()
    const invoiced = toOrder(await one(orderById(db, id), 'order'))
    emit(orderInvoiced, { ...toPayload(invoiced), documentId: row.id })
    return { invoice: withWarnings(toListed(row, []), warnings), redirectUrl: `/documents/${row.id}/edit` }
  },
})

/** A line of the draft with its exact amount. */
type DraftLine = NewLine & { minor: bigint; rate: string }

/** What of each line is not invoiced yet. Of a closed order only what was delivered is invoiced. */
function linesToInvoice(order: OrderRow): DraftLine[] {
  const { kind, status, lines, currency } = order
  if (kind === 'PURCHASE')
    throw conflict(
      'An order to a supplier is billed by the supplier. Enter the bill as an expense.',
      'ORDER_TRANSITION',
    )
  if (status === 'DRAFT')
    throw conflict('The order is a draft. Open it first: POST /api/orders/{id}/open.', 'ORDER_TRANSITION')
  if (status === 'CANCELLED') throw conflict('The order was cancelled.', 'ORDER_TRANSITION')
  const open = lines.flatMap((line) => {
    const quantity = toInvoice(order, line)
    return quantity.greaterThan(0) ? [draftLine(line, quantity, currency)] : []
  })
  if (open.length === 0)
    throw conflict(
      status === 'CLOSED' ? 'Everything that was delivered of the order is invoiced.' : 'The order is fully invoiced.',
      'INVOICED_WITHIN_ORDER',
    )
  return open
}

/** The amount is the share of the line: all parts of a line together are exactly its amount. */
function draftLine(line: LineRow, quantity: ReturnType<typeof exact>, currency: string): DraftLine {
  const upto = (of: ReturnType<typeof exact>) =>
    round(exact(String(line.amountMinor)).times(of).div(exact(line.quantity)), 'half-up')
  const before = exact(line.invoiced)
  const minor = upto(before.plus(quantity)) - upto(before)
  return {
    id: line.id,
    itemId: line.itemId,
    description: line.description,
    quantity: Number(quantity.toFixed(6)),
    unitPrice: Number(line.unitPrice),
    amount: toMajor(minor, currency),
    taxRate: line.taxRate === null ? null : Number(line.taxRate),
    taxCategory: line.taxCategory,
    minor,
    rate: line.taxRate ?? '0',
  }
}

/** The draft of an invoice over these lines. */
function draftOf({ counterpartyId, currency, orderNumber, reference }: OrderRow, lines: readonly DraftLine[]) {
  const { subtotal, tax } = sumsOf(lines)
  const items = lines.map(({ minor: _, rate: __, ...line }) => line)
  return {
    customerId: counterpartyId,
    currency,
    items,
    subtotal: toMajor(subtotal, currency),
    taxRate: Number(lines[0]?.rate ?? 0),
    taxAmount: toMajor(tax, currency),
    total: toMajor(subtotal + tax, currency),
    documentType: 'INVOICE' as const,
    status: 'DRAFT' as const,
    notes: [`Order ${orderNumber}`, reference].filter(Boolean).join(', '),
  }
}
