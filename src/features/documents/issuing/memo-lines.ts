import { invalid } from '../../../core/define/failure.ts'
import { toMajor, toMinor } from '../../../core/values/money.ts'
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
  lines: readonly { id: string; description: string; amountMinor: number; taxRate: number }[]
}

/** A line of a memo with its exact amount and the rate that applies to it. */
export type MemoLine = NewLine & { minor: bigint; rate: number }

type SourceLine = Source['items'][number]

/** The rate of a line: its own or that of the document. Rates are compared as numbers: "9" and "9.000000" are the same. */
export const rateOf = ({ taxRate }: Pick<Source, 'taxRate'>, line: { taxRate?: number | null }): number =>
  Number(line.taxRate ?? taxRate ?? 0)

/** The lines of a credit memo. A line with the id of a line of the document credits that line, at its rate and category. */
export function creditLines(source: Source, items: readonly NewLine[], before: CreditedBefore): MemoLine[] {
  return items.map((item, at) => {
    const path = `items.${at}`
    const credited = source.items.find(({ id }) => id === item.id)
    const minor = memoMinor(item.amount, source.currency, `${path}.amount`)
    if (!credited) return { ...item, ...rateOfOther(source, item, path), minor }
    refuseOtherTax(source, credited, item, path)
    refuseOverLine(source, credited, { minor, before, path })
    const { taxRate, taxCategory, itemId } = credited
    return { ...item, itemId: item.itemId ?? itemId, taxRate, taxCategory, minor, rate: rateOf(source, credited) }
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
    const credited = creditedOf(line, before)
    const minor = BigInt(line.amountMinor) - credited
    if (minor === 0n) return []
    const amount = toMajor(minor, source.currency)
    const { id, itemId, description, taxRate, taxCategory } = line
    const priced = credited === 0n ? priceOf(line, source.currency) : { quantity: 1, unitPrice: Math.abs(amount) }
    return [{ id, itemId, description, ...priced, amount, taxRate, taxCategory, minor, rate: rateOf(source, line) }]
  })
  return [...left, ...offsetsOf(source, before)]
}

/** Quantity, price and discount of a line that is credited as a whole. */
const priceOf = ({ quantity, unitPrice, discountPercent, discountMinor }: SourceLine, currency: string) => ({
  quantity,
  unitPrice,
  discountPercent,
  discountAmount: discountMinor === null ? null : toMajor(BigInt(discountMinor), currency),
})

/** Earlier credits that named no line of the document, by description and rate, as lines that take them off. */
function offsetsOf(source: Source, before: CreditedBefore): MemoLine[] {
  const sums = new Map<string, { description: string; taxRate: number; minor: bigint }>()
  for (const { id, description, amountMinor, taxRate } of before.lines) {
    if (source.items.some((line) => line.id === id)) continue
    const key = JSON.stringify([description, taxRate])
    const minor = (sums.get(key)?.minor ?? 0n) - BigInt(amountMinor)
    sums.set(key, { description, taxRate, minor })
  }
  const used = new Set(source.items.map(({ id }) => id))
  return [...sums.values()]
    .filter(({ minor }) => minor !== 0n)
    .map(({ description, taxRate, minor }, at) => {
      const amount = toMajor(minor, source.currency)
      let id = `credited-${at + 1}`
      while (used.has(id)) id = `${id}-`
      return { id, description, quantity: 1, unitPrice: Math.abs(amount), amount, taxRate, minor, rate: taxRate }
    })
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
