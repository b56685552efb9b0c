import { sql } from 'kysely'
import type { Database } from '../../core/define/operation.ts'
import type { DocumentStatus } from '../documents/document.ts'

/** What is asked for: the year, or the one that it is where the organization is. */
export type Asked = { year: number | undefined; now: Date }

type Sales = { month: string; sort: 'SALE' | 'OTHER' | 'CREDIT'; status: DocumentStatus; count: number; minor: string }
type Cash = { month: string; direction: 'OUTGOING' | 'INCOMING'; minor: string }
type Customer = { name: string; count: number; minor: string }
type RateUse = { currency: string; days: number; missing: number; newest: string | null; source: string | null }

const customersShown = 10

/** Two years of an organization, added up and converted by the database; amounts are minor units as text. */
export type Figures = {
  currency: string
  today: string
  year: number
  sales: Sales[]
  cash: Cash[]
  customers: Customer[]
  rates: RateUse[]
  /** The day of the newest rate that was fixed on a document of the year. */
  newestFixed: string | null
}

export async function readFigures(db: Database, asked: Asked): Promise<Figures> {
  const { rows } = await sql<Figures>`
    with ${home(asked)}, ${sales}, ${cash}, ${rates}, ${customers}
    select h.currency, h.today, h.year,
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
      (select d.rate_date from documents d where d.rate_date is not null and d.issue_date between make_date(h.year, 1, 1) and ${yearEnd}
        order by d.issue_date desc limit 1) as newest_fixed
    from home h`.execute(db)
  const [found] = rows
  if (!found) throw new Error('An organization has a home.')
  return found
}

/** The organization's currency, day and year; a request is in one organization. */
export const home = ({ year, now }: Asked) => sql`
  home as materialized (
    select o.currency, t.today, coalesce(${year ?? null}::integer, extract(year from t.today)::integer) as year
    from organizations o, lateral (select (${now.toISOString()}::timestamptz at time zone o.timezone)::date as today) t
  )`

const yearEnd = sql`(select make_date(year, 12, 31) from home)`

/** The rate that converts a sum for good: its own, if that leads to what the organization counts in today; else null. */
const ownRate = (sum: string) =>
  sql.raw(
    `case when ${sum}.currency = h.currency then 1 when ${sum}.rate_currency = h.currency then ${sum}.fixed_rate end`,
  )

/**
 * Sums of the year and the one before with the day whose rate converts them: that of the issue, today's for a draft, none
 * where a rate is fixed. Should that rate lead to a currency which the organization has left, the one at the end of the
 * month counts (`moved`).
 */
const sales = sql`
  sales as materialized (
    select s.day, s.sort, s.status, s.currency, o.own_rate, o.moved, s.documents, case s.status when 'SENT' then s.open_minor else s.total_minor end as minor,
      case when o.own_rate is not null then null when s.status = 'DRAFT' then h.today
        when o.moved then least((s.day + interval '1 month')::date - 1, h.today) else least(s.day, h.today) end as rate_day
    from sales_by_day s, home h, lateral (select ${ownRate('s')} as own_rate, s.currency <> h.currency and s.rate_currency not in ('', h.currency) as moved) o
    where s.day between (select make_date(year - 1, 1, 1) from home) and ${yearEnd}
      and (s.status = 'PAID' or s.day >= make_date(h.year, 1, 1))
  )`

/** Payments of the year, at the rate of their day. */
const cash = sql`
  cash as materialized (
    select c.day, c.direction, c.currency, case when c.currency = h.currency then 1 end as own_rate, c.amount_minor as minor,
      case when c.currency <> h.currency then least(c.day, h.today) end as rate_day
    from cash_by_day c, home h
    where c.day between (select make_date(year, 1, 1) from home) and ${yearEnd}
  )`

/**
 * Each currency and day once, with the minor units worked in. Where there is no rate the face value counts, and `source` is
 * empty.
 */
const rates = sql`
  rates as materialized (
    select a.currency, a.day, coalesce(r.from_rate, 1) * minor_units(a.currency) as per, coalesce(r.to_rate, 1) * minor_units(h.currency) as rate,
      r.rate_date, r.source
    from (select s.currency, s.rate_day as day from sales s where s.rate_day is not null and s.minor <> 0
      union select c.currency, c.rate_day from cash c where c.rate_day is not null
      union select s.currency, least(${yearEnd}, h.today) from sales s, home h where s.moved) a
    cross join home h left join lateral rate_on(a.currency, h.currency, a.day) r on true
  )`

/** An amount in the organization's currency: by the rate of its day, as it is, or by its own rate. */
const converted = sql`case when r.day is not null then convert_units(s.minor, r.per, r.rate) when s.currency = (select currency from home) then s.minor
  when s.own_rate is not null then convert_minor(s.minor, s.currency, (select currency from home), 1, s.own_rate) else 0 end`

const monthOf = sql`to_char(s.day, 'YYYY-MM') as month`

/**
 * The best customers of the year. Converting every day of every customer costs most of all, so the lowest and the highest
 * rate of the year tell first who may be among them (`likely`, the only place where a float will do); what they paid is
 * then exact.
 */
const customers = sql`
  paid as materialized (
    select c.counterparty_id, c.currency, c.documents, c.total_minor, c.credited_minor, o.own_rate,
      case when o.own_rate is null and c.fixed_rate <> 0 then least(${yearEnd}, h.today) end as rate_day, c.currency <> h.currency and c.fixed_rate = 0 as by_day
    from sales_by_customer c, home h, lateral (select ${ownRate('c')} as own_rate) o where c.year = (select year from home)
  ), range as (
    select r.currency, min(r.rate / r.per)::float8 as lowest, max(r.rate / r.per)::float8 as highest from rates r group by 1
  ), bounds as (
    select p.counterparty_id, sum(p.total_minor * f.lowest - p.credited_minor * f.highest - p.documents) as least,
      sum(p.total_minor * f.highest - p.credited_minor * f.lowest + p.documents) as most
    from paid p left join range r on r.currency = p.currency and (p.by_day or p.rate_day is not null), home h,
      lateral (select coalesce(r.lowest, g.fixed) as lowest, coalesce(r.highest, g.fixed) as highest
        from (select coalesce(p.own_rate * minor_units(h.currency) / minor_units(p.currency), 0)::float8 as fixed) g) f
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
      union all select c.counterparty_id, 0, c.total_minor - c.credited_minor, c.currency, null, least(c.day, h.today)
      from likely l join sales_by_customer_day c on c.counterparty_id = l.counterparty_id
        and c.day between (select make_date(year, 1, 1) from home) and ${yearEnd}, home h
      where c.currency <> h.currency
    ) s left join rates r on r.currency = s.currency and r.day = s.rate_day
    group by 1
  )`
