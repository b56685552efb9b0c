import { sql } from 'kysely'
import { invalid } from '../../core/define/failure.ts'
import type { Inside } from '../../core/define/operation.ts'
import { type Attachment, attachmentsProblem } from '../../core/files/attachment.ts'
import { toAddress } from '../../core/values/address.ts'
import { newId } from '../../core/values/id.ts'
import { toLine } from '../../core/values/line.ts'
import { type Content, type FollowUp, type SendMail, sendMailName } from './delivery.ts'
import type { Enclosure } from './enclosure.ts'
import { sealMessage } from './sealed-message.ts'

type Letter = Content & {
  /** The intent, where there is one already (a step, an invitation): asked for twice, it is one message. */
  id?: string
  to: string
}
type QueuedMail = Letter & {
  template: string
  attachments?: readonly Attachment[]
  /** What goes along without being kept here: brought when the message is sent. */
  enclosures?: readonly Enclosure[]
  /** Whoever is told what became of it. */
  followUp?: FollowUp
  /** When a worker takes it up; at once unless somebody else makes the first attempt (`deliverNow`). */
  runAt?: Date
}

/**
 * Queues a message from an organization to one recipient in the operation's own transaction: it is sent if, and only if,
 * what the operation did is committed. Answers the id of its delivery. An address that no mail can go to is a failed
 * delivery, not an error, so that the other recipients get theirs and the counts are right. Whoever sends on people's
 * behalf has it counted first: `await consumeRateLimit(db, 'emailSend')`.
 */
export async function queueMail(context: Queuing & Pick<Inside, 'enqueue'>, mail: QueuedMail): Promise<string> {
  const { db, secrets, enqueue } = context
  const { id = newId(), template, attachments = [], enclosures = [], followUp, runAt } = mail
  const objection = attachmentsProblem(attachments)
  if (objection) throw invalid('attachments', objection)
  const { to, subject, isAddress } = addressed(mail)
  const state = isAddress
    ? { ...sealMessage(secrets, { id, to }, bounded(mail)), lastReason: null }
    : { status: 'FAILED' as const, letter: null, lastReason: noAddress }
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

/** What Kontor itself writes to people; the database knows the same list (0008_mail.sql). */
export type PersonTemplate = 'password-reset' | 'verify-email' | 'email-changed' | 'invitation' | 'notification-digest'

/**
 * Queues a message from Kontor itself to a person, whatever the transaction is confined to: an operation `within:
 * 'caller'` gives its context, an endpoint of http/auth/auth.ts `{ db, secrets }` with the connection of its transaction.
 * `await queuePersonMail(context, { to, template: 'password-reset', ...passwordReset('en', { … }) })`
 */
export async function queuePersonMail({ db, secrets }: Queuing, mail: Letter & { template: PersonTemplate }) {
  const { id = newId(), template } = mail
  const { to, subject, isAddress } = addressed(mail)
  const letter = isAddress ? sealMessage(secrets, { id, to }, bounded(mail)).letter : null
  const reason = isAddress ? null : noAddress
  await sql`select queue_person_mail(${id}, ${to}, ${subject}, ${template}, ${letter}, ${reason})`.execute(db)
  return id
}

type Queuing = Pick<Inside, 'db' | 'secrets'>

const noAddress = 'Mail cannot be sent to this address.'

function addressed(mail: Letter) {
  const to = toAddress(mail.to)
  return { to: to ?? toLine(mail.to), subject: toLine(mail.subject, 300), isAddress: to !== undefined }
}

const textMax = 200_000
const htmlMax = 500_000

function bounded<M extends Letter>(mail: M): M {
  if (mail.text.length > textMax || mail.html.length > htmlMax) throw invalid('text', 'The message is too long.')
  return mail
}
