import type { IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Downloaded, DownloadRequest, Egress, ReadDocument, WebhookResponse } from '../../core/outside/egress.ts'
import { TargetFailure } from '../../core/outside/target-failure.ts'
import { beginningOf, save } from './body.ts'
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

/** For the audit. The host is what was asked for; addresses are not told, as members may read it. */
export type Refused = {
  /** Null for what nobody's organization asked for: the document of an app, exchange rates. */
  organizationId: string | null
  use: Use
  host: string
  reason: TargetFailure['reason']
}

export type Limits = typeof usualLimits

type Place = { url: URL; target: Target }

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
  const limits = { ...usualLimits, ...settings.limits }
  const policy = { mode, allow: allow.map(known), allowHttp }
  const dialer: Dialer = {
    policy,
    resolve: settings.resolve ?? createResolve(),
    connect: settings.connect ?? connectTo,
    limits,
    ca,
  }
  const gate = createConcurrencyLimit()

  /** Audits refusals, and holds back the failures whose moment would tell something. */
  async function guarded<T>(asked: Omit<Refused, 'reason' | 'host'> & { host: () => string }, work: () => Promise<T>) {
    const began = performance.now()
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof TargetFailure)) throw error
      const { organizationId, use } = asked
      const { reason } = error
      const isRefusal = error.target === 'TARGET_NOT_ALLOWED' || reason === 'resolver'
      if (isRefusal) await audit?.({ organizationId, use, host: asked.host().slice(0, 253), reason })
      if (isRefusal || reason === 'refused') await sleep(untilStep(performance.now() - began, limits.failureStepMs))
      throw error
    }
  }

  /** One request on a connection of its own, which ends with it. */
  async function ask<T>(
    { request, target, signal }: { request: Request; target: Target; signal: AbortSignal },
    read: (response: IncomingMessage) => Promise<T>,
  ): Promise<T> {
    const socket = await open(dialer, { target, tls: request.url.protocol === 'https:', signal })
    try {
      signal.throwIfAborted()
      return await read(await exchange({ socket, request, firstByteMs: limits.firstByteMs, signal }))
    } finally {
      socket.destroy()
    }
  }

  function deliver(request: Request, target: Target, signal: AbortSignal): Promise<WebhookResponse> {
    const began = performance.now()
    return ask({ request, target, signal }, async (response) => {
      const latencyMs = Math.round(performance.now() - began)
      const retryAfterS = retryAfterOf(response, new Date())
      const text = await beginningOf(response)
      return { status: response.statusCode ?? 0, latencyMs, text, ...(retryAfterS !== undefined && { retryAfterS }) }
    })
  }

  async function fetchFile(from: Place, wanted: DownloadRequest, signal: AbortSignal): Promise<Downloaded> {
    let { url, target } = from
    for (let redirects = 0; ; redirects += 1) {
      const request = { method: 'GET', url, headers: {} } as const
      const answer = await ask({ request, target, signal }, async (response) => {
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
    return ask({ request, target, signal }, async (response) => {
      const { statusCode, headers } = response
      if (statusCode !== 200) throw new TargetFailure('status')
      if (!/^application\/([\w.+-]+\+)?json\b/i.test(headers['content-type'] ?? ''))
        throw new TargetFailure('unreadable')
      const { body } = await save(response, { maxBytes: documentBytesMax, to: 'memory' })
      return { text: body?.toString() ?? '', cacheControl: headers['cache-control'] }
    })
  }

  const silent = () => new TargetFailure('silent')

  return {
    post: (text, { organizationId, headers, body, signal, waitMs = limits.waitMs }) =>
      guarded({ organizationId, use: 'webhook', host: () => hostOf(text) }, async () => {
        const { url, target } = readUrl(text, 'webhook', policy)
        const request = { method: 'POST', url, headers, body: Buffer.from(body) } as const
        headersOf(request)
        return gate({ organizationId, host: target.host, waitMs, signal }, () =>
          withTimeLimit({ ms: limits.postMs, signal, late: silent }, (signal) => deliver(request, target, signal)),
        )
      }),

    download: (text, wanted) => {
      const { organizationId, signal, waitMs = limits.waitMs } = wanted
      return guarded({ organizationId, use: 'file', host: () => hostOf(text) }, async () => {
        const from = readUrl(text, 'file', policy)
        return gate({ organizationId: organizationId ?? '', host: from.target.host, waitMs, signal }, async () => {
          let fetching: Promise<unknown> = Promise.resolve()
          try {
            return await withTimeLimit({ ms: limits.downloadMs, signal, late: silent }, (signal) => {
              const fetched = fetchFile(from, wanted, signal)
              fetching = fetched
              return fetched
            })
          } finally {
            await Promise.allSettled([fetching]) // a file begun is gone before its failure is told
          }
        })
      })
    },

    readDocument: (text) =>
      guarded({ organizationId: null, use: 'client', host: () => hostOf(text) }, async () => {
        const { url, target } = readUrl(text, 'client', policy)
        const request = { method: 'GET', url, headers: { accept: 'application/json' } } as const
        // Nobody's organization: all of these share the places of one.
        return gate({ organizationId: '', host: target.host, waitMs: limits.documentMs, signal: undefined }, () =>
          withTimeLimit({ ms: limits.documentMs, late: silent }, (signal) => readText(request, target, signal)),
        )
      }),

    socket: ({ organizationId, host, port, tls, signal }) =>
      guarded({ organizationId, use: 'mail', host: () => host }, () => {
        const target = readMailServer({ host, port }, policy)
        const ms = limits.resolveMs + limits.connectMs
        return withTimeLimit({ ms, signal, late: silent }, (signal) => open(dialer, { target, tls, signal }))
      }),

    async startTls(socket, host) {
      // What came before the handshake was not protected by it, and must not be taken for what comes after.
      if (socket.readableLength > 0) {
        socket.destroy()
        throw new TargetFailure('unreadable')
      }
      const target = readMailServer({ host, port: socket.remotePort ?? 0 }, policy)
      return withTimeLimit({ ms: limits.connectMs, late: silent }, (signal) =>
        secure({ socket, host: target.host, ca, signal }),
      )
    },

    check: (text, { organizationId, use }) =>
      guarded({ organizationId, use, host: () => hostOf(text) }, () => judge(readUrl(text, use, policy).target)),

    checkMailServer: ({ organizationId, host, port }) =>
      guarded({ organizationId, use: 'mail', host: () => host }, () => judge(readMailServer({ host, port }, policy))),
  }

  async function judge(target: Target) {
    await allowedAddresses(dialer, target, new AbortController().signal)
  }
}

/** Where a redirect leads. Servers send other letters as UTF-8, which arrives as one character a byte. */
function locationOf({ headers: { location } }: IncomingMessage, from: URL): string {
  if (!location) throw new TargetFailure('unreadable')
  const text = Buffer.from(location, 'latin1').toString()
  return URL.canParse(text, from.href) ? new URL(text, from).href : text
}

const hostOf = (text: string) => (text.length <= 4096 && URL.canParse(text) ? new URL(text).hostname : '')

const untilStep = (passedMs: number, stepMs: number) => Math.ceil(passedMs / stepMs) * stepMs - passedMs

function known(entry: string) {
  const allowance = toAllowance(entry)
  if (!allowance) throw new Error(`"${entry}" is neither host:port nor CIDR.`)
  return allowance
}

const usualLimits = {
  resolveMs: 3_000,
  connectMs: 5_000,
  firstByteMs: 10_000,
  postMs: 15_000,
  downloadMs: 30_000,
  documentMs: 5_000,
  /** How long a call waits for its place unless it says otherwise. */
  waitMs: 30_000,
  /** Failures before a connection are answered at full steps of this. */
  failureStepMs: 250,
}
const documentBytesMax = 64 * 1024
const redirectsMax = 3
const redirectStatuses = new Set([301, 302, 303, 307, 308])
