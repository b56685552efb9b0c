import { retryDelaysS } from '../../../core/define/job.ts'
import { Id, type Static, Type } from '../../../core/define/schema.ts'
import type { Outcome } from '../../../core/outside/mail.ts'
import { toLine } from '../../../core/values/line.ts'

/** The content that a template renders. */
export type Content = { subject: string; text: string; html: string }

/** The subject as it is sent. */
export const toSubject = (subject: string) => toLine(subject, 300)

/** A message as it would be sent now: the addresses that get one each, and the names of the attached files. */
export const MailPreview = Type.Object({
  to: Type.Array(Type.String(), { description: 'Each address gets a message of its own.' }),
  subject: Type.String(),
  text: Type.String(),
  attachments: Type.Array(Type.String(), { description: 'The names of the attached files.' }),
})
export type MailPreview = Static<typeof MailPreview>

export const toMailPreview = (
  { subject, text }: Content,
  { to, attachments }: Pick<MailPreview, 'to' | 'attachments'>,
): MailPreview => ({ to, subject: toSubject(subject), text, attachments })

export const sendMailName = 'send-mail'
export const SendMail = Type.Object({ deliveryId: Id })
export type SendMail = Static<typeof SendMail>

/** A job that is enqueued once per key when a delivery is finished, and runs not before the given time. */
export type FollowUp = { job: string; payload: object; key: string; notBefore: string }

/** The next state of a QUEUED delivery. The other states are final. */
export type Next =
  | { status: 'SENT'; messageId: string; kept: boolean }
  | { status: 'QUEUED'; reason: string }
  | { status: 'FAILED'; reason: string }

/** The next state after an attempt. */
export function afterAttempt(attempt: number, outcome: Outcome): Next {
  if (outcome.ok) return { status: 'SENT', messageId: outcome.messageId, kept: outcome.kept ?? false }
  const { reason, retry } = outcome
  return { status: retry && !isGivenUp(attempt) ? 'QUEUED' : 'FAILED', reason }
}

/** Whether there were as many attempts as a job has, including interrupted ones. */
export const isGivenUp = (attempts: number) => attempts > retryDelaysS.length
export const interrupted = 'The last attempt was interrupted; whether it arrived is not known.'
