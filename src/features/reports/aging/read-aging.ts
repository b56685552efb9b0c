import { sql } from 'kysely'
import type { Database } from '../../../core/define/operation.ts'
import { type BucketName, bucketNames, idsMax } from './aging.ts'

export type AgedKind = 'SALES' | 'EXPENSE'

/** What is in one bucket, or the open credits. Amounts are in minor units of the main currency. */
export type AgedSum = {
  bucket: BucketName | 'credits'
  minor: number
  disputed: number
  count: number
  documentIds: string[]
  paymentIds: string[]
  entryIds: string[]
}

/** A counterparty, a name on bills, or what people entered in the journal. */
export type AgedParty = {
  counterpartyId: string | null
  name: string | null
  /** The kind of journal entries that the row has, instead of documents. */
  entries: 'OPENING' | 'MANUAL' | null
  sums: AgedSum[]
}

export type AskedAging = { kind: AgedKind; asOf: string; currency: string; first: number; last: number }

export type ReadAging = {
  /** From the place `first` to `last`, by their totals. */
  parties: AgedParty[]
  /** Of all of them. */
  totals: AgedSum[]
  partyCount: number
  /** The main currencies in which something is booked, and those whose rate was not known. */
  homes: string[]
  faceValues: string[]
}

/** The buckets in the order of their numbers in the statement. */
const buckets = [...bucketNames, 'credits'] as const

type Numbered = Omit<AgedSum, 'bucket'> & { bucket: number }
type Row = Omit<ReadAging, 'parties' | 'totals'> & {
  parties: (Omit<AgedParty, 'sums'> & { rank: number; sums: Numbered[] })[]
  totals: Numbered[]
}

/**
 * An aging: one statement, which reads open documents and what has changed since the day (`aged_items()`). Only the parties of the page
 * have names and ids. `is true` makes PostgreSQL look parties up in a hash table, because it cannot know how many there are.
 */
export async function readAging(db: Database, { kind, asOf, currency, first, last }: AskedAging): Promise<ReadAging> {
  const { rows } = await sql<Row>`
    with items as materialized (
      select * from aged_items(${kind}, ${asOf}::date)
    ), summed as materialized (
      select i.party, i.bucket, i.home_currency, sum(i.home_minor) as minor, sum(i.home_minor) filter (where i.in_dispute) as disputed, count(*) as count
      from items i group by i.party, i.bucket, i.home_currency
    ), ranked as materialized (
      select r.party, row_number() over (order by r.total desc, r.credits, r.party) as rank
      from (select s.party, coalesce(sum(s.minor) filter (where s.bucket < 5), 0) as total, coalesce(sum(s.minor) filter (where s.bucket = 5), 0) as credits
        from summed s where s.home_currency = ${currency} group by s.party) r
    ), page as materialized (
      select r.party, r.rank from ranked r where r.rank between ${first} and ${last}
    ), ids as materialized (
      select i.party, i.bucket, min(i.vendor) as vendor, min(i.entries) as entries, ${idsOf(sql`i.document_id`)} as document_ids,
        ${idsOf(sql`i.payment_id`, sql` and i.document_id is null`)} as payment_ids, ${idsOf(sql`i.entry_id`)} as entry_ids
      from items i where (i.party in (select p.party from page p)) is true and i.home_currency = ${currency} group by 1, 2
    ), figures as (
      select s.party, min(i.vendor) as vendor, min(i.entries) as entries, jsonb_agg(jsonb_build_object('bucket', s.bucket, 'minor', s.minor,
        'disputed', coalesce(s.disputed, 0), 'count', s.count, 'documentIds', coalesce(i.document_ids, '{}'), 'paymentIds', coalesce(i.payment_ids, '{}'),
        'entryIds', coalesce(i.entry_ids, '{}')) order by s.bucket) as sums
      from summed s join ids i on i.party = s.party and i.bucket = s.bucket
      where (s.party in (select p.party from page p)) is true and s.home_currency = ${currency} group by 1
    ), others as materialized (
      select * from items i where (i.bucket = 5 or i.entry_id is not null) and i.home_currency = ${currency}
    ), totals as (
      select s.bucket, sum(s.minor) as minor, sum(s.disputed) as disputed, sum(s.count) as count
      from summed s where s.home_currency = ${currency} group by 1
    )
    select (select coalesce(jsonb_agg(jsonb_build_object('rank', p.rank, 'counterpartyId', c.id, 'name', coalesce(c.name, c.email, f.vendor),
          'entries', f.entries, 'sums', f.sums)), '[]')
        from page p join figures f on f.party = p.party left join customers c on c.id = p.party) as parties,
      (select coalesce(jsonb_agg(jsonb_build_object('bucket', t.bucket, 'minor', t.minor, 'disputed', coalesce(t.disputed, 0), 'count', t.count,
          'documentIds', case when t.bucket < 5 then array(select i.document_id from items i where i.bucket = t.bucket and i.home_currency = ${currency}
              and i.document_id is not null order by i.due, i.document_id limit ${idsMax})
            else array(select i.document_id from others i where i.document_id is not null order by i.document_id limit ${idsMax}) end,
          'paymentIds', array(select i.payment_id from others i where i.payment_id is not null and i.document_id is null and i.bucket = t.bucket
            order by i.payment_id limit ${idsMax}),
          'entryIds', array(select i.entry_id from others i where i.entry_id is not null and i.bucket = t.bucket order by i.due, i.entry_id limit ${idsMax}))), '[]')
        from totals t) as totals,
      (select count(*)::integer from ranked) as party_count,
      array(select distinct s.home_currency from summed s) as homes,
      array(select distinct i.currency from items i where not i.rate_known) as face_values`.execute(db)
  const [read = { parties: [], totals: [], partyCount: 0, homes: [], faceValues: [] }] = rows
  return {
    ...read,
    parties: read.parties
      .toSorted((one, other) => one.rank - other.rank)
      .map(({ rank: _, ...party }) => ({ ...party, sums: party.sums.map(named) })),
    totals: read.totals.map(named),
  }
}

/** The first ids of a group by due date. */
const idsOf = (id: ReturnType<typeof sql>, more = sql``) =>
  sql`(array_agg(${id} order by i.due, ${id}) filter (where ${id} is not null${more}))[1:${sql.lit(idsMax)}]`

const named = (sum: Numbered): AgedSum => ({ ...sum, bucket: buckets[sum.bucket] ?? 'over90' })
