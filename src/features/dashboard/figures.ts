import { sql } from 'kysely'
import type { Database } from '../../core/define/operation.ts'
import type { DocumentStatus } from '../documents/document.ts'

/** The requested year, or the current year of the organization. */
export type DashboardQuery = { year: number | undefined; now: Date }

type SalesSum = {
  month: string
  sort: 'SALE' | 'OTHER' | 'CREDIT'
  status: DocumentStatus
  count: number
  minor: string
}
type CashSum = { month: string; direction: 'OUTGOING' | 'INCOMING'; minor: string }
type CustomerRevenue = { name: string; count: number; minor: string }
type RateUse = { currency: string; days: number; missing: number; newest: string | null; source: string | null }

const customersShown = 10

/** The sums of the year and the year before, converted by the database; amounts are minor units as text. */
export type Figures = {
  currency: string
  today: string
  year: number
  sales: SalesSum[]
  cash: CashSum[]
  customers: CustomerRevenue[]
  rates: RateUse[]
  /** The day of the newest rate that is fixed on a document of the year. */
  newestFixed: string | null
}

export async function readFigures(db: Database, query: DashboardQuery): Promise<Figures> {
  const { rows } = await sql<Figures>`
    with ${organizationYear(query)}, ${sales}, ${cash}, ${rates}, ${customers}
    select y.currency, y.today, y.year,
      (select coalesce(jsonb_agg(to_jsonb(m)), '[]') from (
        select ${monthOf}, s.sort, s.status, sum(s.documents) as count, sum(${converted})::text as minor
        from sales s left join rates r on r.currency = s.currency and r.day = s.rate_day
        group by 1, 2, 3) m) as sales,
      (select coalesce(jsonb_agg(to_jsonb(m)), '[]') from (
        select ${monthOf}, s.direction, sum(${converted})::text as minor
        from cash s left join rates r on r.currency = s.currency and r.day = s.rate_day
        group by 1, 2) m) as cash,
      (select coalesce(jsonb_agg(to_jsonb(m) - 'id' - 'revenue' order by m.revenue desc, m.count desc, m.name, m.id), '[]') from (
        select c.id, coalesce(c.name, c.email, '') as name, b.count, b.revenue, b.revenue::text as minor
        from best b join customers c on c.id = b.counterparty_id order by b.revenue desc, b.count desc, 2, 1 limit ${sql.lit(customersShown)}) m) as customers,
      (select coalesce(jsonb_agg(to_jsonb(m) order by m.currency), '[]') from (
        select r.currency, count(*) as days, count(*) filter (where r.source is null) as missing, max(r.rate_date) as newest,
          string_agg(distinct r.source, ', ') as source
        from rates r group by 1) m) as rates,
      (select d.rate_date from documents d where d.rate_date is not null and d.issue_date between make_date(y.year, 1, 1) and ${yearEnd}
        order by d.issue_date desc limit 1) as newest_fixed
    from organization_year y`.execute(db)
  const [figures] = rows
  if (!figures) throw new Error('The dashboard needs an organization.')
  return figures
}

/** The currency, the current day and the year of the dashboard; row security shows one organization. */
export const organizationYear = ({ year, now }: DashboardQuery) => sql`
  organization_year as materialized (
    select o.currency, t.today, coalesce(${year ?? null}::integer, extract(year from t.today)::integer) as year
    from organizations o, lateral (select (${now.toISOString()}::timestamptz at time zone o.timezone)::date as today) t
  )`

const yearEnd = sql`(select make_date(year, 12, 31) from organization_year)`

/** The fixed rate of a sum, if it converts to the current currency of the organization; otherwise null. */
const ownRate = (sum: string) =>
  sql.raw(
    `case when ${sum}.currency = y.currency then 1 when ${sum}.rate_currency = y.currency then ${sum}.fixed_rate end`,
  )

/**
 * Sums of the year and the year before, with the day whose exchange rate applies: the day of issue, today for a draft, none
 * for a fixed rate. If the fixed rate converts to a former currency of the organization (`moved`), the rate at the end of
 * the month applies.
 */
const sales = sql`
  sales as materialized (
    select s.day, s.sort, s.status, s.currency, o.own_rate, o.moved, s.documents, case s.status when 'SENT' then s.open_minor else s.total_minor end as minor,
      case when o.own_rate is not null then null when s.status = 'DRAFT' then y.today
        when o.moved then least((s.day + interval '1 month')::date - 1, y.today) else least(s.day, y.today) end as rate_day
    from sales_by_day s, organization_year y, lateral (select ${ownRate('s')} as own_rate, s.currency <> y.currency and s.rate_currency not in ('', y.currency) as moved) o
    where s.day between (select make_date(year - 1, 1, 1) from organization_year) and ${yearEnd}
      and (s.status = 'PAID' or s.day >= make_date(y.year, 1, 1))
  )`

