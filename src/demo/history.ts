import { addDays, addMonths, firstDay, monthOf } from '../core/values/day.ts'
import type { BuyingPattern, Company, Customer } from './company.ts'
import { type FollowUps, followUpsOf } from './follow-ups.ts'
import { type Random, randomFor } from './random.ts'
import { type Amounts, amountsOf, ordersOf, type Sale } from './sale.ts'

/** The history of a company: its sales in the order of their dates, and what followed them (payments, credits, …). */
export type History = { sales: Sale[] } & FollowUps

/** A sale before it has its key, which depends on its position in the order of dates. */
type PlannedSale = Omit<Sale, 'key' | keyof Amounts> & { index?: number; amounts: (key: string) => Amounts }

const months = 24

/** The last two years of a company. The result depends on the company and the day only. */
export function historyOf(company: Company, today: string): History {
  const since = addMonths(today, -months)
  const regular = company.customers.flatMap((customer) => regularSales(company, customer, { since, today }))
  const planned = [...regular, ...specialSalesOf(company, today)].toSorted((a, b) => compare(a.issueDate, b.issueDate))
  const salesByIndex = new Map<number, Sale>() // the sale of each entry in `specialSales`
  const sales = planned.map(({ index, amounts, ...plannedSale }, at) => {
    const key = String(at + 1)
    const sale = { ...plannedSale, key, ...amounts(key) }
    if (index !== undefined) salesByIndex.set(index, sale)
    return sale
  })
  return { sales, ...followUpsOf(company, { today, sales, salesByIndex }) }
}

type Period = { since: string; today: string }

/** The regular sales to a customer, by month. Each month has its own seed, so the past hardly changes from day to day. */
function regularSales(company: Company, customer: Customer, { since, today }: Period): PlannedSale[] {
  const { perMonth, firstMonth = 0, endMonth = months + 1 } = customer.buys
  return Array.from({ length: months + 1 }, (_, at) => at)
    .filter((at) => at >= firstMonth && at < endMonth)
    .flatMap((at) => {
      const month = monthOf(addMonths(firstDay(monthOf(since)), at))
      const random = randomFor(`${company.organization.name}, ${customer.name}, ${month}`)
      const times = Math.floor(perMonth) + (random.next() < perMonth % 1 ? 1 : 0)
      const volume = (0.8 + (0.5 * at) / months) * (company.season[Number(month.slice(5)) - 1] ?? 1)
      return Array.from({ length: times }, () =>
        orderedSales(company, customer, { random, month, volume, today }),
      ).flat()
    })
    .filter(({ issueDate }) => issueDate > since && issueDate <= today)
}

type OrderInput = { random: Random; month: string; volume: number; today: string }

function orderedSales(
  company: Company,
  customer: Customer,
  { random, month, volume, today }: OrderInput,
): PlannedSale[] {
  const day = addDays(firstDay(month), random.integer(0, 27))
  return ordersOf(company, { customer, random, volume: volume * (customer.buys.volume ?? 1) }).map(
    ({ afterDays, lines }) => {
      const issueDate = workday(addDays(day, afterDays), company.weekend)
      const paidOn = addDays(issueDate, random.integer(...customer.buys.paysAfterDays))
      const { invoicesPerTransfer, method } = customer.buys
      const paid = paidOn <= today &&
        !invoicesPerTransfer && { status: 'PAID' as const, paymentDate: paidOn, paymentMethod: method }
      const amounts = (key: string) => amountsOf(lines, { key, ...taxFor(company, customer.buys, issueDate) })
      return {
        ...customerTerms(company, customer),
        ...datesOf(customer.buys, issueDate),
        status: 'SENT',
        ...paid,
        amounts,
      }
    },
  )
}

/** A sale for each entry in `specialSales` of the company. */
function specialSalesOf(company: Company, today: string): PlannedSale[] {
  return company.specialSales.flatMap(({ customer: name, daysAgo, followUp: _, volume = 1, ...more }, index) => {
    const customer = company.customers.find((each) => each.name === name)
    if (!customer)
      throw new Error(`A special sale names ${name}, which is not a customer of ${company.organization.name}.`)
    const issueDate = addDays(today, -daysAgo)
    const random = randomFor(`${company.organization.name}, story ${index}`) // this text is a seed: changing it changes the demo
    const [{ lines }] = ordersOf(company, { customer, random, volume: 1.2 * volume * (customer.buys.volume ?? 1) })
    const amounts = (key: string) => amountsOf(lines, { key, ...taxFor(company, customer.buys, issueDate) })
    const paid = more.status === 'PAID' && {
      paymentDate: addDays(today, -1),
      paymentMethod: customer.buys.method,
    }
    return [
      { ...customerTerms(company, customer), ...datesOf(customer.buys, issueDate), ...more, ...paid, index, amounts },
    ]
  })
}

const customerTerms = ({ currency }: Company, { name, buys }: Customer) => ({
  customer: name,
  documentType: buys.documentType ?? ('INVOICE' as const),
  currency: buys.currency ?? currency,
})

const datesOf = ({ dueDays }: BuyingPattern, issueDate: string) => ({ issueDate, dueDate: addDays(issueDate, dueDays) })

const taxFor = ({ taxOn, exportCategory }: Company, { taxFree }: BuyingPattern, day: string) => ({
  rate: taxFree ? 0 : taxOn(day),
  exportCategory,
})

/** The day, or the last working day before it. */
function workday(day: string, weekend: readonly number[]): string {
  return weekend.includes(new Date(`${day}T00:00:00Z`).getUTCDay()) ? workday(addDays(day, -1), weekend) : day
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
