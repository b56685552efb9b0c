import { sql } from 'kysely'
import { job } from '../../../core/define/job.ts'
import { OneOf, type Static, Type } from '../../../core/define/schema.ts'
import { languages } from '../../../core/values/language.ts'
import type { Database } from '../../../db/database.ts'
import type { Content } from '../../platform/mail/delivery.ts'
import { type PersonTemplate, queuePersonMail } from '../../platform/mail/queue.ts'
import { accessEnded as accessEndedMessage } from '../../platform/mail/templates/access-ended.ts'
import { accountExists } from '../../platform/mail/templates/account-exists.ts'
import { emailChanged } from '../../platform/mail/templates/email-changed.ts'
import { passwordReset } from '../../platform/mail/templates/password-reset.ts'
import { verifyEmail } from '../../platform/mail/templates/verify-email.ts'
import { makeLink, validMinutes } from './account-link.ts'
import { Ended, nothingEnded } from './end-access.ts'

/**
 * E-mails about an account. The job looks for the account, not the request, so that the request gives the same answer in
 * the same time for every address (THR-09).
 */
export const AccountMail = Type.Object({
  about: OneOf('RESET_PASSWORD', 'VERIFY_EMAIL', 'SIGN_UP', 'CHANGE_EMAIL', 'EMAIL_CHANGED', 'ACCESS_ENDED'),
  /** The account's address. */
  email: Type.String(),
  /** The new address: the requested one, or of EMAIL_CHANGED the one that it has now. */
  newEmail: Type.Optional(Type.String()),
  /** What was ended, of ACCESS_ENDED. */
  ended: Type.Optional(Ended),
  language: OneOf(...languages),
})
export type AccountMail = Static<typeof AccountMail>

export const accessEnded = (about: Pick<AccountMail, 'email' | 'language'> & { ended: Ended }): AccountMail => ({
  about: 'ACCESS_ENDED',
  ...about,
})

export const accountMailName = 'account-mail'

export const accountMail = job(accountMailName, AccountMail, ({ once }, request) =>
  once(async ({ db, secrets, installation }) => {
    const user = await findByEmail(db, request.about === 'EMAIL_CHANGED' ? (request.newEmail ?? '') : request.email)
    if (!user) return
    // The address as the account has it (or had it until now), not as the request spelled it: that may be another mailbox,
    // which is the same in lower case only.
    const email = request.about === 'EMAIL_CHANGED' ? request.email : user.email
    const message = await write(db, { ...request, ...user, email, url: installation.url })
    if (message) await queuePersonMail({ db, secrets }, message)
  }),
)

type AccountMessageInput = AccountMail & {
  id: string
  name: string
  verified: boolean
  confirmFirst: boolean
  url: string
}

type AccountMessage = Content & { to: string; template: PersonTemplate }

async function write(db: Database, input: AccountMessageInput): Promise<AccountMessage | undefined> {
  const { id, name, email, url, language } = input
  switch (input.about) {
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
      return input.verified ? undefined : verification(db, { ...input, purpose: 'VERIFY_EMAIL', to: email })
    case 'SIGN_UP':
      return input.confirmFirst
        ? verification(db, { ...input, purpose: 'VERIFY_EMAIL', to: email })
        : { to: email, template: 'account-exists', ...accountExists(language, { name, url }) }
    case 'CHANGE_EMAIL':
      return verification(db, { ...input, purpose: 'CHANGE_EMAIL', to: input.newEmail ?? '' })
    case 'ACCESS_ENDED':
      return {
        to: email,
        template: 'access-ended',
        ...accessEndedMessage(language, { ...(input.ended ?? nothingEnded), name, url }),
      }
    case 'EMAIL_CHANGED':
      // To the old address, so that its owner learns of a change that they did not make.
      return {
        to: email,
        template: 'email-changed',
        ...emailChanged(language, { name, email: input.newEmail ?? '' }),
      }
  }
}

type Verification = AccountMessageInput & { purpose: 'VERIFY_EMAIL' | 'CHANGE_EMAIL'; to: string }

async function verification(db: Database, input: Verification): Promise<AccountMessage> {
  const { id, name, language, url, purpose, to } = input
  const token = await makeLink(db, { userId: id, purpose, email: to })
  const content = verifyEmail(language, {
    name,
    url: `${url}/verify-email?token=${token}`,
    validHours: validMinutes[purpose] / 60,
  })
  return { to, template: 'verify-email', ...content }
}

/**
 * Counts a message to an address that need not be the person's own, so that nobody can fill a mailbox of somebody else. Mail
 * for a forgotten password has its own limit: otherwise other mail could use up what its owner needs.
 */
export const countMessageTo = (db: Database, email: string) => sql`select count_message_to(${email})`.execute(db)

const findByEmail = (db: Database, email: string) =>
  db
    .selectFrom('users')
    .select(['id', 'name', 'email', 'confirmFirst', sql<boolean>`email_verified_at is not null`.as('verified')])
    .where(sql`lower(email)`, '=', sql<string>`lower(${email}::text)`)
    .where('disabledAt', 'is', null)
    .executeTakeFirst()
