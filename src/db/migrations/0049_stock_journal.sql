-- Stock in the journal: its value, what was received and not billed yet, the cost of what was sold, and adjustments.

create or replace function fits_purpose(type text, purpose text) returns boolean language sql immutable parallel safe as $$
  select case
    when purpose in ('CASH', 'RECEIVABLES', 'SUPPLIER_ADVANCES', 'INPUT_TAX', 'WITHHOLDING', 'STOCK') then type = 'ASSET'
    when purpose in ('PAYABLES', 'CUSTOMER_CREDITS', 'OUTPUT_TAX', 'WITHHOLDING_PAYABLE', 'UNBILLED', 'PAYROLL_PAYABLES', 'GOODS_RECEIVED') then type = 'LIABILITY'
    when purpose = 'OPENING_BALANCES' then type = 'EQUITY'
    when purpose = 'REVENUE' then type = 'INCOME'
    when purpose in ('EXPENSES', 'PAYROLL', 'COST_OF_GOODS_SOLD', 'STOCK_ADJUSTMENTS') then type = 'EXPENSE'
    when purpose in ('EXCHANGE_DIFFERENCES', 'ROUNDING') then type in ('EXPENSE', 'INCOME')
    else true end
$$;
insert into default_accounts (country, code, name, name_he, type, purpose) values
  ('IL', '1600', 'Stock', 'מלאי', 'ASSET', 'STOCK'),
  ('IL', '2050', 'Goods received, not billed', 'טובין שהתקבלו וטרם חויבו', 'LIABILITY', 'GOODS_RECEIVED'),
  ('IL', '5000', 'Cost of sales', 'עלות המכר', 'EXPENSE', 'COST_OF_GOODS_SOLD'),
  ('IL', '5100', 'Stock adjustments', 'התאמות מלאי', 'EXPENSE', 'STOCK_ADJUSTMENTS'),
  ('SG', '630', 'Inventory', 'מלאי', 'ASSET', 'STOCK'),
  ('SG', '802', 'Goods received, not billed', 'טובין שהתקבלו וטרם חויבו', 'LIABILITY', 'GOODS_RECEIVED'),
  ('SG', '310', 'Cost of goods sold', 'עלות המכר', 'EXPENSE', 'COST_OF_GOODS_SOLD'),
  ('SG', '320', 'Inventory adjustments', 'התאמות מלאי', 'EXPENSE', 'STOCK_ADJUSTMENTS'),
  ('US', '1300', 'Inventory', 'מלאי', 'ASSET', 'STOCK'),
  ('US', '2050', 'Goods received, not billed', 'טובין שהתקבלו וטרם חויבו', 'LIABILITY', 'GOODS_RECEIVED'),
  ('US', '5000', 'Cost of goods sold', 'עלות המכר', 'EXPENSE', 'COST_OF_GOODS_SOLD'),
  ('US', '5100', 'Inventory adjustments', 'התאמות מלאי', 'EXPENSE', 'STOCK_ADJUSTMENTS')
on conflict (country, code) do update set purpose = excluded.purpose, name = excluded.name, name_he = excluded.name_he, type = excluded.type;
-- Organizations that exist get the accounts; one that they use under its code for something else stays as it is.
select set_config('app.booked_from', '-infinity', true);
update accounts a set purpose = d.purpose from organizations o, default_accounts d
  where o.id = a.organization_id and d.country = o.country and d.purpose in ('STOCK', 'GOODS_RECEIVED', 'COST_OF_GOODS_SOLD', 'STOCK_ADJUSTMENTS')
    and (a.code, a.name, a.type) = (d.code, d.name, d.type) and a.active and a.purpose is null
    and not exists (select from account_mappings m where m.organization_id = a.organization_id and m.account_id = a.id and d.type = 'ASSET' and m.category_id is not null);
insert into accounts (organization_id, id, code, name, name_he, type, purpose)
  select o.id, new_id(), (select c from unnest(array[d.code, d.code || '-1', d.code || '-2', d.code || '-3']) with ordinality n (c, turn)
      where not exists (select from accounts a where a.organization_id = o.id and lower(a.code) = lower(c)) order by turn limit 1),
    d.name, d.name_he, d.type, d.purpose
  from organizations o join default_accounts d on d.country = o.country and d.purpose in ('STOCK', 'GOODS_RECEIVED', 'COST_OF_GOODS_SOLD', 'STOCK_ADJUSTMENTS')
  where not exists (select from accounts a where a.organization_id = o.id and a.purpose = d.purpose);
