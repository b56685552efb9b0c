-- Books goods that were received or returned against their bill or credit.

-- Computes the amounts that a closed order clears; none for an open one.
create or replace function clear_goods_received(organization uuid, wanted_order uuid) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  home text := (select g.currency from organizations g where g.id = organization);
  is_billed boolean;
begin
  select coalesce(sum(m.quantity * l.amount_minor / l.quantity), 0) = coalesce((select sum(e.goods_minor) from expenses e
      where e.organization_id = organization and e.order_id = wanted_order), 0) - credited_goods(organization, wanted_order) into is_billed
    from stock_movements m join order_lines l on l.organization_id = m.organization_id and l.order_id = m.order_id and l.id = m.order_line_id
    where m.organization_id = organization and m.order_id = wanted_order and m.source = 'ORDER';
  update orders o set cleared_currency = home, cleared_account = case when is_billed then 'EXCHANGE_DIFFERENCES' else 'COST_OF_GOODS_SOLD' end,
    cleared_minor = case when not is_billed and not o.clears_unbilled then 0 else
      coalesce((select sum(m.value_minor + m.difference_minor) from stock_movements m
        where m.organization_id = o.organization_id and m.order_id = o.id and m.source = 'ORDER' and m.home_currency = home), 0)
      - coalesce((select sum(home_minor(e.goods_minor, d.currency, home, d.exchange_rate)) from expenses e
        join documents d on d.organization_id = e.organization_id and d.id = e.id
        where e.organization_id = o.organization_id and e.order_id = o.id and e.goods_minor <> 0 and coalesce(d.rate_currency, home) = home), 0)
      + coalesce((select sum(home_minor(c.goods_minor, c.currency, home, c.exchange_rate)) from expenses e
        join documents c on c.organization_id = e.organization_id and c.source_document_id = e.id
        where e.organization_id = o.organization_id and e.order_id = o.id and c.goods_minor <> 0 and c.cancelled_at is null
          and coalesce(c.rate_currency, home) = home), 0) end
    where o.organization_id = organization and o.id = wanted_order and o.kind = 'PURCHASE' and o.status = 'CLOSED';
end $$;

create or replace function clear_closed_order() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform clear_goods_received(new.organization_id, new.id);
  return null;
end $$;

create or replace function set_goods_of_expense() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  ordered orders;
  goods bigint;
begin
  if new.issued_at is null then
    update expenses e set goods_minor = 0 where e.organization_id = new.organization_id and e.id = new.id and e.goods_minor <> 0;
    if found then
      perform clear_goods_received(e.organization_id, e.order_id) from expenses e where e.organization_id = new.organization_id and e.id = new.id;
    end if;
    return null;
  end if;
  select o.* into ordered from expenses e join orders o on o.organization_id = e.organization_id and o.id = e.order_id
    where e.organization_id = new.organization_id and e.id = new.id and o.kind = 'PURCHASE' and o.currency = new.currency
      and o.status <> 'CANCELLED' and not o.clears_unbilled for update of o;
  if not found then return null; end if;
  select coalesce(sum(round(l.amount_minor * (l.quantity + l.extra_quantity) / l.quantity)), 0) into goods from order_lines l join items i on i.organization_id = l.organization_id and i.id = l.item_id and i.tracked
    where l.organization_id = ordered.organization_id and l.order_id = ordered.id;
  goods := goods - coalesce((select sum(e.goods_minor) from expenses e where e.organization_id = ordered.organization_id and e.order_id = ordered.id), 0)
    + credited_goods(ordered.organization_id, ordered.id);
  update expenses e set goods_minor = greatest(0, least(goods, new.subtotal_minor)) where e.organization_id = new.organization_id and e.id = new.id;
  perform clear_goods_received(ordered.organization_id, ordered.id);
  return null;
end $$;

create or replace function set_goods_of_credit() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  select greatest(0, least(new.subtotal_minor, e.goods_minor - coalesce((select sum(c.goods_minor) from documents c
      where c.organization_id = e.organization_id and c.source_document_id = e.id and c.cancelled_at is null), 0)))
    into new.goods_minor from expenses e where e.organization_id = new.organization_id and e.id = new.source_document_id;
  new.goods_minor := coalesce(new.goods_minor, 0);
  return new;
end $$;

-- The goods of all credits on bills of an order.
create or replace function credited_goods(organization uuid, wanted_order uuid) returns bigint language sql stable as $$
  select coalesce(sum(c.goods_minor), 0)::bigint from expenses e join documents c on c.organization_id = e.organization_id and c.source_document_id = e.id
  where e.organization_id = organization and e.order_id = wanted_order and c.goods_minor <> 0 and c.cancelled_at is null
$$;

-- Computes them again after a credit or its void, which changes what is left on goods received of a closed order.
create or replace function clear_goods_of_credit() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform clear_goods_received(e.organization_id, e.order_id) from expenses e
    where e.organization_id = new.organization_id and e.id = new.source_document_id and e.order_id is not null;
  return null;
end $$;

-- Refuses changes of the goods of a supplier credit, which are set when it is made.
create or replace function guard_goods_of_credit() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  perform refuse_frozen();
  return null;
end $$;

create or replace trigger clear_closed_order after update on orders
  for each row when (new.kind = 'PURCHASE'::text and old.status <> 'CLOSED'::text and new.status = 'CLOSED'::text) execute function clear_closed_order();
create constraint trigger set_goods_of_expense after update on documents deferrable initially deferred
  for each row when (new.kind = 'EXPENSE'::text and new.document_type = 'EXPENSE'::text and (old.issued_at is null) <> (new.issued_at is null)) execute function set_goods_of_expense();
create or replace trigger set_goods_of_credit before insert on documents
  for each row when (new.kind = 'EXPENSE'::text and new.document_type = 'CREDIT_MEMO'::text and new.source_document_id is not null) execute function set_goods_of_credit();
create or replace trigger clear_goods_of_new_credit after insert on documents
  for each row when (new.goods_minor <> 0) execute function clear_goods_of_credit();
create or replace trigger clear_goods_of_voided_credit after update on documents
  for each row when (new.goods_minor <> 0 and old.cancelled_at is distinct from new.cancelled_at) execute function clear_goods_of_credit();
create or replace trigger guard_goods_of_credit before update of goods_minor on documents
  for each row when (new.goods_minor is distinct from old.goods_minor) execute function guard_goods_of_credit();
