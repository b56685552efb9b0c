import { Decimal } from 'decimal.js'
import type { Check, Field, Fields, ReadItem } from '../reading.ts'
import { negated, sum, toDecimal } from './element.ts'

/** An e-invoice in what both syntaxes have in common. Null is what the invoice does not say. */
export type Invoice = {
  typeCode: string | null
  seller: string | null
  sellerTaxNumber: string | null
  number: string | null
  date: string | null
  dueDate: string | null
  currency: string | null
  /** Without tax. */
  subtotal: string | null
  taxAmount: string | null
  /** Of each tax in the summary of taxes. */
  rates: readonly (string | null)[]
  /** With tax, before rounding, also what has been paid already. */
  total: string | null
  rounding: string | null
  /** A code of UNTDID 4461. */
  paymentMeans: string | null
  /** Lines, and the charges and allowances on the whole invoice, which the subtotal includes. */
  items: readonly ReadItem[]
}

/** The codes of UNTDID 1001 for credit notes. */
const creditNotes = new Set(['81', '83', '261', '262', '296', '308', '381', '396', '420', '458', '532'])

/** The codes of UNTDID 4461 as payment methods of expenses; what other codes mean is agreed between the parties. */
const paymentMethods: Record<string, string> = {
  10: 'CASH', 20: 'CHECK', 21: 'CHECK', 22: 'CHECK', 23: 'CHECK', 25: 'CHECK', 26: 'CHECK',
  30: 'BANK_TRANSFER', 31: 'BANK_TRANSFER', 42: 'BANK_TRANSFER', 45: 'BANK_TRANSFER', 57: 'BANK_TRANSFER', 58: 'BANK_TRANSFER',
  48: 'CARD', 54: 'CARD', 55: 'CARD', 49: 'DIRECT_DEBIT', 59: 'DIRECT_DEBIT',
} // biome-ignore format: a table

/** More lines are no use to a person who verifies them. */
const itemsMax = 1_000

/**
 * The fields of an invoice. The total is what is owed with tax and rounding, also what was paid before: the books record
 * payments separately. Amounts of a credit note are negative, so that nobody takes it for a bill: an expense is above
 * zero, and a credit of a supplier is recorded for the expense that it corrects.
 */
export function toFields(invoice: Invoice): Fields {
  const isNegated = isCreditNote(invoice) && !invoice.total?.startsWith('-')
  const signed = (amount: string | null) => (isNegated ? negated(amount) : amount)
  const items = invoice.items
    .slice(0, itemsMax)
    .map((item) => ({ ...item, quantity: signed(item.quantity), amount: signed(item.amount) }))
  const rates = [...new Set(invoice.rates.filter((rate) => rate !== null).map((rate) => new Decimal(rate).toString()))]
  const read = {
    vendor: invoice.seller,
    vendorTaxNumber: invoice.sellerTaxNumber,
    documentNumber: invoice.number,
    date: invoice.date,
    dueDate: invoice.dueDate,
    currency: /^[A-Z]{3}$/.test(invoice.currency ?? '') ? invoice.currency : null,
    subtotal: signed(invoice.subtotal),
    taxAmount: signed(taxOf(invoice)),
    taxRate: rates.length === 1 ? toDecimal(rates[0] ?? null) : null,
    total: signed(owed(invoice)),
    paymentMethod: paymentMethods[invoice.paymentMeans ?? ''] ?? null,
    items: items.length > 0 ? items : null,
  }
  return Object.fromEntries(
    Object.entries(read)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [name, { value, confidence: 1, box: null } satisfies Field<unknown>]),
  )
}

const isCreditNote = ({ typeCode }: Invoice) => creditNotes.has(typeCode ?? '')

const owed = ({ total, rounding }: Invoice) => (total === null ? null : sum(total, rounding))

/** An invoice without tax may leave the tax out; it is then what the total has beyond the subtotal. */
const taxOf = ({ taxAmount, subtotal, total }: Invoice) =>
  taxAmount ?? (subtotal !== null && total !== null ? sum(total, negated(subtotal)) : null)

/** Whether the invoice adds up. */
export function toChecks({ subtotal, taxAmount, total, items }: Invoice): Check[] {
  const checks: Check[] = []
  const equal = (a: string | null, b: string | null) => a !== null && b !== null && new Decimal(a).eq(b)
  if (subtotal !== null && taxAmount !== null && total !== null) {
    checks.push({ rule: 'SUBTOTAL_PLUS_TAX', holds: equal(sum(subtotal, taxAmount), total) })
  }
  const amounts = items.map(({ amount }) => amount)
  if (subtotal !== null && amounts.length > 0 && amounts.every((amount) => amount !== null)) {
    checks.push({ rule: 'ITEMS_ADD_UP', holds: equal(sum(...amounts), subtotal) })
  }
  return checks
}
