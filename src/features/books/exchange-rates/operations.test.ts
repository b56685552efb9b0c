import '../../../test/own-world.ts'
import { beforeAll, expect, test } from 'vitest'
import { member, person, type Someone, theApp } from '../../../test/world.ts'
import type { PublishedRate } from './exchange-rate.ts'
import { storeRates } from './store.ts'

const day = (date: string, rates: Record<string, string>): PublishedRate[] =>
  Object.entries({ EUR: '1', ...rates }).map(([currency, rate]) => ({
    source: 'ECB',
    base: 'EUR',
    date,
    currency,
    rate,
  }))

let amy: Someone
beforeAll(async () => {
  amy = await member('VIEWER')
  await theApp().system.use((db) =>
    storeRates(db, [
      ...day('2026-03-06', { USD: '1.1', SGD: '1.43', JPY: '160' }),
      ...day('2026-03-09', { USD: '1.2', SGD: '1.44', JPY: '161' }),
    ]),
  )
})

const rates = (input: Record<string, unknown> = {}) =>
  amy.call('reports_exchange_rates', { organizationId: amy.organizationId ?? '', ...input })

test('the base is the currency of the organization by default', async () => {
  expect(await rates({ date: '2026-03-06' })).toEqual({
    date: '2026-03-06',
    base: 'SGD',
    source: 'ECB',
    ageDays: 0,
    rates: { EUR: 0.699300699301, USD: 0.769230769231, SGD: 1, JPY: 111.888111888 },
    missing: [],
  })
})

test('without an organization the base is the euro', async () => {
  const answer = await amy.call('reports_exchange_rates', { date: '2026-03-09', currencies: ['USD', 'jpy'] })
  expect(answer).toMatchObject({ base: 'EUR', rates: { USD: 1.2, JPY: 161 } })
})

test('a weekend has the rates of Friday, with their age', async () => {
  expect(await rates({ date: '2026-03-08', base: 'usd', currencies: ['EUR'] })).toEqual({
    date: '2026-03-06',
    base: 'USD',
    source: 'ECB',
    ageDays: 2,
    rates: { EUR: 0.909090909091 },
    missing: [],
  })
})

test('rates older than a week have a warning', async () => {
  const fresh = await rates({ date: '2026-03-16' })
  expect(fresh).toMatchObject({ ageDays: 7 })
  expect(fresh.warnings).toBeUndefined()
  const old = await rates({ date: '2026-03-17' })
  expect(old).toMatchObject({ ageDays: 8, warnings: [{ code: 'EXCHANGE_RATES_OLD', path: 'date' }] })
})

test('unknown currencies are listed as missing', async () => {
  const some = await rates({ date: '2026-03-06', currencies: ['USD', 'AED', 'AED'] })
  expect(some).toMatchObject({ missing: ['AED'], warnings: [{ code: 'EXCHANGE_RATES_MISSING', path: 'currencies' }] })
  expect(Object.keys(some.rates)).toEqual(['USD'])
  const none = await rates({ date: '2026-03-06', base: 'AED' })
  expect(none).toMatchObject({ date: null, source: null, ageDays: null, rates: {}, warnings: [{ path: 'base' }] })
})

test.each([{ date: '2026-02-30' }, { date: 'yesterday' }, { base: 'EURO' }, { currencies: ['USD', '???'] }])(
  '%j is refused',
  async (wrong) => {
    await expect(rates(wrong)).rejects.toMatchObject({ status: 400 })
  },
)

test('a user without an organization can read the rates, and an employee cannot', async () => {
  const eve = await person('Eve')
  expect(await eve.call('reports_exchange_rates', { date: '2026-03-06' })).toMatchObject({ rates: { USD: 1.1 } })
  const emp = await member('EMPLOYEE')
  await expect(emp.call('reports_exchange_rates', { organizationId: emp.organizationId ?? '' })).rejects.toMatchObject({
    status: 403,
  })
})
