import { type SqlBool, sql } from 'kysely'
import { type Database, operation } from '../../../core/define/operation.ts'
import { Pagination, paging, SortOrder } from '../../../core/define/page.ts'
import { containing, one, paged, toUuid } from '../../../core/define/query.ts'
import { ById, defaulted, Id, OneOf, Success, success, Type } from '../../../core/define/schema.ts'
import { withWarnings } from '../../../core/define/warning.ts'
import { today } from '../../../core/values/day.ts'
import { newId } from '../../../core/values/id.ts'
import { minorDigits } from '../../../core/values/money.ts'
import { pipeline } from '../../../db/pipeline.ts'
import { currencyOf } from '../../../ledger/currency-of.ts'
import { dayOf, filterDay } from '../../../ledger/organization-context.ts'
import { changeOrder } from './change.ts'
import { defaultRateOf, findParty, orderContext } from './context.ts'
import {
  ListedOrder,
  NewOrder,
  Order,
  OrderChanges,
  type OrderKind,
  type OrderStatus,
  orderKinds,
  orderOpened,
  orderStatuses,
} from './order.ts'
import { listedOrders, orderById, toListed, toOrder, toPayload } from './read.ts'
import { insertOrderLines, itemsOf, readLines } from './write.ts'

const Day = Type.Optional(Type.String({ maxLength: 40, description: 'A calendar day.', examples: ['2026-01-31'] }))

export const list = operation({
  name: 'orders_list',
  http: 'GET /api/orders',
  does: 'Lists orders of customers (SALES) and to suppliers (PURCHASE), searched by number, company, reference or notes.',
  scope: 'orders:read',
  within: 'organizationId',
  input: Type.Object({
    organizationId: Type.Optional(Id),
    ...paging(),
    search: defaulted(Type.String({ maxLength: 200 }), ''),
    kind: Type.Optional(OneOf(...orderKinds)),
    status: Type.Optional(OneOf(...orderStatuses)),
    customerId: Type.Optional(Id),
    supplierId: Type.Optional(Id),
    dateFrom: Day,
    dateTo: Day,
    sortBy: defaulted(OneOf('orderDate', 'createdAt', 'counterpartyName'), 'orderDate'),
    sortOrder: defaulted(SortOrder, 'desc'),
  }),
  output: Type.Object({ orders: Type.Array(ListedOrder), pagination: Pagination }),
  async run(
    { db },
    { organizationId, search, kind, status, customerId, supplierId, dateFrom, dateTo, sortBy, sortOrder, ...page },
  ) {
    let query = listedOrders(db).orderBy(sortedBy[sortBy], sortOrder).orderBy('o.id', sortOrder)
    if (kind) query = query.where('o.kind', '=', kind)
    if (status) query = query.where('o.status', '=', status)
    if (customerId) query = query.where('o.kind', '=', 'SALES').where('o.counterpartyId', '=', toUuid(customerId))
    if (supplierId) query = query.where('o.kind', '=', 'PURCHASE').where('o.counterpartyId', '=', toUuid(supplierId))
    if (dateFrom) query = query.where('o.orderDate', '>=', filterDay('dateFrom', dateFrom))
    if (dateTo) query = query.where('o.orderDate', '<=', filterDay('dateTo', dateTo))
    const text = search.trim()
    if (text) query = query.where(matches(text, organizationId !== undefined))
    const isPlain = !(customerId || supplierId || dateFrom || dateTo || text)
    const { rows, pagination } = await paged(query, page, isPlain ? countOf(db, { kind, status }) : undefined)
    return { orders: rows.map(toListed), pagination }
  },
})