select set_config('app.booked_from', '', true);

-- What closing an order clears of "goods received, not billed". If what was received is billed in the currency of the order, only rates
-- differed, and the rest is an exchange difference. Otherwise it stays there until the bills come, unless the person who closes the order
-- says that none will: it then reduces the cost of goods sold, and later bills of the order are expenses.
alter table orders add column clears_unbilled boolean not null default false;
alter table orders add column cleared_account text check (cleared_account in ('EXCHANGE_DIFFERENCES', 'COST_OF_GOODS_SOLD'));
alter table orders add column cleared_minor bigint not null default 0;
alter table orders add column cleared_currency text check (cleared_currency <> '');

-- Movements of the stock, at cost, in the home currency, and what closing an order clears.
create function journal_of_stock(first_day date, first_id uuid, last_day date, last_id uuid) returns setof journal_part_line
  language sql stable parallel safe as $$
  select m.organization_id, m.date, 'STOCK', m.id, m.document_id, null::uuid, 'OUTGOING', 1, l.line, l.account, null::text, null::uuid, l.minor, m.home_currency,
    l.minor, m.home_currency, 1::numeric, 'ROUNDING'
  from stock_movements m
  left join orders o on o.organization_id = m.organization_id and o.id = m.order_id
  cross join lateral (values (1, 'STOCK', m.value_minor),
    (2, case when m.source = 'OPENING' then 'OPENING_BALANCES' when m.source = 'MANUAL' then 'STOCK_ADJUSTMENTS'
      when m.source = 'ORDER' and o.kind = 'PURCHASE' then 'GOODS_RECEIVED' else 'COST_OF_GOODS_SOLD' end, -m.value_minor - m.difference_minor),
    (3, 'COST_OF_GOODS_SOLD', m.difference_minor)) l (line, account, minor)
  where m.date between first_day and last_day and (m.date, m.id) >= (first_day, first_id) and (m.date, m.id) <= (last_day, last_id)
  union all
  select o.organization_id, c.day, 'ORDER_CLOSED', o.id, null::uuid, null::uuid, 'OUTGOING', 1, l.line, l.account, null::text, null::uuid, l.minor, o.cleared_currency,
    l.minor, o.cleared_currency, 1::numeric, 'ROUNDING'
  from orders o join organizations g on g.id = o.organization_id
  cross join lateral (select (o.ended_at at time zone g.timezone)::date as day) c
  cross join lateral (values (1, 'GOODS_RECEIVED', o.cleared_minor), (2, o.cleared_account, -o.cleared_minor)) l (line, account, minor)
  where o.cleared_minor <> 0 and o.ended_at >= (first_day - 2)::timestamptz and o.ended_at < (last_day + 3)::timestamptz
    and c.day between first_day and last_day and (c.day, o.id) >= (first_day, first_id) and (c.day, o.id) <= (last_day, last_id)
$$;
create index cleared_orders on orders (organization_id, ended_at) where cleared_minor <> 0;
grant execute on function journal_of_stock(date, uuid, date, uuid) to kontor_confined, kontor_across;

-- What of the net amount of an approved expense is for goods of its order: it clears "goods received, not billed" and is no expense,
-- because the goods become a cost when they are sold. Fixed at approval, in the order in which the bills are approved.
alter table expenses add column goods_minor bigint not null default 0 check (goods_minor >= 0);

-- Computes what a closed order clears. Nothing for one that is open.
create function clear_goods_received(organization uuid, wanted_order uuid) returns void language plpgsql security definer set search_path = public, pg_temp as $$
declare
  home text := (select g.currency from organizations g where g.id = organization);
  is_billed boolean;
