import './own-world.ts'
import { storeRates } from '../features/books/exchange-rates/store.ts'
import { theApp } from './world.ts'

/** Rates that the European Central Bank published on a Friday; those of the Monday are invented. */
export const friday = '2023-12-08'
export const monday = '2023-12-11'

/** A dollar is 3.70993783057 shekels on Friday (3.9982 / 1.0777) and 3.71785813889 on Monday (3.9993 / 1.0757). */
export const storeTestRates = () =>
  theApp().system.use((db) =>
    storeRates(db, [
      ...ecb(friday, { USD: '1.0777', ILS: '3.9982', JPY: '155.43' }),
      ...ecb(monday, { USD: '1.0757', ILS: '3.9993', JPY: '156.87' }),
    ]),
  )

const ecb = (date: string, rates: Record<string, string>) =>
  Object.entries({ EUR: '1', ...rates }).map(([currency, rate]) => ({
    source: 'ECB' as const,
    base: 'EUR',
    date,
    currency,
    rate,
  }))
