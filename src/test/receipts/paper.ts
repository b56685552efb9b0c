import { vocabulary } from './data.ts'
import { inventVendor, type Vendor } from './party.ts'
import { type Day, dayFor, daysAfter, type Money, moneyFor } from './print.ts'
import type { Chance } from './random.ts'
import { inventSale, type Sale } from './sale.ts'
import type { Setting } from './types.ts'

/** All that may be printed on one receipt, and what was printed so far. */
export type Paper = Setting & {
  vendor: Vendor
  sale: Sale
  number: string
  due: string
  money: { line: Money; sum: Money }
  day: Day
  /** The tax, with its rate where `isRatePrinted`. */
  taxLabel: string
  isRatePrinted: boolean
  /** One of the words for a thing: always the same one on a receipt. */
  say(key: string): string
  /** The values of the details by key, as printed. */
  details: Record<string, string>
  /** The names of what was printed: details, sums, blocks, columns of the items. */
  printed: Set<string>
}

export function inventPaper(setting: Setting): Paper {
  const { country, script, chance, date, layout } = setting
  const sale = inventSale(setting)
  const day = dayFor(setting)
  const due = daysAfter(date, chance.pick([7, 14, 30, 45]))
  const number = numberFor(setting)
  const said = new Map<string, string>()
  const say = (key: string) => {
    const word = said.get(key) ?? chance.pick(vocabulary[script][key] ?? [])
    said.set(key, word)
    return word
  }
  const pattern = chance.pick(vocabulary.tax[script === 'he' ? 'he' : country] ?? [])
  const tax = pattern.replace('{rate}', String(sale.rate))
  const taxLabel = sale.isIncluded ? chance.pick(vocabulary.included[script] ?? []).replace('{tax}', tax) : tax
  const named: Pick<Paper, 'say' | 'day' | 'due' | 'number'> = { say, day, due, number }
  if (layout.title === 'invoice' || layout.title === 'bill') said.set('number', say('invoiceNumber'))
  return {
    ...setting,
    ...named,
    sale,
    vendor: inventVendor(setting),
    money: moneyFor(setting),
    taxLabel,
    isRatePrinted: pattern.includes('{rate}'),
    details: inventDetails(setting, named),
    printed: new Set(),
  }
}

function inventDetails(
  { country, script, chance, date }: Setting,
  { say, day, due, number }: Pick<Paper, 'say' | 'day' | 'due' | 'number'>,
) {
  const hour = chance.integer(8, 21)
  const clock = (from: number) =>
    `${String(from).padStart(2, '0')}:${chance.pick(['04', '13', '27', '38', '41', '55'])}`
  return {
    number,
    date: day(date),
    due: day(due),
    time: clock(hour),
    cashier: say('people'),
    table: String(chance.integer(1, 48)),
    guests: String(chance.integer(1, 6)),
    terminal: `0${chance.integer(1, 9)}`,
    order: chance.digits(3),
    customerNumber: chance.digits(8),
    room: String(chance.integer(101, 912)),
    arrival: day(daysAfter(date, -chance.integer(1, 4))),
    departure: day(date),
    period: `${day(`${date.slice(0, 7)}-01`)} - ${day(date)}`,
    meter: chance.digits(7),
    pump: String(chance.integer(1, 12)),
    vehicle: vehicleOf(country, chance),
    driver: say('people'),
    from: chance.pick(vocabulary[script].places ?? []),
    to: chance.pick(vocabulary[script].places ?? []),
    entry: clock(hour - 2),
    exit: clock(hour),
    distance: `${chance.between(2, 40).toFixed(1)} ${script === 'he' ? 'ק"מ' : country === 'US' ? 'mi' : 'km'}`,
  }
}

const vehicleOf = (country: Setting['country'], chance: Chance) =>
  country === 'IL'
    ? `${chance.digits(3)}-${chance.digits(2)}-${chance.digits(3)}`
    : `SK${chance.pick(['A', 'D', 'X'])}${chance.digits(4)}`

function numberFor({ script, date, chance, layout }: Setting): string {
  const year = date.slice(0, 4)
  if (script === 'he')
    return chance.pick([chance.digits(6), `${year}/${chance.digits(4)}`, `0${chance.digits(5)}`, chance.digits(8)])
  if (layout.title === 'invoice')
    return chance.pick([
      `INV-${year}-${chance.digits(4)}`,
      `INV${chance.digits(6)}`,
      chance.digits(5),
      `${year}/${chance.digits(4)}`,
    ])
  return chance.pick([chance.digits(6), `A${chance.digits(6)}`, `R0000${chance.digits(5)}`, `${chance.digits(5)}/${chance.digits(3)}/T${chance.digits(4)}`, `CS-${chance.digits(6)}`]) // biome-ignore format: a row
}
