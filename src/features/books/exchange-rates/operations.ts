import { invalid } from '../../../core/define/failure.ts'
import { type Database, operation } from '../../../core/define/operation.ts'
import { one } from '../../../core/define/query.ts'
import { Currency, InOrganization, optional, Type } from '../../../core/define/schema.ts'
import { isCurrency, toCurrencyCode } from '../../../core/values/currency.ts'
import { daysBetween, toDay, today } from '../../../core/values/day.ts'
import { ExchangeRates, quotedInBase, rateText, snapshotWarnings } from './exchange-rate.ts'
import { findSnapshots } from './store.ts'

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
    const { country } = home
    const [first, ...more] = (await findSnapshots(db, { base, day, country })).map((each) => fromBase(each, base))
    const { source, date } = first ?? { source: null, date: null }
    const known = new Map(first?.rates)
    const others = more.map((each) => ({ ...each, currencies: addMissing(known, each.rates, wanted) }))
    const rates = [...known].filter(([currency]) => !wanted || wanted.includes(currency)).toSorted(byCurrency)
    const missing = wanted?.filter((currency, at) => !known.has(currency) && wanted.indexOf(currency) === at) ?? []
    const ageDays = date === null ? null : daysBetween(date, day)
    const warnings = snapshotWarnings({ base, day, date, ageDays, missing })
    const used = others.filter(({ currencies }) => currencies.length > 0)
    return {
      date,
      base,
      source,
      ageDays,
      rates: Object.fromEntries(rates),
      missing,
      ...(used.length > 0 && { others: used.map(({ rates: _, ...other }) => other) }),
      ...(warnings.length > 0 && { warnings }),
    }
  },
})

/** Without an organization the day is that of UTC, and the base is the euro, as published by the central bank. */
const withoutOrganization = { currency: 'EUR', timezone: 'UTC', country: null }

const homeOf = (db: Database) =>
  one(db.selectFrom('organizations').select(['currency', 'timezone', 'country']), 'organization')

type Snapshot = Awaited<ReturnType<typeof findSnapshots>>[number]

/** What one unit of the base is worth, by currency. */
function fromBase({ source, date, rates }: Snapshot, base: string) {
  const own = rates.get(base) ?? '1'
  const worth = (rate: string) =>
    Number(rateText(quotedInBase.has(source) ? { fromRate: rate, toRate: own } : { fromRate: own, toRate: rate }))
  return { source, date, rates: new Map([...rates].map(([currency, rate]) => [currency, worth(rate)])) }
}

/** Adds the rates that are not known yet, and returns their currencies. */
function addMissing(known: Map<string, number>, rates: Map<string, number>, wanted: string[] | undefined): string[] {
  const added = [...rates].filter(([currency]) => !known.has(currency) && (!wanted || wanted.includes(currency)))
  for (const [currency, rate] of added) known.set(currency, rate)
  return added.map(([currency]) => currency)
}

const byCurrency = ([a]: [string, number], [b]: [string, number]) => (a < b ? -1 : 1)

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
