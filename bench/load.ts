import { randomUUID } from 'node:crypto'
import autocannon, { type Outcome, type Request } from 'autocannon'
import { answer } from './ipc.ts'
import { mean, percentile } from './statistics.ts'

/** An Idempotency-Key with every request: a new one each time, or each of a few hundred in turn, again and again. */
export type Keys = 'fresh' | 'known'
export type Fire = {
  url: string
  connections: number
  seconds: number
  requests: Request[]
  keys: Keys | undefined
  /** A part of the body that only refusals have, for a protocol that refuses with status 200. */
  refusal: string | undefined
  /** Requests that four other connections send at the same time. */
  beside: Request[] | undefined
}
/** `seconds` and the times of the answers are as measured. */
export type Fired = {
  requests: number
  seconds: number
  samples: number
  meanMs: number
  p50Ms: number
  p95Ms: number
  /** The answers to the requests beside, if there are any. */
  besideRequests?: number
}

/** The load comes from a separate process, so that it never waits for the servers it measures. */
answer({
  async fire({ url, connections, seconds, requests, keys, refusal, beside }: Fire): Promise<Fired> {
    const others = beside && autocannon({ url, connections: 4, duration: seconds, requests: beside, timeout: 60 })
    const running = autocannon({
      url,
      connections,
      duration: seconds,
      requests: keys ? requests.map((request) => ({ ...request, setupRequest: withKey(keys) })) : requests,
      ...(refusal && { verifyBody: (body: string) => !body.includes(refusal) }),
    })
    const tookMs: number[] = []
    running.on('response', (_client, _status, _bytes, responseMs) => tookMs.push(responseMs))
    const outcome = await running
    const besideOutcome = await others
    requireSuccess(outcome)
    if (besideOutcome) requireSuccess(besideOutcome)
    return {
      requests: outcome['2xx'],
      seconds: outcome.duration,
      samples: tookMs.length,
      // From the answers themselves: autocannon rounds to whole milliseconds and has no 95th percentile.
      meanMs: mean(tookMs),
      p50Ms: percentile(tookMs, 0.5),
      p95Ms: percentile(tookMs, 0.95),
      ...(besideOutcome && { besideRequests: besideOutcome['2xx'] }),
    }
  },
})

function requireSuccess({ '2xx': succeeded, non2xx, errors, mismatches }: Outcome) {
  if (non2xx > 0 || errors > 0 || mismatches > 0)
    throw new Error(`${succeeded} requests succeeded, ${non2xx + mismatches} were refused, ${errors} failed.`)
}

const knownCount = 300
let knownKeysUsed = 0

/** Known keys come in turn: the warm-up has used each of them after as many requests. */
const withKey = (keys: Keys) => (request: Request) => {
  const key = keys === 'fresh' ? randomUUID() : `known-${knownKeysUsed++ % knownCount}`
  return { ...request, headers: { ...request.headers, 'idempotency-key': key } }
}
