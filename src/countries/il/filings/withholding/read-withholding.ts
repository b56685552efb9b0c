import { sql } from 'kysely'
import type { Database } from '../../../../core/define/operation.ts'
import { tooLong } from '../uniform/read-documents.ts'

/** What was paid to a supplier in a month, and what of it was withheld as tax. Amounts are in agorot. */
export type WithheldRow = {
  month: string
  supplierId: string | null
  name: string | null
  taxNumber: string | null
  country: string | null
  payments: number
  paidMinor: number
  withheldMinor: number
  /** The rate of the supplier's certificate, and the last day on which it is valid. */
  certificateRate: number | null
  certificateUntil: string | null
  faceValues: string[]
  /** The day of the last payment of the month. */
  lastPaidOn: string | null
}

const rowsMax = 20_000

/**
 * The payments to suppliers of a period by month, as the journal books them: voided ones are taken back on the day of the void. A
 * supplier from whom nothing was withheld is listed too, since the yearly report names all payments to a supplier with a file. Wages, and
 * what an employee gets back, are no payments to suppliers.
 */
export async function readWithholding(
  db: Database,
  { from, to }: { from: string; to: string },
): Promise<WithheldRow[]> {
  const { rows } = await sql<WithheldRow>`
    with moved as (
      select p.id, p.paid_at as day, 1 as times from payments p where p.paid_at between ${from} and ${to}
      union all
      select p.id, p.voided_on, -1 from payments p where p.voided_at is not null and p.voided_on between ${from} and ${to}
    ), paid as (
      select to_char(m.day, 'YYYY-MM') as month, coalesce(p.counterparty_id, (select x.supplier_id from allocations a join expenses x on x.id = a.document_id
          where a.payment_id = p.id order by a.id limit 1)) as supplier_id, m.times, m.day, p.currency,
        home_minor(p.amount_minor, p.currency, 'ILS', r.rate) as paid, home_minor(p.withheld_minor, p.currency, 'ILS', r.rate) as withheld,
        p.currency <> 'ILS' and r.rate is null as is_face
      from moved m join payments p on p.id = m.id
      cross join lateral (select case when p.rate_currency = 'ILS' then p.exchange_rate end as rate) r
      where p.kind = 'EXPENSE' and p.source not in ('REFUND', 'CREDIT_MEMO')
        and not exists (select from allocations a join expenses x on x.id = a.document_id where a.payment_id = p.id and x.claimant_id = p.counterparty_id)
    )
    select b.month, b.supplier_id as "supplierId", c.name, coalesce(s.tax_number, c.registration_number) as "taxNumber", c.country,
      sum(b.times)::float8 as payments, sum(b.times * b.paid)::float8 as "paidMinor", sum(b.times * b.withheld)::float8 as "withheldMinor",
      s.withholding_rate::float8 as "certificateRate", s.withholding_valid_until as "certificateUntil",
      coalesce(array_agg(distinct b.currency) filter (where b.is_face), '{}') as "faceValues",
      max(b.day) filter (where b.times = 1) as "lastPaidOn"
    from paid b left join customers c on c.id = b.supplier_id left join suppliers s on s.id = b.supplier_id
    group by b.month, b.supplier_id, c.name, s.tax_number, c.registration_number, c.country, s.withholding_rate, s.withholding_valid_until
    having sum(b.times * b.paid) <> 0 or sum(b.times * b.withheld) <> 0
    order by b.month, c.name, b.supplier_id limit ${rowsMax + 1}`.execute(db)
  if (rows.length > rowsMax) throw tooLong()
  return rows
}
