import { sql } from 'kysely'
import type { Field } from '../../../core/tables/field.ts'
import type { Importer } from '../../platform/imports/importer.ts'
import {
  assignments,
  columnsOf,
  differs,
  names,
  type Outcome,
  runPlan,
  typed,
  type Work,
} from '../../platform/imports/write.ts'

const itemKinds = {
  GOODS: ['good', 'product', 'item', 'inventory', 'מוצר', 'טובין', 'סחורה', 'פריט', 'מלאי'],
  SERVICE: ['services', 'labour', 'labor', 'שירות', 'שרות', 'עבודה'],
}

/** The fields of an import of items, with the headers that name them in English and Hebrew. */
const fields: readonly Field[] = [
  { name: 'name', type: 'TEXT', maxLength: 1_000, required: true, headers: ['name', 'item', 'item name', 'product', 'product name', 'title', 'שם', 'שם פריט', 'שם הפריט', 'פריט', 'מוצר', 'שם מוצר', 'שם המוצר'] },
  { name: 'sku', type: 'TEXT', maxLength: 100, headers: ['sku', 'item code', 'code', 'item number', 'item no', 'product code', 'part number', 'catalog number', 'מקט', 'מק"ט', 'קוד', 'קוד פריט', 'מספר פריט', 'מספר קטלוגי'] },
  { name: 'barcode', type: 'TEXT', maxLength: 100, headers: ['barcode', 'bar code', 'ean', 'upc', 'gtin', 'ברקוד'] },
  { name: 'kind', type: 'CHOICE', choices: itemKinds, headers: ['kind', 'type', 'item type', 'product type', 'סוג', 'סוג פריט'] },
  { name: 'description', type: 'TEXT', headers: ['description', 'details', 'notes', 'תיאור', 'תאור', 'פירוט', 'הערות'] },
  { name: 'unit', type: 'TEXT', maxLength: 40, headers: ['unit', 'uom', 'unit of measure', 'יחידה', 'יחידת מידה', 'יח מידה'] },
  { name: 'salePrice', type: 'DECIMAL', min: 0, max: 1e15, headers: ['sale price', 'sales price', 'selling price', 'price', 'unit price', 'rate', 'מחיר', 'מחיר מכירה', 'מחיר ליחידה', 'מחירון'] },
  { name: 'saleCurrency', type: 'CURRENCY', headers: ['sale currency', 'currency', 'price currency', 'מטבע', 'מטבע מכירה'] },
  { name: 'purchasePrice', type: 'DECIMAL', min: 0, max: 1e15, headers: ['purchase price', 'cost', 'cost price', 'unit cost', 'buying price', 'מחיר קנייה', 'מחיר קניה', 'מחיר רכישה', 'עלות', 'מחיר עלות'] },
  { name: 'purchaseCurrency', type: 'CURRENCY', headers: ['purchase currency', 'cost currency', 'מטבע קנייה', 'מטבע קניה', 'מטבע רכישה'] },
  { name: 'taxRate', type: 'DECIMAL', min: 0, max: 100, headers: ['tax rate', 'vat', 'vat rate', 'vat %', 'gst rate', 'tax %', 'tax', 'שיעור מעמ', 'אחוז מעמ', 'מע"מ', 'מעמ'] },
  { name: 'taxCategory', type: 'TEXT', maxLength: 20, headers: ['tax category', 'tax code', 'gst code', 'קטגוריית מס', 'קוד מס'] },
  { name: 'tracked', type: 'YES_NO', headers: ['tracked', 'track stock', 'track inventory', 'inventory tracked', 'ניהול מלאי', 'מנוהל מלאי', 'מנוהל במלאי'] },
  { name: 'lowStockThreshold', type: 'DECIMAL', min: 0, max: 1e12, headers: ['low stock threshold', 'low stock', 'reorder level', 'reorder point', 'minimum stock', 'min stock', 'מלאי מינימום', 'מינימום מלאי', 'סף מלאי', 'נקודת הזמנה'] },
  { name: 'active', type: 'YES_NO', headers: ['active', 'is active', 'enabled', 'פעיל', 'סטטוס'] },
] // biome-ignore format: a field each

