import type { Figure, ReadRow } from './figures.ts'
import { placeHints } from './places.ts'
import type { Amount } from './text/amounts.ts'
import { amountOf, figuresOfKind, mostOfKind } from './totals.ts'

/** The tax of the document with the net amount it is on, and which calculations agree. */
export type Tax = {
  amount: Amount
  /** The sum of several printed amounts, in hundredths. */
  cents: number
  rate: { value: string; amount: Amount | null } | null
  addsUp: boolean
  fitsRate: boolean
  /** Whether one rate alone is printed and it gives another tax. */
  contradictsRate: boolean
  score: number
}

export type Net = { amount: Amount; addsUp: boolean }

type Option = { amount: Amount; cents: number; score: number }

export function findTax(
  rows: readonly ReadRow[],
  figures: readonly Figure[],
  total: number | undefined,
  country: string,
): Tax | undefined {
  const nets = [...new Set(netsOf(figures, total))].slice(-3 * mostOfKind)
  const options = [...optionsOf(rows, figures), ...unlabelled(rows, nets, total)].slice(-50)
  const others = othersOf(figures)
  const rates = ratesIn(rows, figures).slice(-20)
  let best: Tax | undefined
  for (const option of options) {
    const tax = judge(option, total, nets, others, rates, placeHints(country).taxRates)
    if (!best || tax.score > best.score) best = tax
  }
  return best
}

/** Subtotals, and other sums below the total. */
const netsOf = (figures: readonly Figure[], total: number | undefined): number[] =>
  figures.flatMap((figure) => {
    const cents = amountOf(figure)?.cents ?? 0
    const isSum = figure.kind === 'amount' || figure.kind === 'total'
    return cents > 0 && (figure.kind === 'subtotal' || (isSum && cents < (total ?? 0))) ? [cents] : []
  })

/** Amounts of rows without a label of their own, as when it is misread: those that make the total from a subtotal. */
function unlabelled(rows: readonly ReadRow[], nets: readonly number[], total: number | undefined): Option[] {
  if (total === undefined) return []
  return rows.flatMap((row) => {
    const money = row.amounts.filter(({ decimals, isPercent }) => decimals === 2 && !isPercent)
    const [amount] = money
    const isOther = row.labels.some(({ kind }) => otherKinds.has(kind))
    if (!amount || money.length !== 1 || isOther || !nets.includes(total - amount.cents)) return []
    return amount.cents >= 0.01 * total && amount.cents <= 0.3 * total
      ? [{ amount, cents: amount.cents, score: 0 }]
      : []
  })
}

const otherKinds = new Set([
  'service',
  'discount',
  'rounding',
  'cash',
  'change',
  'card',
  'paid',
  'quantity',
  'subtotal',
])

/** Charges, discounts and rounding that may stand between the subtotal and the total. */
export const othersOf = (figures: readonly Figure[]): number[] => {
  const values = figuresOfKind(figures, 'service', 'rounding', 'discount')
    .flatMap((figure) => amountOf(figure)?.cents ?? [])
    .slice(-mostOfKind)
  const signed = values.flatMap((value) => [value, -value])
  return [...new Set([0, ...signed, ...signed.flatMap((one) => signed.map((other) => one + other))])]
}

function optionsOf(rows: readonly ReadRow[], figures: readonly Figure[]): Option[] {
  const printed = figuresOfKind(figures, 'tax', 'taxIncluded').flatMap((figure): Option[] => {
    const amount = amountOf(figure)
    if (amount?.decimals !== 2 || amount.cents < 0) return []
    return [
      {
        amount,
        cents: amount.cents,
        score:
          3 -
          figure.edits * 0.5 -
          (figure.isLoose ? 1.5 : 0) -
          (figure.inSummary ? 1 : 0) -
          (figure.place === 'same' ? 0 : 1),
      },
    ]
  })
  const own = figuresOfKind(figures, 'tax').filter(({ inSummary }) => !inSummary)
  const amounts = own.flatMap((figure) => amountOf(figure) ?? []).filter(({ decimals }) => decimals === 2)
  const several: Option[] =
    amounts.length > 1 && amounts[0]
      ? [{ amount: amounts[0], cents: amounts.reduce((sum, { cents }) => sum + cents, 0), score: 1 }]
      : []
  const table = pairsIn(rows).map(({ tax }): Option => ({ amount: tax, cents: tax.cents, score: 2 }))
  return [...printed, ...several, ...table]
}

type Pair = { net: Amount; tax: Amount; rate: number | null }

