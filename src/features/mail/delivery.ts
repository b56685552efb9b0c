import { retryDelaysS } from '../../core/define/job.ts'
import { Id, type Static, Type } from '../../core/define/schema.ts'
import type { Outcome } from '../../core/outside/mail.ts'

/** What a template says. */
export type Content = { subject: string; text: string; html: string }

export const sendMailName = 'send-mail'
export const SendMail = Type.Object({ deliveryId: Id })
export type SendMail = Static<typeof SendMail>

/** A job that is ordered, once for each key, when it is known what became of a delivery; not before that moment. */
export type FollowUp = { job: string; payload: object; key: string; notBefore: string }

/** A message to one recipient on its way. Where it can go from QUEUED; from the others it goes nowhere. */
export type Next =
  | { status: 'SENT'; messageId: string }
  | { status: 'QUEUED'; reason: string }
  | { status: 'FAILED'; reason: string }

/** What follows from the outcome of the attempt with this number. */
export function afterAttempt(attempt: number, outcome: Outcome): Next {
  if (outcome.ok) return { status: 'SENT', messageId: outcome.messageId }
  const { reason, retry } = outcome
  return { status: retry && !isGivenUp(attempt) ? 'QUEUED' : 'FAILED', reason }
}

/** After as many attempts as the worker makes at a job, interrupted ones included. */
export const isGivenUp = (attempts: number) => attempts > retryDelaysS.length
export const interrupted = 'The last attempt was interrupted; whether it arrived is not known.'
