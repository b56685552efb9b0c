import type { TaxedDocument } from '../../../../features/books/reports/tax/read-taxed-documents.ts'
import { gstCategory } from '../../documents/tax-categories.ts'

/** The boxes of GST F5 that an amount before tax goes to. The tax of supplies is box 6, that of purchases box 7. */
type Boxes = { value: readonly number[]; isSupply: boolean }

// IRAS, GST InvoiceNow requirement, annex of tax categories, and how to complete the GST F5 return.
const supplies: Record<string, readonly number[]> = {
  SR: [1], DS: [1], 'SRCA-S': [1], 'SRCA-C': [1], SRRC: [1, 14], 'SROVR-RS': [1, 15], 'SROVR-LVG': [1, 16], SRLVG: [1, 17],
  ZR: [2], ES33: [3], ESN33: [3], OS: [], NG: [], NA: [],
} // biome-ignore format: a table

const purchases: Record<string, readonly number[]> = {
  TX: [5],
  ZP: [5],
  BL: [],
  NR: [],
}

export const boxesOf = (code: string, side: TaxedDocument['side']): Boxes | undefined => {
  const value = (side === 'OUTPUT' ? supplies : purchases)[code]
  return value && { value, isSupply: side === 'OUTPUT' }
}

/** Supplies on which no GST may be charged. */
export const untaxedCodes = ['ZR', 'ES33', 'ESN33', 'OS', 'NG', 'SRCA-S']

/**
 * The GST code of what a document has booked. A sale has the category of its lines, and is standard-rated if it has none and is taxed.
 * A bill has no category: it is TX if tax is deducted, BL if the tax on it is not, ZP if its rate is 0, and otherwise from a supplier who
 * charges none (NR). Undefined for an untaxed sale without a category, which may be zero-rated, exempt or out of scope.
 */
export function gstCode({ side, category, rate, taxMinor, ...bill }: TaxedDocument): string | undefined {
  if (side === 'OUTPUT')
    return gstCategory({ taxCategory: category }) || ((rate ?? 0) > 0 || taxMinor !== 0 ? 'SR' : undefined)
  if (taxMinor !== 0 || (bill.deductedTaxMinor ?? 0) > 0) return 'TX'
  if ((bill.chargedTaxMinor ?? 0) > 0) return 'BL'
  return rate === 0 ? 'ZP' : 'NR'
}
