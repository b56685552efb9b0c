import { add, exact, percentOf, round, toMajor } from '../core/values/money.ts'
import type { Company, Customer, DocumentType } from './company.ts'
import type { Random } from './random.ts'

/** What a line is for, before it has an id and a sum. Prices are in hundredths: every currency here has them. */
type Wanted = { says: string; price: bigint; count: number; untaxed?: boolean }

type Line = { id: string; description: string; quantity: number; unitPrice: number; amount: number; taxRate?: number }

/** The lines and amounts of a document, which agree with each other to the last cent. */
export type Billed = { items: Line[]; taxRate: number; subtotal: number; taxAmount: number; total: number }

/** A sale as its document will say it. `key` finds it again: the ids of its lines begin with it. */
export type Sale = Billed & {
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

export function billed(lines: readonly Wanted[], { key, rate }: { key: string; rate: number }): Billed {
  const amounts = lines.map(({ price, count }) => price * BigInt(count))
  const items = lines.map(({ says, price, count, untaxed }, at) => ({
    id: `${key}.${at + 1}`,
    description: says,
    quantity: count,
    unitPrice: major(price),
    amount: major(amounts[at] ?? 0n),
    ...(untaxed && rate > 0 && { taxRate: 0 }),
  }))
  const subtotal = add(amounts)
  const tax = add(amounts.map((amount, at) => percentOf(amount, lines[at]?.untaxed ? 0 : rate, 'half-up')))
  return { items, taxRate: rate, subtotal: major(subtotal), taxAmount: major(tax), total: major(subtotal + tax) }
}

type Buying = { customer: Customer; dice: Random; volume: number }

/** What somebody orders, as the documents that are written for it: one, or the three of a project. */
export function ordersOf(company: Company, buying: Buying): [Order, ...Order[]] {
  return buying.customer.buys.projects ? project(company, buying) : [{ afterDays: 0, lines: bought(company, buying) }]
}

type Order = { afterDays: number; lines: Wanted[] }

/** One to three of the things that the customer buys, more of them in a good month. */
function bought({ goods }: Company, { customer, dice, volume }: Buying): Wanted[] {
  return dice.some(customer.buys.goods, dice.whole(1, 3)).map((name) => {
    const { says, price, count, untaxed } = goodOf(goods, name)
    const pieces = Math.max(1, Math.round(dice.whole(...count) * volume))
    return { says, price: hundredths(price), count: pieces, ...(untaxed && { untaxed }) }
  })
}

/** A project is one thing at a price of its own, paid for in three parts. */
function project({ goods }: Company, { customer, dice, volume }: Buying): [Order, ...Order[]] {
  const [name = ''] = dice.some(customer.buys.goods, 1)
  const { says, price } = goodOf(goods, name)
  const worth = round(exact(price * volume * (0.8 + 0.4 * dice.roll())).times(100), 'half-up', 10_000n)
  const part = (what: string, percent: bigint, afterDays: number) => ({
    afterDays,
    lines: [{ says: `${says}, ${what} ${percent} %`, price: (worth * percent) / 100n, count: 1 }],
  })
  return [part('deposit', 40n, 0), part('milestone', 30n, 35), part('balance', 30n, 70)]
}

function goodOf(goods: Company['goods'], name: string) {
  const good = goods[name]
  if (!good) throw new Error(`The demo sells ${name}, which has no price.`)
  return good
}

export const hundredths = (price: number): bigint => round(exact(price).times(100), 'half-up')
export const major = (minor: bigint): number => toMajor(minor, 'USD')
