import { Id, Instant, nullable, type Static, Text, Type } from '../../../core/define/schema.ts'

/** An app that a person has connected, with its scopes, organizations and last use. */
export const ConnectedApp = Type.Object({
  id: Id,
  clientId: Text,
  clientName: Type.String({ description: 'As the app called itself when it was connected.' }),
  clientUri: nullable(Text),
  scopes: Type.Array(Type.String({ examples: ['customers:read'] })),
  organizations: Type.Array(Type.Object({ id: Id, name: Text })),
  createdAt: Instant,
  lastUsedAt: nullable(Instant),
})
export type ConnectedApp = Static<typeof ConnectedApp>
