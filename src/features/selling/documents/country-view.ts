import type { Warning } from '../../../core/define/schema.ts'
import type { Language } from '../../../core/values/language.ts'
import { findCountry } from '../../../countries/countries.ts'
import type { Country, DocumentType, Sale } from '../../../countries/country.ts'
import { documentLanguage } from '../../../countries/document-language.ts'
import { documentWarnings } from '../../../countries/warnings.ts'
import { cashLimitWarnings } from './cash-limit.ts'
import { participantWarnings } from './einvoice/participant.ts'
import { dueDateWarnings } from './issuing/dates.ts'
import { unprintableWarnings } from './print/unprintable.ts'
import { rateWarnings } from './rates/exchange-rate.ts'
import type { CountryRow, DocumentRow } from './reading/read.ts'

export type CountryView = {
  country: Country
  sale: Sale
  /** The legal title in each language. An issued document keeps the one that it was issued with. */
  title: Record<Language, string>
  /** The language of the PDF, the letter and the page of the document. */
  language: Language
}

/** A document in the terms of the country of its organization, whose rules apply to it. */
export function countryView(row: CountryRow): CountryView | undefined {
  const { organization, buyer } = row
  const country = findCountry(organization?.country ?? null)
  if (!country || !organization || !buyer) return undefined
  const document = {
    documentType: row.documentType as DocumentType, // checked by guard_document(); the row type says text
    issueDate: row.issueDate,
    currency: row.currency,
    ...countryRate(row, country.currency),
    subtotalMinor: BigInt(row.subtotalMinor),
    taxMinor: BigInt(row.taxMinor),
    totalMinor: BigInt(row.totalMinor),
    taxRate: row.taxRate === null ? null : Number(row.taxRate),
    lines: row.items.map(({ amountMinor, taxRate, taxCategory }) => ({
      amountMinor: BigInt(amountMinor),
      taxRate,
      taxCategory,
    })),
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

/**
 * The warnings of the country's rules, about the age of the exchange rate and the due date, and about characters that cannot be
 * printed. A draft has no exchange rate yet, so a missing one is no warning there.
 */
export function countryWarnings(row: DocumentRow): Warning[] {
  const view = countryView(row)
  const warnings = view ? [...documentWarnings(view.country, view.sale), ...cashLimitWarnings(row, view)] : []
  const ofCountry = row.status === 'DRAFT' ? warnings.filter(({ code }) => code !== 'HOME_AMOUNTS_MISSING') : warnings
  return [
    ...ofCountry,
    ...participantWarnings(row.countrySpecificData),
    ...rateWarnings(row),
    ...dueDateWarnings(row),
    ...unprintableWarnings(row, view),
  ]
}

/**
 * The exchange rate to the country's currency and its day. Drafts, and documents issued before it was stored, have it only if
 * the organization counts in the currency of its country.
 */
function countryRate(row: CountryRow, countryCurrency: string) {
  const { currency, exchangeRate, exchangeRateDate, organization } = row
  if (currency === countryCurrency) return { exchangeRate: 1, exchangeRateDate: null }
  if (row.countryRate !== null) return { exchangeRate: Number(row.countryRate), exchangeRateDate: row.countryRateDate }
  const isKnown = exchangeRate !== null && (row.rateCurrency ?? organization?.currency) === countryCurrency
  return isKnown
    ? { exchangeRate: Number(exchangeRate), exchangeRateDate }
    : { exchangeRate: null, exchangeRateDate: null }
}
