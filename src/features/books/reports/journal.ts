import { invalid } from '../../../core/define/failure.ts'
import type { Database } from '../../../core/define/operation.ts'
import { Pagination } from '../../../core/define/page.ts'
import { Id, nullable, type Static, Text, Type, type Warning, Warnings } from '../../../core/define/schema.ts'
import { isId } from '../../../core/values/id.ts'
import { toMajor } from '../../../core/values/money.ts'
import type { ReportColumn, ReportTable } from './report-file.ts'

const Amount = Type.Number()

/** One line of the journal, in the home currency: the main currency that the organization had when it was booked. */
export const JournalLine = Type.Object({
  date: Type.String({ description: 'A calendar day, such as 2026-01-31.' }),
  event: Type.String({
    description:
      'ISSUED, CREDITED, CANCELLED, CONVERTED, PAID, PAID_VOIDED, ALLOCATED, ALLOCATED_VOIDED, STOCK, ORDER_CLOSED; MANUAL, OPENING or REVERSAL for entries that people made; PAYROLL for all payroll of a month, to callers without payroll rights.',
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
export type JournalLine = Static<typeof JournalLine>

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
  nextCursor: nullable(
    Type.String({ description: 'Give it as cursor to read the lines that follow; null after the last one.' }),
  ),
  warnings: Type.Optional(Warnings),
})
export type Journal = Static<typeof Journal>

/** A line as the query returns it. */
export type JournalRow = Omit<
  JournalLine,
  'debit' | 'credit' | 'originalDebit' | 'originalCredit' | 'exchangeRate' | 'description'
> & {
  /** The place of the line in its event. */
  line: number
  minor: number
  homeMinor: number
  exchangeRate: string | null
  documentType: string | null
  counterparty: string | null
  method: string | null
  note: string | null
  /** What was moved, and the order of a movement or a closed order. */
  item: string | null
  order: string | null
}

export type Sums = {
  count: number
  debitMinor: number
  creditMinor: number
  faceValues: string[]
  otherHomes: string[]
}

export const noSums: Sums = { count: 0, debitMinor: 0, creditMinor: 0, faceValues: [], otherHomes: [] }

export const addSums = (one: Sums, other: Sums): Sums => ({
  count: one.count + other.count,
  debitMinor: one.debitMinor + other.debitMinor,
  creditMinor: one.creditMinor + other.creditMinor,
  faceValues: [...new Set([...one.faceValues, ...other.faceValues])].toSorted(),
  otherHomes: [...new Set([...one.otherHomes, ...other.otherHomes])].toSorted(),
})

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

export function toLine({ minor, homeMinor, exchangeRate, line: _line, ...row }: JournalRow): JournalLine {
  const { documentType: _, counterparty: __, method: ___, note: ____, item: _____, order: ______, ...shown } = row
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
  item,
  order,
  date,
}: Omit<JournalRow, 'line' | 'minor' | 'homeMinor' | 'exchangeRate'>) {
  if (note !== null) return note
  if (event === 'PAYROLL') return `Payroll ${date.slice(0, 7)}`
  if (event === 'STOCK')
    return ['Stock', item, documentType ? `${words(documentType)} ${number ?? ''}`.trim() : order, counterparty]
      .filter(Boolean)
      .join(', ')
  if (event === 'ORDER_CLOSED')
    return `${['Order', order].filter(Boolean).join(' ')} closed: goods received, not billed`
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

/** The lines as a table. */
export const journalTable = (name: string, lines: readonly JournalLine[]): ReportTable => ({
  name,
  columns: lineColumns,
  rows: lines.map(toCells),
})

export const toCells = (line: JournalLine) => lineColumns.map(({ key }) => line[key])

export const lineColumns: readonly (ReportColumn & { key: keyof JournalLine })[] = [
  { key: 'date', title: 'Date', titleHe: 'תאריך', type: 'date' },
  { key: 'event', title: 'Event', titleHe: 'אירוע', type: 'text' },
  { key: 'number', title: 'Number', titleHe: 'מספר', type: 'text' },
  { key: 'description', title: 'Description', titleHe: 'תיאור', type: 'text' },
  { key: 'accountCode', title: 'Account', titleHe: 'חשבון', type: 'text' },
  { key: 'accountName', title: 'Account name', titleHe: 'שם חשבון', type: 'text' },
  { key: 'debit', title: 'Debit', titleHe: 'חובה', type: 'money' },
  { key: 'credit', title: 'Credit', titleHe: 'זכות', type: 'money' },
  { key: 'homeCurrency', title: 'Currency', titleHe: 'מטבע', type: 'text' },
  { key: 'currency', title: 'Original currency', titleHe: 'מטבע מקור', type: 'text' },
  { key: 'originalDebit', title: 'Original debit', titleHe: 'חובה במטבע מקור', type: 'money' },
  { key: 'originalCredit', title: 'Original credit', titleHe: 'זכות במטבע מקור', type: 'money' },
  { key: 'exchangeRate', title: 'Exchange rate', titleHe: 'שער', type: 'number' },
  { key: 'documentId', title: 'Document id', titleHe: 'מזהה מסמך', type: 'text' },
  { key: 'paymentId', title: 'Payment id', titleHe: 'מזהה תשלום', type: 'text' },
  { key: 'entryId', title: 'Entry id', titleHe: 'מזהה פקודה', type: 'text' },
  { key: 'eventId', title: 'Event id', titleHe: 'מזהה אירוע', type: 'text' },
]

export function journalWarnings({ faceValues, otherHomes }: Sums): Warning[] {
  const missing = `No exchange rate was known for ${faceValues.join(', ')}; the face value is booked.`
  const earlier = `Lines booked in ${otherHomes.join(', ')}, an earlier main currency, are not in the totals.`
  return [
    ...(faceValues.length > 0 ? [{ code: 'EXCHANGE_RATE_MISSING', path: 'entries', message: missing }] : []),
    ...(otherHomes.length > 0 ? [{ code: 'EARLIER_CURRENCY', path: 'totals', message: earlier }] : []),
  ]
}
