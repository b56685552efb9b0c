import type { Egress } from '../egress/egress.ts'
import { TargetFailure } from '../egress/failure.ts'
import { type PublishedDay, readEcbRates } from './ecb.ts'

/** Who publishes exchange rates: the European Central Bank, or a mirror that serves the same files. */
export type RateSource = {
  /** The last day, the last ninety days, or all since 1999. Throws a Failure for what is no document of rates. */
  published(span: Span, until: string, signal: AbortSignal): Promise<PublishedDay[]>
}

export type Span = keyof typeof files

const files = {
  day: 'eurofxref-daily.xml',
  quarter: 'eurofxref-hist-90d.xml',
  all: 'eurofxref-hist.xml',
} as const

const bytesMax = 24 * 1024 * 1024 // all since 1999 are a third of that

/** `folder` is EXCHANGE_RATES_URL. The bank is reached through the one way out, although nobody can influence where to. */
export const ecbSource = (folder: string, egress: Egress): RateSource => ({
  async published(span, until, signal) {
    const wanted = { organizationId: null, maxBytes: bytesMax, to: 'memory', signal } as const
    const { body } = await egress.download(new URL(files[span], folder).href, wanted).catch((error: unknown) => {
      // For a job a Failure is final; what may pass is tried again.
      throw error instanceof TargetFailure && error.isTransient ? new Error(error.message, { cause: error }) : error
    })
    return readEcbRates(new TextDecoder('utf-8').decode(body), { until })
  },
})
