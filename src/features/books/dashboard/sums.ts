import { sql } from 'kysely'
import type { Database } from '../../../core/define/operation.ts'
import type { DocumentStatus } from '../../selling/documents/document.ts'
import { type RateSeries, validDays } from '../exchange-rates/rate-table.ts'

/** The requested year, or the current year of the organization. */
export type DashboardQuery = { year: number | undefined; now: Date }

export type Sort = 'SALE' | 'OTHER' | 'CREDIT'
export type Direction = 'OUTGOING' | 'INCOMING'

/** Sums of many days; `days`, `amounts` and `fixedRates` are arrays of the same length, as PostgreSQL writes them. */
export type SalesSums = {
  sort: Sort
  status: DocumentStatus
  currency: string
  /** The currency that the fixed rates convert to; empty without fixed rates. */
  rateCurrency: string
  /** Of the year, without the year before. */
  count: number
  days: string
  amounts: string
  fixedRates: string
}
/** What is open of issued documents of all years; without a fixed rate it is converted with the rate of today. */
export type OpenSums = Pick<SalesSums, 'currency' | 'rateCurrency' | 'days' | 'amounts' | 'fixedRates'>

/** Payments and voids; `rateDays` are the days of the rates: of a void, that of its payment. */
export type CashSums = { direction: Direction; currency: string; days: string; rateDays: string; amounts: string }

/** Expenses of a vendor, approved or waiting for approval; pending ones have no vendor. */
export type ExpenseSums = {
  state: 'APPROVED' | 'PENDING'
  vendor: string
  currency: string
  rateCurrency: string
  /** Of the year, without the year before. */
  count: number
  days: string
  amounts: string
  fixedRates: string
}

/** A customer that may be among those with the most revenue. */
export type CustomerSums = {
  name: string
  years: { currency: string; fixedRate: string; rateCurrency: string; count: number; minor: string }[]
  /** What has no fixed rate, by day. */
  days: { currency: string; days: string; amounts: string }[] | null
}

/** The stored sums of the year and the year before, with the exchange rates that convert them. */
export type Sums = {
  currency: string
  country: string | null
  today: string
  year: number
  sales: SalesSums[]
  open: OpenSums[]
  cash: CashSums[]
  expenses: ExpenseSums[]
  rates: RateSeries[]
  /** By name, then by id. */
  customers: CustomerSums[]
  /** The day of the newest rate that is fixed on a document of the year. */
  newestFixed: string | null
}

export const customersShown = 10

/**
 * Reads everything with one statement, so that the figures agree with each other. Days and amounts come as arrays: a row or
 * a JSON number for each of them would cost more than everything else.
 */
export async function readSums(db: Database, query: DashboardQuery): Promise<Sums> {
  const { rows } = await sql<Sums>`
    with ${organizationYear(query)}, ${sales}, ${open}, ${cash}, ${expenses}, ${rates}, ${customers}
    select y.currency, y.country, y.today, y.year,
      (select coalesce(json_agg(json_build_object('sort', s.sort, 'status', s.status, 'currency', s.currency, 'rateCurrency', s.rate_currency,
        'count', s.count, 'days', s.days, 'amounts', s.amounts, 'fixedRates', s.fixed_rates)), '[]') from sales s) as sales,
      (select coalesce(json_agg(json_build_object('currency', o.currency, 'rateCurrency', o.rate_currency, 'days', o.days, 'amounts', o.amounts,
        'fixedRates', o.fixed_rates)), '[]') from open o) as open,
      (select coalesce(json_agg(json_build_object('direction', c.direction, 'currency', c.currency, 'days', c.days,
        'rateDays', c.rate_days, 'amounts', c.amounts)), '[]') from cash c) as cash,
      (select coalesce(json_agg(json_build_object('state', e.state, 'vendor', e.vendor, 'currency', e.currency, 'rateCurrency', e.rate_currency,
        'count', e.count, 'days', e.days, 'amounts', e.amounts, 'fixedRates', e.fixed_rates) order by e.vendor), '[]') from spent e) as expenses,
      (select coalesce(json_agg(json_build_object('source', s.source, 'currency', s.currency, 'base', s.base, 'dates', s.dates::text, 'rates', s.rates::text)), '[]')
        from series s) as rates,
      (select coalesce(json_agg(json_build_object('name', b.name, 'years', b.years, 'days', b.days) order by b.name, b.id), '[]') from best b) as customers,
      (select d.rate_date from documents d where d.rate_date is not null and d.issue_date between ${yearStart} and ${yearEnd}
        order by d.issue_date desc limit 1) as newest_fixed
    from organization_year y`.execute(db)
  const [sums] = rows
  if (!sums) throw new Error('The dashboard needs an organization.')
  return sums
}

