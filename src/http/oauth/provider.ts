import { createPrivateKey, type KeyObject, timingSafeEqual } from 'node:crypto'
import type { Configuration, JWK, KoaContextWithOIDC, Provider } from 'oidc-provider'
import { appScopes } from '../../core/define/access.ts'
import type { Secrets } from '../../core/secrets/secrets.ts'
import { sha256 } from '../../core/values/id.ts'
import type { Pool } from '../../db/pool.ts'
import type { Clients } from './clients.ts'
import { audienceOf, authMethods, paths } from './metadata.ts'

export type ProviderDependencies = {
  url: string
  pool: Pool
  clients: Clients
  secrets: Secrets
  /** The page that tells a person why the app's request was refused. */
  errorPage: (error: { error: string; error_description?: string | undefined }, accepted: string) => string
  logError: (error: unknown) => void
}

const minuteS = 60
const dayS = 24 * 60 * minuteS

/**
 * Creates the authorization server, which supports the authorization code flow with PKCE only. Loading it takes half a
 * second and 30 MB, so it is loaded when the first app needs it.
 */
export async function createProvider(dependencies: ProviderDependencies): Promise<Provider> {
  const [{ Provider }, { createStorage }, configuration] = await Promise.all([
    import('oidc-provider/lib/provider.js'),
    import('./storage.ts'),
    configure(dependencies),
  ])
  const provider = new Provider(dependencies.url, {
    ...configuration,
    adapter: createStorage(dependencies.pool, dependencies.clients),
  })
  compareSecretsByHash(provider)
  useConfiguredUrl(provider, new URL(dependencies.url))
  dropSessionCookie(provider)
  provider.on('server_error', (_, error) => dependencies.logError(error))
  provider.onerror = dependencies.logError
  return provider
}

async function configure({ url, pool, secrets, errorPage }: ProviderDependencies): Promise<Configuration> {
  const { InvalidScope, InvalidTarget } = await import('oidc-provider/lib/helpers/errors.js')
  const { base, Check } = await import('oidc-provider/lib/helpers/interaction_policy/index.js')
  return {
    scopes: ['offline_access'], // the scopes of the API belong to the resource; listed here, they would make the library ask for consent again and again
    claims: {},
    responseTypes: ['code'],
    subjectTypes: ['public'],
    clientAuthMethods: [...authMethods],
    clientDefaults: { id_token_signed_response_alg: 'EdDSA' },
    enabledJWA: { idTokenSigningAlgValues: ['EdDSA'] },
    jwks: { keys: [signingKey(secrets.derived('oauth-signing'))] },
    cookies: { ...cookies, keys: [secrets.derived('oauth-cookie').export().toString('base64url')] },
    pkce: { required: () => true },
    allowOmittingSingleRegisteredRedirectUri: false,
    // Called just before the token is used up, so a request that the library would refuse afterwards is refused here.
    rotateRefreshToken(ctx) {
      requireApprovedResource(ctx, InvalidTarget)
      return true
    },
    revokeGrantPolicy: () => true,
    expiresWithSession: async () => false,
    issueRefreshToken: async (_, client) => client.grantTypeAllowed('refresh_token'),
    clockTolerance: 0,
    clientBasedCORS: (_, origin, { clientAuthMethod, redirectUris = [] }) =>
      clientAuthMethod === 'none' && redirectUris.some((uri) => new URL(uri).origin === origin),
    routes: { authorization: paths.authorize, token: paths.token, revocation: paths.revoke, jwks: paths.jwks },
    fetch: () =>
      Promise.reject(
        new Error('The library must not fetch anything: client metadata is read through the egress rules.'),
      ),
    findAccount: async (_, id) =>
      (await isActive(pool, id)) ? { accountId: id, claims: () => ({ sub: id }) } : undefined,
    interactions: {
      policy: consentPolicy({ base, Check, InvalidScope }),
      url: (_, { uid }) => `${paths.consent}/${uid}`,
    },
    renderError(ctx, { error, error_description }) {
      ctx.type = 'html'
      ctx.body = errorPage({ error, error_description }, ctx.get('accept-language'))
    },
    ttl: {
      AccessToken: 15 * minuteS,
      AuthorizationCode: minuteS,
      RefreshToken: 30 * dayS,
      Interaction: 30 * minuteS,
      Grant: dayS, // not used: the row has its own expiry, see storage.ts
      Session: minuteS,
      IdToken: minuteS,
    },
    features: {
      ...disabledFeatures,
      revocation: { enabled: true, allowedPolicy: async (_, client, token) => token.clientId === client.clientId },
      resourceIndicators: {
        enabled: true,
        defaultResource: async (_, __, several) => several ?? url,
        useGrantedResource: async () => true,
        async getResourceServerInfo(_, resource) {
          const audience = audienceOf(url, resource)
          if (!audience) throw new InvalidTarget('this server issues tokens for its own resources only')
          return { scope: appScopes.join(' '), audience, accessTokenFormat: 'opaque', accessTokenTTL: 15 * minuteS }
        },
      },
    },
  }
}

