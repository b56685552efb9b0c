import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'

/**
 * The only way to connect to targets that users can influence: webhooks, file URLs, mail servers, and to the model that the
 * operator has chosen, which gets what users sent. Every target is checked, its name is resolved once, and the connection is made to an address that was checked.
 *
 * Failures before a connection exists (refused by the product, unknown name, refused by the target) are answered at the
 * next multiple of 250 ms since the call began, so that their timing does not distinguish a blocked target from a closed
 * one. Their codes do, on purpose. Whether a name or an address exists inside the network stays hidden: those refusals have
 * the same code, message and timing, and no connection is made. A name server that is slow for one name can still cause a
 * later step.
 */
export type Egress = {
  /** Delivers a webhook. Follows no redirect; every status is an answer. Throws TargetFailure. */
  post(url: string, message: WebhookMessage): Promise<WebhookResponse>
  /** Fetches a file over at most three redirects. Throws TargetFailure, or FILE_TOO_LARGE past `maxBytes`. */
  download(url: string, wanted: DownloadRequest): Promise<Downloaded>
  /**
   * Reads the client metadata document of an app: JSON of at most 64 KiB, within five seconds, without redirects. Throws
   * TargetFailure.
   */
  readDocument(url: string): Promise<ReadDocument>
  /**
   * Calls the model of the installation. Follows no redirect; every status is an answer. `read` gets the answer while it
   * arrives, and the connection is closed when `read` is done. Throws TargetFailure, also past `ms` or `maxBytes`.
   */
  callModel<T>(url: string, call: ModelCall, read: (answer: ModelAnswer) => Promise<T>): Promise<T>
  /**
   * Calls a service that the product works with for an organization: a mail provider's sign-in, a tax authority. Follows no
   * redirect; every status is an answer. Throws TargetFailure, also past `ms` or `maxBytes`.
   */
  callService(url: string, call: ServiceCall): Promise<ServiceAnswer>
  /** A connection to a mail server, with or without TLS from the start. The caller closes it. */
  socket(server: MailServer): Promise<Socket>
  /** TLS on a connection from `socket` after STARTTLS. */
  startTls(socket: Socket, host: string): Promise<TLSSocket>
  /** Throws if a call would be refused now, for when a URL is saved. It is checked again at each call. */
  check(url: string, caller: Caller & { use: 'webhook' | 'file' }): Promise<void>
  checkMailServer(server: Omit<MailServer, 'tls' | 'signal'>): Promise<void>
}

type Caller = { organizationId: string }
/** How long to wait for a slot: 4 calls at once for an organization, 2 for a host. With 0 it fails as `busy` at once. */
type Waiting = { waitMs?: number; signal?: AbortSignal }

export type WebhookMessage = Caller & Waiting & { headers: Record<string, string>; body: string | Uint8Array }
export type WebhookResponse = {
  status: number
  /** From the start of the connection to the response headers. */
  latencyMs: number
  /** The beginning of the response body, at most 4 KiB. */
  text: string
  /** Whether the body was longer, or not readable as text. */
  isCut: boolean
  /** At most 50 headers and 8 KiB, with names in lower case. Without cookies. */
  headers: Record<string, string>
  /** Retry-After of a 429 or 503, at most ten minutes. */
  retryAfterS?: number
}

/** The file is created at the path, readable by this process only, and removed if the download fails. */
export type DownloadRequest = {
  /** Null for downloads of the product itself. */ organizationId: string | null
  /** Sent to the host of the address only, not to one that it redirects to. */
  headers?: Record<string, string>
} & Waiting &
  DownloadTarget

export type ModelCall = Caller & {
  headers: Record<string, string>
  body: string
  /** How long waiting for a slot, the call and its answer may take in total. */
  ms: number
  maxBytes: number
  signal?: AbortSignal | undefined
}
/** `pieces` is the body, decompressed; it can be read once. */
export type ModelAnswer = { status: number; headers: Record<string, string>; pieces: AsyncIterable<Uint8Array> }

export type ServiceCall = Caller & {
  method: 'GET' | 'POST' | 'PUT'
  headers: Record<string, string>
  body?: string | Uint8Array
  /** How long waiting for a slot, the call and its answer may take in total. */
  ms: number
  maxBytes: number
  signal?: AbortSignal | undefined
}
export type ServiceAnswer = { status: number; headers: Record<string, string>; body: Buffer }

export type ReadDocument = { text: string; cacheControl: string | undefined }

export type MailServer = Caller & { host: string; port: number; tls: boolean; kind: 'mail'; signal?: AbortSignal }

export type DownloadTarget = { maxBytes: number; to: 'memory' | { file: string } }
export type Downloaded = { size: number; body: Buffer | undefined }
