import { addDays } from '../core/values/day.ts'
import { percentOf } from '../core/values/money.ts'
import type { Comment, Company } from './company.ts'
import { randomFor } from './random.ts'
import { type Amounts, amountsOf, hundredths, major, type Sale } from './sale.ts'

/** A payment for one sale or several. The part of the amount that is not allocated stays open. */
export type Payment = {
  customer: string
  currency: string
  amount: number
  paidAt: string
  method: string
  shares: { key: string; amount: number }[]
}
export type Credit = { key: string; of: string; items: Amounts['items']; reason: string }
export type Receipt = { of: string; paymentDate: string; paymentMethod: string }
export type Thread = { of: string; comments: readonly Comment[] }

export type FollowUps = { payments: Payment[]; credits: Credit[]; receipts: Receipt[]; threads: Thread[] }

type SaleContext = { today: string; sales: readonly Sale[]; salesByIndex: ReadonlyMap<number, Sale> }

/** What followed the sales: the follow-ups of special sales, and payments of customers who pay several invoices at once. */
export function followUpsOf(company: Company, { today, sales, salesByIndex }: SaleContext): FollowUps {
  const followUps: FollowUps = {
    payments: collectivePayments(company, { today, sales, salesByIndex }),
    credits: [],
    receipts: [],
    threads: [],
  }
  for (const [index, { customer, followUp }] of company.specialSales.entries()) {
    const sale = salesByIndex.get(index)
    if (!sale || !followUp) continue
    const method = company.customers.find(({ name }) => name === customer)?.buys.method ?? 'BANK_TRANSFER'
    const total = hundredths(sale.total)
    const paid = (daysAgo: number, amount: bigint, share: bigint): Payment => ({
      ...{ customer, currency: sale.currency, amount: major(amount), paidAt: addDays(today, -daysAgo), method },
      shares: [{ key: sale.key, amount: major(share) }],
    })
    if (followUp.kind === 'PART_PAID') {
      const part = percentOf(total, followUp.share * 100, 'half-up')
      followUps.payments.push(paid(followUp.daysAgo, part, part))
    } else if (followUp.kind === 'OVERPAID')
      followUps.payments.push(paid(followUp.daysAgo, total + hundredths(followUp.by), total))
    else if (followUp.kind === 'CREDITED')
      followUps.credits.push(creditOf(sale, followUp, followUps.credits.length + 1))
    else if (followUp.kind === 'DISPUTED') followUps.threads.push({ of: sale.key, comments: followUp.thread })
    else
      followUps.receipts.push({ of: sale.key, paymentDate: addDays(today, -followUp.daysAgo), paymentMethod: method })
  }
  return followUps
}

/** A credit for a share of the first line of a sale. */
function creditOf(
  sale: Sale,
  { description, share, reason }: { description: string; share: number; reason: string },
  nth: number,
) {
  const key = `credit-${nth}`
  const [first] = sale.items
  const price = percentOf(hundredths(first?.amount ?? 0), share * 100, 'half-up')
  const { items } = amountsOf([{ description, price, quantity: 1, untaxed: first?.taxRate === 0 }], {
    key,
    rate: sale.taxRate,
    exportCategory: first?.taxCategory,
  })
  return { key, of: sale.key, items, reason }
}

/** Pays invoices in groups, oldest first, some days after the last one of the group. Later ones stay open. */
function collectivePayments(company: Company, { today, sales, salesByIndex }: SaleContext): Payment[] {
  const special = new Set([...salesByIndex.values()].map(({ key }) => key))
  return company.customers.flatMap(({ name, buys: { invoicesPerTransfer = 0, paysAfterDays, method } }) => {
    if (invoicesPerTransfer === 0) return []
    const own = sales.filter(({ customer, key }) => customer === name && !special.has(key))
    const groups = Array.from({ length: Math.floor(own.length / invoicesPerTransfer) }, (_, at) =>
      own.slice(at * invoicesPerTransfer, (at + 1) * invoicesPerTransfer),
    )
    const random = randomFor(`${company.organization.name}, transfers of ${name}`)
    return groups.flatMap((group): Payment[] => {
      const [first] = group
      const paidAt = addDays(group.at(-1)?.issueDate ?? today, random.integer(...paysAfterDays))
      if (!first || paidAt > today) return []
      const shares = group.map(({ key, total }) => ({ key, amount: total }))
      const amount = major(shares.reduce((sum, share) => sum + hundredths(share.amount), 0n))
      return [{ customer: name, currency: first.currency, amount, paidAt, method, shares }]
    })
  })
}
