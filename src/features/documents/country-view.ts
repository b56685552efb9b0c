import type { Warning } from '../../core/define/schema.ts'
import type { Language } from '../../core/values/language.ts'
import { findCountry } from '../../countries/countries.ts'
import type { Country, DocumentType, Sale } from '../../countries/country.ts'
import { documentLanguage } from '../../countries/document-language.ts'
import { documentWarnings } from '../../countries/warnings.ts'
import { cashLimitWarnings } from './cash-limit.ts'
import type { DocumentRow } from './reading/read.ts'

export type CountryView = {
  country: Country
  sale: Sale
  /** The legal title in each language. An issued document keeps the one that it was issued with. */
  title: Record<Language, string>
  /** The language of the PDF, the letter and the page of the document. */
  language: Language
}

/** A document in the terms of the country of its organization, whose rules apply to it. */
export function countryView(row: DocumentRow): CountryView | undefined {
  const { organization, buyer } = row
  const country = findCountry(organization?.country ?? null)
  if (!country || !organization || !buyer) return undefined
  const document = {
    documentType: row.documentType as DocumentType, // checked by guard_document(); the row type says text
    issueDate: row.issueDate,
    currency: row.currency,
    exchangeRate: countryRate(row, country.currency),
    subtotalMinor: BigInt(row.subtotalMinor),
    taxMinor: BigInt(row.taxMinor),
    totalMinor: BigInt(row.totalMinor),
    taxRate: row.taxRate === null ? null : Number(row.taxRate),
    lines: row.items.map(({ amountMinor, taxRate }) => ({ amountMinor: BigInt(amountMinor), taxRate })),
    notes: row.notes,
    paymentMethod: row.paymentMethod,
    facts: row.countrySpecificData,
    allocationNumber: row.vatAllocationNumber,
  }
  const { documentType } = document
  const titleIn = (language: Language) => country.documents.titleOf({ documentType, issuer: organization, language })
  return {
    country,
    sale: { issuer: organization, customer: buyer, document },
    title: row.issuedAs?.title ?? { en: titleIn('en'), he: titleIn('he') },
    language: row.issuedAs?.language ?? documentLanguage(country, buyer, row.chosenLanguage),
  }
}

/** The warnings of the country's rules. A draft has no exchange rate yet, so a missing one is no warning there. */
export function countryWarnings(row: DocumentRow): Warning[] {
  const view = countryView(row)
  const warnings = view ? [...documentWarnings(view.country, view.sale), ...cashLimitWarnings(row, view)] : []
  return row.status === 'DRAFT' ? warnings.filter(({ code }) => code !== 'HOME_AMOUNTS_MISSING') : warnings
}

/** The exchange rate to the country's currency. It is fixed to the organization's currency, which may be another one. */
function countryRate({ currency, exchangeRate, rateCurrency }: DocumentRow, countryCurrency: string): number | null {
  if (currency === countryCurrency) return 1
  return rateCurrency === countryCurrency && exchangeRate !== null ? Number(exchangeRate) : null
}
