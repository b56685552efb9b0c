import type { DocumentType } from '../../country.ts'
import { rowOn, usualBackdatedDays } from '../../dated.ts'
import { backdatingLimits } from '../rates.ts'

/** Receipts follow the calendar: the order of their numbers forbids a date before the last one. */
export const backdatedDays = (documentType: DocumentType, today: string): number =>
  documentType === 'RECEIPT' || documentType === 'PAYMENT_REQUEST'
    ? usualBackdatedDays
    : (rowOn(backdatingLimits, today)?.days ?? usualBackdatedDays)
