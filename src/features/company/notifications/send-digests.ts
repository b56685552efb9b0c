import { sql } from 'kysely'
import { type JobInside, job } from '../../../core/define/job.ts'
import { Type } from '../../../core/define/schema.ts'
import type { Language } from '../../../core/values/language.ts'
import { mailName } from '../../../core/values/mail-name.ts'
import { queuePersonMail } from '../../platform/mail/queue.ts'
import { notificationDigest } from '../../platform/mail/templates/notification-digest.ts'
import { dueIn } from './digest.ts'
import { textOf } from './notification.ts'

const batchSize = 100

/** Sends digests to the people who want them, at eight in the morning of their time zone. Runs every hour; more often does no harm. */
export const sendDigests = job(
  'send-digests',
  Type.Object({}, { additionalProperties: true }),
  async ({ tx, signal }) => {
    while (!signal.aborted && (await tx((inside) => sendDigestBatch(inside, inside.now))) > 0) {
      // the next ones
    }
  },
)

type Inside = Pick<JobInside, 'db' | 'secrets' | 'installation'>

/** Sentences in one digest; of the others it contains the number. */
const itemsMax = 50

type Recipient = { userId: string; name: string; email: string; locale: Language }
type Unread = { userId: string; kind: string; data: unknown }

/**
 * Sends a batch of due digests, and returns their number. The day and the notifications are marked in the transaction that
 * queues the mail, so that no digest and no notification is sent twice.
 */
export async function sendDigestBatch(inside: Inside, now: Date): Promise<number> {
  const { db, installation } = inside
  const recipients = await markDue(inside, now)
  const ids = recipients.map(({ userId }) => userId)
  const { rows: unread } = await sql<Unread>`
    with included as (
      update notifications n set digested_at = now()
      where n.user_id = any (${ids}::uuid[]) and n.read_at is null and n.digested_at is null and not exists
        (select from organization_settings s where s.organization_id = n.organization_id and not s.digest)
      returning n.id, n.user_id, n.kind, n.data, n.created_at)
    select user_id, kind, data from included order by created_at, id`.execute(db)
  for (const { userId, name, email, locale } of recipients) {
    const texts = unread.filter((each) => each.userId === userId).map((each) => textOf(locale, withShortNames(each)))
    if (texts.length === 0) continue
    const items = texts.slice(0, itemsMax)
    const more = texts.length - items.length
    const content = notificationDigest(locale, { name, items, more, url: installation.url })
    await queuePersonMail(inside, { to: email, template: 'notification-digest', ...content })
  }
  return recipients.length
}

/** Names of people, organizations and accounts in a notification as mail may show them; a reason is a sentence of ours. */
function withShortNames({ data, ...rest }: Unread): Unread {
  const facts = Object.entries((data ?? {}) as Record<string, unknown>)
  const short = facts.map(([name, value]) => [
    name,
    typeof value === 'string' && name !== 'reason' ? mailName(value, '…') : value,
  ])
  return { ...rest, data: Object.fromEntries(short) }
}

/** The time zone of a person is that of their first organization. */
const people = sql`select u.id, u.name, u.email, u.locale, u.digest, u.email_verified_at, coalesce(
    (select o.timezone from memberships m join organizations o on o.id = m.organization_id
     where m.user_id = u.id order by m.created_at, m.organization_id limit 1), 'UTC') as zone
  from users u where u.digest <> 'NONE' and u.disabled_at is null`

/** Marks the day for a batch of people whose digest is due. */
async function markDue({ db, installation }: Inside, now: Date): Promise<Recipient[]> {
  const { rows: zones } = await sql<{ zone: string }>`select distinct zone from (${people}) p`.execute(db)
  const due = zones.map(({ zone }) => dueIn(zone, now)).filter((each) => each !== undefined)
  if (due.length === 0) return []
  const { rows } = await sql<Recipient>`
    with due as (select * from unnest(${due.map(({ zone }) => zone)}::text[], ${due.map(({ day }) => day)}::date[],
        ${due.map(({ weekly }) => weekly)}::boolean[]) as d (zone, day, weekly)),
      wanted as (select p.*, d.day from (${people}) p join due d on d.zone = p.zone
        where (p.digest = 'DAILY' or d.weekly) and (${installation.mode === 'local'} or p.email_verified_at is not null)
          and not exists (select from digests g where g.user_id = p.id and g.day = d.day)
        order by p.id limit ${batchSize}),
      marked as (insert into digests (user_id, day) select id, day from wanted on conflict do nothing returning user_id)
    select marked.user_id, name, email, locale from marked join wanted on wanted.id = marked.user_id`.execute(db)
  return rows
}
