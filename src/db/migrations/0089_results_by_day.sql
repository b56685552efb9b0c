-- What documents booked to income, expenses and tax, by day and divided among accounts, categories and tax rates, so that the reports on
-- income, expenses and tax need not compute the journal of a year. The rows are stored with the sums of their day and count under the same
-- marks: a report reads stored rows of days without a mark, and computes those of the others. See decision 0098.

-- As before, with an index for the expense of each document.
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
      -- not coalesce(): under row security PostgreSQL would read all expenses for each document
      join expenses x on x.organization_id = l.organization_id and x.id = case when i.source_document_id is null then i.id else i.source_document_id end
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

-- The lines of the journal with the account that takes them on their day.
create function placed_lines(first_day date, first_id uuid, last_day date, last_id uuid) returns table (organization_id uuid, day date, event text,
    event_id uuid, document_id uuid, payment_id uuid, entry_id uuid, direction text, line integer, account text, account_id uuid, subject text,
    currency text, home_currency text, exchange_rate numeric, minor bigint, home_minor bigint)
  language sql stable parallel safe as $$
  select j.organization_id, j.day, j.event, j.event_id, j.document_id, j.payment_id, j.entry_id, j.direction, j.line, j.account,
    coalesce(j.account_id, bank.account_id, tax.account_id, standard.account_id), j.tax_category, j.currency, j.home_currency, j.exchange_rate,
    j.minor, j.home_minor
  from journal_lines(first_day, first_id, last_day, last_id) j
  left join account_periods bank on j.account = 'CASH' and bank.organization_id = j.organization_id and bank.subject = 'BANK:' || j.bank_account_id
    and j.day >= bank.first_day and j.day < bank.end_day
  left join account_periods tax on tax.organization_id = j.organization_id
    and tax.subject = case when j.tax_category like 'CATEGORY:%' then '' else 'TAX:' || case j.account
      when 'TAX' then case j.direction when 'OUTGOING' then 'LIABILITY' else 'ASSET' end
      else case j.direction when 'OUTGOING' then 'INCOME' else 'EXPENSE' end end || ':' end || j.tax_category
    and j.day >= tax.first_day and j.day < tax.end_day
  left join account_periods standard on standard.organization_id = j.organization_id and standard.subject = 'PURPOSE:' || case j.account
      when 'TAX' then case j.direction when 'OUTGOING' then 'OUTPUT_TAX' else 'INPUT_TAX' end
      when 'PREPAYMENTS' then case j.direction when 'OUTGOING' then 'CUSTOMER_CREDITS' else 'SUPPLIER_ADVANCES' end
      when 'WITHHOLDING' then case j.direction when 'OUTGOING' then 'WITHHOLDING' else 'WITHHOLDING_PAYABLE' end
      else j.account end
    and j.day >= standard.first_day and j.day < standard.end_day
$$;
grant execute on function placed_lines(date, uuid, date, uuid) to kontor_confined;

create or replace function booked_lines(first_day date, first_id uuid, last_day date, last_id uuid) returns table (organization_id uuid, day date, event text,
    event_id uuid, document_id uuid, payment_id uuid, entry_id uuid, line integer, account_id uuid, currency text, home_currency text,
    exchange_rate numeric, minor bigint, home_minor bigint)
  language sql stable parallel safe as $$
  select p.organization_id, p.day, p.event, p.event_id, p.document_id, p.payment_id, p.entry_id, p.line, p.account_id, p.currency, p.home_currency,
    p.exchange_rate, sum(p.minor)::bigint, sum(p.home_minor)::bigint
  from placed_lines(first_day, first_id, last_day, last_id) p
  group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
$$;

-- A line of a document on income, expenses, tax, goods or rounding. Arrays of them are divided, so that the journal is computed once for
-- sums, results and taxes.
create type result_line as (organization_id uuid, document_id uuid, event text, day date, direction text, account text, account_id uuid,
  subject text, home_currency text, face_currency text, home_minor bigint);

-- Whether a line of the journal is one of them. Allocations round, and stock receives goods, outside of the document.
create function is_result_line(document_id uuid, event text, account text) returns boolean language sql immutable parallel safe as $$
  select document_id is not null and (account in ('REVENUE', 'EXPENSES', 'TAX')
    or account in ('ROUNDING', 'GOODS_RECEIVED') and event in ('ISSUED', 'CREDITED', 'CANCELLED', 'CONVERTED'))
$$;
grant execute on function is_result_line(uuid, text, text) to kontor_confined;

