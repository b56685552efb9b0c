import type { Database } from '../../../../../core/define/operation.ts'
import type { AccessPointRequest } from '../../../../../core/outside/access-point.ts'
import type {
  AllocationAnswer,
  AllocationRequest,
  AuthorityCaller,
  AuthorityReason,
  Environment,
  TaxAuthorities,
} from '../../../../../core/outside/tax-authority.ts'
import type { Secret } from '../../../../../core/secrets/secret.ts'
import type { RequestTokens } from '../../access-token.ts'
import type { Connection } from '../../connection.ts'
import type { ClearedDocument } from '../clearance.ts'

/** What is recorded before it is sent, and sent in every attempt. */
export type ClearanceRequest = AllocationRequest | AccessPointRequest

/** What an authority answers. `pending`: it has the document and has not decided yet. */
export type HandlerAnswer = AllocationAnswer | { kind: 'pending' }

/** How documents are submitted to the authority of an integration. */
export type Handler = {
  /** The request for a document as it was issued, or a sentence about what is missing. */
  requestFor(
    db: Database,
    found: ClearedDocument,
    connection: Connection,
  ): Promise<ClearanceRequest | { problem: string }>
  requestTokens(authorities: TaxAuthorities): RequestTokens
  /** Sends the request, which may have been sent before. */
  ask(
    authorities: TaxAuthorities,
    caller: AuthorityCaller,
    given: { accessToken: Secret; request: ClearanceRequest },
  ): Promise<HandlerAnswer>
  /** What a person should know who validates credentials: whether calls go to a simulator. */
  details(authorities: TaxAuthorities, environment: Environment): Promise<ReturnType<typeof simulatorAt>>
  /** Why a document was rejected. */
  rejection(reasons: readonly AuthorityReason[]): string
  /** What a person can do instead after a failure, as a sentence; empty if nothing. */
  otherwise: string
}

export const simulatorAt = (simulatorUrl: string | undefined) => ({
  simulator: simulatorUrl !== undefined,
  ...(simulatorUrl !== undefined && { simulatorUrl }),
})
