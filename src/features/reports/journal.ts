import { sql } from 'kysely'
import { invalid } from '../../core/define/failure.ts'
import type { Database } from '../../core/define/operation.ts'
import { Pagination } from '../../core/define/page.ts'
import { Id, nullable, type Static, Text, Type, type Warning, Warnings } from '../../core/define/schema.ts'
import { isId } from '../../core/values/id.ts'
import { toMajor } from '../../core/values/money.ts'

const Amount = Type.Number()

/** One line of the journal, in the home currency: the main currency that the organization had when it was booked. */
const JournalLine = Type.Object({
  date: Type.String({ description: 'A calendar day, such as 2026-01-31.' }),
  event: Type.String({
    description:
      'ISSUED, CREDITED, CANCELLED, CONVERTED, PAID, PAID_VOIDED, ALLOCATED, ALLOCATED_VOIDED; MANUAL, OPENING or REVERSAL for entries that people made.',
  }),
  eventId: Type.String({ description: 'What happened: lines with the same event and eventId add up to zero.' }),
  documentId: nullable(Id),
  paymentId: nullable(Id),
  entryId: nullable(Id),
  number: nullable(Text),
  description: Text,
  accountId: nullable(Id),
  accountCode: nullable(Text),
  accountName: nullable(Text),
  accountNameHe: nullable(Text),
  debit: Amount,
  credit: Amount,
  homeCurrency: Text,
  currency: Type.String({ description: 'The currency of what happened.' }),
  originalDebit: Amount,
  originalCredit: Amount,
  exchangeRate: nullable(
    Type.Number({
      description: 'Of the currency to the home currency; null if none was known and the face value counts.',
    }),
  ),
})
type JournalLine = Static<typeof JournalLine>

export const Journal = Type.Object({
  from: Text,
  to: Text,
  currency: Type.String({ description: 'The main currency of the organization.' }),
  entries: Type.Array(JournalLine),
  totals: Type.Object(
    { debit: Amount, credit: Amount },
    { description: 'Of all pages, of lines whose homeCurrency is the main currency.' },
  ),
  pagination: Pagination,
  warnings: Type.Optional(Warnings),
})
export type Journal = Static<typeof Journal>

/** A line of the page as the query returns it. */
type JournalRow = Omit<
  JournalLine,
  'debit' | 'credit' | 'originalDebit' | 'originalCredit' | 'exchangeRate' | 'description'
> & {
  minor: number
  homeMinor: number
  exchangeRate: string | null
  documentType: string | null
  counterparty: string | null
  method: string | null
  note: string | null
}

export type JournalQuery = {
  from: string
  to: string
  /** Only lines of this account. */
  accountId: string | undefined
  limit: number
  offset: number
}

type Sums = { count: number; debitMinor: number; creditMinor: number; faceValues: string[]; otherHomes: string[] }

/** The lines of a period and the sums of all of them, in the order of days, events and lines. */
export async function readJournal(db: Database, home: string, { from, to, accountId, limit, offset }: JournalQuery) {
  const { rows } = await sql<{ sums: Sums; page: JournalRow[] }>`
    with booked as materialized (
      select j.day, j.event, j.event_id, j.document_id, j.payment_id, j.entry_id, j.line,
        coalesce(j.account_id, bank.account_id, tax.account_id, standard.account_id) as account_id, j.currency, j.home_currency, j.exchange_rate,
        sum(j.minor)::bigint as minor, sum(j.home_minor)::bigint as home_minor
      from journal_lines(${from}, ${to}) j
      left join account_periods bank on j.account = 'CASH' and bank.subject = 'BANK:' || j.bank_account_id
        and j.day >= bank.first_day and j.day < bank.end_day
      left join account_periods tax on tax.subject = case when j.tax_category like 'CATEGORY:%' then '' else 'TAX:' || case j.account
        when 'TAX' then case j.direction when 'OUTGOING' then 'LIABILITY' else 'ASSET' end
        else case j.direction when 'OUTGOING' then 'INCOME' else 'EXPENSE' end end || ':' end || j.tax_category
        and j.day >= tax.first_day and j.day < tax.end_day
      left join account_periods standard on standard.subject = 'PURPOSE:' || case j.account
        when 'TAX' then case j.direction when 'OUTGOING' then 'OUTPUT_TAX' else 'INPUT_TAX' end
        when 'PREPAYMENTS' then case j.direction when 'OUTGOING' then 'CUSTOMER_CREDITS' else 'SUPPLIER_ADVANCES' end
        else j.account end and j.day >= standard.first_day and j.day < standard.end_day
      ${accountId === undefined ? sql`` : sql`where coalesce(j.account_id, bank.account_id, tax.account_id, standard.account_id) = ${accountId}`}
      group by j.day, j.event, j.event_id, j.document_id, j.payment_id, j.entry_id, j.line,
        coalesce(j.account_id, bank.account_id, tax.account_id, standard.account_id), j.currency, j.home_currency, j.exchange_rate
    )
    select (select jsonb_build_object('count', count(*),
        'debitMinor', coalesce(sum(greatest(b.home_minor, 0)) filter (where b.home_currency = ${home}), 0),
        'creditMinor', coalesce(sum(greatest(-b.home_minor, 0)) filter (where b.home_currency = ${home}), 0),
        'faceValues', coalesce(jsonb_agg(distinct b.currency) filter (where b.exchange_rate is null and b.currency <> b.home_currency), '[]'),
        'otherHomes', coalesce(jsonb_agg(distinct b.home_currency) filter (where b.home_currency <> ${home}), '[]')) from booked b) as sums,
      (select coalesce(jsonb_agg(jsonb_build_object('date', p.day, 'event', p.event, 'eventId', p.event_id, 'documentId', p.document_id,
          'paymentId', p.payment_id, 'entryId', p.entry_id, 'number', coalesce(d.number, e.number::text), 'accountId', p.account_id,
          'accountCode', a.code, 'accountName', a.name, 'accountNameHe', a.name_he, 'currency', p.currency,
          'homeCurrency', p.home_currency, 'exchangeRate', case when p.currency = p.home_currency then '1' else p.exchange_rate::text end,
          'minor', p.minor, 'homeMinor', p.home_minor, 'documentType', d.document_type,
          'counterparty', coalesce(nullif(d.counterparty_name, ''), c.name, c.email), 'method', m.method, 'note', coalesce(l.description, e.description))
          order by p.day, p.event_id, p.event, p.line, p.account_id), '[]')
        from (select * from booked order by day, event_id, event, line, account_id limit ${limit} offset ${offset}) p
        left join accounts a on a.id = p.account_id
        left join documents d on d.id = p.document_id
        left join payments m on m.id = p.payment_id
        left join customers c on c.id = m.counterparty_id
        left join journal_entries e on e.id = p.entry_id
        left join journal_entry_lines l on l.entry_id = p.entry_id and l.position = p.line) as page`.execute(db)
  const [{ sums, page } = { sums: noSums, page: [] }] = rows
  return { sums, lines: page.map(toLine) }
}

