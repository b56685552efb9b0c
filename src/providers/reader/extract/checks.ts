import type { Check } from '../reading.ts'
import type { Figure } from './figures.ts'
import type { FoundItems } from './items.ts'
import { type Net, othersOf, type Tax } from './tax.ts'
import { amountOf, figuresOfKind } from './totals.ts'

export type Parts = {
  figures: readonly Figure[]
  total: number | undefined
  net: Net | undefined
  tax: Tax | undefined
  items: FoundItems
}

/** The calculations for which the document has all numbers. */
export function checksOf({ figures, total, net, tax, items }: Parts): Check[] {
  if (total === undefined) return []
  const checks: Check[] = []
  const others = othersOf(figures)
  const addsUp = (...sums: number[]) => sums.some((sum) => others.some((other) => sum + other === total))
  // Of prices that include tax the subtotal already is the total, so there is nothing to add.
  if (net && tax && net.amount.cents !== total) {
    checks.push({ rule: 'SUBTOTAL_PLUS_TAX', holds: addsUp(net.amount.cents + tax.cents) })
  }
  if (items.items.length > 0) {
    checks.push({
      rule: 'ITEMS_ADD_UP',
      holds: addsUp(items.sum, items.sum + (tax?.cents ?? 0)) || items.sum === net?.amount.cents,
    })
  }
  const [cash, changes] = [paid(figures, 'cash', 'paid'), paid(figures, 'change')]
  if (cash.length > 0 && changes.length > 0) {
    const holds = cash.some((one) => changes.some((change) => one - Math.abs(change) === total))
    checks.push({ rule: 'CASH_MINUS_CHANGE', holds })
  }
  if (tax?.rate?.amount || tax?.contradictsRate) checks.push({ rule: 'TAX_RATE', holds: tax.fitsRate })
  return checks
}

const paid = (figures: readonly Figure[], ...kinds: Figure['kind'][]): number[] =>
  figuresOfKind(figures, ...kinds).flatMap((figure) => (figure.inSummary ? [] : (amountOf(figure)?.cents ?? [])))
