import '../../../test/own-world.ts'
import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { withTransaction } from '../../../core/run/transaction-context.ts'
import { addDays } from '../../../core/values/day.ts'
import { newId } from '../../../core/values/id.ts'
import { member, theApp } from '../../../test/world.ts'
import type { PublishedRate } from '../exchange-rates/exchange-rate.ts'
import { storeRates } from '../exchange-rates/store.ts'
import { type Figures, readFigures } from './figures.ts'

/** A document as the stored sums count it; a fixed rate of 0 is none. */
type Sold = {
  customer: string
  day: string
  sort: 'SALE' | 'OTHER' | 'CREDIT'
  status: 'DRAFT' | 'UNSENT' | 'SENT' | 'PAID'
  currency: string
  rate: string
  rateCurrency: string
  total: number
  open: number
}

const currencies = ['SGD', 'USD', 'EUR', 'JPY', 'KWD', 'XPF', 'ZMW']
const firstDay = '2024-01-01'

const day = fc.integer({ min: 0, max: 1100 }).map((days) => addDays(firstDay, days))
const amount = fc.oneof(fc.integer({ min: 0, max: 200_000 }), fc.integer({ min: 0, max: 10 ** 12 }), fc.constant(0))
const rate = fc.integer({ min: 1, max: 3_000_000 }).map((millionths) => String(millionths / 1_000_000))
const fixed = fc.oneof(
  fc.constant({ rate: '0', rateCurrency: '' }),
  fc.record({ rate, rateCurrency: fc.constantFrom('SGD', 'USD', 'JPY') }),
)

/** Rates with weekends and gaps, and with currencies that a source lacks on some days, always or against the same base. */
beforeAll(async () => {
  const rates: PublishedRate[] = []
  const random = fc.sample(fc.tuple(rate, fc.nat(99)), { numRuns: 20_000, seed: 14 })
  const add = (source: PublishedRate['source'], date: string, known: string[]) => {
    const base = random[rates.length]?.[1] === 0 ? 'USD' : 'EUR'
    for (const currency of known) {
      const [value = '1', chance = 0] = random[rates.length] ?? []
      if (chance > 4) rates.push({ source, date, currency, base, rate: currency === base ? '1' : value })
    }
  }
  for (let at = 0; at < 1000; at++) {
    const date = addDays(firstDay, at)
    const isWeekend = [0, 6].includes(new Date(date).getUTCDay())
    const isGap = at > 300 && at < 330
    if (!isWeekend && !isGap) add('ECB', date, ['SGD', 'USD', 'EUR', 'JPY'])
    if (at > 600 && at < 800 && !isWeekend) add('MAS', date, ['SGD', 'USD', 'EUR', 'JPY'])
    if (at > 150 && at < 400 && at % 9 === 0) add('BUNDLED', date, ['SGD', 'USD', 'EUR', 'JPY', 'KWD', 'XPF'])
  }
  await theApp().system.use((db) => storeRates(db, rates))
})

/** An organization with stored sums as the triggers keep them. */
async function organizationWith(sold: Sold[], own: string) {
  const { organizationId } = await member('OWNER')
  const payments = sold.filter(({ status }) => status === 'PAID')
  await theApp().system.use(async (db) => {
    const documents = sql`jsonb_to_recordset(${JSON.stringify(sold)}) as s (customer uuid, day date, sort text, status text, currency text, rate numeric,
      "rateCurrency" text, total bigint, open bigint)`
    const period = sql`case when s.status = 'DRAFT' or s.rate <> 0 then date_trunc('month', s.day)::date else s.day end`
    const paid = sql`s.status = 'PAID' and s.sort <> 'OTHER'`
    const sums = sql`sum(case s.sort when 'SALE' then s.total else 0 end), sum(case s.sort when 'CREDIT' then s.total else 0 end)`
    await sql`update organizations set currency = ${own} where id = ${organizationId}`.execute(db)
    await sql`insert into customers (organization_id, id, name, kind, country, default_currencies)
      select ${organizationId}, c, 'Customer ' || c, 'ORGANIZATION', 'SG', '{SGD}' from (select distinct s.customer as c from ${documents}) c`.execute(
      db,
    )
    await sql`insert into sales_by_day select ${organizationId}, ${period}, s.sort, s.status, s.currency, s.rate, s."rateCurrency", count(*), sum(s.total), sum(s.open)
      from ${documents} group by 2, 3, 4, 5, 6, 7`.execute(db)
    await sql`insert into sales_by_customer select ${organizationId}, extract(year from s.day), s.customer, s.currency, s.rate, s."rateCurrency",
      count(*) filter (where s.sort = 'SALE'), ${sums} from ${documents} where ${paid} group by 2, 3, 4, 5, 6`.execute(
      db,
    )
    await sql`insert into sales_by_customer_day select ${organizationId}, s.day, s.customer, s.currency, ${sums}
      from ${documents} where ${paid} and s.rate = 0 group by 2, 3, 4`.execute(db)
    await sql`insert into cash_by_day select ${organizationId}, s.day + 3, case s.sort when 'SALE' then 'OUTGOING' else 'INCOMING' end, s.currency, count(*), sum(s.total),
        case when s.total % 3 = 0 then s.day - 40 end
      from jsonb_to_recordset(${JSON.stringify(payments)}) as s (day date, sort text, currency text, total bigint) group by 2, 3, 4, 7`.execute(
      db,
    )
  })
  return organizationId
}

