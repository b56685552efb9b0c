-- Orders of customers and to suppliers, what of them was received or delivered and invoiced, and the stock.

create table orders (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  id uuid not null,
  kind text not null check (kind in ('SALES', 'PURCHASE')),
  status text not null default 'DRAFT' check (status in ('DRAFT', 'OPEN', 'PARTIALLY_RECEIVED', 'RECEIVED', 'CLOSED', 'CANCELLED')),
  number bigint,
  order_number text,
  counterparty_id uuid not null,
  counterparty_name text not null default '',
  currency text not null check (currency <> ''),
  minor_digits smallint not null check (minor_digits between 0 and 4),
  order_date date not null,
  expected_date date,
  reference text check (reference <> ''),
  notes text,
  subtotal_minor bigint not null check (subtotal_minor >= 0),
  tax_minor bigint not null check (tax_minor >= 0),
  total_minor bigint not null check (total_minor >= 0),
  opened_at timestamptz,
  ended_at timestamptz,
  end_reason text check (end_reason <> ''),
  sent_at timestamptz,
  created_by uuid references users on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  constraint order_counterparty foreign key (organization_id, counterparty_id) references customers,
  constraint one_order_per_number unique (organization_id, kind, number),
  constraint numbered_when_open check ((number is null) = (opened_at is null) and (number is null) = (order_number is null)
    and (number is not null or status in ('DRAFT', 'CANCELLED')) and (number is null or status <> 'DRAFT')),
  constraint ended_when_over check ((ended_at is null) = (status not in ('CLOSED', 'CANCELLED')))
);
select organization_table('orders');
create index on orders (id);
create index on orders (created_by);
create index on orders (organization_id, order_date, id);
create index on orders (organization_id, kind, order_date, id);
create index on orders (organization_id, status, order_date, id);
create index on orders (organization_id, created_at, id);
create index on orders (organization_id, lower(counterparty_name), id);
create index on orders (organization_id, counterparty_id, kind, status);
create index search_orders on orders using gin (search_grams(organization_id, coalesce(order_number, '') || ' ' || counterparty_name || ' '
  || coalesce(reference, '') || ' ' || coalesce(notes, ''))) with (gin_pending_list_limit = 256);

create table order_lines (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  order_id uuid not null,
  id text not null,
  position integer not null,
  item_id uuid,
  description text not null check (description <> ''),
  quantity numeric(20,6) not null check (quantity > 0),
  unit_price numeric(24,6) not null check (unit_price >= 0),
  amount_minor bigint not null check (amount_minor >= 0),
  tax_rate numeric(9,6) check (tax_rate between 0 and 100),
  tax_category text,
  fulfilled_quantity numeric(20,6) not null default 0, -- received or delivered; written by apply_fulfilment() alone
  extra_quantity numeric(20,6) not null default 0, -- what was received beyond the order, on purpose
  returned_quantity numeric(20,6) not null default 0, -- of what was delivered: what credit memos put back into the stock
  untracked_quantity numeric(20,6) not null default 0, -- what was delivered or invoiced before the stock of the item was kept
  primary key (organization_id, order_id, id),
  constraint line_of_order foreign key (organization_id, order_id) references orders on delete cascade,
  constraint order_line_item foreign key (organization_id, item_id) references items,
  constraint fulfilled_within_order check (fulfilled_quantity >= 0 and extra_quantity >= 0 and fulfilled_quantity <= quantity + extra_quantity)
);
select organization_table('order_lines');
create index on order_lines (organization_id, item_id);
revoke update on order_lines from kontor_confined;
revoke insert on order_lines from kontor_confined;
grant insert (organization_id, order_id, id, position, item_id, description, quantity, unit_price, amount_minor, tax_rate, tax_category) on order_lines to kontor_confined;

-- What was received (PURCHASE) or delivered (SALES), line by line. Rows of one delivery have the same `delivery_id`.
create table order_fulfilments (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  id uuid not null,
  delivery_id uuid not null,
  order_id uuid not null,
  line_id text not null,
  quantity numeric(20,6) not null check (quantity > 0),
  extra_quantity numeric(20,6) not null default 0 check (extra_quantity between 0 and quantity),
  date date not null,
  note text check (note <> ''),
  created_by uuid default current_person() references users on delete set null,
  created_at timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, order_id, line_id) references order_lines on delete cascade
);
select organization_table('order_fulfilments');
create index on order_fulfilments (organization_id, order_id, line_id);
create index on order_fulfilments (created_by);
create trigger append_only before update or delete on order_fulfilments for each row when (pg_trigger_depth() = 0) execute function refuse_change();
revoke update, delete on order_fulfilments from kontor_confined;

