import { type SqlBool, sql } from 'kysely'
import { invalid } from '../../../core/define/failure.ts'
import { type Database, type Inside, operation } from '../../../core/define/operation.ts'
import { Pagination, paging, SortOrder } from '../../../core/define/page.ts'
import { byId, containing, givenColumns, inserting, one, paged, textOrNull } from '../../../core/define/query.ts'
import { ById, defaulted, Id, OneOf, Success, success, Type, type Warning } from '../../../core/define/schema.ts'
import { checksUpdatedAt, requireUnchanged, showsUpdatedAt } from '../../../core/define/unchanged.ts'
import { withWarnings } from '../../../core/define/warning.ts'
import { newId } from '../../../core/values/id.ts'
import { exact, toMajor } from '../../../core/values/money.ts'
import { currencyOf } from '../../../ledger/currency-of.ts'
import { organizationContext } from '../../../ledger/organization-context.ts'
import { costInMajor } from './cost.ts'
import { Item, ItemChanges, itemKinds, NewItem } from './item.ts'

export const list = operation({
  name: 'logistics_items_list',
  http: 'GET /api/items',
  does: 'Lists items, searched by name, SKU, barcode or description, with their stock.',
  scope: 'logistics:read',
  within: 'organizationId',
  input: Type.Object({
    organizationId: Type.Optional(Id),
    ...paging(),
    search: defaulted(Type.String({ maxLength: 200 }), ''),
    kind: Type.Optional(OneOf(...itemKinds)),
    active: Type.Optional(OneOf('true', 'false', '')),
    tracked: Type.Optional(OneOf('true', 'false', '')),
    low: Type.Optional(OneOf('true', 'false', '')),
    sortBy: defaulted(OneOf('name', 'sku', 'createdAt', 'updatedAt'), 'name'),
    sortOrder: defaulted(SortOrder, 'asc'),
  }),
  output: Type.Object({ items: Type.Array(Item), pagination: Pagination }),
  async run({ db }, { organizationId, search, kind, active, tracked, low, sortBy, sortOrder, ...page }) {
    let query = items(db)
      .orderBy(sortedBy[sortBy], (order) => (sortBy === 'sku' ? order[sortOrder]().nullsLast() : order[sortOrder]()))
      .orderBy('i.id', sortOrder)
    if (kind) query = query.where('i.kind', '=', kind)
    if (active) query = query.where('i.active', '=', active === 'true')
    if (tracked) query = query.where('i.tracked', '=', tracked === 'true')
    if (low) query = query.where(isLow, '=', low === 'true')
    const text = search.trim()
    if (text) query = query.where(matches(text, organizationId !== undefined))
    const { rows, pagination } = await paged(query, page)
    return { items: rows.map(toItem), pagination }
  },
})

export const create = operation({
  name: 'logistics_items_create',
  http: 'POST /api/items',
  does: 'Adds an item that is bought or sold. The stock of goods is tracked unless tracked is false.',
  scope: 'logistics:write',
  role: 'CONTRIBUTOR',
  within: 'organizationId',
  input: NewItem,
  output: Item,
  status: 201,
  async run({ db }, { organizationId: _, kind, tracked = kind === 'GOODS', ...given }) {
    refuseTrackedService(kind, tracked)
    const { currency } = await organizationContext(db)
    const id = newId()
    const saleCurrency = currencyOf(given.saleCurrency ?? currency, 'saleCurrency')
    await insertItem(db, {
      ...emptyItem,
      ...columnsOf(given),
      id,
      name: given.name,
      kind,
      tracked,
      saleCurrency,
      purchaseCurrency: currencyOf(given.purchaseCurrency ?? saleCurrency, 'purchaseCurrency'),
    })
    const item = toItem(await one(itemById(db, id), 'item'))
    return withWarnings(item, itemWarnings(item))
  },
})

export const get = operation({
  ...showsUpdatedAt,
  name: 'logistics_items_get',
  http: 'GET /api/items/{id}',
  does: 'Reads one item with its stock.',
  scope: 'logistics:read',
  within: 'items',
  input: ById,
  output: Item,
  run: async ({ db }, { id }) => toItem(await one(itemById(db, id), 'item')),
})

export const replace = operation({
  ...checksUpdatedAt,
  name: 'logistics_items_update',
  http: 'PUT /api/items/{id}',
  does: 'Replaces an item: optional fields left out are emptied; name, kind, currencies and tracked are kept.',
  scope: 'logistics:write',
  role: 'CONTRIBUTOR',
  within: 'items',
  input: ItemChanges,
  output: Item,
  run: (context, changes) => change(context, { ...emptyItem, active: true, ...changes }),
})

export const update = operation({
  ...checksUpdatedAt,
  name: 'logistics_items_update_patch',
  http: 'PATCH /api/items/{id}',
  does: 'Changes the given fields of an item.',
  scope: 'logistics:write',
  role: 'CONTRIBUTOR',
  within: 'items',
  input: ItemChanges,
  output: Item,
  run: change,
})

export const remove = operation({
  name: 'logistics_items_delete',
  http: 'DELETE /api/items/{id}',
  does: 'Deletes an item; refused once documents, orders or stock movements name it.',
  scope: 'logistics:write',
  role: 'CONTRIBUTOR',
  within: 'items',
  input: ById,
  output: Success,
  async run({ db }, { id }) {
    await one(db.deleteFrom('items').where('id', '=', id).returning('id'), 'item')
    return success
  },
})

const emptyItem = {
  description: null, sku: null, barcode: null, unit: null, salePrice: null, purchasePrice: null, taxRate: null,
  taxCategory: null, lowStockThreshold: null,
} // biome-ignore format: a list of words