/** The same figures in plain SQL, with rate_on() for each sum and without selecting customers first. */
const reference = (own: string, year: number, now: string) => {
  const converted = (
    minor: string,
  ) => sql`case when s.currency = ${own} then ${sql.raw(minor)} when s.rate_currency = ${own} then convert_minor(${sql.raw(minor)}, s.currency, ${own}, 1, s.fixed_rate)
    else convert_minor(${sql.raw(minor)}, s.currency, ${own}, coalesce(r.from_rate, 1), coalesce(r.to_rate, 1)) end`
  const yearEnd = sql`least(make_date(${year}::integer, 12, 31), ${now}::date)`
  return sql<{ sales: unknown; openMinor: unknown; cash: unknown; customers: unknown; rates: unknown }>`
    with sales as (
      select s.*, case s.status when 'SENT' then s.open_minor else s.total_minor end as minor, s.currency <> ${own} and s.rate_currency <> ${own} as by_rate,
        case when s.status = 'DRAFT' then ${now}::date when s.rate_currency <> '' then least((s.day + interval '1 month')::date - 1, ${now}::date)
          else least(s.day, ${now}::date) end as rate_day
      from sales_by_day s where extract(year from s.day) = ${year}::integer or extract(year from s.day) = ${year}::integer - 1 and s.status = 'PAID'
    ), open as (
      select s.*, s.open_minor as minor, s.currency <> ${own} and s.rate_currency <> ${own} as by_rate
      from sales_by_day s where s.status in ('UNSENT', 'SENT') and s.open_minor <> 0
    ), cash as (
      select c.*, least(coalesce(c.rated_on, c.day), ${now}::date) as rate_day, '' as rate_currency, 0 as fixed_rate from cash_by_day c where extract(year from c.day) = ${year}::integer
    ), asked as (
      select s.currency, s.rate_day as day from sales s where s.by_rate and s.minor <> 0
      union select o.currency, ${now}::date from open o where o.by_rate
      union select c.currency, c.rate_day from cash c where c.currency <> ${own}
      union select s.currency, ${yearEnd} from sales s where s.by_rate and s.rate_currency <> ''
    ), revenue as (
      select s.counterparty_id, s.documents, ${converted('(s.total_minor - s.credited_minor)')} as minor
      from sales_by_customer s left join lateral rate_on(s.currency, ${own}, ${yearEnd}, 'SG') r on true
      where s.year = ${year} and not (s.currency <> ${own} and s.fixed_rate = 0)
      union all select s.counterparty_id, s.documents, 0 from sales_by_customer s where s.year = ${year} and s.currency <> ${own} and s.fixed_rate = 0
      union all select s.counterparty_id, 0, ${converted('(s.total_minor - s.credited_minor)')}
      from (select d.*, '' as rate_currency, 0 as fixed_rate from sales_by_customer_day d) s left join lateral rate_on(s.currency, ${own}, least(s.day, ${now}::date), 'SG') r on true
      where extract(year from s.day) = ${year}::integer and s.currency <> ${own}
    )
    select
      (select coalesce(jsonb_object_agg(m.key, m.minor), '{}') from (select to_char(s.day, 'YYYY-MM ') || s.sort || ' ' || s.status as key, sum(${converted('s.minor')})::text as minor
        from sales s left join lateral rate_on(s.currency, ${own}, s.rate_day, 'SG') r on true group by 1) m) as sales,
      (select coalesce(sum(${converted('s.minor')}), 0)::text from open s left join lateral rate_on(s.currency, ${own}, ${now}::date, 'SG') r on true) as "openMinor",
      (select coalesce(jsonb_object_agg(m.key, m.minor), '{}') from (select to_char(s.day, 'YYYY-MM ') || s.direction as key, sum(${converted('s.amount_minor')})::text as minor
        from cash s left join lateral rate_on(s.currency, ${own}, s.rate_day, 'SG') r on true group by 1) m) as cash,
      (select coalesce(jsonb_agg(jsonb_build_object('name', m.name, 'count', m.count, 'minor', m.minor::text) order by m.minor desc, m.count desc, m.name), '[]')
        from (select c.name, sum(v.documents) as count, sum(v.minor) as minor from revenue v join customers c on c.id = v.counterparty_id
          group by c.id, c.name order by 3 desc, 2 desc, 1 limit 10) m) as customers,
      (select coalesce(jsonb_agg(to_jsonb(m) order by m.currency), '[]') from (select a.currency, count(*) as days, count(*) filter (where r.source is null) as missing,
          max(r.rate_date) as newest, string_agg(distinct r.source, ', ') as source
        from asked a left join lateral rate_on(a.currency, ${own}, a.day, 'SG') r on true group by 1) m) as rates`
}

