import { Count, Id, Instant, nullable, type Static, Type } from '../../../core/define/schema.ts'

/** A message as it would have been sent, stored in local mode without a mail server. */
export const OutboxMessage = Type.Object({
  id: Id,
  organizationId: nullable(Id),
  to: Type.String({ description: 'The one recipient.' }),
  subject: Type.String(),
  text: Type.String(),
  html: Type.String(),
  headers: Type.Record(Type.String(), Type.String(), { description: 'From, To, Reply-To, Subject, Message-ID.' }),
  attachments: Type.Array(
    Type.Object({
      fileName: Type.String(),
      contentType: Type.String(),
      size: Count,
    }),
  ),
  createdAt: Instant,
})
export type OutboxMessage = Static<typeof OutboxMessage>
