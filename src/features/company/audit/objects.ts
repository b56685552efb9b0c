import { sql } from 'kysely'
import type { Database } from '../../../core/define/operation.ts'
import { isId } from '../../../core/values/id.ts'
import type { AuditedObject } from './audit-entry.ts'

type Named = AuditedObject & { id: string }

/** The names of what the entries of a page changed, by id, with one statement; each table is read by the index of its ids. */
export async function readObjects(
  db: Database,
  entries: readonly { objectId: string | null }[],
): Promise<Map<string, AuditedObject>> {
  const ids = [...new Set(entries.flatMap(({ objectId }) => (objectId && isId(objectId) ? objectId : [])))]
  if (ids.length === 0) return new Map()
  const { rows } = await sql<Named>`with asked as materialized (select unnest(${ids}::uuid[]) as id)
    select d.id, case d.kind when 'SALES' then 'DOCUMENT' else 'EXPENSE' end as kind,
      case d.kind when 'SALES' then d.number else (select coalesce(e.title, e.vendor, e.document_number) from expenses e
        where e.organization_id = d.organization_id and e.id = d.id) end as name
      from asked join documents d on d.id = asked.id and d.kind in ('SALES', 'EXPENSE')
    union all select p.id, 'PAYMENT', p.reference from asked join payments p on p.id = asked.id and p.kind in ('SALES', 'EXPENSE')
    union all select c.id, case when c.is_customer then 'CUSTOMER' else 'SUPPLIER' end, coalesce(c.name, c.email) from asked join customers c on c.id = asked.id and not c.is_employee
    union all select o.id, 'ORDER', o.order_number from asked join orders o on o.id = asked.id
    union all select i.id, 'ITEM', i.name from asked join items i on i.id = asked.id
    union all select a.id, 'AUTOMATION', a.name from asked join automations a on a.id = asked.id
    union all select b.id, 'BANK_ACCOUNT', b.account_name from asked join bank_accounts b on b.id = asked.id
    union all select c.id, 'EXPENSE_CATEGORY', c.name from asked join expense_categories c on c.id = asked.id
    union all select u.id, 'MEMBER', u.name from asked join users u on u.id = asked.id`.execute(db)
  return new Map(rows.map(({ id, ...object }) => [id, object]))
}
