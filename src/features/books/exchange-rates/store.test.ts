import '../../../test/own-world.ts'
import { data } from 'currency-codes'
import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import type { Database } from '../../../core/define/operation.ts'
import { withTransaction } from '../../../core/run/transaction-context.ts'
import { convert, minorDigits } from '../../../core/values/money.ts'
import { findRate } from '../../../test/find-rate.ts'
import { member, theApp } from '../../../test/world.ts'
import type { PublishedRate } from './exchange-rate.ts'
import { newestDay, storeRates } from './store.ts'

const use = <T>(work: (db: Database) => Promise<T>) => theApp().system.use(work)

function snapshot(source: PublishedRate['source'], date: string, rates: Record<string, string>): PublishedRate[] {
  return Object.entries({ EUR: '1', ...rates }).map(([currency, rate]) => ({
    source,
    base: 'EUR',
    date,
    currency,
    rate,
  }))
}

const friday = '2026-03-06'
beforeAll(async () => {
  await use((db) =>
    storeRates(db, [
      ...snapshot('ECB', friday, { USD: '1.1', SGD: '1.43', JPY: '160' }),
      ...snapshot('ECB', '2026-03-09', { USD: '1.2', SGD: '1.44', JPY: '161' }),
      ...snapshot('BUNDLED', '2026-03-01', { USD: '1.09', SGD: '1.42', AED: '4' }),
      ...snapshot('BUNDLED', '2026-03-08', { USD: '1.08', SGD: '1.41', AED: '4.1', KWD: '0.33' }),
    ]),
  )
})

const rateOf = async (from: string, to: string, day: string) => {
  const rate = await findRate(from, to, day)
  return rate && `${Number(rate.fromRate)} ${Number(rate.toRate)} ${rate.source} ${rate.date}`
}

test.each([
  ['a day', 'USD', 'SGD', friday, '1.1 1.43 ECB 2026-03-06'],
  ['Saturday', 'USD', 'SGD', '2026-03-07', '1.1 1.43 ECB 2026-03-06'],
  ['Sunday, although the bundled rates have that day', 'USD', 'SGD', '2026-03-08', '1.1 1.43 ECB 2026-03-06'],
  ['Monday', 'SGD', 'USD', '2026-03-09', '1.44 1.2 ECB 2026-03-09'],
  ['the base', 'EUR', 'JPY', '2026-03-09', '1 161 ECB 2026-03-09'],
  ['into the base', 'JPY', 'EUR', '2026-03-09', '161 1 ECB 2026-03-09'],
  ['the tenth day after', 'USD', 'JPY', '2026-03-19', '1.2 161 ECB 2026-03-09'],
  ['the eleventh day after, where nothing else is known', 'USD', 'JPY', '2026-03-20', undefined],
  ['the eleventh day after, where the bundled rates know', 'USD', 'SGD', '2026-03-20', '1.08 1.41 BUNDLED 2026-03-08'],
  ['what only the bundled rates know', 'USD', 'AED', '2026-03-09', '1.08 4.1 BUNDLED 2026-03-08'],
  ['a day between two bundled ones', 'AED', 'EUR', '2026-03-07', '4 1 BUNDLED 2026-03-01'],
  ['both of one snapshot, never of two', 'JPY', 'AED', '2026-03-09', undefined],
  ['a year later', 'AED', 'EUR', '2027-03-01', '4.1 1 BUNDLED 2026-03-08'],
  ['too long ago', 'AED', 'EUR', '2027-05-01', undefined],
  ['before anything is known', 'USD', 'SGD', '2026-02-28', undefined],
  ['a currency without published rates', 'USD', 'KPW', friday, undefined],
  ['a currency into itself, known or not', 'KPW', 'KPW', '1999-01-01', '1 1 SAME 1999-01-01'],
])('the rate of %s', async (_, from, to, day, expected) => {
  expect(await rateOf(from, to, day)).toBe(expected)
})

test('stored rates of a day are not changed by a later publication', async () => {
  const again = snapshot('ECB', friday, { USD: '9.9', SGD: '1.43', CHF: '0.95' })
  expect(await use((db) => storeRates(db, again))).toEqual([friday])
  expect(await rateOf('EUR', 'USD', friday)).toBe('1 1.1 ECB 2026-03-06')
  expect(await rateOf('EUR', 'CHF', friday)).toBe('1 0.95 ECB 2026-03-06')
  expect(await use((db) => storeRates(db, snapshot('ECB', friday, { USD: '1.10' })))).toEqual([])
  expect(await use((db) => newestDay(db, 'ECB'))).toBe('2026-03-09')
})