async function change(context: Inside, { id, ...given }: ItemChanges) {
  const { db, audit } = context
  if (context.expectedUpdatedAt !== undefined) await lockItem(db, id)
  const before = await one(itemById(db, id), 'item')
  await requireUnchanged(context, { id, noun: 'item', updatedAt: before.updatedAt })
  const kind = given.kind ?? before.kind
  // goods that become a service are tracked no longer, unless the caller says otherwise
  const tracked = given.tracked ?? (kind === 'SERVICE' ? false : before.tracked)
  refuseTrackedService(kind, tracked)
  const columns = { ...columnsOf(given), kind, tracked }
  await db.updateTable('items').set(columns).where('id', '=', id).execute()
  const after = await one(itemById(db, id), 'item')
  const item = toItem(after)
  if (after.updatedAt !== before.updatedAt) audit({ fields: changedFields(toItem(before), item) })
  return withWarnings(item, itemWarnings(item))
}

const lockItem = (db: Database, id: string) =>
  db.selectFrom('items').select('id').where('id', '=', id).forNoKeyUpdate().execute()

const changedFields = (before: Item, after: Item) =>
  (Object.keys(after) as (keyof Item)[]).filter(
    (field) => field !== 'updatedAt' && JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  )

function refuseTrackedService(kind: Item['kind'], tracked: boolean) {
  if (kind === 'SERVICE' && tracked)
    throw invalid('tracked', 'A service has no stock. Leave tracked out, or make the item GOODS.', 'TRACKED_SERVICE')
}

type Written = Omit<ItemChanges, 'id'>

/** The columns of the given fields. Prices and quantities keep six decimal places. */
function columnsOf(given: Written) {
  const { name, active, description, saleCurrency, purchaseCurrency } = given
  const columns = {
    name,
    active,
    description,
    sku: textOrNull(given.sku),
    barcode: textOrNull(given.barcode),
    unit: textOrNull(given.unit),
    taxCategory: textOrNull(given.taxCategory),
    salePrice: decimal(given.salePrice),
    purchasePrice: decimal(given.purchasePrice),
    taxRate: decimal(given.taxRate),
    lowStockThreshold: decimal(given.lowStockThreshold),
    saleCurrency: saleCurrency && currencyOf(saleCurrency, 'saleCurrency'),
    purchaseCurrency: purchaseCurrency && currencyOf(purchaseCurrency, 'purchaseCurrency'),
  }
  return givenColumns(columns)
}

const decimal = (value: number | null | undefined) => (typeof value === 'number' ? exact(value).toFixed(6) : value)

const insertItem = inserting((db, row: object) =>
  db
    .insertInto('items')
    .values(row as never)
    .returning('id'),
)

const sortedBy = {
  name: sql`lower(i.name)`,
  sku: sql`lower(i.sku)`,
  createdAt: sql.ref('i.createdAt'),
  updatedAt: sql.ref('i.updatedAt'),
}

/** Shorter texts cannot be found by the index, which consists of sequences of three characters. */
const indexedLengthMin = 3

/** Lists over all organizations cannot use the index, which is of one. */
const matches = (text: string, isInOne: boolean) =>
  isInOne && [...text].length >= indexedLengthMin
    ? sql<SqlBool>`i.id in (select x.id from search_items(${text}, ${containing(text)}, 100000) x (id))`
    : sql<SqlBool>`(i.name ilike ${containing(text)} or i.sku ilike ${containing(text)} or i.barcode ilike ${containing(text)}
        or i.description ilike ${containing(text)})`

const isLow = sql<boolean>`(i.tracked and i.low_stock_threshold is not null and coalesce(l.quantity, 0) <= i.low_stock_threshold)`

const items = (db: Database) =>
  db
    .selectFrom('items as i')
    .leftJoin('stockLevels as l', (join) =>
      join.onRef('l.organizationId', '=', 'i.organizationId').onRef('l.itemId', '=', 'i.id'),
    )
    .selectAll('i')
    .select([
      'l.valueMinor',
      'l.unitCost',
      'l.homeCurrency',
      sql<string | null>`case when i.tracked then coalesce(l.quantity, 0) end`.as('stockLevel'),
      isLow.as('isLow'),
    ])

const itemById = byId((db, id) => items(db).where('i.id', '=', id))

type ItemRow = Awaited<ReturnType<ReturnType<typeof items>['executeTakeFirstOrThrow']>>

function toItem({ valueMinor, unitCost, homeCurrency, trackedSince: _, ...row }: ItemRow): Item {
  return {
    ...row,
    salePrice: numberOrNull(row.salePrice),
    purchasePrice: numberOrNull(row.purchasePrice),
    taxRate: numberOrNull(row.taxRate),
    lowStockThreshold: numberOrNull(row.lowStockThreshold),
    stockLevel: numberOrNull(row.stockLevel),
    averageCost: unitCost === null || homeCurrency === null ? null : costInMajor(unitCost, homeCurrency),
    stockValue: valueMinor === null || homeCurrency === null ? null : toMajor(BigInt(valueMinor), homeCurrency),
  }
}

const numberOrNull = (value: string | number | null) => (value === null ? null : Number(value))

const itemWarnings = ({ purchasePrice, salePrice, purchaseCurrency, saleCurrency }: Item): Warning[] =>
  purchasePrice !== null && salePrice !== null && purchaseCurrency === saleCurrency && salePrice < purchasePrice
    ? [{ code: 'PRICE_BELOW_COST', path: 'salePrice', message: 'The sale price is below the purchase price.' }]
    : []
