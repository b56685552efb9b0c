import { invalid } from '../../../../core/define/failure.ts'
import { add, exact, percentOf, round, split, toMajor } from '../../../../core/values/money.ts'
import type { NewLine } from '../document.ts'
import {
  type CreditedBefore,
  creditLines,
  debitLines,
  type MemoLine,
  rateOf,
  remainingLines,
  type Source,
} from './memo-lines.ts'

/** The lines and amounts of a memo in major units, and its total and tax in minor units. */
export type MemoContent = {
  items: NewLine[]
  subtotal: number
  taxAmount: number
  total: number
  totalMinor: number
  taxMinor: number
}

type Sums = { subtotal: bigint; tax: bigint; total: bigint }

/** A credit memo over the given lines, or over all that is left. Refuses to credit more than is left. */
export function creditContent(
  source: Source,
  items: readonly NewLine[] | undefined,
  before: CreditedBefore,
): MemoContent {
  const lines = items ? creditLines(source, items, before) : remainingLines(source, before)
  if (lines.length === 0) throw overTotal('Nothing is left to credit of the document.')
  if (!items) return restContent(source, lines, before)
  const rates = ratesOf(source, lines, before)
  for (const { rate, net, credited } of rates)
    if (credited > (net > 0n ? net : 0n) && lines.some((line) => line.rate === rate))
      throw overTotal('The memo is larger than the part of the document that is not credited yet.')
  const isRest = rates.every(({ net, credited }) => credited === net)
  return isRest ? restContent(source, lines, before) : partContent(source, lines, { rates, before })
}

/** A debit memo: the tax of each rate is rounded once. */
export function debitContent(source: Source, items: readonly NewLine[]): MemoContent {
  const lines = debitLines(source, items)
  const subtotal = add(lines.map(({ minor }) => minor))
  const tax = add([...netByRate(lines)].map(([rate, net]) => percentOf(net, rate, 'half-up')))
  return toContent(source, lines, { subtotal, tax, total: subtotal + tax })
}

/** A rate of the document: its net and tax, the net of this memo, and the net credited by it and the memos before. */
type RateShare = { rate: number; net: bigint; tax: bigint; memo: bigint; credited: bigint }

function ratesOf(source: Source, lines: readonly MemoLine[], before: CreditedBefore): RateShare[] {
  const ofSource = source.items.map((line) => ({ minor: BigInt(line.amountMinor), rate: rateOf(source, line) }))
  const ofBefore = before.lines.map(({ id, amountMinor, taxRate }) => {
    const line = source.items.find((each) => each.id === id)
    return { minor: BigInt(amountMinor), rate: line ? rateOf(source, line) : taxRate }
  })
  const [nets, memo, earlier] = [netByRate(ofSource), netByRate(lines), netByRate(ofBefore)]
  const taxes = taxByRate(source, nets)
  const rates = new Set([...nets.keys(), ...memo.keys(), ...earlier.keys()])
  return [...rates].map((rate) => ({
    rate,
    net: nets.get(rate) ?? 0n,
    tax: taxes.get(rate) ?? 0n,
    memo: memo.get(rate) ?? 0n,
    credited: (memo.get(rate) ?? 0n) + (earlier.get(rate) ?? 0n),
  }))
}

function netByRate(lines: readonly { minor: bigint; rate: number }[]): Map<number, bigint> {
  const nets = new Map<number, bigint>()
  for (const { minor, rate } of lines) nets.set(rate, (nets.get(rate) ?? 0n) + minor)
  return nets
}

/** The tax of the document by rate; its sum is the tax of the document, which may differ from the rates. */
function taxByRate({ taxMinor }: Source, nets: Map<number, bigint>): Map<number, bigint> {
  const rates = [...nets.keys()]
  const computed = rates.map((rate) => percentOf(nets.get(rate) ?? 0n, rate, 'half-up'))
  if (rates.length > 1 && computed.some((tax) => tax < 0n))
    return new Map(rates.map((rate, at) => [rate, computed[at] ?? 0n]))
  const weights = computed.some((tax) => tax > 0n) ? computed : rates.map((rate) => positive(nets.get(rate) ?? 0n))
  const taxes = rates.length === 0 ? [] : split(BigInt(taxMinor), rates.length === 1 ? [1] : weights)
  return new Map(rates.map((rate, at) => [rate, taxes[at] ?? 0n]))
}

