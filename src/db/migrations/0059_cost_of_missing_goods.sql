-- What leaves a stock that is below zero leaves at the last known cost, and what was missing before keeps the cost at which it left. Before,
-- all that was missing was valued again at the last known cost, and the movement had the difference: it could even add to the value of the
-- stock. Movements that exist stay as they were booked.
create or replace function apply_movement() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
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
  elsif level.quantity > 0 then
    after_value := round(after_quantity * cost); -- what there was leaves with all of its value
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
