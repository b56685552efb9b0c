import '../../../../test/own-world.ts'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseCrontab } from 'graphile-worker'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { crontab, jobs } from '../../../../catalog/jobs.ts'
import type { Database } from '../../../../core/define/operation.ts'
import { addDays, today } from '../../../../core/values/day.ts'
import { createEgress } from '../../../../providers/egress/egress.ts'
import { ecbSource } from '../../../../providers/rates/exchange-rates.ts'
import { findRate } from '../../../../test/find-rate.ts'
import { lockJobs } from '../../../../test/queue.ts'
import { member, theApp } from '../../../../test/world.ts'
import { createExecutor } from '../../../../worker/execute.ts'
import { dueSpan, fetchRates } from './fetch-rates.ts'

const now = today(new Date(), 'UTC')
const use = <T>(work: (db: Database) => Promise<T>) => theApp().system.use(work)

/** A file of the bank's form. */
const published = (days: Record<string, Record<string, string>>) =>
  `<gesmes:Envelope><gesmes:subject>Reference rates</gesmes:subject><gesmes:Sender><gesmes:name>Test</gesmes:name></gesmes:Sender><Cube>${Object.entries(
    days,
  )
    .map(
      ([day, rates]) =>
        `<Cube time="${day}">${Object.entries(rates)
          .map(([currency, rate]) => `<Cube currency="${currency}" rate="${rate}"/>`)
          .join('')}</Cube>`,
    )
    .join('')}</Cube></gesmes:Envelope>`

let bank: { server: Server; folder: string; asked: string[]; answer: RequestListener }

beforeEach(async () => {
  // Rows of exchange_rates cannot be deleted one by one, so each test truncates the table.
  await use((db) => sql`truncate exchange_rates, failed_jobs`.execute(db))
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    bank.answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  bank = { server, folder: `http://127.0.0.1:${port}/ecb/`, asked, answer: (_, response) => response.end() }
})
afterEach(async () => {
  bank.server.closeAllConnections()
  await new Promise((resolve) => bank.server.close(resolve))
})

const says =
  (text: string | Buffer): RequestListener =>
  (_, response) =>
    void response.end(text)

/** Works the order off as a worker does; what it complained about. */
async function fetched(source = sourceAt(bank.folder)) {
  const complaints: string[] = []
  const ground = {
    ...theApp(),
    providers: { ...theApp().providers, exchangeRates: source },
    jobs: [],
    subscriberJobs: () => [],
    logError: (error: unknown, what: string) => complaints.push(`${what}: ${error instanceof Error && error.message}`),
  }
  const { rows } = await use((db) =>
    sql<{ id: string }>`with ordered as (select * from graphile_worker.add_job('fetch-exchange-rates'))
      select id::text from ordered`.execute(db),
  )
  const id = rows[0]?.id ?? ''
  await lockJobs('id = $1', [id])
  await createExecutor(ground, 8).execute(fetchRates, {}, { id, attempts: 1, locked_by: 'test', flags: null })
  return complaints
}

const sourceAt = (folder: string, limits = {}) =>
  ecbSource(
    folder,
    createEgress({ mode: 'local', allow: [], allowHttp: true, limits: { failureStepMs: 1, ...limits } }),
  )

const rateOf = async (to: string, day = now) => {
  const rate = await findRate('EUR', to, day)
  return rate && `${Number(rate.toRate)} ${rate.source} ${rate.date}`
}

test('the first run fetches the whole history and stores the last ten years', async () => {
  bank.answer = says(published({ [now]: { USD: '1.1', JPY: '160' }, '1999-01-04': { USD: '1.1789' } }))
  expect(await fetched()).toEqual([])
  expect(bank.asked).toEqual(['/ecb/eurofxref-hist.xml'])
  expect(await rateOf('USD')).toBe(`1.1 ECB ${now}`)
  expect(await rateOf('USD', '1999-01-04')).toBeUndefined()
})

test('later runs send a request only if new rates are due', async () => {
  bank.answer = says(published({ [addDays(now, 1)]: { USD: '1.1' } }))
  await fetched()
  expect(await fetched()).toEqual([])
  expect(bank.asked).toEqual(['/ecb/eurofxref-hist.xml'])
})

test('missed days are fetched later, and each day is stored once', async () => {
  const before = addDays(now, -20)
  bank.answer = says(published({ [before]: { USD: '1.1' } }))
  await fetched()
  bank.answer = says(
    published({ [addDays(now, -1)]: { USD: '1.2' }, [addDays(now, -10)]: { USD: '1.15' }, [before]: { USD: '1.1' } }),
  )
  expect(await fetched()).toEqual([])
  expect(bank.asked.at(-1)).toBe('/ecb/eurofxref-hist-90d.xml')
  expect(await rateOf('USD', addDays(now, -5))).toBe(`1.15 ECB ${addDays(now, -10)}`)
})

