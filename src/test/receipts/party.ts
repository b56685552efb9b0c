import { numberProblem } from '../../countries/il/documents/numbers.ts'
import { uenProblem } from '../../countries/sg/documents/numbers.ts'
import { businesses, vocabulary } from './data.ts'
import type { Chance } from './random.ts'
import type { Country, Setting } from './types.ts'

export type Vendor = { name: string; trade: string; address: string[]; phone: string; taxNumber: string }

/** A company that does not exist, with a tax number that passes the check of its country. */
export function inventVendor({ layout, business, country, script, chance }: Setting): Vendor {
  const { names, cities } = vocabulary
  const key = script === 'he' ? 'he' : country
  const first = chance.pick(names.first[script] ?? [])
  const kind = chance.pick(businesses[business]?.[script] ?? [])
  const legal = chance.pick(names.legal[key] ?? [])
  const trade = script === 'he' ? `${kind} ${first}` : `${first} ${kind}`
  const name = [trade, legal].filter(Boolean).join(' ')
  const isUpper = script === 'en' && layout.font.mono === true && chance.happens(0.5)
  return {
    name: isUpper ? name.toUpperCase() : name,
    trade: first,
    address: chance.pick(cities[key] ?? []).map((line) => filled(line, chance)),
    phone: phoneOf(country, chance),
    taxNumber: taxNumberOf(country, chance),
  }
}

const filled = (line: string, chance: Chance) =>
  line.replace(/\{(n1|n2|n|p4|p6|p7)\}/g, (_, key: string) => {
    if (key === 'n1') return String(chance.integer(1, 9))
    if (key === 'n2') return String(chance.integer(10, 99))
    if (key === 'n') return String(chance.integer(1, 240))
    return `${chance.integer(1, 8)}${chance.digits(Number(key.slice(1)) - 1)}`
  })

function phoneOf(country: Country, chance: Chance): string {
  if (country === 'SG') return `6${chance.digits(3)} ${chance.digits(4)}`
  if (country === 'US') return `(${chance.integer(201, 989)}) 555-01${chance.digits(2)}`
  return `0${chance.pick([2, 3, 4, 8, 9])}-${chance.integer(5, 9)}${chance.digits(6)}`
}

function taxNumberOf(country: Country, chance: Chance): string {
  if (country === 'US') return `${chance.pick([20, 27, 36, 45, 61, 84])}-${chance.digits(7)}`
  const [start, ends, problem] =
    country === 'IL'
      ? [`51${chance.digits(6)}`, '0123456789', numberProblem]
      : [`${chance.integer(1998, 2022)}${chance.digits(5)}`, 'ZKCMDNERGWH', uenProblem]
  const end = [...ends].find((each) => problem(start + each) === undefined)
  if (end === undefined) throw new Error('No tax number passes its check.')
  return start + end
}