-- Which line of a sales document invoices which line of an order. A line that was taken off a draft no longer counts: what is
-- invoiced is the sum over the lines that the documents have.
create table order_invoice_lines (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  document_id uuid not null,
  document_line_id text not null,
  order_id uuid not null,
  line_id text not null,
  primary key (organization_id, document_id, document_line_id),
  foreign key (organization_id, document_id) references documents on delete cascade,
  foreign key (organization_id, order_id, line_id) references order_lines
);
select organization_table('order_invoice_lines');
create index on order_invoice_lines (organization_id, order_id, line_id);
revoke update, delete on order_invoice_lines from kontor_confined;

-- How much of the lines of an order is invoiced: by invoices and drafts of them, and what credit memos of these took back. A line of
-- an invoice that names another item than the line of the order is not of the order. A line of a memo without the item of its invoice
-- credits an amount and no goods, and no more is credited than was invoiced.
create function invoiced_quantities(organization uuid, wanted_order uuid, only_issued boolean) returns table (line_id text, invoiced numeric, returned numeric)
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

-- At the time when a line of an order is invoiced, there is that much of it left to invoice. Editing the draft afterwards may exceed it.
create function guard_order_invoice() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
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
create constraint trigger guard_order_invoice after insert on order_invoice_lines deferrable initially deferred for each row execute function guard_order_invoice();

-- Numbers of orders have no gaps: the counter is locked until the transaction ends.
create table order_counters (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  kind text not null check (kind in ('SALES', 'PURCHASE')),
  next_number bigint not null default 1 check (next_number >= 1),
  primary key (organization_id, kind)
);
select organization_table('order_counters');
revoke insert, update, delete on order_counters from kontor_confined;

create function guard_order() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
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
create trigger guard_order before insert or update or delete on orders for each row execute function guard_order();

create function guard_order_lines() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  line order_lines := case tg_op when 'DELETE' then old else new end;
begin
  if tg_op = 'UPDATE' and (old.fulfilled_quantity, old.extra_quantity, old.returned_quantity, old.untracked_quantity)
      is distinct from (new.fulfilled_quantity, new.extra_quantity, new.returned_quantity, new.untracked_quantity) then
    return new; -- by the functions below; callers may not update lines
  end if;
  if exists (select from orders o where o.organization_id = line.organization_id and o.id = line.order_id and o.number is not null
      and (tg_op <> 'INSERT' or o.opened_at <> now())) then
    raise exception 'An order that was opened is fixed.' using errcode = 'check_violation', constraint = 'order_is_open';
  end if;
  return line;
end $$;
create trigger guard_order_lines before insert or update or delete on order_lines for each row execute function guard_order_lines();

-- A counterparty with an order is a customer or a supplier.
create function note_order_party() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if new.kind = 'SALES' then
    update customers c set is_customer = true where c.organization_id = new.organization_id and c.id = new.counterparty_id and not c.is_customer;
  else
    insert into suppliers (organization_id, id) values (new.organization_id, new.counterparty_id) on conflict do nothing;
  end if;
  return null;
end $$;
create trigger note_order_party after insert or update of counterparty_id on orders for each row execute function note_order_party();

-- What a counterparty did stays: with sales documents, payments or orders it stays a customer, with expenses or orders a supplier.
create function guard_party() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from documents d where d.organization_id = old.organization_id and d.counterparty_id = old.id and d.kind = 'SALES') then
    raise exception 'The customer has documents.' using errcode = 'foreign_key_violation', constraint = 'document_counterparty', detail = 'still referenced';
  end if;
  if exists (select from payments p where p.organization_id = old.organization_id and p.counterparty_id = old.id and p.kind = 'SALES') then
    raise exception 'The customer has payments.' using errcode = 'foreign_key_violation', constraint = 'payment_counterparty', detail = 'still referenced';
  end if;
  if exists (select from orders o where o.organization_id = old.organization_id and o.counterparty_id = old.id and o.kind = 'SALES') then
    raise exception 'The customer has orders.' using errcode = 'foreign_key_violation', constraint = 'order_counterparty', detail = 'still referenced';
  end if;
  return new;
