import type { IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type {
  Downloaded,
  DownloadRequest,
  Egress,
  ModelAnswer,
  ReadDocument,
  ServiceCall,
  WebhookResponse,
} from '../../core/outside/egress.ts'
import { TargetFailure } from '../../core/outside/target-failure.ts'
import { parseUrl } from '../../core/values/url.ts'
import { beginningOf, piecesOf, save } from './body.ts'
import { createConcurrencyLimit } from './concurrency.ts'
import {
  allowedAddresses,
  type Connect,
  connectTo,
  createResolve,
  type Dialer,
  open,
  type Resolve,
  secure,
} from './connect.ts'
import { exchange, headersOf, type Request, retryAfterOf } from './http.ts'
import { readMailServer, readUrl, type Target, toAllowance, type Use } from './policy.ts'
import { withTimeLimit } from './time-limit.ts'

/** A refusal for the metric and the audit. Contains the requested host, but no resolved addresses, because members can read it. */
export type Refused = {
  /** Null for requests without an organization: the document of an app, exchange rates. */
  organizationId: string | null
  use: Use
  host: string
  reason: TargetFailure['reason']
}

export type Limits = typeof defaultLimits

type Sending = { request: Request; target: Target; signal: AbortSignal; firstByteMs?: number }
type UrlTarget = { url: URL; target: Target }

type Settings = {
  mode: 'local' | 'strict'
  /** Entries of EGRESS_ALLOW. */
  allow: readonly string[]
  allowHttp: boolean
  resolve?: Resolve
  connect?: Connect
  audit?: (refused: Refused) => void | Promise<void>
  /** Shorter limits, for tests. */
  limits?: Partial<Limits>
  /** A certificate trusted besides the usual ones, for tests. */
  ca?: string
}

export function createEgress({ mode, allow, allowHttp, audit, ca, ...settings }: Settings): Egress {
  const limits = { ...defaultLimits, ...settings.limits }
  const policy = { mode, allow: allow.map(requireAllowance), allowHttp }
  const dialer: Dialer = {
    policy,
    resolve: settings.resolve ?? createResolve(),
    connect: settings.connect ?? connectTo,
    limits,
    ca,
  }
  const limitConcurrency = createConcurrencyLimit()
  // Every organization calls the same host, and an answer may take many seconds.
  const limitSharedHosts = createConcurrencyLimit({ perHost: sharedHostCallsMax })

  /** Audits refusals, and delays failures whose timing would reveal something about the network. */
  async function withAudit<T>(
    request: Omit<Refused, 'reason' | 'host'> & { host: () => string },
    work: () => Promise<T>,
  ) {
    const began = performance.now()
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof TargetFailure)) throw error
      const { organizationId, use } = request
      const { reason } = error
      const isRefusal = error.target === 'TARGET_NOT_ALLOWED' || reason === 'resolver'
      if (isRefusal) await audit?.({ organizationId, use, host: request.host().slice(0, 253), reason })
      if (isRefusal || reason === 'refused') await sleep(untilStep(performance.now() - began, limits.failureStepMs))
      throw error
    }
  }

  /** Sends one request on a separate connection, which is closed afterwards. */
  async function sendRequest<T>(
    { request, target, signal, firstByteMs = limits.firstByteMs }: Sending,
    read: (response: IncomingMessage) => Promise<T>,
  ): Promise<T> {
    const socket = await open(dialer, { target, tls: request.url.protocol === 'https:', signal })
    try {
      signal.throwIfAborted()
      return await read(await exchange({ socket, request, firstByteMs, signal }))
    } finally {
      socket.destroy()
    }
  }

  function deliver(request: Request, target: Target, signal: AbortSignal): Promise<WebhookResponse> {
    const began = performance.now()
    return sendRequest({ request, target, signal }, async (response) => {
      const latencyMs = Math.round(performance.now() - began)
      const retryAfterS = retryAfterOf(response, new Date())
      const answer = {
        status: response.statusCode ?? 0,
        headers: shownHeaders(response),
        ...(await beginningOf(response)),
      }
      return { latencyMs, ...answer, ...(retryAfterS !== undefined && { retryAfterS }) }
    })
  }

  async function fetchFile(from: UrlTarget, wanted: DownloadRequest, signal: AbortSignal): Promise<Downloaded> {
    let { url, target } = from
    for (let redirects = 0; ; redirects += 1) {
      const headers = url.origin === from.url.origin ? (wanted.headers ?? {}) : {}
      const request = { method: 'GET', url, headers } as const
      const answer = await sendRequest({ request, target, signal }, async (response) => {
        const { statusCode = 0 } = response
        if (statusCode >= 200 && statusCode < 300) return save(response, wanted)
        if (!redirectStatuses.has(statusCode)) throw new TargetFailure('status')
        if (redirects === redirectsMax) throw new TargetFailure('redirects')
        return readUrl(locationOf(response, url), 'file', policy)
      })
      if ('size' in answer) return answer
      if (url.protocol === 'https:' && answer.url.protocol !== 'https:') throw new TargetFailure('scheme')
      ;({ url, target } = answer)
    }
  }

  function readText(request: Request, target: Target, signal: AbortSignal): Promise<ReadDocument> {
    return sendRequest({ request, target, signal }, async (response) => {
      const { statusCode, headers } = response
      if (statusCode !== 200) throw new TargetFailure('status')
      if (!/^application\/([\w.+-]+\+)?json\b/i.test(headers['content-type'] ?? ''))
        throw new TargetFailure('unreadable')
      const { body } = await save(response, { maxBytes: documentBytesMax, to: 'memory' })
      return { text: body?.toString() ?? '', cacheControl: headers['cache-control'] }
    })
  }

  const timedOut = () => new TargetFailure('silent')

  /** One request whose waiting, sending and answer share a time limit. */
  function callWithin<T>(
    use: 'model' | 'service',
    text: string,
    { organizationId, method, headers, body, ms, maxBytes, signal }: Omit<ServiceCall, 'body'> & { body?: Buffer },
    read: (answer: ModelAnswer) => Promise<T>,
  ): Promise<T> {
    return withAudit({ organizationId, use, host: () => hostOf(text) }, async () => {
      const until = performance.now() + ms
      const { url, target } = readUrl(text, use, policy)
      const request: Request = { method, url, headers, ...(body && { body }) }
      headersOf(request)
      return limitSharedHosts({ organizationId, host: target.host, waitMs: ms, signal }, () => {
        const leftMs = Math.max(0, until - performance.now())
        return withTimeLimit({ ms: leftMs, signal, late: timedOut }, (signal) =>
          sendRequest({ request, target, signal, firstByteMs: leftMs }, (response) =>
            read(answerOf(response, maxBytes)),
          ),
        )
      })
    })
  }

  return {
    post: (text, { organizationId, headers, body, signal, waitMs = limits.waitMs }) =>
      withAudit({ organizationId, use: 'webhook', host: () => hostOf(text) }, async () => {
        const { url, target } = readUrl(text, 'webhook', policy)
        const request = { method: 'POST', url, headers, body: Buffer.from(body) } as const
        headersOf(request)
        return limitConcurrency({ organizationId, host: target.host, waitMs, signal }, () =>
          withTimeLimit({ ms: limits.postMs, signal, late: timedOut }, (signal) => deliver(request, target, signal)),
        )
      }),

    download: (text, wanted) => {
      const { organizationId, signal, waitMs = limits.waitMs } = wanted
      return withAudit({ organizationId, use: 'file', host: () => hostOf(text) }, async () => {
        const from = readUrl(text, 'file', policy)
        return limitConcurrency(
          { organizationId: organizationId ?? '', host: from.target.host, waitMs, signal },
          async () => {
            let fetching: Promise<unknown> = Promise.resolve()
            try {
              return await withTimeLimit({ ms: limits.downloadMs, signal, late: timedOut }, (signal) => {
                const fetched = fetchFile(from, wanted, signal)
                fetching = fetched
                return fetched
              })
            } finally {
              await Promise.allSettled([fetching]) // a partial file is deleted before the failure is reported
            }
          },
        )
      })
    },

    readDocument: (text) =>
      withAudit({ organizationId: null, use: 'client', host: () => hostOf(text) }, async () => {
        const { url, target } = readUrl(text, 'client', policy)
        const request = { method: 'GET', url, headers: { accept: 'application/json' } } as const
        // Not for an organization: all these requests share the limit of one.
        return limitConcurrency(
          { organizationId: '', host: target.host, waitMs: limits.documentMs, signal: undefined },
          () => withTimeLimit({ ms: limits.documentMs, late: timedOut }, (signal) => readText(request, target, signal)),
        )
      }),

    callModel: (text, { headers, body, ...call }, read) =>
      callWithin('model', text, { ...call, method: 'POST', headers, body: Buffer.from(body) }, read),

    callService: (text, { body, ...call }) =>
      callWithin(
        'service',
        text,
        { ...call, ...(body !== undefined && { body: Buffer.from(body) }) },
        async ({ status, headers, pieces }) => ({ status, headers, body: await joined(pieces) }),
      ),

    socket: ({ organizationId, host, port, tls, signal }) =>
      withAudit({ organizationId, use: 'mail', host: () => host }, () => {
        const target = readMailServer({ host, port }, policy)
        const ms = limits.resolveMs + limits.connectMs
        return withTimeLimit({ ms, signal, late: timedOut }, (signal) => open(dialer, { target, tls, signal }))
      }),

    async startTls(socket, host) {
      // Data received before the handshake is unprotected, and must not be read as data received after it.
      if (socket.readableLength > 0) {
        socket.destroy()
        throw new TargetFailure('unreadable')
      }
      const target = readMailServer({ host, port: socket.remotePort ?? 0 }, policy)
      return withTimeLimit({ ms: limits.connectMs, late: timedOut }, (signal) =>
        secure({ socket, host: target.host, ca, signal }),
      )
    },

    check: (text, { organizationId, use }) =>
      withAudit({ organizationId, use, host: () => hostOf(text) }, () =>
        checkTarget(readUrl(text, use, policy).target),
      ),

    checkMailServer: ({ organizationId, host, port }) =>
      withAudit({ organizationId, use: 'mail', host: () => host }, () =>
        checkTarget(readMailServer({ host, port }, policy)),
      ),
  }

  async function checkTarget(target: Target) {
    await allowedAddresses(dialer, target, new AbortController().signal)
  }
}

