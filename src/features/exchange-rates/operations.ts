import { invalid } from '../../core/define/failure.ts'
import { type Database, operation } from '../../core/define/operation.ts'
import { one } from '../../core/define/query.ts'
import { Currency, InOrganization, optional, Type } from '../../core/define/schema.ts'
import { isCurrency, toCurrencyCode } from '../../core/values/currency.ts'
import { daysBetween, toDay, today } from '../../core/values/day.ts'
import { ExchangeRates, rateText, snapshotWarnings } from './exchange-rate.ts'
import { findSnapshot } from './store.ts'

export const exchangeRates = operation({
  name: 'reports_exchange_rates',
  http: 'GET /api/exchange-rates',
  does: 'Tells the exchange rates of a day, or of the last earlier day that has any, and how old they are.',
  scope: 'reports:read',
  within: 'organizationId',
  input: Type.Object({
    ...InOrganization.properties,
    ...optional({
      date: Type.String({
        maxLength: 10,
        description: 'The day; today in the time zone of the organization unless given.',
        examples: ['2026-01-31'],
      }),
      base: {
        ...Currency,
        description: 'What one unit of is told; the main currency of the organization, or EUR, unless given.',
      },
      currencies: Type.Array(Currency, { maxItems: 200, description: 'Only these; all that are known unless given.' }),
    }),
  }),
  output: ExchangeRates,
  async run({ db, now }, { organizationId, ...asked }) {
    const home = organizationId === undefined ? withoutOrganization : await homeOf(db)
    const day = dayOf(asked.date) ?? today(now, home.timezone)
    const base = asked.base === undefined ? home.currency : codeOf('base', asked.base)
    const wanted = asked.currencies?.map((currency, at) => codeOf(`currencies.${at}`, currency))
    const snapshot = await findSnapshot(db, { base, day })
    const [{ source, date } = { source: null, date: null }] = snapshot
    const known = new Map(snapshot.map(({ currency, rate }) => [currency, rate]))
    const fromRate = known.get(base) ?? '1'
    const rates = [...known]
      .filter(([currency]) => !wanted || wanted.includes(currency))
      .map(([currency, toRate]) => [currency, Number(rateText({ fromRate, toRate }))] as const)
    const missing = wanted?.filter((currency, at) => !known.has(currency) && wanted.indexOf(currency) === at) ?? []
    const ageDays = date === null ? null : daysBetween(date, day)
    const warnings = snapshotWarnings({ base, day, date, ageDays, missing })
    return {
      date, base, source, ageDays, rates: Object.fromEntries(rates), missing, ...(warnings.length > 0 && { warnings }),
    } // biome-ignore format: one line
  },
})

/** Without an organization the day is that of UTC, and the base is the euro, as published by the central bank. */
const withoutOrganization = { currency: 'EUR', timezone: 'UTC' }

const homeOf = (db: Database) => one(db.selectFrom('organizations').select(['currency', 'timezone']), 'organization')

function dayOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const day = toDay(text)
  if (!day) throw invalid('date', 'Give a day such as 2026-01-31.')
  return day
}

function codeOf(path: string, text: string): string {
  const code = toCurrencyCode(text)
  if (!isCurrency(code)) throw invalid(path, 'Give an ISO 4217 currency code such as USD.')
  return code
}
