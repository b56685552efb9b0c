import { type Detail, Failure } from '../core/define/failure.ts'
import type { Warning } from '../core/define/schema.ts'
import { add, exact, minorDigits, percentOf, round, toMinor } from '../core/values/money.ts'

/** A line of a document as a caller writes it, in major units. */
export type LineInput = {
  id: string
  description: string
  quantity: number
  unitPrice: number
  amount: number
  itemId?: string | null
  taxRate?: number | null
  taxCategory?: string | null
  /** A discount that `amount` already takes off: a percentage or an amount, not both. */
  discountPercent?: number | null
  discountAmount?: number | null
}

/** The amounts of a document as the caller sent them, in major units. */
export type Totals = {
  currency: string
  items: readonly LineInput[]
  subtotal: number
  taxRate: number | null
  taxAmount: number
  total: number
}

export type LineAmounts = {
  amount: bigint
  quantity: string
  unitPrice: string
  taxRate: string | null
  /** The discount: a percentage, or minor units as text. */
  discountPercent: string | null
  discountMinor: string | null
}

/** The same in exact form: amounts in minor units, quantities and rates as decimal text. */
export type Amounts = {
  lines: LineAmounts[]
  subtotal: bigint
  taxAmount: bigint
  total: bigint
  taxRate: string | null
  warnings: Warning[]
}

/**
 * Converts the amounts to exact form. Amounts with more decimal places than the currency are rounded half up with a warning
 * on a draft, and refused otherwise (INV-01).
 */
export function readAmounts(given: Totals, { draft }: { draft: boolean }): Amounts {
  const { tooFine, tooLarge, money, fraction } = amountReader(given.currency)
  const rate = (path: string, value: number | null | undefined) =>
    value === null || value === undefined ? null : fraction(path, value)
  const optionalMoney = (path: string, value: number | null | undefined) =>
    value === null || value === undefined ? null : String(money(path, value))
  const amounts = {
    lines: given.items.map((line, at) => ({
      amount: money(`items.${at}.amount`, line.amount),
      quantity: fraction(`items.${at}.quantity`, line.quantity),
      unitPrice: fraction(`items.${at}.unitPrice`, line.unitPrice),
      taxRate: rate(`items.${at}.taxRate`, line.taxRate),
      discountPercent: rate(`items.${at}.discountPercent`, line.discountPercent),
      discountMinor: optionalMoney(`items.${at}.discountAmount`, line.discountAmount),
    })),
    subtotal: money('subtotal', given.subtotal),
    taxAmount: money('taxAmount', given.taxAmount),
    total: money('total', given.total),
    taxRate: rate('taxRate', given.taxRate),
  }
  refuseProblems([...doubleDiscounts(given.items), ...tooLarge, ...(draft ? [] : tooFine)])
  const rounded = tooFine.map(({ path, message }) => ({ path, message: `${message} It was rounded.`, code: 'ROUNDED' }))
  return { ...amounts, warnings: [...rounded, ...amountWarnings(amounts, given)] }
}

/** A line has a discount in percent or as an amount. */
const doubleDiscounts = (items: readonly LineInput[]): Detail[] =>
  items.flatMap(({ discountPercent, discountAmount }, at) =>
    typeof discountPercent === 'number' && typeof discountAmount === 'number'
      ? [
          {
            path: `items.${at}.discountAmount`,
            message: 'A line has either discountPercent or discountAmount, not both.',
            code: 'TWO_DISCOUNTS',
          },
        ]
      : [],
  )

/** Converts single values and collects those that are too large or have too many decimal places. */
function amountReader(currency: string) {
  const tooFine: Detail[] = []
  const tooLarge: Detail[] = []
  const money = (path: string, value: number) => {
    const parsed = toMinor(value, currency)
    if (parsed.kind === 'too-large') {
      tooLarge.push({ path, message: `${path} is larger than an amount can be.`, code: 'AMOUNT_TOO_LARGE' })
      return 0n
    }
    if (parsed.kind === 'finer')
      tooFine.push({ path, message: `${path} has more decimal places than ${currency}.`, code: 'AMOUNT_TOO_FINE' })
    return parsed.minor
  }
  const fraction = (path: string, value: number) => {
    const decimal = exact(value)
    if (decimal.decimalPlaces() > fractionDigits && isFinerThanNoise(value))
      tooFine.push({ path, message: `${path} has more than ${fractionDigits} decimal places.`, code: 'TOO_FINE' })
    return decimal.toFixed(fractionDigits)
  }
  return { tooFine, tooLarge, money, fraction }
}

