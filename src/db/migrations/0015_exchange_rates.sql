-- What one unit of a base currency was worth on a day, as a source published it. Rates belong to no organization: the
-- product writes them, everybody who has entered reads them, and what was published for a day stays.
create table exchange_rates (
  source     text not null check (source in ('ECB', 'BUNDLED')),
  currency   text not null check (currency ~ '^[A-Z]{3}$'),
  date       date not null,
  base       text not null check (base ~ '^[A-Z]{3}$'),
  rate       numeric(24, 12) not null check (rate > 0), -- units of the currency for one of the base
  created_at timestamptz not null default now(),
  primary key (source, currency, date),
  constraint base_is_one check (currency <> base or rate = 1) -- the base stands among its rates, so every pair is a ratio
);
create index on exchange_rates (source, date);
select system_table('exchange_rates');
create policy readable on exchange_rates for select to kontor_confined, kontor_across
  using ((select current_organization()) is not null or (select current_person()) is not null);
grant select on exchange_rates to kontor_confined, kontor_across;
select append_only('exchange_rates');

-- The two rates whose ratio turns one currency into another on a day, both of one snapshot. A published snapshot counts
-- for its day and the ten after it, which week-ends and holidays never exceed; where there is none, the bundled one before
-- the day counts, however old within 400 days, and its date tells. No row: no rate is known, and none is made up.
-- It is plain SQL without rights of its own, so that PostgreSQL puts it into the query that asks.
create function rate_on(from_currency text, to_currency text, day date)
  returns table (from_rate numeric, to_rate numeric, rate_date date, source text, base text)
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

-- How many minor units one unit has, by ISO 4217; core/money.ts says the same, and a test compares them.
create function minor_units(currency text) returns numeric language sql immutable parallel safe as $$
  select case
    when currency in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'UYI', 'VND', 'VUV',
                      'XAF', 'XOF', 'XPF', 'XAG', 'XAU', 'XBA', 'XBB', 'XBC', 'XBD', 'XDR', 'XPD', 'XPT', 'XSU', 'XUA')
      then 1::numeric
    when currency in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND') then 1000
    when currency in ('CLF', 'UYW') then 10000
    else 100
  end
$$;

-- An amount at the rates of rate_on(), rounded once, half up and away from zero. In whole numbers throughout: a quotient
-- of numeric is rounded before anybody asks, and rounding twice is wrong by one now and then. Numeric, since a large
-- amount in rupiahs is more than a bigint holds.
create function convert_minor(amount numeric, from_currency text, to_currency text, from_rate numeric, to_rate numeric)
  returns numeric language sql immutable parallel safe as $$
  select sign(amount) * div(
    2 * abs(amount) * to_rate * minor_units(to_currency) + from_rate * minor_units(from_currency),
    2 * from_rate * minor_units(from_currency))
$$;