/** Payments of the year, with the day of payment as the day of the rate. */
const cash = sql`
  cash as materialized (
    select c.day, c.direction, c.currency, case when c.currency = y.currency then 1 end as own_rate, c.amount_minor as minor,
      case when c.currency <> y.currency then least(c.day, y.today) end as rate_day
    from cash_by_day c, organization_year y
    where c.day between (select make_date(year, 1, 1) from organization_year) and ${yearEnd}
  )`

/**
 * The rates for each currency and day that is needed, multiplied by the minor units. Without a rate the face value counts,
 * and `source` is null.
 */
const rates = sql`
  rates as materialized (
    select a.currency, a.day, coalesce(r.from_rate, 1) * minor_units(a.currency) as per, coalesce(r.to_rate, 1) * minor_units(y.currency) as rate,
      r.rate_date, r.source
    from (select s.currency, s.rate_day as day from sales s where s.rate_day is not null and s.minor <> 0
      union select c.currency, c.rate_day from cash c where c.rate_day is not null
      union select s.currency, least(${yearEnd}, y.today) from sales s, organization_year y where s.moved) a
    cross join organization_year y left join lateral rate_on(a.currency, y.currency, a.day) r on true
  )`

/** An amount in the organization's currency: by the rate of its day, unchanged, or by its fixed rate. */
const converted = sql`case when r.day is not null then convert_units(s.minor, r.per, r.rate) when s.currency = (select currency from organization_year) then s.minor
  when s.own_rate is not null then convert_minor(s.minor, s.currency, (select currency from organization_year), 1, s.own_rate) else 0 end`

const monthOf = sql`to_char(s.day, 'YYYY-MM') as month`

/**
 * The customers with the most revenue. Converting every day of every customer is expensive, so the lowest and highest rates
 * of the year first select the possible ones (`likely`, the only place that computes with floats). Their revenue is exact.
 */
const customers = sql`
  paid as materialized (
    select c.counterparty_id, c.currency, c.documents, c.total_minor, c.credited_minor, o.own_rate,
      case when o.own_rate is null and c.fixed_rate <> 0 then least(${yearEnd}, y.today) end as rate_day, c.currency <> y.currency and c.fixed_rate = 0 as by_day
    from sales_by_customer c, organization_year y, lateral (select ${ownRate('c')} as own_rate) o where c.year = (select year from organization_year)
  ), range as (
    select r.currency, min(r.rate / r.per)::float8 as lowest, max(r.rate / r.per)::float8 as highest from rates r group by 1
  ), bounds as (
    select p.counterparty_id, sum(p.total_minor * f.lowest - p.credited_minor * f.highest - p.documents) as least,
      sum(p.total_minor * f.highest - p.credited_minor * f.lowest + p.documents) as most
    from paid p left join range r on r.currency = p.currency and (p.by_day or p.rate_day is not null), organization_year y,
      lateral (select coalesce(r.lowest, g.fixed) as lowest, coalesce(r.highest, g.fixed) as highest
        from (select coalesce(p.own_rate * minor_units(y.currency) / minor_units(p.currency), 0)::float8 as fixed) g) f
    group by 1
  ), likely as (
    select b.counterparty_id from bounds b
    where b.most >= coalesce((select l.least from bounds l order by l.least desc offset ${sql.lit(customersShown - 1)} limit 1), b.most)
  ), best as (
    select s.counterparty_id, sum(s.documents) as count, sum(${converted}) as revenue
    from (
      select p.counterparty_id, p.documents, p.total_minor - p.credited_minor as minor, p.currency, p.own_rate, p.rate_day
      from paid p where not p.by_day and p.counterparty_id in (select l.counterparty_id from likely l)
      union all select p.counterparty_id, p.documents, 0, p.currency, null, null
      from paid p where p.by_day and p.counterparty_id in (select l.counterparty_id from likely l)
      union all select c.counterparty_id, 0, c.total_minor - c.credited_minor, c.currency, null, least(c.day, y.today)
      from likely l join sales_by_customer_day c on c.counterparty_id = l.counterparty_id
        and c.day between (select make_date(year, 1, 1) from organization_year) and ${yearEnd}, organization_year y
      where c.currency <> y.currency
    ) s left join rates r on r.currency = s.currency and r.day = s.rate_day
    group by 1
  )`
