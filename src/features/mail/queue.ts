import { sql } from 'kysely'
import { toAddress } from '../../core/address.ts'
import { type Attachment, objectionTo, packed } from '../../core/attachment.ts'
import { invalid } from '../../core/failure.ts'
import { newId } from '../../core/id.ts'
import { toLine } from '../../core/line.ts'
import type { Inside } from '../../core/operation.ts'
import { nobody } from '../../core/query.ts'
import { type Content, type SendMail, sendMailName } from './delivery.ts'

type QueuedMail = Content & {
  /** The intent, where there is one already (a step, an invitation): asked for twice, it is one message. */
  id?: string
  to: string
  template: string
  attachments?: readonly Attachment[]
}

/**
 * Queues a message to one recipient in the operation's own transaction: it is sent if, and only if, what the operation
 * did is committed. Answers the id of its delivery. An address that no mail can go to is a failed delivery, not an error,
 * so that the other recipients get theirs and the counts are right.
 */
export async function queueMail({ db, enqueue }: Pick<Inside, 'db' | 'enqueue'>, mail: QueuedMail): Promise<string> {
  const { id = newId(), subject, text, html, template, attachments = [] } = mail
  const objection = objectionTo(attachments)
  if (objection) throw invalid('attachments', objection)
  const to = toAddress(mail.to)
  const state = to
    ? { to, text, html, ...packed(attachments), lastReason: null }
    : { to: toLine(mail.to), status: 'FAILED' as const, text: null, html: null, lastReason: noAddress }
  const added = await db
    .insertInto('mailDeliveries')
    .values({ id, template, subject: toLine(subject, 300), claimedUntil: null, messageId: null, ...state })
    .onConflict((conflict) => conflict.columns(['organizationId', 'id']).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (added && to) enqueue(sendMailName, { deliveryId: id } satisfies SendMail)
  return id
}

const noAddress = 'This is no e-mail address that mail can be sent to.'

/** How a set of deliveries stands: `{ sent: 2, failed: 1, queued: 0 }`. */
export async function countDeliveries(db: Inside['db'], ids: readonly string[]) {
  const count = (status: string) => sql<number>`count(*) filter (where status = ${status})`
  return db
    .selectFrom('mailDeliveries')
    .select([count('SENT').as('sent'), count('FAILED').as('failed'), count('QUEUED').as('queued')])
    .where('id', 'in', ids.length > 0 ? [...ids] : [nobody])
    .executeTakeFirstOrThrow()
}
