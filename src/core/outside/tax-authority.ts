import type { Secret } from '../secrets/secret.ts'
import type { AccessPoint } from './access-point.ts'

/** Where an authority is called: its test system, where numbers mean nothing, or the real one. */
export type Environment = 'sandbox' | 'production'

/** Who asks: an organization, in an environment. */
export type AuthorityCaller = { organizationId: string; environment: Environment; signal?: AbortSignal | undefined }

/** What identifies the accounting software at the authority. */
export type ClientCredentials = { clientId: string; clientSecret: Secret }

/**
 * The request for an allocation number, version 2 of the authority's interface: names and types are the authority's. Numbers
 * of up to nine digits are JSON numbers, amounts are in shekels with two decimals.
 */
export type AllocationRequest = {
  /** The id of the document here: the authority answers a repeated request with the number that it has allocated. */
  invoice_id: string
  invoice_type: number
  vat_number: number
  union_vat_number: number
  user_id?: number
  user_name?: string
  invoice_reference_number: string
  customer_vat_number: number
  customer_name: string
  invoice_date: string
  invoice_issuance_date: string
  accounting_software_number: number
  amount_before_discount: number
  discount: number
  payment_amount: number
  vat_amount: number
  payment_amount_including_vat: number
  action: number
}

/** A reason of the authority: its code, and the field that it is about. */
export type AuthorityReason = { code: number | null; message: string; param: string | null }

/** What came of a call, in a sentence for the people of the organization. */
export type AuthorityTrouble =
  /** The credentials or the rights of the person are not sufficient: somebody has to act first. */
  | { kind: 'refused'; message: string }
  /** Not reachable, silent, or an answer that is none: the same request may succeed later. */
  | { kind: 'unavailable'; message: string; retryAfterS?: number | undefined }

export type AllocationAnswer =
  | { kind: 'approved'; number: string }
  | { kind: 'rejected'; reasons: AuthorityReason[] }
  /** The access token has ended: it is refreshed and the request repeated. */
  | { kind: 'unauthorized'; message: string }
  | AuthorityTrouble

export type Tokens = {
  accessToken: Secret
  accessTokenSeconds: number
  /** The refresh token that replaces the one that was used. */
  refreshToken: Secret
  refreshTokenSeconds: number | null
}
export type TokenAnswer = { kind: 'granted'; tokens: Tokens } | AuthorityTrouble

/** The Israel Tax Authority, which allocates numbers to tax invoices. Nothing is thrown but what a caller aborts. */
export type IsraelTaxAuthority = {
  approve(
    caller: AuthorityCaller,
    access: { accessToken: Secret; request: AllocationRequest },
  ): Promise<AllocationAnswer>
  /** Uses a refresh token. The authority issues another one with each use. */
  refresh(caller: AuthorityCaller, given: ClientCredentials & { refreshToken: Secret }): Promise<TokenAnswer>
  /** Uses the code that the authority gave a person who signed in there. */
  exchange(
    caller: AuthorityCaller,
    given: ClientCredentials & { code: Secret; redirectUri: string },
  ): Promise<TokenAnswer>
  /** The page of the authority where a person signs in and allows the software to act. */
  authorizeUrl(
    environment: Environment,
    given: { clientId: string; state: string; redirectUri: string },
  ): Promise<string>
  /** Whether calls of this environment go to the simulator that comes with the product. */
  isSimulated(environment: Environment): boolean
  /** The address of the simulator, with its switches; undefined if calls go elsewhere. */
  simulatorUrl(environment: Environment): Promise<string | undefined>
}

export type TaxAuthorities = { israel: IsraelTaxAuthority; accessPoint: AccessPoint }
