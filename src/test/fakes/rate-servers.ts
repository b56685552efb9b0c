import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A price in the currency of the bank, for a unit of the currency. */
type Price = { rate: number; unit?: 1 | 10 | 100 }
type Days = Record<string, Record<string, Price>>

/** Listens on a free port. What was asked is kept, and `fail` answers instead until it is removed. */
async function serve(answer: RequestListener) {
  const asked: string[] = []
  const fake = { asked, fail: undefined as RequestListener | undefined, url: '', close: () => Promise.resolve() }
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    ;(fake.fail ?? answer)(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  fake.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  fake.close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return fake
}

const columns =
  'SERIES_CODE,FREQ,BASE_CURRENCY,COUNTER_CURRENCY,UNIT_MEASURE,DATA_TYPE,DATA_SOURCE,TIME_COLLECT,CONF_STATUS,PUB_WEBSITE,UNIT_MULT,COMMENTS,TIME_PERIOD,OBS_VALUE,RELEASE_STATUS'

/**
 * The Bank of Israel: `GetExchangeRates` answers the last day as JSON, a list of series such as `RER_USD_ILS,RER_JPY_ILS` the
 * days from startPeriod to endPeriod as CSV.
 */
export async function bankOfIsrael() {
  const days: Days = {}
  const fake = await serve((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://bank')
    if (pathname === '/PublicApi/GetExchangeRates') return response.end(JSON.stringify(currentRates(days)))
    const series = decodeURIComponent(pathname.split('/').at(-1) ?? '').split(',')
    const [start = '', end = ''] = [searchParams.get('startPeriod'), searchParams.get('endPeriod')].map(String)
    const rows = series.flatMap((name) => rowsOf(days, name, { start, end }))
    if (searchParams.get('format') !== 'csvdata') return response.writeHead(406).end()
    return response.end(`\uFEFF${[columns, ...rows].join('\r\n')}\r\n`)
  })
  return Object.assign(fake, { days, current: `${fake.url}PublicApi/`, history: `${fake.url}EXR/1.0/` })
}

function currentRates(days: Days) {
  const last = Object.keys(days).toSorted().at(-1) ?? ''
  const exchangeRates = Object.entries(days[last] ?? {}).map(([key, { rate, unit = 1 }]) => ({
    key,
    currentExchangeRate: rate,
    currentChange: 0.1,
    unit,
    lastUpdate: `${last}T12:24:05.1234567Z`,
  }))
  return { exchangeRates }
}

function rowsOf(days: Days, name: string, { start, end }: { start: string; end: string }): string[] {
  const code = name.slice(4, 7)
  return Object.entries(days)
    .filter(([day, prices]) => day >= start && day <= end && code in prices)
    .map(([day, prices]) => {
      const { rate = 0, unit = 1 } = prices[code] ?? {}
      return `${name},D,${code},ILS,ILS,OF00,BOI_MRKT,V,F,Y,${Math.log10(unit)},,${day},${rate},YP`
    })
}

/** The Monetary Authority of Singapore: one day as JSON, to those who send the key. */
export async function monetaryAuthority(key: string) {
  const days: Days = {}
  const preliminary = new Set<string>()
  const fake = await serve((request, response) => {
    if (request.headers.keyid !== key) return response.writeHead(401).end('{"message":"Unauthorized"}')
    const day = new URL(request.url ?? '', 'http://authority').searchParams.get('end_of_day') ?? ''
    const prices = Object.entries(days[day] ?? {}).map(([code, { rate, unit = 1 }]) => [
      `${code.toLowerCase()}_sgd${unit === 100 ? '_100' : ''}`,
      rate.toFixed(4),
    ])
    const flags = { end_of_day: day, preliminary: preliminary.has(day) ? '1' : '0', krw_sgd_100: '' }
    const elements = days[day] ? [{ ...flags, ...Object.fromEntries(prices) }] : []
    return response.end(JSON.stringify({ name: 'exchange_rates_end_of_period_daily', elements }))
  })
  return Object.assign(fake, { days, preliminary, view: `${fake.url}views/exchange_rates_end_of_period_daily` })
}
