import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../core/define/operation.ts'
import { unpreparedMark } from '../../../db/batch.ts'
import { lowest, type Part, partsOf } from '../read-journal.ts'
import { eventsPerResultPart, resultLines } from '../result-lines.ts'
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
  for await (const part of partsOf(db, asked, { day: asked.from, id: lowest }, eventsPerResultPart)) {
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
 * takes its share of the tax in proportion, so that the groups add up to the document. Windows instead of a join: PostgreSQL expects few
 * documents and would compare each with each.
 */
async function readPart(db: Database, { side, groupBy }: Asked, part: Part): Promise<IncomeSum[]> {
  const [direction, result, sign] = side === 'SALES' ? ['OUTGOING', 'REVENUE', -1] : ['INCOMING', 'EXPENSES', 1]
  const { rows } = await sql<{ sums: IncomeSum[] }>`${sql.raw(unpreparedMark)}
    with booked as materialized (
      select j.day, j.event, j.document_id, j.account = ${result} as is_net, j.account, ${partKey[groupBy] ?? sql`null::text`} as part,
        j.currency, j.home_currency, j.exchange_rate is null and j.currency <> j.home_currency as is_face_value, ${sign}::integer * j.home_minor as minor
      from ${resultLines(part, [side])} j
      ${groupBy === 'account' ? accountOfLine : sql``}
      where j.document_id is not null and j.direction = ${direction} and (j.account in (${result}, 'TAX')
        or j.account in ('ROUNDING', 'GOODS_RECEIVED') and j.event in ('ISSUED', 'CREDITED', 'CANCELLED', 'CONVERTED'))
    ), parts as (
      select b.document_id, b.event, b.day, b.home_currency, b.part, sum(b.minor) filter (where b.is_net) as net,
        sum(b.minor) filter (where b.account = 'TAX') as tax, sum(b.minor) filter (where b.account = 'GOODS_RECEIVED') as goods,
        sum(b.minor) filter (where b.account = 'ROUNDING') as rounding, min(b.currency) filter (where b.is_face_value) as face_value
      from booked b group by 1, 2, 3, 4, 5
    ), placed as (
      select p.document_id, p.day, p.home_currency, p.part, p.net, sum(p.net) over w as upto, sum(p.net) over d as all_net, row_number() over w = 1 as is_first,
        sum(p.tax) over d as tax, sum(p.goods) over d as goods, sum(p.rounding) over d as rounding, min(p.face_value) over d as face_value
      from parts p
      window d as (partition by p.document_id, p.event, p.day, p.home_currency),
        w as (partition by p.document_id, p.event, p.day, p.home_currency order by p.net is null, p.part nulls first)
    ), shared as (
      select p.document_id, p.day, p.home_currency, p.face_value, p.part, coalesce(p.net, 0) as net, ${share(sql`p.tax`)} as tax,
        ${share(sql`p.goods`)} as goods, ${share(sql`p.rounding`)} as rounding
      from placed p where p.net is not null or p.is_first
    ), summed as (
      select ${keyOf(side, groupBy)} as key, ${nameOf(side, groupBy)} as name, s.home_currency, sum(s.net) as net, sum(s.tax) as tax, sum(s.goods) as goods,
        sum(s.rounding) as rounding, array_agg(distinct s.document_id) as ids, array_agg(distinct s.face_value) filter (where s.face_value is not null) as face_values
      from shared s join documents d on d.id = s.document_id and d.kind = ${side} ${joinsOf(side, groupBy)}
      group by 1, 3
    )
    select coalesce(jsonb_agg(jsonb_build_object('key', key, 'name', name, 'homeCurrency', home_currency, 'netMinor', net, 'taxMinor', tax,
      'goodsMinor', goods, 'roundingMinor', rounding, 'documentIds', to_jsonb(ids[1:${sql.lit(idsMax)}]), 'count', cardinality(ids),
      'faceValues', coalesce(to_jsonb(face_values), '[]'))), '[]') as sums from summed`.execute(db)
  return rows[0]?.sums ?? []
}

/** The share of a part in an amount of its document. A document without net amount has it in its only part. */
const share = (amount: RawBuilder<unknown>) => sql`case when ${amount} is null then 0
  when coalesce(p.all_net, 0) = 0 then case when p.is_first then ${amount} else 0 end
  else round(${amount} * p.upto / p.all_net) - round(${amount} * (p.upto - p.net) / p.all_net) end`

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
