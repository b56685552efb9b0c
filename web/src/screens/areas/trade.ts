import { today } from '../../shown.tsx'
import type { Row } from '../../ui/values/values.tsx'
import type { Area } from './area.ts'

/** What is received from a supplier is delivered to a customer. */
export const orderState = (status: unknown, { kind }: Row) =>
  kind === 'SALES' ? String(status).replace('RECEIVED', 'DELIVERED') : status

const isUnder = ({ status }: Row, ...states: string[]) => states.includes(String(status))
const linesOf = ({ lines }: Row) => (Array.isArray(lines) ? (lines as Row[]) : [])
const isExpected = (order: Row) => isUnder(order, 'OPEN', 'PARTIALLY_RECEIVED')

/** What is still open of an order, all of it: less is typed in. */
const openLines = (order: Row): Row => ({
  lines: linesOf(order).flatMap(({ id, openQuantity }) =>
    Number(openQuantity) > 0 ? [{ lineId: id, quantity: openQuantity }] : [],
  ),
})

export const trade: readonly Area[] = [
  {
    key: 'orders',
    title: { en: 'Orders', he: 'הזמנות' },
    hint: { en: 'What is ordered from suppliers and by customers.', he: 'מה שהוזמן מספקים ועל ידי לקוחות.' },
    none: { en: 'No orders yet', he: 'עדיין אין הזמנות' },
    list: 'orders_list',
    rows: 'orders',
    search: { en: 'Number, customer, supplier', he: 'מספר, לקוח, ספק' },
    sort: { by: 'orderDate', order: 'desc' },
    columns: [
      { field: 'orderNumber', absent: { en: 'Draft', he: 'טיוטה' }, head: { en: 'Number', he: 'מספר' } },
      {
        field: 'customer.name',
        or: 'supplier.name',
        shown: 'name',
        strong: true,
        head: { en: 'Customer or supplier', he: 'לקוח או ספק' },
      },
      { field: 'kind', shown: 'choice', spare: true },
      { field: 'orderDate', shown: 'day', sort: 'orderDate', spare: true },
      { field: 'expectedDate', shown: 'day', spare: true },
      { field: 'status', shown: 'state', as: orderState },
      { field: 'total', shown: 'money' },
    ],
    get: 'orders_get',
    create: 'orders_create',
    createName: { en: 'New order', he: 'הזמנה חדשה' },
    form: [
      'kind',
      'customerId',
      'supplierId',
      'orderDate',
      'expectedDate',
      'currency',
      'lines',
      'lines.itemId',
      'lines.description',
      'lines.quantity',
      'lines.unitPrice',
      'notes',
    ],
    begin: ({ currency }) => ({ kind: 'SALES', currency, orderDate: today(), lines: [{ quantity: 1 }] }),
    without: ({ kind }) => (kind === 'SALES' ? ['supplierId'] : kind === 'PURCHASE' ? ['customerId'] : []),
    fits: {
      orders_open: (order) => isUnder(order, 'DRAFT'),
      orders_receive: (order) => order.kind === 'PURCHASE' && isExpected(order),
      orders_deliver: (order) => order.kind === 'SALES' && isExpected(order),
      orders_invoice: (order) =>
        order.kind === 'SALES' && !isUnder(order, 'DRAFT', 'CANCELLED') && order.isInvoiced !== true,
      orders_send: (order) => order.kind === 'PURCHASE' && !isUnder(order, 'DRAFT', 'CANCELLED', 'CLOSED'),
      orders_close: (order) => isUnder(order, 'OPEN', 'PARTIALLY_RECEIVED', 'RECEIVED'),
      orders_cancel: (order) =>
        isUnder(order, 'DRAFT', 'OPEN') && linesOf(order).every(({ invoicedQuantity }) => !invoicedQuantity),
      orders_delete: (order) => isUnder(order, 'DRAFT'),
    },
    starts: { orders_receive: openLines, orders_deliver: openLines },
    leads: { orders_invoice: ({ invoice }) => `documents/${(invoice as Row).id}/edit` },
    update: 'orders_update_patch',
    remove: 'orders_delete',
    acts: [
      'orders_open',
      'orders_receive',
      'orders_deliver',
      'orders_invoice',
      'orders_send',
      'orders_close',
      'orders_cancel',
    ],
    parts: ['orders_chain', 'orders_match'],
    download: 'orders_pdf',
  },
  {
    key: 'items',
    title: { en: 'Items', he: 'פריטים' },
    hint: { en: 'Goods and services with their prices.', he: 'טובין ושירותים ומחיריהם.' },
    none: { en: 'No items yet', he: 'עדיין אין פריטים' },
    list: 'logistics_items_list',
    rows: 'items',
    search: { en: 'Name, SKU, barcode', he: 'שם, מק״ט, ברקוד' },
    sort: { by: 'name', order: 'asc' },
    columns: [
      { field: 'name', shown: 'name', strong: true, sort: 'name' },
      { field: 'sku', sort: 'sku' },
      { field: 'kind', shown: 'choice', spare: true },
      { field: 'isLow', shown: 'low', spare: true, head: { en: '', he: '' } },
      { field: 'stockLevel', shown: 'count' },
      { field: 'salePrice', shown: 'money', currency: 'saleCurrency' },
    ],
    get: 'logistics_items_get',
    create: 'logistics_items_create',
    createName: { en: 'New item', he: 'פריט חדש' },
    form: ['name', 'sku', 'kind', 'salePrice', 'purchasePrice', 'unit', 'tracked', 'lowStockThreshold'],
    update: 'logistics_items_update_patch',
    remove: 'logistics_items_delete',
  },
  {
    key: 'stock',
    title: { en: 'Stock', he: 'מלאי' },
    hint: { en: 'How much of each item there is, and what it cost.', he: 'כמה יש מכל פריט, וכמה עלה.' },
    none: { en: 'Nothing in stock yet', he: 'עדיין אין מלאי' },
    beside: ['stock', 'stock-movements'],
    list: 'logistics_stock_levels',
    rows: 'levels',
    id: 'itemId',
    search: { en: 'Name, SKU', he: 'שם, מק״ט' },
    columns: [
      { field: 'name', shown: 'name', strong: true },
      { field: 'sku' },
      { field: 'isLow', shown: 'low', head: { en: '', he: '' } },
      { field: 'quantity', shown: 'count' },
      { field: 'onOrder', shown: 'count', spare: true },
      { field: 'reserved', shown: 'count', spare: true },
      { field: 'value', shown: 'money' },
    ],
    tools: ['logistics_stock_movements_create'],
  },
  {
    key: 'stock-movements',
    title: { en: 'Stock movements', he: 'תנועות מלאי' },
    hint: { en: 'Everything that came in, went out or was corrected.', he: 'כל מה שנכנס, יצא או תוקן.' },
    none: { en: 'No movements yet', he: 'עדיין אין תנועות' },
    beside: ['stock', 'stock-movements'],
    list: 'logistics_stock_movements',
    rows: 'movements',
    columns: [
      { field: 'itemName', shown: 'name', strong: true, head: { en: 'Item', he: 'פריט' } },
      { field: 'date', shown: 'day' },
      { field: 'kind', shown: 'choice' },
      { field: 'reason', shown: 'name', spare: true },
      { field: 'quantity', shown: 'count' },
      { field: 'value', shown: 'money' },
    ],
    get: 'logistics_stock_movement',
    create: 'logistics_stock_movements_create',
    createName: { en: 'Record a movement', he: 'רישום תנועה' },
    form: ['itemId', 'kind', 'quantity', 'date', 'unitCost', 'reason'],
  },
]
