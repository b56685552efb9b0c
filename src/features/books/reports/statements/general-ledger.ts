import { sql } from 'kysely'
import { invalid } from '../../../../core/define/failure.ts'
import type { Database } from '../../../../core/define/operation.ts'
import { Id, nullable, type Static, Text, Type } from '../../../../core/define/schema.ts'
import { problemsOf } from '../../../../core/define/validate.ts'
import { unpreparedMark } from '../../../../db/wire/batch.ts'
import { JournalLine, type JournalRow, lineColumns, toCells, toLine } from '../journal.ts'
import { lineJoins, lineObject } from '../read-journal.ts'
import type { ReportTable } from '../report-file.ts'
import { Amount, completenessFields, type Gaps, toAmount } from './statement.ts'

export const GeneralLedger = Type.Object({
  from: Text,
  to: Text,
  currency: Text,
  account: Type.Object({ accountId: Id, code: Text, name: Text, nameHe: nullable(Text) }),
  openingBalance: Type.Number({ description: 'Before `from`; more debit than credit is positive.' }),
  debit: Type.Number({ description: 'Of the whole period, on all pages.' }),
  credit: Amount,
  closingBalance: Type.Number({ description: 'At the end of `to`.' }),
  lines: Type.Array(
    Type.Object({ ...JournalLine.properties, balance: Type.Number({ description: 'Of the account after the line.' }) }),
  ),
  nextCursor: nullable(
    Type.String({ description: 'Give it as cursor to read the lines that follow; null after the last one.' }),
  ),
  ...completenessFields,
})
export type GeneralLedger = Static<typeof GeneralLedger>
export type LedgerLine = GeneralLedger['lines'][number]

/** A line in the order of the journal; a page continues after it. */
const Place = Type.Object({
  day: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$' }),
  id: Type.String({ pattern: '^[0-9a-f-]{36}$' }),
  event: Type.String({ pattern: '^[A-Z_]{1,20}$' }),
  line: Type.Integer({ minimum: 0, maximum: 100_000 }),
})
export type Place = Static<typeof Place>

export const toCursor = (place: Place): string => Buffer.from(JSON.stringify(place)).toString('base64url')

/** Refuses text that is not a cursor, and one of another period. */
export function readPlace(text: string, { from, to }: { from: string; to: string }): Place {
  const place = parsed(text)
  if (problemsOf(Place, place).length > 0) throw refusal()
  const { day } = place as Place
  if (day < from || day > to) throw refusal()
  return place as Place
}

const refusal = () => invalid('cursor', 'Give the nextCursor of a page of the same period, or none.')

function parsed(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    return null
  }
}

type Wanted = { accountId: string; home: string; from: string; to: string; after: Place | undefined; limit: number }

/** A page of an account, with its balances. One statement reads all of it, so that the balances fit the lines. */
export async function readLedger(db: Database, { accountId, home, from, to, after, limit }: Wanted) {
  const start = after?.day ?? from
  const { rows } = await sql<Read>`${sql.raw(unpreparedMark)}
    with balances as materialized (
      select b.day, b.home_currency, b.face_currency, b.debit_minor, b.credit_minor, b.lines
      from visible_balances('-infinity', ${to}::date, 'ACCRUAL') b where b.account_id = ${accountId}
    ), days as (
      -- days with lines of the account; those of the cursor's day may all be on pages before
      select b.day, sum(case when b.day = ${after?.day ?? null}::date then 0 else sum(b.lines) end) over (order by b.day)
        - case when b.day = ${after?.day ?? null}::date then 0 else sum(b.lines) end as before
      from balances b where b.day >= ${start}::date and b.home_currency = ${home} group by b.day
    ), ranges as materialized (
      select r.first_day, r.last_day from day_ranges(array(select d.day from days d where d.before <= ${limit})) r
    ), booked as materialized (
      select l.*, (sum(l.home_minor) over (order by l.day, l.event_id, l.event, l.line))::bigint as running
      from ranges r cross join lateral visible_lines(r.first_day, r.last_day) l where l.account_id = ${accountId} and l.home_currency = ${home}
    ), page as (
      select * from booked b ${
        after
          ? sql`where (b.day, b.event_id, b.event, b.line) > (${after.day}::date, ${after.id}::uuid, ${after.event}, ${after.line}::integer)`
          : sql``
      } order by b.day, b.event_id, b.event, b.line limit ${limit + 1}
    )
    select (select coalesce(jsonb_agg(${lineObject} || jsonb_build_object('running', p.running) order by p.day, p.event_id, p.event, p.line), '[]')
        from page p ${lineJoins}) as lines,
      coalesce(sum(b.debit_minor - b.credit_minor) filter (where b.home_currency = ${home} and b.day < ${from}::date), 0)::text as opening,
      coalesce(sum(b.debit_minor - b.credit_minor) filter (where b.home_currency = ${home} and b.day < ${start}::date), 0)::text as "atStart",
      coalesce(sum(b.debit_minor) filter (where b.home_currency = ${home} and b.day >= ${from}::date), 0)::text as debit,
      coalesce(sum(b.credit_minor) filter (where b.home_currency = ${home} and b.day >= ${from}::date), 0)::text as credit,
      coalesce(array_agg(distinct b.face_currency) filter (where b.face_currency <> '' and b.home_currency = ${home}), '{}') as "faceValues",
      coalesce(array_agg(distinct b.home_currency) filter (where b.home_currency <> ${home}), '{}') as "otherHomes"
    from balances b`.execute(db)
  const [read] = rows
  if (!read) throw new Error('The statement has one row.')
  return pageOf(read, { home, limit })
}

type LedgerRow = JournalRow & { running: number }
type Read = Gaps & { lines: LedgerRow[]; opening: string; atStart: string; debit: string; credit: string }

function pageOf(
  { lines, opening, atStart, debit, credit, ...gaps }: Read,
  { home, limit }: { home: string; limit: number },
) {
  const amount = toAmount(home)
  const last = lines.length > limit ? lines[limit - 1] : undefined
  const next = last && { day: last.date, id: last.eventId, event: last.event, line: last.line }
  return {
    openingBalance: amount(BigInt(opening)),
    debit: amount(BigInt(debit)),
    credit: amount(BigInt(credit)),
    closingBalance: amount(BigInt(opening) + BigInt(debit) - BigInt(credit)),
    lines: lines
      .slice(0, limit)
      .map(({ running, ...row }) => ({ ...toLine(row), balance: amount(BigInt(atStart) + BigInt(running)) })),
    next,
    gaps,
  }
}

export const generalLedgerTable = (name: string, lines: readonly LedgerLine[]): ReportTable => ({
  name,
  columns: [...lineColumns, { key: 'balance', title: 'Balance', titleHe: 'יתרה', type: 'money' }],
  rows: lines.map((line) => [...toCells(line), line.balance]),
})
