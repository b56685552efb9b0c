import { randomUUID } from 'node:crypto'
import autocannon, { type Request } from 'autocannon'
import { answer } from './ipc.ts'

export type Fire = { url: string; connections: number; seconds: number; requests: Request[]; freshKeys: boolean }
export type Fired = { requests: number; perSecond: number }

/** The load comes from a process of its own, so that it never waits for what it measures. */
answer({
  async fire({ url, connections, seconds, requests, freshKeys }: Fire): Promise<Fired> {
    const outcome = await autocannon({
      url,
      connections,
      duration: seconds,
      requests: freshKeys ? requests.map((request) => ({ ...request, setupRequest: withFreshKey })) : requests,
    })
    const { '2xx': fine, non2xx, errors, duration } = outcome
    if (non2xx > 0 || errors > 0)
      throw new Error(`${non2xx} of ${fine + non2xx} answers were refusals, ${errors} failed.`)
    return { requests: fine, perSecond: fine / duration }
  },
})

const withFreshKey = (request: Request): Request => ({
  ...request,
  headers: { ...request.headers, 'idempotency-key': randomUUID() },
})
