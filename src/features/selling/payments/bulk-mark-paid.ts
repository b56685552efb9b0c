import { operation } from '../../../core/define/operation.ts'
import { Id, Type } from '../../../core/define/schema.ts'
import { BulkAnswer, DocumentIds, forEachDocument } from '../documents/bulk/each.ts'
import { markPaid } from './mark-paid.ts'

const { id: _, ...payment } = markPaid.input.properties

export const markManyPaid = operation({
  name: 'invoices_bulk_mark_paid',
  http: 'POST /api/documents/bulk-mark-paid',
  does: 'Records the payment of all that is open of several sales documents. Each has a payment of its own, with a receipt if asked to; an outcome is answered for each. One payment over several documents is recorded with invoices_payments_create.',
  scope: 'invoices:write',
  role: 'CONTRIBUTOR',
  within: 'organizationId',
  sources: ['SESSION', 'API_KEY', 'OAUTH'],
  input: Type.Object({ organizationId: Id, ids: DocumentIds, ...payment }),
  output: BulkAnswer,
  outside: true,
  run: (context, { organizationId: _, ids, ...input }) => forEachDocument(context, markPaid, { ids, input }),
})
