import { compact } from '../../../core/values/compact.ts'
import type { EInvoiceRules } from '../../einvoices.ts'
import { isRegistered } from './numbers.ts'
import { kindOf } from './tax-categories.ts'

export const einvoices: EInvoiceRules = {
  national: null,
  categoryOf(line) {
    if ((line.taxRate ?? 0) > 0) return { code: 'S' }
    return kindOf(line) === 'exempt' ? { code: 'E', reason: 'Exempt from VAT' } : { code: 'Z' }
  },
  unregisteredReason: 'Exempt dealer, not registered for VAT',
  // A company pays VAT under its company number.
  taxId(numbers) {
    const number = numbers.taxNumber || numbers.registrationNumber
    if (!number || !isRegistered({ name: '', address: null, ...numbers })) return undefined
    return { kind: 'VAT', number: `IL${compact(number).padStart(9, '0')}` }
  },
  participant: () => undefined, // the code list of Peppol has no scheme for Israeli numbers
  postcode: /\b\d{7}\b|\b\d{5}\b/,
}