const cookies = {
  names: { interaction: 'oauth-ask', resume: 'oauth-resume', session: 'oauth-session' },
  short: { httpOnly: true, sameSite: 'lax', signed: true },
  long: { httpOnly: true, sameSite: 'lax', signed: true },
} as const

const disabledFeatures = {
  devInteractions: { enabled: false },
  dPoP: { enabled: false },
  pushedAuthorizationRequests: { enabled: false },
  rpInitiatedLogout: { enabled: false },
  userinfo: { enabled: false },
} as const

type Policy = typeof import('oidc-provider/lib/helpers/interaction_policy/index.js')
type Errors = typeof import('oidc-provider/lib/helpers/errors.js')

/** Asks the person each time: an earlier consent never lets an app in again. */
function consentPolicy({ base, Check, InvalidScope }: Policy & Pick<Errors, 'InvalidScope'>) {
  const prompts = base()
  const checks = prompts.get('consent')?.checks
  checks?.clear()
  checks?.add(
    new Check(
      'consent_missing',
      'the person has not given consent',
      'consent_required',
      ({ oidc }: KoaContextWithOIDC) => {
        if (!appScopes.some((scope) => oidc.requestParamScopes.has(scope))) {
          throw new InvalidScope('request at least one scope of this server', [...oidc.requestParamScopes].join(' '))
        }
        return !oidc.result?.consent
      },
    ),
  )
  prompts.get('login')?.checks.clear() // the consent page checks the session
  return prompts
}

/** 400 unless the refresh token is for the one resource that is requested, or for one resource if none is requested. */
function requireApprovedResource({ oidc }: KoaContextWithOIDC, InvalidTarget: Errors['InvalidTarget']) {
  const { RefreshToken: token } = oidc.entities
  const resource = oidc.params?.resource ?? token?.resource
  if (resource === undefined) return
  if (Array.isArray(resource)) throw new InvalidTarget('name one of the resources that the refresh token is for')
  if (!token?.resourceIndicators.has(String(resource)))
    throw new InvalidTarget('the refresh token is not for this resource')
}

const isActive = (pool: Pool, id: string) =>
  pool.use(async (db) => {
    const user = db.selectFrom('users').select('id').where('id', '=', id).where('disabledAt', 'is', null)
    return (await user.executeTakeFirst()) !== undefined
  })

/** An Ed25519 key made from 32 derived bytes behind the PKCS #8 header: the same key in every process, and never stored. */
function signingKey(seed: KeyObject): JWK {
  const pkcs8Header = Buffer.from('302e020100300506032b657004220420', 'hex')
  const key = createPrivateKey({ key: Buffer.concat([pkcs8Header, seed.export()]), format: 'der', type: 'pkcs8' })
  return { ...key.export({ format: 'jwk' }), kty: 'OKP', use: 'sig', alg: 'EdDSA' } as JWK
}

/** Client secrets are stored as hashes (SEC-1), so the library compares hashes. */
function compareSecretsByHash(provider: Provider) {
  provider.Client.prototype.compareClientSecret = function compare(actual: string) {
    const expected = Buffer.from(this.clientSecret ?? '')
    const given = Buffer.from(sha256(actual).toString('base64url'))
    return expected.length === given.length && timingSafeEqual(expected, given)
  }
}

/** Builds URLs from the configured URL and never from the Host header (THR-09). */
function useConfiguredUrl({ request }: Provider, { protocol, host, origin }: URL) {
  Object.defineProperties(request, {
    protocol: { get: () => protocol.slice(0, -1) },
    host: { get: () => host },
    origin: { get: () => origin },
  })
}

/** The library's own sessions are not stored (storage.ts), so its session cookie is not sent. */
function dropSessionCookie(provider: Provider) {
  provider.use(async (ctx, next) => {
    await next()
    const set = [ctx.response.get('set-cookie')].flat().filter(Boolean)
    const others = set.filter((cookie) => !cookie.startsWith(cookies.names.session))
    if (others.length > 0) ctx.set('set-cookie', others)
    else if (set.length > 0) ctx.remove('set-cookie')
  })
}
