import type { Secret } from '../secrets/secret.ts'
import type {
  AuthorityCaller,
  AuthorityReason,
  AuthorityTrouble,
  ClientCredentials,
  Environment,
} from './tax-authority.ts'

/** A document to send: recorded before it is sent, and the same in every attempt. Addresses are such as `0195:SGUEN201403121W`. */
export type AccessPointRequest = {
  /** The id of the document here, which is also its UUID in the file: the access point sends it once. */
  invoice_id: string
  sender: string
  receiver: string
  /** The identifiers of the type of document and of the process in the Peppol network. */
  document_type: string
  process: string
  /** The UBL file. */
  content: string
}

/** The access token has ended: another one is requested and the call repeated. */
export type Unauthorized = { kind: 'unauthorized'; message: string }

export type SubmissionAnswer =
  /** The tax authority has acknowledged the document with this id. */
  | { kind: 'approved'; number: string }
  | { kind: 'rejected'; reasons: AuthorityReason[] }
  /** It was taken over and is not decided yet. */
  | { kind: 'pending' }
  | Unauthorized
  | AuthorityTrouble

/** A document that the access point received for a participant. */
export type ReceivedDocument = { id: string; sender: string | null; receivedAt: string | null }

export type ReceivedAnswer = { kind: 'listed'; documents: ReceivedDocument[] } | Unauthorized | AuthorityTrouble
export type ContentAnswer = { kind: 'content'; bytes: Buffer } | Unauthorized | AuthorityTrouble
export type DoneAnswer = { kind: 'done' } | Unauthorized | AuthorityTrouble

type WithToken<T = unknown> = T & { accessToken: Secret }

/**
 * An access point of the Peppol network, for InvoiceNow of Singapore: it delivers documents to customers, reports them to the tax
 * authority and receives those of suppliers. Nothing is thrown but what a caller aborts.
 */
export type AccessPoint = {
  /** An access token for the client of the organization. */
  token(
    caller: AuthorityCaller,
    client: ClientCredentials,
  ): Promise<{ kind: 'granted'; accessToken: Secret; accessTokenSeconds: number } | AuthorityTrouble>
  /** Sends a document; one that is known is not sent again, and the answer is what became of it. */
  send(caller: AuthorityCaller, given: WithToken<{ request: AccessPointRequest }>): Promise<SubmissionAnswer>
  status(caller: AuthorityCaller, given: WithToken<{ documentId: string }>): Promise<SubmissionAnswer>
  /** The documents that were received for a participant and not confirmed, the oldest first, at most 50. */
  received(caller: AuthorityCaller, given: WithToken<{ participant: string }>): Promise<ReceivedAnswer>
  fetchReceived(caller: AuthorityCaller, given: WithToken<{ id: string }>): Promise<ContentAnswer>
  /** Confirms that a document was taken over: it is not listed again. */
  confirmReceived(caller: AuthorityCaller, given: WithToken<{ id: string }>): Promise<DoneAnswer>
  /** The address of the simulator, with its switches; undefined if calls go elsewhere. */
  simulatorUrl(environment: Environment): Promise<string | undefined>
}
