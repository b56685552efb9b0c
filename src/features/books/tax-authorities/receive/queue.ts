import type { Inside } from '../../../../core/define/operation.ts'

export const receiveEInvoicesName = 'receive-einvoices'

/** One job for each connection, as start_receiving() enqueues it: the same key replaces the one that waits. */
export const enqueueReceiving = ({ enqueue }: Pick<Inside, 'enqueue'>, connectionId: string) =>
  enqueue(receiveEInvoicesName, { connectionId }, { key: `${receiveEInvoicesName}:${connectionId}` })