end $$;
create trigger guard_party before update of is_customer on customers for each row when (old.is_customer and not new.is_customer) execute function guard_party();
create function guard_supplier() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not exists (select from organizations o where o.id = old.organization_id) then return old; end if;
  if exists (select from expenses e where e.organization_id = old.organization_id and e.supplier_id = old.id) then
    raise exception 'The supplier has expenses.' using errcode = 'foreign_key_violation', constraint = 'expense_supplier', detail = 'still referenced';
  end if;
  if exists (select from orders o where o.organization_id = old.organization_id and o.counterparty_id = old.id and o.kind = 'PURCHASE') then
    raise exception 'The supplier has orders.' using errcode = 'foreign_key_violation', constraint = 'order_counterparty', detail = 'still referenced';
  end if;
  return old;
end $$;
create trigger guard_supplier before delete on suppliers for each row execute function guard_supplier();

-- Orders are counted by kind and status like documents, so that a list need not count its rows.
create function count_orders() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
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
create trigger count_orders after insert or delete on orders for each row execute function count_orders();
create trigger count_moved_orders after update on orders for each row when (old.status <> new.status) execute function count_orders();

-- The stock. Movements are only added; the level, its value and the moving average are what they add up to.
create table stock_levels (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  item_id uuid not null,
  quantity numeric(20,6) not null default 0,
  value_minor bigint not null default 0, -- in the home currency
  unit_cost numeric(30,12), -- the moving average in minor units; the last one while there is nothing in stock; null before the first
  home_currency text not null,
  movements bigint not null default 0,
  primary key (organization_id, item_id),
  constraint level_of_item foreign key (organization_id, item_id) references items on delete cascade
);
select organization_table('stock_levels');
revoke insert, update, delete on stock_levels from kontor_confined;

create table stock_movements (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  id uuid not null default new_id(),
  item_id uuid not null,
  sequence bigint not null default 0, -- of the item, without gaps
  kind text not null check (kind in ('IN', 'OUT', 'ADJUST')),
  quantity numeric(20,6) not null,
  date date not null,
  given_cost numeric(30,12) check (given_cost >= 0), -- minor units of the home currency for one; null: the average
  value_minor bigint not null default 0, -- by how much the value of the stock changed
  difference_minor bigint not null default 0, -- what goods that were sold before they came in cost more than was booked
  home_currency text not null default '',
  reason text check (reason <> ''),
  reference text check (reference <> ''),
  source text not null default 'MANUAL' check (source in ('MANUAL', 'OPENING', 'ORDER', 'DOCUMENT')),
  order_id uuid,
  order_line_id text,
  delivery_id uuid,
  document_id uuid,
  document_line_id text,
  created_by uuid default current_person() references users on delete set null,
  created_at timestamptz not null default now(),
  primary key (organization_id, id),
  constraint movement_item foreign key (organization_id, item_id) references items,
  foreign key (organization_id, order_id) references orders,
  foreign key (organization_id, document_id) references documents,
  constraint one_movement_per_sequence unique (organization_id, item_id, sequence),
  constraint direction_of_movement check (case kind when 'IN' then quantity > 0 when 'OUT' then quantity < 0 else quantity <> 0 end),
  constraint adjustment_has_reason check (kind <> 'ADJUST' or reason is not null),
  constraint source_of_movement check (case source when 'ORDER' then order_id is not null when 'DOCUMENT' then document_id is not null else order_id is null and document_id is null end)
);
select organization_table('stock_movements');
create index on stock_movements (id);
create index on stock_movements (created_by);
create index on stock_movements (organization_id, date, id);
create index on stock_movements (organization_id, item_id, date, id);
create index on stock_movements (organization_id, order_id, order_line_id) where order_id is not null;
create index on stock_movements (organization_id, document_id, document_line_id) where document_id is not null;
create trigger append_only before update or delete on stock_movements for each row when (pg_trigger_depth() = 0) execute function refuse_change();
revoke insert, update, delete on stock_movements from kontor_confined;
grant insert (organization_id, id, item_id, kind, quantity, date, given_cost, reason, reference, source) on stock_movements to kontor_confined;

-- Values a movement and changes the level. Goods leave at the moving average. What leaves beyond the stock leaves at the last cost, and
-- is corrected when goods come in again: the difference is a cost of the goods that were sold.
create function refuse_stock_value() returns void language plpgsql as $$
begin
  raise exception 'The stock would be larger than can be stored.' using errcode = 'check_violation', constraint = 'stock_value_fits';
