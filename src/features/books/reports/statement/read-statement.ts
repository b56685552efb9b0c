import { sql } from 'kysely'
import { invalid } from '../../../../core/define/failure.ts'
import type { Database } from '../../../../core/define/operation.ts'
import { unpreparedMark } from '../../../../db/wire/batch.ts'
import type { Entry } from './statement.ts'

/** The most entries of a statement. */
const entriesMax = 5_000

export type EntryRow = Omit<Entry, 'amount' | 'balance' | 'description'> & {
  currency: string
  minor: number
  title: { en: string; he: string } | null
  method: string | null
}

export type Balance = { currency: string; minor: number }
export type AgedBalance = Balance & {
  bucket: 'current' | 'days1To30' | 'days31To60' | 'days61To90' | 'over90' | 'credits'
}

type Asked = { customerId: string; from: string; to: string }
type Read = { opening: Balance[]; entries: EntryRow[]; aged: AgedBalance[] }

/**
 * What changed the balance of a customer, as the journal books it to receivables and customer credits. Allocations are not
 * entries: they move nothing between customers, apart from payments that another customer or nobody made.
 */
export async function readStatement(db: Database, { customerId, from, to }: Asked): Promise<Read> {
  const { rows } = await sql<Read>`${sql.raw(unpreparedMark)}
    with own as materialized (
      select d.*, o.timezone, i.title, coalesce(i.registered, false) as registered,
        d.document_type <> 'RECEIPT' or not coalesce(i.registered, false) as is_billed
      from documents d join organizations o on o.id = d.organization_id
      left join issued_copies i on i.organization_id = d.organization_id and i.document_id = d.id
      where d.counterparty_id = ${customerId}::uuid and d.kind = 'SALES' and d.issued_at is not null and d.issue_date <= ${to}
    ), money as materialized (
      select p.*, o.timezone, case when p.refund_of is null then -1 else 1 end as side
      from payments p join organizations o on o.id = p.organization_id
      where p.counterparty_id = ${customerId}::uuid and p.kind = 'SALES' and p.source <> 'CREDIT_MEMO' and p.paid_at <= ${to}
    ), given as materialized (
      -- payments of somebody else for documents of this customer, payments of this customer for others, and receipts that are income
      select a.*, o.timezone, d.currency, d.document_type, d.number, i.title,
        case when d.counterparty_id = ${customerId}::uuid and p.counterparty_id is not distinct from d.counterparty_id then 1
          when d.counterparty_id = ${customerId}::uuid then -1 else 1 end as side
      from allocations a join organizations o on o.id = a.organization_id
      join documents d on d.organization_id = a.organization_id and d.id = a.document_id and d.kind = 'SALES' and d.issued_at is not null
      join payments p on p.organization_id = a.organization_id and p.id = a.payment_id
      left join issued_copies i on i.organization_id = d.organization_id and i.document_id = d.id
      where a.booked_on <= ${to} and (p.counterparty_id = ${customerId}::uuid or d.counterparty_id = ${customerId}::uuid)
        and (p.counterparty_id is distinct from d.counterparty_id and d.document_type <> 'RECEIPT'
          or p.counterparty_id = d.counterparty_id and d.document_type = 'RECEIPT' and not coalesce(i.registered, false))
    ), entries as (
      select d.issue_date as day, 1 as rank, case when d.payment_id is null then 'DOCUMENT' else 'CREDIT' end as kind, d.id as document_id, null::uuid as payment_id,
        d.document_type, d.number, d.title, d.due_date, null::text as method, d.currency,
        case when d.payment_id is null then d.total_minor else -d.total_minor end as minor, d.id
      from own d where d.document_type <> 'RECEIPT' and (d.payment_id is null or d.document_type = 'CREDIT_MEMO')
      union all
      select c.day, 2, c.kind, d.id, null, d.document_type, d.number, d.title, null, null, d.currency, a.minor - d.total_minor, d.id
      from own d left join documents n on n.organization_id = d.organization_id and n.id = d.converted_to_id
      cross join lateral (select case when d.cancelled_at is not null then 'CANCELLATION' else 'CONVERSION' end as kind,
        case when d.cancelled_at is not null then greatest(d.issue_date, (d.cancelled_at at time zone d.timezone)::date)
          else greatest(d.issue_date, n.issue_date) end as day) c
      cross join lateral (select coalesce(sum(a.amount_minor), 0) as minor from allocations a
        where a.organization_id = d.organization_id and a.document_id = d.id and a.voided_at is null) a
      where (d.cancelled_at is not null or d.converted_to_id is not null) and d.payment_id is null and d.document_type <> 'RECEIPT'
      union all
      select p.paid_at, 3, case when p.refund_of is null then 'PAYMENT' else 'REFUND' end, null, p.id, null, p.reference, null, null, p.method, p.currency,
        p.side * p.amount_minor, p.id
      from money p
      union all
      select greatest(p.paid_at, (p.voided_at at time zone p.timezone)::date), 4, case when p.refund_of is null then 'PAYMENT_VOIDED' else 'REFUND_VOIDED' end,
        null, p.id, null, p.reference, null, null, p.method, p.currency, -p.side * p.amount_minor, p.id
      from money p where p.voided_at is not null
      union all
      select g.booked_on, 5, case when g.side = 1 then 'DOCUMENT' else 'PAYMENT' end, g.document_id, g.payment_id, g.document_type, g.number, g.title, null, null,
        g.currency, g.side * g.amount_minor, g.id
      from given g
      union all
      select greatest(g.booked_on, (g.voided_at at time zone g.timezone)::date), 6, case when g.side = 1 then 'CANCELLATION' else 'PAYMENT_VOIDED' end, g.document_id,
        g.payment_id, g.document_type, g.number, g.title, null, null, g.currency, -g.side * g.amount_minor, g.id
      from given g where g.voided_at is not null
    ), within as (select * from entries where day <= ${to} and minor <> 0), aged as (
      select b.currency, case when b.due >= ${to}::date then 'current' when b.due >= ${to}::date - 30 then 'days1To30'
        when b.due >= ${to}::date - 60 then 'days31To60' when b.due >= ${to}::date - 90 then 'days61To90' else 'over90' end as bucket, b.minor
      from open_balances('SALES', ${to}) b where b.counterparty_id = ${customerId}::uuid
      union all
      select c.currency, 'credits', c.minor from open_credits('SALES', ${to}) c where c.counterparty_id = ${customerId}::uuid
    )
    select (select coalesce(jsonb_agg(jsonb_build_object('currency', o.currency, 'minor', o.minor)), '[]')
        from (select currency, sum(minor) as minor from within where day < ${from} group by currency) o) as opening,
      (select coalesce(jsonb_agg(jsonb_build_object('date', e.day, 'kind', e.kind, 'documentId', e.document_id, 'paymentId', e.payment_id,
          'documentType', e.document_type, 'number', e.number, 'title', e.title, 'dueDate', e.due_date, 'method', e.method, 'currency', e.currency,
          'minor', e.minor) order by e.day, e.rank, e.id), '[]')
        from (select * from within where day >= ${from} order by day, rank, id limit ${sql.lit(entriesMax + 1)}) e) as entries,
      (select coalesce(jsonb_agg(jsonb_build_object('currency', a.currency, 'bucket', a.bucket, 'minor', a.minor)), '[]')
        from (select currency, bucket, sum(minor) as minor from aged group by 1, 2) a) as aged`.execute(db)
  const [read = { opening: [], entries: [], aged: [] }] = rows
  if (read.entries.length > entriesMax)
    throw invalid(
      'from',
      `A statement has at most ${entriesMax} entries, and this one has more. Give a shorter period.`,
    )
  return read
}
