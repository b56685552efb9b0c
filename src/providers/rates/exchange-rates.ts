import type { Egress } from '../../core/outside/egress.ts'
import type { RateSource, Span } from '../../core/outside/exchange-rates.ts'
import { TargetFailure } from '../../core/outside/target-failure.ts'
import { readEcbRates } from './ecb.ts'

const files = {
  day: 'eurofxref-daily.xml',
  quarter: 'eurofxref-hist-90d.xml',
  all: 'eurofxref-hist.xml',
} as const satisfies Record<Span, string>

const bytesMax = 24 * 1024 * 1024 // the file with all rates since 1999 is a third of that

/** `folder` is EXCHANGE_RATES_URL. Uses the egress like every outgoing request, although users cannot influence the address. */
export const ecbSource = (folder: string, egress: Egress): RateSource => ({
  async published(span, until, signal) {
    const request = { organizationId: null, maxBytes: bytesMax, to: 'memory', signal } as const
    const { body } = await egress.download(new URL(files[span], folder).href, request).catch((error: unknown) => {
      // A job treats a Failure as final, so transient failures are thrown as plain errors and retried.
      throw error instanceof TargetFailure && error.isTransient ? new Error(error.message, { cause: error }) : error
    })
    return readEcbRates(new TextDecoder('utf-8').decode(body), { until })
  },
})
