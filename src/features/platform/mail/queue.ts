import { sql } from 'kysely'
import { invalid } from '../../../core/define/failure.ts'
import type { Inside } from '../../../core/define/operation.ts'
import { type Attachment, attachmentsProblem } from '../../../core/files/attachment.ts'
import { toAddress } from '../../../core/values/address.ts'
import { newId } from '../../../core/values/id.ts'
import { toLine } from '../../../core/values/line.ts'
import { type Content, type FollowUp, type SendMail, sendMailName, toSubject } from './delivery.ts'
import type { Enclosure } from './enclosure.ts'
import { sealMessage } from './sealed-message.ts'

type MessageToOne = Content & {
  /** The id of the intent, if there is one (a step, an invitation): queued twice, it is one message. */
  id?: string
  to: string
}
type QueuedMail = MessageToOne & {
  template: string
  attachments?: readonly Attachment[]
  /** Attachments by reference, loaded when the message is sent. */
  enclosures?: readonly Enclosure[]
  /** The job to enqueue when the delivery is finished. */
  followUp?: FollowUp
  /** When a worker may send it: at once, or later if the caller makes the first attempt (`deliverNow`). */
  runAt?: Date
}

/**
 * Queues a message from an organization to one recipient in the transaction of the operation: it is sent if, and only if,
 * the transaction commits. Returns the id of the delivery. An invalid address gives a failed delivery, not an error, so that
 * the other recipients get theirs. Callers that send on behalf of users must first call
 * `await consumeRateLimit(db, 'mailRecipients')`.
 */
export async function queueMail(context: QueueContext & Pick<Inside, 'enqueue'>, mail: QueuedMail): Promise<string> {
  const { db, secrets, enqueue } = context
  const { id = newId(), template, attachments = [], enclosures = [], followUp, runAt } = mail
  const problem = attachmentsProblem(attachments)
  if (problem) throw invalid('attachments', problem)
  const { to, subject, isAddress } = normalize(mail)
  const state = isAddress
    ? { ...sealMessage(secrets, { id, to }, requireLength(mail)), lastReason: null }
    : { status: 'FAILED' as const, letter: null, lastReason: invalidAddress }
  const added = await db
    .insertInto('mailDeliveries')
    .values({
      ...{ id, template, to, subject, claimedUntil: null, messageId: null, ...state },
      enclosures: JSON.stringify(enclosures),
      followUp: followUp ? JSON.stringify(followUp) : null,
    })
    .onConflict((conflict) => conflict.columns(['organizationId', 'id']).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (added && isAddress) enqueue(sendMailName, { deliveryId: id } satisfies SendMail, runAt && { runAt })
  return id
}

/** The templates of mail from Kontor itself. The database allows these only (`queue_person_mail()`). */
export type PersonTemplate =
  | 'password-reset'
  | 'verify-email'
  | 'email-changed'
  | 'access-ended'
  | 'account-exists'
  | 'invitation'
  | 'notification-digest'

/**
 * Queues a message from Kontor itself to a person, in any transaction: an operation `within: 'caller'` passes its context,
 * an account operation its own (`pool: 'system'`).
 * `await queuePersonMail(context, { to, template: 'password-reset', ...passwordReset('en', { … }) })`
 */
export async function queuePersonMail(
  { db, secrets }: QueueContext,
  mail: MessageToOne & { template: PersonTemplate },
) {
  const { id = newId(), template } = mail
  const { to, subject, isAddress } = normalize(mail)
  const letter = isAddress ? sealMessage(secrets, { id, to }, requireLength(mail)).letter : null
  const reason = isAddress ? null : invalidAddress
  await sql`select queue_person_mail(${id}, ${to}, ${subject}, ${template}, ${letter}, ${reason})`.execute(db)
  return id
}

type QueueContext = Pick<Inside, 'db' | 'secrets'>

const invalidAddress = 'Mail cannot be sent to this address.'

function normalize(mail: MessageToOne) {
  const to = toAddress(mail.to)
  return { to: to ?? toLine(mail.to), subject: toSubject(mail.subject), isAddress: to !== undefined }
}

const textMax = 200_000
const htmlMax = 500_000

function requireLength<M extends MessageToOne>(mail: M): M {
  if (mail.text.length > textMax || mail.html.length > htmlMax) throw invalid('text', 'The message is too long.')
  return mail
}
