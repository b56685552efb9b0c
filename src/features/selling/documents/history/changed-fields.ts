import { type DocumentRow, toDocument } from '../reading/read.ts'

/** The fields that a caller can change, in the order in which they are named. */
const fields = [
  'bankAccountId', 'countrySpecificData', 'currency', 'customerId', 'documentType', 'dueDate', 'exchangeRate', 'exchangeRateDate',
  'issueDate', 'items', 'notes', 'payUntil', 'paymentDate', 'paymentMethod', 'status', 'subtotal', 'taxAmount', 'taxRate', 'total',
] as const // biome-ignore format: a list of words

/** The names of the fields in which a document differs from what it was before a change. */
export function changedFields(before: DocumentRow, after: DocumentRow): string[] {
  const [was, is] = [toDocument(before), toDocument(after)]
  return fields.filter((field) => JSON.stringify(was[field]) !== JSON.stringify(is[field]))
}
