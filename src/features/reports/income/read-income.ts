import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../core/define/operation.ts'
import { unpreparedMark } from '../../../db/batch.ts'
import { eventsPerPart, lowest, type Part, partsOf } from '../read-journal.ts'
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
  documentIds: string[]
  count: number
  faceValues: string[]
}

export type Asked = { side: Side; groupBy: Grouping; from: string; to: string }

/** How long the journal is read; a request has eleven seconds of the database. */
const withinMs = 8_000

/** What was booked to income or expenses in a period by group, read in parts of the journal. Undefined if that takes too long. */
export async function readIncome(db: Database, asked: Asked): Promise<IncomeSum[] | undefined> {
  const until = performance.now() + withinMs
  const sums = new Map<string, IncomeSum>()
  for await (const part of partsOf(db, asked, { day: asked.from, id: lowest }, eventsPerPart)) {
    for (const sum of await readPart(db, asked, part)) add(sums, sum)
    if (!part.isLast && performance.now() > until) return undefined
  }
  return [...sums.values()]
}

function add(sums: Map<string, IncomeSum>, sum: IncomeSum) {
  const place = `${sum.homeCurrency}:${sum.key ?? ''}`
  const before = sums.get(place)
  if (!before) return void sums.set(place, sum)
  before.netMinor += sum.netMinor
  before.taxMinor += sum.taxMinor
  before.goodsMinor += sum.goodsMinor
  before.roundingMinor += sum.roundingMinor
  before.count += sum.count
  if (before.documentIds.length < idsMax) {
    before.documentIds = [...before.documentIds, ...sum.documentIds].slice(0, idsMax)
  }
  before.faceValues = [...new Set([...before.faceValues, ...sum.faceValues])]
}

/**
 * The lines of a part on income or expenses, tax, goods and rounding. What a document books to several accounts or categories
 * takes its share of the tax in proportion, so that the groups add up to the document.
 */
async function readPart(db: Database, { side, groupBy }: Asked, { first, last }: Part): Promise<IncomeSum[]> {
  const [direction, result, sign] = side === 'SALES' ? ['OUTGOING', 'REVENUE', -1] : ['INCOMING', 'EXPENSES', 1]
  const { rows } = await sql<{ sums: IncomeSum[] }>`${sql.raw(unpreparedMark)}
    with booked as materialized (
      select j.day, j.event, j.document_id, j.account = ${result} as is_net, j.account, ${partKey[groupBy] ?? sql`null::text`} as part,
        j.currency, j.home_currency, j.exchange_rate is null and j.currency <> j.home_currency as is_face_value, ${sign}::integer * j.home_minor as minor
      from journal_lines(${first.day}, ${first.id}, ${last.day}, ${last.id}) j
      ${groupBy === 'account' ? accountOfLine : sql``}
      where j.document_id is not null and j.direction = ${direction} and (j.account in (${result}, 'TAX')
        or j.account in ('ROUNDING', 'GOODS_RECEIVED') and j.event in ('ISSUED', 'CREDITED', 'CANCELLED', 'CONVERTED'))
    ), whole as (
      select b.document_id, b.event, b.day, b.home_currency, sum(b.minor) filter (where b.account = 'TAX') as tax,
        sum(b.minor) filter (where b.account = 'GOODS_RECEIVED') as goods, sum(b.minor) filter (where b.account = 'ROUNDING') as rounding,
        min(b.currency) filter (where b.is_face_value) as face_value
      from booked b group by 1, 2, 3, 4
    ), net as (
      select n.*, sum(n.net) over w as upto, sum(n.net) over (partition by n.document_id, n.event, n.home_currency) as all_net,
        row_number() over w = 1 as is_first
      from (select b.document_id, b.event, b.home_currency, b.part, sum(b.minor) as net from booked b where b.is_net group by 1, 2, 3, 4) n
      window w as (partition by n.document_id, n.event, n.home_currency order by n.part nulls first)
    ), shared as (
      select w.document_id, w.day, w.home_currency, w.face_value, n.part, coalesce(n.net, 0) as net, ${share(sql`w.tax`)} as tax,
        ${share(sql`w.goods`)} as goods, ${share(sql`w.rounding`)} as rounding
      from whole w left join net n on n.document_id = w.document_id and n.event = w.event and n.home_currency = w.home_currency
    ), summed as (
      select ${keyOf(side, groupBy)} as key, ${nameOf(side, groupBy)} as name, s.home_currency, sum(s.net) as net, sum(s.tax) as tax, sum(s.goods) as goods,
        sum(s.rounding) as rounding, array_agg(distinct s.document_id) as ids, array_agg(distinct s.face_value) filter (where s.face_value is not null) as face_values
      from shared s join documents d on d.id = s.document_id ${joinsOf(side, groupBy)}
      group by 1, 3
    )
    select coalesce(jsonb_agg(jsonb_build_object('key', key, 'name', name, 'homeCurrency', home_currency, 'netMinor', net, 'taxMinor', tax,
      'goodsMinor', goods, 'roundingMinor', rounding, 'documentIds', to_jsonb(ids[1:${sql.lit(idsMax)}]), 'count', cardinality(ids),
      'faceValues', coalesce(to_jsonb(face_values), '[]'))), '[]') as sums from summed`.execute(db)
  return rows[0]?.sums ?? []
}

