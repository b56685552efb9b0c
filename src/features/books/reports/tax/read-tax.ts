import { sql } from 'kysely'
import type { Database } from '../../../../core/define/operation.ts'
import { addMonths } from '../../../../core/values/day.ts'
import type { Country } from '../../../../countries/country.ts'
import { unpreparedMark } from '../../../../db/wire/batch.ts'
import { lowest, type Part, partsOf } from '../read-journal.ts'
import { eventsPerResultPart, expenseOfDocument, resultLines } from '../result-lines.ts'
import { idsMax } from './tax.ts'

/** Documents of one month, rate and category. Amounts are in minor units of the country's currency. */
export type TaxSum = {
  month: string
  side: 'OUTPUT' | 'INPUT'
  rate: number | null
  category: string | null
  baseMinor: number
  taxMinor: number
  creditedBaseMinor: number
  creditedTaxMinor: number
  documentIds: string[]
  count: number
  /** Currencies whose rate to the country's currency was not known. */
  faceValues: string[]
}

/** `rates` are the rates of the country in the period. */
export type Asked = { from: string; to: string; home: string; currency: string; rates: readonly number[] }

/** The standard rates of the country in a period, by the days on which months begin and its own first and last day. */
export function ratesIn(rules: Country, from: string, to: string): number[] {
  const days = [from, to]
  for (let day = `${from.slice(0, 7)}-01`; day <= to && days.length < 1_200; day = addMonths(day, 1)) days.push(day)
  return [...new Set(days.flatMap((day) => rules.documents.taxRateOn(day) ?? []))]
}

const withinMs = 7_000

/** What was booked as tax in a period, by month, rate and category of the lines, from the journal. Undefined if that takes too long. */
export async function readTax(db: Database, asked: Asked): Promise<TaxSum[] | undefined> {
  const until = performance.now() + withinMs
  const sums: TaxSum[] = []
  for await (const part of partsOf(db, asked, { day: asked.from, id: lowest }, eventsPerResultPart)) {
    sums.push(...(await readPart(db, asked, part)))
    if (!part.isLast && performance.now() > until) return undefined
  }
  return sums
}

/** The amount that is the base or the tax of an event, in the country's currency. */
const inCountry = ({ home, currency }: Asked) =>
  home === currency ? sql`j.home_minor` : sql`home_minor(j.minor, j.currency, ${currency}, d.country_rate)`

/** An event's amount divided by the net amounts (`net`) or the tax (`weight`) of the groups, in cumulative rounding. */
const divided = (amount: string, by: 'net' | 'weight') =>
  sql.raw(`case when l.all_${by} is null or l.all_${by} = 0 then case when l.is_first is not false then coalesce(l.${amount}, 0) else 0 end
    else round(coalesce(l.${amount}, 0) * l.${by}_upto / l.all_${by}) - round(coalesce(l.${amount}, 0) * (l.${by}_upto - l.${by}) / l.all_${by}) end`)

/**
 * The lines of a part on income, expenses and tax, as the common table expression `shared`. An event is divided among the rates and
 * categories of the document's lines in proportion, so that the parts add up to what the journal has. A bill that has an amount of tax
 * and no rate has the rate of the country that gives this amount, if one does. With `withOriginal` there are also the amounts in the
 * currency of the document.
 */
