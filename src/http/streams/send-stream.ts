import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { notFound } from '../../core/define/failure.ts'
import type { Operation } from '../../core/define/operation.ts'
import { resourceNoun } from '../../core/run/authorize.ts'
import type { Answer, Call } from '../../core/run/call.ts'
import { toFailure } from '../../core/run/errors.ts'
import { timeLimit } from '../../core/values/time-limit.ts'
import { logFailure } from '../errors.ts'
import { securityHeaders } from '../guard.ts'
import { logAnswer } from '../observe/log.ts'
import type { Headers } from '../send-json.ts'
import type { ServerDependencies, StreamTimes } from '../server-dependencies.ts'
import { errorText, eventText, keepAliveText, openingText, type Page } from './event-text.ts'
import { createSignal, type Signal } from './signal.ts'

const productTimes: StreamTimes = {
  keepAliveMs: 15_000,
  authorizeMs: 30_000,
  stalledMs: 30_000,
  pauseMs: 50,
  retryMs: 2_000,
}

/** A call whose answer is sent as server-sent events. */
type StreamedCall = { operation: Operation; call: Call; request: FastifyRequest; reply: FastifyReply }

type Stream = StreamedCall & {
  dependencies: ServerDependencies
  first: Answer
  staysOpen: boolean
  ended: AbortSignal
  times: StreamTimes
}

/**
 * Sends the first answer of an operation with `streams`, and with `Accept: text/event-stream` what follows it, until the client
 * disconnects, the process stops or the caller may no longer read. Every further read is a call of the operation: it is
 * authorized like any other, and counts as the first one against the rate limits.
 */
export function sendStream(
  dependencies: ServerDependencies,
  { first, headers, ...streamed }: StreamedCall & { first: Answer; headers: Headers },
): FastifyReply {
  const { request, reply, call } = streamed
  const { server } = request
  const staysOpen = acceptsEvents(request) && !server.draining
  const ended = new AbortController()
  const end = () => ended.abort()
  const leave = staysOpen ? server.streams.add(String(call.trace.userId), end) : () => {}
  if (reply.raw.closed) end()
  reply.raw.once('close', end)
  reply.hijack()
  reply.raw.writeHead(first.status, [...streamHeaders(dependencies, request), ...headers])
  if (staysOpen) {
    request.answered(first.status)
    logAnswer(request, reply, dependencies.usage)
  }
  const times = { ...productTimes, ...dependencies.limits?.streams }
  const stream: Stream = { ...streamed, dependencies, first, staysOpen, ended: ended.signal, times }
  sendEvents(stream)
    .catch((error: unknown) => sendFailure(stream, error))
    .finally(() => {
      leave()
      end()
      reply.raw.end()
    })
  return reply
}

const acceptsEvents = ({ headers: { accept = '' } }: FastifyRequest) =>
  /(^|,)\s*text\/event-stream\s*(;|,|$)/i.test(accept)

/** Proxies pass the events on as they come: they neither collect nor compress nor store them. */
const streamHeaders = ({ config }: ServerDependencies, { id }: FastifyRequest): Headers =>
  Object.entries({
    ...securityHeaders(config),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
    'x-request-id': id,
  }).flat()

async function sendEvents(stream: Stream): Promise<void> {
  const { dependencies, first, staysOpen, ended } = stream
  const news = createSignal(ended)
  const unsubscribe = staysOpen ? dependencies.notifications.subscribe(first.topic ?? '', news.set) : () => {}
  const timers = staysOpen ? startTimers(stream, news) : []
  news.set() // something may have happened between the first read and the subscription
  let inSuccession = 0
  try {
    for (let answer = first, opening = openingText; ; opening = '') {
      const page = JSON.parse(answer.body) as Page
      await write(stream, opening + eventText(page))
      if (!page.hasMore) {
        if (!staysOpen) return
        if (page.events.length > 0) inSuccession += 1
        const pauseMs = pauseAfter(stream, inSuccession)
        if (pauseMs > 0) await sleep(pauseMs, undefined, { signal: ended })
        if (await isQuietUntil(news.next())) inSuccession = 0
      }
      ended.throwIfAborted()
      answer = await readAfter(stream, page.lastEventId)
    }
  } finally {
    unsubscribe()
    for (const timer of timers) clearInterval(timer)
  }
}

/** Each open stream adds to the pause of those that collect, so that all of them together read about 200 times a second at most. */
function pauseAfter({ operation: { collectsMs }, request, times }: Stream, pagesInSuccession: number): number {
  if (collectsMs !== undefined) return (collectsMs + request.server.streams.count * 5) * (0.75 + Math.random() / 2)
  return Math.min(times.pauseMs, pagesInSuccession * firstPauseMs)
}
const firstPauseMs = 5

/** Whether nothing came for a while. */
async function isQuietUntil(news: Promise<void>): Promise<boolean> {
  const since = performance.now()
  await news
  return performance.now() - since >= quietMs
}
const quietMs = 500

function startTimers({ reply: { raw }, times }: Stream, news: Signal) {
  const keepAlive = () => void (raw.writableNeedDrain || raw.write(keepAliveText))
  return [setInterval(keepAlive, times.keepAliveMs), setInterval(news.set, times.authorizeMs)]
}

/** Waits until the client has read enough, so that a slow one does not fill the memory. */
async function write({ reply: { raw }, ended, times }: Stream, text: string): Promise<void> {
  if (text === '' || raw.write(text)) return
  try {
    await once(raw, 'drain', { signal: timeLimit(times.stalledMs, ended) })
  } catch (error) {
    raw.destroy()
    throw error
  }
}

/** The events after this one. An open stream outlives failures that pass, such as a restart of the database. */
async function readAfter(stream: Stream, lastEventId: Page['lastEventId']): Promise<Answer> {
  const { dependencies, operation, call, first, staysOpen, ended, times } = stream
  for (;;) {
    try {
      const answer = await dependencies.runner.run(operation, { ...call, input: { ...call.input, lastEventId } })
      if (answer.topic === first.topic) return answer
      throw notFound(resourceNoun(operation.within)) // it was deleted, and another one has its id now
    } catch (error) {
      const { status, retryAfterS } = toFailure(error)
      if (!staysOpen || (status !== 429 && status < 500)) throw error
      await sleep(retryAfterS ? retryAfterS * 1_000 : times.retryMs, undefined, { signal: ended })
    }
  }
}

/** Tells an open stream why it ends. */
function sendFailure({ request, reply: { raw }, ended }: Stream, error: unknown) {
  if (ended.aborted || raw.destroyed) return
  const failure = toFailure(error)
  if (failure.status === 500) logFailure(failure, request)
  raw.write(errorText(failure))
}
