-- Corrections of what orders and stock book.

-- Goods move up to today in the time zone of the organization, as documents are issued.
create function refuse_future_movement() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if new.date > (select (now() at time zone o.timezone)::date from organizations o where o.id = new.organization_id) then
    raise exception 'Goods are not moved on a day after today.' using errcode = 'check_violation', constraint = 'movement_not_in_future';
  end if;
  return new;
end $$;
create trigger refuse_future_movement before insert on stock_movements for each row execute function refuse_future_movement();
create trigger refuse_future_movement before insert on order_fulfilments for each row execute function refuse_future_movement();

-- What a credit of a supplier takes back of the goods that the bill of an order had cleared: goods first, the rest is of the expense. It is
-- fixed with the credit, so that the void of another credit does not change what is booked.
alter table documents add column goods_minor bigint not null default 0;

create function set_goods_of_credit() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  select greatest(0, least(new.subtotal_minor, e.goods_minor - coalesce((select sum(c.goods_minor) from documents c
      where c.organization_id = e.organization_id and c.source_document_id = e.id and c.cancelled_at is null), 0)))
    into new.goods_minor from expenses e where e.organization_id = new.organization_id and e.id = new.source_document_id;
  new.goods_minor := coalesce(new.goods_minor, 0);
  return new;
end $$;
create trigger set_goods_of_credit before insert on documents for each row
  when (new.kind = 'EXPENSE' and new.document_type = 'CREDIT_MEMO' and new.source_document_id is not null) execute function set_goods_of_credit();

-- The goods of all credits on bills of an order.
create function credited_goods(organization uuid, wanted_order uuid) returns bigint language sql stable as $$
  select coalesce(sum(c.goods_minor), 0)::bigint from expenses e join documents c on c.organization_id = e.organization_id and c.source_document_id = e.id
  where e.organization_id = organization and e.order_id = wanted_order and c.goods_minor <> 0 and c.cancelled_at is null
$$;

create or replace function clear_goods_received(organization uuid, wanted_order uuid) returns void language plpgsql security definer set search_path = public, pg_temp as $$
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

-- A credit, or its void, changes what is left on goods received of an order that is closed.
create function clear_goods_of_credit() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform clear_goods_received(e.organization_id, e.order_id) from expenses e
    where e.organization_id = new.organization_id and e.id = new.source_document_id and e.order_id is not null;
  return null;
end $$;
create trigger clear_goods_of_new_credit after insert on documents for each row when (new.goods_minor <> 0) execute function clear_goods_of_credit();
create trigger clear_goods_of_voided_credit after update on documents for each row
  when (new.goods_minor <> 0 and old.cancelled_at is distinct from new.cancelled_at) execute function clear_goods_of_credit();

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

create or replace function journal_of_expenses(first_day date, first_id uuid, last_day date, last_id uuid) returns setof journal_part_line language sql stable parallel safe as $$
  select i.organization_id, i.day, i.event, i.id, i.id, i.payment_id, i.direction, i.times, l.line, l.account,
    l.subject, null::uuid, l.minor, i.currency, home_minor(l.minor, i.currency, h.home, i.exchange_rate), h.home, i.exchange_rate, 'ROUNDING'
  from (
    select d.*, d.issue_date as day, case when d.payment_id is null then 'ISSUED' else 'CREDITED' end as event, 1 as times
    from documents d where d.kind = 'EXPENSE' and d.issue_date between first_day and last_day
      and (d.issue_date, d.id) >= (first_day, first_id) and (d.issue_date, d.id) <= (last_day, last_id)
      and d.issued_at is not null and (d.payment_id is null or d.document_type = 'CREDIT_MEMO')
    union all
    select d.*, greatest(d.issue_date, (d.cancelled_at at time zone o.timezone)::date), 'CANCELLED', -1
    from documents d join organizations o on o.id = d.organization_id
    where d.kind = 'EXPENSE' and d.cancelled_at is not null and (d.cancelled_at >= (first_day - 2)::timestamptz and d.cancelled_at < (last_day + 3)::timestamptz
      or d.issue_date between first_day and last_day)
  ) i
  join organizations o on o.id = i.organization_id
  join all_ledger_kinds() k on k.kind = i.kind
  cross join lateral (select coalesce(i.rate_currency, o.currency) as home) h
  cross join lateral (select case when i.payment_id is null then 1 else -1 end as side) e
  cross join lateral (
    select c.subject, row_number() over (order by c.subject nulls first) = 1 as is_first, c.net,
      -- of the goods as much as fits into each category, one after the other
      greatest(0, least(c.net, c.goods - (sum(c.net) over (order by c.subject nulls first) - c.net)))::bigint as goods
    from (select 'CATEGORY:' || case when s.line_id is null then coalesce(x.category_id, x.deleted_category_id)
          else coalesce(s.category_id, s.deleted_category_id) end as subject, sum(l.amount_minor)::bigint as net,
        max(case when i.document_type = 'EXPENSE' then x.goods_minor else i.goods_minor end) as goods
      from document_lines l
      join expenses x on x.organization_id = l.organization_id and x.id = coalesce(i.source_document_id, i.id)
      left join expense_splits s on s.organization_id = l.organization_id and s.expense_id = x.id and s.line_id = l.id
      where l.organization_id = i.organization_id and l.document_id = i.id group by 1) c
  ) p
  cross join lateral (values
    (1, case when i.payment_id is not null then 'PREPAYMENTS' else k.balance_account end, null, case when p.is_first then e.side * i.total_minor else 0 end),
    (2, k.result_account, p.subject, -e.side * (p.net - p.goods)),
    (3, 'TAX', null, case when p.is_first then -e.side * i.tax_minor else 0 end),
    (4, 'ROUNDING', null, case when p.is_first then -e.side * (i.total_minor - i.tax_minor - i.subtotal_minor) else 0 end),
    (5, 'GOODS_RECEIVED', null, -e.side * p.goods)
  ) l (line, account, subject, minor)
  where i.day between first_day and last_day and (i.day, i.id) >= (first_day, first_id) and (i.day, i.id) <= (last_day, last_id)
