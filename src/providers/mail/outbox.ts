import { sql } from 'kysely'
import type { Database, Pool } from '../../core/define/operation.ts'
import { packAttachments } from '../../core/files/attachment.ts'
import type { Mail, Outcome } from '../../core/outside/mail.ts'
import { newId } from '../../core/values/id.ts'
import { type MailMessage, messagesFor } from './message.ts'

/** The number of messages in the outbox of an organization; older ones are deleted. */
const messagesMax = 500

/** Mail in local mode without a server: stored for GET /api/outbox. The pool is not confined to an organization. */
export const outboxMail = (system: Pool, from: string): Mail => ({
  async send(message) {
    const outcomes: Outcome[] = []
    await system.use(async (db) => {
      for (const single of messagesFor(message, from)) {
        outcomes.push('ok' in single ? single : await store(db, single, message.organizationId))
      }
      await deleteOldest(db, message.organizationId)
    })
    return outcomes
  },
  close() {},
})

/** Stores a message, unless one with the same Message-ID exists. */
async function store(db: Database, single: MailMessage, organizationId: string | null): Promise<Outcome> {
  const { to, from, replyTo, messageId, subject, text, html, attachments, holdsPayroll } = single
  const headers = {
    From: formatAddress(from),
    To: to,
    ...(replyTo && { 'Reply-To': formatAddress(replyTo) }),
    Subject: subject,
    'Message-ID': messageId,
  }
  await db
    .insertInto('outbox')
    .values({
      id: newId(),
      organizationId,
      messageId,
      to,
      subject,
      text,
      html,
      holdsPayroll,
      headers: JSON.stringify(headers),
      ...packAttachments(attachments),
    })
    .onConflict((conflict) => conflict.columns(['organizationId', 'messageId']).doNothing())
    .execute()
  return { address: to, ok: true, messageId, kept: true }
}

const formatAddress = ({ name, address }: { name: string; address: string }) =>
  name ? `${name} <${address}>` : address

const deleteOldest = (db: Database, organizationId: string | null) =>
  sql`delete from outbox where organization_id is not distinct from ${organizationId}
      and id in (select id from outbox where organization_id is not distinct from ${organizationId}
                 order by created_at desc, id desc offset ${messagesMax})`.execute(db)
