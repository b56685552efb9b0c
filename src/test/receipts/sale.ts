import { businesses } from './data.ts'
import type { Chance } from './random.ts'
import type { Extra, Layout, Setting } from './types.ts'

/** What was bought. Amounts are in minor units; quantities as printed. */
export type SaleLine = {
  description: string
  code: string
  quantity: string
  unitPrice: number
  amount: number
  rate: number
}

export type Sale = {
  lines: SaleLine[]
  /** Whether the prices include the tax. */
  isIncluded: boolean
  rate: number
  /** The sum of the lines. */
  sum: number
  discount: number
  service: number
  tip: number
  /** Net and tax of each rate. */
  taxes: { rate: number; net: number; tax: number }[]
  net: number
  tax: number
  rounding: number
  total: number
  method: 'CASH' | 'CARD' | 'BANK_TRANSFER' | null
  cash: number
}

/** A sale whose figures add up: lines, discount, service, tax, tip, rounding, cash. */
export function inventSale(setting: Setting): Sale {
  const { layout, country, chance } = setting
  const mode = chance.pick(layout.tax)
  const isIncluded = country !== 'US' && (mode === 'included' || (mode === 'mixed' && layout.title === 'receipt'))
  const rate = mode === 'none' ? 0 : rateOf(setting)
  const lines = inventLines(setting).map((line, at) => ({
    ...line,
    rate: mode === 'mixed' && at > 0 && chance.happens(0.4) ? 0 : rate,
  }))
  const sum = lines.reduce((total, { amount }) => total + amount, 0)
  const has = (extra: Extra) =>
    layout.always?.includes(extra) || (layout.extras?.includes(extra) === true && chance.happens(0.5))
  const discount = has('discount') ? Math.round(sum * chance.pick([0.05, 0.1, 0.15])) : 0
  const service = has('service') ? Math.round((sum - discount) * 0.1) : 0
  const tip = has('tip') ? Math.round((sum * chance.pick([10, 12, 15, 18, 20])) / 100) : 0
  const taxes = taxesOf({ lines, sum, changed: sum - discount + service, isIncluded, rate })
  const [net, tax] = [
    taxes.reduce((total, each) => total + each.net, 0),
    taxes.reduce((total, each) => total + each.tax, 0),
  ]
  const paid = chance.pick(layout.paid)
  const step = paid === 'cash' && has('rounding') ? { IL: 10, SG: 5, US: 1 }[country] : 1
  const before = net + tax + tip
  const total = Math.round(before / step) * step
  const method = ({ cash: 'CASH', card: 'CARD', transfer: 'BANK_TRANSFER', unpaid: null } as const)[paid]
  const note = chance.pick([1, 500, 1000, 2000, 5000, 10000])
  return {
    lines,
    isIncluded,
    rate,
    sum,
    discount,
    service,
    tip,
    taxes,
    net,
    tax,
    rounding: total - before,
    total,
    method,
    cash: Math.ceil(total / note) * note,
  }
}

/** Discount and service change the figures of each rate in proportion. */
function taxesOf({
  lines,
  sum,
  changed,
  isIncluded,
  rate,
}: { lines: SaleLine[]; sum: number; changed: number } & Pick<Sale, 'isIncluded' | 'rate'>) {
  const rates = [...new Set(lines.map((line) => line.rate))].toSorted((a, b) => b - a)
  let left = changed
  return rates.map((each, at) => {
    const own = lines.filter((line) => line.rate === each).reduce((total, { amount }) => total + amount, 0)
    const base = at === rates.length - 1 ? left : Math.round((own * changed) / sum)
    left -= base
    const tax = rate === 0 ? 0 : Math.round((base * each) / (isIncluded ? 100 + each : 100))
    return { rate: each, net: isIncluded ? base - tax : base, tax }
  })
}

/** The standard rates in force; the sales tax of an American state and town. */
function rateOf({ country, date, chance }: Setting): number {
  if (country === 'IL') return date < '2025-01-01' ? 17 : 18
  return country === 'SG' ? 9 : chance.pick([6, 7, 7.25, 8.25, 8.875, 9.5])
}

function inventLines({ layout, business, country, script, chance }: Setting): Omit<SaleLine, 'rate'>[] {
  const { items } = businesses[business] ?? { items: [] }
  const count = chance.integer(...layout.items)
  const chosen =
    count <= items.length ? chance.sample(items, count) : Array.from({ length: count }, () => chance.pick(items))
  return chosen.map(([en, he, least, most]) => {
    const quantity = quantityOf(layout.quantity ?? 'pieces', chance)
    const price = chance.between(least, most) * { IL: 3.4, SG: 1.2, US: 1 }[country]
    const unitPrice =
      layout.quantity === 'hours' || most > 20_000 ? Math.round(price / 500) * 500 : Math.round(price / 5) * 5
    return {
      description: script === 'he' ? he : en,
      code: chance.digits(chance.pick([5, 7, 13])),
      quantity,
      unitPrice,
      amount: Math.round(Number(quantity) * unitPrice),
    }
  })
}

function quantityOf(kind: NonNullable<Layout['quantity']>, chance: Chance): string {
  if (kind === 'litres') return chance.between(18, 62).toFixed(2)
  if (kind === 'hours') return String(chance.integer(2, 80) / 2)
  if (kind === 'ones' || kind === 'days') return '1'
  return String(chance.pick([1, 1, 1, 2, 2, 3, 4, 6, 12]))
}
