import { sql } from 'kysely'
import { amount, filterable, toMany, toOne } from '../../../core/define/filterable.ts'

const Order = filterable({
  feature: 'orders',
  from: sql`(select o.*, case o.kind when 'SALES' then o.counterparty_id end as customer_id, case o.kind when 'PURCHASE' then o.counterparty_id end as supplier_id
    from orders o)`,
  fields: {
    id: 'id',
    organizationId: 'id',
    kind: 'text',
    status: 'text',
    orderNumber: 'text',
    customerId: 'id',
    supplierId: 'id',
    counterpartyName: 'text',
    currency: 'text',
    orderDate: 'day',
    expectedDate: 'day',
    reference: 'text',
    notes: 'text',
    subtotal: amount('subtotalMinor'),
    taxAmount: amount('taxMinor'),
    total: amount('totalMinor'),
    openedAt: 'instant',
    endedAt: 'instant',
    createdAt: 'instant',
    updatedAt: 'instant',
  },
  relations: {
    lines: toMany('OrderLine', 'id', 'orderId'),
    customer: toOne('Customer', 'customerId', 'id'),
    supplier: toOne('Supplier', 'supplierId', 'id'),
    expenses: toMany('Expense', 'id', 'orderId'),
    movements: toMany('StockMovement', 'id', 'orderId'),
    organization: toOne('Organization', 'organizationId', 'id'),
  },
})

const OrderLine = filterable({
  feature: 'orders',
  from: sql`(select l.*, o.minor_digits from order_lines l join orders o on o.organization_id = l.organization_id and o.id = l.order_id)`,
  key: ['orderId', 'position', 'id'],
  fields: {
    id: 'text',
    orderId: 'id',
    position: 'number',
    itemId: 'id',
    description: 'text',
    quantity: 'number',
    fulfilledQuantity: 'number',
    unitPrice: { kind: 'number', money: true, of: (row) => row.column('unitPrice') },
    amount: amount('amountMinor'),
    taxRate: 'number',
    taxCategory: 'text',
  },
  relations: { order: toOne('Order', 'orderId', 'id'), item: toOne('Item', 'itemId', 'id') },
})

export const orderObjects = { Order, OrderLine }
