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
  /** The page that tells a person why their app cannot ask. */
  errorPage: (error: { error: string; error_description?: string | undefined }, accepted: string) => string
  complain: (error: unknown) => void
}

const minuteS = 60
const dayS = 24 * 60 * minuteS

/**
 * The authorization server: code with PKCE and nothing else. It takes half a second and 30 MB to load, so that happens when
 * an app first asks for it.
 */
export async function createProvider(means: ProviderDependencies): Promise<Provider> {
  const [{ Provider }, { createStorage }, configuration] = await Promise.all([
    import('oidc-provider/lib/provider.js'),
    import('./storage.ts'),
    configure(means),
  ])
  const provider = new Provider(means.url, { ...configuration, adapter: createStorage(means.pool, means.clients) })
  compareSecretsByHash(provider)
  answerAs(provider, new URL(means.url))
  keepNoSession(provider)
  provider.on('server_error', (_, error) => means.complain(error))
  provider.onerror = means.complain
  return provider
}

async function configure({ url, pool, secrets, errorPage }: ProviderDependencies): Promise<Configuration> {
  const { InvalidScope, InvalidTarget } = await import('oidc-provider/lib/helpers/errors.js')
  const { base, Check } = await import('oidc-provider/lib/helpers/interaction_policy/index.js')
  return {
    scopes: ['offline_access'], // those of the API belong to the resource, or consent would be asked for ever
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
    rotateRefreshToken: true,
    revokeGrantPolicy: () => true,
    expiresWithSession: async () => false,
    issueRefreshToken: async (_, client) => client.grantTypeAllowed('refresh_token'),
    clockTolerance: 0,
    clientBasedCORS: (_, origin, { clientAuthMethod, redirectUris = [] }) =>
      clientAuthMethod === 'none' && redirectUris.some((uri) => new URL(uri).origin === origin),
    routes: { authorization: paths.authorize, token: paths.token, revocation: paths.revoke, jwks: paths.jwks },
    fetch: () => Promise.reject(new Error('Nothing is fetched here: clients are read through the egress rules.')),
    findAccount: async (_, id) =>
      (await isActive(pool, id)) ? { accountId: id, claims: () => ({ sub: id }) } : undefined,
    interactions: { policy: policy({ base, Check, InvalidScope }), url: (_, { uid }) => `${paths.consent}/${uid}` },
    renderError(ctx, { error, error_description }) {
      ctx.type = 'html'
      ctx.body = errorPage({ error, error_description }, ctx.get('accept-language'))
    },
    ttl: {
      AccessToken: 15 * minuteS,
      AuthorizationCode: minuteS,
      RefreshToken: 30 * dayS,
      Interaction: 30 * minuteS,
      Grant: dayS, // the row's own end holds, see storage.ts
      Session: minuteS,
      IdToken: minuteS,
    },
    features: {
      ...switches,
      revocation: { enabled: true, allowedPolicy: async (_, client, token) => token.clientId === client.clientId },
      resourceIndicators: {
        enabled: true,
        defaultResource: async (_, __, several) => several ?? url,
        useGrantedResource: async () => true,
        async getResourceServerInfo(_, resource) {
          const audience = audienceOf(url, resource)
          if (!audience) throw new InvalidTarget('this server gives out tokens for itself alone')
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

const switches = {
  devInteractions: { enabled: false },
  dPoP: { enabled: false },
  pushedAuthorizationRequests: { enabled: false },
  rpInitiatedLogout: { enabled: false },
  userinfo: { enabled: false },
} as const

type Policy = typeof import('oidc-provider/lib/helpers/interaction_policy/index.js')
type Errors = typeof import('oidc-provider/lib/helpers/errors.js')

/** The person is asked each time: nothing that was agreed to before lets an app in again by itself. */
function policy({ base, Check, InvalidScope }: Policy & Pick<Errors, 'InvalidScope'>) {
  const prompts = base()
  const checks = prompts.get('consent')?.checks
  checks?.clear()
  checks?.add(
    new Check(
      'consent_missing',
      'the person has not been asked',
      'consent_required',
      ({ oidc }: KoaContextWithOIDC) => {
        if (!appScopes.some((scope) => oidc.requestParamScopes.has(scope))) {
          throw new InvalidScope('ask for at least one scope of this server', [...oidc.requestParamScopes].join(' '))
        }
        return !oidc.result?.consent
      },
    ),
  )
  prompts.get('login')?.checks.clear() // our page asks for the session
  return prompts
}

const isActive = (pool: Pool, id: string) =>
  pool.use(async (db) => {
    const user = db.selectFrom('users').select('id').where('id', '=', id).where('disabledAt', 'is', null)
    return (await user.executeTakeFirst()) !== undefined
  })

/** Ed25519, from 32 derived bytes in the frame that PKCS #8 gives them: the same key in every process, kept nowhere. */
function signingKey(seed: KeyObject): JWK {
  const frame = Buffer.from('302e020100300506032b657004220420', 'hex')
  const key = createPrivateKey({ key: Buffer.concat([frame, seed.export()]), format: 'der', type: 'pkcs8' })
  return { ...key.export({ format: 'jwk' }), kty: 'OKP', use: 'sig', alg: 'EdDSA' } as JWK
}

/** A client's secret is stored as its hash (SEC-1), and that is what the library holds. */
function compareSecretsByHash(provider: Provider) {
  provider.Client.prototype.compareClientSecret = function compare(actual: string) {
    const expected = Buffer.from(this.clientSecret ?? '')
    const given = Buffer.from(sha256(actual).toString('base64url'))
    return expected.length === given.length && timingSafeEqual(expected, given)
  }
}

/** Addresses are built from the one people use and never from the Host header (THR-09). */
function answerAs({ request }: Provider, { protocol, host, origin }: URL) {
  Object.defineProperties(request, {
    protocol: { get: () => protocol.slice(0, -1) },
    host: { get: () => host },
    origin: { get: () => origin },
  })
}

/** The library's own session is not kept (storage.ts), so its cookie is not given out. */
function keepNoSession(provider: Provider) {
  provider.use(async (ctx, next) => {
    await next()
    const set = [ctx.response.get('set-cookie')].flat().filter(Boolean)
    const others = set.filter((cookie) => !cookie.startsWith(cookies.names.session))
    if (others.length > 0) ctx.set('set-cookie', others)
    else if (set.length > 0) ctx.remove('set-cookie')
  })
}
