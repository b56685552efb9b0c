import { invalid } from '../../../../core/define/failure.ts'
import { add, exact, split, toMajor, toMinor } from '../../../../core/values/money.ts'
import type { NewLine } from '../document.ts'
import type { DocumentRow } from '../reading/read.ts'

/** The document that a memo corrects. */
export type Source = Pick<
  DocumentRow,
  'currency' | 'taxRate' | 'items' | 'subtotalMinor' | 'taxMinor' | 'totalMinor' | 'invoiceNumber'
>

/** What earlier credit memos of a document have credited. */
export type CreditedBefore = {
  subtotalMinor: number
  taxMinor: number
  totalMinor: number
  lines: readonly { id: string; description: string; amountMinor: number; taxRate: number; quantity?: number }[]
}

/** A line of a memo with its exact amount and the rate that applies to it. */
export type MemoLine = NewLine & { minor: bigint; rate: number }

type SourceLine = Source['items'][number]

/** The rate of a line: its own or that of the document. Rates are compared as numbers: "9" and "9.000000" are the same. */
export const rateOf = ({ taxRate }: Pick<Source, 'taxRate'>, line: { taxRate?: number | null }): number =>
  Number(line.taxRate ?? taxRate ?? 0)

/**
 * The lines of a credit memo. A line with the id of a line of the document credits that line, at its rate and category; its
 * goods come back into the stock unless the memo says that the line is about no item (null).
 */
export function creditLines(source: Source, items: readonly NewLine[], before: CreditedBefore): MemoLine[] {
  return items.map((item, at) => {
    const path = `items.${at}`
    const credited = source.items.find(({ id }) => id === item.id)
    const minor = memoMinor(item.amount, source.currency, `${path}.amount`)
    if (!credited) return { ...item, ...rateOfOther(source, item, path), minor }
    refuseOtherTax(source, credited, item, path)
    refuseOverLine(source, credited, { minor, before, path })
    const { taxRate, taxCategory, itemId } = credited
    return {
      ...item,
      itemId: item.itemId === undefined ? itemId : item.itemId,
      taxRate,
      taxCategory,
      minor,
      rate: rateOf(source, credited),
    }
  })
}

/** The lines of a debit memo: a line with the id of a line of the document has its rate and category unless it names others. */
export const debitLines = (source: Source, items: readonly NewLine[]): MemoLine[] =>
  items.map((item, at) => {
    const line = source.items.find(({ id }) => id === item.id)
    const taxRate = item.taxRate ?? line?.taxRate ?? null
    const taxCategory = item.taxCategory ?? line?.taxCategory ?? null
    const minor = memoMinor(item.amount, source.currency, `items.${at}.amount`)
    return { ...item, taxRate, taxCategory, minor, rate: rateOf(source, { taxRate }) }
  })

/**
 * The lines of a memo over all that is left: what is left of each line, less earlier credits that named no line of the
 * document. Together with the earlier memos they add up to the document.
 */
export function remainingLines(source: Source, before: CreditedBefore): MemoLine[] {
  const left = source.items.flatMap((line): MemoLine[] => {
    const minor = BigInt(line.amountMinor) - creditedOf(line, before)
    if (minor === 0n) return []
    const { id, description, taxRate, taxCategory } = line
    return [{ id, description, ...valued(minor, source), taxRate, taxCategory, minor, rate: rateOf(source, line) }]
  })
  const { credits, charges } = otherLines(source, before)
  const lines = takeOff([...left, ...charges], credits)
  return lines.map((line) => {
    const whole = source.items.find(({ id, amountMinor }) => id === line.id && BigInt(amountMinor) === line.minor)
    return {
      ...line,
      ...valued(line.minor, source),
      ...(whole ? priceOf(whole, source.currency) : remainingGoods(line, source, before)),
    }
  })
}

const valued = (minor: bigint, { currency }: Source) => {
  const amount = toMajor(minor, currency)
  return { quantity: 1, unitPrice: Math.abs(amount), amount }
}

/** The item and the quantity that earlier memos left of a line, if they left goods: these come back into the stock. */
function remainingGoods(line: MemoLine, source: Source, before: CreditedBefore) {
  const of = source.items.find(({ id, itemId }) => id === line.id && itemId)
  if (!of) return {}
  const credited = before.lines
    .filter(({ id }) => id === line.id)
    .reduce((sum, { quantity = 0 }) => sum + Number(quantity), 0)
  const quantity = Number(exact(of.quantity).minus(exact(credited)).toFixed(6))
  if (quantity <= 0) return {}
  const price = exact(toMajor(line.minor, source.currency)).abs().div(exact(quantity))
  return { itemId: of.itemId, quantity, unitPrice: Number(price.toFixed(6)) }
}

/** Item, quantity, price and discount of a line that is credited as a whole. */
const priceOf = ({ itemId, quantity, unitPrice, discountPercent, discountMinor }: SourceLine, currency: string) => ({
  itemId,
  quantity,
  unitPrice,
  discountPercent,
  discountAmount: discountMinor === null ? null : toMajor(BigInt(discountMinor), currency),
})

type RateSum = { rate: number; minor: bigint }

/**
 * The lines of earlier memos that named no line of the document, summed up by description and rate: credits, and charges such
 * as a fee for returned goods, which are lines to be credited now.
 */
