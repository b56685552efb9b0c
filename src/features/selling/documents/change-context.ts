import type { Inside, Member } from '../../../core/define/operation.ts'
import type { PaymentInput } from '../../../ledger/payments/record-payment.ts'
import type { DocumentChanges } from './document.ts'
import type { IssuingContext } from './issuing/issuing-context.ts'
import type { DocumentRow } from './reading/read.ts'

/** What changing a document needs once the caller and the organization are known. */
export type ChangeContext = Pick<Inside, 'db' | 'emit' | 'now'> & {
  organization: IssuingContext
  member: Member
  /** The operation that a payment is recorded by, if the change pays the document. */
  source: PaymentInput['source']
  /** How that payment was made; nothing is known unless given. */
  stored?: PaymentInput['stored']
}

/** A change of a document; `replace` empties the optional fields that are not given (PUT). */
export type DocumentChange = { current: DocumentRow; changes: DocumentChanges; replace: boolean }
