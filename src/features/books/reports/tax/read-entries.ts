import { sql } from 'kysely'
import type { Database } from '../../../../core/define/operation.ts'
import { toMajor } from '../../../../core/values/money.ts'
import { idsMax, type ManualTax } from './tax.ts'

type EntrySum = Omit<ManualTax, 'amount'> & { minor: number }

/**
 * What people have entered in a period on the accounts of tax, by account: no document explains it. Accounts of tax are those that
 * the journal books tax to on the day of the entry, by their purpose or by a tax category.
 */
export async function readManualTax(db: Database, { from, to }: { from: string; to: string }): Promise<ManualTax[]> {
  const { rows } = await sql<EntrySum>`
    select t.side, a.id as account_id, a.code as account_code, a.name as account_name, e.currency,
      sum(case t.side when 'OUTPUT' then l.credit_minor - l.debit_minor else l.debit_minor - l.credit_minor end)::float8 as minor,
      count(distinct e.id)::int as count, (array_agg(distinct e.id order by e.id))[1:${sql.lit(idsMax)}] as entry_ids
    from journal_entries e
    join journal_entry_lines l on l.organization_id = e.organization_id and l.entry_id = e.id
    join accounts a on a.organization_id = l.organization_id and a.id = l.account_id
    cross join lateral (select case a.type when 'LIABILITY' then 'OUTPUT' else 'INPUT' end as side) t
    where e.date between ${from} and ${to} and exists (select from account_periods p
      where p.organization_id = l.organization_id and p.account_id = l.account_id and e.date >= p.first_day and e.date < p.end_day
        and (p.subject in ('PURPOSE:OUTPUT_TAX', 'PURPOSE:INPUT_TAX') or p.subject like 'TAX:LIABILITY:%' or p.subject like 'TAX:ASSET:%'))
    group by 1, 2, 3, 4, 5 having sum(l.debit_minor - l.credit_minor) <> 0 order by 1 desc, 3, 5`.execute(db)
  return rows.map(({ minor, ...row }) => ({ ...row, amount: toMajor(BigInt(minor), row.currency) }))
}
