import type { Inside, Member } from '../../core/define/operation.ts'
import type { OrganizationContext } from '../../ledger/organization-context.ts'
import type { PaymentInput } from '../../ledger/payments/record-payment.ts'
import type { DocumentChanges } from './document.ts'
import type { DocumentRow } from './reading/read.ts'

/** What changing a document needs once the caller and the organization are known. */
export type ChangeContext = Pick<Inside, 'db' | 'emit' | 'now'> & {
  organization: OrganizationContext
  member: Member
  /** The operation that a payment is recorded by, if the change pays the document. */
  source: PaymentInput['source']
  /** How that payment was made; nothing is known unless given. */
  stored?: PaymentInput['stored']
}

/** A change of a document; `replace` empties the optional fields that are not given (PUT). */
export type DocumentChange = { current: DocumentRow; changes: DocumentChanges; replace: boolean }
