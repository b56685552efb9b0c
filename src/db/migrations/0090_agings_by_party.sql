-- An aging copied every open document three times before it added them up: 25,000 of them took 150 ms. It now adds them up as it reads them,
-- bucket by bucket, and reads single documents only for the ids that it names.

-- Documents of which nothing is paid, credited or closed, in the order of their due dates, with everything that an aging needs of them, and by
-- party. The due date is written with case, because PostgreSQL uses no index on coalesce() under row security.
drop index untouched_receivables, open_expenses;
create index untouched_documents on documents (organization_id, kind, (case when due_date is null then issue_date else due_date end), id)
  include (counterparty_id, issue_date, due_date, total_minor, in_dispute, currency, rate_currency, exchange_rate)
  where issued_at is not null and payment_id is null and total_minor > 0 and paid_minor + credited_minor = 0 and cancelled_at is null
    and (kind = 'EXPENSE' or kind = 'SALES' and direction = 'OUTGOING' and status in ('UNSENT', 'SENT') and document_type <> 'RECEIPT' and converted_to_id is null);
create index untouched_documents_by_party on documents (organization_id, kind, counterparty_id)
  where issued_at is not null and payment_id is null and total_minor > 0 and paid_minor + credited_minor = 0 and cancelled_at is null
    and (kind = 'EXPENSE' or kind = 'SALES' and direction = 'OUTGOING' and status in ('UNSENT', 'SENT') and document_type <> 'RECEIPT' and converted_to_id is null);

-- Without this, PostgreSQL expects one document in two hundred to be unpaid.
create statistics settled_documents on (paid_minor + credited_minor) from documents;

-- Expenses that are paid before they are approved: what was paid is an advance until then.
create index paid_unapproved_expenses on documents (organization_id, id)
  where kind = 'EXPENSE' and status in ('DRAFT', 'PENDING_REVIEW', 'REJECTED') and paid_minor > 0;

-- The usual currencies come first, because every conversion asks for two of them.
create or replace function minor_units(currency text) returns numeric language sql immutable parallel safe as $$
  select case
    when currency in ('EUR', 'GBP', 'ILS', 'SGD', 'USD') then 100::numeric
    when currency in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'UYI', 'VND', 'VUV',
                      'XAF', 'XOF', 'XPF', 'XAG', 'XAU', 'XBA', 'XBB', 'XBC', 'XBD', 'XDR', 'XPD', 'XPT', 'XSU', 'XUA')
      then 1
    when currency in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND') then 1000
    when currency in ('CLF', 'UYW') then 10000
    else 100
  end
$$;

-- Documents whose balance on a day is not their total, or may not be: partly settled, or changed after that day.
create function changed_documents(of_kind text, as_of date) returns table (organization_id uuid, document_id uuid)
  language sql stable parallel safe as $$
  select c.organization_id, c.document_id from changed_allocations(as_of) c
  union
  select d.organization_id, d.id from documents d where d.cancelled_at >= (as_of - 2)::timestamptz
  union
  select i.organization_id, i.source_document_id from documents i
  where i.kind = 'SALES' and i.issue_date > as_of and i.source_document_id is not null
  union
  select d.organization_id, d.id from documents d where d.kind = of_kind and d.issued_at is not null and d.payment_id is null
    and d.paid_minor + d.credited_minor > 0 and d.total_minor > d.paid_minor + d.credited_minor
$$;
grant execute on function changed_documents(text, date) to kontor_confined, kontor_across;

-- Documents of an organization of which nothing is paid, credited or closed now. Those of changed_documents() have to be left out. The conversion
-- is that of home_minor(), written out because calling it takes longer than reading the row.
create function untouched_balances(organization uuid, home text, of_kind text, as_of date)
returns table (organization_id uuid, document_id uuid, counterparty_id uuid, document_type text, due date, currency text, in_dispute boolean,
  minor bigint, home_minor bigint, home_currency text, rate_known boolean) language sql stable parallel safe as $$
  select d.organization_id, d.id, d.counterparty_id, d.document_type, case when d.due_date is null then d.issue_date else d.due_date end,
    d.currency, d.in_dispute, d.total_minor,
    case when d.currency = coalesce(d.rate_currency, home) then d.total_minor
      when minor_units(d.currency) = minor_units(coalesce(d.rate_currency, home)) 
        then case when d.exchange_rate is null then d.total_minor else round(d.total_minor * d.exchange_rate)::bigint end
      else div(2 * d.total_minor * (coalesce(d.exchange_rate, 1) * minor_units(coalesce(d.rate_currency, home))) + minor_units(d.currency),
        2 * minor_units(d.currency))::bigint end,
    coalesce(d.rate_currency, home), d.exchange_rate is not null or d.currency = coalesce(d.rate_currency, home)
  from documents d
  where d.organization_id = organization and d.kind = of_kind and d.issue_date <= as_of
    and d.issued_at is not null and d.payment_id is null and d.total_minor > 0 and d.paid_minor + d.credited_minor = 0 and d.cancelled_at is null
    and (d.kind = 'EXPENSE' or d.kind = 'SALES' and d.direction = 'OUTGOING' and d.status in ('UNSENT', 'SENT') and d.document_type <> 'RECEIPT'
      and d.converted_to_id is null)
