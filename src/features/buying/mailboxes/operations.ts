import { type Inside, operation } from '../../../core/define/operation.ts'
import { wholeList } from '../../../core/define/page.ts'
import { bounded, givenColumns, one, textOrNull, toUuid } from '../../../core/define/query.ts'
import { Id, nullable, type Static, Success, success, Type } from '../../../core/define/schema.ts'
import { Secret } from '../../../core/secrets/secret.ts'
import { newId } from '../../../core/values/id.ts'
import {
  connectionById,
  connections,
  deleteAutoScan,
  MailConnection,
  MailConnectionChanges,
  NewMailConnection,
} from './connection.ts'
import { sealPassword } from './secrets.ts'

export const list = operation({
  name: 'integrations_email_settings',
  http: 'GET /api/expenses/email-settings',
  does: 'Lists the mailboxes that receipts are read from, or reads the one with this id (null if there is none).',
  scope: 'integrations:read',
  within: 'organizationId',
  input: Type.Object({ organizationId: Id, id: Type.Optional(Id) }),
  output: Type.Union([Type.Object({ connections: wholeList(MailConnection) }), nullable(MailConnection)]),
  async run({ db }, { id }) {
    if (id !== undefined) return (await connectionById(db, toUuid(id)).executeTakeFirst()) ?? null
    return { connections: await bounded(connections(db).orderBy('createdAt').orderBy('id')).execute() }
  },
})

export const create = operation({
  name: 'integrations_email_settings_post',
  http: 'POST /api/expenses/email-settings',
  does: 'Connects a mailbox to read receipts from. Nothing is contacted; integrations_email_settings_test tries the connection.',
  scope: 'integrations:write',
  role: 'MANAGER',
  within: 'organizationId',
  input: NewMailConnection,
  output: MailConnection,
  status: 201,
  async run(context, { organizationId: _, name, provider, password, ...given }) {
    const { db } = context
    const id = newId()
    await db
      .insertInto('mailConnections')
      .values({ id, name: name.trim(), provider, ...toColumns(given), ...(await toPassword(context, id, password)) })
      .execute()
    return one(connectionById(db, id), 'mail connection')
  },
})

export const update = operation({
  name: 'integrations_email_settings_put',
  http: 'PUT /api/expenses/email-settings',
  does: 'Replaces the connection to a mailbox: fields left out get their default; name, provider, host, port, useTls, username and password are kept. A change of provider, host, port, useTls or username removes the stored password unless a new one is given.',
  scope: 'integrations:write',
  role: 'MANAGER',
  within: { table: 'mailConnections', by: 'id' },
  input: MailConnectionChanges,
  output: MailConnection,
  async run(context, { id: given, organizationId: _, name, provider, password, ...changes }) {
    const { db, audit } = context
    const { id } = await one(connectionById(db, toUuid(given)), 'mail connection')
    const set = givenColumns({ name: name?.trim(), provider, ...toColumns({ ...resetByPut, ...changes }) })
    audit({ fields: [...Object.keys(set), ...(password === undefined ? [] : ['password'])] })
    await db
      .updateTable('mailConnections')
      // whatever needed attention may be mended by this change
      .set({ ...set, ...(await toPassword(context, id, password)), attention: null, failures: 0, retryAt: null })
      .where('id', '=', id)
      .execute()
    return one(connectionById(db, id), 'mail connection')
  },
})

export const remove = operation({
  name: 'integrations_email_settings_delete',
  http: 'DELETE /api/expenses/email-settings',
  does: 'Removes the connection to a mailbox, with its password and its auto-scan. Its expenses and logs stay.',
  scope: 'integrations:write',
  role: 'MANAGER',
  within: 'organizationId',
  input: Type.Object({ id: Id, organizationId: Id }),
  output: Success,
  async run(context, { id: given }) {
    const { db, audit } = context
    const { id, name } = await one(connectionById(db, toUuid(given)), 'mail connection')
    await deleteAutoScan(db, id)
    await endRuns(db, id)
    await db
      .updateTable('mailConnections')
      .set({ deletedAt: context.now.toISOString(), password: null, tokens: null, tokenExpiresAt: null })
      .where('id', '=', id)
      .execute()
    audit({ name })
    return success
  },
})

// Fields that PUT resets if they are left out, to what a plain create gives. Where and how Kontor signs in is kept: the
// password would be removed with it.
const resetByPut = {
  enabled: true,
  folderOrLabel: null,
  subjectFilter: null,
  senderWhitelist: [],
  autoPollEnabled: false,
  pollIntervalDays: 1,
}

/** Stops the runs of a connection that is being deleted. */
const endRuns = (db: Inside['db'], connectionId: string) =>
  db
    .updateTable('ingestionRuns')
    .set({ status: 'MANUAL_STOP', completedAt: new Date().toISOString() })
    .where('connectionId', '=', connectionId)
    .where('completedAt', 'is', null)
    .execute()

type Settings = Omit<Partial<Static<typeof NewMailConnection>>, 'organizationId' | 'name' | 'provider' | 'password'>

const toColumns = ({ host, username, folderOrLabel, subjectFilter, senderWhitelist, ...rest }: Settings) =>
  givenColumns({
    ...rest,
    host: lowered(textOrNull(host)),
    username: textOrNull(username),
    folderOrLabel: textOrNull(folderOrLabel),
    subjectFilter: textOrNull(subjectFilter),
    senderWhitelist: senderWhitelist?.map((sender) => sender.trim().toLowerCase()).filter(Boolean),
  })

const lowered = (text: string | null | undefined) => (text ? text.toLowerCase() : text)

/** The column of the password: sealed, emptied, or not given. */
async function toPassword(context: Inside<'organizationId'>, id: string, password: string | null | undefined) {
  if (password === undefined) return {}
  if (!password) return { password: null }
  const { organizationId } = await context.who
  return { password: await sealPassword(context, { id, organizationId }, new Secret(password)) }
}
