import { sql } from 'kysely'
import type { Database } from '../../../core/define/operation.ts'
import { unpreparedMark } from '../../../db/wire/batch.ts'
import { addSums, type JournalRow, noSums, type Sums } from './journal.ts'

/** A place in the journal: a day and the id of an event on it. */
type Place = { day: string; id: string }

/** A line in the order of the journal; a page continues after it. */
export type LineKey = Place & { event: string; line: number; accountId: string }

const keyOf = ({ date, eventId, event, line, accountId }: JournalRow): LineKey => ({
  day: date,
  id: eventId,
  event,
  line,
  accountId: accountId ?? lowest,
})

export type Period = {
  from: string
  to: string
  home: string
  /** Only lines of this account. */
  accountId: string | undefined
}

/** The ids before and after all others. */
export const lowest = '00000000-0000-0000-0000-000000000000'
const highest = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/**
 * Documents, payments, allocations and entries per statement. A year of 100,000 documents in one statement would exceed the
 * time that PostgreSQL gives to one.
 */
const eventsPerPart = 4_000

export type Page = {
  offset: number
  limit: number
  /** Reading ends when there are more lines than this. */
  most?: number
  /** Reading ends after this time; a request has eleven seconds of the database. */
  withinMs: number
  eventsPerPart?: number
}

/** The lines of a period from `offset` on, and the sums of all its lines, unless reading ended before (`isWhole`). */
export async function readPage(db: Database, period: Period, page: Page) {
  const { most = Number.POSITIVE_INFINITY, withinMs } = page
  const until = performance.now() + withinMs
  let sums = noSums
  let isWhole = false
  const lines: JournalRow[] = []
  for await (const part of partsOf(db, period, { day: period.from, id: lowest }, page.eventsPerPart ?? eventsPerPart)) {
    const offset = Math.max(0, page.offset - sums.count)
    const limit = page.limit - lines.length
    const read = await readPart(db, period, part, { offset, limit, after: undefined })
    sums = addSums(sums, read.sums)
    lines.push(...read.lines)
    isWhole = part.isLast
    if (sums.count > most || performance.now() > until) break
  }
  return { sums, lines, isWhole }
}

/** Before the first line of a period. */
export const startOf = ({ from }: Period): LineKey => ({ day: from, id: lowest, event: '', line: 0, accountId: lowest })

/** The sums of some lines alone. */
export const sumsOf = (lines: readonly JournalRow[], home: string): Sums =>
  lines.reduce(
    (sums, { homeMinor, homeCurrency, currency, exchangeRate }) =>
      addSums(sums, {
        count: 1,
        debitMinor: homeCurrency === home ? Math.max(homeMinor, 0) : 0,
        creditMinor: homeCurrency === home ? Math.max(-homeMinor, 0) : 0,
        faceValues: exchangeRate === null && currency !== homeCurrency ? [currency] : [],
        otherHomes: homeCurrency === home ? [] : [homeCurrency],
      }),
    noSums,
  )

/** At most so many parts are read for one page; a page of an account that is seldom used may have fewer lines than its limit. */
const partsPerPage = 10

/** The lines after one line, without sums: as many statements as the page needs. `next` is the last line if more may follow. */
export async function readAfter(db: Database, period: Period, { after, limit }: { after: LineKey; limit: number }) {
  const lines: JournalRow[] = []
  let parts = 0
  // every event has two lines or more, but perhaps none of the account
  const events = period.accountId === undefined ? Math.ceil(limit / 2) + 1 : eventsPerPart / partsPerPage
  for await (const part of partsOf(db, period, after, events)) {
    const wanted = { offset: 0, limit: limit + 1 - lines.length, after }
    lines.push(...(await readPart(db, period, part, wanted)).lines)
    parts++
    if (lines.length > limit) return { lines: lines.slice(0, limit), next: lastKey(lines.slice(0, limit)) }
    if (!part.isLast && parts === partsPerPage)
      return { lines, next: { ...part.last, event: afterEvents, line: 0, accountId: lowest } }
  }
  return { lines, next: null }
}

/** Sorts after the names of all events. */
const afterEvents = 'ZZZ'

/** The last of these lines. */
export const lastKey = (lines: readonly JournalRow[]): LineKey | null => {
  const line = lines.at(-1)
  return line ? keyOf(line) : null
}

export type Part = { first: Place; last: Place; isLast: boolean }

