-- Sums open balances by party and age.

-- The bucket of an aging for a due date: 0 is not due, 4 is more than 90 days late.
create or replace function bucket_of(due date, as_of date) returns integer language sql immutable parallel safe as $$
  select case when due >= as_of then 0 when due >= as_of - 30 then 1 when due >= as_of - 60 then 2 when due >= as_of - 90 then 3 else 4 end
$$;
grant execute on function bucket_of(date, date) to kontor_confined;

-- The ranges of due dates of the buckets of an aging: 0 is not due, 4 is more than 90 days late.
create or replace function aging_buckets(as_of date) returns table(bucket integer, first_due date, last_due date)
  language sql immutable parallel safe as $$
  values (0, as_of, 'infinity'::date), (1, as_of - 30, as_of - 1), (2, as_of - 60, as_of - 31), (3, as_of - 90, as_of - 61),
    (4, '-infinity'::date, as_of - 91)
$$;
grant execute on function aging_buckets(date) to kontor_confined;

-- The sums of unchanged documents by party and bucket. The earlier home is a currency that was the main currency before, if it is
-- not the present one; the face currency is one without a known rate, whose amounts count at face value. Documents without a
-- counterparty are not included: see aged_others(). These functions are in PL/pgSQL so that planning, which takes longer than
-- reading a few documents, is done once per connection. Sorting is switched off so that the sums are kept in a hash table even if
-- PostgreSQL expects only a few.
create or replace function aged_sums(of_kind text, as_of date)
  returns table(party uuid, bucket integer, earlier_home text, face_currency text, home_minor bigint, disputed bigint, documents bigint)
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

-- The first documents of each bucket by due date, of all parties, in one home currency.
create or replace function first_aged(of_kind text, as_of date, home text, most integer)
  returns table(bucket integer, due date, document_id uuid)
  language plpgsql stable rows 500 set plan_cache_mode = force_generic_plan as $$
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

-- The unchanged documents of some parties, in one home currency.
create or replace function aged_of_parties(of_kind text, as_of date, home text, parties uuid[])
  returns table(party uuid, bucket integer, due date, document_id uuid)
  language plpgsql stable rows 2500 set plan_cache_mode = force_generic_plan as $$
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

-- Everything else in an aging, one row each: changed documents, documents without a counterparty, open credits (bucket 5), and
-- manual entries of the journal.
create or replace function aged_others(of_kind text, as_of date)
  returns table(party uuid, vendor text, entries text, bucket integer, due date, home_currency text, home_minor bigint, in_dispute boolean, document_id uuid, payment_id uuid, entry_id uuid, currency text, rate_known boolean)
  language plpgsql stable set plan_cache_mode = force_generic_plan as $$
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
