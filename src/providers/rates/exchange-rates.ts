import { invalid } from '../../core/define/failure.ts'
import type { Egress } from '../../core/outside/egress.ts'
import type { BoiSource, MasSource, PublishedDay, RateSource, Span } from '../../core/outside/exchange-rates.ts'
import { TargetFailure } from '../../core/outside/target-failure.ts'
import type { Secret } from '../../core/secrets/secret.ts'
import { readBoiHistory, readBoiRates } from './boi.ts'
import { readEcbRates } from './ecb.ts'
import { readMasRates } from './mas.ts'

// All sources use the egress like every outgoing request, although users cannot influence the addresses.

const files = {
  day: 'eurofxref-daily.xml',
  quarter: 'eurofxref-hist-90d.xml',
  all: 'eurofxref-hist.xml',
} as const satisfies Record<Span, string>

const bytesMax = 24 * 1024 * 1024 // the file of the ECB with all rates since 1999 is a third of that

/** `folder` is EXCHANGE_RATES_URL. */
export const ecbSource = (folder: string, egress: Egress): RateSource => ({
  async published(span, until, signal) {
    return readEcbRates(await textAt(egress, new URL(files[span], folder), signal), { until })
  },
})

/** `current` is BOI_RATES_URL, the folder of GetExchangeRates; `history` is BOI_HISTORY_URL, that of the series. */
export const boiSource = ({ current, history }: { current: string; history: string }, egress: Egress): BoiSource => ({
  async published(since, until, signal) {
    const now = readBoiRates(await textAt(egress, new URL('GetExchangeRates', current), signal), { until })
    if (since === undefined) return now
    const currencies = now.flatMap(({ rates }) => [...rates.keys()])
    const series = new URL(currencies.map((currency) => `RER_${currency}_ILS`).join(','), history)
    series.search = new URLSearchParams({ startPeriod: since, endPeriod: until, format: 'csvdata' }).toString()
    const past = readBoiHistory(await textAt(egress, series, signal), { until })
    return merged(past, now)
  },
})

/** Where both have a currency of a day, the first one counts. */
function merged(first: PublishedDay[], second: PublishedDay[]): PublishedDay[] {
  const days = new Map(first.map(({ date, rates }) => [date, rates]))
  for (const { date, rates } of second) days.set(date, new Map([...rates, ...(days.get(date) ?? [])]))
  return [...days].map(([date, rates]) => ({ date, rates }))
}

/** `view` is MAS_RATES_URL, and the key MAS_API_KEY. */
export const masSource = ({ view, key }: { view: string; key: Secret }, egress: Egress): MasSource => ({
  async publishedOn(day, signal) {
    const url = new URL(view)
    url.searchParams.set('end_of_day', day)
    const headers = { accept: 'application/json; charset=UTF-8', keyid: key.reveal() }
    const text = await textAt(egress, url, signal, headers).catch((error: unknown) => {
      throw error instanceof TargetFailure && error.reason === 'status' ? invalid('', keyMayHaveExpired) : error
    })
    return readMasRates(text, day)
  },
})

const keyMayHaveExpired =
  'The Monetary Authority of Singapore did not return its exchange rates. Check MAS_API_KEY: a key expires after a year.'

/** The response as text. A job treats a Failure as final, so transient failures are thrown as plain errors and retried. */
async function textAt(egress: Egress, url: URL, signal: AbortSignal, headers: Record<string, string> = {}) {
  const request = { organizationId: null, maxBytes: bytesMax, to: 'memory', headers, signal } as const
  const { body } = await egress.download(url.href, request).catch((error: unknown) => {
    throw error instanceof TargetFailure && error.isTransient ? new Error(error.message, { cause: error }) : error
  })
  return new TextDecoder('utf-8').decode(body)
}
