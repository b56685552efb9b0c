import '../../../../test/own-world.ts'
import { parseCrontab } from 'graphile-worker'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { crontab, jobs } from '../../../../catalog/jobs.ts'
import type { Job } from '../../../../core/define/job.ts'
import type { Database } from '../../../../core/define/operation.ts'
import type { Providers } from '../../../../core/define/services.ts'
import { Secret } from '../../../../core/secrets/secret.ts'
import { addDays, today } from '../../../../core/values/day.ts'
import { createEgress } from '../../../../providers/egress/egress.ts'
import { boiSource, ecbSource, masSource } from '../../../../providers/rates/exchange-rates.ts'
import { bankOfIsrael, monetaryAuthority } from '../../../../test/fakes/rate-servers.ts'
import { findRate } from '../../../../test/find-rate.ts'
import { lockJobs } from '../../../../test/queue.ts'
import { member, theApp } from '../../../../test/world.ts'
import { createExecutor } from '../../../../worker/execute.ts'
import { dueBoiRates, fetchBoiRates } from './fetch-boi-rates.ts'
import { fetchMasRates, missingDays } from './fetch-mas-rates.ts'
import { fetchRates } from './fetch-rates.ts'
import { lastPublication } from './store-days.ts'

const now = today(new Date(), 'UTC')
const use = <T>(work: (db: Database) => Promise<T>) => theApp().system.use(work)
const key = 'a-key-of-the-authority'

let bank: Awaited<ReturnType<typeof bankOfIsrael>>
let authority: Awaited<ReturnType<typeof monetaryAuthority>>
beforeEach(async () => {
  // Rows of exchange_rates cannot be deleted one by one, so each test truncates the table.
  await use((db) => sql`truncate exchange_rates, failed_jobs`.execute(db))
  bank = await bankOfIsrael()
  authority = await monetaryAuthority(key)
})
afterEach(async () => {
  await bank.close()
  await authority.close()
})

const egress = (limits = {}) =>
  createEgress({ mode: 'local', allow: [], allowHttp: true, limits: { failureStepMs: 1, ...limits } })
const sources = (limits = {}, masKey = key): Partial<Providers> => ({
  boiRates: boiSource(bank, egress(limits)),
  masRates: masSource({ view: authority.view, key: new Secret(masKey) }, egress(limits)),
})

/** Runs a job as a worker does; returns the logged errors. */
async function run(job: Job, providers = sources()) {
  const errors: string[] = []
  const dependencies = {
    ...theApp(),
    providers: { ...theApp().providers, ...providers },
    jobs: [],
    subscriberJobs: () => [],
    logError: (error: unknown, what: string) => errors.push(`${what}: ${error instanceof Error && error.message}`),
  }
  const { rows } = await use((db) =>
    sql<{
      id: string
    }>`with queued as (select * from graphile_worker.add_job(${job.name})) select id::text from queued`.execute(db),
  )
  const id = rows[0]?.id ?? ''
  await lockJobs('id = $1', [id])
  await createExecutor(dependencies, 8).execute(job, {}, { id, attempts: 1, locked_by: 'test', flags: null })
  return errors
}

const rateOf = async (from: string, to: string, country: string, day = now) => {
  const rate = await findRate(from, to, day, country)
  return rate && `${Number(rate.toRate)} / ${Number(rate.fromRate)} ${rate.source} ${rate.date}`
}

test('the first run stores the history of the Bank of Israel, divided by its units', async () => {
  bank.days['2020-03-02'] = { USD: { rate: 3.47 } }
  bank.days[addDays(now, -1)] = { USD: { rate: 3.6512 }, JPY: { rate: 2.3347, unit: 100 } }
  expect(await run(fetchBoiRates)).toEqual([])
  expect(bank.asked[0]).toBe('/PublicApi/GetExchangeRates')
  expect(bank.asked[1]).toContain('RER_USD_ILS,RER_JPY_ILS?startPeriod=')
  expect(await rateOf('USD', 'ILS', 'IL')).toBe(`3.6512 / 1 BOI ${addDays(now, -1)}`)
  expect(await rateOf('JPY', 'ILS', 'IL')).toBe(`0.023347 / 1 BOI ${addDays(now, -1)}`)
  expect(await rateOf('USD', 'ILS', 'IL', '2020-03-03')).toBe('3.47 / 1 BOI 2020-03-02')
  expect(await rateOf('USD', 'ILS', 'SG')).toBeUndefined()
})

