import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../../core/define/operation.ts'
import { unpreparedMark } from '../../../../db/wire/batch.ts'
import { expenseOfDocument } from '../result-lines.ts'
import { storeSums } from '../statements/sums.ts'
import { idsMax } from './income.ts'

export type Side = 'SALES' | 'EXPENSE'
export type Grouping = 'month' | 'counterparty' | 'account' | 'category' | 'type'

/** The documents of a group in one home currency. Amounts are in its minor units; income and expenses are positive. */
export type IncomeSum = {
  key: string | null
  name: string | null
  homeCurrency: string
  netMinor: number
  taxMinor: number
  goodsMinor: number
  roundingMinor: number
  /** Of customers and vendors, those of the page alone have them. */
  documentIds: string[]
  count: number
}

export type Asked = { side: Side; groupBy: Grouping; from: string; to: string }

/** The page of the groups in the main currency, the largest first: from the place `first` to `last`. */
export type Shown = { currency: string; first: number; last: number }

export type ReadIncome = {
  sums: IncomeSum[]
  /** The currencies whose rate was not known. */
  faceValues: string[]
}

/** What was booked to income or expenses in a period by group: stored rows of its days, and computed ones of days that changed since. */
export async function readIncome(db: Database, asked: Asked, shown: Shown): Promise<ReadIncome> {
  await storeSums(db)
  const { side, groupBy, from, to } = asked
  const summed = groupBy === 'counterparty' ? byCounterparty(side, shown) : byGroup(groups[groupBy])
  const { rows } = await sql<ReadIncome>`${sql.raw(unpreparedMark)}
    with results as materialized (
      select * from results_by_day(${from}, ${to}) r where r.kind = ${side}
    ), ${summed}
    select coalesce(json_agg(json_build_object('key', key, 'name', name, 'homeCurrency', home_currency, 'netMinor', net, 'taxMinor', tax,
        'goodsMinor', goods, 'roundingMinor', rounding, 'documentIds', ids, 'count', documents)), '[]') as sums,
      (select array(select distinct r.face_currency from results r where r.face_currency <> '')) as face_values
    from summed`.execute(db)
  return rows[0] ?? { sums: [], faceValues: [] }
}

type Group = { key: RawBuilder<unknown>; name: RawBuilder<unknown>; joins?: RawBuilder<unknown> }

const groups: Record<Exclude<Grouping, 'counterparty'>, Group> = {
  month: { key: sql`to_char(r.day, 'YYYY-MM')`, name: sql`s.key` },
  type: { key: sql`r.document_type`, name: sql`s.key` },
  account: {
    key: sql`r.account_id::text`,
    name: sql`a.code || ' ' || a.name`,
    joins: sql`left join accounts a on a.id::text = s.key`,
  },
  category: {
    key: sql`r.category_id::text`,
    name: sql`c.name`,
    joins: sql`left join expense_categories c on c.id::text = s.key`,
  },
}

/**
 * The rows of days by a group that is one of their columns. A document is in one plain row, so plain rows are counted by the length of
 * their lists. Documents in other rows (`others`: cancelled, or in several accounts) are counted one by one, if they are not in a plain
 * row of the group too (`repeated`). The lists are sorted, so the first ids of a group are among the first of its rows.
 */
const byGroup = ({ key, name, joins = sql`` }: Group) => sql`grouped as materialized (
      select ${key} as key, r.home_currency, r.is_plain, r.net_minor, r.tax_minor, r.goods_minor, r.rounding_minor, r.document_ids
      from results r
    ), others as materialized (
      select distinct g.key, g.home_currency, u.id from grouped g cross join lateral unnest(g.document_ids) u (id) where not g.is_plain
    ), repeated as materialized (
      select o.key, o.home_currency, count(*) as documents
      from grouped g cross join lateral unnest(g.document_ids) u (id) join others o on o.id = u.id
      where exists (select from others) and g.is_plain and o.home_currency = g.home_currency and o.key is not distinct from g.key group by 1, 2
    ), sums as (
      select g.key, g.home_currency, sum(g.net_minor) as net, sum(g.tax_minor) as tax, sum(g.goods_minor) as goods, sum(g.rounding_minor) as rounding,
        coalesce(sum(cardinality(g.document_ids)) filter (where g.is_plain), 0) as plain
      from grouped g group by 1, 2
    ), summed as (
      select s.*, ${name} as name, s.plain + (select count(*) from others o where ${sameGroup})
          - coalesce((select o.documents from repeated o where ${sameGroup}), 0) as documents,
        array(select i.id from (
          (select u.id from grouped o cross join lateral unnest(o.document_ids[1:${sql.lit(idsMax)}]) u (id)
            where o.is_plain and ${sameGroup} order by 1 limit ${sql.lit(idsMax)})
          union (select o.id from others o where ${sameGroup} order by 1 limit ${sql.lit(idsMax)})) i
          order by 1 limit ${sql.lit(idsMax)}) as ids
      from sums s ${joins}
    )`

