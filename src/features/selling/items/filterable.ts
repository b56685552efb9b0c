import { sql } from 'kysely'
import { filterable, toMany, toOne } from '../../../core/define/filterable.ts'

const Item = filterable({
  feature: 'logistics',
  from: sql`(select i.*, coalesce(l.quantity, 0) as stock_level,
      i.tracked and i.low_stock_threshold is not null and coalesce(l.quantity, 0) <= i.low_stock_threshold as is_low
    from items i left join stock_levels l on l.organization_id = i.organization_id and l.item_id = i.id)`,
  fields: {
    id: 'id',
    organizationId: 'id',
    name: 'text',
    description: 'text',
    sku: 'text',
    barcode: 'text',
    kind: 'text',
    unit: 'text',
    salePrice: { kind: 'number', money: true, of: (row) => row.column('salePrice') },
    saleCurrency: 'text',
    purchasePrice: { kind: 'number', money: true, of: (row) => row.column('purchasePrice') },
    purchaseCurrency: 'text',
    taxRate: 'number',
    taxCategory: 'text',
    tracked: 'boolean',
    active: 'boolean',
    stockLevel: 'number',
    lowStockThreshold: 'number',
    isLow: 'boolean',
    createdAt: 'instant',
    updatedAt: 'instant',
  },
  relations: {
    movements: toMany('StockMovement', 'id', 'itemId'),
    documentLines: toMany('DocumentLine', 'id', 'catalogItemId'),
    orderLines: toMany('OrderLine', 'id', 'itemId'),
    organization: toOne('Organization', 'organizationId', 'id'),
  },
})

const StockMovement = filterable({
  feature: 'logistics',
  from: sql`stock_movements`,
  fields: {
    id: 'id',
    organizationId: 'id',
    itemId: 'id',
    kind: 'text',
    quantity: 'number',
    date: 'day',
    reason: 'text',
    reference: 'text',
    source: 'text',
    orderId: 'id',
    documentId: 'id',
    createdAt: 'instant',
  },
  relations: {
    item: toOne('Item', 'itemId', 'id'),
    order: toOne('Order', 'orderId', 'id'),
    document: toOne('Document', 'documentId', 'id'),
  },
})

export const itemObjects = { Item, StockMovement }
