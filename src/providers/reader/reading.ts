/** What a reader finds in a receipt or an invoice, and the text that it finds it in. */

/** A place on a page, in fractions of its width and height from the top left corner of the upright page; pages count from 1. */
export type Box = { page: number; x: number; y: number; width: number; height: number }

/** Consecutive characters as a person would read them (Hebrew in logical order), with how sure the engine is (0–1). */
export type Word = { text: string; box: Box; confidence: number }

/** The words of one printed line, in reading order; `text` is the words joined with spaces. */
export type Line = Word & { words: readonly Word[]; direction: 'ltr' | 'rtl' }

/**
 * One page, upright, its lines from top to bottom. `width` and `height` are in pixels and give the aspect. `turned` is how many
 * degrees clockwise the picture had to be turned beyond what its EXIF data says, if it had to.
 */
export type Page = { number: number; width: number; height: number; lines: readonly Line[]; turned?: 90 | 180 | 270 }

/** What is known of the organization and settles what print leaves open: the order of day and month, the currency. */
export type Hints = { country: 'IL' | 'SG' | 'US'; currency: string; today: string }

/** A line of what was bought. Amounts are decimal strings, as printed without separators of thousands. */
export type ReadItem = { description: string; quantity: string | null; unitPrice: string | null; amount: string | null }

/** The values of each field; days are ISO days, amounts decimal strings, the rate a percentage. */
export type Values = {
  vendor: string
  vendorTaxNumber: string
  documentNumber: string
  date: string
  dueDate: string
  currency: string
  subtotal: string
  taxAmount: string
  taxRate: string
  total: string
  paymentMethod: string
  items: readonly ReadItem[]
}

export type FieldName = keyof Values

/** A value with the probability that it is right and where it is printed, if it is. */
export type Field<T> = { value: T; confidence: number; box: Box | null }

export type Fields = { [name in FieldName]?: Field<Values[name]> }

/** A calculation on the document itself, such as subtotal + tax = total, and whether it comes out. */
export type Check = { rule: 'SUBTOTAL_PLUS_TAX' | 'ITEMS_ADD_UP' | 'CASH_MINUS_CHANGE' | 'TAX_RATE'; holds: boolean }

export type Reading = {
  providerId: 'kontor-ocr' | 'kontor-pdf' | 'kontor-einvoice'
  fields: Fields
  checks: readonly Check[]
  pages: number
}

/** Why a file cannot be read, for the person who sent it. */
export type UnreadableReason = 'UNSUPPORTED_TYPE' | 'DAMAGED' | 'ENCRYPTED' | 'TOO_LARGE' | 'TOO_MANY_PAGES' | 'NO_TEXT'

export class Unreadable extends Error {
  readonly reason: UnreadableReason
  constructor(reason: UnreadableReason, message: string) {
    super(message)
    this.reason = reason
  }
}
