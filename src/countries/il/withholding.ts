import type { Warning } from '../../core/define/schema.ts'
import { percentOf } from '../../core/values/money.ts'
import type { SupplierPayment } from '../country.ts'
import { rowOn } from '../dated.ts'
import { vatRates } from './rates.ts'

/** Income tax ordinance, section 164: tax is withheld from suppliers by the rate of their certificate, while it is valid. */
export const withholdingWarnings = (payment: SupplierPayment): Warning[] => [
  ...expiredCertificate(payment),
  ...notWithheld(payment),
]

function expiredCertificate({ day, validUntil }: SupplierPayment): Warning[] {
  if (validUntil === null || validUntil >= day) return []
  const message = `The withholding certificate of the supplier was valid until ${validUntil}. Ask for a new one; until then the highest rate applies.`
  return [{ code: 'CERTIFICATE_EXPIRED', path: 'supplier.withholdingValidUntil', message }]
}

/** Differences of less than this, in minor units, are rounding. */
const roundingMinor = 100n

/** Whether the base of the tax has the VAT in it is the business of the payer, so the smaller one is taken. */
function notWithheld({ day, amountMinor, withheldMinor, rate }: SupplierPayment): Warning[] {
  if (rate === null || rate === 0) return []
  const vat = rowOn(vatRates, day)?.percent ?? 0
  const least = (percentOf(amountMinor, rate, 'down') * 1_000n) / BigInt(Math.round((100 + vat) * 10))
  if (withheldMinor + roundingMinor > least) return []
  const withheld = withheldMinor === 0n ? 'nothing was' : 'less was'
  const message = `The withholding rate of the supplier is ${rate} %, and ${withheld} withheld (withheldAmount).`
  return [{ code: 'NOT_WITHHELD', path: 'withheldAmount', message }]
}