export function sharedTax(asked: Asked, part: Part, { withOriginal = false } = {}) {
  const { home, currency, rates } = asked
  const minor = inCountry(asked)
  const isKnown =
    home === currency
      ? sql`j.exchange_rate is not null or j.currency = j.home_currency`
      : sql`d.country_rate is not null or j.currency = ${currency}`
  const signed = sql`case j.direction when 'OUTGOING' then -1 else 1 end`
  const originals = withOriginal
    ? {
        booked: sql`, sum(${signed} * j.minor) filter (where j.account <> 'TAX') as original_base,
        sum(${signed} * j.minor) filter (where j.account = 'TAX') as original_tax`,
        shared: sql`, ${divided('original_base', 'net')} as original_base, ${divided('original_tax', 'weight')} as original_tax`,
      }
    : { booked: sql``, shared: sql`` }
  return sql`with booked as materialized (
      select j.document_id, j.event, j.day, j.direction, min(j.currency) filter (where not (${isKnown})) as face_value,
        sum(${signed} * ${minor}) filter (where j.account <> 'TAX') as base,
        sum(${signed} * ${minor}) filter (where j.account = 'TAX') as tax ${originals.booked}
      from ${resultLines(part)} j
      join documents d on d.id = j.document_id
      where (j.account in ('REVENUE', 'EXPENSES', 'TAX') or j.account = 'GOODS_RECEIVED' and j.event <> 'STOCK')
        and (${home} <> ${currency} or j.home_currency = ${currency})
      group by 1, 2, 3, 4
    ), lines as (
      select b.*, g.rate, g.category, g.is_first, g.net, g.net_upto, g.all_net, g.weight, g.weight_upto, g.all_weight
      from booked b
      join documents d on d.id = b.document_id
      left join lateral (
        select r.rate from expenses e join documents s on s.id = e.id cross join unnest(${rates}::numeric[]) r (rate)
        where b.direction = 'INCOMING' and d.tax_rate is null and e.id = ${expenseOfDocument} and e.charged_tax_minor > 0
          and abs(e.charged_tax_minor - round((s.total_minor - e.charged_tax_minor) * r.rate / 100)) <= 1
        order by r.rate desc limit 1) found on true
      left join lateral (
        select l.rate, l.category, row_number() over w = 1 as is_first, l.net, sum(l.net) over w as net_upto, sum(l.net) over () as all_net,
          l.net * coalesce(l.rate, 0) as weight, sum(l.net * coalesce(l.rate, 0)) over w as weight_upto, sum(l.net * coalesce(l.rate, 0)) over () as all_weight
        from (select coalesce(l.tax_rate, d.tax_rate, found.rate) as rate, tax_code(l.tax_category) as category, sum(l.amount_minor) as net
          from document_lines l where l.document_id = d.id group by 1, 2) l
        window w as (order by l.rate nulls first, l.category nulls first)) g on true
    ), shared as (
      select l.document_id, l.day, l.event, l.direction, l.rate, l.category, l.face_value,
        ${divided('base', 'net')} as base, ${divided('tax', 'weight')} as tax ${originals.shared}
      from lines l
    )`
}

async function readPart(db: Database, asked: Asked, part: Part): Promise<TaxSum[]> {
  const { rows } = await sql<{ sums: TaxSum[] }>`${sql.raw(unpreparedMark)}
    ${sharedTax(asked, part)}, summed as (
      select to_char(s.day, 'YYYY-MM') as month, case s.direction when 'OUTGOING' then 'OUTPUT' else 'INPUT' end as side, s.rate, s.category,
        sum(s.base) as base, sum(s.tax) as tax, coalesce(sum(-s.base) filter (where s.event = 'CREDITED'), 0) as credited_base,
        coalesce(sum(-s.tax) filter (where s.event = 'CREDITED'), 0) as credited_tax, array_agg(distinct s.document_id) as ids,
        array_agg(distinct s.face_value) filter (where s.face_value is not null) as face_values
      from shared s group by 1, 2, 3, 4
    )
    select coalesce(jsonb_agg(jsonb_build_object('month', month, 'side', side, 'rate', rate, 'category', category, 'baseMinor', base, 'taxMinor', tax,
      'creditedBaseMinor', credited_base, 'creditedTaxMinor', credited_tax, 'documentIds', to_jsonb(ids[1:${sql.lit(idsMax)}]), 'count', cardinality(ids),
      'faceValues', coalesce(to_jsonb(face_values), '[]'))), '[]') as sums from summed`.execute(db)
  return rows[0]?.sums ?? []
}
