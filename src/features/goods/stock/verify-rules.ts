import type { Check } from '../../../core/define/check.ts'

/** Checks of orders and stock, recomputed from deliveries, documents and movements. */
export const stockChecks: Check[] = [
  {
    id: 'INV-09',
    says: 'The level and the value of every item are the sums of its movements, which are numbered without gaps.',
    finds: `select l.organization_id, l.item_id, l.quantity, l.value_minor, m.quantity as moved, m.value as moved_value
      from stock_levels l
      cross join lateral (select coalesce(sum(m.quantity), 0) as quantity, coalesce(sum(m.value_minor), 0) as value, count(*) as movements,
          coalesce(max(m.sequence), 0) as last
        from stock_movements m where m.organization_id = l.organization_id and m.item_id = l.item_id) m
      where l.quantity <> m.quantity or l.value_minor <> m.value or l.movements <> m.movements or l.movements <> m.last
        or (l.quantity = 0 and l.value_minor <> 0) or (l.quantity > 0 and abs(l.unit_cost * l.quantity - l.value_minor) > 0.5)
      union all
      select m.organization_id, m.item_id, null, null, m.quantity, m.value_minor from stock_movements m
      where not exists (select from stock_levels l where l.organization_id = m.organization_id and l.item_id = m.item_id)`,
  },
  {
    id: 'INV-09',
    says: 'What leaves the stock leaves at the moving average.',
    finds: `select s.organization_id, s.id, s.item_id, s.quantity, s.value_minor from (
        select m.*, coalesce(sum(m.quantity) over before, 0) as level, coalesce(sum(m.value_minor) over before, 0) as value
        from stock_movements m
        window before as (partition by m.organization_id, m.item_id order by m.sequence rows between unbounded preceding and 1 preceding)) s
      where s.quantity < 0 and s.level + s.quantity >= 0
        and s.value_minor <> -case when s.level + s.quantity = 0 then s.value else round(s.value * -s.quantity / s.level) end`,
  },
  {
    id: 'INV-09',
    says: 'An issued invoice has taken the goods of each line without an order out of the stock exactly once, and a cancelled one has put them back.',
    finds: `select d.organization_id, d.id, d.number, l.id as line, l.quantity, m.quantity as moved
      from documents d
      join document_lines l on l.organization_id = d.organization_id and l.document_id = d.id
      join items i on i.organization_id = l.organization_id and i.id = l.catalog_item_id and i.tracked
      cross join lateral (select coalesce(-sum(m.quantity), 0) as quantity, count(*) as movements from stock_movements m
        where m.organization_id = d.organization_id and m.document_id = d.id and m.document_line_id = l.id) m
      where d.kind = 'SALES' and d.issued_at is not null and d.document_type in ('INVOICE', 'INVOICE_RECEIPT')
        -- an item that became tracked later has no movements of earlier documents
        and (m.movements > 0 or d.issued_at >= i.tracked_since)
        and not exists (select from order_invoice_lines x join order_lines o on o.organization_id = x.organization_id and o.order_id = x.order_id and o.id = x.line_id
          where x.organization_id = l.organization_id and x.document_id = d.id and x.document_line_id = l.id and o.item_id = l.catalog_item_id)
        and m.quantity <> case when d.cancelled_at is null then l.quantity else 0 end`,
  },
  {
    id: 'INV-06',
    says: 'Numbers of orders have no gaps per kind.',
    finds: `select o.organization_id, o.kind, count(*) as orders, max(o.number) as last, c.next_number
      from orders o left join order_counters c on c.organization_id = o.organization_id and c.kind = o.kind
      where o.number is not null group by o.organization_id, o.kind, c.next_number
      having count(*) <> max(o.number) or c.next_number is distinct from max(o.number) + 1`,
  },
  {
    id: 'INV-09',
    says: 'What was received or delivered of an order is the sum of its deliveries, and its status says so.',
    finds: `select o.organization_id, o.id, o.order_number, o.status from orders o
      cross join lateral (select bool_or(l.fulfilled_quantity <> f.quantity or l.extra_quantity <> f.extra) as differs,
          bool_and(l.fulfilled_quantity >= l.quantity) as complete, bool_or(l.fulfilled_quantity > 0) as begun
        from order_lines l
        cross join lateral (select coalesce(sum(f.quantity), 0) as quantity, coalesce(sum(f.extra_quantity), 0) as extra from order_fulfilments f
          where f.organization_id = l.organization_id and f.order_id = l.order_id and f.line_id = l.id) f
        where l.organization_id = o.organization_id and l.order_id = o.id) s
      where s.differs or (o.status = 'RECEIVED') <> (s.complete and o.status not in ('CLOSED', 'CANCELLED'))
        or (o.status = 'PARTIALLY_RECEIVED') <> (s.begun and not s.complete and o.status not in ('CLOSED', 'CANCELLED'))`,
  },
  {
    id: 'INV-09',
    says: 'Of each line of an order of a customer what was delivered or invoiced has left the stock once, less what came back.',
    finds: `select o.organization_id, o.id, o.order_number, l.id as line, m.moved, l.fulfilled_quantity, l.returned_quantity, q.invoiced, q.returned
      from orders o
      join order_lines l on l.organization_id = o.organization_id and l.order_id = o.id
      join items i on i.organization_id = l.organization_id and i.id = l.item_id and i.tracked
      left join lateral invoiced_quantities(o.organization_id, o.id, true) q on q.line_id = l.id
      cross join lateral (select moved_of_order_line(o.organization_id, o.id, l.id) as moved) m
      where o.kind = 'SALES' and o.number is not null
        and m.moved <> greatest(l.fulfilled_quantity - l.returned_quantity, coalesce(q.invoiced - q.returned, 0))`,
  },
]
