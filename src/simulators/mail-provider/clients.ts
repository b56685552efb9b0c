import type { MailProviderClient, OAuthMailProvider } from '../../core/outside/mail-oauth.ts'
import { simulatedMailHost } from '../../core/outside/simulated-mailbox.ts'
import { Secret } from '../../core/secrets/secret.ts'

/** Where the simulator is served. Its paths are like those of the provider that it stands for. */
export const simulatorPath = '/simulator/mail'

export const paths = {
  GMAIL: { authorize: '/google/o/oauth2/v2/auth', token: '/google/token', keys: '/google/oauth2/v3/certs' },
  OUTLOOK: {
    authorize: '/microsoft/common/oauth2/v2.0/authorize',
    token: '/microsoft/common/oauth2/v2.0/token',
    keys: '/microsoft/common/discovery/v2.0/keys',
  },
} as const

/** Known to everybody: the simulator protects nothing but the mail of the demo. */
export const clientId = 'kontor-simulator'
export const clientSecret = 'simulator'

export const tenantId = '5e4d3c2b-1a09-4f8e-8d7c-6b5a49382716'

const scopes = {
  GMAIL: 'https://mail.google.com/ openid email',
  OUTLOOK: 'https://outlook.office.com/IMAP.AccessAsUser.All offline_access openid email',
} as const

export const issuerOf = (provider: OAuthMailProvider, url: string): string =>
  provider === 'GMAIL' ? `${url}${simulatorPath}/google` : `${url}${simulatorPath}/microsoft/${tenantId}/v2.0`

/** How an installation at this address finds the simulator that it serves itself. */
export function simulatedClient(provider: OAuthMailProvider, url: string): MailProviderClient {
  const issuer = issuerOf(provider, url)
  return {
    name: provider === 'GMAIL' ? 'Google (simulated)' : 'Microsoft (simulated)',
    clientId,
    clientSecret: new Secret(clientSecret),
    authorizeUrl: `${url}${simulatorPath}${paths[provider].authorize}`,
    tokenUrl: `${url}${simulatorPath}${paths[provider].token}`,
    scope: scopes[provider],
    parameters: {},
    issuer: () => issuer,
    isIssuer: (text) => text === issuer,
    imap: { host: simulatedMailHost, port: 143, tls: false, withoutTls: true },
    allowsHttp: true,
  }
}
