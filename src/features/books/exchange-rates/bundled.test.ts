import '../../../test/own-world.ts'
import { expect, test } from 'vitest'
import type { Database } from '../../../core/define/operation.ts'
import { isCurrency } from '../../../core/values/currency.ts'
import { addDays, daysBetween, toDay } from '../../../core/values/day.ts'
import { countries } from '../../../countries/countries.ts'
import { member, theApp } from '../../../test/world.ts'
import { bundled, storeBundledRates } from './bundled.ts'
import { bundledRates } from './bundled-rates.ts'
import { newestDay } from './store.ts'

const use = <T>(work: (db: Database) => Promise<T>) => theApp().system.use(work)
const rates = bundled()
const days = [...new Set(rates.map(({ date }) => date))]

test('every bundled line has a day, in ascending order, and as many rates as the header has currencies', () => {
  const lines = bundledRates.trim().split('\n')
  const width = lines[0]?.split(' ').length
  for (const line of lines) expect(line.split(' ')).toHaveLength(width ?? 0)
  expect(days).toHaveLength(lines.length - 1)
  for (const day of days) expect(toDay(day)).toBe(day)
  expect(days).toEqual(days.toSorted())
})

test('every bundled rate is a positive decimal for an existing currency', () => {
  for (const { currency, rate, date } of rates) {
    expect(`${date} ${currency} ${isCurrency(currency)} ${rate}`).toMatch(/ true (?!0+(\.0+)?$)\d{1,12}(\.\d{1,12})?$/)
  }
})

test('every bundled day has the currency of every country', () => {
  const main = ['EUR', 'GBP', 'JPY', ...Object.values(countries).map(({ currency }) => currency)]
  for (const day of days) {
    const there = rates.filter(({ date }) => date === day).map(({ currency }) => currency)
    expect(there).toEqual(expect.arrayContaining(main))
  }
})

test('no bundled rate changes implausibly from one day to the next', () => {
  const last = new Map<string, number>()
  const jumps: string[] = []
  for (const { currency, date, rate } of rates) {
    const ratio = Number(rate) / (last.get(currency) ?? Number(rate))
    if (ratio > 2 || ratio < 0.5) jumps.push(`${currency} ${date}`)
    last.set(currency, Number(rate))
  }
  expect(jumps).toEqual([])
})

test('bundled rates are stored once, convert for every organization, and show their age', async () => {
  await use(storeBundledRates)
  await use(storeBundledRates)
  const newest = days.at(-1) ?? ''
  expect(await use((db) => newestDay(db, 'BUNDLED'))).toBe(newest)
  const amy = await member('VIEWER', { country: 'IL' })
  const inOrganization = { organizationId: amy.organizationId ?? '' }
  const answer = await amy.call('reports_exchange_rates', { ...inOrganization, date: addDays(newest, 30) })
  expect(answer).toMatchObject({ date: newest, base: 'ILS', source: 'BUNDLED', ageDays: 30, missing: [] })
  expect(answer.rates.ILS).toBe(1)
  expect(Object.keys(answer.rates).length).toBeGreaterThan(100)
  expect(answer.warnings?.map(({ code }) => code)).toEqual(['EXCHANGE_RATES_OLD'])
  const today = await amy.call('reports_exchange_rates', inOrganization)
  expect(today.ageDays).toBeGreaterThanOrEqual(daysBetween(newest, new Date().toISOString().slice(0, 10)) - 1)
})
