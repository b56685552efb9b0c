import { notFound } from '../../../../core/define/failure.ts'
import { operation } from '../../../../core/define/operation.ts'
import { Id, Instant, Success, success, Type } from '../../../../core/define/schema.ts'
import { Secret } from '../../../../core/secrets/secret.ts'
import { listSecrets, secretNamePattern, secretRole, setSecret } from './secret.ts'

/** Only signed-in people set secrets up, as for the secret of webhooks. An automation would record the value. */
const sources = ['SESSION'] as const

const name = Type.String({
  pattern: secretNamePattern,
  examples: ['CRM_TOKEN'],
  description: 'Capital letters, digits and underscores, at most 64; used as {{secrets.NAME}}.',
})

const AutomationSecret = Type.Object({ name, createdAt: Instant, updatedAt: Instant })

export const list = operation({
  name: 'automations_secrets_list',
  http: 'GET /api/automation-secrets',
  does: 'Lists the names of the secrets that automations can send in headers of webhooks. Their values are never shown.',
  scope: 'automations:read',
  role: secretRole,
  sources,
  within: 'organizationId',
  input: Type.Object({ organizationId: Id }),
  output: Type.Object({ secrets: Type.Array(AutomationSecret) }),
  run: async ({ db }) => ({ secrets: await listSecrets(db) }),
})

export const set = operation({
  name: 'automations_secrets_set',
  http: 'PUT /api/automation-secrets/{name}',
  does: 'Stores a secret for headers of webhooks, encrypted, instead of the one before it with this name. At most 50.',
  scope: 'automations:write',
  role: secretRole,
  sources,
  within: 'organizationId',
  input: Type.Object({
    organizationId: Id,
    name,
    value: Type.String({
      minLength: 8, // a shorter one would be found in answers by chance, and replaced there
      maxLength: 4_000,
      pattern: '^[\\x21-\\x7e]([\\x20-\\x7e]*[\\x21-\\x7e])?$',
      description: 'At least 8 visible ASCII characters and spaces, as a header allows. Never shown again.',
    }),
  }),
  output: AutomationSecret,
  async run({ db, secrets, who, audit }, { name, value }) {
    const { organizationId } = await who
    audit({ name })
    return setSecret({ db, secrets, organizationId }, name, new Secret(value))
  },
})

export const remove = operation({
  name: 'automations_secrets_delete',
  http: 'DELETE /api/automation-secrets/{name}',
  does: 'Deletes a secret for good. Webhooks that use it fail from then on.',
  scope: 'automations:write',
  role: secretRole,
  sources,
  within: 'organizationId',
  input: Type.Object({ organizationId: Id, name }),
  output: Success,
  async run({ db, audit }, { name }) {
    audit({ name })
    const { numDeletedRows } = await db
      .deleteFrom('automationSecrets')
      .where('name', '=', name)
      .executeTakeFirstOrThrow()
    if (numDeletedRows === 0n) throw notFound('secret')
    return success
  },
})
