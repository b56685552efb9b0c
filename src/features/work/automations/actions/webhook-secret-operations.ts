import { operation } from '../../../../core/define/operation.ts'
import { ById, Instant, nullable, Type } from '../../../../core/define/schema.ts'
import { overlapHours, rotateSecret, webhookSecrets } from './webhook-secret.ts'

/** Only signed-in people set up receivers. A program with the secret could forge webhooks of Kontor. */
const sources = ['SESSION'] as const

const WebhookSecretView = Type.Object({
  secret: nullable(
    Type.String({ description: 'whsec_ and base64. Null until the first webhook, or until one is made by rotating.' }),
  ),
  createdAt: nullable(Instant),
  previousUntil: nullable(
    Type.String({ format: 'date-time', description: 'Until when webhooks are signed with the one before it too.' }),
  ),
})

export const get = operation({
  name: 'settings_webhook_secret',
  http: 'GET /api/organizations/{id}/webhook-secret',
  does: 'Shows the secret with which receivers check the signature of webhooks (standardwebhooks.com).',
  scope: 'settings:read',
  role: 'MANAGER',
  sources,
  within: 'organizations',
  input: ById,
  output: WebhookSecretView,
  run: ({ db, secrets }, { id }) => viewOf({ db, secrets, organizationId: id }),
})

export const rotate = operation({
  name: 'settings_webhook_secret_rotate',
  http: 'POST /api/organizations/{id}/webhook-secret/rotate',
  does: `Makes a new secret for webhooks. For ${overlapHours} hours they are signed with the one before it too.`,
  scope: 'settings:write',
  role: 'MANAGER',
  sources,
  within: 'organizations',
  input: ById,
  output: WebhookSecretView,
  secret: true,
  async run({ db, secrets }, { id }) {
    await rotateSecret({ db, secrets, organizationId: id })
    return viewOf({ db, secrets, organizationId: id })
  },
})

async function viewOf(scope: Parameters<typeof webhookSecrets>[0]) {
  const found = await webhookSecrets(scope)
  const current = found.find(({ previousUntil }) => previousUntil === null)
  const previous = found.find(({ previousUntil }) => previousUntil !== null)
  return {
    secret: current?.secret.reveal() ?? null,
    createdAt: current?.createdAt ?? null,
    previousUntil: previous?.previousUntil ?? null,
  }
}
