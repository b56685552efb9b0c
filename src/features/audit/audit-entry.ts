import { Id, Instant, nullable, type Static, Text, Type } from '../../core/define/schema.ts'

/** Who did what, when and how. */
export const AuditEntry = Type.Object({
  id: Id,
  organizationId: Id,
  createdAt: Instant,
  userId: nullable(Id),
  user: nullable(Type.Object({ name: Text, email: Text })),
  source: Type.String({ description: 'How the caller came in; SYSTEM for what the product did by itself.' }),
  operation: Type.String({ description: 'The name of the tool, or what the product did by itself.' }),
  objectId: nullable(Text),
  requestId: Text,
  apiKeyId: nullable(Id),
  clientId: nullable(Type.String({ description: 'The connected app that did it in the person’s name.' })),
  detail: nullable(Type.Record(Type.String(), Type.Unknown())),
})
export type AuditEntry = Static<typeof AuditEntry>