test('a later run of the Bank of Israel asks for the missing days only, and not if none are due', async () => {
  bank.days[addDays(now, -20)] = { USD: { rate: 3.5 } }
  await run(fetchBoiRates)
  bank.days[addDays(now, -10)] = { USD: { rate: 3.55 } }
  bank.days[now] = { USD: { rate: 3.6 } }
  expect(await run(fetchBoiRates)).toEqual([])
  expect(bank.asked.at(-1)).toContain(`startPeriod=${addDays(now, -19)}`)
  expect(await rateOf('USD', 'ILS', 'IL', addDays(now, -9))).toBe(`3.55 / 1 BOI ${addDays(now, -10)}`)
  const { length } = bank.asked
  expect(await run(fetchBoiRates)).toEqual([])
  expect(bank.asked).toHaveLength(length)
})

test('rates of the Monetary Authority are asked for day by day, with the key, and stored per unit', async () => {
  const last = lastPublication(new Date(), 10)
  const [first = ''] = missingDays([], last)
  authority.days[first] = { USD: { rate: 1.35 }, JPY: { rate: 0.824, unit: 100 } }
  expect(await run(fetchMasRates)).toEqual([])
  expect(authority.asked[0]).toBe(`/views/exchange_rates_end_of_period_daily?end_of_day=${first}`)
  expect(await rateOf('USD', 'SGD', 'SG', first)).toBe(`1.35 / 1 MAS ${first}`)
  expect(await rateOf('JPY', 'USD', 'SG', first)).toBe(`0.00824 / 1.35 MAS ${first}`)
})

test('preliminary rates are stored once they are final', async () => {
  const [day = ''] = missingDays([], lastPublication(new Date(), 10))
  authority.days[day] = { USD: { rate: 1.35 } }
  authority.preliminary.add(day)
  expect(await run(fetchMasRates)).toEqual([])
  expect(await rateOf('USD', 'SGD', 'SG', day)).toBeUndefined()
  authority.preliminary.clear()
  authority.days[day] = { USD: { rate: 1.36 } }
  expect(await run(fetchMasRates)).toEqual([])
  expect(await rateOf('USD', 'SGD', 'SG', day)).toBe(`1.36 / 1 MAS ${day}`)
})

test('a wrong key of the Monetary Authority is reported with what to do, and the key is not in the message', async () => {
  expect(await run(fetchMasRates)).toEqual([])
  const [error = ''] = await run(fetchMasRates, sources({}, 'an-expired-key'))
  expect(error).toContain('Check MAS_API_KEY')
  expect(error).not.toContain('an-expired-key')
})

test('FLT-18: a source that fails changes nothing and does not stop the other ones', async () => {
  const day = addDays(now, -1)
  bank.days[day] = { USD: { rate: 3.6512 } }
  bank.fail = (_, response) => response.end('<html>Maintenance</html>')
  authority.days[lastPublication(new Date(), 10)] = { USD: { rate: 1.35 } }
  const broken = { ...sources(), exchangeRates: ecbSource('http://127.0.0.1:1024/', egress()) }
  expect(await run(fetchRates, broken)).toEqual([expect.stringContaining('will be tried again')])
  expect(await run(fetchBoiRates, broken)).toEqual([expect.stringContaining('was given up')])
  expect(await run(fetchMasRates, broken)).toEqual([])
  expect(await rateOf('USD', 'SGD', 'SG')).toContain('1.35 / 1 MAS')
  expect(await rateOf('USD', 'ILS', 'IL')).toBeUndefined()
  bank.fail = undefined
  expect(await run(fetchBoiRates, broken)).toEqual([])
  expect(await rateOf('USD', 'ILS', 'IL')).toBe(`3.6512 / 1 BOI ${day}`)
})

