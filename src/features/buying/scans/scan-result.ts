import { Id, nullable, OneOf, type Static, Text, Type, Warnings } from '../../../core/define/schema.ts'
import { Match } from '../../goods/orders/three-way-match.ts'
import type { ExpenseContext } from '../expenses/expense-context.ts'
import { ExtractedData } from './extracted-data.ts'
import type { Allowance } from './quota.ts'
import { Suggestions } from './suggest.ts'
import { VendorMatch } from './vendor.ts'

export const ScanResult = Type.Object({
  expenseId: Id,
  mergedIntoOrder: nullable(Type.Object({ id: Id, orderNumber: nullable(Text) })),
  orderTransition: nullable(
    Type.Object({
      from: Type.String({ description: 'The status of the order before.' }),
      to: Type.String({ description: 'Its status now. A bill alone does not change it.' }),
      reason: Type.String({ description: 'How the order was found: NUMBER, LINES, AMOUNT or SUPPLIER.' }),
      match: nullable({ ...Match, description: 'Null if the credential may not read orders.' }),
    }),
  ),
  suggestions: nullable(Suggestions),
  extractedData: ExtractedData,
  vendorMatch: nullable(VendorMatch),
  providerId: Text,
  processingTimeMs: Type.Integer(),
  scanStatus: OneOf('COMPLETED', 'FAILED'),
  scanError: nullable(Type.String({ description: 'Why it failed.' })),
  duplicateOfId: nullable({ ...Id, description: 'The expense that has this document already.' }),
  warnings: Type.Optional(Warnings),
})
export type ScanResult = Static<typeof ScanResult>

/** An attachment that is to be read, and what has to be known for it. */
export type Asked = {
  attachmentId: string
  expenseId: string
  organizationId: string
  fileType: string
  storageKey: string
  organization: ExpenseContext
  allowance: Allowance
}

/** A scan that changed nothing. `processingTimeMs` is set when the answer is written. */
export const failed = ({ expenseId }: Asked, scanError: string, more: Partial<ScanResult> = {}): ScanResult => ({
  ...emptyResult,
  expenseId,
  scanStatus: 'FAILED',
  scanError,
  ...more,
})

/** The fields of a result without anything found. */
export const emptyResult = {
  mergedIntoOrder: null,
  orderTransition: null,
  suggestions: null,
  extractedData: {},
  vendorMatch: null,
  providerId: 'kontor-ocr',
  processingTimeMs: 0,
  scanError: null,
  duplicateOfId: null,
}
