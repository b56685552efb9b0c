import type { Decimal } from 'decimal.js'
import { compact } from '../../../../core/values/compact.ts'
import type { Payment } from './einvoice.ts'
import type { EInvoiceData } from './read-data.ts'
import { textOrNull } from './text.ts'

/** The codes of UNTDID 4461 for payments that were made already. */
const codes: Record<string, string> = { CASH: '10', CHECK: '20', CARD: '54', CREDIT_CARD: '54' }

type Due = { payable: Decimal; isNational: boolean }

/** How the invoice is to be paid: to the bank account of the document, or with PayNow. What is paid names its method. */
export function paymentOf(data: EInvoiceData, { payable, isNational }: Due): Payment | null {
  const { row, account, country, sale } = data
  if (!payable.gt(0)) {
    const code = codes[row.paymentMethod?.toUpperCase() ?? '']
    return code ? { code, account: null } : null
  }
  const iban = account?.iban ? compact(account.iban) : null
  const id = iban ?? textOrNull(account?.accountNumber)
  if (id)
    return {
      code: '30',
      account: {
        id,
        isIban: iban !== null,
        name: textOrNull(account?.accountName),
        bic: textOrNull(account?.swiftCode),
      },
    }
  if (!isNational) return null // EN 16931 has no code for it
  const uen = sale.issuer.registrationNumber
  const hasCode = country.paymentCode({ issuer: sale.issuer, currency: row.currency })?.name === 'PayNow'
  return hasCode && uen ? { code: 'Z02', account: { id: compact(uen), isIban: false, name: null, bic: null } } : null
}