begin
  select coalesce(sum(m.quantity * l.amount_minor / l.quantity), 0) = coalesce((select sum(e.goods_minor) from expenses e
      where e.organization_id = organization and e.order_id = wanted_order), 0) into is_billed
    from stock_movements m join order_lines l on l.organization_id = m.organization_id and l.order_id = m.order_id and l.id = m.order_line_id
    where m.organization_id = organization and m.order_id = wanted_order and m.source = 'ORDER';
  update orders o set cleared_currency = home, cleared_account = case when is_billed then 'EXCHANGE_DIFFERENCES' else 'COST_OF_GOODS_SOLD' end,
    cleared_minor = case when not is_billed and not o.clears_unbilled then 0 else
      coalesce((select sum(m.value_minor + m.difference_minor) from stock_movements m
        where m.organization_id = o.organization_id and m.order_id = o.id and m.source = 'ORDER' and m.home_currency = home), 0)
      - coalesce((select sum(home_minor(e.goods_minor, d.currency, home, d.exchange_rate)) from expenses e
        join documents d on d.organization_id = e.organization_id and d.id = e.id
        where e.organization_id = o.organization_id and e.order_id = o.id and e.goods_minor <> 0 and coalesce(d.rate_currency, home) = home), 0) end
    where o.organization_id = organization and o.id = wanted_order and o.kind = 'PURCHASE' and o.status = 'CLOSED';
end $$;
create function clear_closed_order() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform clear_goods_received(new.organization_id, new.id);
  return null;
end $$;
create trigger clear_closed_order after update on orders for each row
  when (new.kind = 'PURCHASE' and old.status <> 'CLOSED' and new.status = 'CLOSED') execute function clear_closed_order();

create function set_goods_of_expense() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
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
  goods := goods - coalesce((select sum(e.goods_minor) from expenses e where e.organization_id = ordered.organization_id and e.order_id = ordered.id), 0);
  update expenses e set goods_minor = greatest(0, least(goods, new.subtotal_minor)) where e.organization_id = new.organization_id and e.id = new.id;
  perform clear_goods_received(ordered.organization_id, ordered.id);
  return null;
end $$;
create constraint trigger set_goods_of_expense after update on documents deferrable initially deferred for each row
  when (new.kind = 'EXPENSE' and new.document_type = 'EXPENSE' and (old.issued_at is null) <> (new.issued_at is null)) execute function set_goods_of_expense();

-- As before, and the goods of an order are no expense.
create or replace function journal_of_expenses(first_day date, first_id uuid, last_day date, last_id uuid) returns setof journal_part_line
  language sql stable parallel safe as $$
  select i.organization_id, i.issue_date, e.event, i.id, i.id, i.payment_id, i.direction, 1, l.line, l.account,
    l.subject, null::uuid, l.minor, i.currency, home_minor(l.minor, i.currency, h.home, i.exchange_rate), h.home, i.exchange_rate, 'ROUNDING'
  from documents i
  join organizations o on o.id = i.organization_id
  join all_ledger_kinds() k on k.kind = i.kind
  cross join lateral (select coalesce(i.rate_currency, o.currency) as home) h
  cross join lateral (select case when i.payment_id is null then 'ISSUED' else 'CREDITED' end as event, case when i.payment_id is null then 1 else -1 end as side) e
  cross join lateral (
    select c.subject, row_number() over (order by c.subject nulls first) = 1 as is_first, c.net,
      -- of the goods as much as fits into each category, one after the other
      greatest(0, least(c.net, c.goods - (sum(c.net) over (order by c.subject nulls first) - c.net)))::bigint as goods
    from (select 'CATEGORY:' || case when s.line_id is null then x.category_id else s.category_id end as subject, sum(l.amount_minor)::bigint as net,
        max(case when i.document_type = 'EXPENSE' then x.goods_minor else 0 end) as goods
      from document_lines l
      join expenses x on x.organization_id = l.organization_id and x.id = coalesce(i.source_document_id, i.id)
      left join expense_splits s on s.organization_id = l.organization_id and s.expense_id = x.id and s.line_id = l.id
      where l.organization_id = i.organization_id and l.document_id = i.id group by 1) c
  ) p
  cross join lateral (values
    (1, case e.event when 'CREDITED' then 'PREPAYMENTS' else k.balance_account end, null, case when p.is_first then e.side * i.total_minor else 0 end),
    (2, k.result_account, p.subject, -e.side * (p.net - p.goods)),
    (3, 'TAX', null, case when p.is_first then -e.side * i.tax_minor else 0 end),
    (4, 'ROUNDING', null, case when p.is_first then -e.side * (i.total_minor - i.tax_minor - i.subtotal_minor) else 0 end),
    (5, 'GOODS_RECEIVED', null, -e.side * p.goods)
  ) l (line, account, subject, minor)
  where i.kind = 'EXPENSE' and i.issue_date between first_day and last_day
    and (i.issue_date, i.id) >= (first_day, first_id) and (i.issue_date, i.id) <= (last_day, last_id)
    and i.issued_at is not null and (i.payment_id is null or i.document_type = 'CREDIT_MEMO')
