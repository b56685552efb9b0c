import { type Detail, Failure } from '../../core/define/failure.ts'
import type { Warning } from '../../core/define/schema.ts'
import { add, exact, minorDigits, percentOf, round, toMinor } from '../../core/values/money.ts'
import type { NewLine } from './document.ts'

/** Amounts as somebody sent them, in major units. */
export type Totals = {
  currency: string
  items: readonly NewLine[]
  subtotal: number
  taxRate: number | null
  taxAmount: number
  total: number
}

export type LineAmounts = { amount: bigint; quantity: string; unitPrice: string; taxRate: string | null }

/** The same exactly: amounts in minor units, quantities and rates as decimal text. */
export type Amounts = {
  lines: LineAmounts[]
  subtotal: bigint
  taxAmount: bigint
  total: bigint
  taxRate: string | null
  warnings: Warning[]
}

/**
 * Reads what was sent. A draft may be finer than its currency, and is rounded half up with a word about it; on anything
 * else that is refused (INV-01).
 */
export function readAmounts(given: Totals, { draft }: { draft: boolean }): Amounts {
  const { currency } = given
  const finer: Detail[] = []
  const refused: Detail[] = []
  const money = (path: string, value: number) => {
    const parsed = toMinor(value, currency)
    if (parsed.kind === 'too-large') {
      refused.push({ path, message: `${path} is larger than an amount can be.`, code: 'AMOUNT_TOO_LARGE' })
      return 0n
    }
    if (parsed.kind === 'finer')
      finer.push({ path, message: `${path} is finer than ${currency} can be paid.`, code: 'AMOUNT_TOO_FINE' })
    return parsed.minor
  }
  const fraction = (path: string, value: number) => {
    const decimal = exact(value)
    if (decimal.decimalPlaces() > fractionDigits && isReallyFiner(value))
      finer.push({ path, message: `${path} has more than ${fractionDigits} decimal places.`, code: 'TOO_FINE' })
    return decimal.toFixed(fractionDigits)
  }
  const rate = (path: string, value: number | null | undefined) =>
    value === null || value === undefined ? null : fraction(path, value)
  const amounts = {
    lines: given.items.map((line, at) => ({
      amount: money(`items.${at}.amount`, line.amount),
      quantity: fraction(`items.${at}.quantity`, line.quantity),
      unitPrice: fraction(`items.${at}.unitPrice`, line.unitPrice),
      taxRate: rate(`items.${at}.taxRate`, line.taxRate),
    })),
    subtotal: money('subtotal', given.subtotal),
    taxAmount: money('taxAmount', given.taxAmount),
    total: money('total', given.total),
    taxRate: rate('taxRate', given.taxRate),
  }
  if (!draft) refused.push(...finer)
  refuse(refused)
  const rounded = finer.map(({ path, message }) => ({ path, message: `${message} It was rounded.`, code: 'ROUNDED' }))
  return { ...amounts, warnings: [...rounded, ...doubtsAbout(amounts, given)] }
}

/** Quantities, unit prices and rates. */
const fractionDigits = 6

/** 0.1 + 0.2 is not: what binary arithmetic leaves behind is far below what anybody means. */
const isReallyFiner = (value: number) => {
  const decimal = exact(value)
  return decimal.minus(decimal.toFixed(fractionDigits)).abs().gt(exact('1e-9'))
}

type Exact = Omit<Amounts, 'warnings'>

/** Why a document with these amounts cannot be issued (INV-02): each sum may be off by a minor unit for each line. */
export function totalsProblems({ lines, subtotal, taxAmount, total }: Exact): Detail[] {
  const slack = BigInt(lines.length)
  const lineSum = add(lines.map(({ amount }) => amount))
  const off = (a: bigint, b: bigint) => (a > b ? a - b : b - a) > slack
  const objections: Detail[] = []
  const mismatch = (path: string, message: string) => objections.push({ path, message, code: 'AMOUNT_MISMATCH' })
  if (lines.length === 0 && (subtotal !== 0n || taxAmount !== 0n || total !== 0n))
    mismatch('items', 'A document without lines is over nothing: its amounts must be 0.')
  else if (off(lineSum, subtotal)) mismatch('subtotal', 'subtotal is not the sum of the amounts of the lines.')
  if (off(subtotal + taxAmount, total)) mismatch('total', 'total is not subtotal plus taxAmount.')
  if (total < 0n)
    objections.push({
      path: 'total',
      message: 'A document is not issued over less than nothing; credit with a credit memo.',
      code: 'AMOUNT_NEGATIVE',
    })
  return objections
}

/** Throws all that is wrong, if anything is. */
export function refuse(details: Detail[]): void {
  const [first] = details
  if (!first) return
  const message = details.length === 1 ? first.message : details.map((detail) => detail.message).join(' ')
  throw new Failure('VALIDATION', message, { details })
}

/** What looks odd and is nobody's business but the sender's. */
function doubtsAbout(amounts: Exact, { items, currency, taxRate }: Totals): Warning[] {
  const { lines, taxAmount } = amounts
  const odd = lines.flatMap(({ amount }, at): Warning[] => {
    const { quantity = 0, unitPrice = 0 } = items[at] ?? {}
    const product = exact(quantity)
      .times(exact(unitPrice))
      .times(exact(10).pow(minorDigits(currency)))
    if (round(product, 'half-up') === amount) return []
    return [{ code: 'LINE_AMOUNT', path: `items.${at}.amount`, message: 'amount is not quantity times unitPrice.' }]
  })
  const owed = add(lines.map(({ amount, taxRate: own }) => percentOf(amount, own ?? taxRate ?? 0, 'half-up')))
  const isTaxed = taxRate !== null || lines.some((line) => line.taxRate !== null)
  const gap = owed > taxAmount ? owed - taxAmount : taxAmount - owed
  if (isTaxed && gap > BigInt(Math.max(1, lines.length)))
    odd.push({ code: 'TAX_AMOUNT', path: 'taxAmount', message: 'taxAmount is not the rate of the amounts.' })
  return odd
}
