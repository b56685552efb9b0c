import { conflict, invalid } from '../../../core/define/failure.ts'
import { type Inside, type Member, operation } from '../../../core/define/operation.ts'
import { one } from '../../../core/define/query.ts'
import { ById } from '../../../core/define/schema.ts'
import { pipeline } from '../../../db/pipeline.ts'
import { lockDocument } from '../../../ledger/numbering.ts'
import { MailPreview, toMailPreview } from '../../mail/delivery.ts'
import { enclosedFiles } from '../attachments/attachment.ts'
import { changeDocument } from '../change.ts'
import { asIssued } from '../issuing/as-issued.ts'
import { type DocumentRow, documentById } from '../reading/read.ts'
import { documentEmail, documentFileName } from './document-email.ts'
import {
  findMailing,
  type Mailing,
  queueMailing,
  recipientsOf,
  recordMailingOutcome,
  SendAnswer,
  toSendAnswer,
} from './mailing.ts'

export const send = operation({
  name: 'invoices_send',
  http: 'POST /api/documents/{id}/send',
  does: 'Sends a sales document to the recipients of its customer by e-mail; a draft is issued first.',
  scope: 'invoices:write',
  role: 'CONTRIBUTOR',
  within: 'documents',
  input: ById,
  output: SendAnswer,
  alsoRates: [{ bucket: 'documentSend', per: 'organization' }],
  outside: true,
  async run(context, { id }) {
    const { organizationId, userId } = await context.who
    const mailing = await context.tx((inside) => issueAndQueue(inside, { id, mailingId: context.intent }))
    await context.deliverNow(organizationId, mailing.deliveryIds)
    return context.once(async (inside) =>
      toSendAnswer(await recordMailingOutcome({ ...inside, userId }, mailing, { includeQueued: true })),
    )
  },
})

export const previewSend = operation({
  name: 'invoices_send_preview',
  http: 'GET /api/documents/{id}/send/preview',
  does: 'Shows the e-mail that invoices_send would send now, with its recipients; of a draft with the number that it would get.',
  scope: 'invoices:read',
  role: 'CONTRIBUTOR',
  within: 'documents',
  input: ById,
  output: MailPreview,
  async run(context, { id }) {
    const { db } = context
    const stored = await one(documentById(db, id), 'document')
    refuseClosed(stored)
    const { recipients, files, row } = await pipeline({
      recipients: recipientsOf(db, stored),
      files: enclosedFiles(db, stored),
      row: asIssued(db, stored),
    })
    if (recipients.length === 0) throw noRecipients()
    const attachments = [documentFileName(row), ...files.map(({ fileName }) => fileName)]
    return toMailPreview(documentEmail(context, row), { to: recipients.toSorted(), attachments })
  },
})

type SendContext = Inside & { who: Promise<Member> }

/** Issues a draft and queues its e-mails; after a crash it returns the mailing that was queued before. */
async function issueAndQueue(
  context: SendContext,
  { id, mailingId }: { id: string; mailingId: string },
): Promise<Mailing> {
  const { db } = context
  const queued = await findMailing(db, mailingId)
  if (queued) return queued
  const before = await one(documentById(db, id), 'document')
  refuseClosed(before)
  const recipients = await recipientsOf(db, before)
  if (recipients.length === 0) throw noRecipients()
  if (before.status === 'DRAFT') await changeDocument(context, { id, status: 'UNSENT' })
  const { row } = await pipeline({ locked: lockDocument(db, id), row: one(documentById(db, id), 'document') })
  refuseClosed(row)
  return queueMailing(context, { row, recipients, mailingId })
}

/** Refuses to mail a document that is no longer valid: it would ask for money that is not owed, or acknowledge none. */
function refuseClosed({ cancelledAt, convertedToId, documentType }: DocumentRow) {
  if (cancelledAt !== null)
    throw conflict(
      documentType === 'PAYMENT_REQUEST'
        ? 'The payment request was cancelled, so it is not sent: nothing is owed for it.'
        : 'The receipt was cancelled, so it is not sent: it acknowledges no payment any more.',
      'CANCELLED',
    )
  if (convertedToId !== null)
    throw conflict(
      'An invoice was issued for this payment request. Send the invoice (convertedToId) instead.',
      'CONVERTED',
    )
}

const noRecipients = () =>
  invalid('id', 'The customer has no recipients. Add an e-mail address or a recipient first.', 'NO_RECIPIENTS')
