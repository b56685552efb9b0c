import { type SqlBool, sql } from 'kysely'
import { invalid } from '../../../core/define/failure.ts'
import { type Database, operation } from '../../../core/define/operation.ts'
import { Pagination, paging, SortOrder } from '../../../core/define/page.ts'
import { byId, containing, one, paged, toUuid } from '../../../core/define/query.ts'
import { ById, defaulted, Id, OneOf, Type, type Warning } from '../../../core/define/schema.ts'
import { withWarnings } from '../../../core/define/warning.ts'
import { today } from '../../../core/values/day.ts'
import { newId } from '../../../core/values/id.ts'
import { exact, toMajor } from '../../../core/values/money.ts'
import { pipeline } from '../../../db/pipeline.ts'
import { dayOf, filterDay, organizationContext } from '../../../ledger/organization-context.ts'
import { costInMajor, costInMinor } from '../../selling/items/cost.ts'
import { negativeStock } from '../../selling/items/document-items.ts'
import { Level, Movement, movementKinds, movementSources, NewMovement } from './movement.ts'

const Day = Type.Optional(Type.String({ maxLength: 40, description: 'A calendar day.', examples: ['2026-01-31'] }))

export const levels = operation({
  name: 'logistics_stock_levels',
  http: 'GET /api/stock/levels',
  does: 'Lists the stock of tracked items: how many, at which cost, on order and reserved.',
  scope: 'logistics:read',
  within: 'organizationId',
  input: Type.Object({
    organizationId: Type.Optional(Id),
    ...paging(),
    search: defaulted(Type.String({ maxLength: 200 }), ''),
    itemId: Type.Optional(Id),
    low: Type.Optional(OneOf('true', 'false', '')),
    sortOrder: defaulted(SortOrder, 'asc'),
  }),
  output: Type.Object({ levels: Type.Array(Level), pagination: Pagination }),
  async run({ db }, { organizationId: _, search, itemId, low, sortOrder, ...page }) {
    let query = trackedItems(db).orderBy(sql`lower(i.name)`, sortOrder).orderBy('i.id', sortOrder)
    if (itemId) query = query.where('i.id', '=', toUuid(itemId))
    if (low) query = query.where(isLow, '=', low === 'true')
    const text = containing(search.trim())
    if (search.trim())
      query = query.where(sql<SqlBool>`(i.name ilike ${text} or i.sku ilike ${text} or i.barcode ilike ${text})`)
    const { rows, pagination } = await paged(query, page)
    return { levels: rows.map(toLevel), pagination }
  },
})

export const movements = operation({
  name: 'logistics_stock_movements',
  http: 'GET /api/stock/movements',
  does: 'Lists the movements of the stock, newest first.',
  scope: 'logistics:read',
  within: 'organizationId',
  input: Type.Object({
    organizationId: Type.Optional(Id),
    ...paging(),
    itemId: Type.Optional(Id),
    orderId: Type.Optional(Id),
    documentId: Type.Optional(Id),
    kind: Type.Optional(OneOf(...movementKinds)),
    source: Type.Optional(OneOf(...movementSources)),
    dateFrom: Day,
    dateTo: Day,
    sortOrder: defaulted(SortOrder, 'desc'),
  }),
  output: Type.Object({ movements: Type.Array(Movement), pagination: Pagination }),
  async run(
    { db },
    { organizationId: _, itemId, orderId, documentId, kind, source, dateFrom, dateTo, sortOrder, ...page },
  ) {
    let query = stockMovements(db).orderBy('m.date', sortOrder).orderBy('m.id', sortOrder)
    if (itemId) query = query.where('m.itemId', '=', toUuid(itemId))
    if (orderId) query = query.where('m.orderId', '=', toUuid(orderId))
    if (documentId) query = query.where('m.documentId', '=', toUuid(documentId))
    if (kind) query = query.where('m.kind', '=', kind)
    if (source) query = query.where('m.source', '=', source)
    if (dateFrom) query = query.where('m.date', '>=', filterDay('dateFrom', dateFrom))
    if (dateTo) query = query.where('m.date', '<=', filterDay('dateTo', dateTo))
    const { rows, pagination } = await paged(query, page)
    return { movements: rows.map(toMovement), pagination }
  },
})

export const movement = operation({
  name: 'logistics_stock_movement',
  http: 'GET /api/stock/movements/{id}',
  does: 'Reads one movement of the stock.',
  scope: 'logistics:read',
  within: 'stockMovements',
  input: ById,
  output: Movement,
  run: async ({ db }, { id }) => toMovement(await one(movementById(db, id), 'movement')),
})