async function joined(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = []
  for await (const piece of pieces) all.push(piece)
  return Buffer.concat(all)
}

function answerOf(response: IncomingMessage, maxBytes: number): ModelAnswer {
  const onMore = () => {
    throw new TargetFailure('unreadable')
  }
  const headers = Object.entries(response.headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value]] : [],
  )
  const pieces = piecesOf(response, { maxBytes, onMore })
  return { status: response.statusCode ?? 0, headers: Object.fromEntries(headers), pieces }
}

/** The headers of an answer to a webhook: the first ones within the limits. Cookies are for the sender alone. */
function shownHeaders({ headers }: IncomingMessage): Record<string, string> {
  const shown: Record<string, string> = {}
  let bytes = 0
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value !== 'string' || name === 'set-cookie' || name === '__proto__') continue
    bytes += name.length + Buffer.byteLength(value)
    if (bytes > headerBytesMax || Object.keys(shown).length === headersMax) break
    shown[name] = value
  }
  return shown
}
const headersMax = 50
const headerBytesMax = 8 * 1024

/** The target of a redirect. Non-ASCII letters are sent as UTF-8 and arrive as one character per byte. */
function locationOf({ headers: { location } }: IncomingMessage, from: URL): string {
  if (!location) throw new TargetFailure('unreadable')
  const text = Buffer.from(location, 'latin1').toString()
  return parseUrl(text, from.href)?.href ?? text
}

const hostOf = (text: string) => (text.length <= 4096 ? (parseUrl(text)?.hostname ?? '') : '')

const untilStep = (passedMs: number, stepMs: number) => Math.ceil(passedMs / stepMs) * stepMs - passedMs

function requireAllowance(entry: string) {
  const allowance = toAllowance(entry)
  if (!allowance) throw new Error(`"${entry}" is neither host:port nor CIDR.`)
  return allowance
}

const defaultLimits = {
  resolveMs: 3_000,
  connectMs: 5_000,
  firstByteMs: 10_000,
  postMs: 15_000,
  downloadMs: 30_000,
  documentMs: 5_000,
  /** How long a call waits for a free place by default. */
  waitMs: 30_000,
  /** Failures before a connection are reported at multiples of this time. */
  failureStepMs: 250,
}
const documentBytesMax = 64 * 1024
const sharedHostCallsMax = 32
const redirectsMax = 3
const redirectStatuses = new Set([301, 302, 303, 307, 308])