/** The currency, the current day and the year of the dashboard; row security shows one organization. */
export const organizationYear = ({ year, now }: DashboardQuery) => sql`
  organization_year as materialized (
    select o.currency, o.country, t.today, coalesce(${year ?? null}::integer, extract(year from t.today)::integer) as year
    from organizations o, lateral (select (${now.toISOString()}::timestamptz at time zone o.timezone)::date as today) t
  )`

const yearStart = sql`(select make_date(year, 1, 1) from organization_year)`
const yearEnd = sql`(select make_date(year, 12, 31) from organization_year)`
const ownCurrency = sql`(select currency from organization_year)`

/** Sales of the year, and paid ones of the year before. */
const sales = sql`
  sales as materialized (
    select s.sort, s.status, s.currency, s.rate_currency, min(s.day) as first, array_agg(s.day)::text as days,
      array_agg(case s.status when 'SENT' then s.open_minor else s.total_minor end)::text as amounts, array_agg(s.fixed_rate)::text as fixed_rates,
      coalesce(sum(s.documents) filter (where s.day >= ${yearStart}), 0) as count
    from sales_by_day s
    where s.day between (select make_date(year - 1, 1, 1) from organization_year) and ${yearEnd} and (s.status = 'PAID' or s.day >= ${yearStart})
    group by 1, 2, 3, 4
  )`

/** The conditions are those of the partial index. */
const open = sql`
  open as materialized (
    select s.currency, s.rate_currency, array_agg(s.day)::text as days, array_agg(s.open_minor)::text as amounts,
      array_agg(s.fixed_rate)::text as fixed_rates
    from sales_by_day s where s.status in ('UNSENT', 'SENT') and s.open_minor <> 0 group by 1, 2
  )`

const cash = sql`
  cash as materialized (
    select c.direction, c.currency, min(least(c.day, c.rated_on)) as first, array_agg(c.day)::text as days,
      array_agg(coalesce(c.rated_on, c.day))::text as rate_days, array_agg(c.amount_minor)::text as amounts
    from cash_by_day c where c.day between ${yearStart} and ${yearEnd} group by 1, 2
  )`

/** Expenses of the year and the year before. */
const expenses = sql`
  spent as materialized (
    select e.state, e.vendor, e.currency, e.rate_currency, min(e.day) as first, array_agg(e.day)::text as days,
      array_agg(e.total_minor)::text as amounts, array_agg(e.fixed_rate)::text as fixed_rates,
      coalesce(sum(e.expenses) filter (where e.day >= ${yearStart}), 0) as count
    from expenses_by_vendor e where e.day between (select make_date(year - 1, 1, 1) from organization_year) and ${yearEnd}
    group by 1, 2, 3, 4
  )`

/**
 * The rates of the currencies that are converted without a fixed rate, from the first day that can be valid for a sum on.
 * Drafts and open balances need the rate of today, everything else none after the year.
 */
const rates = sql`
  needed as materialized (
    select s.currency, s.first, s.status = 'DRAFT' as today from sales s where s.currency <> ${ownCurrency} and s.rate_currency <> ${ownCurrency}
    union all select o.currency, y.today, true from open o, organization_year y where o.currency <> y.currency and o.rate_currency <> y.currency
    union all select c.currency, c.first, false from cash c where c.currency <> ${ownCurrency}
    union all select e.currency, e.first, e.state = 'PENDING' from spent e where e.currency <> ${ownCurrency} and e.rate_currency <> ${ownCurrency}
  ), period as materialized (
    select least(min(n.first), y.today) as first, case when bool_or(n.today) then y.today else least(${yearEnd}, y.today) end as last,
      array_agg(distinct n.currency) || y.currency as currencies
    from needed n, organization_year y group by y.today, y.currency
  ), series as materialized (
    select v.source, v.days as valid_days, c.currency, r.base, r.dates, r.rates
    from period p cross join lateral unnest(p.currencies) c (currency)
    cross join lateral (select v.source, v.days from organization_year y,
        (values ('BOI', ${sql.lit(validDays.BOI)}), ('MAS', ${sql.lit(validDays.MAS)}), ('ECB', ${sql.lit(validDays.ECB)}),
          ('BUNDLED', ${sql.lit(validDays.BUNDLED)})) v (source, days)
      where v.source in ('ECB', 'BUNDLED') or v.source = rate_source(y.country)) v
    cross join lateral (
      select r.base, array_agg(r.date order by r.date) as dates, array_agg(r.rate order by r.date) as rates from exchange_rates r
      where r.source = v.source and r.currency = c.currency and r.date between p.first - v.days and p.last group by 1
    ) r
  )`

