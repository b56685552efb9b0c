import type { Warning } from '../define/schema.ts'
import type { MailReader } from './mail-reader.ts'

/** A place on a page, in fractions of its width and height from the top left corner of the upright page; pages count from 1. */
export type Box = { page: number; x: number; y: number; width: number; height: number }

/** What is known of the organization and settles what print leaves open: the order of day and month, the currency. */
export type Hints = { country: string; dateOrder: 'DMY' | 'MDY'; currency: string; today: string }

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

/**
 * A value with the probability that it is right and where it is printed, if it is. `reader` is there if two readers took part:
 * it names the one that the value is from.
 */
export type Field<T> = { value: T; confidence: number; box: Box | null; reader?: ReaderId }

export type Fields = { [name in FieldName]?: Field<Values[name]> }

/** A calculation on the document itself, such as subtotal + tax = total, and whether it comes out. */
export type Check = { rule: 'SUBTOTAL_PLUS_TAX' | 'ITEMS_ADD_UP' | 'CASH_MINUS_CHANGE' | 'TAX_RATE'; holds: boolean }

/** A built-in reader, or a model as `<provider>:<model>`. */
export type ReaderId = 'kontor-ocr' | 'kontor-pdf' | 'kontor-einvoice' | `${string}:${string}`

export type Reading = {
  /** The model, if one took part. */
  providerId: ReaderId
  fields: Fields
  checks: readonly Check[]
  pages: number
  /** All that was read, a line each, for finding the number of an order in it; at most `textMax` characters. */
  text: string
  /** By how many degrees, clockwise, each page was turned to be upright; empty for an e-invoice. */
  turned: readonly number[]
}

export const textMax = 20_000

/** Why a file was not read. The last four are no fault of the file: the same file may be read later. */
export type UnreadReason =
  | 'UNSUPPORTED_TYPE'
  | 'DAMAGED'
  | 'ENCRYPTED'
  | 'TOO_LARGE'
  | 'TOO_MANY_PAGES'
  | 'NO_TEXT'
  | 'TOOK_TOO_LONG'
  | 'OUT_OF_MEMORY'
  | 'CRASHED'
  | 'BUSY'

export type ReadOutcome = ({ reading: Reading } | { unread: UnreadReason; message: string }) & {
  /** Why the second reader did not take part, if it was asked. */
  warnings?: readonly Warning[]
}

/** A file on the local disk to read, and whose it is: organizations take turns. `contentType` is what its content says. */
export type ReadRequest = { path: string; contentType: string; hints: Hints; organizationId: string }

/** A PDF from outside on the local disk, and which of its pages to draw; without `page` they are only counted. */
export type DrawFileRequest = { path: string; page?: number; dotsPerInch: number; organizationId: string }

/** The page as JPEG, or null if there is none of this number or none was asked for. */
export type DrawOutcome = { pageCount: number; jpeg: Uint8Array | null } | { unread: UnreadReason; message: string }

/**
 * Reads receipts and invoices, in a process of its own with a low priority, one file at a time. It answers within 50 seconds
 * whatever the file is and whatever happens to that process. An organization with too many files waiting is refused with 429.
 */
export type ReceiptReader = MailReader & {
  read(request: ReadRequest): Promise<ReadOutcome>
  /** In another process of the same kind, so that nobody waits for a scan to see a page. Answers within 30 seconds. */
  drawPage(request: DrawFileRequest): Promise<DrawOutcome>
  close(): Promise<void>
}
