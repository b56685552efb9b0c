import type { Warning } from '../../../core/define/schema.ts'
import { toMajor } from '../../../core/values/money.ts'
import type { CashDeal } from '../../country.ts'
import { rowOn } from '../../dated.ts'
import { cashLimits } from '../rates.ts'

/** The law to reduce the use of cash: what a business may take in cash for a deal. */
export function cashWarnings({ day, cashMinor, priceMinor }: CashDeal): Warning[] {
  const limit = rowOn(cashLimits, day)?.dealMinor
  if (limit === undefined || (priceMinor !== null && priceMinor <= limit)) return []
  const tenth = priceMinor === null ? limit : priceMinor / 10n
  // biome-ignore lint/complexity/useMathMinMax: Math.min does not accept bigints
  const allowed = tenth < limit ? tenth : limit
  if (cashMinor <= allowed) return []
  const shekels = (minor: bigint) => toMajor(minor, 'ILS').toLocaleString('en')
  const message = `${shekels(cashMinor)} ILS were paid in cash. For a deal over more than ${shekels(limit)} ILS a business may take in cash at most a tenth of the price and not more than ${shekels(limit)} ILS, here ${shekels(allowed)} ILS.`
  return [{ code: 'CASH_LIMIT', path: 'method', message }]
}
