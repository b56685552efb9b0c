import { conflict, invalid } from '../../../../core/define/failure.ts'
import { type Inside, type Member, type Outside, operation } from '../../../../core/define/operation.ts'
import { one } from '../../../../core/define/query.ts'
import { ById, Id, optional, Type } from '../../../../core/define/schema.ts'
import { pipeline } from '../../../../db/pipeline.ts'
import { lockDocument } from '../../../../ledger/numbering.ts'
import { takeOverAfterMs } from '../../../platform/mail/deliver-now.ts'
import { MailPreview, toMailPreview } from '../../../platform/mail/delivery.ts'
import { countOutcomes, SendAnswer, toSendAnswer } from '../../../platform/mail/outcome.ts'
import { queueMail } from '../../../platform/mail/queue.ts'
import { enclosedFiles, enclosuresOf } from '../attachments/attachment.ts'
import { changeDocument } from '../change.ts'
import { asIssued } from '../issuing/as-issued.ts'
import { type DocumentRow, documentById } from '../reading/read.ts'
import { documentEmail, documentFileName } from './document-email.ts'
import { givenRecipients, type LetterInput, letterFields, letterOf } from './letter.ts'
import {
  findMailing,
  type Mailing,
  queueMailing,
  recipientsOf,
  recordMailingOutcome,
  toQueuedAnswer,
} from './mailing.ts'

export const send = operation({
  name: 'invoices_send',
  http: 'POST /api/documents/{id}/send',
  does: 'Sends a sales document to the recipients of its customer by e-mail, or a reminder of what is open of it; a draft is issued first.',
  scope: 'invoices:write',
  role: 'CONTRIBUTOR',
  within: 'documents',
  input: Type.Object({
    id: Id,
    ...letterFields,
    ...optional({
      test: Type.Boolean({ description: 'Sends the letter to yourself alone. The document stays as it is.' }),
      wait: Type.Boolean({ description: 'Whether to wait for the mail server, as is usual; false only queues it.' }),
    }),
  }),
  output: SendAnswer,
  alsoRates: [{ bucket: 'documentSend', per: 'organization' }],
  outside: true,
  async run(context, { test = false, wait = true, ...letter }) {
    if (test) return sendTest(context, letter)
    const { organizationId, userId } = await context.who
    const asked = { ...letter, mailingId: context.intent, later: !wait }
    const mailing = await context.tx((inside) => issueAndQueue(inside, asked))
    if (!wait) return context.once(async () => toQueuedAnswer(mailing))
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
  run: async (context, { id }) => {
    const { content, ...mail } = await composeLetter(context, { id })
    return toMailPreview(content, mail)
  },
})

export const previewMail = operation({
  name: 'invoices_mail_preview',
  http: 'POST /api/documents/{id}/mail-preview',
  does: 'Shows the e-mail that invoices_send would send with the same recipients, words and kind, as text and HTML. Nothing is sent or stored.',
  scope: 'invoices:read',
  role: 'CONTRIBUTOR',
  within: 'documents',
  reads: true,
  input: Type.Object({
    id: Id,
    ...letterFields,
    test: Type.Optional(Type.Boolean({ description: 'Shows the letter to yourself.' })),
  }),
  output: Type.Object({ ...MailPreview.properties, html: Type.String() }),
  async run(context, { test = false, ...letter }) {
    const { content, ...mail } = test ? await composeTest(context, letter) : await composeLetter(context, letter)
    return { ...toMailPreview(content, mail), html: content.html }
  },
})

type Asked = LetterInput & { id: string }
type ReadContext = Pick<Inside, 'db' | 'now' | 'secrets' | 'installation'>

/** The e-mail as it would be sent now. Refuses what sending refuses. */
async function composeLetter(context: ReadContext, { id, ...given }: Asked) {
  const { db, now } = context
  const stored = await one(documentById(db, id), 'document')
  refuseClosed(stored)
  const { recipients, files, row, letter } = await pipeline({
    recipients: givenRecipients(given) ?? recipientsOf(db, stored),
    files: enclosedFiles(db, stored),
    row: asIssued(db, stored),
    letter: letterOf(db, stored, given, now),
  })
  if (recipients.length === 0) throw noRecipients()
  const attachments = [documentFileName(row), ...files.map(({ fileName }) => fileName)]
  return { content: documentEmail(context, row, letter), to: recipients.toSorted(), attachments }
}

type SendContext = Inside & { who: Promise<Member> }

/** Issues a draft and queues its e-mails; after a crash it returns the mailing that was queued before. */
async function issueAndQueue(
  context: SendContext,
  { id, mailingId, later, ...given }: Asked & { mailingId: string; later: boolean },
): Promise<Mailing> {
  const { db, now } = context
  const queued = await findMailing(db, mailingId)
  if (queued) return queued
  const before = await one(documentById(db, id), 'document')
  refuseClosed(before)
  const recipients = givenRecipients(given) ?? (await recipientsOf(db, before))
  if (recipients.length === 0) throw noRecipients()
  if (before.status === 'DRAFT' && given.kind !== 'REMINDER') await changeDocument(context, { id, status: 'UNSENT' })
  const { row } = await pipeline({ locked: lockDocument(db, id), row: one(documentById(db, id), 'document') })
  refuseClosed(row)
  return queueMailing(context, { row, recipients, mailingId, letter: await letterOf(db, row, given, now), later })
}

/** Sends the letter to the caller alone. The document is not issued, and no original of it is kept. */
async function sendTest(context: Outside & { who: Promise<Member> }, asked: Asked) {
  const { organizationId } = await context.who
  const deliveryId = await context.tx((inside) => queueTest(inside, asked, context.intent))
  await context.deliverNow(organizationId, [deliveryId])
  return context.once(async ({ db, audit }) => {
    audit({ test: true })
    const delivery = db.selectFrom('mailDeliveries').select(['status', 'kept']).where('id', '=', deliveryId)
    return toSendAnswer(countOutcomes(await delivery.execute()))
  })
}

async function queueTest(context: SendContext, asked: Asked, deliveryId: string): Promise<string> {
  const { db, consumeRateLimit } = context
  const { content, to } = await composeTest(context, asked)
  await consumeRateLimit(db, 'mailRecipients', { count: to.length })
  const [print, ...files] = await enclosuresOf(db, asked)
  const enclosures = print?.kind === 'PRINT' ? [{ ...print, copy: true as const }, ...files] : files
  const runAt = new Date(Date.now() + takeOverAfterMs)
  return queueMail(context, { id: deliveryId, to: to[0] ?? '', template: 'sales-test', ...content, enclosures, runAt })
}

/** The letter as its recipients would get it, marked as a test and to the caller. A customer without recipients is no hindrance. */
async function composeTest(context: ReadContext & { who: Promise<Member> }, asked: Asked) {
  const { userId } = await context.who
  const { email } = await one(context.db.selectFrom('users').select('email').where('id', '=', userId), 'person')
  const { content, attachments } = await composeLetter(context, { ...asked, recipients: [email] })
  return { content: { ...content, subject: `[Test] ${content.subject}` }, to: [email], attachments }
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
