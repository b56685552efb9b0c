import { invalid } from '../../../core/define/failure.ts'
import { toDay } from '../../../core/values/day.ts'
import { states } from '../../../countries/us/reporting.ts'
import type { SalesTaxRate } from './settings.ts'

/** The rates that a caller gave, by state and day, with days as the database stores them. */
export function readSalesTaxRates(given: readonly SalesTaxRate[]): SalesTaxRate[] {
  const seen = new Set<string>()
  const rates = given.map(({ state, rate, since }, at) => {
    const day = toDay(since)
    if (!states.has(state)) throw invalid(`salesTaxRates.${at}.state`, `${state} is not the code of a state.`)
    if (day === undefined) throw invalid(`salesTaxRates.${at}.since`, 'since must be a day such as 2026-01-31.')
    if (seen.has(`${state} ${day}`))
      throw invalid(`salesTaxRates.${at}.since`, `There are two rates of ${state} from ${day} on.`)
    seen.add(`${state} ${day}`)
    return { state, rate, since: day }
  })
  return rates.toSorted((one, other) => one.state.localeCompare(other.state) || one.since.localeCompare(other.since))
}