-- The share of a part in an amount, rounded after the shares before it (`upto` includes the part). Without a whole the first part has it all.
create function part_of(amount numeric, part numeric, upto numeric, whole numeric, is_first boolean) returns bigint language sql immutable parallel safe as $$
  select (case when coalesce(whole, 0) = 0 then case when is_first is not false then amount else 0 end
    else round(amount * upto / whole) - round(amount * (upto - part) / whole) end)::bigint
$$;
grant execute on function part_of(numeric, numeric, numeric, numeric, boolean) to kontor_confined;

-- The amounts of documents by account and category. What a document books to several of them takes its share of tax, goods and rounding
-- in proportion, rounded after the shares before it, so that the parts add up to the document. Income and expenses are positive.
-- `is_plain`: the document was issued with it and has no other part, so it is in no other plain row.
create function divided_results(lines result_line[]) returns table (organization_id uuid, document_id uuid, day date, kind text,
    document_type text, account_id uuid, category_id uuid, home_currency text, face_currency text, is_plain boolean,
    counterparty_id uuid, net_minor bigint, tax_minor bigint, goods_minor bigint, rounding_minor bigint)
  language sql stable parallel safe as $$
  with parts as (
    select l.organization_id, l.document_id, l.event, l.day, l.direction, l.home_currency, case when l.account <> 'TAX' then l.account_id end as account_id,
      case when l.subject like 'CATEGORY:%' then substr(l.subject, 10)::uuid end as category_id, min(nullif(l.face_currency, '')) as face,
      sum(l.home_minor) filter (where l.account in ('REVENUE', 'EXPENSES')) as net, sum(l.home_minor) filter (where l.account = 'TAX') as tax,
      sum(l.home_minor) filter (where l.account = 'GOODS_RECEIVED') as goods, sum(l.home_minor) filter (where l.account = 'ROUNDING') as rounding
    from unnest(lines) l group by 1, 2, 3, 4, 5, 6, 7, 8
  ), placed as (
    select p.organization_id, p.document_id, p.event, p.day, p.direction, p.home_currency, p.account_id, p.category_id, p.net, sum(p.net) over w as upto,
      sum(p.net) over d as all_net, count(p.net) over d as parts, row_number() over w = 1 as is_first, coalesce(sum(p.tax) over d, 0) as tax,
      coalesce(sum(p.goods) over d, 0) as goods, coalesce(sum(p.rounding) over d, 0) as rounding, coalesce(min(p.face) over d, '') as face
    from parts p
    window d as (partition by p.organization_id, p.document_id, p.event, p.day, p.direction, p.home_currency),
      w as (partition by p.organization_id, p.document_id, p.event, p.day, p.direction, p.home_currency
        order by p.net is null, p.account_id nulls first, p.category_id nulls first)
  )
  select p.organization_id, p.document_id, p.day, d.kind, d.document_type, p.account_id, p.category_id, p.home_currency, p.face,
    p.event in ('ISSUED', 'CREDITED') and p.parts <= 1, d.counterparty_id,
    s.sign * coalesce(p.net, 0)::bigint, s.sign * part_of(p.tax, p.net, p.upto, p.all_net, p.is_first),
    s.sign * part_of(p.goods, p.net, p.upto, p.all_net, p.is_first), s.sign * part_of(p.rounding, p.net, p.upto, p.all_net, p.is_first)
  from placed p
  join documents d on d.organization_id = p.organization_id and d.id = p.document_id
    and d.kind = case p.direction when 'OUTGOING' then 'SALES' else 'EXPENSE' end
  cross join lateral (select case d.kind when 'SALES' then -1 else 1 end as sign) s
  where p.net is not null or p.is_first
$$;
grant execute on function divided_results(result_line[]) to kontor_confined;

-- An amount before tax and its tax by the rates and categories of the document's lines, in proportion to their net amounts and their tax.
-- Lines without a rate have that of the document, else the rate that was found for it.
create function tax_shares(organization uuid, document uuid, found numeric, base bigint, tax bigint) returns table (rate numeric, category text,
    base_minor bigint, tax_minor bigint)
  language sql stable parallel safe as $$
  select g.rate, g.category, part_of(base, g.net, g.net_upto, g.all_net, g.is_first), part_of(tax, g.weight, g.weight_upto, g.all_weight, g.is_first)
  from (select) one left join lateral (
    select l.rate, l.category, row_number() over w = 1 as is_first, l.net, sum(l.net) over w as net_upto, sum(l.net) over () as all_net,
      l.weight, sum(l.weight) over w as weight_upto, sum(l.weight) over () as all_weight
    from (select coalesce(l.tax_rate, d.tax_rate, found) as rate, tax_code(l.tax_category) as category, sum(l.amount_minor) as net,
        sum(l.amount_minor) * coalesce(l.tax_rate, d.tax_rate, found, 0) as weight
      from documents d join document_lines l on l.organization_id = d.organization_id and l.document_id = d.id
      where d.organization_id = organization and d.id = document group by 1, 2, coalesce(l.tax_rate, d.tax_rate, found, 0)) l
    window w as (order by l.rate nulls first, l.category nulls first)) g on true
