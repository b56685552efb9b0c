import { sql } from 'kysely'
import { conflict } from '../../../core/define/failure.ts'
import type { Inside } from '../../../core/define/operation.ts'
import { one } from '../../../core/define/query.ts'
import { withWarnings } from '../../../core/define/warning.ts'
import { minorDigits } from '../../../core/values/money.ts'
import { pipeline } from '../../../db/pipeline.ts'
import { currencyOf } from '../../../ledger/currency-of.ts'
import { dayOf, requiredDay } from '../../../ledger/organization-context.ts'
import { defaultRateOf, findParty, lockOrder, type OrderContext, orderContext } from './context.ts'
import type { Order, OrderChanges } from './order.ts'
import { type OrderRow, orderById, toOrder } from './read.ts'
import { insertOrderLines, itemsOf, readLines } from './write.ts'

/** Changes an order: everything of a draft; of an open one what both sides did not agree on. */
export async function changeOrder({ db }: Inside, changes: OrderChanges): Promise<Order> {
  const { id } = changes
  const { before, organization } = await pipeline({
    locked: lockOrder(db, id),
    before: one(orderById(db, id), 'order'),
    organization: orderContext(db),
  })
  if (before.status !== 'DRAFT') refuseFixed(toOrder(before), changes)
  const draft = before.status === 'DRAFT' ? await draftChanges(db, { before, changes, organization }) : undefined
  await pipeline({
    deleted: draft?.lines && db.deleteFrom('orderLines').where('orderId', '=', id).execute(),
    inserted: draft?.lines && insertOrderLines(db, id, draft.lines),
    order: db
      .updateTable('orders')
      .set({ ...termsOf(changes, organization), ...draft?.columns, updatedAt: sql<string>`now()` })
      .where('id', '=', id)
      .execute(),
  })
  return withWarnings(toOrder(await one(orderById(db, id), 'order')), draft?.warnings ?? [])
}

function termsOf({ expectedDate, reference, notes }: OrderChanges, organization: OrderContext) {
  return {
    ...(expectedDate !== undefined && { expectedDate: dayOf('expectedDate', expectedDate, organization) }),
    ...(reference !== undefined && { reference: reference?.trim() || null }),
    ...(notes !== undefined && { notes }),
  }
}

type DraftChange = { before: OrderRow; changes: OrderChanges; organization: OrderContext }

/** What changes only on a draft: the company, the currency, the date and the lines with their totals. */
async function draftChanges(db: Inside['db'], { before, changes, organization }: DraftChange) {
  const { kind } = before
  const { customerId, supplierId, orderDate } = changes
  // null for the company that an order of this kind does not have is what a reader of it gets
  const hasParty = (kind === 'SALES' ? customerId : supplierId) !== undefined || Boolean(customerId || supplierId)
  const party = hasParty ? await findParty(db, kind, changes) : undefined
  const currency = currencyOf(changes.currency ?? before.currency)
  const given = changes.lines ?? (currency === before.currency ? undefined : toOrder(before).lines)
  const day = orderDate === undefined ? before.orderDate : requiredDay('orderDate', orderDate, organization)
  const read =
    given &&
    readLines(given, {
      kind,
      currency,
      items: await itemsOf(db, given),
      defaultTaxRate: await rateFor(db, { before, organization, party, day }),
    })
  return {
    lines: read?.lines,
    warnings: read?.warnings ?? [],
    columns: {
      currency,
      minorDigits: minorDigits(currency),
      ...(party && { counterpartyId: party.id }),
      ...(orderDate !== undefined && { orderDate: day }),
      ...read?.totals,
    },
  }
}

type RatedDraft = {
  before: OrderRow
  organization: OrderContext
  party: { country: string | null; address: string | null } | undefined
  day: string
}

/** The tax rate of lines that say none, for the company that the draft names or will name. */
async function rateFor(db: Inside['db'], { before, organization, party, day }: RatedDraft) {
  const { kind, counterpartyId } = before
  const named = kind === 'SALES' ? { customerId: counterpartyId } : { supplierId: counterpartyId }
  return defaultRateOf(organization, { kind, party: party ?? (await findParty(db, kind, named)), day })
}

/** What was read may be sent back. */
function refuseFixed(order: Order, { customerId, supplierId, orderDate, currency, lines }: OrderChanges) {
  const changed = [
    customerId !== undefined && customerId !== order.customerId && 'customerId',
    supplierId !== undefined && supplierId !== order.supplierId && 'supplierId',
    orderDate !== undefined && !orderDate.startsWith(order.orderDate) && 'orderDate',
    currency !== undefined && currency.trim().toUpperCase() !== order.currency && 'currency',
    lines !== undefined && !sameLines(order.lines, lines) && 'lines',
  ].find((field) => field !== false)
  if (changed)
    throw conflict(
      `The order is ${order.status}, so ${changed} cannot change. Cancel it (POST /api/orders/{id}/cancel) and enter a new one.`,
      'ORDER_IS_OPEN',
    )
}

const fixedFields = [
  'id',
  'itemId',
  'description',
  'quantity',
  'unitPrice',
  'amount',
  'taxRate',
  'taxCategory',
] as const

const sameLines = (lines: Order['lines'], given: NonNullable<OrderChanges['lines']>) =>
  lines.length === given.length &&
  lines.every((line, at) =>
    fixedFields.every((field) => given[at]?.[field] === undefined || given[at]?.[field] === line[field]),
  )
