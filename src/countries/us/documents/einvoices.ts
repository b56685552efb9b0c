import { compact } from '../../../core/values/compact.ts'
import type { EInvoiceRules } from '../../einvoices.ts'
import { categoryCode } from '../../tax-category.ts'
import { einProblem, isSsnText } from './numbers.ts'

const reasons: Record<string, string> = {
  EXEMPT: 'Exempt from sales tax',
  RESALE: 'Sold for resale',
}

/** Sales tax is no value added tax, but e-invoices have no other place for it. */
export const einvoices: EInvoiceRules = {
  national: null,
  categoryOf(line) {
    if ((line.taxRate ?? 0) > 0) return { code: 'S' }
    return { code: 'E', reason: reasons[categoryCode(line)] ?? 'Not subject to sales tax' }
  },
  unregisteredReason: 'Not subject to sales tax',
  taxId(numbers) {
    const ein = einOf(numbers)
    return ein ? { kind: 'OTHER', number: `${ein.slice(0, 2)}-${ein.slice(2)}` } : undefined
  },
  participant(numbers) {
    const ein = einOf(numbers)
    return ein ? { scheme: '9959', id: ein } : undefined
  },
  postcode: /\b\d{5}(-\d{4})?\b/,
}

/** The employer identification number. A number of a person is not given out. */
function einOf({ taxNumber, registrationNumber }: { taxNumber: string | null; registrationNumber: string | null }) {
  const isEin = (text: string) =>
    /^\d{2}-\d{7}$/.test(text) || (/^\d{9}$/.test(text) && einProblem(text) === undefined && !isSsnText(text))
  const found = [taxNumber, registrationNumber].find((text) => text !== null && isEin(text.trim()))
  return found ? compact(found) : undefined
}