function otherLines(source: Source, before: CreditedBefore): { credits: RateSum[]; charges: MemoLine[] } {
  const sums = new Map<string, RateSum & { description: string }>()
  for (const { id, description, amountMinor, taxRate: rate } of before.lines) {
    if (source.items.some((line) => line.id === id)) continue
    const key = JSON.stringify([description, rate])
    sums.set(key, { description, rate, minor: (sums.get(key)?.minor ?? 0n) + BigInt(amountMinor) })
  }
  const used = new Set(source.items.map(({ id }) => id))
  const charges = [...sums.values()]
    .filter(({ minor }) => minor < 0n)
    .map(({ description, rate, minor }, at) => {
      let id = `charged-${at + 1}`
      while (used.has(id)) id = `${id}-`
      return { id, description, ...valued(-minor, source), taxRate: rate, minor: -minor, rate }
    })
  return { credits: [...sums.values()].filter(({ minor }) => minor > 0n), charges }
}

/** Takes credits off the lines of their rate in proportion, so that no line becomes negative; lines of other rates take what exceeds them. */
function takeOff(lines: readonly MemoLine[], credits: readonly RateSum[]): MemoLine[] {
  let rest = 0n
  let left = [...lines]
  for (const rate of new Set(credits.map((credit) => credit.rate))) {
    const wanted = add(credits.filter((credit) => credit.rate === rate).map(({ minor }) => minor))
    const taken = takeOffSome(left, wanted, (line) => line.rate === rate)
    left = taken.lines
    rest += taken.rest
  }
  // Earlier versions credited at rates that the document does not have.
  return takeOffSome(left, rest, () => true).lines.filter(({ minor }) => minor !== 0n)
}

function takeOffSome(lines: readonly MemoLine[], wanted: bigint, isMeant: (line: MemoLine) => boolean) {
  const weights = lines.map((line) => (isMeant(line) && line.minor > 0n ? line.minor : 0n))
  const available = add(weights)
  const taken = wanted < available ? wanted : available
  if (taken === 0n) return { lines: [...lines], rest: wanted }
  const shares = split(taken, weights)
  return {
    lines: lines.map((line, at) => ({ ...line, minor: line.minor - (shares[at] ?? 0n) })),
    rest: wanted - taken,
  }
}

const creditedOf = ({ id }: SourceLine, { lines }: CreditedBefore): bigint =>
  lines.reduce((sum, line) => (line.id === id ? sum + BigInt(line.amountMinor) : sum), 0n)

/** The rate and category of a line that names no line of the document. It must be a rate of the document. */
function rateOfOther(source: Source, item: NewLine, path: string) {
  const rates = [...new Set(source.items.map((line) => rateOf(source, line)))]
  const [only] = rates
  const wanted = rateOf(source, item)
  const hasRate = item.taxRate !== null && item.taxRate !== undefined
  const rate = !rates.includes(wanted) && !hasRate && rates.length === 1 && only !== undefined ? only : wanted
  if (!rates.includes(rate))
    throw invalid(
      `${path}.taxRate`,
      `The document has no line at ${rate} %; its rates are ${rates.map((each) => `${each} %`).join(', ')}. Give one of them, or the id of the line that is credited.`,
      'CREDITED_TAX',
    )
  const categories = [
    ...new Set(source.items.filter((line) => rateOf(source, line) === rate).map((line) => line.taxCategory)),
  ]
  const taxCategory = item.taxCategory ?? (categories.length === 1 ? (categories[0] ?? null) : null)
  return { rate, taxRate: rate === rateOf(source, {}) ? (item.taxRate ?? null) : rate, taxCategory }
}

function refuseOtherTax(source: Source, credited: SourceLine, { taxRate, taxCategory }: NewLine, path: string) {
  const rate = rateOf(source, credited)
  if (taxRate !== null && taxRate !== undefined && taxRate !== rate)
    throw invalid(
      `${path}.taxRate`,
      `Line ${credited.id} of the document was taxed at ${rate} %, so its credit has this rate too. Leave taxRate out or give ${rate}.`,
      'CREDITED_TAX',
    )
  if (taxCategory !== null && taxCategory !== undefined && taxCategory !== credited.taxCategory)
    throw invalid(
      `${path}.taxCategory`,
      `Line ${credited.id} of the document has ${credited.taxCategory ? `the tax category ${credited.taxCategory}` : 'no tax category'}, and its credit has the same. Leave taxCategory out.`,
      'CREDITED_TAX',
    )
}

type LineCredit = { minor: bigint; before: CreditedBefore; path: string }

/** A discount is credited with a negative amount. */
function refuseOverLine(source: Source, credited: SourceLine, { minor, before, path }: LineCredit) {
  const left = BigInt(credited.amountMinor) - creditedOf(credited, before)
  const isWithin = left < 0n ? minor >= left && minor <= 0n : minor >= 0n && minor <= left
  if (!isWithin)
    throw invalid(
      `${path}.amount`,
      `Of line ${credited.id}, ${toMajor(left, source.currency)} ${source.currency} is left to credit.`,
      'AMOUNT_OVER_TOTAL',
    )
}

/** An amount of a memo in minor units; a line may be negative. */
function memoMinor(amount: number, currency: string, path: string): bigint {
  const parsed = toMinor(amount, currency)
  if (parsed.kind !== 'exact') throw invalid(path, `The amount is not valid for a memo in ${currency}.`, 'AMOUNT')
  return parsed.minor
}
