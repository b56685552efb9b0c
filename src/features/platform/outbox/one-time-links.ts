import { sql } from 'kysely'
import { atLeast, hasScope } from '../../../core/define/access.ts'
import type { Database, Member } from '../../../core/define/operation.ts'
import type { OutboxMessage } from './outbox-message.ts'

/** The links with which somebody joins an organization, or gets into an account. */
const links = /(\/(?:invitations\/accept|reset|verify-email)\?token=)[\w-]+/g
const isInvitation = (link: string) => link.startsWith('/invitations/')

/**
 * The messages without the tokens of such links, except of invitations that the caller may send: a person or a credential with
 * users:write, and the role that is given. Runs and the companion never see one, because they store what they read.
 */
export async function withoutOneTimeLinks(
  { db, who }: { db: Database; who: Promise<Member> },
  messages: readonly OutboxMessage[],
): Promise<OutboxMessage[]> {
  const mailed = messages.filter(({ text, html }) => `${text}\n${html}`.search(links) >= 0)
  const invited = mailed.length > 0 ? await mayInvite(db, await who, mailed) : []
  return messages.map((message) => {
    const isShown = invited.includes(message.to.toLowerCase())
    const masked = (content: string) =>
      content.replace(links, (link, before: string) => (isShown && isInvitation(link) ? link : `${before}HIDDEN`))
    return { ...message, text: masked(message.text), html: masked(message.html) }
  })
}

/** The addresses whose invitations the caller could have sent. A replaced one is good for nothing. */
async function mayInvite(db: Database, { source, scopes, role }: Member, messages: readonly OutboxMessage[]) {
  const isStored = source === 'AUTOMATION' || source === 'COMPANION'
  if (isStored || !hasScope(scopes, 'users:write')) return []
  const email = sql<string>`lower(email)`
  const addresses = messages.map(({ to }) => to.toLowerCase())
  const pending = await db
    .selectFrom('invitations')
    .select([email.as('email'), 'role'])
    .where(email, 'in', addresses)
    .where('acceptedAt', 'is', null)
    .execute()
  return pending.filter((each) => atLeast(role, each.role)).map((each) => each.email)
}