export const create = operation({
  name: 'orders_create',
  http: 'POST /api/orders',
  does: 'Creates an order of a customer (SALES) or to a supplier (PURCHASE), as a draft or open. Lines take name and price of their item.',
  scope: 'orders:write',
  role: 'CONTRIBUTOR',
  within: 'organizationId',
  input: NewOrder,
  output: Order,
  status: 201,
  async run({ db, who, now, emit }, { organizationId: _, kind, status, lines: given, ...fields }) {
    const { organization, member, party, items } = await pipeline({
      organization: orderContext(db),
      member: who,
      party: findParty(db, kind, fields),
      items: itemsOf(db, given),
    })
    const currency = currencyOf(fields.currency ?? party.currency ?? organization.currency)
    const orderDate = dayOf('orderDate', fields.orderDate ?? null, organization) ?? today(now, organization.timezone)
    const defaultTaxRate = defaultRateOf(organization, { kind, party, day: orderDate })
    const { lines, totals, warnings } = readLines(given, { kind, currency, items, defaultTaxRate })
    const id = newId()
    const { row } = await pipeline({
      order: db
        .insertInto('orders')
        .values({
          id,
          kind,
          status,
          counterpartyId: party.id,
          currency,
          minorDigits: minorDigits(currency),
          orderDate,
          expectedDate: dayOf('expectedDate', fields.expectedDate ?? null, organization),
          reference: fields.reference?.trim() || null,
          notes: fields.notes ?? null,
          ...totals,
          createdBy: member.userId,
        })
        .execute(),
      lines: insertOrderLines(db, id, lines),
      row: one(orderById(db, id), 'order'),
    })
    const order = toOrder(row)
    if (order.status === 'OPEN') emit(orderOpened, toPayload(order))
    return withWarnings(order, warnings)
  },
})

export const get = operation({
  name: 'orders_get',
  http: 'GET /api/orders/{id}',
  does: 'Reads one order with its lines and what of them was received, delivered and invoiced.',
  scope: 'orders:read',
  within: 'orders',
  input: ById,
  output: Order,
  run: async ({ db }, { id }) => toOrder(await one(orderById(db, id), 'order')),
})

export const replace = operation({
  name: 'orders_update',
  http: 'PUT /api/orders/{id}',
  does: 'Replaces an order: optional fields left out are emptied; company, currency, date and lines are kept.',
  scope: 'orders:write',
  role: 'CONTRIBUTOR',
  within: 'orders',
  input: OrderChanges,
  output: Order,
  run: (context, changes) => changeOrder(context, { expectedDate: null, reference: null, notes: null, ...changes }),
})

export const update = operation({
  name: 'orders_update_patch',
  http: 'PATCH /api/orders/{id}',
  does: 'Changes the given fields of an order: everything of a draft; of an open one its expected date, reference and notes.',
  scope: 'orders:write',
  role: 'CONTRIBUTOR',
  within: 'orders',
  input: OrderChanges,
  output: Order,
  run: changeOrder,
})

export const remove = operation({
  name: 'orders_delete',
  http: 'DELETE /api/orders/{id}',
  does: 'Deletes a draft; an order with a number is cancelled instead.',
  scope: 'orders:write',
  role: 'CONTRIBUTOR',
  within: 'orders',
  input: ById,
  output: Success,
  async run({ db }, { id }) {
    await one(db.deleteFrom('orders').where('id', '=', id).returning('id'), 'order')
    return success
  },
})

/** The database keeps counts by kind and status (count_orders()). */
async function countOf(
  db: Database,
  { kind, status }: { kind?: OrderKind | undefined; status?: OrderStatus | undefined },
) {
  let counts = db.selectFrom('documentCounts').where('kind', '=', sql.lit('ORDER'))
  if (kind) counts = counts.where('documentType', '=', kind)
  if (status) counts = counts.where('status', '=', status)
  return (await counts.select(sql<number>`coalesce(sum(change), 0)`.as('total')).executeTakeFirstOrThrow()).total
}

const sortedBy = {
  orderDate: sql.ref('o.orderDate'),
  createdAt: sql.ref('o.createdAt'),
  counterpartyName: sql`lower(o.counterparty_name)`,
}

/** Shorter texts cannot be found by the index, which consists of sequences of three characters and is of one organization. */
const matches = (text: string, isInOne: boolean) =>
  isInOne && [...text].length >= 3
    ? sql<SqlBool>`o.id in (select x.id from search_orders(${text}, ${containing(text)}, 100000) x (id))`
    : sql<SqlBool>`(o.order_number ilike ${containing(text)} or o.counterparty_name ilike ${containing(text)}
        or o.reference ilike ${containing(text)} or o.notes ilike ${containing(text)})`