/** Added up by month and kind, as text. */
function comparable({ sales, openMinor, cash, customers, rates }: Figures) {
  const sums = (groups: { key: string; months: Map<string, bigint> }[]) => {
    const total: Record<string, bigint> = {}
    for (const { key, months } of groups)
      for (const [month, minor] of months) total[`${month} ${key}`] = (total[`${month} ${key}`] ?? 0n) + minor
    return Object.fromEntries(Object.entries(total).map(([key, minor]) => [key, String(minor)]))
  }
  return {
    sales: sums(sales.map(({ sort, status, months }) => ({ key: `${sort} ${status}`, months }))),
    openMinor: String(openMinor),
    cash: sums(cash.map(({ direction, months }) => ({ key: direction, months }))),
    customers: customers.map((each) => ({ ...each, minor: String(each.minor) })),
    rates,
  }
}

const cases = fc.record({
  own: fc.constantFrom('SGD', 'USD', 'JPY', 'KWD', 'ZMW'),
  year: fc.integer({ min: 2023, max: 2027 }),
  now: fc.constantFrom('2024-11-20', '2025-06-15', '2026-03-01', '2026-12-31', '2029-01-01'),
  customers: fc.constantFrom(1, 12, 60),
  sold: fc.array(
    fc.record({
      day, currency: fc.constantFrom(...currencies), fixed, total: amount, customer: fc.nat(59),
      sort: fc.constantFrom('SALE' as const, 'SALE' as const, 'SALE' as const, 'OTHER' as const, 'CREDIT' as const),
      status: fc.constantFrom('DRAFT' as const, 'UNSENT' as const, 'SENT' as const, 'PAID' as const, 'PAID' as const, 'PAID' as const),
    }), { minLength: 0, maxLength: 300, size: 'max' }), // biome-ignore format: a row
})

test.each(
  fc.sample(cases, { numRuns: 14, seed: 29 }).map((each, at) => [at, each.own, each.year, each.now, each] as const),
)(
  'the figures are those of plain SQL with rate_on() for each sum: books %i in %s, %i seen on %s',
  async (_, own, year, now, books) => {
    const ids = Array.from({ length: books.customers }, newId)
    const sold = books.sold.map(({ fixed, customer, total, ...each }) => ({
      ...each,
      ...fixed,
      total,
      open: Math.floor(total / 3),
      customer: String(ids[customer % ids.length]),
    }))
    const organizationId = await organizationWith(sold, own)
    await withTransaction(theApp().confined, { organizationId }, async ({ db }) => {
      const figures = await readFigures(db, { year, now: new Date(`${now}T04:00:00Z`) })
      const { rows } = await reference(own, year, now).execute(db)
      expect(comparable(figures)).toEqual(rows[0])
    })
  },
)
