import autocannon, { type Outcome, type Request, type Running } from 'autocannon'
import { answer } from './ipc.ts'

/** Requests that go on until they are stopped, at most so many a second. */
export type Noise = { url: string; connections: number; perSecond: number; requests: Request[] }
/** What became of them; `refused` is 429. */
export type NoiseOutcome = { succeeded: number; refused: number; failed: number }

let running: Running | undefined
let refused = 0

/** The load of the loud organization (measures/fairness.ts). It may be refused, so its answers are only counted. */
answer({
  begin({ url, connections, perSecond, requests }: Noise): Promise<void> {
    refused = 0
    const options = { url, connections, duration: 600, overallRate: perSecond, timeout: 60, requests }
    running = autocannon(options)
    return new Promise((resolve) => {
      running?.on('response', (_client, status) => {
        if (status === 429) refused += 1
        resolve() // the noise has begun
      })
    })
  },

  async end(): Promise<NoiseOutcome> {
    running?.stop()
    const outcome = (await running) as Outcome
    return { succeeded: outcome['2xx'], refused, failed: outcome.non2xx - refused + outcome.errors }
  },
})
