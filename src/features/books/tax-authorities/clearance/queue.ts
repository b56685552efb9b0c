import type { Inside } from '../../../../core/define/operation.ts'

export const clearDocumentName = 'clear-document'

/** One job for each document: the same key replaces the one that waits. */
export const enqueueAttempt = ({ enqueue }: Pick<Inside, 'enqueue'>, documentId: string, runAt: Date) =>
  enqueue(clearDocumentName, { documentId }, { runAt, key: `${clearDocumentName}:${documentId}` })
