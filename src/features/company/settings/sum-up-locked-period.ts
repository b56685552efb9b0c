import { sql } from 'kysely'
import { type JobContext, job } from '../../../core/define/job.ts'
import type { Database } from '../../../core/define/operation.ts'
import { Id, Type } from '../../../core/define/schema.ts'
import { addDays } from '../../../core/values/day.ts'
import { unpreparedMark } from '../../../db/wire/batch.ts'

export const sumUpLockedPeriodName = 'sum-up-locked-period'

/**
 * Stores what is booked to each account up to the last day of a locked period, for `kontor verify` to compare. The period does not
 * change while it is locked, so it is read in parts, in a transaction each. A lock that was moved back meanwhile has no row any more.
 */
export const sumUpLockedPeriod = job(
  sumUpLockedPeriodName,
  Type.Object({ lockId: Id }),
  async (context, { lockId }) => {
    const { tx, once, signal } = context
    const lastDay = await tx(({ db }) => dayToSumUp(db, lockId))
    const balances = lastDay === undefined ? [] : await balancesUntil(context, lastDay)
    signal.throwIfAborted()
    await once(({ db }) => store(db, lockId, balances))
  },
)

const dayToSumUp = async (db: Database, lockId: string) => {
  const open = db.selectFrom('periodLocks').select('lastDay').where('id', '=', lockId).where('summedUpAt', 'is', null)
  return (await open.executeTakeFirst())?.lastDay
}

/** A statement has ten seconds, so it reads the days of about so many documents, payments, allocations, movements and entries. */
const eventsPerPart = 4_000

/** An account and a currency, with its debits and credits. */
type Balance = { accountId: string; currency: string; debitMinor: bigint; creditMinor: bigint }

async function balancesUntil({ tx, signal }: JobContext, lastDay: string): Promise<Balance[]> {
  const balances = new Map<string, Balance>()
  let from: string | undefined = '-infinity'
  while (from !== undefined && !signal.aborted) {
    const period: Period = { from, to: lastDay }
    const { next, rows } = await tx(({ db }) => readPart(db, period))
    for (const { accountId, currency, debit, credit } of rows) {
      const key = `${accountId} ${currency}`
      const { debitMinor, creditMinor } = balances.get(key) ?? { debitMinor: 0n, creditMinor: 0n }
      const sums = { debitMinor: debitMinor + BigInt(debit), creditMinor: creditMinor + BigInt(credit) }
      balances.set(key, { accountId, currency, ...sums })
    }
    from = next
  }
  return [...balances.values()]
}

type Period = { from: string; to: string }
type PartRow = { accountId: string; currency: string; debit: string; credit: string }

/** The sums of the first days of a period, and the day after them; undefined after the last part. */
async function readPart(db: Database, { from, to }: Period): Promise<{ next: string | undefined; rows: PartRow[] }> {
  const ends = await sql<{ day: string }>`${sql.raw(unpreparedMark)}
    select day from journal_part(${from}, '00000000-0000-0000-0000-000000000000', ${to}, ${eventsPerPart})`.execute(db)
  const last = ends.rows[0]?.day ?? to
  const { rows } = await sql<PartRow>`${sql.raw(unpreparedMark)}
    select account_id, currency, sum(debit_minor)::text as debit, sum(credit_minor)::text as credit
    from booked_by_account(${from}, ${last}) group by account_id, currency`.execute(db)
  return { next: last < to ? addDays(last, 1) : undefined, rows }
}

async function store(db: Database, lockId: string, balances: readonly Balance[]) {
  const summedUpAt = sql<string>`now()`
  const open = db
    .updateTable('periodLocks')
    .set({ summedUpAt })
    .where('id', '=', lockId)
    .where('summedUpAt', 'is', null)
  if (!(await open.returning('id').executeTakeFirst()) || balances.length === 0) return
  const rows = balances.map(({ debitMinor, creditMinor, ...key }) => ({
    ...key,
    debit: `${debitMinor}`,
    credit: `${creditMinor}`,
  }))
  await sql`insert into locked_balances (lock_id, account_id, currency, debit_minor, credit_minor)
    select ${lockId}::uuid, b."accountId", b.currency, b.debit, b.credit
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) b ("accountId" uuid, currency text, debit bigint, credit bigint)`.execute(
    db,
  )
}
