import { keyScopePattern } from '../../../core/define/access.ts'
import {
  Count,
  defaulted,
  Id,
  Instant,
  nullable,
  optional,
  type Static,
  Text,
  Type,
} from '../../../core/define/schema.ts'
import { base62, sha256 } from '../../../core/values/id.ts'

const name = Type.String({ minLength: 1, maxLength: 80 })
const scopes = Type.Array(Type.String({ pattern: keyScopePattern, examples: ['customers:read', '*:*'] }), {
  minItems: 1,
  maxItems: 50,
})

export const ApiKey = Type.Object({
  id: Id,
  name,
  prefix: Type.String({ description: 'The leading part of the key, no secret.' }),
  scopes: Type.Array(Type.String()),
  allOrgs: Type.Boolean(),
  organizationIds: Type.Array(Id),
  expiresAt: nullable(Instant),
  lastUsedAt: nullable(Instant),
  revokedAt: nullable(Instant),
  createdAt: Instant,
})
export type ApiKey = Static<typeof ApiKey>

export const NewApiKey = Type.Object({
  name,
  scopes,
  allOrgs: defaulted(Type.Boolean(), false),
  ...optional({ organizationIds: Type.Array(Id, { maxItems: 1000 }), expiresAt: nullable(Instant) }),
})

export const ApiKeyChanges = Type.Object({ id: Id, ...optional({ name, expiresAt: nullable(Instant) }) })

export const ApiKeyUsage = Type.Object({
  totals: Type.Object({ callCount: Count, errorCount: Count, avgDurationMs: nullable(Type.Number()) }),
  byFeature: Type.Array(Type.Object({ feature: nullable(Text), calls: Count, errors: Count })),
  recent: Type.Array(
    Type.Object({
      id: Id,
      method: Text,
      path: Text,
      feature: nullable(Text),
      verb: nullable(Text),
      statusCode: Type.Integer(),
      errorCode: nullable(Text),
      durationMs: Count,
      organizationId: nullable(Id),
      createdAt: Instant,
    }),
  ),
})

/** A new secret, `kt_<8>_<43>`: 256 bits after the visible prefix, random unless the caller derives them from a key. */
export function newKeySecret(text: (length: number) => string = base62) {
  const secret = `kt_${text(8)}_${text(43)}`
  return { secret, prefix: secret.slice(0, 11), secretHash: sha256(secret) }
}