$$;
grant execute on function tax_shares(uuid, uuid, numeric, bigint, bigint) to kontor_confined;

-- The highest of these rates that gives the tax of a bill, within a minor unit.
create function found_rate(charged bigint, gross bigint, rates numeric[]) returns numeric language sql immutable parallel safe as $$
  select max(r.rate) from unnest(rates) r (rate) where charged > 0 and abs(charged - round((gross - charged) * r.rate / 100)) <= 1
$$;
grant execute on function found_rate(bigint, bigint, numeric[]) to kontor_confined;

-- The rate of a bill, or of the bill that a credit is for, if the document has none.
create function bill_rate(organization uuid, document uuid, rates numeric[]) returns numeric language sql stable parallel safe as $$
  select found_rate(x.charged_tax_minor, b.total_minor, rates)
  from documents d
  join expenses x on x.organization_id = d.organization_id and x.id = case when d.source_document_id is null then d.id else d.source_document_id end
  join documents b on b.organization_id = x.organization_id and b.id = x.id
  where d.organization_id = organization and d.id = document and d.tax_rate is null
$$;
grant execute on function bill_rate(uuid, uuid, numeric[]) to kontor_confined;

-- The base and the tax of documents by rate and category. The rate of a bill without one depends on the period of the report, because it is
-- found among the rates of that period: `charged_minor` and `gross_minor` are what it is found with. If that would divide the bill otherwise,
-- or if the bill is another document, as that of a credit is, the row is the whole (`is_divided`).
create function divided_taxes(lines result_line[]) returns table (organization_id uuid, document_id uuid, day date, direction text, rate numeric,
    category text, home_currency text, face_currency text, is_credit boolean, is_plain boolean, is_divided boolean, charged_minor bigint,
    gross_minor bigint, base_minor bigint, tax_minor bigint)
  language sql stable parallel safe as $$
  with booked as materialized (
    select l.organization_id, l.document_id, l.event, l.day, l.direction, l.home_currency, coalesce(min(nullif(l.face_currency, '')), '') as face,
      (case l.direction when 'OUTGOING' then -1 else 1 end * coalesce(sum(l.home_minor) filter (where l.account <> 'TAX'), 0))::bigint as base,
      (case l.direction when 'OUTGOING' then -1 else 1 end * coalesce(sum(l.home_minor) filter (where l.account = 'TAX'), 0))::bigint as tax
    from unnest(lines) l where l.account <> 'ROUNDING' group by 1, 2, 3, 4, 5, 6
  )
  select b.organization_id, b.document_id, b.day, b.direction, s.rate, s.category, b.home_currency, b.face, b.event = 'CREDITED',
    b.event in ('ISSUED', 'CREDITED') and s.parts = 1 and u.is_whole is not true, u.is_whole is not true, case when not u.is_whole then u.charged end,
    case when not u.is_whole then u.gross end, s.base_minor, s.tax_minor
  from booked b
  left join lateral (
    select x.charged_tax_minor as charged, d.total_minor as gross, g.groups > 1 or d.source_document_id is not null as is_whole
    from documents d join expenses x on x.organization_id = d.organization_id and x.id = case when d.source_document_id is null then d.id else d.source_document_id end
    cross join lateral (select count(distinct (l.tax_rate, tax_code(l.tax_category))) as groups, bool_or(l.tax_rate is null) as lacks_rate
      from document_lines l where l.organization_id = d.organization_id and l.document_id = d.id) g
    where d.organization_id = b.organization_id and d.id = b.document_id and d.tax_rate is null and g.lacks_rate
      and (x.charged_tax_minor > 0 or d.source_document_id is not null)) u on b.direction = 'INCOMING'
  cross join lateral (
    select t.*, count(*) over () as parts from tax_shares(b.organization_id, b.document_id, null, b.base, b.tax) t where u.is_whole is not true
    union all select null, null, b.base, b.tax, 1 where u.is_whole) s
