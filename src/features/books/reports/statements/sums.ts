import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { Failure } from '../../../../core/define/failure.ts'
import type { Database } from '../../../../core/define/operation.ts'

export type Basis = 'ACCRUAL' | 'CASH'

/** Events per statement at first and at most, and how long one request adds up sums that are not stored yet. */
const [eventsAtFirst, eventsMax, withinMs, pauseMs] = [1_000, 8_000, 5_000, 50]

/**
 * Stores the sums of the journal that are missing, in a transaction for each part. Reports are right without it; it makes the
 * next one fast. Years of documents that were never added up take longer than one request: what is stored by then is kept.
 */
export async function storeSums(db: Database, { within = withinMs, events = eventsMax } = {}): Promise<void> {
  const until = performance.now() + within
  const sizes = partSizes(events)
  for (;;) {
    const state = await storePart(db, sizes)
    if (state === 'DONE') return
    if (performance.now() > until) throw await preparing(db)
    if (state === 'BUSY') await wait(pauseMs)
  }
}

type PartSizes = { next: number; most: number }

/** A part has ten seconds, also on a machine that is busy, so the first one is small and the others as large as that allows. */
export const partSizes = (most = eventsMax): PartSizes => ({ next: Math.min(eventsAtFirst, most), most })

/** Stores the sums of one part: DONE, MORE, or BUSY if another transaction of the organization is at it. */
export async function storePart(db: Database, sizes: PartSizes): Promise<string | undefined> {
  const began = performance.now()
  const { rows } = await sql<{ state: string }>`select store_journal_sums(${sizes.next}) as state`.execute(db)
  const tookMs = performance.now() - began
  if (tookMs < 1_000) sizes.next = Math.min(sizes.next * 2, sizes.most)
  if (tookMs > 2_000) sizes.next = Math.max(Math.round(sizes.next / 2), 100)
  return rows[0]?.state
}

async function preparing(db: Database) {
  const { rows } = await sql<{ percent: number }>`select summed_up_percent() as percent`.execute(db)
  const percent = Math.min(rows[0]?.percent ?? 0, 99) // days that were changed meanwhile are left
  const message = `The journal is being added up for the first time: ${percent} % is done. Try again in a few seconds; what is done is kept.`
  return new Failure('INTERNAL', message, {
    details: [{ path: '', message, code: 'PREPARING', params: { percent } }],
    retryAfterS: 2,
  })
}

/** The sums of an account in some part of a period, in minor units of `home`; `faces` are currencies booked at face value. */
export type SumRow = {
  part: string
  accountId: string | null
  home: string
  faces: string[]
  debit: bigint
  credit: bigint
}

type Range = { from: string; to: string; basis: Basis }

/** A day before all others, for balances since the beginning. */
export const beginning = '-infinity'

/**
 * The sums of some periods, each by `part` of it: a month (`2026-01`), or one name for all of it. One statement reads them all, so
 * that they are of one moment.
 */
export async function readSums(
  db: Database,
  ranges: readonly (Range & { part: 'month' | string })[],
): Promise<SumRow[][]> {
  const parts = ranges.map(
    ({ from, to, basis, part }, index) => sql`
      select ${index}::integer as range, ${part === 'month' ? sql`to_char(b.day, 'YYYY-MM')` : sql`${part}::text`} as part,
        b.account_id as "accountId", b.home_currency as home, array_agg(distinct b.face_currency) as faces,
        sum(b.debit_minor)::text as debit, sum(b.credit_minor)::text as credit
      from visible_balances(${from}::date, ${to}::date, ${basis}) b group by 1, 2, 3, 4`,
  )
  const { rows } = await sql<Omit<SumRow, 'debit' | 'credit'> & { range: number; debit: string; credit: string }>`
    ${sql.join(parts, sql` union all `)}`.execute(db)
  return ranges.map((_, index) =>
    rows
      .filter(({ range }) => range === index)
      .map(({ range: _range, debit, credit, ...row }) => ({ ...row, debit: BigInt(debit), credit: BigInt(credit) })),
  )
}
