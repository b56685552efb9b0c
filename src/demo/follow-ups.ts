import { addDays } from '../core/values/day.ts'
import { percentOf } from '../core/values/money.ts'
import type { Comment, Company } from './company.ts'
import { randomFor } from './random.ts'
import { type Billed, billed, hundredths, major, type Sale } from './sale.ts'

/** Money that came in apart from the document, for one sale or several; what they do not take stays open. */
export type Payment = {
  customer: string
  currency: string
  amount: number
  paidAt: string
  method: string
  shares: { key: string; amount: number }[]
}
export type Credit = { key: string; of: string; items: Billed['items']; reason: string }
export type Receipt = { of: string; paymentDate: string; paymentMethod: string }
export type Thread = { of: string; remarks: readonly Comment[] }

export type After = { payments: Payment[]; credits: Credit[]; receipts: Receipt[]; threads: Thread[] }

type Told = { today: string; sales: readonly Sale[]; ends: ReadonlyMap<number, Sale> }

/** What came after the sales: what the stories tell, and the transfers of those who pay several invoices at once. */
export function afterwards(company: Company, { today, sales, ends }: Told): After {
  const after: After = { payments: transfers(company, { today, sales, ends }), credits: [], receipts: [], threads: [] }
  for (const [story, { customer, sequel }] of company.stories.entries()) {
    const sale = ends.get(story)
    if (!sale || !sequel) continue
    const method = company.customers.find(({ name }) => name === customer)?.buys.method ?? 'BANK_TRANSFER'
    const total = hundredths(sale.total)
    const paid = (daysAgo: number, amount: bigint, share: bigint): Payment => ({
      ...{ customer, currency: sale.currency, amount: major(amount), paidAt: addDays(today, -daysAgo), method },
      shares: [{ key: sale.key, amount: major(share) }],
    })
    if (sequel.kind === 'PART_PAID') {
      const part = percentOf(total, sequel.share * 100, 'half-up')
      after.payments.push(paid(sequel.daysAgo, part, part))
    } else if (sequel.kind === 'OVERPAID')
      after.payments.push(paid(sequel.daysAgo, total + hundredths(sequel.by), total))
    else if (sequel.kind === 'CREDITED') after.credits.push(creditOf(sale, sequel, after.credits.length + 1))
    else if (sequel.kind === 'DISPUTED') after.threads.push({ of: sale.key, remarks: sequel.thread })
    else after.receipts.push({ of: sale.key, paymentDate: addDays(today, -sequel.daysAgo), paymentMethod: method })
  }
  return after
}

/** A part of what stands on the first line of a sale. */
function creditOf(sale: Sale, { says, share, reason }: { says: string; share: number; reason: string }, nth: number) {
  const key = `credit-${nth}`
  const [first] = sale.items
  const price = percentOf(hundredths(first?.amount ?? 0), share * 100, 'half-up')
  const { items } = billed([{ says, price, count: 1, untaxed: first?.taxRate === 0 }], { key, rate: sale.taxRate })
  return { key, of: sale.key, items, reason }
}

/** Invoices in groups, oldest first; a group is paid some days after its last one, the others are still open. */
function transfers(company: Company, { today, sales, ends }: Told): Payment[] {
  const special = new Set([...ends.values()].map(({ key }) => key))
  return company.customers.flatMap(({ name, buys: { together = 0, pays, method } }) => {
    if (together === 0) return []
    const own = sales.filter(({ customer, key }) => customer === name && !special.has(key))
    const groups = Array.from({ length: Math.floor(own.length / together) }, (_, at) =>
      own.slice(at * together, (at + 1) * together),
    )
    const dice = randomFor(`${company.organization.name}, transfers of ${name}`)
    return groups.flatMap((group): Payment[] => {
      const [first] = group
      const paidAt = addDays(group.at(-1)?.issueDate ?? today, dice.whole(...pays))
      if (!first || paidAt > today) return []
      const shares = group.map(({ key, total }) => ({ key, amount: total }))
      const amount = major(shares.reduce((sum, share) => sum + hundredths(share.amount), 0n))
      return [{ customer: name, currency: first.currency, amount, paidAt, method, shares }]
    })
  })
}
