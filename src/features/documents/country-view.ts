import type { Warning } from '../../core/define/schema.ts'
import { findCountry } from '../../countries/countries.ts'
import type { Country, DocumentType, Sale } from '../../countries/country.ts'
import { documentWarnings } from '../../countries/warnings.ts'
import type { DocumentRow } from './reading/read.ts'

/** A document as the country of its organization looks at it. */
export function countryView(row: DocumentRow): { country: Country; sale: Sale } | undefined {
  const { organization, buyer } = row
  const country = findCountry(organization?.country ?? null)
  if (!country || !organization || !buyer) return undefined
  const rate = (text: string | number | null) => (text === null ? null : Number(text))
  const document = {
    documentType: row.documentType as DocumentType, // checked by guard_document(); the row type says text
    issueDate: row.issueDate,
    currency: row.currency,
    exchangeRate: homeRate(row, country.currency),
    subtotalMinor: BigInt(row.subtotalMinor),
    taxMinor: BigInt(row.taxMinor),
    totalMinor: BigInt(row.totalMinor),
    taxRate: rate(row.taxRate),
    lines: row.items.map(({ amountMinor, taxRate }) => ({ amountMinor: BigInt(amountMinor), taxRate })),
    notes: row.notes,
    paymentMethod: row.paymentMethod,
    facts: row.countrySpecificData,
    allocationNumber: row.vatAllocationNumber,
  }
  return { country, sale: { issuer: organization, customer: buyer, document } }
}

/** What looks odd to the country of the organization. A draft has no exchange rate yet, so that none is missing. */
export function countryWarnings(row: DocumentRow): Warning[] {
  const found = countryView(row)
  const doubts = found ? documentWarnings(found.country, found.sale) : []
  return row.status === 'DRAFT' ? doubts.filter(({ code }) => code !== 'HOME_AMOUNTS_MISSING') : doubts
}

/** A document keeps its rate to the currency that the organization counted in, which need not be the country's. */
function homeRate({ currency, exchangeRate, rateCurrency }: DocumentRow, home: string): number | null {
  if (currency === home) return 1
  return rateCurrency === home && exchangeRate !== null ? Number(exchangeRate) : null
}
