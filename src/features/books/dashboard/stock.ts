import { sql } from 'kysely'
import type { Database } from '../../../core/define/operation.ts'

export type Stock = { lowCount: number; activeCount: number }

/** The active items, and those of them whose stock is tracked and at or below its threshold. Both are of now, whatever the year. */
export async function readStock(db: Database): Promise<Stock> {
  const { rows } = await sql<Stock>`
    select count(*) as "activeCount",
      count(*) filter (where i.tracked and coalesce(l.quantity, 0) <= i.low_stock_threshold) as "lowCount"
    from items i left join stock_levels l on l.organization_id = i.organization_id and l.item_id = i.id
    where i.active`.execute(db)
  return rows[0] ?? { lowCount: 0, activeCount: 0 }
}
