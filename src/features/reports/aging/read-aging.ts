import { sql } from 'kysely'
import type { Database } from '../../../core/define/operation.ts'
import { unpreparedMark } from '../../../db/batch.ts'
import { type BucketName, bucketNames, idsMax } from './aging.ts'

export type AgedKind = 'SALES' | 'EXPENSE'

/** What a counterparty owes, or is owed, in one bucket; or its open credits. Amounts are in minor units of the home currency. */
export type AgedSum = {
  counterpartyId: string | null
  name: string | null
  bucket: BucketName | 'credits'
  homeCurrency: string
  homeMinor: number
  disputedMinor: number
  count: number
  /** The place of the counterparty by its total, from 1. */
  rank: number
  documentIds: string[]
  paymentIds: string[]
}

type Ids = { documentIds: string[]; paymentIds: string[] }

export type AskedAging = { kind: AgedKind; asOf: string; currency: string; page: number; limit: number }

/** An aging as it is read: the first ids of each bucket, and the currencies whose rate was not known. */
export type ReadAging = { sums: AgedSum[]; firsts: Record<string, Ids>; faceValues: string[] }

/** The buckets in the order of their numbers in the statement. */
const buckets = [...bucketNames, 'credits'] as const

type Row = { sums: (Omit<AgedSum, 'bucket'> & { bucket: number })[]; firsts: Record<string, Ids>; faceValues: string[] }

/**
 * The sums of an aging by counterparty and bucket: one statement, which reads open documents and what has changed since the day.
 * It groups by numbers, and the ids of a bucket come in the order of the rows, because sorting text takes longer than the rest. Only the
 * counterparties of the page have ids.
 */
export async function readAging(db: Database, { kind, asOf, currency, page, limit }: AskedAging): Promise<ReadAging> {
  const { rows } = await sql<Row>`${sql.raw(unpreparedMark)}
    with owed as materialized (
      select b.counterparty_id, ${vendorOf(kind)} as vendor, case when b.due >= ${asOf}::date then 0 when b.due >= ${asOf}::date - 30 then 1
          when b.due >= ${asOf}::date - 60 then 2 when b.due >= ${asOf}::date - 90 then 3 else 4 end as bucket,
        b.home_currency, b.home_minor, b.in_dispute, b.document_id, null::uuid as payment_id, b.currency, b.rate_known
      from (select * from open_balances(${kind}, ${asOf}) order by due, document_id) b
      union all
      select c.counterparty_id, null, 5, c.home_currency, c.home_minor, false, c.memo_id, c.payment_id, c.currency, c.rate_known
      from open_credits(${kind}, ${asOf}) c
    ), summed as (
      select o.counterparty_id, o.vendor, coalesce(o.counterparty_id::text, o.vendor, '') as party, o.bucket, o.home_currency, sum(o.home_minor) as home_minor,
        coalesce(sum(o.home_minor) filter (where o.in_dispute), 0) as disputed_minor, count(*) as count,
        (array_agg(o.document_id) filter (where o.document_id is not null))[1:${sql.lit(idsMax)}] as document_ids,
        (array_agg(o.payment_id) filter (where o.payment_id is not null and o.document_id is null))[1:${sql.lit(idsMax)}] as payment_ids
      from owed o group by o.counterparty_id, o.vendor, o.bucket, o.home_currency
    ), ranked as (
      select r.party, row_number() over (order by r.total desc, r.credits, r.party collate "C") as rank
      from (select s.party, coalesce(sum(s.home_minor) filter (where s.bucket < 5), 0) as total,
          coalesce(sum(s.home_minor) filter (where s.bucket = 5), 0) as credits
        from summed s where s.home_currency = ${currency} group by 1) r
    ), firsts as (
      select o.bucket, (array_agg(o.document_id) filter (where o.document_id is not null))[1:${sql.lit(idsMax)}] as document_ids,
        (array_agg(o.payment_id) filter (where o.payment_id is not null and o.document_id is null))[1:${sql.lit(idsMax)}] as payment_ids
      from owed o where o.home_currency = ${currency} group by o.bucket
    )
    select coalesce(jsonb_agg(jsonb_build_object('counterpartyId', s.counterparty_id, 'name', coalesce(c.name, c.email, s.vendor), 'bucket', s.bucket,
        'homeCurrency', s.home_currency, 'homeMinor', s.home_minor, 'disputedMinor', s.disputed_minor, 'count', s.count, 'rank', coalesce(r.rank, 0),
        'documentIds', case when r.rank between ${(page - 1) * limit + 1} and ${page * limit} then coalesce(to_jsonb(s.document_ids), '[]') else '[]' end,
        'paymentIds', case when r.rank between ${(page - 1) * limit + 1} and ${page * limit} then coalesce(to_jsonb(s.payment_ids), '[]') else '[]' end)), '[]') as sums,
      (select coalesce(jsonb_object_agg(f.bucket, jsonb_build_object('documentIds', coalesce(to_jsonb(f.document_ids), '[]'),
        'paymentIds', coalesce(to_jsonb(f.payment_ids), '[]'))), '{}') from firsts f) as firsts,
      (select coalesce(jsonb_agg(distinct o.currency), '[]') from owed o where not o.rate_known) as face_values
    from summed s left join customers c on c.id = s.counterparty_id
      left join ranked r on r.party = s.party`.execute(db)
  const [{ sums, firsts, faceValues } = { sums: [], firsts: {}, faceValues: [] }] = rows
  return {
    sums: sums.map((sum): AgedSum => ({ ...sum, bucket: buckets[sum.bucket] ?? 'over90' })),
    firsts: Object.fromEntries(Object.entries(firsts).map(([bucket, ids]) => [buckets[Number(bucket)] ?? '', ids])),
    faceValues,
  }
}

/** The name on a bill whose supplier is not in the books. */
const vendorOf = (kind: AgedKind) =>
  kind === 'SALES'
    ? sql`null::text`
    : sql`case when b.counterparty_id is null then (select x.vendor from expenses x where x.id = b.document_id) end`
