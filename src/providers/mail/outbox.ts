import { sql } from 'kysely'
import type { Database, Pool } from '../../core/define/operation.ts'
import { packAttachments } from '../../core/files/attachment.ts'
import type { Mail, Outcome } from '../../core/outside/mail.ts'
import { newId } from '../../core/values/id.ts'
import { type MailMessage, messagesFor } from './message.ts'

/** What an organization's outbox holds; older messages make way. */
const keptMax = 500

/** Mail in local mode without a server: kept where GET /api/outbox shows it. The pool is one outside any organization. */
export const outboxMail = (system: Pool, from: string): Mail => ({
  async send(message) {
    const outcomes: Outcome[] = []
    await system.use(async (db) => {
      for (const letter of messagesFor(message, from)) {
        outcomes.push('ok' in letter ? letter : await keep(db, letter, message.organizationId))
      }
      await forgetOldest(db, message.organizationId)
    })
    return outcomes
  },
  close() {},
})

/** A second copy of a message is the same message, as a mailbox would see it. */
async function keep(db: Database, letter: MailMessage, organizationId: string | null): Promise<Outcome> {
  const { to, from, replyTo, messageId, subject, text, html, attachments } = letter
  const headers = {
    From: written(from),
    To: to,
    ...(replyTo && { 'Reply-To': written(replyTo) }),
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
      headers: JSON.stringify(headers),
      ...packAttachments(attachments),
    })
    .onConflict((conflict) => conflict.columns(['organizationId', 'messageId']).doNothing())
    .execute()
  return { address: to, ok: true, messageId }
}

const written = ({ name, address }: { name: string; address: string }) => (name ? `${name} <${address}>` : address)

const forgetOldest = (db: Database, organizationId: string | null) =>
  sql`delete from outbox where organization_id is not distinct from ${organizationId}
      and id in (select id from outbox where organization_id is not distinct from ${organizationId}
                 order by created_at desc, id desc offset ${keptMax})`.execute(db)
