import { sql } from 'kysely'
import type { Database } from '../../core/define/operation.ts'
import type { Warning } from '../../core/define/schema.ts'
import { rateWarnings } from '../documents/rates/exchange-rate.ts'
import type { ExpenseContext } from './expense-context.ts'
import type { ExpenseRow } from './reading/read.ts'

/** Warnings about an expense as it is stored, which need to know more than what the caller wrote. */
export async function storedWarnings(db: Database, row: ExpenseRow, organization: ExpenseContext): Promise<Warning[]> {
  if (row.totalMinor === 0) return [] // the draft of an upload
  return foreignWarnings(db, row, organization)
}

type Published = { rate: string; date: string }

/** Warnings about the rate of an expense in another currency: the one that it is booked with, or would be if approved now. */
async function foreignWarnings(
  db: Database,
  row: ExpenseRow,
  { currency: home, country }: ExpenseContext,
): Promise<Warning[]> {
  const { currency, date, givenRate } = row
  if (currency === home) return []
  const { rows } = await sql<Published>`select r.to_rate / r.from_rate as rate, r.rate_date as date
    from rate_on(${currency}, ${home}, ${row.givenRateDate ?? date}::date, ${country}) r`.execute(db)
  const published = rows[0]
  const isFixed = row.status === 'APPROVED'
  const rate = row.exchangeRate ?? (isFixed ? null : (published?.rate ?? null))
  if (rate === null) return [rateMissing(row)]
  return rateWarnings({
    documentType: 'EXPENSE',
    currency,
    issueDate: date,
    paymentDate: null,
    rateCurrency: home,
    exchangeRateDate: row.exchangeRate === null ? (published?.date ?? null) : row.exchangeRateDate,
    countryRateDate: null,
    givenRate,
    publishedRate: published?.rate ?? null,
  })
}

const rateMissing = ({ currency, date }: ExpenseRow): Warning => ({
  code: 'EXCHANGE_RATE_MISSING',
  path: 'currency',
  message: `No exchange rate of ${currency} is known for ${date}, so the journal books the face value of the expense. Give exchangeRate.`,
})
