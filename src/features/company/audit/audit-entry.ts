import { sources } from '../../../core/define/access.ts'
import { Id, Instant, nullable, OneOf, type Static, Text, Type } from '../../../core/define/schema.ts'

/** The sources that an entry can have. */
export const auditSources = [...sources, 'LINK', 'PUBLIC', 'SYSTEM'] as const

/** What acted. A person with a session; a key or app in a person's name; the product for a person; or the product by itself. */
export const Cause = Type.Object(
  {
    kind: OneOf('PERSON', 'API_KEY', 'APP', 'AUTOMATION', 'COMPANION', 'LINK', 'SYSTEM'),
    id: nullable(
      Type.String({ description: 'Of the person, key, app (clientId), automation or turn; null for LINK and SYSTEM.' }),
    ),
    name: nullable(Type.String({ description: 'Its name now; null if it was deleted, or has none.' })),
  },
  { description: 'What acted. LINK: somebody who opened a link to a document.' },
)
export type Cause = Static<typeof Cause>

/** The kinds of things whose names an entry shows. */
const objectKinds = [
  'DOCUMENT', 'EXPENSE', 'PAYMENT', 'CUSTOMER', 'SUPPLIER', 'ORDER', 'ITEM', 'AUTOMATION', 'BANK_ACCOUNT', 'EXPENSE_CATEGORY', 'MEMBER',
] as const // biome-ignore format: a list of words

const AuditedObject = Type.Object(
  {
    kind: OneOf(...objectKinds),
    name: nullable(Type.String({ description: 'Its number or name now; null if it has none.' })),
  },
  { description: 'What objectId names; null if it was deleted, is a person on the payroll, or is of another kind.' },
)
export type AuditedObject = Static<typeof AuditedObject>

/** Who did what, when and how, and what caused it. */
export const AuditEntry = Type.Object({
  id: Id,
  organizationId: Id,
  createdAt: Instant,
  userId: nullable(Id),
  user: nullable(Type.Object({ name: Text, email: Text })),
  source: Type.String({ description: 'How the caller came in; SYSTEM for what the product did by itself.' }),
  operation: Type.String({ description: 'The name of the tool, or what the product did by itself.' }),
  objectId: nullable(Text),
  object: nullable(AuditedObject),
  requestId: Text,
  apiKeyId: nullable(Id),
  apiKey: nullable(
    Type.Object({ name: Text, prefix: Text }, { description: 'The key of apiKeyId; null if it was deleted.' }),
  ),
  clientId: nullable(Type.String({ description: 'The connected app that did it in the person’s name.' })),
  app: nullable(
    Type.Object({ name: Text }, { description: 'The app of clientId; null if nobody is connected to it.' }),
  ),
  automation: nullable(
    Type.Object(
      { id: Id, name: nullable(Text) },
      { description: 'The automation that did it; its name is null if it was deleted.' },
    ),
  ),
  runId: nullable(Type.String({ description: 'The run of the automation that did it.' })),
  trigger: nullable(
    Type.Object(
      { eventId: Id, type: Text, requestId: nullable(Text) },
      {
        description:
          'The event that started the run, and the request that caused the event. Null for a test, and once the run is deleted.',
      },
    ),
  ),
  turnRunId: nullable(
    Type.String({
      description: 'The turn of the companion that did it. Its conversation is visible to its person alone.',
    }),
  ),
  cause: Cause,
  detail: nullable(Type.Record(Type.String(), Type.Unknown())),
})
export type AuditEntry = Static<typeof AuditEntry>
