import type { Warning } from '../../../../core/define/schema.ts'
import { exact } from '../../../../core/values/money.ts'
import { findCountry } from '../../../../countries/countries.ts'
import { dayOf, type OrganizationContext } from '../../../../ledger/organization-context.ts'
import { rateDayWarnings } from '../../../../ledger/rate-warnings.ts'
import type { DocumentRow } from '../reading/read.ts'

/**
 * The rate that a caller gives and its day: to the currency of the organization, or of its country if the document is in the
 * currency of the organization.
 */
export type GivenRate = { exchangeRate: number | null; exchangeRateDate: string | null }

/**
 * The columns of a given rate. A document in the organization's own currency has the rate 1. Another one is the rate to the
 * currency of the country, if the organization counts in a different one. Otherwise it is ignored, with a warning, because a
 * client may send the rate of the currency that the document had before.
 */
export function rateColumns(
  { exchangeRate, exchangeRateDate, currency }: GivenRate & { currency: string },
  organization: OrganizationContext,
  what: 'document' | 'payment' | 'expense' = 'document',
) {
  const givenRateDate = dayOf('exchangeRateDate', exchangeRateDate, organization)
  const isOwn = currency === organization.currency
  const country = findCountry(organization.country)
  const isToCountry =
    what === 'document' && isOwn && exchangeRate !== 1 && country !== undefined && country.currency !== currency
  if (exchangeRate === null || (isOwn && !isToCountry)) {
    const warnings = [
      ...(isOwn && exchangeRate !== null && exchangeRate !== 1
        ? [ignored('exchangeRate', ownCurrency(what, currency))]
        : []),
      ...(exchangeRate === null && givenRateDate !== null ? [ignored('exchangeRateDate', dateAlone)] : []),
    ]
    return { columns: { givenRate: null, givenRateDate: null }, warnings }
  }
  const givenRate = exact(exchangeRate).toSignificantDigits(12).toFixed()
  return { columns: { givenRate, givenRateDate }, warnings: [] }
}

const ignored = (path: string, message: string): Warning => ({ code: 'EXCHANGE_RATE_IGNORED', path, message })
const ownCurrency = (what: string, currency: string) =>
  `The ${what} is in ${currency}, the currency of the organization, so its exchange rate is 1 and the given one is ignored.`
const dateAlone = 'exchangeRateDate is ignored, because no exchangeRate is given.'

type RateChanges = { exchangeRate?: number | null; exchangeRateDate?: string | null; currency?: string }
type StoredRate = Pick<DocumentRow, 'exchangeRate' | 'exchangeRateDate' | 'givenRateDate' | 'currency'>

/**
 * The given rate of a changed draft. Null and the values that were read change nothing. The rate ends with the currency that
 * it is of, and if PUT leaves it out.
 */
export function changedRate(
  current: StoredRate,
  given: RateChanges,
  { currency, replace }: { currency: string; replace: boolean },
): GivenRate {
  const rate = current.exchangeRate === null ? null : Number(current.exchangeRate)
  const { exchangeRate = null, exchangeRateDate = null } = given
  if (exchangeRate !== null && exchangeRate !== rate) return { exchangeRate, exchangeRateDate }
  const isLeftOut = replace && given.exchangeRate === undefined
  if (isLeftOut || currency.trim().toUpperCase() !== current.currency) return { exchangeRate: null, exchangeRateDate }
  const isNewDate = exchangeRateDate !== null && exchangeRateDate !== current.exchangeRateDate
  return { exchangeRate: rate, exchangeRateDate: isNewDate ? exchangeRateDate : current.givenRateDate }
}

export const noRate: GivenRate = { exchangeRate: null, exchangeRateDate: null }

type RatedRow = Pick<
  DocumentRow,
  | 'documentType'
  | 'currency'
  | 'issueDate'
  | 'paymentDate'
  | 'rateCurrency'
  | 'exchangeRateDate'
  | 'countryRateDate'
  | 'givenRate'
  | 'publishedRate'
>

/**
 * Warnings about rates that are older than a week, or newer than the document, and about a given one that is far from the
 * published one. The date of a receipt is that of the payment; a memo has the rate of the document that it corrects, which
 * may be of any age.
 */
export function rateWarnings(row: RatedRow): Warning[] {
  if (row.documentType.endsWith('_MEMO')) return []
  const day = (row.documentType === 'RECEIPT' && row.paymentDate) || row.issueDate
  const dates = new Set([row.exchangeRateDate, row.countryRateDate].filter((date) => date !== null))
  return [...[...dates].flatMap((date) => rateDayWarnings(row.currency, { date, day })), ...unusualRate(row)]
}

/** How many times larger or smaller than the published one a given rate is without a warning. */
const usualFactor = 1.5

function unusualRate({ currency, givenRate, publishedRate }: RatedRow): Warning[] {
  if (givenRate === null || publishedRate === null) return []
  const factor = exact(givenRate).div(exact(publishedRate))
  if (factor.lte(usualFactor) && factor.gte(exact(1).div(usualFactor))) return []
  const published = exact(publishedRate).toSignificantDigits(6).toFixed()
  const message = `The given exchange rate of ${currency}, ${exact(givenRate).toFixed()}, is far from the published one, ${published}.`
  return [{ code: 'EXCHANGE_RATE_UNUSUAL', path: 'exchangeRate', message }]
}
