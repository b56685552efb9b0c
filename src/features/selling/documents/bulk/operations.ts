import { operation } from '../../../../core/define/operation.ts'
import { Id, optional, Type } from '../../../../core/define/schema.ts'
import { remove } from '../operations.ts'
import { letterFields } from '../sending/letter.ts'
import { send } from '../sending/send.ts'
import { BulkAnswer, DocumentIds, forEachDocument } from './each.ts'

// Automations have FOR_EACH, and the companion asks for a word for each effect: neither needs these.
const sources = ['SESSION', 'API_KEY', 'OAUTH'] as const

const { recipients: _, ...wordsOfAll } = letterFields

export const sendMany = operation({
  name: 'invoices_bulk_send',
  http: 'POST /api/documents/bulk-send',
  does: 'Sends several sales documents, or reminders of what is open of them. Each goes to the recipients of its customer; drafts are issued in the given order. The mail is queued, and an outcome is answered for each document.',
  scope: 'invoices:write',
  role: 'CONTRIBUTOR',
  within: 'organizationId',
  sources,
  input: Type.Object({ organizationId: Id, ids: DocumentIds, ...optional(wordsOfAll) }),
  output: BulkAnswer,
  outside: true,
  run: (context, { organizationId: _, ids, ...letter }) =>
    forEachDocument(context, send, { ids, input: { ...letter, wait: false } }),
})

export const removeMany = operation({
  name: 'invoices_bulk_delete',
  http: 'POST /api/documents/bulk-delete',
  does: 'Deletes several drafts; an outcome is answered for each. Documents with a number stay.',
  scope: 'invoices:write',
  role: 'CONTRIBUTOR',
  within: 'organizationId',
  sources,
  input: Type.Object({ organizationId: Id, ids: DocumentIds }),
  output: BulkAnswer,
  outside: true,
  run: (context, { ids }) => forEachDocument(context, remove, { ids }),
})