/** The decimal places of quantities, unit prices and rates. */
const fractionDigits = 6

/** Whether the further decimal places are more than a binary rounding error, such as that of 0.1 + 0.2. */
const isFinerThanNoise = (value: number) => {
  const decimal = exact(value)
  return decimal.minus(decimal.toFixed(fractionDigits)).abs().gt(exact('1e-9'))
}

type ExactAmounts = Omit<Amounts, 'warnings'>

/**
 * The reasons why a document with these amounts cannot be issued (INV-02). Sums may differ by half a minor unit per line,
 * rounded up, and by one more where the tax is added. The same rule is `amounts_match()` in the database.
 */
export function totalsProblems({ lines, subtotal, taxAmount, total }: ExactAmounts): Detail[] {
  const tolerance = BigInt(Math.ceil(lines.length / 2))
  const lineSum = add(lines.map(({ amount }) => amount))
  const differ = (a: bigint, b: bigint, most: bigint) => (a > b ? a - b : b - a) > most
  const problems: Detail[] = []
  const mismatch = (path: string, message: string) => problems.push({ path, message, code: 'AMOUNT_MISMATCH' })
  if (lines.length === 0 && (subtotal !== 0n || taxAmount !== 0n || total !== 0n))
    mismatch('items', 'The amounts of a document without lines must be 0.')
  else if (differ(lineSum, subtotal, tolerance)) mismatch('subtotal', 'subtotal is not the sum of the line amounts.')
  if (differ(subtotal + taxAmount, total, tolerance + 1n)) mismatch('total', 'total is not subtotal plus taxAmount.')
  if (total < 0n)
    problems.push({
      path: 'total',
      message: 'The total of an issued document must not be negative. Use a credit memo to credit a customer.',
      code: 'AMOUNT_NEGATIVE',
    })
  return problems
}

/** Throws one failure with all problems, if there are any. */
export function refuseProblems(problems: readonly Detail[]): void {
  const [first] = problems
  if (!first) return
  const message = problems.map((problem) => problem.message).join(' ')
  throw new Failure('VALIDATION', message, { details: [...problems] })
}

/** Line and tax amounts that look wrong but are accepted. */
function amountWarnings(amounts: ExactAmounts, { items, currency, taxRate }: Totals): Warning[] {
  const { lines, taxAmount } = amounts
  const warnings = lines.flatMap(({ amount, discountPercent, discountMinor }, at): Warning[] => {
    const { quantity = 0, unitPrice = 0 } = items[at] ?? {}
    const product = exact(quantity)
      .times(exact(unitPrice))
      .times(exact(10).pow(minorDigits(currency)))
    const discount = discountMinor ?? product.times(discountPercent ?? 0).div(100)
    if (round(product.minus(discount), 'half-up') === amount) return []
    const isDiscounted = discountPercent !== null || discountMinor !== null
    const message = `amount is not quantity times unitPrice${isDiscounted ? ' less the discount' : ''}.`
    return [{ code: 'LINE_AMOUNT', path: `items.${at}.amount`, message }]
  })
  const computedTax = add(lines.map((line) => percentOf(line.amount, line.taxRate ?? taxRate ?? 0, 'half-up')))
  const isTaxed = taxRate !== null || lines.some((line) => line.taxRate !== null)
  const difference = computedTax > taxAmount ? computedTax - taxAmount : taxAmount - computedTax
  if (isTaxed && difference > BigInt(Math.max(1, lines.length)))
    warnings.push({
      code: 'TAX_AMOUNT',
      path: 'taxAmount',
      message: 'taxAmount does not match the tax rates of the lines.',
    })
  return warnings
}
