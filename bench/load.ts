import { randomInt, randomUUID } from 'node:crypto'
import autocannon, { type Request } from 'autocannon'
import { answer } from './ipc.ts'

/** An Idempotency-Key with every request: a new one each time, or one of a few hundred that come again and again. */
export type Keys = 'fresh' | 'known'
export type Fire = {
  url: string
  connections: number
  seconds: number
  requests: Request[]
  keys: Keys | undefined
  /** What four others ask for meanwhile. */
  beside: Request[] | undefined
}
export type Fired = { requests: number; perSecond: number; p50Ms: number; p95Ms: number }

/** The load comes from a process of its own, so that it never waits for what it measures. */
answer({
  async fire({ url, connections, seconds, requests, keys, beside }: Fire): Promise<Fired> {
    const others = beside && autocannon({ url, connections: 4, duration: seconds, requests: beside, timeout: 60 })
    const running = autocannon({
      url,
      connections,
      duration: seconds,
      requests: keys ? requests.map((request) => ({ ...request, setupRequest: withKey(keys) })) : requests,
    })
    const tookMs: number[] = []
    running.on('response', (_client, _status, _bytes, responseMs) => tookMs.push(responseMs))
    const outcome = await running
    await others
    const { '2xx': fine, non2xx, errors, duration, latency } = outcome
    if (non2xx > 0 || errors > 0)
      throw new Error(`${non2xx} of ${fine + non2xx} answers were refusals, ${errors} failed.`)
    return { requests: fine, perSecond: fine / duration, p50Ms: latency.p50, p95Ms: percentile(tookMs, 0.95) }
  },
})

/** Autocannon knows the 90th and the 97.5th, and whole milliseconds. */
const percentile = (values: number[], share: number) =>
  values.sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0

const knownCount = 300

const withKey = (keys: Keys) => (request: Request) => {
  const key = keys === 'fresh' ? randomUUID() : `known-${randomInt(knownCount)}`
  return { ...request, headers: { ...request.headers, 'idempotency-key': key } }
}