$$;
grant execute on function untouched_balances(uuid, text, text, date) to kontor_confined, kontor_across;

-- What was owed of the documents of changed_documents() at the end of the day.
create function changed_balances(of_kind text, as_of date)
returns table (organization_id uuid, document_id uuid, counterparty_id uuid, document_type text, due date, currency text, in_dispute boolean,
  minor bigint, home_minor bigint, home_currency text, rate_known boolean) language sql stable parallel safe as $$
  select d.organization_id, d.id, d.counterparty_id, d.document_type, coalesce(d.due_date, d.issue_date), d.currency, d.in_dispute,
    sum(p.minor)::bigint, sum(p.home)::bigint, p.home_currency, bool_and(p.rate_known)
  from changed_documents(of_kind, as_of) c
  -- with offset 0 each document is looked up by its id, whatever number of them PostgreSQL expects
  cross join lateral (select * from documents d where d.organization_id = c.organization_id and d.id = c.document_id offset 0) d
  join organizations o on o.id = d.organization_id
  cross join lateral (select coalesce(d.rate_currency, o.currency) as home) h
  left join lateral (select i.issue_date from documents i where i.organization_id = d.organization_id and i.id = d.converted_to_id offset 0) i on true
  cross join lateral (
    select d.total_minor as minor, home_minor(d.total_minor, d.currency, h.home, d.exchange_rate) as home, h.home as home_currency,
      d.exchange_rate is not null or d.currency = h.home as rate_known
    union all
    select -a.amount_minor, -coalesce(a.document_home_minor, a.amount_minor), coalesce(m.rate_currency, m.currency), true
    from allocations a join payments m on m.organization_id = a.organization_id and m.id = a.payment_id
    where a.organization_id = d.organization_id and a.document_id = d.id and a.booked_on <= as_of
      and (a.voided_at is null or greatest(a.booked_on, voided_day(a.voided_at, m.voided_at, m.voided_on, o.timezone)) > as_of)
    union all
    select coalesce(sum(a.amount_minor), 0) - d.total_minor,
      coalesce(sum(coalesce(a.document_home_minor, a.amount_minor)), 0) - home_minor(d.total_minor, d.currency, h.home, d.exchange_rate), h.home, true
    from allocations a where a.organization_id = d.organization_id and a.document_id = d.id and a.voided_at is null
    having (d.cancelled_at at time zone o.timezone)::date <= as_of or i.issue_date <= as_of
  ) p
  where d.kind = of_kind and d.issued_at is not null and d.payment_id is null and d.issue_date <= as_of and d.document_type <> 'RECEIPT'
  group by d.organization_id, d.id, d.counterparty_id, d.document_type, d.due_date, d.issue_date, d.currency, d.in_dispute, p.home_currency
  having sum(p.minor) <> 0 or sum(p.home) <> 0
$$;
grant execute on function changed_balances(text, date) to kontor_confined, kontor_across;

-- What was owed of each document of a kind at the end of a day: all of them, for statements and checks.
create or replace function open_balances(of_kind text, as_of date)
returns table (organization_id uuid, document_id uuid, counterparty_id uuid, document_type text, due date, currency text, in_dispute boolean,
  minor bigint, home_minor bigint, home_currency text, rate_known boolean) language sql stable parallel safe as $$
  select u.* from organizations o cross join lateral untouched_balances(o.id, o.currency, of_kind, as_of) u
  where u.document_id not in (select c.document_id from changed_documents(of_kind, as_of) c)
  union all
  select c.* from changed_balances(of_kind, as_of) c
$$;

-- The buckets of an aging by due date: 0 is not due yet, 4 is more than 90 days late.
create function aging_buckets(as_of date) returns table (bucket integer, first_due date, last_due date) language sql immutable parallel safe as $$
  values (0, as_of, 'infinity'::date), (1, as_of - 30, as_of - 1), (2, as_of - 60, as_of - 31), (3, as_of - 90, as_of - 61),
    (4, '-infinity'::date, as_of - 91)
$$;
grant execute on function aging_buckets(date) to kontor_confined;

-- The untouched documents of each party and bucket, added up. The earlier home is a currency that was the main one before, if it is not that of today;
-- the face currency is one whose rate is not known, so that amounts count at face value.
-- Documents without a counterparty are not in these sums: see aged_others(). These functions are written in PL/pgSQL so that planning, which takes longer
-- than reading a few documents, is done once for each connection. Without sorts the sums are kept in a hash table, however few PostgreSQL expects.
create function aged_sums(of_kind text, as_of date)
returns table (party uuid, bucket integer, earlier_home text, face_currency text, home_minor bigint, disputed bigint, documents bigint)
  language plpgsql stable rows 5000 set plan_cache_mode = force_generic_plan set enable_sort = off as $$
declare
  organization constant uuid := current_organization();
  home constant text := (select o.currency from organizations o where o.id = organization);
