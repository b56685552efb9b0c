import { Id, Instant, nullable, OneOf, type Static, Text, Type } from '../../../../core/define/schema.ts'

export const deliveryKinds = ['WEBHOOK', 'EMAIL'] as const
export const deliveryOutcomes = ['SENDING', 'DELIVERED', 'FAILED', 'REFUSED', 'UNKNOWN'] as const

/** One attempt of a step to deliver to one outside target. */
export const Delivery = Type.Object({
  id: Id,
  organizationId: Id,
  automationId: Id,
  runId: Id,
  stepId: Id,
  webhookId: Type.String({
    description:
      'The webhook-id, or what the Message-ID is made from: the id of the step for all attempts, and another one for a changed body after a replay.',
  }),
  kind: OneOf(...deliveryKinds),
  target: Type.String({ description: 'The address without its query, or whom the mail went to.' }),
  attempt: Type.Integer(),
  outcome: Type.Unsafe<(typeof deliveryOutcomes)[number]>({
    type: 'string',
    enum: deliveryOutcomes,
    description: 'FAILED may be tried again, REFUSED is final, of UNKNOWN nobody knows whether it arrived.',
  }),
  status: nullable(Type.Integer({ description: 'What the target of a webhook answered.' })),
  latencyMs: nullable(Type.Integer()),
  reason: nullable(Text),
  answer: nullable(Type.String({ description: 'The beginning of what the target said, at most 4 KiB.' })),
  createdAt: Instant,
})
export type Delivery = Static<typeof Delivery>