/**
 * The customers that can be among those with the most revenue. Converting every day of every customer is expensive, so the
 * lowest and the highest rate of each currency give bounds (the only place that computes with floats). If a day may have no
 * rate, the face value is one of the rates.
 */
const customers = sql`
  own as materialized (
    select s.source, s.base, s.dates, s.rates::float8[] as rates from series s where s.currency = ${ownCurrency}
  ), day_rates as materialized (
    select s.currency, d.lowest, d.highest, d.valid
    from series s join own o on o.source = s.source and o.base = s.base
    cross join lateral (
      select min(r.rate) as lowest, max(r.rate) as highest, range_agg(r.valid) as valid
      from (
        select case when s.source in ('BOI', 'MAS') then u.rate::float8 / o.rates[p.place] else o.rates[p.place] / u.rate::float8 end as rate, daterange(u.date, u.date + s.valid_days, '[]') as valid
        from unnest(s.dates, s.rates) u (date, rate) cross join lateral (select width_bucket(u.date, o.dates) as place) p
        where o.dates[p.place] = u.date
      ) r
    ) d
    where s.currency <> ${ownCurrency}
  ), range as materialized (
    select n.currency, f.face * case when r.complete then r.lowest else least(r.lowest, 1) end * (1 - 1e-12) as lowest,
      f.face * case when r.complete then r.highest else greatest(r.highest, 1) end * (1 + 1e-12) as highest
    from (select distinct currency from needed) n
    left join (
      select d.currency, min(d.lowest) as lowest, max(d.highest) as highest, range_agg(d.valid) @> (select daterange(first, last, '[]') from period) as complete
      from day_rates d group by 1
    ) r on r.currency = n.currency
    cross join lateral (select (minor_units(${ownCurrency}) / minor_units(n.currency))::float8 as face) f
  ), bounds as materialized (
    select c.counterparty_id, sum(c.total_minor * f.lowest - c.credited_minor * f.highest - c.documents) as least,
      sum(c.total_minor * f.highest - c.credited_minor * f.lowest + c.documents) as most
    from sales_by_customer c left join range r on r.currency = c.currency
    cross join lateral (select case when c.currency = ${ownCurrency} then 1.0::float8
      when c.rate_currency = ${ownCurrency} then (c.fixed_rate * minor_units(${ownCurrency}) / minor_units(c.currency))::float8 end as fixed) g
    cross join lateral (select coalesce(g.fixed, r.lowest) as lowest, coalesce(g.fixed, r.highest) as highest) f
    where c.year = (select year from organization_year)
    group by 1
  ), likely as materialized (
    select b.counterparty_id from bounds b
    where b.most >= coalesce((select l.least from bounds l order by l.least desc offset ${sql.lit(customersShown - 1)} limit 1), b.most)
  ), best as materialized (
    select l.counterparty_id as id, c.name, (
        select json_agg(json_build_object('currency', s.currency, 'fixedRate', s.fixed_rate::text, 'rateCurrency', s.rate_currency, 'count', s.documents,
          'minor', (s.total_minor - s.credited_minor)::text))
        from sales_by_customer s where s.counterparty_id = l.counterparty_id and s.year = (select year from organization_year)
      ) as years, (
        select json_agg(d) from (
          select d.currency, array_agg(d.day)::text as days, array_agg(d.total_minor - d.credited_minor)::text as amounts
          from sales_by_customer_day d
          where d.counterparty_id = l.counterparty_id and d.day between ${yearStart} and ${yearEnd} and d.currency <> ${ownCurrency}
          group by 1) d
      ) as days
    from likely l cross join lateral (select coalesce(c.name, c.email, '') as name from customers c where c.id = l.counterparty_id offset 0) c
  )`