begin
  return query
    with changed as materialized (select c.document_id from changed_documents(of_kind, as_of) c)
    select s.counterparty_id, b.bucket, s.earlier_home, s.face_currency, s.home_minor, s.disputed, s.documents
    from aging_buckets(as_of) b
    cross join lateral (
      select u.counterparty_id, nullif(u.home_currency, home) as earlier_home, case when not u.rate_known then u.currency end as face_currency, sum(u.home_minor)::bigint as home_minor,
        sum(u.home_minor) filter (where u.in_dispute)::bigint as disputed, count(*) as documents
      from untouched_balances(organization, home, of_kind, as_of) u
      where u.due between b.first_due and b.last_due and u.document_id not in (select c.document_id from changed c)
        and u.counterparty_id is not null
      group by 1, 2, 3) s;
end $$;
grant execute on function aged_sums(text, date) to kontor_confined;

-- The first of these documents of each bucket by due date, of all parties, in one home currency.
create function first_aged(of_kind text, as_of date, home text, most integer)
returns table (bucket integer, due date, document_id uuid) language plpgsql stable rows 500 set plan_cache_mode = force_generic_plan as $$
declare
  organization constant uuid := current_organization();
begin
  return query
    with changed as materialized (select c.document_id from changed_documents(of_kind, as_of) c)
    select b.bucket, f.due, f.document_id
    from aging_buckets(as_of) b
    cross join lateral (select u.due, u.document_id from untouched_balances(organization, home, of_kind, as_of) u
      where u.due between b.first_due and b.last_due and u.document_id not in (select c.document_id from changed c)
        and u.counterparty_id is not null and u.home_currency = home
      order by u.due, u.document_id limit most) f;
end $$;
grant execute on function first_aged(text, date, text, integer) to kontor_confined;

-- Those of some parties, in one home currency.
create function aged_of_parties(of_kind text, as_of date, home text, parties uuid[])
returns table (party uuid, bucket integer, due date, document_id uuid) language plpgsql stable rows 2500 set plan_cache_mode = force_generic_plan as $$
declare
  organization constant uuid := current_organization();
begin
  return query
    with changed as materialized (select c.document_id from changed_documents(of_kind, as_of) c)
    select p.party, bucket_of(u.due, as_of), u.due, u.document_id
    from unnest(parties) p (party)
    cross join lateral (select u.due, u.document_id from untouched_balances(organization, home, of_kind, as_of) u
      where u.counterparty_id = p.party and u.document_id not in (select c.document_id from changed c) and u.home_currency = home offset 0) u;
end $$;
grant execute on function aged_of_parties(text, date, text, uuid[]) to kontor_confined;

-- What else is in an aging, one by one: changed documents, those without a counterparty, open credits (bucket 5), and what people entered in the journal.
create function aged_others(of_kind text, as_of date)
returns table (party uuid, vendor text, entries text, bucket integer, due date, home_currency text, home_minor bigint, in_dispute boolean, document_id uuid,
  payment_id uuid, entry_id uuid, currency text, rate_known boolean) language plpgsql stable set plan_cache_mode = force_generic_plan as $$
declare
  nobody constant uuid := '00000000-0000-0000-0000-000000000000';
begin
  return query
    select coalesce(b.counterparty_id, md5(x.vendor)::uuid, nobody), x.vendor, null::text, bucket_of(b.due, as_of), b.due, b.home_currency, b.home_minor,
      b.in_dispute, b.document_id, null::uuid, null::uuid, b.currency, b.rate_known
    from (select * from changed_balances(of_kind, as_of)
      union all
      select u.* from organizations o cross join lateral untouched_balances(o.id, o.currency, of_kind, as_of) u
      where u.counterparty_id is null and u.document_id not in (select c.document_id from changed_documents(of_kind, as_of) c)) b
    left join lateral (select x.vendor from expenses x where of_kind = 'EXPENSE' and b.counterparty_id is null and x.organization_id = b.organization_id
      and x.id = b.document_id offset 0) x on true;
  return query
    select coalesce(c.counterparty_id, nobody), null::text, null::text, 5, null::date, c.home_currency, c.home_minor, false, c.memo_id, c.payment_id,
      null::uuid, c.currency, c.rate_known
    from open_credits(of_kind, as_of) c;
  return query
    select case e.kind when 'OPENING' then '00000000-0000-0000-0000-000000000001'::uuid else '00000000-0000-0000-0000-000000000002' end, null::text, e.kind,
      case when e.purpose in ('CUSTOMER_CREDITS', 'SUPPLIER_ADVANCES') then 5 else bucket_of(e.day, as_of) end,
      e.day, e.home_currency, case when e.purpose in ('RECEIVABLES', 'SUPPLIER_ADVANCES') then e.home_minor else -e.home_minor end, false, null::uuid, null::uuid,
      e.entry_id, e.home_currency, true
    from entry_balances(case of_kind when 'SALES' then array['RECEIVABLES', 'CUSTOMER_CREDITS'] else array['PAYABLES', 'SUPPLIER_ADVANCES'] end, as_of) e;
end $$;
grant execute on function aged_others(text, date) to kontor_confined;

drop function aged_items(text, date);
