import { sql } from 'kysely'
import type { Database } from '../../../../core/define/operation.ts'
import { unpreparedMark } from '../../../../db/wire/batch.ts'
import { storeSums } from '../statements/sums.ts'
import type { Asked, TaxSum } from './read-tax.ts'
import { idsMax } from './tax.ts'

/**
 * What was booked as tax in a period: stored rows of its days, and computed ones of days that changed since. A bill without a rate has
 * the one of `rates` that gives its tax; a few documents are divided only when that is known. Documents are counted as in the report on
 * income (`readIncome`).
 */
export async function readStoredTax(db: Database, { from, to, currency, rates }: Asked): Promise<TaxSum[]> {
  await storeSums(db)
  const { rows } = await sql<{ sums: TaxSum[] }>`${sql.raw(unpreparedMark)}
    with booked as materialized (
      select to_char(t.day, 'YYYY-MM') as month, t.* from taxes_by_day(${from}, ${to}) t where t.home_currency = ${currency}
    ), divided as materialized (
      select b.month, b.direction, b.rate, b.category, b.is_credit, b.is_plain, b.face_currency, b.base_minor, b.tax_minor, b.document_ids
      from booked b where b.is_divided and b.charged_minor is null
      union all
      select b.month, b.direction, coalesce(b.rate, found_rate(b.charged_minor, b.gross_minor, ${rates}::numeric[])), b.category, b.is_credit, b.is_plain,
        b.face_currency, sum(b.base_minor), sum(b.tax_minor), array_agg(b.document_ids[1] order by b.document_ids[1])
      from booked b where b.is_divided and b.charged_minor is not null group by 1, 2, 3, 4, 5, 6, 7
      union all
      select b.month, b.direction, s.rate, s.category, b.is_credit, false, b.face_currency, s.base_minor, s.tax_minor, b.document_ids
      from booked b cross join lateral tax_shares(b.organization_id, b.document_ids[1], bill_rate(b.organization_id, b.document_ids[1], ${rates}::numeric[]),
        b.base_minor, b.tax_minor) s
      where not b.is_divided
    ), others as materialized (
      select distinct d.month, d.direction, d.rate, d.category, u.id from divided d cross join lateral unnest(d.document_ids) u (id) where not d.is_plain
    ), repeated as materialized (
      select o.month, o.direction, o.rate, o.category, count(*) as documents
      from divided d cross join lateral unnest(d.document_ids) u (id) join others o on o.id = u.id
      where exists (select from others) and d.is_plain and (o.month, o.direction) = (d.month, d.direction) and o.rate is not distinct from d.rate and o.category is not distinct from d.category
      group by 1, 2, 3, 4
    ), summed as (
      select d.month, d.direction, d.rate, d.category, sum(d.base_minor) as base, sum(d.tax_minor) as tax,
        coalesce(sum(-d.base_minor) filter (where d.is_credit), 0) as credited_base, coalesce(sum(-d.tax_minor) filter (where d.is_credit), 0) as credited_tax,
        coalesce(sum(cardinality(d.document_ids)) filter (where d.is_plain), 0) as plain,
        array_agg(distinct d.face_currency) filter (where d.face_currency <> '') as face_values
      from divided d group by 1, 2, 3, 4
    )
    select coalesce(jsonb_agg(jsonb_build_object('month', s.month, 'side', case s.direction when 'OUTGOING' then 'OUTPUT' else 'INPUT' end, 'rate', s.rate,
      'category', s.category, 'baseMinor', s.base, 'taxMinor', s.tax, 'creditedBaseMinor', s.credited_base, 'creditedTaxMinor', s.credited_tax,
      'documentIds', to_jsonb(${firstIds}), 'count', s.plain + (select count(*) from others o where ${sameGroup})
        - coalesce((select o.documents from repeated o where ${sameGroup}), 0),
      'faceValues', coalesce(to_jsonb(s.face_values), '[]')) order by s.month), '[]') as sums from summed s`.execute(db)
  return rows[0]?.sums ?? []
}

const sameGroup = sql`(o.month, o.direction) = (s.month, s.direction) and o.rate is not distinct from s.rate and o.category is not distinct from s.category`

const firstIds = sql`array(select i.id from (
    (select u.id from divided o cross join lateral unnest(o.document_ids[1:${sql.lit(idsMax)}]) u (id) where o.is_plain and ${sameGroup}
      order by 1 limit ${sql.lit(idsMax)})
    union (select o.id from others o where ${sameGroup} order by 1 limit ${sql.lit(idsMax)})) i
  order by 1 limit ${sql.lit(idsMax)})`
