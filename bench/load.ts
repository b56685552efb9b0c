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
export type Fired = { requests: number; perSecond: number; p50Ms: number; p97Ms: number }

/** The load comes from a process of its own, so that it never waits for what it measures. */
answer({
  async fire({ url, connections, seconds, requests, keys, beside }: Fire): Promise<Fired> {
    const others = beside && autocannon({ url, connections: 4, duration: seconds, requests: beside, timeout: 60 })
    const outcome = await autocannon({
      url,
      connections,
      duration: seconds,
      requests: keys ? requests.map((request) => ({ ...request, setupRequest: withKey(keys) })) : requests,
    })
    await others
    const { '2xx': fine, non2xx, errors, duration, latency } = outcome
    if (non2xx > 0 || errors > 0)
      throw new Error(`${non2xx} of ${fine + non2xx} answers were refusals, ${errors} failed.`)
    return { requests: fine, perSecond: fine / duration, p50Ms: latency.p50, p97Ms: latency.p97_5 }
  },
})

const knownCount = 300

const withKey = (keys: Keys) => (request: Request) => {
  const key = keys === 'fresh' ? randomUUID() : `known-${randomInt(knownCount)}`
  return { ...request, headers: { ...request.headers, 'idempotency-key': key } }
}
