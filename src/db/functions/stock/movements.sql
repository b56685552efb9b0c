-- Guards the level and the value of the stock: they are sums of movements.

-- Refuses a value of the stock that is too large to be stored.
create or replace function refuse_stock_value() returns void language plpgsql as $$
begin
  raise exception 'The stock would be larger than can be stored.' using errcode = 'check_violation', constraint = 'stock_value_fits';
end $$;

-- Values a movement and changes the level. Goods leave at the moving average. Goods that leave a stock below zero leave at the last
-- known cost, which is corrected when goods come in again: the difference is a cost of the goods that were sold. Goods that were
-- missing before keep the cost at which they left. If all missing goods were valued again at the last known cost, the movement
-- would have the difference, and could even add to the value of the stock. Existing movements stay as they were booked.
create or replace function apply_movement() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  level stock_levels;
  item items;
  home text := (select o.currency from organizations o where o.id = new.organization_id);
  largest constant numeric := 9e14; -- in minor units; sums of several stay exact in every program
  cost numeric;
  after_quantity numeric;
  after_value numeric;
begin
  select * into item from items i where i.organization_id = new.organization_id and i.id = new.item_id;
  if item.id is null then return new; end if; -- the foreign key refuses it
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
  elsif level.quantity > 0 then
    after_value := round(after_quantity * cost); -- the last goods leave with all of the value
  else
    after_value := level.value_minor + round(new.quantity * cost);
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

-- Moves the stock of a document. An invoice takes its goods out when it is issued, a credit memo returns those of its lines, and a
-- cancelled invoice-receipt all of its own. Of a line of an order only goods that were not delivered yet leave; they are those of
-- the order. A line of a memo without the item of its invoice credits an amount and no goods.
create or replace function move_stock_of_document() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
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
      -- of a memo: what other memos left of the line of the corrected document
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
    -- what the line of the corrected document took out, less what other memos returned
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
      moving := -greatest(least(line.quantity, line.moved), 0); -- a memo returns nothing of an item that the document did not take out
    else
      moving := case when new.cancelled_at is null then line.quantity else -line.quantity end;
    end if;
    if coalesce(moving, 0) = 0 then continue; end if;
    -- goods come back at the cost at which they left
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

create or replace trigger apply_movement before insert on stock_movements for each row execute function apply_movement();
create constraint trigger move_stock_of_new after insert on documents deferrable initially deferred
  for each row when (new.kind = 'SALES'::text and new.issued_at is not null and (new.document_type = any (array['INVOICE'::text, 'INVOICE_RECEIPT'::text, 'CREDIT_MEMO'::text]))) execute function move_stock_of_document();
create constraint trigger move_stock_of_issued after update on documents deferrable initially deferred
  for each row when (new.kind = 'SALES'::text and (new.document_type = any (array['INVOICE'::text, 'INVOICE_RECEIPT'::text, 'CREDIT_MEMO'::text])) and (old.issued_at is null and new.issued_at is not null or old.cancelled_at is null and new.cancelled_at is not null)) execute function move_stock_of_document();
