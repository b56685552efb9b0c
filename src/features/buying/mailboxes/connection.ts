import { sql } from 'kysely'
import type { Database } from '../../../core/define/operation.ts'
import { byId } from '../../../core/define/query.ts'
import {
  defaulted,
  Id,
  Instant,
  identity,
  NonEmpty,
  nullable,
  OneOf,
  optional,
  type Static,
  storable,
  Type,
} from '../../../core/define/schema.ts'

export const Provider = OneOf('GMAIL', 'OUTLOOK', 'IMAP', 'POP3')
export type Provider = Static<typeof Provider>

const Host = Type.String({
  maxLength: 253,
  pattern: storable,
  description: 'The name of the mail server.',
  examples: ['imap.example.com'],
})
const Port = Type.Integer({ minimum: 1, maximum: 65535, description: '993 for IMAP and 995 for POP3 unless given.' })
const Username = Type.String({ maxLength: 320, pattern: storable, examples: ['receipts@example.com'] })
const Folder = Type.String({
  maxLength: 500,
  pattern: storable,
  description: 'INBOX unless given. POP3 has no folders.',
})
const SubjectFilter = Type.String({
  maxLength: 500,
  pattern: storable,
  description: 'Only messages whose subject contains this text.',
})
const Senders = Type.Array(Type.String({ minLength: 1, maxLength: 320, pattern: storable }), {
  maxItems: 200,
  description: 'Only messages from these addresses or domains; from everybody if it is empty.',
  examples: [['billing@example.com', 'example.org']],
})
const Interval = Type.Integer({ minimum: 1, maximum: 365, description: 'Days between two automatic polls.' })

/** A mailbox that receipts are read from. The password is never returned. */
export const MailConnection = Type.Object({
  ...identity,
  name: Type.String(),
  provider: Provider,
  enabled: Type.Boolean(),
  tokenExpiresAt: nullable(Instant),
  host: nullable(Type.String()),
  port: nullable(Type.Integer()),
  useTls: Type.Boolean(),
  username: nullable(Type.String()),
  hasPassword: Type.Boolean({ description: 'Whether an IMAP or POP3 password is stored.' }),
  folderOrLabel: nullable(Type.String()),
  subjectFilter: nullable(Type.String()),
  senderWhitelist: Type.Array(Type.String()),
  autoPollEnabled: Type.Boolean(),
  pollIntervalDays: Type.Integer(),
  lastPolledAt: nullable(Instant),
  attention: nullable(
    Type.String({ description: 'What a person has to do before the mailbox is polled automatically again.' }),
  ),
})
export type MailConnection = Static<typeof MailConnection>

const settings = {
  enabled: Type.Boolean(),
  host: nullable(Host),
  port: nullable(Port),
  useTls: Type.Boolean({ description: 'TLS, or STARTTLS on a port where the connection begins without it.' }),
  username: nullable(Username),
  password: nullable(
    Type.String({ maxLength: 1_000, pattern: storable, description: 'Stored encrypted and never returned.' }),
  ),
  folderOrLabel: nullable(Folder),
  subjectFilter: nullable(SubjectFilter),
  senderWhitelist: Senders,
  autoPollEnabled: Type.Boolean({ description: 'Poll every pollIntervalDays days.' }),
  pollIntervalDays: Interval,
}

export const NewMailConnection = Type.Object({
  organizationId: Id,
  name: Type.String({ ...NonEmpty, maxLength: 200 }),
  provider: Provider,
  ...optional(settings),
  enabled: defaulted(settings.enabled, true),
  useTls: defaulted(settings.useTls, true),
  senderWhitelist: defaulted(settings.senderWhitelist, []),
  autoPollEnabled: defaulted(settings.autoPollEnabled, false),
  pollIntervalDays: defaulted(settings.pollIntervalDays, 1),
})

export const MailConnectionChanges = Type.Object({
  id: Id,
  organizationId: Id,
  ...optional({ name: Type.String({ ...NonEmpty, maxLength: 200 }), provider: Provider, ...settings }),
})

/** Connections that were not deleted. */
export const connections = (db: Database) =>
  db
    .selectFrom('mailConnections')
    .select([
      'id', 'organizationId', 'name', 'provider', 'enabled', 'tokenExpiresAt', 'host', 'port', 'useTls', 'username',
      'folderOrLabel', 'subjectFilter', 'senderWhitelist', 'autoPollEnabled', 'pollIntervalDays', 'lastPolledAt', 'attention',
      'createdAt', 'updatedAt',
    ]) // biome-ignore format: a list of words
    .select(sql<boolean>`password is not null`.as('hasPassword'))
    .where('deletedAt', 'is', null)

export const connectionById = byId((db, id) => connections(db).where('id', '=', id))

/** Deletes the automation that polls a connection, if there is one. */
export const deleteAutoScan = (db: Database, connectionId: string) =>
  db
    .deleteFrom('automations')
    .where('id', 'in', (among) =>
      among
        .selectFrom('mailConnections as c')
        .select('c.autoScanAutomationId')
        .where('c.id', '=', connectionId)
        .$castTo<{
          autoScanAutomationId: string
        }>(),
    )
    .execute()
