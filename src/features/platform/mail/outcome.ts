import { Count, type Static, Type } from '../../../core/define/schema.ts'

const counted = (description: string) => Type.Optional(Type.Integer({ minimum: 1, description }))

/** How sending to several recipients is answered. */
export const SendAnswer = Type.Object({
  success: Type.Boolean({
    description: 'Whether the mail server has taken it for at least one recipient, or it is queued.',
  }),
  sent: Type.Integer({ minimum: 0, description: 'Recipients for whom the mail server has taken it.' }),
  failed: Type.Integer({ minimum: 0, description: 'The others.' }),
  queued: counted('Recipients to whom it is sent later, as asked with wait: false.'),
  kept: counted('How many of those that were sent were only kept in the outbox: in local mode without a mail server.'),
  retrying: counted('How many of those that failed will be tried again.'),
  totalRecipients: Count,
})
export type SendAnswer = Static<typeof SendAnswer>

/** The number of recipients whose e-mail was accepted or not; `retrying` of the failed ones are tried again. */
export type Outcomes = { sent: number; kept: number; failed: number; retrying: number; totalRecipients: number }

export function countOutcomes(deliveries: readonly { status: string; kept: boolean }[]): Outcomes {
  const count = (status: string) => deliveries.filter((each) => each.status === status).length
  const [sent, kept] = [count('SENT'), deliveries.filter((each) => each.kept).length]
  const totalRecipients = deliveries.length
  return { sent, kept, failed: totalRecipients - sent, retrying: count('QUEUED'), totalRecipients }
}

export const toSendAnswer = ({ retrying, kept, ...counts }: Outcomes): SendAnswer => ({
  success: counts.sent > 0,
  ...counts,
  ...(kept > 0 && { kept }),
  ...(retrying > 0 && { retrying }),
})
