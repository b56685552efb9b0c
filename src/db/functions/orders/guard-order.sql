-- Guards orders: statuses, parties and lines, and that no quantity is received or invoiced twice.

create or replace function guard_order() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  allowed jsonb := '{"DRAFT": ["OPEN", "CANCELLED"], "OPEN": ["PARTIALLY_RECEIVED", "RECEIVED", "CANCELLED", "CLOSED"],
    "PARTIALLY_RECEIVED": ["RECEIVED", "CLOSED"], "RECEIVED": ["CLOSED"]}';
begin
  if tg_op = 'DELETE' then
    if old.number is not null and exists (select from organizations o where o.id = old.organization_id) then
      raise exception 'An order with a number stays.' using errcode = 'check_violation', constraint = 'numbered_order_stays';
    end if;
    return old;
  end if;
  if tg_op = 'UPDATE' then
    if new.status <> old.status and not coalesce((allowed -> old.status) ? new.status, false) then
      raise exception 'An order does not go from % to %.', old.status, new.status using errcode = 'check_violation', constraint = 'order_transition';
    end if;
    if new.status = 'CANCELLED' and old.status <> 'CANCELLED' and exists (select from invoiced_quantities(new.organization_id, new.id, false) q where q.invoiced > q.returned) then
      raise exception 'The order has invoices.' using errcode = 'check_violation', constraint = 'order_transition';
    end if;
    if old.status <> 'DRAFT' and (new.kind, new.number, new.order_number, new.counterparty_id, new.currency, new.minor_digits, new.order_date, new.subtotal_minor,
        new.tax_minor, new.total_minor, new.opened_at) is distinct from (old.kind, old.number, old.order_number, old.counterparty_id, old.currency,
        old.minor_digits, old.order_date, old.subtotal_minor, old.tax_minor, old.total_minor, old.opened_at)
      or new.kind <> old.kind then
      raise exception 'An order that was opened is fixed.' using errcode = 'check_violation', constraint = 'order_is_open';
    end if;
  end if;
  if new.status in ('DRAFT', 'OPEN') and (tg_op = 'INSERT' or old.status = 'DRAFT') then
    new.counterparty_name := coalesce((select coalesce(c.name, c.email) from customers c where c.organization_id = new.organization_id and c.id = new.counterparty_id), '');
  end if;
  if new.status not in ('DRAFT', 'CANCELLED') and new.number is null then
    insert into order_counters as c (organization_id, kind, next_number) values (new.organization_id, new.kind, 2)
      on conflict (organization_id, kind) do update set next_number = c.next_number + 1 returning next_number - 1 into new.number;
    new.order_number := case new.kind when 'SALES' then 'SO-' else 'PO-' end || lpad(new.number::text, greatest(4, length(new.number::text)), '0');
    new.opened_at := now();
  end if;
  new.ended_at := case when new.status in ('CLOSED', 'CANCELLED') then coalesce(new.ended_at, now()) end;
  return new;
end $$;

create or replace function guard_order_lines() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  line order_lines := case tg_op when 'DELETE' then old else new end;
begin
  if tg_op = 'UPDATE' and (old.fulfilled_quantity, old.extra_quantity, old.returned_quantity, old.untracked_quantity)
      is distinct from (new.fulfilled_quantity, new.extra_quantity, new.returned_quantity, new.untracked_quantity) then
    return new; -- the functions below update them; callers may not update lines
  end if;
  if exists (select from orders o where o.organization_id = line.organization_id and o.id = line.order_id and o.number is not null
      and (tg_op <> 'INSERT' or o.opened_at <> now())) then
    raise exception 'An order that was opened is fixed.' using errcode = 'check_violation', constraint = 'order_is_open';
  end if;
  return line;
end $$;

-- Makes the counterparty of an order a customer or a supplier.
create or replace function note_order_party() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if new.kind = 'SALES' then
    update customers c set is_customer = true where c.organization_id = new.organization_id and c.id = new.counterparty_id and not c.is_customer;
  else
    insert into suppliers (organization_id, id) values (new.organization_id, new.counterparty_id) on conflict do nothing;
  end if;
  return null;
end $$;