/** The parts of the journal from a place on, with so many events each. */
export async function* partsOf(
  db: Database,
  { to }: Pick<Period, 'to'>,
  from: Place,
  events: number,
): AsyncGenerator<Part> {
  let first = from
  for (;;) {
    const { rows } = await sql<Place>`${sql.raw(unpreparedMark)}
      select day, id from journal_part(${first.day}, ${first.id}, ${to}, ${events})`.execute(db)
    const [last] = rows
    yield { first, last: last ?? { day: to, id: highest }, isLast: last === undefined }
    if (!last) return
    first = { day: last.day, id: idAfter(last.id) }
  }
}

/** The next larger id. The largest one belongs to no row. */
function idAfter(id: string): string {
  const hex = (BigInt(`0x${id.replaceAll('-', '')}`) + 1n).toString(16).padStart(32, '0').slice(-32)
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** A row `p` of `visible_lines()` as a `JournalRow`, with what is joined by `lineJoins`. */
export const lineObject = sql`jsonb_build_object('date', p.day, 'event', p.event, 'eventId', p.event_id, 'documentId', p.document_id,
  'paymentId', p.payment_id, 'entryId', p.entry_id, 'line', p.line, 'number', coalesce(d.number, e.number::text), 'accountId', p.account_id,
  'accountCode', a.code, 'accountName', a.name, 'accountNameHe', a.name_he, 'currency', p.currency,
  'homeCurrency', p.home_currency, 'exchangeRate', case when p.currency = p.home_currency then '1' else p.exchange_rate::text end,
  'minor', p.minor, 'homeMinor', p.home_minor, 'documentType', d.document_type,
  'counterparty', coalesce(nullif(d.counterparty_name, ''), c.name, c.email), 'method', m.method, 'note', coalesce(l.description, e.description),
  'item', i.name, 'order', coalesce(o.order_number, s.reference))`

export const lineJoins = sql`
  left join accounts a on a.id = p.account_id
  left join documents d on d.id = p.document_id
  left join payments m on m.id = p.payment_id
  left join customers c on c.id = m.counterparty_id
  left join journal_entries e on e.id = p.entry_id
  left join journal_entry_lines l on l.entry_id = p.entry_id and l.position = p.line
  left join stock_movements s on p.event = 'STOCK' and s.id = p.event_id
  left join items i on i.id = s.item_id
  left join orders o on o.id = case p.event when 'ORDER_CLOSED' then p.event_id else s.order_id end`

type Wanted = { offset: number; limit: number; after: LineKey | undefined }

/** The lines of a part and the sums of all of them, in the order of days, events and lines, with the account of their day. */
async function readPart(db: Database, { home, accountId }: Period, { first, last }: Part, wanted: Wanted) {
  const { rows } = await sql<{ sums: Sums; page: JournalRow[] }>`${sql.raw(unpreparedMark)}
    with booked as materialized (
      select * from visible_lines(${first.day}, ${first.id}, ${last.day}, ${last.id}) b
      ${accountId === undefined ? sql`` : sql`where b.account_id = ${accountId}`}
    )
    select (select jsonb_build_object('count', count(*),
        'debitMinor', coalesce(sum(greatest(b.home_minor, 0)) filter (where b.home_currency = ${home}), 0),
        'creditMinor', coalesce(sum(greatest(-b.home_minor, 0)) filter (where b.home_currency = ${home}), 0),
        'faceValues', coalesce(jsonb_agg(distinct b.currency) filter (where b.exchange_rate is null and b.currency <> b.home_currency), '[]'),
        'otherHomes', coalesce(jsonb_agg(distinct b.home_currency) filter (where b.home_currency <> ${home}), '[]')) from booked b) as sums,
      (select coalesce(jsonb_agg(${lineObject} order by p.day, p.event_id, p.event, p.line, p.account_id), '[]')
        from (select * from booked ${isAfter(wanted.after)} order by day, event_id, event, line, account_id
          limit ${wanted.limit} offset ${wanted.offset}) p ${lineJoins}) as page`.execute(db)
  const [{ sums, page } = { sums: noSums, page: [] }] = rows
  return { sums, lines: page }
}

const isAfter = (key: LineKey | undefined) =>
  key === undefined
    ? sql``
    : sql`where (day, event_id, event, line, coalesce(account_id, ${lowest}::uuid))
        > (${key.day}::date, ${key.id}::uuid, ${key.event}, ${key.line}::integer, ${key.accountId}::uuid)`
