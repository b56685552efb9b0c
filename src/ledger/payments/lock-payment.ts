import { conflict } from '../../core/define/failure.ts'
import type { Database } from '../../core/define/operation.ts'
import { pipeline } from '../../db/pipeline.ts'
import type { LedgerKind } from '../kind.ts'
import { lockPayable } from './payable-documents.ts'
import { documentsPaidBy, lockPayment } from './read-payment.ts'

/** Locks a payment of a kind after the documents that it pays and others that may change with it (reliability, lock order). */
export async function lockWithDocuments(
  db: Database,
  kind: LedgerKind,
  id: string,
  others: Promise<readonly string[]>,
) {
  const { ids, more } = await pipeline({ ids: documentsPaidBy(db, id), more: others })
  const locked = await lockPayable(db, kind, [...ids, ...more])
  const { payment, paid } = await pipeline({ payment: lockPayment(db, kind, id), paid: documentsPaidBy(db, id) })
  refuseNewAllocations(paid, ids)
  return { payment, documents: locked.filter((document) => ids.includes(document.id)) }
}

/**
 * The documents of a payment are read before they are locked, and locked before the payment. If another request allocated
 * the payment to a further document in between, that document is not locked and its status was not checked.
 */
export function refuseNewAllocations(paid: readonly string[], locked: readonly string[]) {
  if (paid.some((documentId) => !locked.includes(documentId)))
    throw conflict('The payment has just been allocated to another document. Try again.', 'BUSY')
}
