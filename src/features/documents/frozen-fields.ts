import { conflict } from '../../core/define/failure.ts'
import { toMinor } from '../../core/values/money.ts'
import type { Document, DocumentChanges, NewLine } from './document.ts'
import { readAmounts } from './totals.ts'
import { dayOf, type OrganizationContext } from './write.ts'

/** What was issued does not change (INV-07); the same again is no change, and neither is binary noise (INV-01). */
export function refuseFrozenChanges(document: Document, changes: DocumentChanges, home: OrganizationContext): void {
  const { customerId, currency, documentType, taxRate, issueDate, items } = changes
  const minor = (amount: number) => {
    const parsed = toMinor(amount, document.currency)
    return parsed.kind === 'exact' ? parsed.minor : undefined
  }
  const differs = {
    customerId: customerId !== undefined && customerId.toLowerCase() !== document.customerId,
    currency: currency !== undefined && currency.trim().toUpperCase() !== document.currency,
    documentType: documentType !== undefined && documentType !== document.documentType,
    taxRate: taxRate !== undefined && taxRate !== document.taxRate,
    issueDate: issueDate !== undefined && dayOf('issueDate', issueDate, home) !== document.issueDate,
    items: items !== undefined && linesAsText(document, items) !== linesAsText(document, document.items),
    ...Object.fromEntries(
      (['subtotal', 'taxAmount', 'total'] as const).map((field) => {
        const given = changes[field]
        return [field, given !== undefined && minor(given) !== minor(document[field])]
      }),
    ),
  }
  const [field] = Object.entries(differs).find(([, is]) => is) ?? []
  if (field)
    throw conflict(
      `${field} of an issued document does not change. Correct it with a memo (POST /api/documents/{id}/memos).`,
      'FROZEN',
    )
}

/** Lines as they would be kept, to compare. */
function linesAsText(document: Document, items: readonly NewLine[]): string {
  const { lines } = readAmounts({ ...document, items }, { draft: false })
  const facts = items.map(({ id, description, itemId = null, taxCategory = null }, at) => {
    const { amount, ...rest } = lines[at] ?? {}
    return { id, description, itemId, taxCategory, ...rest, amount: String(amount) }
  })
  return JSON.stringify(facts)
}