const noSums: Sums = { count: 0, debitMinor: 0, creditMinor: 0, faceValues: [], otherHomes: [] }

/** The id of the account with this code or id. */
export async function findAccount(db: Database, account: string | undefined): Promise<string | undefined> {
  if (account === undefined) return undefined
  const query = db
    .selectFrom('accounts')
    .select('id')
    .where(isId(account) ? 'id' : 'code', '=', account)
  const found = await query.executeTakeFirst()
  if (!found) throw invalid('account', 'There is no account with that code or id.')
  return found.id
}

function toLine({ minor, homeMinor, exchangeRate, ...row }: JournalRow): JournalLine {
  const { documentType: _, counterparty: __, method: ___, note: ____, ...shown } = row
  const home = sides(homeMinor, row.homeCurrency)
  const original = sides(minor, row.currency)
  return {
    ...shown,
    description: descriptionOf(row),
    debit: home.debit,
    credit: home.credit,
    originalDebit: original.debit,
    originalCredit: original.credit,
    exchangeRate: exchangeRate === null ? null : Number(exchangeRate),
  }
}

const sides = (minor: number, currency: string) => ({
  debit: minor > 0 ? toMajor(BigInt(minor), currency) : 0,
  credit: minor < 0 ? toMajor(BigInt(-minor), currency) : 0,
})

/** What a bookkeeper reads in the journal: the document with its number, or the payment, and whose it is. */
function descriptionOf({
  note,
  documentType,
  number,
  counterparty,
  method,
  event,
}: Omit<JournalRow, 'minor' | 'homeMinor' | 'exchangeRate'>) {
  if (note !== null) return note
  const document = documentType && `${words(documentType)} ${number ?? ''}`.trim()
  const what = event.startsWith('ALLOCATED') && document ? `Payment of ${document}` : (document ?? 'Payment')
  const undone = /VOIDED$|^CANCELLED$|^CONVERTED$/.test(event) ? ' (reversed)' : ''
  return `${[what, !document && method ? words(method) : null, counterparty].filter(Boolean).join(', ')}${undone}`
}

/** `INVOICE_RECEIPT` becomes `Invoice receipt`. */
const words = (code: string) => {
  const text = code.replaceAll('_', ' ').toLowerCase()
  return /^[A-Z_]+$/.test(code) ? text.charAt(0).toUpperCase() + text.slice(1) : code
}

export function journalWarnings({ faceValues, otherHomes }: Sums): Warning[] {
  const missing = `No exchange rate was known for ${faceValues.join(', ')}; the face value is booked.`
  const earlier = `Lines booked in ${otherHomes.join(', ')}, an earlier main currency, are not in the totals.`
  return [
    ...(faceValues.length > 0 ? [{ code: 'EXCHANGE_RATE_MISSING', path: 'entries', message: missing }] : []),
    ...(otherHomes.length > 0 ? [{ code: 'EARLIER_CURRENCY', path: 'totals', message: earlier }] : []),
  ]
}