-- How much of the lines of an order is invoiced, by invoices and their drafts, less what credit memos of these took back. A line of
-- an invoice that names another item than the line of the order does not count. A line of a memo without the item of its invoice
-- credits an amount and no goods, and no more is credited than was invoiced.
create or replace function invoiced_quantities(organization uuid, wanted_order uuid, only_issued boolean)
  returns table(line_id text, invoiced numeric, returned numeric)
  language sql stable set search_path = public, pg_temp as $$
  select x.line_id, sum(l.quantity), sum(least(l.quantity, r.quantity))
  from order_invoice_lines x
  join order_lines o on o.organization_id = x.organization_id and o.order_id = x.order_id and o.id = x.line_id
  join documents d on d.organization_id = x.organization_id and d.id = x.document_id and d.document_type <> 'CREDIT_MEMO'
  join document_lines l on l.organization_id = x.organization_id and l.document_id = x.document_id and l.id = x.document_line_id
    and (o.item_id is null or coalesce(l.catalog_item_id, o.item_id) = o.item_id)
  cross join lateral (select coalesce(sum(m.quantity), 0) as quantity from documents c
    join document_lines m on m.organization_id = c.organization_id and m.document_id = c.id and m.id = l.id
    where c.organization_id = d.organization_id and c.source_document_id = d.id and c.document_type = 'CREDIT_MEMO' and c.issued_at is not null
      and (m.catalog_item_id is not null or l.catalog_item_id is null)) r
  where x.organization_id = organization and x.order_id = wanted_order and d.cancelled_at is null and (d.issued_at is not null or not only_issued)
  group by x.line_id
$$;
grant execute on function invoiced_quantities(uuid, uuid, boolean) to kontor_confined;

-- Refuses to invoice more of a line of an order than is left at that time. Editing the draft afterwards may exceed it.
create or replace function guard_order_invoice() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from documents d where d.organization_id = new.organization_id and d.id = new.document_id and d.document_type = 'CREDIT_MEMO') then
    return null;
  end if;
  if not exists (select from orders o where o.organization_id = new.organization_id and o.id = new.order_id and o.kind = 'SALES'
      and o.number is not null and o.status <> 'CANCELLED') then
    raise exception 'Only an open order of a customer is invoiced.' using errcode = 'check_violation', constraint = 'order_transition';
  end if;
  if exists (select from order_lines o join invoiced_quantities(new.organization_id, new.order_id, false) q on q.line_id = o.id
      where o.organization_id = new.organization_id and o.order_id = new.order_id and o.id = new.line_id
        and q.invoiced - q.returned > o.quantity + o.extra_quantity) then
    raise exception 'The order is invoiced already.' using errcode = 'check_violation', constraint = 'invoiced_within_order';
  end if;
  return null;
end $$;

-- Counts orders by kind and status, as documents are counted, so that a list need not count its rows.
create or replace function count_orders() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op <> 'INSERT' and exists (select from organizations o where o.id = old.organization_id) then
    insert into document_counts (organization_id, kind, document_type, status, change) values (old.organization_id, 'ORDER', old.kind, old.status, -1);
  end if;
  if tg_op <> 'DELETE' then
    insert into document_counts (organization_id, kind, document_type, status, change) values (new.organization_id, 'ORDER', new.kind, new.status, 1);
  end if;
  if random() < 0.02 then
    perform sum_up_document_counts(case tg_op when 'DELETE' then old.organization_id else new.organization_id end);
  end if;
  return null;
end $$;

-- Links the lines of a credit memo to the lines of the order that its document invoiced, so that they take these quantities back.
create or replace function link_memo_to_order() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into order_invoice_lines (organization_id, document_id, document_line_id, order_id, line_id)
    select x.organization_id, new.id, x.document_line_id, x.order_id, x.line_id from order_invoice_lines x
    where x.organization_id = new.organization_id and x.document_id = new.source_document_id;
  return null;
end $$;

create constraint trigger guard_order_invoice after insert on order_invoice_lines deferrable initially deferred
  for each row execute function guard_order_invoice();
create or replace trigger guard_order before insert or delete or update on orders for each row execute function guard_order();
create or replace trigger guard_order_lines before insert or delete or update on order_lines
  for each row execute function guard_order_lines();
create or replace trigger note_order_party after insert or update of counterparty_id on orders
  for each row execute function note_order_party();
create or replace trigger count_orders after insert or delete on orders for each row execute function count_orders();
create or replace trigger count_moved_orders after update on orders
  for each row when (old.status <> new.status) execute function count_orders();
create or replace trigger link_memo_to_order after insert on documents
  for each row when (new.kind = 'SALES'::text and new.document_type = 'CREDIT_MEMO'::text and new.source_document_id is not null) execute function link_memo_to_order();