end $$;

create function apply_movement() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  level stock_levels;
  item items;
  home text := (select o.currency from organizations o where o.id = new.organization_id);
  largest constant numeric := 9e14; -- minor units; sums of several stay exact in every program
  cost numeric;
  after_quantity numeric;
  after_value numeric;
begin
  select * into item from items i where i.organization_id = new.organization_id and i.id = new.item_id;
  if item.id is null then return new; end if; -- the foreign key says so
  if not item.tracked then
    raise exception 'The stock of this item is not tracked.' using errcode = 'check_violation', constraint = 'item_is_tracked';
  end if;
  insert into stock_levels (organization_id, item_id, home_currency) values (new.organization_id, new.item_id, home) on conflict do nothing;
  select * into level from stock_levels s where s.organization_id = new.organization_id and s.item_id = new.item_id for update;
  cost := coalesce(level.unit_cost, case when item.purchase_currency = home then item.purchase_price * minor_units(home) end, 0);
  after_quantity := level.quantity + new.quantity;
  if new.quantity > 0 then
    cost := coalesce(new.given_cost, cost);
    if level.quantity >= 0 then
      after_value := level.value_minor + round(new.quantity * cost);
    elsif after_quantity >= 0 then
      after_value := round(after_quantity * cost);
    else
      after_value := round(level.value_minor * after_quantity / level.quantity);
    end if;
    if round(new.quantity * cost) > largest then perform refuse_stock_value(); end if;
    new.difference_minor := round(new.quantity * cost) - (after_value - level.value_minor);
  elsif after_quantity >= 0 then
    after_value := case when after_quantity = 0 then 0 else level.value_minor - round(level.value_minor * -new.quantity / level.quantity) end;
  else
    after_value := round(after_quantity * cost);
  end if;
  if abs(after_value) > largest or abs(after_quantity) > 1e12 then perform refuse_stock_value(); end if;
  new.value_minor := after_value - level.value_minor;
  new.sequence := level.movements + 1;
  new.home_currency := level.home_currency;
  update stock_levels s set quantity = after_quantity, value_minor = after_value, movements = new.sequence,
      unit_cost = case when after_quantity > 0 then after_value / after_quantity else cost end
    where s.organization_id = new.organization_id and s.item_id = new.item_id;
  if item.low_stock_threshold is not null and level.quantity > item.low_stock_threshold and after_quantity <= item.low_stock_threshold then
    insert into events (organization_id, id, type, payload, cause) values (new.organization_id, new_id(), 'stock.low',
      jsonb_build_object('id', item.id, 'organizationId', new.organization_id, 'itemId', item.id, 'name', item.name, 'sku', item.sku,
        'quantity', trim_scale(after_quantity), 'lowStockThreshold', trim_scale(item.low_stock_threshold), 'movementId', new.id),
      jsonb_build_object('source', 'SYSTEM', 'requestId', 'stock:' || new.id, 'userId', null, 'keyId', null,
        'depth', coalesce(nullif(current_setting('app.run_depth', true), '')::integer, 0)));
  end if;
  return new;
end $$;
create trigger apply_movement before insert on stock_movements for each row execute function apply_movement();

-- An item whose stock moved stays tracked, and stays goods.
create function guard_item() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from stock_movements m where m.organization_id = old.organization_id and m.item_id = old.id) then
    raise exception 'The stock of this item has moved.' using errcode = 'check_violation', constraint = 'moved_item_is_tracked';
  end if;
  return new;
end $$;
create trigger guard_item before update on items for each row when (old.tracked and not new.tracked) execute function guard_item();

-- How much of a line of a sales order has left the stock and not come back. What left before the stock was kept counts.
create function moved_of_order_line(organization uuid, wanted_order uuid, wanted_line text) returns numeric
  language sql stable set search_path = public, pg_temp as $$
  select coalesce((select l.untracked_quantity from order_lines l where l.organization_id = organization and l.order_id = wanted_order and l.id = wanted_line), 0)
    - coalesce((select sum(m.quantity) from stock_movements m
        where m.organization_id = organization and m.order_id = wanted_order and m.order_line_id = wanted_line), 0)
$$;
grant execute on function moved_of_order_line(uuid, uuid, text) to kontor_confined, kontor_across;