const sameGroup = sql`o.home_currency = s.home_currency and o.key is not distinct from s.key`

/**
 * By customer or vendor: the lists of the rows, one document after the other. As in `byGroup`, a document is in one plain row, and the
 * documents of other rows are counted once for each party. Ids are read and sorted for the parties of the page alone, and those whose
 * amounts equal its first and last one. The vendor is a column of the expense; those of sales are quicker read twice than kept.
 */
const byCounterparty = (
  side: Side,
  { currency, first, last }: Shown,
) => sql`listed as ${side === 'SALES' ? sql`not materialized` : sql`materialized`} (
      select ${side === 'SALES' ? partyOfSale : partyOfExpense}, r.home_currency, r.is_plain, u.id, u.net, u.tax, u.goods, u.rounding
      from results r
      cross join lateral unnest(r.document_ids, r.counterparty_ids, r.nets, r.taxes, r.goods, r.roundings) u (id, party, net, tax, goods, rounding)
      ${side === 'SALES' ? sql`` : sql`join documents d on d.id = u.id left join expenses x on x.id = ${expenseOfDocument}`}
    ), others as materialized (
      select distinct l.key, l.home_currency, l.id from listed l where not l.is_plain
    ), repeated as materialized (
      select o.key, o.home_currency, count(*) as documents
      from others o join listed l on l.id = o.id and l.key = o.key and l.home_currency = o.home_currency and l.is_plain group by 1, 2
    ), added as materialized (
      select o.key, o.home_currency, count(*) as documents, array_agg(o.id) as ids from others o group by 1, 2
    ), parties as materialized (
      select l.key, l.home_currency, ${side === 'SALES' ? sql`l.key as customer_id, null::text as vendor` : sql`(array_agg(l.supplier_id))[1] as customer_id, min(l.vendor) as vendor`},
        sum(l.net) as net, sum(l.tax) as tax, sum(l.goods) as goods, sum(l.rounding) as rounding, count(*) filter (where l.is_plain) as plain
      from listed l group by 1, 2
    ), bounds as materialized (
      select min(p.net) filter (where p.rank <= ${last}) as lowest, max(p.net) filter (where p.rank >= ${first}) as highest
      from (select p.net, row_number() over (order by p.net desc) as rank from parties p where p.home_currency = ${currency}) p
    ), page as materialized (
      select p.key from parties p cross join bounds b where p.home_currency = ${currency} and p.net between b.lowest and b.highest
    ), plain_ids as materialized (
      select l.key, array_agg(l.id) as ids from listed l
      where l.is_plain and l.home_currency = ${currency} and (l.key in (select p.key from page p)) is true group by 1
    ), summed as (
      select nullif(p.key, ${nobody(side)}) as key, p.home_currency, p.net, p.tax, p.goods, p.rounding,
        ${side === 'SALES' ? sql`coalesce(c.name, c.email)` : sql`coalesce(c.name, p.vendor)`} as name,
        p.plain + coalesce(o.documents, 0) - coalesce(r.documents, 0) as documents,
        array(select distinct u.id from unnest(i.ids || o.ids) u (id) order by 1 limit ${sql.lit(idsMax)}) as ids
      from parties p
      left join added o on o.key = p.key and o.home_currency = p.home_currency
      left join repeated r on r.key = p.key and r.home_currency = p.home_currency
      left join plain_ids i on i.key = p.key and p.home_currency = ${currency}
      left join customers c on c.id = p.customer_id
    )`

/** The key of documents without a party. */
const nobody = (side: Side) => (side === 'SALES' ? sql`'00000000-0000-0000-0000-000000000000'::uuid` : sql`''`)
const partyOfSale = sql`coalesce(u.party, ${nobody('SALES')}) as key`
const partyOfExpense = sql`coalesce(x.supplier_id::text, lower(x.vendor), '') as key, x.supplier_id, x.vendor`

/** What people booked by hand to the accounts that take income or expenses in the period. */
export async function readManual(db: Database, { side, from, to }: Asked, currency: string): Promise<bigint> {
  const [purpose, mapped, sign] = side === 'SALES' ? ['REVENUE', 'INCOME', -1] : ['EXPENSES', 'EXPENSE', 1]
  const { rows } = await sql<{ minor: number }>`
    select coalesce(sum(${sign}::integer * (l.debit_minor - l.credit_minor)), 0)::float8 as minor
    from journal_entries e join journal_entry_lines l on l.organization_id = e.organization_id and l.entry_id = e.id
    where e.date between ${from} and ${to} and e.currency = ${currency} and exists (select from account_periods p
      where p.organization_id = l.organization_id and p.account_id = l.account_id
        and (p.subject = ${`PURPOSE:${purpose}`} or p.subject like ${`TAX:${mapped}:%`} or (${side} = 'EXPENSE' and p.subject like 'CATEGORY:%'))
        and e.date >= p.first_day and e.date < p.end_day)`.execute(db)
  return BigInt(rows[0]?.minor ?? 0)
}
