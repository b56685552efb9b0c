import { atLeast } from '../../core/define/access.ts'
import { conflict, forbidden } from '../../core/define/failure.ts'
import type { Member } from '../../core/define/operation.ts'

/** Reopening a paid document needs the role MANAGER. */
export function requireReopening({ role }: Pick<Member, 'role'>, documents: readonly { status: string }[]) {
  if (documents.some(({ status }) => status === 'PAID') && !atLeast(role, 'MANAGER'))
    throw forbidden(`Reopening a paid document needs the role MANAGER; yours is ${role}.`, 'ROLE')
}

/**
 * The documents of a payment are read before they are locked, and locked before the payment. If another request allocated
 * the payment to a further document in between, that document is not locked and its status was not checked.
 */
export function refuseNewAllocations(paid: readonly string[], locked: readonly string[]) {
  if (paid.some((documentId) => !locked.includes(documentId)))
    throw conflict('The payment has just been allocated to another document. Try again.', 'BUSY')
}
