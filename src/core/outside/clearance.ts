import type { Database } from '../../db/database.ts'
import type { Secret } from '../secrets/secret.ts'
import type { AccessPointRequest } from './access-point.ts'
import type {
  AllocationAnswer,
  AllocationRequest,
  AuthorityCaller,
  AuthorityTrouble,
  ClientCredentials,
  Environment,
  TaxAuthorities,
  Tokens,
} from './tax-authority.ts'

/** What is recorded before it is sent, and sent in every attempt. */
export type ClearanceRequest = AllocationRequest | AccessPointRequest

/** What an authority answers. `pending`: it has the document and has not decided yet. */
export type ClearanceAnswer = AllocationAnswer | { kind: 'pending' }

export type IssuedTokens = Pick<Tokens, 'accessToken' | 'accessTokenSeconds'> & { refreshToken: Secret | null }
export type RequestTokens = (
  caller: AuthorityCaller,
  given: ClientCredentials & { refreshToken: Secret | null },
) => Promise<{ kind: 'granted'; tokens: IssuedTokens } | AuthorityTrouble>

/** How documents are submitted to the authority of a country. */
export type ClearanceHandler = {
  /** The request for a document as it was issued, or a sentence about what is missing. */
  requestFor(
    db: Database,
    documentId: string,
    credentials: Readonly<Record<string, string>>,
  ): Promise<ClearanceRequest | { problem: string }>
  requestTokens(authorities: TaxAuthorities): RequestTokens
  /** Sends the request, which may have been sent before. */
  ask(
    authorities: TaxAuthorities,
    caller: AuthorityCaller,
    given: { accessToken: Secret; request: ClearanceRequest },
  ): Promise<ClearanceAnswer>
  /** The address of the simulator that calls go to, or undefined. */
  simulatorUrl(authorities: TaxAuthorities, environment: Environment): Promise<string | undefined>
}

/** The handlers by integration. */
export type ClearanceHandlers = Readonly<Record<string, ClearanceHandler>>
