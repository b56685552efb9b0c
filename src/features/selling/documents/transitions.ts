import { conflict } from '../../../core/define/failure.ts'
import { canTransition } from '../../../ledger/kind.ts'
import type { DocumentStatus } from './document.ts'
import { salesKind } from './kind.ts'

/** Refuses a status that may not follow the current one. */
export function checkTransition(from: DocumentStatus, to: DocumentStatus): void {
  if (canTransition(salesKind, from, to)) return
  const remedy =
    from === 'PAID'
      ? 'To reopen a paid document, clear its payment (clearReceiptInfo) as a manager.'
      : 'Correct it with a credit memo (POST /api/documents/{id}/memos).'
  throw conflict(`A document that is ${from} cannot become ${to}. ${remedy}`, 'STATUS')
}
