import { sql } from 'kysely'
import type { Database } from '../../core/operation.ts'
import type { DocumentStatus } from '../documents/document.ts'

/** What is asked for: the year, or the one that it is where the organization is. */
export type Asked = { year: number | undefined; now: Date }

type Sales = { month: string; sort: 'SALE' | 'OTHER' | 'CREDIT'; status: DocumentStatus; count: number; minor: string }
type Cash = { month: string; direction: 'OUTGOING' | 'INCOMING'; minor: string }
type Customer = { name: string; count: number; minor: string }
type RateUse = { currency: string; days: number; missing: number; newest: string | null; source: string | null }

/** Two years of an organization, added up and converted by the database; amounts are minor units as text. */
export type Figures = {
  currency: string
  today: string
  year: number
  sales: Sales[]
  cash: Cash[]
  customers: Customer[]
  rates: RateUse[]
}

export async function readFigures(db: Database, asked: Asked): Promise<Figures> {
  const { rows } = await sql<Figures>`
    with ${home(asked)}, ${sales}, ${cash}, ${rates}, ${customers}
    select h.currency, h.today, h.year,
      (select coalesce(jsonb_agg(to_jsonb(m)), '[]') from (
        select to_char(s.day, 'YYYY-MM') as month, s.sort, s.status, sum(s.documents) as count, sum(${converted('s')})::text as minor
        from sales s left join rates r on r.currency = s.currency and r.day = s.rate_day
        group by 1, 2, 3) m) as sales,
      (select coalesce(jsonb_agg(to_jsonb(m)), '[]') from (
        select to_char(s.day, 'YYYY-MM') as month, s.direction, sum(${converted('s')})::text as minor
        from cash s left join rates r on r.currency = s.currency and r.day = s.rate_day
        group by 1, 2) m) as cash,
      (select coalesce(jsonb_agg(to_jsonb(m) - 'id' order by m.revenue desc, m.count desc, m.name, m.id), '[]') from (
        select c.id, coalesce(c.name, c.email, '') as name, t.count, t.revenue, t.revenue::text as minor
        from best t join customers c on c.id = t.counterparty_id) m) as customers,
      (select coalesce(jsonb_agg(to_jsonb(m) order by m.currency), '[]') from (
        select r.currency, count(*) as days, count(*) filter (where r.source is null) as missing, max(r.rate_date) as newest,
          string_agg(distinct r.source, ', ') as source
        from rates r group by 1) m) as rates
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

/**
 * Sums of the year and the one before with the day whose rate converts them: that of the issue, today's for a draft, none
 * where a rate is fixed. A fixed rate of 1 means that the document was in the organization's currency; should that be
 * another one by now, the rate at the end of the month counts.
 */
const sales = sql`
  sales as materialized (
    select s.day, s.sort, s.status, s.currency, s.fixed_rate, s.documents, case s.status when 'SENT' then s.open_minor else s.total_minor end as minor,
      case when s.currency = h.currency or s.fixed_rate not in (0, 1) then null when s.status = 'DRAFT' then h.today
        when s.fixed_rate = 1 then least((s.day + interval '1 month')::date - 1, h.today) else least(s.day, h.today) end as rate_day
    from sales_by_day s, home h
    where s.day between (select make_date(year - 1, 1, 1) from home) and ${yearEnd}
      and (s.status = 'PAID' or s.day >= make_date(h.year, 1, 1))
  )`

/** Payments of the year, at the rate of their day. */
const cash = sql`
  cash as materialized (
    select c.day, c.direction, c.currency, 0 as fixed_rate, c.amount_minor as minor,
      case when c.currency <> h.currency then least(c.day, h.today) end as rate_day
    from cash_by_day c, home h
    where c.day between (select make_date(year, 1, 1) from home) and ${yearEnd}
  )`

/** Each currency and day once. Where there is no rate the face value counts, and `source` is empty. */
const rates = sql`
  rates as materialized (
    select a.currency, a.day, coalesce(r.from_rate, 1) as from_rate, coalesce(r.to_rate, 1) as to_rate, r.rate_date, r.source
    from (select s.currency, s.rate_day as day from sales s where s.rate_day is not null and s.minor <> 0
      union select c.currency, c.rate_day from cash c where c.rate_day is not null
      union select s.currency, least(${yearEnd}, h.today) from sales s, home h where s.fixed_rate = 1 and s.rate_day is not null) a
    cross join home h left join lateral rate_on(a.currency, h.currency, a.day) r on true
  )`

/**
 * The ten best customers of the year. Which ones they are is decided by an estimate, since converting exactly is what costs
 * most; what they paid is exact.
 */
const customers = sql`
  paid as materialized (
    select c.counterparty_id, c.documents, c.total_minor as minor, c.currency, c.fixed_rate,
      case when c.currency = h.currency or c.fixed_rate not in (0, 1) then null
        when c.fixed_rate = 1 then least(${yearEnd}, h.today) else least(c.day, h.today) end as rate_day
    from sales_by_customer c, home h where c.year = (select year from home)
  ), factors as (
    select r.currency, r.day, (r.to_rate / r.from_rate * minor_units(h.currency) / minor_units(r.currency))::float8 as factor from rates r, home h
  ), chosen as (
    select p.counterparty_id from paid p left join factors f on f.currency = p.currency and f.day = p.rate_day, home h
    group by 1 order by sum(case when f.factor is not null then p.minor * f.factor when p.currency = h.currency then p.minor
      else p.minor * p.fixed_rate::float8 end) desc, 1 limit 10
  ), best as (
    select s.counterparty_id, sum(s.documents) as count, sum(${converted('s')}) as revenue
    from paid s left join rates r on r.currency = s.currency and r.day = s.rate_day
    where s.counterparty_id in (select counterparty_id from chosen) group by 1
  )`

/** An amount in the organization's currency: as it is, by the fixed rate, or by the rate of its day. */
function converted(of: 's') {
  const [minor, currency, fixed] = ['minor', 'currency', 'fixed_rate'].map((column) => sql.ref(`${of}.${column}`))
  const into = sql`(select currency from home)`
  return sql`case when ${currency} = ${into} then ${minor} when r.day is not null then convert_minor(${minor}, ${currency}, ${into}, r.from_rate, r.to_rate)
    else convert_minor(${minor}, ${currency}, ${into}, 1, ${fixed}) end`
}