test('FLT-18: a source that does not answer is tried again later', async () => {
  bank.fail = () => {}
  authority.fail = () => {}
  const slow = sources({ firstByteMs: 50 })
  for (const job of [fetchBoiRates, fetchMasRates])
    expect(await run(job, slow)).toEqual([expect.stringContaining('did not answer in time')])
})

test('a redirect to another host does not get the key', async () => {
  const other = await monetaryAuthority(key)
  authority.fail = (_, response) => response.writeHead(302, { location: other.view }).end()
  expect((await run(fetchMasRates))[0]).toContain('Check MAS_API_KEY')
  expect(other.asked).toHaveLength(1)
  await other.close()
})

test('without configured sources nothing is fetched', async () => {
  const { boiRates, masRates } = theApp().providers
  expect([boiRates, masRates]).toEqual([undefined, undefined])
  for (const job of [fetchBoiRates, fetchMasRates]) await job.run({ boiRates, masRates } as never, {})
})

test('all sources are jobs of the worker, every hour', () => {
  const scheduled = parseCrontab(crontab).map(({ task }) => task)
  for (const job of [fetchRates, fetchBoiRates, fetchMasRates]) {
    expect(jobs).toContain(job)
    expect(scheduled).toContain(job.name)
  }
})

test('the answer names the source of an organization, and the source of what it does not publish', async () => {
  const day = addDays(now, -1)
  bank.days[day] = { USD: { rate: 3.6512 } }
  await run(fetchBoiRates)
  await use((db) =>
    sql`insert into exchange_rates (source, currency, date, base, rate) values
      ('ECB', 'EUR', ${day}, 'EUR', 1), ('ECB', 'ILS', ${day}, 'EUR', 4), ('ECB', 'USD', ${day}, 'EUR', 1.1), ('ECB', 'SEK', ${day}, 'EUR', 12)`.execute(
      db,
    ),
  )
  const noa = await member('VIEWER', { country: 'IL' })
  const rates = await noa.call('reports_exchange_rates', { organizationId: String(noa.organizationId), base: 'USD' })
  expect(rates).toMatchObject({ source: 'BOI', date: day, rates: { ILS: 3.6512, USD: 1, SEK: 10.9090909091 } })
  expect(rates.others).toEqual([{ source: 'ECB', date: day, currencies: ['EUR', 'SEK'] }])
  const amy = await member('VIEWER', { country: 'US' })
  const ofAmy = await amy.call('reports_exchange_rates', { organizationId: String(amy.organizationId), base: 'USD' })
  expect(ofAmy).toMatchObject({ source: 'ECB', rates: { ILS: 3.63636363636 } })
  expect(ofAmy.others).toBeUndefined()
})

// 13 November 2026 is a Friday.
test.each([
  [undefined, '2026-11-13T12:00Z', { since: '2016-01-01' }],
  ['2026-11-12', '2026-11-13T13:30Z', undefined],
  ['2026-11-12', '2026-11-13T14:30Z', { since: undefined }],
  ['2026-11-13', '2026-11-15T20:00Z', undefined],
  ['2026-11-13', '2026-11-16T14:30Z', { since: undefined }],
  ['2026-11-11', '2026-11-13T14:30Z', { since: '2026-11-12' }],
])('with rates of the Bank of Israel until %s, at %s %j is due', (newest, at, due) => {
  expect(dueBoiRates(newest, new Date(at))).toEqual(due)
})

test('all weekdays of the last thirty days without rates are asked for', () => {
  const all = missingDays([], '2026-11-13')
  expect([all[0], all.at(-1), all.length]).toEqual(['2026-10-14', '2026-11-13', 23])
  expect(missingDays(all.slice(1), '2026-11-13')).toEqual(['2026-10-14'])
  expect(all).not.toContain('2026-11-08') // a Sunday
})
