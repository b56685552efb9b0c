import { type PostalAddress, toPostalAddress } from './address.ts'
import type { EInvoiceData } from './read-data.ts'
import { textOrNull } from './text.ts'

/** A text in `countrySpecificData`, which nobody has checked. */
export function factOf({ countrySpecificData: facts }: EInvoiceData['row'], name: string): string | null {
  const value = facts?.[name]
  return typeof value === 'string' || typeof value === 'number' ? textOrNull(String(value)) : null
}

/** The address that goods are sent to, if the document names one. */
export function deliveryOf({ sale, country }: EInvoiceData, buyerCountry: string): PostalAddress | null {
  const lines = country.documents.shipTo(sale.document)
  if (lines.length === 0) return null
  const named = lines.at(-1)?.trim() ?? ''
  return toPostalAddress(lines.join('\n'), /^[A-Z]{2}$/.test(named) ? named : buyerCountry)
}