-- How much of a line of a sales order is to have left the stock: what was delivered and not returned, or what is invoiced, if that is more.
create function gone_of_order_line(organization uuid, wanted_order uuid, wanted_line text) returns numeric
  language sql stable set search_path = public, pg_temp as $$
  select greatest(l.fulfilled_quantity - l.returned_quantity, coalesce(q.invoiced - q.returned, 0))
  from order_lines l left join invoiced_quantities(organization, wanted_order, true) q on q.line_id = l.id
  where l.organization_id = organization and l.order_id = wanted_order and l.id = wanted_line
$$;

-- The stock of an item is kept from now on: what left before does not move. The orders are locked, so that none is delivered meanwhile.
create function begin_tracking() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform from orders o where o.organization_id = new.organization_id and o.kind = 'SALES' and o.id in (select l.order_id from order_lines l
    where l.organization_id = new.organization_id and l.item_id = new.id) order by o.id for update;
  update order_lines l set untracked_quantity = gone_of_order_line(l.organization_id, l.order_id, l.id)
    where l.organization_id = new.organization_id and l.item_id = new.id and exists (select from orders o
      where o.organization_id = l.organization_id and o.id = l.order_id and o.kind = 'SALES' and o.number is not null)
      and l.untracked_quantity <> gone_of_order_line(l.organization_id, l.order_id, l.id);
  return null;
end $$;
create trigger begin_tracking after update on items for each row when (new.tracked and not old.tracked) execute function begin_tracking();

-- A delivery: counts the quantity on the line, sets the status of the order and moves the stock. For a sales order only what an
-- invoice has not taken out already leaves the stock.
create function apply_fulfilment() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  ordered orders;
  line order_lines;
  organization organizations;
  cost numeric;
  moving numeric;
begin
  select * into ordered from orders o where o.organization_id = new.organization_id and o.id = new.order_id for update;
  if ordered.status not in ('OPEN', 'PARTIALLY_RECEIVED', 'RECEIVED') then
    raise exception 'The order is not open.' using errcode = 'check_violation', constraint = 'order_takes_deliveries';
  end if;
  update order_lines l set fulfilled_quantity = l.fulfilled_quantity + new.quantity, extra_quantity = l.extra_quantity + new.extra_quantity
    where l.organization_id = new.organization_id and l.order_id = new.order_id and l.id = new.line_id returning * into line;
  update orders o set status = case when exists (select from order_lines l where l.organization_id = o.organization_id and l.order_id = o.id
      and l.fulfilled_quantity < l.quantity) then 'PARTIALLY_RECEIVED' else 'RECEIVED' end
    where o.organization_id = new.organization_id and o.id = new.order_id and o.status <> 'RECEIVED';
  if not exists (select from items i where i.organization_id = line.organization_id and i.id = line.item_id and i.tracked) then return null; end if;
  if ordered.kind = 'PURCHASE' then
    select * into organization from organizations o where o.id = new.organization_id;
    -- in the home currency, by the rate of the day; without a rate the average stays as it is
    select line.amount_minor / line.quantity / minor_units(ordered.currency) * minor_units(organization.currency) * printed_rate(r.from_rate, r.to_rate)
      into cost from rate_on(ordered.currency, organization.currency, new.date, organization.country) r;
    insert into stock_movements (organization_id, item_id, kind, quantity, date, given_cost, source, order_id, order_line_id, delivery_id, reference)
      values (new.organization_id, line.item_id, 'IN', new.quantity, new.date, cost, 'ORDER', new.order_id, new.line_id, new.delivery_id, ordered.order_number);
  else
    moving := gone_of_order_line(new.organization_id, new.order_id, new.line_id) - moved_of_order_line(new.organization_id, new.order_id, new.line_id);
    if moving > 0 then
      insert into stock_movements (organization_id, item_id, kind, quantity, date, source, order_id, order_line_id, delivery_id, reference)
        values (new.organization_id, line.item_id, 'OUT', -moving, new.date, 'ORDER', new.order_id, new.line_id, new.delivery_id, ordered.order_number);
    end if;
  end if;
  return null;
end $$;
create trigger apply_fulfilment after insert on order_fulfilments for each row execute function apply_fulfilment();

-- An invoice takes its goods out of the stock when it is issued, a credit memo puts those of its lines back, and a cancelled
-- invoice-receipt all of its own. Of a line of an order only what was not delivered yet leaves; its goods are those of the order.
-- A line of a memo without the item of its invoice credits an amount and no goods.
create function move_stock_of_document() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  line record;
  moved numeric;
  moving numeric;
  cost numeric;
  is_memo boolean := new.document_type = 'CREDIT_MEMO';
