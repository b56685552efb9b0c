import { sql } from 'kysely'
import type { Database } from '../../../../core/define/operation.ts'
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
  /** Earlier main currencies in which something is booked, and currencies whose rate was not known. */
  earlierHomes: string[]
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
 * An aging: one statement, which adds up the open documents by party and bucket (`aged_sums()`) and reads one by one what needs more: partly
 * paid documents, credits, entries (`aged_others()`). Only the parties of the page have names and ids. `is true` makes PostgreSQL look parties
 * up in a hash table, because it cannot know how many there are.
 */
export async function readAging(db: Database, { kind, asOf, currency, first, last }: AskedAging): Promise<ReadAging> {
  const { rows } = await sql<Row>`
    with others as materialized (
      select * from aged_others(${kind}, ${asOf}::date)
    ), summed as materialized (
      select s.party, s.bucket, s.earlier_home, s.earlier_home is null as is_main, s.face_currency, s.home_minor, s.disputed, s.documents
      from aged_sums(${kind}, ${asOf}::date) s
      union all
      select i.party, i.bucket, nullif(i.home_currency, ${currency}), i.home_currency = ${currency}, case when not i.rate_known then i.currency end, i.home_minor,
        case when i.in_dispute then i.home_minor end, 1
      from others i
    ), ranked as materialized (
      select r.party, row_number() over (order by r.total desc, r.credits, r.party) as rank
      from (select s.party, coalesce(sum(s.home_minor) filter (where s.bucket < 5), 0) as total,
          coalesce(sum(s.home_minor) filter (where s.bucket = 5), 0) as credits
        from summed s where s.is_main group by s.party) r
    ), page as materialized (
      select r.party, r.rank from ranked r where r.rank between ${first} and ${last}
    ), listed as (
      select i.party, i.bucket, i.vendor, i.entries, i.due, i.document_id, case when i.document_id is null then i.payment_id end as payment_id, i.entry_id
      from others i where (i.party in (select p.party from page p)) is true and i.home_currency = ${currency}
      union all
      select a.party, a.bucket, null, null, a.due, a.document_id, null, null
      from aged_of_parties(${kind}, ${asOf}::date, ${currency}, array(select p.party from page p)) a
      order by party, bucket, due, document_id, payment_id, entry_id
    ), ids as materialized (
      select i.party, i.bucket, min(i.vendor) as vendor, min(i.entries) as entries, ${idsOf(sql`i.document_id`)} as document_ids,
        ${idsOf(sql`i.payment_id`)} as payment_ids, ${idsOf(sql`i.entry_id`)} as entry_ids
      from listed i group by 1, 2
    ), figures as materialized (
      select s.party, s.bucket, sum(s.home_minor) as minor, sum(s.disputed) as disputed, sum(s.documents) as count
      from summed s where (s.party in (select p.party from page p)) is true and s.is_main group by 1, 2
    ), parties as (
      select f.party, min(i.vendor) as vendor, min(i.entries) as entries, json_agg(json_build_object('bucket', f.bucket, 'minor', f.minor,
        'disputed', coalesce(f.disputed, 0), 'count', f.count, 'documentIds', coalesce(i.document_ids, '{}'), 'paymentIds', coalesce(i.payment_ids, '{}'),
        'entryIds', coalesce(i.entry_ids, '{}')) order by f.bucket) as sums
      from figures f left join ids i on i.party = f.party and i.bucket = f.bucket group by 1
    ), first_of_all as materialized (
      select f.bucket, f.due, f.document_id, null::uuid as payment_id, null::uuid as entry_id
      from first_aged(${kind}, ${asOf}::date, ${currency}, ${idsMax}) f
      union all
      select i.bucket, i.due, i.document_id, i.payment_id, i.entry_id from others i where i.home_currency = ${currency}
    ), by_currency as materialized (
      select s.bucket, s.earlier_home, s.is_main, s.face_currency, sum(s.home_minor) as minor, sum(s.disputed) as disputed, sum(s.documents) as count
      from summed s group by 1, 2, 3, 4
    ), totals as (
      select b.bucket, sum(b.minor) as minor, sum(b.disputed) as disputed, sum(b.count) as count from by_currency b where b.is_main group by 1
    )
    select (select coalesce(json_agg(json_build_object('rank', p.rank, 'counterpartyId', c.id, 'name', coalesce(c.name, c.email, f.vendor),
          'entries', f.entries, 'sums', f.sums)), '[]')
        from page p join parties f on f.party = p.party left join customers c on c.id = p.party) as parties,
      (select coalesce(json_agg(json_build_object('bucket', t.bucket, 'minor', t.minor, 'disputed', coalesce(t.disputed, 0), 'count', t.count,
          'documentIds', ${firstOf(sql`i.document_id`)}, 'paymentIds', ${firstOf(sql`i.payment_id`, sql` and i.document_id is null`)},
          'entryIds', ${firstOf(sql`i.entry_id`)})), '[]')
        from totals t) as totals,
      (select count(*)::integer from ranked) as party_count,
      array(select distinct b.earlier_home from by_currency b where not b.is_main) as earlier_homes,
      array(select distinct b.face_currency from by_currency b where b.face_currency is not null) as face_values`.execute(
    db,
  )
  const [read = { parties: [], totals: [], partyCount: 0, earlierHomes: [], faceValues: [] }] = rows
  return {
    ...read,
    parties: read.parties
      .toSorted((one, other) => one.rank - other.rank)
      .map(({ rank: _, ...party }) => ({ ...party, sums: party.sums.map(named) })),
    totals: read.totals.map(named),
  }
}

type Sql = ReturnType<typeof sql>

/** The first ids of a group, which is sorted by due date. */
const idsOf = (id: Sql) => sql`(array_agg(${id}) filter (where ${id} is not null))[1:${sql.lit(idsMax)}]`

/** The first ids of a bucket by due date. */
const firstOf = (id: Sql, more = sql``) =>
  sql`array(select ${id} from first_of_all i where i.bucket = t.bucket and ${id} is not null${more} order by i.due, ${id} limit ${sql.lit(idsMax)})`

const named = (sum: Numbered): AgedSum => ({ ...sum, bucket: buckets[sum.bucket] ?? 'over90' })
