-- The income, expenses and tax that documents booked, by day, for statements on accrual or cash basis.

-- The share of a part in an amount, rounded after the earlier shares (`upto` includes the part). If the whole is zero, the first
-- part takes all.
create or replace function part_of(amount numeric, part numeric, upto numeric, whole numeric, is_first boolean) returns bigint
  language sql immutable parallel safe as $$
  select (case when coalesce(whole, 0) = 0 then case when is_first is not false then amount else 0 end
    else round(amount * upto / whole) - round(amount * (upto - part) / whole) end)::bigint
$$;
grant execute on function part_of(numeric, numeric, numeric, numeric, boolean) to kontor_confined;

-- The amounts of documents by account and category. If a document books to several of them, each takes its share of tax, goods and
-- rounding in proportion, rounded after the earlier shares, so that the parts add up to the document. Income and expenses are
-- positive. `is_plain`: the document was issued with this part and has no other, so it is in no other plain row.
create or replace function divided_results(lines result_line[])
  returns table(organization_id uuid, document_id uuid, day date, kind text, document_type text, account_id uuid, category_id uuid, home_currency text, face_currency text, is_plain boolean, counterparty_id uuid, net_minor bigint, tax_minor bigint, goods_minor bigint, rounding_minor bigint)
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

-- An amount before tax and its tax by the rates and categories of the document's lines, in proportion to their net amounts and
-- their tax. Lines without a rate have the rate of the document, or else the rate that was found for it.
create or replace function tax_shares(organization uuid, document uuid, found numeric, base bigint, tax bigint)
  returns table(rate numeric, category text, base_minor bigint, tax_minor bigint)
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
create or replace function found_rate(charged bigint, gross bigint, rates numeric[]) returns numeric
  language sql immutable parallel safe as $$
  select max(r.rate) from unnest(rates) r (rate) where charged > 0 and abs(charged - round((gross - charged) * r.rate / 100)) <= 1
$$;
grant execute on function found_rate(bigint, bigint, numeric[]) to kontor_confined;

-- The rate of a bill, or of the bill that a credit is for, if the document has none.
create or replace function bill_rate(organization uuid, document uuid, rates numeric[]) returns numeric
  language sql stable parallel safe as $$
  select found_rate(x.charged_tax_minor, b.total_minor, rates)
  from documents d
  join expenses x on x.organization_id = d.organization_id and x.id = case when d.source_document_id is null then d.id else d.source_document_id end
  join documents b on b.organization_id = x.organization_id and b.id = x.id
  where d.organization_id = organization and d.id = document and d.tax_rate is null
$$;
grant execute on function bill_rate(uuid, uuid, numeric[]) to kontor_confined;

-- The base and the tax of documents by rate and category. The rate of a bill without one is found among the rates of the report's
-- period, with `charged_minor` and `gross_minor`. If that would divide the bill in another way, or if the bill is another document,
-- as for a credit, the row is the whole (`is_divided`).
create or replace function divided_taxes(lines result_line[])
  returns table(organization_id uuid, document_id uuid, day date, direction text, rate numeric, category text, home_currency text, face_currency text, is_credit boolean, is_plain boolean, is_divided boolean, charged_minor bigint, gross_minor bigint, base_minor bigint, tax_minor bigint)
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

create or replace function grouped_results(lines result_line[]) returns setof journal_results_by_day language sql stable parallel safe as $$
  select d.organization_id, d.day, d.kind, d.document_type, d.account_id, d.category_id, d.home_currency, d.face_currency, d.is_plain,
    sum(d.net_minor)::bigint, sum(d.tax_minor)::bigint, sum(d.goods_minor)::bigint, sum(d.rounding_minor)::bigint,
    array_agg(d.document_id order by d.document_id), array_agg(d.counterparty_id order by d.document_id), array_agg(d.net_minor order by d.document_id), array_agg(d.tax_minor order by d.document_id),
    array_agg(d.goods_minor order by d.document_id), array_agg(d.rounding_minor order by d.document_id)
  from divided_results(lines) d group by 1, 2, 3, 4, 5, 6, 7, 8, 9
$$;
grant execute on function grouped_results(result_line[]) to kontor_confined;

-- The base and tax by day. A document whose rate is found, or that is divided, by the report has a row of its own.
create or replace function grouped_taxes(lines result_line[]) returns setof journal_taxes_by_day language sql stable parallel safe as $$
  select d.organization_id, d.day, d.direction, d.rate, d.category, d.home_currency, d.face_currency, d.is_credit, d.is_plain, d.is_divided,
    d.charged_minor, d.gross_minor, sum(d.base_minor)::bigint, sum(d.tax_minor)::bigint, array_agg(d.document_id order by d.document_id)
  from divided_taxes(lines) d
  group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, case when not d.is_divided or d.charged_minor is not null then d.document_id end
$$;
grant execute on function grouped_taxes(result_line[]) to kontor_confined;

-- The lines of documents on these days. In PL/pgSQL like accrual_sums(), so that the journal is planned only if something has to be
-- computed.
create or replace function result_lines(first_days date[], last_days date[]) returns result_line[] language plpgsql stable as $$
begin
  if cardinality(first_days) = 0 then return '{}'; end if;
  return array(select row(p.organization_id, p.document_id, p.event, p.day, p.direction, p.account, p.account_id, p.subject, p.home_currency,
      face_currency(p.currency, p.home_currency, p.exchange_rate), p.home_minor)::result_line
    from unnest(first_days, last_days) r (first_day, last_day)
    cross join lateral placed_lines(r.first_day, '00000000-0000-0000-0000-000000000000', r.last_day, 'ffffffff-ffff-ffff-ffff-ffffffffffff') p
    where is_result_line(p.document_id, p.event, p.account));
end $$;
grant execute on function result_lines(date[], date[]) to kontor_confined;

-- What documents booked in a period, read at one moment: stored rows of days without a mark, and computed ones of the others.
create or replace function results_by_day(first_day date, last_day date) returns setof journal_results_by_day language sql stable as $$
  with gaps as materialized (select * from journal_gaps(first_day, last_day))
  select s.* from journal_results_by_day s where s.day between first_day and last_day and s.day <= (select g.upto from gaps g)
    and s.day not in (select unnest(g.marked) from gaps g)
  union all
  select n.* from gaps g cross join lateral grouped_results(result_lines(g.first_days, g.last_days)) n where cardinality(g.first_days) > 0
$$;
grant execute on function results_by_day(date, date) to kontor_confined;

create or replace function taxes_by_day(first_day date, last_day date) returns setof journal_taxes_by_day language sql stable as $$
  with gaps as materialized (select * from journal_gaps(first_day, last_day))
  select s.* from journal_taxes_by_day s where s.day between first_day and last_day and s.day <= (select g.upto from gaps g)
    and s.day not in (select unnest(g.marked) from gaps g)
  union all
  select n.* from gaps g cross join lateral grouped_taxes(result_lines(g.first_days, g.last_days)) n where cardinality(g.first_days) > 0
$$;
grant execute on function taxes_by_day(date, date) to kontor_confined;