$$;
grant execute on function divided_taxes(result_line[]) to kontor_confined;

-- Unlogged and without foreign keys, as the sums. Each row has the documents behind it, in the order of their ids, and their customers and
-- amounts in the same order; the counterparty of a final document does not change. Arrays of ids do not get smaller when they are compressed.
create unlogged table journal_results_by_day (
  organization_id uuid not null default current_organization(),
  day date not null,
  kind text not null,
  document_type text not null,
  account_id uuid,
  category_id uuid,
  home_currency text not null,
  face_currency text not null,
  is_plain boolean not null,
  net_minor bigint not null,
  tax_minor bigint not null,
  goods_minor bigint not null,
  rounding_minor bigint not null,
  document_ids uuid[] not null,
  counterparty_ids uuid[] not null,
  nets bigint[] not null,
  taxes bigint[] not null,
  goods bigint[] not null,
  roundings bigint[] not null
);
alter table journal_results_by_day alter document_ids set storage external, alter counterparty_ids set storage external;
create index on journal_results_by_day (organization_id, day);
select organization_table('journal_results_by_day');

create unlogged table journal_taxes_by_day (
  organization_id uuid not null default current_organization(),
  day date not null,
  direction text not null,
  rate numeric,
  category text,
  home_currency text not null,
  face_currency text not null,
  is_credit boolean not null,
  is_plain boolean not null,
  is_divided boolean not null,
  charged_minor bigint,
  gross_minor bigint,
  base_minor bigint not null,
  tax_minor bigint not null,
  document_ids uuid[] not null
);
alter table journal_taxes_by_day alter document_ids set storage external;
create index on journal_taxes_by_day (organization_id, day);
select organization_table('journal_taxes_by_day');

create function grouped_results(lines result_line[]) returns setof journal_results_by_day language sql stable parallel safe as $$
  select d.organization_id, d.day, d.kind, d.document_type, d.account_id, d.category_id, d.home_currency, d.face_currency, d.is_plain,
    sum(d.net_minor)::bigint, sum(d.tax_minor)::bigint, sum(d.goods_minor)::bigint, sum(d.rounding_minor)::bigint,
    array_agg(d.document_id order by d.document_id), array_agg(d.counterparty_id order by d.document_id), array_agg(d.net_minor order by d.document_id), array_agg(d.tax_minor order by d.document_id),
    array_agg(d.goods_minor order by d.document_id), array_agg(d.rounding_minor order by d.document_id)
  from divided_results(lines) d group by 1, 2, 3, 4, 5, 6, 7, 8, 9
$$;
grant execute on function grouped_results(result_line[]) to kontor_confined;

-- A document whose rate is found, or that is divided, by the report has a row of its own.
create function grouped_taxes(lines result_line[]) returns setof journal_taxes_by_day language sql stable parallel safe as $$
  select d.organization_id, d.day, d.direction, d.rate, d.category, d.home_currency, d.face_currency, d.is_credit, d.is_plain, d.is_divided,
    d.charged_minor, d.gross_minor, sum(d.base_minor)::bigint, sum(d.tax_minor)::bigint, array_agg(d.document_id order by d.document_id)
  from divided_taxes(lines) d
  group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, case when not d.is_divided or d.charged_minor is not null then d.document_id end
$$;
grant execute on function grouped_taxes(result_line[]) to kontor_confined;

-- Which days of a period are to be computed, and up to which day the others are stored.
create function journal_gaps(first_day date, last_day date, out upto date, out marked date[], out first_days date[], out last_days date[])
  language sql stable as $$
  with stored as materialized (
    select journal_stored_upto() as upto
  ), ranges as materialized (
    select r.first_day, r.last_day from day_ranges(array(select distinct m.day from journal_marks m
      where m.day between first_day and last_day and m.day > '-infinity' and m.day <= (select s.upto from stored s))) r
  ), missing as (
    select r.first_day, r.last_day from ranges r
    union all select greatest(first_day, s.upto + 1), last_day from stored s where s.upto < last_day
  )
  select s.upto, array(select r.first_day + n from ranges r cross join lateral generate_series(0, r.last_day - r.first_day) n),
    array(select m.first_day from missing m order by 1), array(select m.last_day from missing m order by 1)
  from stored s
$$;
grant execute on function journal_gaps(date, date) to kontor_confined;

