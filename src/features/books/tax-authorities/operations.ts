import { invalid } from '../../../core/define/failure.ts'
import { operation } from '../../../core/define/operation.ts'
import { ById, defaulted, Instant, nullable, OneOf, Success, success, Text, Type } from '../../../core/define/schema.ts'
import { repeatFailed } from './clearance/repeat-failed.ts'
import { connectionStatus, openConnection, saveConnection } from './connection.ts'
import { ByIntegration, integrationNamed, integrations } from './integrations.ts'
import { enqueueReceiving } from './receive/queue.ts'
import { validateConnection } from './validate.ts'

const environment = OneOf('sandbox', 'production')
const Done = Type.Object({ ...Success.properties, message: Text })

const Listed = Type.Object({
  integrationId: Text,
  name: Text,
  country: Text,
  connected: Type.Boolean({ description: 'Whether the organization has entered credentials.' }),
  lastValidatedAt: nullable(Instant),
})

export const list = operation({
  name: 'integrations_tax_authority',
  http: 'GET /api/organizations/{id}/tax-authority',
  does: 'Lists the tax-authority integrations, and which of them the organization has entered credentials for.',
  scope: 'integrations:read',
  within: 'organizations',
  input: ById,
  output: Type.Object({ integrations: Type.Array(Listed) }),
  async run({ db }) {
    const connections = await db
      .selectFrom('taxAuthorityConnections')
      .select(['integrationId', 'lastValidatedAt'])
      .execute()
    const connectionOf = (id: string) => connections.find(({ integrationId }) => integrationId === id)
    return {
      integrations: integrations.map(({ integrationId, name, country }) => ({
        integrationId,
        name,
        country,
        connected: connectionOf(integrationId) !== undefined,
        lastValidatedAt: connectionOf(integrationId)?.lastValidatedAt ?? null,
      })),
    }
  },
})

const RequiredField = Type.Object({
  name: Text,
  label: Text,
  type: OneOf('text', 'secret'),
  required: Type.Boolean(),
  help: Text,
})

export const get = operation({
  name: 'integrations_tax_authority_get',
  http: 'GET /api/organizations/{id}/tax-authority/{integrationId}',
  does: 'Describes a tax-authority integration: what it needs, and whether what was entered works. Credentials are never shown.',
  scope: 'integrations:read',
  role: 'MANAGER',
  within: 'organizations',
  input: ByIntegration,
  output: Type.Object({
    integrationId: Text,
    name: Text,
    description: Text,
    requiredFields: Type.Array(RequiredField),
    environment,
    status: Type.Object({
      exists: Type.Boolean(),
      isActive: Type.Boolean({ description: 'Whether documents can be submitted: the last check did not fail.' }),
      isValidated: Type.Boolean(),
      lastValidatedAt: nullable(Instant),
      validationError: nullable(Text),
    }),
  }),
  async run({ db }, { integrationId: id }) {
    const { integrationId, name, description, requiredFields } = integrationNamed(id)
    const found = await connectionStatus(db, integrationId)
    return {
      integrationId,
      name,
      description,
      requiredFields: requiredFields.map((field) => ({ ...field })),
      environment: found?.environment ?? 'sandbox',
      status: {
        exists: found !== undefined,
        isActive: found !== undefined && found.validationError === null,
        isValidated: found?.isValidated ?? false,
        lastValidatedAt: found?.lastValidatedAt ?? null,
        validationError: found?.validationError ?? null,
      },
    }
  },
})

export const save = operation({
  name: 'integrations_tax_authority_post',
  http: 'POST /api/organizations/{id}/tax-authority/{integrationId}',
  does: 'Stores the credentials of a tax-authority integration, in place of those before. Nothing is sent; validate checks them.',
  scope: 'integrations:write',
  role: 'MANAGER',
  within: 'organizations',
  signedInWithinH: 12,
  input: Type.Object({
    ...ByIntegration.properties,
    credentials: Type.Record(Type.String({ maxLength: 100 }), Type.String({ maxLength: 10_000 }), {
      maxProperties: 50,
      description: 'The values by the names of requiredFields.',
      examples: [{ clientId: 'id', clientSecret: 'secret' }],
    }),
    environment: defaulted(environment, 'sandbox'),
  }),
  output: Done,
  async run({ db, secrets, enqueue, audit }, { id, integrationId: named, credentials, environment }) {
    const { integrationId, name } = integrationNamed(named)
    if (Buffer.byteLength(JSON.stringify(credentials)) > credentialBytesMax)
      throw invalid('credentials', 'The credentials are longer than 60000 bytes together.')
    const before = await connectionStatus(db, integrationId)
    await saveConnection({ db, secrets, organizationId: id }, { integrationId, environment, credentials })
    audit({ integrationId, environment, replaced: before !== undefined, fields: Object.keys(credentials) })
    await repeatFailed({ db, enqueue }, integrationId)
    return { ...success, message: `The credentials of ${name} are stored. Check them with validate.` }
  },
})
const credentialBytesMax = 60_000

export const remove = operation({
  name: 'integrations_tax_authority_delete',
  http: 'DELETE /api/organizations/{id}/tax-authority/{integrationId}',
  does: 'Removes the credentials of a tax-authority integration. Numbers that were allocated stay.',
  scope: 'integrations:write',
  role: 'MANAGER',
  within: 'organizations',
  input: ByIntegration,
  output: Done,
  async run({ db, audit }, { integrationId: named }) {
    const { integrationId, name } = integrationNamed(named)
    const removed = await db
      .deleteFrom('taxAuthorityConnections')
      .where('integrationId', '=', integrationId)
      .returning('environment')
      .executeTakeFirst()
    audit({ integrationId, environment: removed?.environment ?? null })
    const message = removed ? `The credentials of ${name} are removed.` : `There were no credentials of ${name}.`
    return { ...success, message }
  },
})

export const validate = operation({
  name: 'integrations_validate',
  http: 'POST /api/organizations/{id}/tax-authority/{integrationId}/validate',
  does: 'Checks the stored credentials of a tax-authority integration with a real request to the authority.',
  scope: 'integrations:write',
  role: 'MANAGER',
  within: 'organizations',
  alsoRates: [{ bucket: 'validation', per: 'organization' }],
  input: ByIntegration,
  output: Type.Object({
    valid: Type.Boolean(),
    error: Type.Optional(nullable(Text)),
    details: Type.Optional(nullable(Type.Record(Type.String(), Type.Unknown()))),
  }),
  outside: true,
  async run(context, { id, integrationId: named }) {
    const integration = integrationNamed(named)
    const { integrationId } = integration
    const scope = { secrets: context.secrets, organizationId: id }
    const connection = await context.tx(({ db }) => openConnection({ ...scope, db }, integrationId))
    const outcome = await validateConnection({ ...context, organizationId: id }, integration, connection)
    return context.once(async ({ db, enqueue, audit }) => {
      if (connection) await outcome.note(db, connection.id)
      if (outcome.valid) await repeatFailed({ db, enqueue }, integrationId)
      if (outcome.valid && connection && integration.isReport) enqueueReceiving({ enqueue }, connection.id)
      audit({ integrationId, valid: outcome.valid })
      return { valid: outcome.valid, error: outcome.error, details: outcome.details }
    })
  },
})
