-- Exchange rates of the Bank of Israel and of the Monetary Authority of Singapore, rates that users give, and the rate to the
-- currency of the country (docs/decisions/0042-exchange-rates-of-documents.md).

-- ECB and BUNDLED rows say what one unit of the base is worth in the currency. BOI and MAS publish the price of one unit of
-- the currency in their own, the base, and their rows say that: the reciprocal would not be exact.
alter table exchange_rates drop constraint exchange_rates_source_check;
alter table exchange_rates add constraint exchange_rates_source_check check (source in ('ECB', 'BOI', 'MAS', 'BUNDLED'));

-- The currency of a country, and the source that its law or its authority names; null means the European Central Bank.
-- countries/<country>.ts says the same, and a test compares them.
create function country_currency(country text) returns text language sql immutable parallel safe as $$
  select case country when 'IL' then 'ILS' when 'SG' then 'SGD' when 'US' then 'USD' end
$$;
create function rate_source(country text) returns text language sql immutable parallel safe as $$
  select case country when 'IL' then 'BOI' when 'SG' then 'MAS' end
$$;
grant execute on function country_currency(text), rate_source(text) to kontor_confined, kontor_across;

-- The two rates whose ratio converts a currency on a day, both of one source and day: of the source of the country, else of
-- the European Central Bank, each valid for its day and the ten after it, else of the bundled table, valid for 400 days. No
-- row: no rate is known. Plain SQL, so that PostgreSQL inlines it. rate-table.ts has the same rule, and a test compares them.
create function rate_on(from_currency text, to_currency text, day date, country text)
  returns table (from_rate numeric, to_rate numeric, rate_date date, source text, base text)
  language sql stable parallel safe rows 1 as $$
  select found.from_rate, found.to_rate, found.rate_date, found.source, found.base from (
    select 0 as turn, 1.0 as from_rate, 1.0 as to_rate, day as rate_date, 'SAME' as source, from_currency as base
    where from_currency = to_currency
    union all
    (select 1, t.rate, f.rate, f.date, f.source, f.base
     from exchange_rates f
     join exchange_rates t on t.source = f.source and t.currency = to_currency and t.date = f.date and t.base = f.base
     where f.source = rate_source(country) and f.currency = from_currency and f.date between day - 10 and day
       and from_currency <> to_currency
     order by f.date desc limit 1)
    union all
    (select 2, f.rate, t.rate, f.date, f.source, f.base
     from exchange_rates f
     join exchange_rates t on t.source = 'ECB' and t.currency = to_currency and t.date = f.date and t.base = f.base
     where f.source = 'ECB' and f.currency = from_currency and f.date between day - 10 and day
       and from_currency <> to_currency
     order by f.date desc limit 1)
    union all
    (select 3, f.rate, t.rate, f.date, f.source, f.base
     from exchange_rates f
     join exchange_rates t on t.source = 'BUNDLED' and t.currency = to_currency and t.date = f.date and t.base = f.base
     where f.source = 'BUNDLED' and f.currency = from_currency and f.date between day - 400 and day
       and from_currency <> to_currency
     order by f.date desc limit 1)
  ) found
  order by found.turn limit 1
$$;
grant execute on function rate_on(text, text, date, text) to kontor_confined, kontor_across;

-- What a caller gave for the document, and the rate to the currency of the country, fixed with the number like exchange_rate.
alter table documents
  add column given_rate numeric constraint given_rate_positive check (given_rate > 0),
  add column given_rate_date date constraint given_rate_has_date check (given_rate_date is null or given_rate is not null),
  add column country_rate numeric constraint country_rate_positive check (country_rate > 0),
  add column country_rate_date date;
grant insert (given_rate, given_rate_date), update (given_rate, given_rate_date) on documents to kontor_confined;

-- Fires after guard_document(), which may have moved the date. A memo has the rate of the document that it corrects, a receipt
-- that of the day of the payment, everything else that of its issue date, unless a rate was given.
create or replace function set_exchange_rate() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  own record;
  day date := new.issue_date;
begin
  if new.document_type in ('CREDIT_MEMO', 'DEBIT_MEMO') then
    select d.exchange_rate, d.rate_currency, d.rate_date, d.country_rate, d.country_rate_date
      into new.exchange_rate, new.rate_currency, new.rate_date, new.country_rate, new.country_rate_date from documents d
      where d.organization_id = new.organization_id and d.id = new.source_document_id;
    return new;
  end if;
  select o.currency, o.country, country_currency(o.country) as country_currency into own
    from organizations o where o.id = new.organization_id;
  if new.document_type = 'RECEIPT' then
    day := coalesce((select p.paid_at from payments p where p.organization_id = new.organization_id and p.id = new.payment_id),
      new.payment_date, new.issue_date);
  end if;
  new.exchange_rate := 1;
  new.rate_date := null;
  if new.currency <> own.currency and new.given_rate is not null then
    new.exchange_rate := new.given_rate;
    new.rate_date := coalesce(new.given_rate_date, new.issue_date);
  elsif new.currency <> own.currency then
    select printed_rate(r.from_rate, r.to_rate), r.rate_date into new.exchange_rate, new.rate_date
      from rate_on(new.currency, own.currency, day, own.country) r;
  end if;
  new.rate_currency := case when new.exchange_rate is not null then own.currency end;
  if own.currency = own.country_currency then
    new.country_rate := new.exchange_rate;
    new.country_rate_date := new.rate_date;
  elsif new.currency = own.country_currency then
    new.country_rate := 1;
    new.country_rate_date := null;
  else
    select printed_rate(r.from_rate, r.to_rate), r.rate_date into new.country_rate, new.country_rate_date
      from rate_on(new.currency, own.country_currency, day, own.country) r;
  end if;
  return new;
end $$;

-- The rates of an issued document do not change; one that is taken back to a draft has none any more.
create function keep_fixed_rates() returns trigger language plpgsql as $$
begin
  if new.issued_at is not null then perform refuse_frozen(); end if;
  new.country_rate := null;
  new.country_rate_date := null;
  return new;
end $$;
create trigger keep_fixed_rates before update on documents for each row
  when (old.issued_at is not null and (new.issued_at is null
    or (new.given_rate, new.given_rate_date, new.country_rate, new.country_rate_date)
      is distinct from (old.given_rate, old.given_rate_date, old.country_rate, old.country_rate_date)))
  execute function keep_fixed_rates();
