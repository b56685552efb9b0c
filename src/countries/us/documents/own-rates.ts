import type { Warning } from '../../../core/define/schema.ts'
import type { Sale, SalesTaxRates, TaxedLine } from '../../country.ts'
import { rateDifference, salesTaxRateOn, stateIn, stateOfSale } from '../reporting.ts'

/** The rate of the state of an address; undefined if it names none, or the table has no rate for it. */
export function ownRateAt(rates: SalesTaxRates, address: string | null, day: string): number | undefined {
  const state = stateIn(address)
  return state === undefined ? undefined : salesTaxRateOn(rates, state, day)
}

/**
 * What differs from the organization's own table of rates in the state that the sale goes to. The amounts of a document are those that
 * were given, so a rate is not filled in: the warning names it. A credit memo has the rate of what it corrects.
 */
export function ownRateWarnings({ customer, document }: Sale, rates: SalesTaxRates): Warning[] {
  const { documentType, facts, issueDate: day, lines, taxRate, taxMinor } = document
  const state = stateOfSale({ facts, address: customer.address, country: customer.country })
  if (state === null || documentType === 'CREDIT_MEMO' || documentType === 'RECEIPT') return []
  const whole: TaxedLine = { amountMinor: document.subtotalMinor, taxRate }
  const found = new Map<string, Warning>()
  for (const [at, line] of (lines.length > 0 ? lines : [whole]).entries()) {
    if (line.amountMinor === 0n) continue
    const rate = line.taxRate ?? taxRate
    const isTaxed = taxMinor > 0n && rate !== 0
    const sale = { state, day, rate, isTaxed, category: line.taxCategory ?? null, facts }
    const difference = rateDifference(sale, rates)
    const path = line.taxRate === null || lines.length === 0 ? 'taxRate' : `items.${at}.taxRate`
    if (difference && !found.has(difference.code)) found.set(difference.code, { ...difference, path })
  }
  return [...found.values()]
}
