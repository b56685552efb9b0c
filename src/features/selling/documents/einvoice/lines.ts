import { Decimal } from 'decimal.js'
import { exact, minorDigits } from '../../../../core/values/money.ts'
import type { DocumentRow } from '../reading/read.ts'
import type { Adjustment, Category, Line } from './einvoice.ts'
import { oneLine } from './text.ts'

type Item = DocumentRow['items'][number]

/** An amount in minor units of a currency, exact and in the major unit. */
export const inMajor = (minor: number | bigint, currency: string): Decimal =>
  exact(minor).div(exact(10).pow(minorDigits(currency)))

const zero = exact(0)
const cents = (value: Decimal) => value.toDecimalPlaces(2, Decimal.ROUND_HALF_UP)

/**
 * A line whose net amount is the one of the document. The standard wants it to be quantity times price less allowances plus
 * charges: what the document has beyond its discount is an adjustment. Prices are never negative, so a negative line has a
 * negative quantity.
 */
export function toLine(item: Item, { currency, category }: { currency: string; category: Category }): Line {
  const net = inMajor(item.amountMinor, currency)
  const discount = discountOf(item, { net, currency })
  const { quantity, price } = priced(item, { net, discount: discount?.amount })
  const base = cents(quantity.times(price))
  const adjustments: Adjustment[] = []
  if (discount?.amount.gt(0) && quantity.gt(0)) {
    const { amount, percent } = discount
    adjustments.push({ isCharge: false, amount, reason: 'Discount', share: percent && { percent, base } })
  }
  const rest = net.minus(base.minus(sumOf(adjustments)))
  if (!rest.isZero()) adjustments.push(adjustment(rest, 'Adjustment'))
  return { name: oneLine(item.description) || '-', quantity, price, adjustments, net, category }
}

/** Allowances less charges. */
export const sumOf = (adjustments: readonly Adjustment[]): Decimal =>
  adjustments.reduce((sum, { isCharge, amount }) => (isCharge ? sum.minus(amount) : sum.plus(amount)), zero)

/** A difference of the net amount as a charge, or as an allowance if it is negative. */
export const adjustment = (difference: Decimal, reason: string): Adjustment => ({
  isCharge: difference.gt(0),
  amount: difference.abs(),
  reason,
  share: null,
})

/** The discount of a line in the major unit; undefined if it has none. */
function discountOf({ quantity, unitPrice, discountPercent, discountMinor }: Item, { net, currency }: Amount) {
  if (discountMinor !== null)
    return discountMinor > 0 ? { amount: inMajor(discountMinor, currency), percent: null } : undefined
  if (!discountPercent) return undefined
  const gross = cents(exact(quantity).times(exact(unitPrice)))
  const share = gross.times(exact(discountPercent)).div(100)
  const [percent, taken] = [exact(discountPercent), gross.minus(net)]
  // What was taken off is the percentage, rounded on the amount of the line.
  if (isNear(taken, share) && taken.gte(0)) return { amount: taken, percent }
  return { amount: cents(share), percent }
}

type Amount = { net: Decimal; currency: string }

const isNear = (a: Decimal, b: Decimal) => a.minus(b).abs().lte('0.01')

/** The quantity with the sign of the amount. A line without a quantity is one piece at its amount. */
function priced({ quantity, unitPrice }: Item, { net, discount }: { net: Decimal; discount: Decimal | undefined }) {
  const [given, price] = [exact(quantity), exact(unitPrice)]
  const product = given.times(price)
  if (product.isZero() && !net.isZero()) return { quantity: exact(net.lt(0) ? -1 : 1), price: net.abs() }
  const isExplained = discount !== undefined && isNear(product.minus(discount), net)
  return { quantity: net.lt(0) && !isExplained ? given.neg() : given, price }
}