const positive = (minor: bigint) => (minor > 0n ? minor : 0n)

type Part = { rates: readonly RateShare[]; before: CreditedBefore }

/**
 * A part of the document: the tax of each rate is rounded once. The tax of all memos so far stays within a minor unit of
 * their exact share of the document's tax, so that the roundings of many memos do not add up.
 */
function partContent(source: Source, lines: readonly MemoLine[], { rates, before }: Part): MemoContent {
  const subtotal = add(lines.map(({ minor }) => minor))
  const computed = add(rates.map((share) => taxOfShare(share, share.memo)))
  const exactTax = rates.reduce((sum, { net, tax, credited }) => sum.plus(shareOf(tax, credited, net)), exact(0))
  const earlier = BigInt(before.taxMinor)
  const lowest = BigInt(exactTax.floor().toFixed(0)) - earlier
  const highest = BigInt(exactTax.ceil().toFixed(0)) - earlier
  const candidates = [lowest, computed, highest].toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  const within = candidates[1] ?? computed
  const tax = within < 0n && subtotal > 0n ? 0n : within
  const left = BigInt(source.totalMinor - before.totalMinor)
  const excess = subtotal + tax - left
  const rounding = excess > 0n && excess <= BigInt(lines.length) && excess <= tax ? excess : 0n
  if (excess > rounding && excess > 0n)
    throw overTotal('The memo is larger than the part of the document that is not credited yet.')
  return toContent(source, lines, { subtotal, tax: tax - rounding, total: subtotal + tax - rounding })
}

const shareOf = (tax: bigint, part: bigint, net: bigint) =>
  net === 0n ? exact(0) : exact(tax).times(exact(part)).div(exact(net))

/** By the rate if the tax of the document follows it, else in proportion to the tax of the document. */
function taxOfShare({ rate, net, tax }: RateShare, part: bigint): bigint {
  const followsRate = exact(net).times(rate).div(100).minus(exact(tax)).abs().lt(1)
  return followsRate ? percentOf(part, rate, 'half-up') : round(shareOf(tax, part, net), 'half-up')
}

/** All that is left: the amounts of the document less those of the memos before, to the minor unit. */
function restContent(source: Source, lines: readonly MemoLine[], before: CreditedBefore): MemoContent {
  const subtotal = BigInt(source.subtotalMinor - before.subtotalMinor)
  const tax = BigInt(source.taxMinor - before.taxMinor)
  const total = BigInt(source.totalMinor - before.totalMinor)
  // A difference of the document between its lines and its subtotal may be too large for the few lines of this memo.
  const tolerance = BigInt(Math.ceil(lines.length / 2))
  const difference = subtotal - add(lines.map(({ minor }) => minor))
  const isLarge = difference > tolerance || difference < -tolerance
  const largest = lines.reduce((best, { minor }, at) => (minor > (lines[best]?.minor ?? 0n) ? at : best), 0)
  const adjusted = lines.map((line, at) => {
    if (!isLarge || at !== largest) return line
    return { ...line, minor: line.minor + difference, amount: toMajor(line.minor + difference, source.currency) }
  })
  const taxDifference = total - subtotal - tax
  const isTaxLarge = taxDifference > tolerance + 1n || taxDifference < -tolerance - 1n
  return toContent(source, adjusted, { subtotal, tax: isTaxLarge ? total - subtotal : tax, total })
}

function toContent({ currency }: Source, lines: readonly MemoLine[], { subtotal, tax, total }: Sums): MemoContent {
  if (total <= 0n) throw invalid('items', `The total of a memo in ${currency} must be positive.`, 'AMOUNT')
  const major = (minor: bigint) => toMajor(minor, currency)
  return {
    items: lines.map(({ minor: _, rate: __, ...line }) => line),
    subtotal: major(subtotal),
    taxAmount: major(tax),
    total: major(total),
    totalMinor: Number(total),
    taxMinor: Number(tax),
  }
}

const overTotal = (message: string) => invalid('items', message, 'AMOUNT_OVER_TOTAL')
