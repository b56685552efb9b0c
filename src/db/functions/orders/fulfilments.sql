-- Guards what is received or shipped: within the order, and never in the future.

-- Applies a delivery: counts the quantity on the line, sets the status of the order and moves the stock. For a sales order only
-- goods that an invoice has not taken out already leave the stock.
create or replace function apply_fulfilment() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
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
    -- in the home currency, at the rate of the day; without a rate the average stays
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

-- How much of a line of a sales order has left the stock and not come back. Goods that left before the stock was tracked count.
create or replace function moved_of_order_line(organization uuid, wanted_order uuid, wanted_line text) returns numeric
  language sql stable set search_path = public, pg_temp as $$
  select coalesce((select l.untracked_quantity from order_lines l where l.organization_id = organization and l.order_id = wanted_order and l.id = wanted_line), 0)
    - coalesce((select sum(m.quantity) from stock_movements m
        where m.organization_id = organization and m.order_id = wanted_order and m.order_line_id = wanted_line), 0)
$$;
grant execute on function moved_of_order_line(uuid, uuid, text) to kontor_across, kontor_confined;

-- How much of a line of a sales order should have left the stock: the delivered quantity without returns, or the invoiced one if
-- that is more.
create or replace function gone_of_order_line(organization uuid, wanted_order uuid, wanted_line text) returns numeric
  language sql stable set search_path = public, pg_temp as $$
  select greatest(l.fulfilled_quantity - l.returned_quantity, coalesce(q.invoiced - q.returned, 0))
  from order_lines l left join invoiced_quantities(organization, wanted_order, true) q on q.line_id = l.id
  where l.organization_id = organization and l.order_id = wanted_order and l.id = wanted_line
$$;

-- Refuses movements of goods after today in the time zone of the organization, as documents are refused. The detail of the error is
-- the day that was given and today.
create or replace function refuse_future_movement() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  today date := (select (now() at time zone o.timezone)::date from organizations o where o.id = new.organization_id);
begin
  if new.date > today then
    raise exception 'Goods are not moved on a day after today.' using errcode = 'check_violation', constraint = 'movement_not_in_future',
      detail = new.date || ' ' || today;
  end if;
  return new;
end $$;

create or replace trigger apply_fulfilment after insert on order_fulfilments for each row execute function apply_fulfilment();
create or replace trigger refuse_future_movement before insert on stock_movements
  for each row execute function refuse_future_movement();
create or replace trigger refuse_future_movement before insert on order_fulfilments
  for each row execute function refuse_future_movement();
