import { sql } from 'kysely'
import { assignments, columnsOf, differs, names, type Outcome, runPlan, typed, type Work } from './write.ts'

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
export async function importItems(work: Work): Promise<Outcome> {
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