export const move = operation({
  name: 'logistics_stock_movements_create',
  http: 'POST /api/stock/movements',
  does: 'Moves stock by hand: IN and OUT, or ADJUST with a reason after counting. Movements are never changed.',
  scope: 'logistics:write',
  role: 'CONTRIBUTOR',
  within: 'organizationId',
  input: NewMovement,
  output: Movement,
  status: 201,
  async run(
    { db, now },
    { organizationId: _, itemId, kind, quantity, unitCost, reason, reference, opening, ...given },
  ) {
    const { organization, item } = await pipeline({
      organization: organizationContext(db),
      item: db.selectFrom('items').select(['name', 'tracked']).where('id', '=', toUuid(itemId)).executeTakeFirst(),
    })
    if (!item) throw invalid('itemId', 'The item does not exist.', 'UNKNOWN_REFERENCE')
    if (!item.tracked)
      throw invalid(
        'itemId',
        'The stock of this item is not tracked. Set tracked on the item first.',
        'ITEM_IS_TRACKED',
      )
    const note = reason?.trim() || null
    if (kind === 'ADJUST' && note === null)
      throw invalid('reason', 'An adjustment needs a reason, such as a count or a breakage.', 'ADJUSTMENT_HAS_REASON')
    const signed = signedQuantity(kind, quantity)
    const isIn = !signed.startsWith('-')
    const date = dayOf('date', given.date ?? null, organization) ?? today(now, organization.timezone)
    const id = newId()
    const { row, level } = await pipeline({
      inserted: db
        .insertInto('stockMovements')
        .values({
          id,
          itemId,
          kind,
          quantity: signed,
          date,
          givenCost: isIn && typeof unitCost === 'number' ? costInMinor(unitCost, organization.currency) : null,
          reason: note,
          reference: reference?.trim() || null,
          source: opening ? 'OPENING' : 'MANUAL',
        })
        .execute(),
      row: one(movementById(db, id), 'movement'),
      level: one(db.selectFrom('stockLevels').select('quantity').where('itemId', '=', itemId), 'item'),
    })
    const stored = { ...toMovement(row), level: Number(level.quantity) }
    const warnings: Warning[] = [
      ...(stored.level < 0 ? [negativeStock('quantity', item.name, level.quantity)] : []),
      ...(!isIn && typeof unitCost === 'number'
        ? [
            {
              code: 'COST_IGNORED',
              path: 'unitCost',
              message: 'What leaves the stock leaves at the average cost; unitCost is ignored.',
            },
          ]
        : []),
    ]
    return withWarnings(stored, warnings)
  },
})

/** IN is written as a positive number and OUT as a negative one; ADJUST has its own sign. */
function signedQuantity(kind: (typeof movementKinds)[number], quantity: number): string {
  const given = exact(quantity)
  if (given.isZero() || (kind !== 'ADJUST' && given.isNegative()))
    throw invalid(
      'quantity',
      kind === 'ADJUST' ? 'quantity must not be 0.' : 'quantity must be more than 0.',
      'DIRECTION_OF_MOVEMENT',
    )
  if (given.decimalPlaces() > 6) throw invalid('quantity', 'quantity has at most six decimal places.', 'TOO_FINE')
  return (kind === 'OUT' ? given.negated() : given).toFixed(6)
}

const isLow = sql<boolean>`(i.low_stock_threshold is not null and coalesce(l.quantity, 0) <= i.low_stock_threshold)`

const openLines = (
  kind: 'PURCHASE' | 'SALES',
  open: ReturnType<typeof sql>,
) => sql<string>`(select coalesce(sum(greatest(${open}, 0)), 0)
  from order_lines x join orders o on o.organization_id = x.organization_id and o.id = x.order_id and o.kind = ${sql.lit(kind)}
    and o.status in ('OPEN', 'PARTIALLY_RECEIVED')
  where x.organization_id = i.organization_id and x.item_id = i.id)`

const trackedItems = (db: Database) =>
  db
    .selectFrom('items as i')
    .leftJoin('stockLevels as l', (join) =>
      join.onRef('l.organizationId', '=', 'i.organizationId').onRef('l.itemId', '=', 'i.id'),
    )
    .innerJoin('organizations as g', 'g.id', 'i.organizationId')
    .where('i.tracked', '=', sql.lit(true))
    .select(['i.organizationId', 'i.id as itemId', 'i.name', 'i.sku', 'i.unit', 'i.lowStockThreshold', 'l.unitCost'])
    .select([
      sql<string>`coalesce(l.quantity, 0)`.as('quantity'),
      sql<number>`coalesce(l.value_minor, 0)`.as('valueMinor'),
      sql<string>`coalesce(l.home_currency, g.currency)`.as('currency'),
      isLow.as('isLow'),
      openLines('PURCHASE', sql`x.quantity - x.fulfilled_quantity`).as('onOrder'),
      openLines(
        'SALES',
        sql`x.quantity - greatest(x.fulfilled_quantity, moved_of_order_line(x.organization_id, x.order_id, x.id))`,
      ).as('reserved'),
    ])

type LevelRow = Awaited<ReturnType<ReturnType<typeof trackedItems>['executeTakeFirstOrThrow']>>

const toLevel = ({ unitCost, valueMinor, ...row }: LevelRow): Level => ({
  ...row,
  quantity: Number(row.quantity),
  lowStockThreshold: row.lowStockThreshold === null ? null : Number(row.lowStockThreshold),
  averageCost: unitCost === null ? null : costInMajor(unitCost, row.currency),
  value: toMajor(BigInt(valueMinor), row.currency),
  onOrder: Number(row.onOrder),
  reserved: Number(row.reserved),
})

const stockMovements = (db: Database) =>
  db
    .selectFrom('stockMovements as m')
    .innerJoin('items as i', (join) =>
      join.onRef('i.organizationId', '=', 'm.organizationId').onRef('i.id', '=', 'm.itemId'),
    )
    .select([
      'm.id', 'm.organizationId', 'm.itemId', 'i.name as itemName', 'i.sku', 'm.kind', 'm.quantity', 'm.date', 'm.valueMinor',
      'm.differenceMinor', 'm.homeCurrency as currency', 'm.reason', 'm.reference', 'm.source', 'm.orderId', 'm.documentId',
      'm.createdBy', 'm.createdAt',
    ]) // biome-ignore format: a list of words

const movementById = byId((db, id) => stockMovements(db).where('m.id', '=', id))

type MovementRow = Awaited<ReturnType<ReturnType<typeof stockMovements>['executeTakeFirstOrThrow']>>

function toMovement({ valueMinor, differenceMinor, quantity, ...row }: MovementRow): Movement {
  const cost = exact(valueMinor + differenceMinor).div(exact(quantity))
  return {
    ...row,
    quantity: Number(quantity),
    unitCost: costInMajor(cost.toFixed(12), row.currency),
    value: toMajor(BigInt(valueMinor), row.currency),
  }
}
