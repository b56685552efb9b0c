-- Books the parts of payments and documents that an allocation uses, with differences of rates.

-- An amount in the home currency. Without a rate it counts at face value.
create or replace function home_minor(amount numeric, currency text, home text, rate numeric) returns bigint
  language sql immutable parallel safe as $$
  select (case when currency = home then amount else convert_minor(amount, currency, home, 1, coalesce(rate, 1)) end)::bigint
$$;
grant execute on function home_minor(numeric, text, text, numeric) to kontor_across, kontor_confined;

-- The value of a part of a payment in the home currency. The last part takes what rounding left of the whole.
create or replace function part_of_payment(whole payments, part bigint) returns bigint
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  used numeric;
  used_home numeric;
begin
  select coalesce(sum(u.minor), 0), coalesce(sum(u.home), 0) into used, used_home from (
    select a.amount_minor as minor, coalesce(a.payment_home_minor, a.amount_minor) as home from allocations a
      where a.organization_id = whole.organization_id and a.payment_id = whole.id and a.voided_at is null and not a.is_advance
    union all
    select r.amount_minor, coalesce(r.refund_home_minor, r.amount_minor) from payments r
      where r.organization_id = whole.organization_id and r.refund_of = whole.id and r.voided_at is null) u;
  if used + part = whole.amount_minor then
    return home_minor(whole.amount_minor, whole.currency, whole.rate_currency, whole.exchange_rate) - used_home;
  end if;
  return home_minor(part, whole.currency, whole.rate_currency, whole.exchange_rate);
end $$;

-- The value of a part of a document in the home currency, in the same way.
create or replace function part_of_document(whole documents, part bigint, home text) returns bigint
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  used numeric;
  used_home numeric;
begin
  select coalesce(sum(a.amount_minor), 0), coalesce(sum(coalesce(a.document_home_minor, a.amount_minor)), 0) into used, used_home
    from allocations a where a.organization_id = whole.organization_id and a.document_id = whole.id and a.voided_at is null;
  if used + part = whole.total_minor then
    return home_minor(whole.total_minor, whole.currency, home, whole.exchange_rate) - used_home;
  end if;
  return home_minor(part, whole.currency, home, whole.exchange_rate);
end $$;

-- The day on which an allocation is booked: when both payment and document exist. An allocation that was made later than its
-- payment is booked on its own day.
create or replace function booked_day(paid_on date, issued_on date, paid timestamptz, allocated timestamptz, zone text) returns date
  language sql stable parallel safe as $$
  select greatest(paid_on, issued_on, case when allocated <> paid then (allocated at time zone zone)::date end)
$$;

-- Writes the values of the parts that an allocation uses, and marks an advance, which uses nothing of the payment.
create or replace function book_allocation() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  paying payments;
  owed documents;
begin
  select * into paying from payments p where p.organization_id = new.organization_id and p.id = new.payment_id;
  if paying.rate_currency is not null then -- the amounts depend on earlier allocations, so two at the same time wait for each other
    perform from documents d where d.organization_id = new.organization_id and d.id = new.document_id for no key update;
    select * into paying from payments p where p.organization_id = new.organization_id and p.id = new.payment_id for no key update;
  end if;
  select * into owed from documents d where d.organization_id = new.organization_id and d.id = new.document_id;
  select booked_day(paying.paid_at, owed.issue_date, paying.created_at, now(), o.timezone) into new.booked_on
    from organizations o where o.id = new.organization_id;
  new.is_advance := paying.source <> 'CREDIT_MEMO' and (owed.kind, owed.document_type) = ('SALES', 'RECEIPT') and coalesce(
    (select c.registered from issued_copies c where c.organization_id = owed.organization_id and c.document_id = owed.id), false);
  if paying.rate_currency is null then return new; end if;
  if paying.source = 'CREDIT_MEMO' and paying.exchange_rate is null and owed.rate_currency = paying.rate_currency then
    -- the credit is used before its memo is written
    paying.exchange_rate := owed.exchange_rate;
    update payments p set exchange_rate = owed.exchange_rate, rate_date = owed.rate_date
      where p.organization_id = new.organization_id and p.id = new.payment_id;
  end if;
  if new.is_advance then
    new.document_home_minor := part_of_document(owed, new.amount_minor, paying.rate_currency);
    return new;
  end if;
  new.payment_home_minor := part_of_payment(paying, new.amount_minor);
  -- a document that was issued in another home currency is settled at the rate of the payment
  new.document_home_minor := case when owed.rate_currency <> paying.rate_currency then new.payment_home_minor
    else part_of_document(owed, new.amount_minor, paying.rate_currency) end;
  return new;
end $$;

-- Settles a document that was paid before it became final at the rate that it gets then.
create or replace function book_allocations_when_final() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  paid record;
  used bigint := 0;
  used_home bigint := 0;
  home bigint;
begin
  for paid in select a.id, a.amount_minor, a.payment_home_minor, p.rate_currency,
      booked_day(p.paid_at, new.issue_date, p.created_at, a.created_at, o.timezone) as day
    from allocations a join payments p on p.organization_id = a.organization_id and p.id = a.payment_id
    join organizations o on o.id = a.organization_id
    where a.organization_id = new.organization_id and a.document_id = new.id and a.voided_at is null order by a.created_at, a.id
  loop
    home := case when paid.rate_currency is null then null
      when new.rate_currency <> paid.rate_currency then paid.payment_home_minor
      when used + paid.amount_minor = new.total_minor
        then home_minor(new.total_minor, new.currency, paid.rate_currency, new.exchange_rate) - used_home
      else home_minor(paid.amount_minor, new.currency, paid.rate_currency, new.exchange_rate) end;
    used := used + paid.amount_minor;
    used_home := used_home + coalesce(home, paid.amount_minor);
    update allocations a set booked_on = paid.day, document_home_minor = home where a.organization_id = new.organization_id and a.id = paid.id;
  end loop;
  return null;
end $$;

create or replace trigger book_allocation before insert on allocations for each row execute function book_allocation();
create or replace trigger book_allocations_when_final after update on documents
  for each row when (old.issued_at is null and new.issued_at is not null and new.paid_minor > 0) execute function book_allocations_when_final();