$$;

create or replace function journal_lines(first_day date, first_id uuid, last_day date, last_id uuid)
  returns table (organization_id uuid, day date, event text, event_id uuid, document_id uuid, payment_id uuid, entry_id uuid, direction text, line integer,
    account text, account_id uuid, tax_category text, bank_account_id uuid, minor bigint, currency text, home_minor bigint, home_currency text, exchange_rate numeric)
  language sql stable parallel safe as $$
  with signed as materialized (
    select l.*, case l.direction when 'OUTGOING' then l.times else -l.times end as sign from (
      select * from journal_of_documents(first_day, first_id, last_day, last_id)
      union all select * from journal_of_expenses(first_day, first_id, last_day, last_id)
      union all select * from journal_of_closed(first_day, first_id, last_day, last_id)
      union all select * from journal_of_payments(first_day, first_id, last_day, last_id)
      union all select * from journal_of_allocations(first_day, first_id, last_day, last_id)
      union all select * from journal_of_stock(first_day, first_id, last_day, last_id)) l
  )
  select b.organization_id, b.day, b.event, b.event_id, b.document_id, b.payment_id, null::uuid, b.direction, b.line, b.account, null::uuid, b.subject,
    b.bank_account_id, b.sign * b.minor, b.currency, b.sign * b.home_minor, b.home, b.exchange_rate
  from signed b where b.minor <> 0
  union all
  select b.organization_id, b.day, b.event, b.event_id, b.document_id, b.payment_id, null, b.direction, 9, b.rest, null, null,
    null, 0, b.currency, -sum(b.sign * b.home_minor)::bigint, b.home, b.exchange_rate
  from signed b where b.currency <> b.home
  group by b.organization_id, b.day, b.event, b.event_id, b.document_id, b.payment_id, b.direction, b.rest, b.currency, b.home, b.exchange_rate
  having sum(b.sign * b.home_minor) <> 0
  union all
  -- entries that people made
  select e.organization_id, e.date, case when e.reverses_id is null then e.kind else 'REVERSAL' end, e.id, null, null, e.id, null, l.position, null, l.account_id, null,
    null, l.debit_minor - l.credit_minor, e.currency, l.debit_minor - l.credit_minor, e.currency, 1
  from journal_entries e join journal_entry_lines l on l.organization_id = e.organization_id and l.entry_id = e.id
  where e.date between first_day and last_day and (e.date, e.id) >= (first_day, first_id) and (e.date, e.id) <= (last_day, last_id)
$$;

create or replace function journal_part(first_day date, first_id uuid, last_day date, events integer, out day date, out id uuid) returns setof record
  language sql stable parallel safe as $$
  select day, id from (
    (select d.issue_date as day, d.id from documents d where d.kind = 'SALES' and d.issue_date between first_day and last_day
      and (d.issue_date, d.id) >= (first_day, first_id) and d.issued_at is not null order by d.issue_date, d.id limit events)
    union all
    (select d.issue_date, d.id from documents d where d.kind <> 'SALES' and d.issue_date between first_day and last_day
      and (d.issue_date, d.id) >= (first_day, first_id) and d.issued_at is not null order by d.issue_date, d.id limit events)
    union all
    (select p.paid_at, p.id from payments p where p.paid_at between first_day and last_day
      and (p.paid_at, p.id) >= (first_day, first_id) order by p.paid_at, p.id limit events)
    union all
    (select a.booked_on, a.id from allocations a where a.booked_on between first_day and last_day
      and (a.booked_on, a.id) >= (first_day, first_id) order by a.booked_on, a.id limit events)
    union all
    (select m.date, m.id from stock_movements m where m.date between first_day and last_day
      and (m.date, m.id) >= (first_day, first_id) order by m.date, m.id limit events)
    union all
    (select e.date, e.id from journal_entries e where e.date between first_day and last_day
      and (e.date, e.id) >= (first_day, first_id) order by e.date, e.id limit events)) e
  order by day, id offset events - 1 limit 1
$$;