export const itemImporter: Importer = {
  scopes: ['logistics:write'],
  reading: { fields, identity: [['sku'], ['barcode'], ['name']] },
  run: importItems,
}

const columns = columnsOf(`
  name
  sku
  barcode
  description
  unit
  salePrice numeric(24,6)
  saleCurrency
  purchasePrice numeric(24,6)
  purchaseCurrency
  taxRate numeric(9,6)
  taxCategory
  lowStockThreshold numeric(20,6)
  active boolean
  kind
  tracked boolean`)

/** Imports items, which are recognised by SKU, else by barcode, else by name. */
async function importItems(work: Work): Promise<Outcome> {
  const { records, organization } = work
  // Goods that become a service are tracked no longer, unless the row says otherwise, which is refused.
  const planned = sql`with given as materialized (select * from jsonb_to_recordset(${records}::jsonb) as r (${typed(columns)})
    ), candidates as (
      select r.row, i.id, 1 as rule, i.created_at from given r join items i on lower(i.sku) = lower(r.sku)
      union all
      select r.row, i.id, 2, i.created_at from given r join items i on lower(i.barcode) = lower(r.barcode) where ${sameOrUnknown('sku')}
      union all
      select r.row, i.id, 3, i.created_at from given r join items i on lower(i.name) = lower(r.name)
        where ${sameOrUnknown('sku')} and ${sameOrUnknown('barcode')}
    ), matched as (select distinct on (k.row) k.row, k.id from candidates k order by k.row, k.rule, k.created_at, k.id
    ), r as (
      select g.*, case when g.tracked is null and g.kind = 'SERVICE' then false else g.tracked end as keeps_stock from given g
    ), planned as materialized (
      select r.*, i.id as found_id, 'tracked'::text as problem_field,
        case when coalesce(r.kind, i.kind, 'GOODS') = 'SERVICE' and coalesce(r.keeps_stock, i.tracked, false)
          then 'a service has no stock; leave the cell empty, or make the item GOODS'
          when i.tracked and r.keeps_stock = false and exists (select from stock_movements m where m.item_id = i.id)
          then 'the stock of the item has moved, so it stays tracked' end as problem,
        case when i.id is null then 'CREATE'
          when ${differs(columns, 'i')} or (r.keeps_stock is not null and r.keeps_stock <> i.tracked) then 'UPDATE'
          else 'UNCHANGED' end as action
      from r left join matched m on m.row = r.row left join items i on i.id = m.id)`
  const writes = sql`, inserted as (
      insert into items (id, ${names(columns)})
      select p.id, p.name, p.sku, p.barcode, p.description, p.unit, p."salePrice", coalesce(p."saleCurrency", ${organization.currency}),
        p."purchasePrice", coalesce(p."purchaseCurrency", p."saleCurrency", ${organization.currency}), p."taxRate", p."taxCategory",
        p."lowStockThreshold", coalesce(p.active, true), coalesce(p.kind, 'GOODS'),
        coalesce(p.keeps_stock, coalesce(p.kind, 'GOODS') = 'GOODS')
      from planned p where p.action = 'CREATE' and p.problem is null
    ), updated as (
      update items i set ${assignments(untracked, 'i')}, tracked = coalesce(p.keeps_stock, i.tracked)
      from planned p where p.action = 'UPDATE' and p.problem is null and i.id = p.found_id)`
  return runPlan(work, { planned, writes })
}

const untracked = columns.filter(({ field }) => field !== 'tracked')

const sameOrUnknown = (column: 'sku' | 'barcode') =>
  sql.raw(`(i.${column} is null or r.${column} is null or lower(i.${column}) = lower(r.${column}))`)
