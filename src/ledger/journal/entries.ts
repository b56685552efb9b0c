import { sql } from 'kysely'
import type { Database } from '../../core/define/operation.ts'
import type { Balance, Entry } from './journal.ts'

/** Both days are included. */
type Period = { from: string; to: string }

/** The journal of a period, ordered by day. */
export async function journalOf(db: Database, { from, to }: Period): Promise<Entry[]> {
  const { rows } = await sql<Entry>`
    select day, event, event_id, document_id, payment_id, account, debit_minor, credit_minor, currency from journal()
    where day between ${from} and ${to}
    order by day, event_id, event, account`.execute(db)
  return rows
}

/** The balances of the accounts at the end of a day. */
export async function balancesOn(db: Database, day: string): Promise<Balance[]> {
  const { rows } = await sql<Balance>`
    select account, currency, sum(debit_minor - credit_minor)::bigint as balance_minor from journal()
    where day <= ${day} group by account, currency order by account, currency`.execute(db)
  return rows
}