test.each(['update exchange_rates set rate = rate', 'delete from exchange_rates'])(
  '"%s" is refused, even for the product itself',
  async (statement) => {
    await expect(use((db) => sql.raw(statement).execute(db))).rejects.toThrow(/append-only/)
  },
)

test.each(["insert into exchange_rates values ('ECB', 'USD', '2026-03-05', 'EUR', 2)", 'delete from exchange_rates'])(
  'a request reads rates and cannot say "%s"',
  async (statement) => {
    const amy = await member('OWNER')
    const asAmy = (text: string) =>
      withTransaction(
        theApp().confined,
        { organizationId: amy.organizationId },
        async ({ connection }) => (await connection.query(text)).rows,
      )
    expect(await asAmy(`select from rate_on('USD', 'SGD', '${friday}')`)).toHaveLength(1)
    await expect(asAmy(statement)).rejects.toThrow(/permission denied/)
  },
)

test('a rate must be positive, and the rate of the base must be one', async () => {
  const wrong = [
    { ...snapshot('ECB', '2026-03-05', {})[0], currency: 'USD', rate: '0' },
    { ...snapshot('ECB', '2026-03-05', {})[0], rate: '2' },
  ] as PublishedRate[]
  for (const rate of wrong) await expect(use((db) => storeRates(db, [rate]))).rejects.toThrow(/check constraint/)
})

test('PostgreSQL knows the minor units of every currency', async () => {
  const codes = data.map(({ code }) => code).filter((code) => code !== 'XXX' && code !== 'XTS')
  const { rows } = await use((db) =>
    sql<{
      code: string
      units: string
    }>`select code, minor_units(code) as units from unnest(${codes}::text[]) code`.execute(db),
  )
  expect(rows).toEqual(codes.map((code) => ({ code, units: String(10 ** minorDigits(code)) })))
})

test('PostgreSQL converts to the same minor unit as the code, ties and credits included', async () => {
  const decimal = fc.integer({ min: 1, max: 2_000_000 }).map((thousandths) => String(thousandths / 1000))
  const currency = fc.constantFrom('USD', 'JPY', 'KWD', 'CLF')
  const amount = fc.oneof(fc.bigInt({ min: -50n, max: 50n }), fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }))
  const cases = fc.sample(fc.tuple(amount, currency, currency, decimal, decimal), 3_000)
  const { rows } = await use((db) =>
    sql<{ minor: string }>`select convert_minor(a, f, t, fr, tr) as minor
      from unnest(${cases.map((c) => String(c[0]))}::numeric[], ${cases.map((c) => c[1])}::text[], ${cases.map((c) => c[2])}::text[],
        ${cases.map((c) => c[3])}::numeric[], ${cases.map((c) => c[4])}::numeric[]) with ordinality c (a, f, t, fr, tr, n)
      order by n`.execute(db),
  )
  const expected = cases.map(([minor, from, to, fromRate, toRate]) =>
    String(convert(minor, { from, to, rate: toRate, per: fromRate })),
  )
  expect(rows.map(({ minor }) => minor)).toEqual(expected)
})

test('a hundred thousand amounts are converted by one statement, and those without a rate are named', async () => {
  const { rows } = await use((db) =>
    sql<{ total: string; oldest: string; missing: string[] }>`
      with amounts as (
        select n as minor, (array['USD', 'JPY', 'SGD', 'KPW'])[n % 4 + 1] as currency, ${friday}::date + n % 4 as day
        from generate_series(1, 100000) n
      ), rates as (
        select asked.currency, asked.day, r.*
        from (select distinct currency, day from amounts) asked
        left join lateral rate_on(asked.currency, 'SGD', asked.day) r on true
      )
      select sum(convert_minor(minor, currency, 'SGD', from_rate, to_rate)) as total, min(rate_date) as oldest,
        array_agg(distinct currency) filter (where source is null) as missing
      from amounts join rates using (currency, day)`.execute(db),
  )
  const [{ total, ...rest } = { total: '0' }] = rows
  expect(rest).toEqual({ oldest: friday, missing: ['KPW'] })
  let expected = 0n
  const currencies = ['USD', 'JPY', 'SGD']
  const rates = await Promise.all(currencies.map((from, at) => findRate(from, 'SGD', `2026-03-0${6 + at}`)))
  expect(rates).not.toContain(undefined)
  for (let n = 1; n <= 100_000; n++) {
    const [from, rate] = [currencies[n % 4], rates[n % 4]]
    if (from && rate) expected += convert(BigInt(n), { from, to: 'SGD', rate: rate.toRate, per: rate.fromRate })
  }
  expect(total).toBe(String(expected))
})