/** Rows of a table of taxes: a net amount and its tax, which is some part of it below 30 %, in either order. */
function pairsIn(rows: readonly ReadRow[]): Pair[] {
  return rows.flatMap((row) => {
    const isTaxRow = row.amounts.some(({ isPercent }) => isPercent) || row.labels.some(({ kind }) => kind === 'tax')
    const money = row.amounts.filter(({ decimals, isPercent, cents }) => decimals === 2 && !isPercent && cents > 0)
    const [tax, net] = money.slice(-2).sort((a, b) => a.cents - b.cents)
    if (!isTaxRow || !net || !tax || money.length < 2 || tax.cents > 0.3 * net.cents) return []
    const rate = row.amounts.find(({ isPercent }) => isPercent)
    return [{ net, tax, rate: rate ? rate.cents / 100 : null }]
  })
}

type Rate = { percent: number; value: string; amount: Amount }

/** Printed rates of tax, in rows that speak of tax. */
function ratesIn(rows: readonly ReadRow[], figures: readonly Figure[]): Rate[] {
  const ofTax = new Set<Figure['kind']>(['tax', 'taxIncluded', 'subtotal', 'total'])
  const taxRows = new Set(figures.flatMap(({ kind, inSummary, row }) => (ofTax.has(kind) || inSummary ? [row] : [])))
  return rows
    .filter(
      (row) =>
        taxRows.has(row.index) || row.labels.some(({ kind }) => kind === 'tax') || /\b(?:SR|ZRL?)\b/.test(row.text),
    )
    .flatMap((row) => row.amounts.filter(({ isPercent, cents }) => isPercent && cents > 0 && cents <= 3000))
    .map((amount) => ({ percent: Number(amount.value), value: amount.value.replace(/\.0+$/, ''), amount }))
}

const isRateOf = (percent: number, tax: number, net: number): boolean => Math.abs(tax - (net * percent) / 100) <= 1.5

function judge(
  option: Option,
  total: number | undefined,
  nets: readonly number[],
  others: readonly number[],
  rates: readonly Rate[],
  usual: readonly number[],
): Tax {
  const { cents } = option
  let score = option.score
  const addsUp = total !== undefined && nets.some((net) => others.some((other) => net + cents + other === total))
  const bases = total === undefined ? nets : [...nets, ...others.map((other) => total - cents + other)]
  const rate = cents > 0 ? rates.find(({ percent }) => bases.some((base) => isRateOf(percent, cents, base))) : undefined
  const fitsUsual = cents > 0 && usual.some((percent) => bases.some((base) => isRateOf(percent, cents, base)))
  if (addsUp && cents > 0) score += 4
  if (rate) score += 3
  else if (fitsUsual) score += 1.5
  if (total !== undefined && cents > 0.35 * total) score -= 6
  if (cents === 0) score -= 2
  const computed = rate || cents === 0 ? null : computedRate(cents, nets, total, usual)
  const found = rate ? { value: rate.value, amount: rate.amount } : computed ? { value: computed, amount: null } : null
  const fitsRate = rate !== undefined || fitsUsual
  const contradictsRate = !fitsRate && cents > 0 && new Set(rates.map(({ percent }) => percent)).size === 1
  return { amount: option.amount, cents, rate: found, addsUp, fitsRate, contradictsRate, score }
}

/** The rate that the amounts give, if it is a usual one or one with a few decimals. */
function computedRate(
  tax: number,
  nets: readonly number[],
  total: number | undefined,
  usual: readonly number[],
): string | null {
  if (total === undefined) return null
  const isNet = nets.includes(total - tax)
  const known = usual.find((percent) => isRateOf(percent, tax, total - tax))
  if (known !== undefined) return String(known)
  if (!isNet) return null
  for (const step of [1, 4, 8]) {
    const percent = Math.round((tax / (total - tax)) * 100 * step) / step
    if (percent > 0 && percent < 30 && isRateOf(percent, tax, total - tax)) return String(percent)
  }
  return null
}

/** The net amount: the subtotal that gives the total with the tax, or else the last one before the total. */
export function findNet(
  figures: readonly Figure[],
  total: number | undefined,
  tax: number | undefined,
): Net | undefined {
  const sumsOf = (...kinds: Figure['kind'][]) =>
    figuresOfKind(figures, ...kinds)
      .filter(({ inSummary }) => !inSummary)
      .flatMap((figure) => amountOf(figure) ?? [])
      .filter(({ decimals, cents }) => decimals === 2 && cents > 0)
  const labelled = sumsOf('subtotal')
  const printed =
    labelled.length > 0 ? labelled : sumsOf('amount', 'total').filter(({ cents }) => tax && cents + tax === total)
  const others = othersOf(figures)
  const adding = printed.filter(
    ({ cents }) => total !== undefined && others.some((other) => cents + (tax ?? 0) + other === total),
  )
  const amount = adding.find(({ cents }) => cents + (tax ?? 0) === total) ?? adding.at(-1) ?? printed.at(-1)
  return amount ? { amount, addsUp: adding.includes(amount) } : undefined
}
