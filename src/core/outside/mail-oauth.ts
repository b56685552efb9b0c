import { Failure } from '../define/failure.ts'
import type { Secret } from '../secrets/secret.ts'
import type { MailboxAccess } from './mailbox.ts'

/** A provider whose mailboxes people connect by signing in there, instead of giving a password here. */
export type OAuthMailProvider = 'GMAIL' | 'OUTLOOK'

/** How a person's browser is sent to the provider. The provider sends it back to the redirect URI with the state. */
export type MailAuthorization = { redirectUri: string; state: string; nonce: string; verifier: string }

/** The code that the provider sent back, and what the authorization was started with. */
export type MailCode = Omit<MailAuthorization, 'state'> & {
  organizationId: string
  code: string
}

export type MailTokens = {
  accessToken: Secret
  expiresInS: number
  /** Undefined if the provider keeps the one before valid and gave no new one. */
  refreshToken: Secret | undefined
}

export type ConnectedMailbox = MailTokens & {
  /** The address of the account, which is also its name at the IMAP server. */
  address: string
  refreshToken: Secret
}

/** OAuth 2.0 with the mail providers: the authorization code grant with PKCE, and refreshing. Everything throws MailOAuthFailure. */
export type MailOAuth = {
  /** The address that the browser opens. Contacts nobody. Fails with 409 if the operator has not set the provider up. */
  authorizeUrl(provider: OAuthMailProvider, authorization: MailAuthorization): Promise<string>
  /** Fails unless the issuer, which some providers name when they send the browser back, is this provider. */
  requireIssuer(provider: OAuthMailProvider, issuer: string): void
  /** Redeems a code for tokens. The identity in the answer must be for this client and carry the nonce. */
  redeem(provider: OAuthMailProvider, code: MailCode): Promise<ConnectedMailbox>
  /** Fails with `isRevoked` if a person has to connect the mailbox again. */
  refresh(provider: OAuthMailProvider, given: { organizationId: string; refreshToken: Secret }): Promise<MailTokens>
  /** Where the mailboxes of the provider are read. */
  imapServer(provider: OAuthMailProvider): MailboxServer
}

export type MailboxServer = Pick<MailboxAccess, 'host' | 'port' | 'tls' | 'withoutTls'>

/** Where a provider is and how this installation is known to it. */
export type MailProviderClient = {
  /** As people call the provider. */
  name: string
  clientId: string
  clientSecret: Secret
  authorizeUrl: string
  tokenUrl: string
  scope: string
  /** Further parameters of the authorization address. */
  parameters: Readonly<Record<string, string>>
  /** The issuer of an identity with these claims. */
  issuer(claims: Readonly<Record<string, unknown>>): string
  /** Whether the text is the issuer of some identity. */
  isIssuer(text: string): boolean
  imap: MailboxServer
  /** Only the simulator of local mode is served without TLS. */
  allowsHttp: boolean
}

/** Why a provider gave no tokens. The message is for the person who connects the mailbox. */
export class MailOAuthFailure extends Failure {
  /** The person or the provider has ended the access, so that trying again does not help. */
  readonly isRevoked: boolean
  /** The same call may succeed later. */
  readonly isTransient: boolean

  constructor(message: string, { isRevoked = false, isTransient = false, cause }: Kind = {}) {
    const code = isTransient ? 'TARGET_UNREACHABLE' : 'MAIL_PROVIDER_REFUSED'
    super('VALIDATION', message, { details: [{ path: '', message, code }], cause })
    this.isRevoked = isRevoked
    this.isTransient = isTransient
  }
}
type Kind = { isRevoked?: boolean; isTransient?: boolean; cause?: unknown }
