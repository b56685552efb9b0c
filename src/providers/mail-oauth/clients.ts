import type { MailProviderClient } from '../../core/outside/mail-oauth.ts'
import type { Secret } from '../../core/secrets/secret.ts'

/** The id and secret that the provider gave the operator of this installation. */
export type ClientSetting = { id: string; secret: Secret }

export const gmailClient = ({ id, secret }: ClientSetting): MailProviderClient => ({
  name: 'Google',
  clientId: id,
  clientSecret: secret,
  authorizeUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
  tokenUrl: 'https://oauth2.googleapis.com/token',
  scope: 'https://mail.google.com/ openid email',
  parameters: { access_type: 'offline', prompt: 'consent' }, // without consent no refresh token is given a second time
  issuer: ({ iss }) => (iss === 'accounts.google.com' ? iss : googleIssuer), // Google documents both forms
  isIssuer: (text) => text === googleIssuer,
  imap: { host: 'imap.gmail.com', port: 993, tls: true },
  allowsHttp: false,
})
const googleIssuer = 'https://accounts.google.com'

export const outlookClient = ({ id, secret }: ClientSetting): MailProviderClient => ({
  name: 'Microsoft',
  clientId: id,
  clientSecret: secret,
  authorizeUrl: 'https://login.microsoftonline.com/common/oauth2/v2.0/authorize',
  tokenUrl: 'https://login.microsoftonline.com/common/oauth2/v2.0/token',
  scope: 'https://outlook.office.com/IMAP.AccessAsUser.All offline_access openid email',
  parameters: { prompt: 'select_account' },
  // People of every tenant sign in at `common`; the identity names the tenant, and its issuer is that tenant.
  issuer: ({ tid }) => `https://login.microsoftonline.com/${tid}/v2.0`,
  isIssuer: (text) => /^https:\/\/login\.microsoftonline\.com\/[0-9a-f-]{36}\/v2\.0$/.test(text),
  imap: { host: 'outlook.office365.com', port: 993, tls: true },
  allowsHttp: false,
})
