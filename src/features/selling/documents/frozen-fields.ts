import { conflict } from '../../../core/define/failure.ts'
import { toMinor } from '../../../core/values/money.ts'
import type { FreezableColumn } from '../../../ledger/kind.ts'
import { dayOf, type OrganizationContext } from '../../../ledger/organization-context.ts'
import { readAmounts } from '../../../ledger/totals.ts'
import type { Document, DocumentChanges, NewLine } from './document.ts'
import { salesKind } from './kind.ts'

/** The field of a change that writes a frozen column; columns without one cannot be written by a caller. */
const fieldOf = {
  document_type: 'documentType',
  counterparty_id: 'customerId',
  currency: 'currency',
  issue_date: 'issueDate',
  subtotal_minor: 'subtotal',
  tax_minor: 'taxAmount',
  total_minor: 'total',
  tax_rate: 'taxRate',
  lines: 'items',
} as const satisfies Partial<Record<FreezableColumn, keyof DocumentChanges>>
type FrozenField = (typeof fieldOf)[keyof typeof fieldOf]

/** Refuses changes of frozen fields (INV-07). The same value is no change; neither is a binary rounding error (INV-01). */
export function refuseFrozenChanges(document: Document, changes: DocumentChanges, context: OrganizationContext): void {
  const changed = changedFields(document, changes, context)
  const frozen = salesKind.freezes.whenFinal.flatMap((column) => (column in fieldOf ? [fieldOf[column as never]] : []))
  const field = frozen.find((each: FrozenField) => changed[each])
  if (field)
    throw conflict(
      `${field} of an issued document cannot change. Correct the document with a memo (POST /api/documents/{id}/memos).`,
      'FROZEN',
    )
}

function changedFields(
  document: Document,
  { customerId, currency, documentType, taxRate, issueDate, items, ...changes }: DocumentChanges,
  context: OrganizationContext,
): Record<FrozenField, boolean> {
  const minor = (amount: number) => {
    const parsed = toMinor(amount, document.currency)
    return parsed.kind === 'exact' ? parsed.minor : undefined
  }
  const amountDiffers = (field: 'subtotal' | 'taxAmount' | 'total') => {
    const given = changes[field]
    return given !== undefined && minor(given) !== minor(document[field])
  }
  return {
    customerId: customerId !== undefined && customerId.toLowerCase() !== document.customerId,
    currency: currency !== undefined && currency.trim().toUpperCase() !== document.currency,
    documentType: documentType !== undefined && documentType !== document.documentType,
    taxRate: taxRate !== undefined && taxRate !== document.taxRate,
    issueDate: issueDate !== undefined && dayOf('issueDate', issueDate, context) !== document.issueDate,
    items: items !== undefined && linesAsText(document, items) !== linesAsText(document, document.items),
    subtotal: amountDiffers('subtotal'),
    taxAmount: amountDiffers('taxAmount'),
    total: amountDiffers('total'),
  }
}

/** Lines as they are stored, for comparison. */
function linesAsText(document: Document, items: readonly NewLine[]): string {
  const { lines } = readAmounts({ ...document, items }, { draft: false })
  const stored = items.map(({ id, description, itemId = null, taxCategory = null }, at) => {
    const { amount, ...rest } = lines[at] ?? {}
    return { id, description, itemId, taxCategory, ...rest, amount: String(amount) }
  })
  return JSON.stringify(stored)
}