-- In PL/pgSQL, as accrual_sums(): the journal is planned only if something has to be computed.
create function result_lines(first_days date[], last_days date[]) returns result_line[] language plpgsql stable as $$
begin
  if cardinality(first_days) = 0 then return '{}'; end if;
  return array(select row(p.organization_id, p.document_id, p.event, p.day, p.direction, p.account, p.account_id, p.subject, p.home_currency,
      face_currency(p.currency, p.home_currency, p.exchange_rate), p.home_minor)::result_line
    from unnest(first_days, last_days) r (first_day, last_day)
    cross join lateral placed_lines(r.first_day, '00000000-0000-0000-0000-000000000000', r.last_day, 'ffffffff-ffff-ffff-ffff-ffffffffffff') p
    where is_result_line(p.document_id, p.event, p.account));
end $$;
grant execute on function result_lines(date[], date[]) to kontor_confined;

-- What documents booked in a period, all of one moment: stored rows of days without a mark, and computed ones of the others.
create function results_by_day(first_day date, last_day date) returns setof journal_results_by_day language sql stable as $$
  with gaps as materialized (select * from journal_gaps(first_day, last_day))
  select s.* from journal_results_by_day s where s.day between first_day and last_day and s.day <= (select g.upto from gaps g)
    and s.day not in (select unnest(g.marked) from gaps g)
  union all
  select n.* from gaps g cross join lateral grouped_results(result_lines(g.first_days, g.last_days)) n where cardinality(g.first_days) > 0
$$;
grant execute on function results_by_day(date, date) to kontor_confined;

create function taxes_by_day(first_day date, last_day date) returns setof journal_taxes_by_day language sql stable as $$
  with gaps as materialized (select * from journal_gaps(first_day, last_day))
  select s.* from journal_taxes_by_day s where s.day between first_day and last_day and s.day <= (select g.upto from gaps g)
    and s.day not in (select unnest(g.marked) from gaps g)
  union all
  select n.* from gaps g cross join lateral grouped_taxes(result_lines(g.first_days, g.last_days)) n where cardinality(g.first_days) > 0
$$;
grant execute on function taxes_by_day(date, date) to kontor_confined;

create or replace function journal_version() returns text language sql stable as $$
  select md5(string_agg(p.prosrc, '' order by p.proname, p.oid) || (select coalesce(string_agg(k::text, '' order by k.kind), '') from all_ledger_kinds() k))
  from pg_proc p where p.pronamespace = 'public'::regnamespace and p.proname = any (array['journal_lines', 'journal_of_allocations', 'journal_of_closed',
    'journal_of_documents', 'journal_of_expenses', 'journal_of_payments', 'journal_of_stock', 'booked_lines', 'money_moved',
    'share_of', 'results_of', 'accrual_sums', 'cash_shares', 'cash_sums', 'store_journal_sums',
    'placed_lines', 'is_result_line', 'part_of', 'divided_results', 'grouped_results', 'tax_shares',
    'divided_taxes', 'grouped_taxes',
    'home_minor', 'convert_minor', 'unbilled_account', 'tax_code'])
$$;

create or replace function mark_organization() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'DELETE' then
    delete from journal_sums s where s.organization_id = old.id;
    delete from journal_results r where r.organization_id = old.id;
    delete from journal_results_by_day r where r.organization_id = old.id;
    delete from journal_taxes_by_day t where t.organization_id = old.id;
    delete from journal_sums_state s where s.organization_id = old.id;
    delete from journal_marks m where m.organization_id = old.id;
  else
    perform mark_days(new.id, '-infinity');
  end if;
  return null;
end $$;

-- As before, and with results and taxes by day: one statement removes marks and stores what they concern.
create or replace function store_journal_sums(events integer) returns text language plpgsql as $$
declare
  current_version text := journal_version();
  stored date;
  next_day date;
  first_days date[];
  last_days date[];