/** The share of a part in an amount of its document. */
const share = (
  amount: RawBuilder<unknown>,
) => sql`case when ${amount} is null then 0 when n.document_id is null then ${amount}
  when n.all_net = 0 then case when n.is_first then ${amount} else 0 end
  else round(${amount} * n.upto / n.all_net) - round(${amount} * (n.upto - n.net) / n.all_net) end`

/** What divides the net amount of one document. */
const partKey: Partial<Record<Grouping, RawBuilder<unknown>>> = {
  account: sql`coalesce(tax.account_id, standard.account_id)::text`,
  category: sql`case when j.tax_category like 'CATEGORY:%' then substr(j.tax_category, 10) end`,
}

/** The account that takes a line of income or expenses on its day. */
const accountOfLine = sql`
  left join account_periods tax on tax.subject = case when j.tax_category like 'CATEGORY:%' then '' else 'TAX:' ||
      case j.direction when 'OUTGOING' then 'INCOME' else 'EXPENSE' end || ':' end || j.tax_category
    and j.day >= tax.first_day and j.day < tax.end_day
  left join account_periods standard on standard.subject = 'PURPOSE:' || j.account and j.day >= standard.first_day and j.day < standard.end_day`

function keyOf(side: Side, groupBy: Grouping) {
  if (groupBy === 'month') return sql`to_char(s.day, 'YYYY-MM')`
  if (groupBy === 'type') return sql`d.document_type`
  if (groupBy !== 'counterparty') return sql`s.part`
  return side === 'SALES' ? sql`d.counterparty_id::text` : sql`coalesce(x.supplier_id::text, lower(x.vendor))`
}

function nameOf(side: Side, groupBy: Grouping) {
  if (groupBy === 'month') return sql`min(to_char(s.day, 'YYYY-MM'))`
  if (groupBy === 'type') return sql`min(d.document_type)`
  if (groupBy === 'account') return sql`min(a.code || ' ' || a.name)`
  if (groupBy === 'category') return sql`min(c.name)`
  return side === 'SALES' ? sql`min(coalesce(c.name, c.email))` : sql`min(coalesce(c.name, x.vendor))`
}

function joinsOf(side: Side, groupBy: Grouping) {
  if (groupBy === 'account') return sql`left join accounts a on a.id::text = s.part`
  if (groupBy === 'category') return sql`left join expense_categories c on c.id::text = s.part`
  if (groupBy !== 'counterparty') return sql``
  return side === 'SALES'
    ? sql`left join customers c on c.id = d.counterparty_id`
    : sql`left join expenses x on x.id = coalesce(d.source_document_id, d.id) left join customers c on c.id = x.supplier_id`
}

/** What people booked by hand to the accounts that take income or expenses in the period. */
export async function readManual(db: Database, { side, from, to }: Asked, currency: string): Promise<number> {
  const [purpose, mapped, sign] = side === 'SALES' ? ['REVENUE', 'INCOME', -1] : ['EXPENSES', 'EXPENSE', 1]
  const { rows } = await sql<{ minor: number }>`
    select coalesce(sum(${sign}::integer * (l.debit_minor - l.credit_minor)), 0)::float8 as minor
    from journal_entries e join journal_entry_lines l on l.organization_id = e.organization_id and l.entry_id = e.id
    where e.date between ${from} and ${to} and e.currency = ${currency} and exists (select from account_periods p
      where p.organization_id = l.organization_id and p.account_id = l.account_id
        and (p.subject = ${`PURPOSE:${purpose}`} or p.subject like ${`TAX:${mapped}:%`} or (${side} = 'EXPENSE' and p.subject like 'CATEGORY:%'))
        and e.date >= p.first_day and e.date < p.end_day)`.execute(db)
  return rows[0]?.minor ?? 0
}
