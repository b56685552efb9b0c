import { sql } from 'kysely'
import { job } from '../../core/define/job.ts'
import { OneOf, type Static, Type } from '../../core/define/schema.ts'
import { languages } from '../../core/values/language.ts'
import type { Database } from '../../db/database.ts'
import type { Content } from '../mail/delivery.ts'
import { type PersonTemplate, queuePersonMail } from '../mail/queue.ts'
import { emailChanged } from '../mail/templates/email-changed.ts'
import { passwordReset } from '../mail/templates/password-reset.ts'
import { verifyEmail } from '../mail/templates/verify-email.ts'
import { makeLink, validMinutes } from './account-link.ts'

/**
 * Letters about somebody's account. Whether there is such an account is found out here and not in the request, which
 * therefore answers alike, and as fast, for every address (THR-09).
 */
export const AccountMail = Type.Object({
  about: OneOf('RESET_PASSWORD', 'VERIFY_EMAIL', 'CHANGE_EMAIL', 'EMAIL_CHANGED'),
  /** The account's address. */
  email: Type.String(),
  /** The address it is to have, or has now. */
  newEmail: Type.Optional(Type.String()),
  language: OneOf(...languages),
})
export type AccountMail = Static<typeof AccountMail>

export const accountMailName = 'account-mail'

export const accountMail = job(accountMailName, AccountMail, ({ once }, order) =>
  once(async ({ db, secrets, installation }) => {
    const user = await findByEmail(db, order.about === 'EMAIL_CHANGED' ? (order.newEmail ?? '') : order.email)
    if (!user) return
    // The address that the account has (or had, until now), never the asker's spelling: that may be another mailbox which
    // is the same in small letters only.
    const email = order.about === 'EMAIL_CHANGED' ? order.email : user.email
    const letter = await write(db, { ...order, ...user, email, url: installation.url })
    if (letter) await queuePersonMail({ db, secrets }, letter)
  }),
)

type Facts = Static<typeof AccountMail> & { id: string; name: string; verified: boolean; url: string }

type Letter = Content & { to: string; template: PersonTemplate }

async function write(db: Database, facts: Facts): Promise<Letter | undefined> {
  const { id, name, email, url, language } = facts
  switch (facts.about) {
    case 'RESET_PASSWORD': {
      const token = await makeLink(db, { userId: id, purpose: 'RESET_PASSWORD', email })
      const content = passwordReset(language, {
        name,
        url: `${url}/reset?token=${token}`,
        validMinutes: validMinutes.RESET_PASSWORD,
      })
      return { to: email, template: 'password-reset', ...content }
    }
    case 'VERIFY_EMAIL':
      return facts.verified ? undefined : verification(db, { ...facts, purpose: 'VERIFY_EMAIL', to: email })
    case 'CHANGE_EMAIL':
      return verification(db, { ...facts, purpose: 'CHANGE_EMAIL', to: facts.newEmail ?? '' })
    case 'EMAIL_CHANGED':
      // To the old address: whoever did not do this learns of it there.
      return {
        to: email,
        template: 'email-changed',
        ...emailChanged(language, { name, email: facts.newEmail ?? '' }),
      }
  }
}

type Verification = Facts & { purpose: 'VERIFY_EMAIL' | 'CHANGE_EMAIL'; to: string }

async function verification(db: Database, wanted: Verification): Promise<Letter> {
  const { id, name, language, url, purpose, to } = wanted
  const token = await makeLink(db, { userId: id, purpose, email: to })
  const content = verifyEmail(language, {
    name,
    url: `${url}/verify-email?token=${token}`,
    validHours: validMinutes[purpose] / 60,
  })
  return { to, template: 'verify-email', ...content }
}

const findByEmail = (db: Database, email: string) =>
  db
    .selectFrom('users')
    .select(['id', 'name', 'email', sql<boolean>`email_verified_at is not null`.as('verified')])
    .where(sql`lower(email)`, '=', sql<string>`lower(${email}::text)`)
    .where('disabledAt', 'is', null)
    .executeTakeFirst()