begin
  if current_organization() is null then return 'DONE'; end if;
  select s.upto into stored from journal_sums_state s where s.version = current_version;
  if stored = 'infinity' and not exists (select from journal_marks) then return 'DONE'; end if;
  if not pg_try_advisory_xact_lock(hashtextextended(current_organization()::text || ':journal sums', 0)) then return 'BUSY'; end if;
  delete from journal_marks m where m.day = '-infinity';
  if found or not exists (select from journal_sums_state s where s.version = current_version) then
    delete from journal_sums;
    delete from journal_results;
    delete from journal_results_by_day;
    delete from journal_taxes_by_day;
    insert into journal_sums_state (upto, version) values ('-infinity', current_version)
      on conflict (organization_id) do update set upto = excluded.upto, version = excluded.version;
  end if;
  select s.upto into stored from journal_sums_state s;
  if stored < 'infinity' then
    select coalesce(max(p.day), 'infinity') into next_day
      from journal_part(stored + 1, '00000000-0000-0000-0000-000000000000', 'infinity', events) p;
  end if;
  with marked as (
    delete from journal_marks m where m.day in (select distinct n.day from journal_marks n where n.day > '-infinity' order by n.day limit 100)
    returning m.day
  ), ranges as materialized (
    select r.first_day, r.last_day from day_ranges(array(select distinct m.day from marked m where m.day <= stored)) r
    union all select stored + 1, next_day where stored < 'infinity'
  ), placed as materialized (
    select p.*, face_currency(p.currency, p.home_currency, p.exchange_rate) as face_currency from ranges r
    cross join lateral placed_lines(r.first_day, '00000000-0000-0000-0000-000000000000', r.last_day, 'ffffffff-ffff-ffff-ffff-ffffffffffff') p
  ), booked as materialized ( -- as booked_lines()
    select p.day, p.event, p.event_id, p.document_id, p.payment_id, p.line, p.account_id, p.currency, p.home_currency, p.face_currency,
      p.exchange_rate, sum(p.home_minor)::bigint as home_minor
    from placed p group by 1, 2, 3, 4, 5, p.entry_id, 6, 7, 8, 9, 10, 11
  ), lines as materialized (
    select array(select row(p.organization_id, p.document_id, p.event, p.day, p.direction, p.account, p.account_id, p.subject, p.home_currency,
      p.face_currency, p.home_minor)::result_line from placed p where is_result_line(p.document_id, p.event, p.account)) as lines
  ), old_sums as (
    delete from journal_sums s using ranges r where s.day between r.first_day and r.last_day
  ), old_results as (
    delete from journal_results s using ranges r where s.day between r.first_day and r.last_day
  ), old_results_by_day as (
    delete from journal_results_by_day s using ranges r where s.day between r.first_day and r.last_day
  ), old_taxes_by_day as (
    delete from journal_taxes_by_day s using ranges r where s.day between r.first_day and r.last_day
  ), kept as (
    update journal_sums_state set upto = next_day where stored < 'infinity'
  ), results as (
    insert into journal_results (document_id, day, account_id, home_currency, face_currency, home_minor)
      select b.document_id, b.day, b.account_id, b.home_currency, b.face_currency, sum(b.home_minor)
      from booked b join accounts a on a.id = b.account_id and a.type in ('INCOME', 'EXPENSE') where b.event in ('ISSUED', 'CREDITED')
      group by 1, 2, 3, 4, 5
  ), results_by_day as (
    insert into journal_results_by_day select d.* from lines l cross join lateral grouped_results(l.lines) d
  ), taxes_by_day as (
    insert into journal_taxes_by_day select d.* from lines l cross join lateral grouped_taxes(l.lines) d
  ), sums as (
    insert into journal_sums (day, basis, account_id, home_currency, face_currency, debit_minor, credit_minor, lines)
      select b.day, v.basis, b.account_id, b.home_currency, b.face_currency,
        sum(greatest(b.home_minor, 0)), sum(greatest(-b.home_minor, 0)), count(*)
      from booked b left join accounts a on a.id = b.account_id cross join (values ('ACCRUAL'), ('CASH')) v (basis)
      where v.basis = 'ACCRUAL' or b.event not in ('ISSUED', 'CREDITED', 'CANCELLED', 'CONVERTED') and a.type in ('INCOME', 'EXPENSE')
      group by 1, 2, 3, 4, 5
  )
  select array(select r.first_day from ranges r order by 1), array(select r.last_day from ranges r order by 1) into first_days, last_days;
  -- after the results of documents, which it reads; changes since then have left marks
  insert into journal_sums (day, basis, account_id, home_currency, face_currency, debit_minor, credit_minor, lines)
    select s.day, 'CASH', s.account_id, s.home_currency, s.face_currency, sum(greatest(s.home_minor, 0)), sum(greatest(-s.home_minor, 0)), count(*)
    from cash_shares(first_days, last_days) s group by 1, 3, 4, 5;
  -- the few days that are marked meanwhile are computed by the report
  return case when next_day < 'infinity' or (select count(distinct m.day) from journal_marks m) > 20 then 'MORE' else 'DONE' end;
end $$;
