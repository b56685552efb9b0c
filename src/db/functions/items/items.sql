-- Guards items: after stock has moved, an item stays tracked, and its unit and value stay.

create or replace function note_tracking() returns trigger language plpgsql as $$
begin
  new.tracked_since := case when new.tracked then now() end;
  return new;
end $$;

-- Refuses to stop tracking an item whose stock has moved, and to make it a service.
create or replace function guard_item() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from stock_movements m where m.organization_id = old.organization_id and m.item_id = old.id) then
    raise exception 'The stock of this item has moved.' using errcode = 'check_violation', constraint = 'moved_item_is_tracked';
  end if;
  return new;
end $$;

-- Begins to track the stock of an item: goods that left before do not move. The orders are locked, so that none is delivered
-- meanwhile.
create or replace function begin_tracking() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform from orders o where o.organization_id = new.organization_id and o.kind = 'SALES' and o.id in (select l.order_id from order_lines l
    where l.organization_id = new.organization_id and l.item_id = new.id) order by o.id for update;
  update order_lines l set untracked_quantity = gone_of_order_line(l.organization_id, l.order_id, l.id)
    where l.organization_id = new.organization_id and l.item_id = new.id and exists (select from orders o
      where o.organization_id = l.organization_id and o.id = l.order_id and o.kind = 'SALES' and o.number is not null)
      and l.untracked_quantity <> gone_of_order_line(l.organization_id, l.order_id, l.id);
  return null;
end $$;

create or replace trigger note_tracking_of_new before insert on items for each row execute function note_tracking();
create or replace trigger note_tracking before update on items
  for each row when (new.tracked <> old.tracked) execute function note_tracking();
create or replace trigger guard_item before update on items
  for each row when (old.tracked and not new.tracked) execute function guard_item();
create or replace trigger begin_tracking after update on items
  for each row when (new.tracked and not old.tracked) execute function begin_tracking();
