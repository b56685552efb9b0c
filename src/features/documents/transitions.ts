import { conflict } from '../../core/define/failure.ts'
import type { DocumentStatus } from './document.ts'

/** Forward, however far; back from PAID only by voiding the payment. Leaving DRAFT issues the document. */
const moves: Record<DocumentStatus, readonly DocumentStatus[]> = {
  DRAFT: ['UNSENT', 'SENT', 'PAID'],
  UNSENT: ['SENT', 'PAID'],
  SENT: ['PAID'],
  PAID: [],
}

/** Throws when a document cannot go from one status to the other; to stay where it is, it can always. */
export function checkMove(from: DocumentStatus, to: DocumentStatus): void {
  if (from === to || moves[from].includes(to)) return
  const way =
    from === 'PAID'
      ? 'A paid document is opened again by clearing its payment (clearReceiptInfo), by a manager.'
      : 'Correct it with a credit memo (POST /api/documents/{id}/memos).'
  throw conflict(`A document that is ${from} does not become ${to} again. ${way}`, 'STATUS')
}