begin
  if not exists (select from document_lines l where l.organization_id = new.organization_id and l.document_id = new.id and l.catalog_item_id is not null)
    and not exists (select from order_invoice_lines x where x.organization_id = new.organization_id and x.document_id = new.id) then
    return null;
  end if;
  perform from orders o where o.organization_id = new.organization_id and o.id in (select x.order_id from order_invoice_lines x
    where x.organization_id = new.organization_id and x.document_id = new.id) order by o.id for update;
  for line in
    select l.id, i.id as catalog_item_id, case when k.is_of_order then x.order_id end as order_id, case when k.is_of_order then x.line_id end as line_id,
      -- of a memo what other memos left of the line of the corrected document
      case when is_memo and c.id is not null then greatest(0, least(l.quantity, c.quantity - b.quantity)) else l.quantity end as quantity, s.moved
    from document_lines l
    left join order_invoice_lines x on x.organization_id = l.organization_id and x.document_id = l.document_id and x.document_line_id = l.id
    left join order_lines o on o.organization_id = x.organization_id and o.order_id = x.order_id and o.id = x.line_id
    left join document_lines c on is_memo and c.organization_id = l.organization_id and c.document_id = new.source_document_id and c.id = l.id
    cross join lateral (select o.item_id is not null and coalesce(case when is_memo then c.catalog_item_id else l.catalog_item_id end, o.item_id) = o.item_id as is_of_order) k
    join items i on i.organization_id = l.organization_id and i.id = case when k.is_of_order then o.item_id else l.catalog_item_id end and i.tracked
    left join lateral (select coalesce(sum(m.quantity), 0) as quantity from documents e
      join document_lines m on m.organization_id = e.organization_id and m.document_id = e.id and m.id = l.id
      where e.organization_id = l.organization_id and e.source_document_id = new.source_document_id and e.document_type = 'CREDIT_MEMO' and e.id <> new.id
        and e.issued_at is not null and (m.catalog_item_id is not null or c.catalog_item_id is null)) b on is_memo
    -- what the line of the corrected document took out, and other memos did not put back
    left join lateral (select -sum(m.quantity) as moved from stock_movements m join documents d on d.organization_id = m.organization_id and d.id = m.document_id
      where m.organization_id = l.organization_id and m.document_line_id = l.id and (d.id = new.source_document_id or d.source_document_id = new.source_document_id)) s on is_memo
    where l.organization_id = new.organization_id and l.document_id = new.id and l.quantity > 0
      and (not is_memo or l.catalog_item_id is not null or k.is_of_order and c.catalog_item_id is null)
    order by i.id, l.id
  loop
    if line.order_id is not null then
      moved := moved_of_order_line(new.organization_id, line.order_id, line.line_id);
      if is_memo then
        moving := -least(line.quantity, moved);
        update order_lines l set returned_quantity = l.fulfilled_quantity - moved - moving where l.organization_id = new.organization_id
          and l.order_id = line.order_id and l.id = line.line_id and l.fulfilled_quantity - moved - moving > l.returned_quantity;
      else
        moving := gone_of_order_line(new.organization_id, line.order_id, line.line_id) - moved;
        if new.cancelled_at is null then moving := greatest(moving, 0); end if;
      end if;
    elsif is_memo then
      moving := -greatest(least(line.quantity, line.moved), 0); -- nothing of an item that the document did not take out
    else
      moving := case when new.cancelled_at is null then line.quantity else -line.quantity end;
    end if;
    if coalesce(moving, 0) = 0 then continue; end if;
    -- goods come back at what they left for
    cost := null;
    if moving < 0 then
      select sum(m.value_minor) / nullif(sum(m.quantity), 0) into cost from stock_movements m
        where m.organization_id = new.organization_id and m.item_id = line.catalog_item_id and m.quantity < 0 and m.value_minor <= 0
          and (m.document_id = coalesce(new.source_document_id, new.id) and m.document_line_id = line.id
            or m.order_id = line.order_id and m.order_line_id = line.line_id);
    end if;
    insert into stock_movements (organization_id, item_id, kind, quantity, date, given_cost, source, document_id, document_line_id, order_id, order_line_id, reference)
      values (new.organization_id, line.catalog_item_id, case when moving > 0 then 'OUT' else 'IN' end, -moving,
        case when new.cancelled_at is null then new.issue_date else greatest(new.issue_date, (select (new.cancelled_at at time zone o.timezone)::date from organizations o where o.id = new.organization_id)) end,
        cost, 'DOCUMENT', new.id, line.id, line.order_id, line.line_id, new.number);
  end loop;
  return null;