test('a day that is published again with other rates is kept unchanged and reported', async () => {
  const before = addDays(now, -20)
  bank.answer = says(published({ [before]: { USD: '1.1' } }))
  await fetched()
  bank.answer = says(published({ [addDays(now, -10)]: { USD: '1.15' }, [before]: { USD: '9.9' } }))
  expect(await fetched()).toEqual([expect.stringContaining(`other rates for ${before}`)])
  expect(await rateOf('USD', before)).toBe(`1.1 ECB ${before}`)
  expect(await rateOf('USD', addDays(now, -10))).toBe(`1.15 ECB ${addDays(now, -10)}`)
})

const wrong: [string, RequestListener, string][] = [
  ['rubbish', says('<html>Maintenance</html>'), 'was given up'],
  ['rates of tomorrow’s morrow', says(published({ [addDays(now, 2)]: { USD: '1.1' } })), 'was given up'],
  ['a file without an end', says('x'.repeat(25 * 1024 * 1024)), 'was given up'],
  ['an error', (_, response) => void response.writeHead(503).end(), 'was given up'],
  ['half a file', (_, response) => void response.writeHead(200, { 'content-length': '9' }).end('<', () => response.destroy()), 'will be tried again'],
] // biome-ignore format: a table

test.each(wrong)(
  'FLT-18: a source that answers %s changes nothing, and the rates of before go on',
  async (_, answer, end) => {
    const before = addDays(now, -5)
    bank.answer = says(published({ [before]: { USD: '1.1' } }))
    await fetched()
    bank.answer = answer
    expect(await fetched()).toEqual([expect.stringContaining(end)])
    expect(await rateOf('USD')).toBe(`1.1 ECB ${before}`)
  },
)

test('FLT-18: a source that is down or does not answer is retried later', async () => {
  expect(await fetched(sourceAt('http://127.0.0.1:1024/'))).toEqual([expect.stringContaining('will be tried again')])
  bank.answer = () => {}
  const slow = await fetched(sourceAt(bank.folder, { firstByteMs: 50 }))
  expect(slow).toEqual([expect.stringContaining('did not answer in time')])
})

test('FLT-18: a report names the missing rates if the source was down for more than ten days', async () => {
  const amy = await member('VIEWER')
  bank.answer = says(published({ [addDays(now, -11)]: { USD: '1.1' } }))
  await fetched()
  bank.answer = says('<html>Maintenance</html>')
  await fetched()
  expect(await rateOf('USD')).toBeUndefined()
  const answer = await amy.call('reports_exchange_rates', { currencies: ['USD'], base: 'EUR' })
  expect(answer).toMatchObject({ date: null, source: null, ageDays: null, rates: {}, missing: ['USD'] })
  expect(answer.warnings?.map(({ code }) => code)).toEqual(['EXCHANGE_RATES_MISSING'])
})

test('without a source nothing is fetched', async () => {
  expect(theApp().providers.exchangeRates).toBeUndefined()
  const { exchangeRates } = theApp().providers
  await fetchRates.run({ exchangeRates } as never, {})
})

test('fetching rates is a job of the worker, every hour', () => {
  expect(jobs).toContain(fetchRates)
  expect(parseCrontab(crontab).map(({ task }) => task)).toContain(fetchRates.name)
})

// 13 November 2026 is a Friday.
test.each([
  [undefined, '2026-11-13T12:00Z', 'all'],
  ['2026-11-13', '2026-11-13T20:00Z', undefined],
  ['2026-11-12', '2026-11-13T15:00Z', undefined], // not out yet
  ['2026-11-12', '2026-11-13T15:30Z', 'day'],
  ['2026-11-13', '2026-11-15T20:00Z', undefined], // Sunday
  ['2026-11-13', '2026-11-16T15:00Z', undefined], // Monday before noon
  ['2026-11-13', '2026-11-16T15:30Z', 'day'],
  ['2026-11-11', '2026-11-13T15:30Z', 'quarter'],
  ['2026-08-20', '2026-11-13T15:30Z', 'quarter'],
  ['2026-08-01', '2026-11-13T15:30Z', 'all'],
])('with rates until %s, the run at %s fetches %s', (newest, at, span) => {
  expect(dueSpan(newest, new Date(at))).toBe(span)
})
