import { addDays, addMonths, firstDay, monthOf } from '../core/values/day.ts'
import type { Company, Customer, Habit } from './company.ts'
import { type After, afterwards } from './follow-ups.ts'
import { type Random, randomFor } from './random.ts'
import { type Billed, billed, ordersOf, type Sale } from './sale.ts'

/** What happened in a company: its sales in the order of their dates, and what came after them. */
export type History = { sales: Sale[] } & After

/** A sale before it has its place in the order. */
type Occasion = Omit<Sale, 'key' | keyof Billed> & { story?: number; bill: (key: string) => Billed }

const months = 24

/** The two years of a company that end today. The same company and day have the same history, wherever and whenever. */
export function historyOf(company: Company, today: string): History {
  const since = addMonths(today, -months)
  const regular = company.customers.flatMap((customer) => habitual(company, customer, { since, today }))
  const occasions = [...regular, ...told(company, today)].toSorted((a, b) => compare(a.issueDate, b.issueDate))
  const ends = new Map<number, Sale>() // the sale of each story
  const sales = occasions.map(({ story, bill, ...occasion }, at) => {
    const key = String(at + 1)
    const sale = { ...occasion, key, ...bill(key) }
    if (story !== undefined) ends.set(story, sale)
    return sale
  })
  return { sales, ...afterwards(company, { today, sales, ends }) }
}

type Span = { since: string; today: string }

/** What a customer buys by habit, month for month. Each month has dice of its own, so a day later the past is much the same. */
function habitual(company: Company, customer: Customer, { since, today }: Span): Occasion[] {
  const { perMonth, joined = 0, left = months + 1 } = customer.buys
  return Array.from({ length: months + 1 }, (_, at) => at)
    .filter((at) => at >= joined && at < left)
    .flatMap((at) => {
      const month = monthOf(addMonths(firstDay(monthOf(since)), at))
      const dice = randomFor(`${company.organization.name}, ${customer.name}, ${month}`)
      const times = Math.floor(perMonth) + (dice.roll() < perMonth % 1 ? 1 : 0)
      const volume = (0.8 + (0.5 * at) / months) * (company.season[Number(month.slice(5)) - 1] ?? 1)
      return Array.from({ length: times }, () => ordered(company, customer, { dice, month, volume, today })).flat()
    })
    .filter(({ issueDate }) => issueDate > since && issueDate <= today)
}

type Ordering = { dice: Random; month: string; volume: number; today: string }

function ordered(company: Company, customer: Customer, { dice, month, volume, today }: Ordering): Occasion[] {
  const day = addDays(firstDay(month), dice.whole(0, 27))
  return ordersOf(company, { customer, dice, volume: volume * (customer.buys.size ?? 1) }).map(
    ({ afterDays, lines }) => {
      const issueDate = workday(addDays(day, afterDays), company.weekend)
      const paidOn = addDays(issueDate, dice.whole(...customer.buys.pays))
      const { together, method } = customer.buys
      const paid = paidOn <= today &&
        !together && { status: 'PAID' as const, paymentDate: paidOn, paymentMethod: method }
      const bill = (key: string) => billed(lines, { key, rate: rateFor(company, customer.buys, issueDate) })
      return { ...termsOf(company, customer), ...dated(customer.buys, issueDate), status: 'SENT', ...paid, bill }
    },
  )
}

/** What the company tells of these days, a sale for each of its stories. */
function told(company: Company, today: string): Occasion[] {
  return company.stories.flatMap(({ customer: name, daysAgo, sequel: _, ...more }, story) => {
    const customer = company.customers.find((each) => each.name === name)
    if (!customer) throw new Error(`The demo tells of ${name}, whom ${company.organization.name} does not know.`)
    const issueDate = addDays(today, -daysAgo)
    const dice = randomFor(`${company.organization.name}, story ${story}`)
    const [{ lines }] = ordersOf(company, { customer, dice, volume: 1.2 * (customer.buys.size ?? 1) })
    const bill = (key: string) => billed(lines, { key, rate: rateFor(company, customer.buys, issueDate) })
    const paid = more.status === 'PAID' && {
      paymentDate: addDays(today, -1),
      paymentMethod: customer.buys.method,
    }
    return [{ ...termsOf(company, customer), ...dated(customer.buys, issueDate), ...more, ...paid, story, bill }]
  })
}

const termsOf = ({ currency }: Company, { name, buys }: Customer) => ({
  customer: name,
  documentType: buys.documentType ?? ('INVOICE' as const),
  currency: buys.currency ?? currency,
})

const dated = ({ terms }: Habit, issueDate: string) => ({ issueDate, dueDate: addDays(issueDate, terms) })

const rateFor = ({ taxOn }: Company, { taxFree }: Habit, day: string) => (taxFree ? 0 : taxOn(day))

/** The day, or the last one before it on which somebody works. */
function workday(day: string, weekend: readonly number[]): string {
  return weekend.includes(new Date(`${day}T00:00:00Z`).getUTCDay()) ? workday(addDays(day, -1), weekend) : day
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