end $$;
create constraint trigger move_stock_of_new after insert on documents deferrable initially deferred for each row
  when (new.kind = 'SALES' and new.issued_at is not null and new.document_type in ('INVOICE', 'INVOICE_RECEIPT', 'CREDIT_MEMO'))
  execute function move_stock_of_document();
create constraint trigger move_stock_of_issued after update on documents deferrable initially deferred for each row
  when (new.kind = 'SALES' and new.document_type in ('INVOICE', 'INVOICE_RECEIPT', 'CREDIT_MEMO')
    and (old.issued_at is null and new.issued_at is not null or old.cancelled_at is null and new.cancelled_at is not null))
  execute function move_stock_of_document();

-- The lines of a credit memo take back what the lines of its document invoiced of an order.
create function link_memo_to_order() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into order_invoice_lines (organization_id, document_id, document_line_id, order_id, line_id)
    select x.organization_id, new.id, x.document_line_id, x.order_id, x.line_id from order_invoice_lines x
    where x.organization_id = new.organization_id and x.document_id = new.source_document_id;
  return null;
end $$;
create trigger link_memo_to_order after insert on documents for each row
  when (new.kind = 'SALES' and new.document_type = 'CREDIT_MEMO' and new.source_document_id is not null) execute function link_memo_to_order();

-- The order that an expense belongs to.
alter table expenses add constraint expense_order foreign key (organization_id, order_id) references orders;
create index on expenses (organization_id, order_id) where order_id is not null;

-- The ids of orders whose number, counterparty, reference or notes contain a text, by index.
create function search_orders(wanted text, pattern text, most integer) returns setof uuid
  language plpgsql stable security definer rows 100 set search_path = public, pg_temp as $$
begin
  return query select o.id from orders o where o.organization_id = current_organization()
    and search_grams(o.organization_id, coalesce(o.order_number, '') || ' ' || o.counterparty_name || ' ' || coalesce(o.reference, '') || ' ' || coalesce(o.notes, ''))
      @> search_grams(current_organization(), wanted)
    and (o.order_number ilike pattern or o.counterparty_name ilike pattern or o.reference ilike pattern or o.notes ilike pattern)
    limit most;
end $$;
grant execute on function search_orders(text, text, integer) to kontor_confined;

-- As before, and events that the database emits know how deep automations have started each other.
create or replace function authorize_run(run uuid, place text, target uuid, needed member_role, fitting text[], out user_id uuid, out key_id uuid, out session_id uuid,
  out scopes text[], out signed_in_at timestamptz, out organization_id uuid, out role member_role, out reachable integer, out app_id uuid, out client_id text, out author_user_id uuid)
  language plpgsql security definer as $$
#variable_conflict use_column
declare
  home uuid; -- the organization of the run
  graph uuid;
  started_at_depth integer;
  lowest member_role;
  done text;
begin
  select r.organization_id, r.graph_id, r.depth into home, graph, started_at_depth from public.automation_runs r where r.id = run and r.status = 'RUNNING';
  if home is null then return; end if;
  select x.owner_user_id, x.author_user_id, x.role, x.scopes, x.key_id, x.app_id, x.client_id
  into user_id, author_user_id, lowest, scopes, key_id, app_id, client_id from public.rights_of_graph(home, graph) x;
  if lowest is null then
    user_id := null;
    return;
  end if;
  if target = home or place in ('ONLY', 'ALL') then
    organization_id := home;
    role := lowest;
    reachable := 1;
  end if;
  if scopes is not null and not scopes && fitting then return; end if;
  done := set_config('app.role_limit', lowest::text, true);
  done := set_config('app.run_depth', started_at_depth::text, true);
  if place <> 'CALLER' or author_user_id = user_id then done := set_config('app.person', user_id::text, true); end if;
  if role >= needed then
    done := set_config('app.organization', organization_id::text, true);
    if place = 'ALL' then done := set_config('app.organizations', array[organization_id]::text, true); end if;
  end if;
end $$;
