import { add, exact, percentOf, round, toMajor } from '../core/values/money.ts'
import type { Company, Customer, DocumentType } from './company.ts'
import type { Random } from './random.ts'

/** A line before it has an id and an amount. Prices are in hundredths: every currency of the demo has two digits. */
type LineSpec = { description: string; price: bigint; quantity: number; untaxed?: boolean }

type Line = {
  id: string
  description: string
  quantity: number
  unitPrice: number
  amount: number
  taxRate?: number
  taxCategory?: string
}

/** The lines and totals of a document. They add up exactly. */
export type Amounts = { items: Line[]; taxRate: number; subtotal: number; taxAmount: number; total: number }

/** The content of a sales document. The ids of its lines begin with `key`, which identifies it later. */
export type Sale = Amounts & {
  key: string
  customer: string
  documentType: DocumentType
  status: 'DRAFT' | 'UNSENT' | 'SENT' | 'PAID'
  currency: string
  issueDate: string
  dueDate: string
  paymentDate?: string
  paymentMethod?: string
  notes?: string
}

type Taxed = { key: string; rate: number; exportCategory?: string | undefined }

export function amountsOf(lines: readonly LineSpec[], { key, rate, exportCategory }: Taxed): Amounts {
  const amounts = lines.map(({ price, quantity }) => price * BigInt(quantity))
  const items = lines.map(({ description, price, quantity, untaxed }, at) => ({
    id: `${key}.${at + 1}`,
    description: description,
    quantity: quantity,
    unitPrice: major(price),
    amount: major(amounts[at] ?? 0n),
    ...(untaxed && rate > 0 && { taxRate: 0 }),
    ...(rate === 0 && exportCategory && { taxCategory: exportCategory }),
  }))
  const subtotal = add(amounts)
  const taxed = amounts.filter((_, at) => !lines[at]?.untaxed)
  const tax = percentOf(add(taxed), rate, 'half-up') // rounded once, as the countries and e-invoices want it
  return { items, taxRate: rate, subtotal: major(subtotal), taxAmount: major(tax), total: major(subtotal + tax) }
}

type Purchase = { customer: Customer; random: Random; volume: number }

/** The documents of one purchase: a single one, or the three parts of a project. */
export function ordersOf(company: Company, purchase: Purchase): [Order, ...Order[]] {
  return purchase.customer.buys.projects
    ? project(company, purchase)
    : [{ afterDays: 0, lines: purchasedLines(company, purchase) }]
}

type Order = { afterDays: number; lines: LineSpec[] }

/** One to three goods that the customer buys, in larger quantities in a good month. */
function purchasedLines({ goods }: Company, { customer, random, volume }: Purchase): LineSpec[] {
  return random.sample(customer.buys.goods, random.integer(1, 3)).map((name) => {
    const { description, price, quantity, untaxed } = goodOf(goods, name)
    const pieces = Math.max(1, Math.round(random.integer(...quantity) * volume))
    return { description, price: hundredths(price), quantity: pieces, ...(untaxed && { untaxed }) }
  })
}

/** A project: one good at an individual price, invoiced in three parts. */
function project({ goods }: Company, { customer, random, volume }: Purchase): [Order, ...Order[]] {
  const [name = ''] = random.sample(customer.buys.goods, 1)
  const { description, price } = goodOf(goods, name)
  const worth = round(exact(price * volume * (0.8 + 0.4 * random.next())).times(100), 'half-up', 10_000n)
  const part = (what: string, percent: bigint, afterDays: number) => ({
    afterDays,
    lines: [{ description: `${description}, ${what} ${percent} %`, price: (worth * percent) / 100n, quantity: 1 }],
  })
  return [part('deposit', 40n, 0), part('milestone', 30n, 35), part('balance', 30n, 70)]
}

function goodOf(goods: Company['goods'], name: string) {
  const good = goods[name]
  if (!good) throw new Error(`The demo company sells ${name}, which is not in its list of goods.`)
  return good
}

export const hundredths = (price: number): bigint => round(exact(price).times(100), 'half-up')
export const major = (minor: bigint): number => toMajor(minor, 'USD')