$$;

-- Whether lines are divided by tax category depends on the accounts of the own organization, also where several are read at once.
create or replace function journal_of_documents(first_day date, first_id uuid, last_day date, last_id uuid) returns setof journal_part_line language sql stable parallel safe as $$
  select i.organization_id, i.issue_date, b.event, i.id, i.id, i.payment_id, i.direction, 1, l.line, l.account,
    l.tax_category, null::uuid, l.minor, i.currency, home_minor(l.minor, i.currency, h.home, i.exchange_rate), h.home, i.exchange_rate, 'ROUNDING'
  from (
    select d.* from documents d where d.kind = 'SALES' and d.document_type <> 'RECEIPT' and d.issue_date between first_day and last_day
      and (d.issue_date, d.id) >= (first_day, first_id) and (d.issue_date, d.id) <= (last_day, last_id)
      and d.issued_at is not null and (d.payment_id is null or d.document_type = 'CREDIT_MEMO')
    union all -- apart, since sales have an index of their own
    select d.* from documents d where d.kind not in ('SALES', 'EXPENSE') and d.issue_date between first_day and last_day
      and (d.issue_date, d.id) >= (first_day, first_id) and (d.issue_date, d.id) <= (last_day, last_id)
      and d.issued_at is not null and (d.payment_id is null or d.document_type = 'CREDIT_MEMO')
  ) i
  join organizations o on o.id = i.organization_id
  join all_ledger_kinds() k on k.kind = i.kind
  cross join lateral (select coalesce(i.rate_currency, o.currency) as home) h
  cross join lateral (select case when i.payment_id is null then 'ISSUED' else 'CREDITED' end as event) e
  left join documents s on s.organization_id = i.organization_id and s.id = i.source_document_id and e.event = 'CREDITED'
  cross join lateral (select e.event, coalesce(s.document_type, i.document_type) <> all (k.unbilled_types) as billed,
    exists (select from account_periods m where m.organization_id = i.organization_id and m.subject like 'TAX:%') and exists (select from document_lines l
      where l.organization_id = i.organization_id and l.document_id = i.id and l.tax_category is not null) as split,
    unbilled_account(i.organization_id, coalesce(s.document_type, i.document_type), coalesce(s.id, i.id)) as unbilled,
    case e.event when 'CREDITED' then -1 else 1 end as side) b
  cross join lateral (
    select null::text as tax_category, true as is_first, i.subtotal_minor as net, i.tax_minor as tax where b.billed and not b.split
    union all
    select null, true, i.total_minor, 0 where not b.billed
    union all
    -- the net amount and the tax by tax category, in proportion to the lines
    select c.tax_category, c.is_first,
      (case when c.all_net = 0 then case when c.is_first then i.subtotal_minor else 0 end
        else round(i.subtotal_minor * c.net_upto / c.all_net) - round(i.subtotal_minor * (c.net_upto - c.net) / c.all_net) end)::bigint,
      (case when c.all_tax = 0 then case when c.is_first then i.tax_minor else 0 end
        else round(i.tax_minor * c.tax_upto / c.all_tax) - round(i.tax_minor * (c.tax_upto - c.tax) / c.all_tax) end)::bigint
    from (select g.*, row_number() over (order by g.tax_category nulls first) = 1 as is_first,
        sum(g.net) over (order by g.tax_category nulls first) as net_upto, sum(g.net) over () as all_net,
        sum(g.tax) over (order by g.tax_category nulls first) as tax_upto, sum(g.tax) over () as all_tax
      from (select tax_code(l.tax_category) as tax_category, sum(l.amount_minor) as net, sum(l.amount_minor * coalesce(l.tax_rate, i.tax_rate, 0)) as tax
        from document_lines l where l.organization_id = i.organization_id and l.document_id = i.id group by 1) g) c
    where b.billed and b.split
  ) p
  cross join lateral (values
    (1, case b.event when 'CREDITED' then 'PREPAYMENTS' else k.balance_account end, null, case when p.is_first then b.side * i.total_minor else 0 end),
    (2, case when b.billed then k.result_account else b.unbilled end, p.tax_category, -b.side * p.net),
    (3, 'TAX', p.tax_category, -b.side * p.tax),
    (4, 'ROUNDING', null, case when b.billed and p.is_first then -b.side * (i.total_minor - i.tax_minor - i.subtotal_minor) else 0 end)
  ) l (line, account, tax_category, minor)
$$;
