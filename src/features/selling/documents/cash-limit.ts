import type { Warning } from '../../../core/define/schema.ts'
import { add, convert } from '../../../core/values/money.ts'
import type { Country, Sale } from '../../../countries/country.ts'
import type { DocumentRow } from './reading/read.ts'

/** Warnings about what was paid in cash for a document. A document in another currency needs an exchange rate for that. */
export function cashLimitWarnings(row: DocumentRow, { country, sale }: { country: Country; sale: Sale }): Warning[] {
  const cash = row.payments.filter(({ method }) => isCash(method))
  const { currency, exchangeRate, totalMinor } = sale.document
  const day = cash
    .map(({ paidAt }) => paidAt)
    .toSorted()
    .at(-1)
  if (day === undefined || exchangeRate === null) return []
  const converted = (minor: bigint) =>
    currency === country.currency ? minor : convert(minor, { from: currency, to: country.currency, rate: exchangeRate })
  const cashMinor = converted(add(cash.map(({ amountMinor }) => BigInt(amountMinor))))
  return country.cashWarnings({ day, cashMinor, priceMinor: converted(totalMinor) })
}

export const isCash = (method: string | null): boolean => method?.trim().toUpperCase() === 'CASH'
