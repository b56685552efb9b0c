-- Says the exchange rate of a day, from the source of the country, also across a third currency.

-- The two rates whose ratio converts a currency on a day, both of the same source and day: of the source of the country, else of
-- the European Central Bank, each valid for its day and the ten days after it, else of the bundled table, valid for 400 days. No
-- row if no rate is known. It is plain SQL, so that PostgreSQL inlines it. rate-table.ts has the same rule, and a test compares
-- them. Both are needed: triggers fix the rate of a document here, and a dashboard converts hundreds of days, which would be a
-- query for each.
create or replace function rate_on(from_currency text, to_currency text, day date)
  returns table(from_rate numeric, to_rate numeric, rate_date date, source text, base text)
  language sql stable parallel safe rows 1 as $$
  select found.from_rate, found.to_rate, found.rate_date, found.source, found.base from (
    select 0 as turn, 1.0 as from_rate, 1.0 as to_rate, day as rate_date, 'SAME' as source, from_currency as base
    where from_currency = to_currency
    union all
    (select 1, f.rate, t.rate, f.date, f.source, f.base
     from exchange_rates f
     join exchange_rates t on t.source = 'ECB' and t.currency = to_currency and t.date = f.date and t.base = f.base
     where f.source = 'ECB' and f.currency = from_currency and f.date between day - 10 and day
       and from_currency <> to_currency
     order by f.date desc limit 1)
    union all
    (select 2, f.rate, t.rate, f.date, f.source, f.base
     from exchange_rates f
     join exchange_rates t on t.source = 'BUNDLED' and t.currency = to_currency and t.date = f.date and t.base = f.base
     where f.source = 'BUNDLED' and f.currency = from_currency and f.date between day - 400 and day
       and from_currency <> to_currency
     order by f.date desc limit 1)
  ) found
  order by found.turn limit 1
$$;
grant execute on function rate_on(text, text, date) to kontor_across, kontor_confined;

create or replace function rate_on(from_currency text, to_currency text, day date, country text)
  returns table(from_rate numeric, to_rate numeric, rate_date date, source text, base text)
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
grant execute on function rate_on(text, text, date, text) to kontor_across, kontor_confined;

create or replace function rate_source(country text) returns text language sql immutable parallel safe as $$
  select case country when 'IL' then 'BOI' when 'SG' then 'MAS' end
$$;
grant execute on function rate_source(text) to kontor_across, kontor_confined;

-- The currency of a country, and the source that its law or authority names; null means the European Central Bank.
-- countries/<country>.ts has the same, and a test compares them. Both are needed: triggers ask here, and the rules of a country are
-- functions that work without a database.
create or replace function country_currency(country text) returns text language sql immutable parallel safe as $$
  select case country when 'IL' then 'ILS' when 'SG' then 'SGD' when 'US' then 'USD' end
$$;
grant execute on function country_currency(text) to kontor_across, kontor_confined;

-- The rate that a document would have without the given one.
create or replace function published_rate(d documents) returns numeric language plpgsql stable parallel safe as $$
begin
  return (select r.to_rate / r.from_rate from organizations o
    cross join lateral (select coalesce(d.rate_currency, o.currency) as home) h
    cross join lateral rate_on(d.currency, case when d.currency = h.home then country_currency(o.country) else h.home end,
      coalesce(d.given_rate_date, d.issue_date), o.country) r
    where o.id = d.organization_id);
end $$;
grant execute on function published_rate(documents) to kontor_across, kontor_confined;

-- A rate as a document shows it: twelve significant digits, rounded once and half up, as rateText() of
-- features/books/exchange-rates does. It uses whole numbers, because a quotient of numeric is rounded already.
create or replace function printed_rate(from_rate numeric, to_rate numeric) returns numeric language sql immutable parallel safe as $$
  select trim_scale(div(2 * to_rate * s.scale + from_rate, 2 * from_rate) / s.scale)
  from (select 10::numeric ^ greatest(0, 11 - floor(log(to_rate / from_rate))) as scale) s
$$;
