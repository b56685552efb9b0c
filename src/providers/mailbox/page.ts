import type { ListedMessage, MailWindow } from '../../core/outside/mailbox.ts'

/** How many messages are listed at once. */
export const pageMax = 200

/** A message without a date is listed: nobody knows that it is outside. */
export const isWithin = (receivedAt: Date | null, { from, to }: MailWindow): boolean =>
  receivedAt === null || (receivedAt >= from && receivedAt < to)

export const toKnown = (place: string): ListedMessage => ({
  place,
  size: 0,
  receivedAt: null,
  messageId: null,
  from: null,
  subject: null,
})
