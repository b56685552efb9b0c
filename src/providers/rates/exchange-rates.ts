import type { Egress } from '../../core/outside/egress.ts'
import type { RateSource, Span } from '../../core/outside/exchange-rates.ts'
import { TargetFailure } from '../../core/outside/target-failure.ts'
import { readEcbRates } from './ecb.ts'

const files = {
  day: 'eurofxref-daily.xml',
  quarter: 'eurofxref-hist-90d.xml',
  all: 'eurofxref-hist.xml',
} as const satisfies Record<Span, string>

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
