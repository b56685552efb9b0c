import { operation } from '../../../core/define/operation.ts'
import { Success, success, Type } from '../../../core/define/schema.ts'
import {
  accountOf,
  confirmAddress,
  EmailChange,
  EmailConfirmation,
  EmailVerified,
  PasswordChange,
  PasswordReset,
  provenByPassword,
  Reset,
  ResetRequest,
  requirePassword,
  resetPassword,
  setPassword,
} from './account.ts'
import { type AccountMail, accessEnded, accountMailName, countMessageTo } from './account-mail.ts'
import { countedByAddress, countedProofs, withoutSession, withSession } from './account-surface.ts'
import { hashPassword } from './password.ts'
import { beginSession } from './session.ts'

/** Queues the same job for every address, so the answer and its timing do not tell whether there is an account (THR-09). */
export const requestPasswordReset = operation({
  ...withoutSession,
  pool: 'system',
  name: 'auth_password_reset',
  http: 'POST /api/auth/password/reset',
  does: 'Requests an e-mail with a link to choose a new password.',
  input: ResetRequest,
  output: Success,
  alsoRates: [countedByAddress, { bucket: 'passwordReset', per: 'email' }],
  recordedAs: null,
  async run({ enqueue, origin: { language } }, { email }) {
    enqueue(accountMailName, { about: 'RESET_PASSWORD', email, language } satisfies AccountMail)
    return success
  },
})

export const confirmPasswordReset = operation({
  ...withoutSession,
  pool: 'system',
  name: 'auth_password_reset_confirm',
  http: 'POST /api/auth/password/reset/confirm',
  does: 'Sets a new password with the link of an e-mail.',
  input: Reset,
  output: PasswordReset,
  alsoRates: [countedByAddress],
  session: 'ENDS',
  recordedAs: 'auth.password_reset',
  outside: true,
  async run({ once, session, actAs, requestId, origin: { language } }, { token, password }) {
    const passwordHash = await hashPassword(password)
    return once(async ({ db, audit, enqueue }) => {
      const { userId, email, ended } = await resetPassword(db, { token, passwordHash, requestId })
      actAs(userId)
      audit({ ended })
      if (ended.everything) enqueue(accountMailName, accessEnded({ email, ended, language }))
      session({ end: true })
      return { ...success, ended }
    })
  },
})

export const changePassword = operation({
  ...withSession,
  pool: 'system',
  name: 'auth_password_change',
  http: 'POST /api/auth/password',
  does: 'Changes the password and ends every other session.',
  scope: 'users:write',
  input: PasswordChange,
  output: Success,
  alsoRates: countedProofs,
  session: 'STARTS',
  recordedAs: 'auth.password_changed',
  outside: true,
  async run(context, { currentPassword, password }) {
    const { userId } = await context.who
    await requirePassword(context, userId, currentPassword)
    const passwordHash = await hashPassword(password)
    return context.once(async ({ db }) => {
      await setPassword(db, userId, passwordHash)
      await beginSession(db, context, { userId })
      return success
    })
  },
})

export const requestEmailVerification = operation({
  ...withSession,
  pool: 'system',
  name: 'auth_email_verify',
  http: 'POST /api/auth/email/verify',
  does: 'Sends the e-mail that confirms your address again.',
  scope: 'users:write',
  input: Type.Object({}),
  output: Success,
  alsoRates: [{ bucket: 'passwordReset', per: 'person' }],
  recordedAs: null,
  async run({ db, who, enqueue, origin: { language } }) {
    const { email } = await accountOf(db, (await who).userId)
    await countMessageTo(db, email)
    enqueue(accountMailName, { about: 'VERIFY_EMAIL', email, language } satisfies AccountMail)
    return success
  },
})

export const changeEmail = operation({
  ...withSession,
  pool: 'system',
  name: 'auth_email_change',
  http: 'POST /api/auth/email',
  does: 'Requests a change of the e-mail address, which takes effect when the link sent to the new address is confirmed.',
  scope: 'users:write',
  input: EmailChange,
  output: Success,
  alsoRates: countedProofs,
  recordedAs: null,
  outside: true,
  async run(context, { email: newEmail, password }) {
    const { userId } = await context.who
    await requirePassword(context, userId, password)
    const { language } = context.origin
    return context.once(async ({ db, enqueue, consumeRateLimit }) => {
      await consumeRateLimit(db, 'passwordReset', { subject: `change-of:${userId}` }) // only with the right password
      await countMessageTo(db, newEmail)
      const { email } = await accountOf(db, userId)
      enqueue(accountMailName, { about: 'CHANGE_EMAIL', email, newEmail, language } satisfies AccountMail)
      return success
    })
  },
})

export const confirmEmail = operation({
  ...withoutSession,
  pool: 'system',
  name: 'auth_email_confirm',
  http: 'POST /api/auth/email/confirm',
  does: 'Confirms an e-mail address with the link of an e-mail.',
  input: EmailConfirmation,
  output: EmailVerified,
  alsoRates: [countedByAddress],
  recordedAs: 'auth.email_verified',
  outside: true,
  async run(context, given) {
    const provenBy = await provenByPassword(context, given)
    const {
      actAs,
      recordAs,
      sessionHash,
      requestId,
      origin: { language },
    } = context
    return context.once(async ({ db, audit, enqueue }) => {
      const confirmed = await confirmAddress(db, { token: given.token, requestId, sessionHash, provenBy })
      const { userId, email, before, changed, ended } = confirmed
      actAs(userId)
      audit(changed ? { from: before, to: email } : { email, ...(ended.everything && { ended }) })
      if (ended.everything) enqueue(accountMailName, accessEnded({ email, ended, language }))
      if (changed) {
        recordAs('auth.email_changed')
        const notice: AccountMail = { about: 'EMAIL_CHANGED', email: before, newEmail: email, language }
        enqueue(accountMailName, notice)
      }
      return { userId, email, ended }
    })
  },
})
