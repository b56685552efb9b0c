import { attemptsMax, retryInS } from '../../core/job.ts'
import { Id, nullable, type Static, Type } from '../../core/schema.ts'
import type { Outcome } from '../../providers/mail.ts'

/** A message to one recipient on its way. Where it can go from QUEUED; from the others it goes nowhere. */
export type DeliveryStatus = 'QUEUED' | 'SENT' | 'FAILED'

/** What a template says. */
export type Content = { subject: string; text: string; html: string }

export const sendMailName = 'send-mail'
export const SendMail = Type.Object({ deliveryId: Id, organizationId: nullable(Id) })
export type SendMail = Static<typeof SendMail>

/** One order per delivery: a later one takes the place of an earlier one. */
export const orderKey = ({ deliveryId }: SendMail) => `send-mail:${deliveryId}`

export type Next =
  | { status: 'SENT'; messageId: string }
  | { status: 'QUEUED'; reason: string; inS: number }
  | { status: 'FAILED'; reason: string }

/** What follows from the outcome of the attempt with this number. */
export function afterAttempt(attempt: number, outcome: Outcome, random?: () => number): Next {
  if (outcome.ok) return { status: 'SENT', messageId: outcome.messageId }
  const { reason } = outcome
  const inS = outcome.retry ? retryInS(attempt, random) : undefined
  return inS === undefined ? { status: 'FAILED', reason } : { status: 'QUEUED', reason, inS }
}

/** The process that made the last attempt ended in the middle of it. */
export const isGivenUp = (attempts: number) => attempts >= attemptsMax
export const interrupted = 'The last attempt was interrupted; whether it arrived is not known.'
