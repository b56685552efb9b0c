import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'

/**
 * The only way out for targets that people can influence: webhooks, file addresses, mail servers. Whatever is asked,
 * the target is judged, its name resolved once, and the connection made to an address that was judged.
 *
 * Failures before a connection exists (refused by us, unknown name, refused by the target) are answered at the next
 * full step of a quarter of a second since the call began, so a clock tells a blocked target from a closed one no
 * better than by those steps. The two codes do tell them apart, as they are meant to; what stays hidden is whether a
 * name or an address exists behind our wall, because those refusals share code, sentence and step, and nothing behind
 * it is ever connected to. A name server that is slow about one name still shows as another step.
 */
export type Egress = {
  /** Delivers a webhook. Never follows a redirect; any status is an answer. Throws TargetFailure. */
  post(url: string, message: WebhookMessage): Promise<WebhookResponse>
  /** Fetches a file over at most three redirects. Throws TargetFailure, or FILE_TOO_LARGE past `maxBytes`. */
  download(url: string, wanted: DownloadRequest): Promise<Downloaded>
  /**
   * Reads what an app says about itself at its address: JSON of at most 64 KiB, answered within five seconds, without
   * redirects. Throws TargetFailure.
   */
  readDocument(url: string): Promise<ReadDocument>
  /** A connection to a mail server, with TLS from the first byte or without. The caller closes it. */
  socket(server: MailServer): Promise<Socket>
  /** TLS on a connection from `socket` after STARTTLS. */
  startTls(socket: Socket, host: string): Promise<TLSSocket>
  /** Throws what a call would be refused with now; for when an address is saved. It is judged again at each call. */
  check(url: string, caller: Caller & { use: 'webhook' | 'file' }): Promise<void>
  checkMailServer(server: Omit<MailServer, 'tls' | 'signal'>): Promise<void>
}

type Caller = { organizationId: string }
/** How long to wait for a place: 4 calls at once for an organization, 2 for a host. 0 is told `busy` at once. */
type Waiting = { waitMs?: number; signal?: AbortSignal }

export type WebhookMessage = Caller & Waiting & { headers: Record<string, string>; body: string | Uint8Array }
export type WebhookResponse = {
  status: number
  /** From the start of the connection to the head of the answer. */
  latencyMs: number
  /** The beginning of the answer, at most 4 KiB. */
  text: string
  /** What a 429 or 503 asks for, at most ten minutes. */
  retryAfterS?: number
}

/** A file is made anew at the path, readable by us alone, and is gone again if the download fails. */
export type DownloadRequest = {
  /** Null for what the product itself wants. */ organizationId: string | null
} & Waiting &
  DownloadTarget

export type ReadDocument = { text: string; cacheControl: string | undefined }

export type MailServer = Caller & { host: string; port: number; tls: boolean; kind: 'mail'; signal?: AbortSignal }

export type DownloadTarget = { maxBytes: number; to: 'memory' | { file: string } }
export type Downloaded = { size: number; body: Buffer | undefined }
