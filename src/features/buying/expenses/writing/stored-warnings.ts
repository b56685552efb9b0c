import { sql } from 'kysely'
import type { Database } from '../../../../core/define/operation.ts'
import type { Warning } from '../../../../core/define/schema.ts'
import { convert } from '../../../../core/values/money.ts'
import { pipeline } from '../../../../db/pipeline.ts'
import { rateWarnings } from '../../../selling/documents/rates/exchange-rate.ts'
import { countryOf, type ExpenseContext } from '../expense-context.ts'
import type { ExpenseRow } from '../reading/read.ts'

/** Warnings about an expense as it is stored, which need to know more than what the caller wrote. */
export async function storedWarnings(db: Database, row: ExpenseRow, organization: ExpenseContext): Promise<Warning[]> {
  if (row.totalMinor === 0) return [] // the draft of an upload
  const { foreign, certificate, duplicates } = await pipeline({
    foreign: foreignWarnings(db, row, organization),
    certificate: certificateWarnings(db, row, organization),
    duplicates: duplicateWarnings(db, row),
  })
  return [...foreign, ...purchaseWarnings(row, organization), ...certificate, ...duplicates]
}

/** Another expense, not rejected, with the same supplier or vendor, document number and amount. */
async function duplicateWarnings(db: Database, row: ExpenseRow): Promise<Warning[]> {
  const { id, documentNumber, supplierId, vendor, currency, totalMinor } = row
  if (documentNumber === null) return []
  const { rows } = await sql<{ id: string }>`select d.id
    from expenses e join documents d on d.organization_id = e.organization_id and d.id = e.id
    where e.document_number = ${documentNumber} and e.id <> ${id}::uuid and d.currency = ${currency} and d.total_minor = ${totalMinor}
      and (e.supplier_id = ${supplierId}::uuid or lower(e.vendor) = lower(${vendor}::text)) and d.status <> 'REJECTED'
    order by d.id limit 1`.execute(db)
  return rows.map((other) => ({
    code: 'POSSIBLE_DUPLICATE',
    path: 'documentNumber',
    message: `The expense ${other.id} has the same supplier, document number and amount. Is it the same bill?`,
  }))
}

/** What the country says about a bill whose tax is deducted; nothing if its amount in the country's currency is not known. */
function purchaseWarnings(row: ExpenseRow, organization: ExpenseContext): Warning[] {
  const country = countryOf(organization)
  const { currency, date, allocationNumber, exchangeRate } = row
  if (!country) return []
  const isOwn = currency === country.currency
  if (!isOwn && (exchangeRate === null || organization.currency !== country.currency)) return []
  const own = (minor: number) =>
    isOwn ? BigInt(minor) : convert(BigInt(minor), { from: currency, to: country.currency, rate: Number(exchangeRate) })
  const netMinor = own(row.totalMinor - (row.chargedTaxMinor ?? 0))
  return country.purchaseWarnings({ date, netMinor, deductedMinor: own(row.taxMinor), allocationNumber })
}

/** An approved bill is paid soon: whether the certificate of its supplier is still valid. */
async function certificateWarnings(db: Database, row: ExpenseRow, organization: ExpenseContext): Promise<Warning[]> {
  const { status, supplierId, claimantId } = row
  if (status !== 'APPROVED' || supplierId === null || claimantId !== null) return []
  const { rows } = await sql<{ day: string; validUntil: string }>`
    select t.day, s.withholding_valid_until as valid_until
    from suppliers s, lateral (select (now() at time zone ${organization.timezone})::date as day) t
    where s.id = ${supplierId}::uuid and s.withholding_valid_until < t.day`.execute(db)
  const nothing = { amountMinor: 0n, withheldMinor: 0n, rate: null }
  return rows.flatMap((found) => countryOf(organization)?.withholdingWarnings({ ...nothing, ...found }) ?? [])
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
