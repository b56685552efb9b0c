import type { Warning } from '../../../core/define/schema.ts'
import { daysBetween } from '../../../core/values/day.ts'
import { exact } from '../../../core/values/money.ts'
import { dayOf, type OrganizationContext } from '../../../ledger/organization-context.ts'
import type { DocumentRow } from '../reading/read.ts'

/** The rate that a caller gives, to the currency of the organization, and its day. */
export type GivenRate = { exchangeRate: number | null; exchangeRateDate: string | null }

/**
 * The columns of a given rate. A document in the organization's own currency has the rate 1; another one is ignored, with a
 * warning, because a client may send the rate of the currency that the document had before.
 */
export function rateColumns(
  { exchangeRate, exchangeRateDate, currency }: GivenRate & { currency: string },
  organization: OrganizationContext,
) {
  const givenRateDate = dayOf('exchangeRateDate', exchangeRateDate, organization)
  const isOwn = currency === organization.currency
  if (exchangeRate === null || isOwn) {
    const warnings = [
      ...(isOwn && exchangeRate !== null && exchangeRate !== 1 ? [ignored('exchangeRate', ownCurrency(currency))] : []),
      ...(exchangeRate === null && givenRateDate !== null ? [ignored('exchangeRateDate', dateAlone)] : []),
    ]
    return { columns: { givenRate: null, givenRateDate: null }, warnings }
  }
  const givenRate = exact(exchangeRate).toSignificantDigits(12).toFixed()
  return { columns: { givenRate, givenRateDate }, warnings: [] }
}

const ignored = (path: string, message: string): Warning => ({ code: 'EXCHANGE_RATE_IGNORED', path, message })
const ownCurrency = (currency: string) =>
  `The document is in ${currency}, the currency of the organization, so its exchange rate is 1 and the given one is ignored.`
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

const daysFresh = 7

type RatedRow = Pick<
  DocumentRow,
  | 'documentType' | 'currency' | 'issueDate' | 'paymentDate' | 'rateCurrency' | 'exchangeRateDate' | 'countryRateDate'
> // biome-ignore format: a list of words

/**
 * Warnings about rates that are older than a week, or newer than the document. The date of a receipt is that of the payment;
 * a memo has the rate of the document that it corrects, which may be as old as it likes.
 */
export function rateAgeWarnings(row: RatedRow): Warning[] {
  if (row.documentType.endsWith('_MEMO')) return []
  const day = (row.documentType === 'RECEIPT' && row.paymentDate) || row.issueDate
  const dates = new Set([row.exchangeRateDate, row.countryRateDate].filter((date) => date !== null))
  return [...dates].flatMap((date) => {
    const age = daysBetween(date, day)
    if (age > daysFresh)
      return [
        rateDate('EXCHANGE_RATE_OLD', `The exchange rate of ${row.currency} is of ${date}, ${age} days before ${day}.`),
      ]
    if (age < 0)
      return [rateDate('EXCHANGE_RATE_LATER', `The exchange rate of ${row.currency} is of ${date}, after ${day}.`)]
    return []
  })
}

const rateDate = (code: string, message: string): Warning => ({ code, path: 'exchangeRateDate', message })
