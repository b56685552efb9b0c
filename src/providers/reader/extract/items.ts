import type { Box, ReadItem } from '../reading.ts'
import type { Amount } from './amounts.ts'
import type { Figure, FigureKind, ReadRow } from './figures.ts'
import { around } from './rows.ts'

export type FoundItems = { items: ReadItem[]; sum: number; box: Box | null }

type Part = {
  row: ReadRow
  description: string
  amount: Amount | null
  quantity: Amount | null
  unitPrice: Amount | null
}

/** What was bought: the rows with amounts between the head of the document and its sums. */
export function findItems(rows: readonly ReadRow[], figures: readonly Figure[]): FoundItems {
  const body = bodyOf(rows, figures)
  const parts = withDescriptions(body.map(partOf))
  const priced = parts.filter((part): part is Part & { amount: Amount } => part.amount !== null)
  const items = priced.filter(({ description, amount }) => description !== '' && amount.cents >= 0)
  return {
    items: items.map(({ description, amount, quantity, unitPrice }) => ({
      description,
      quantity: quantity?.value ?? null,
      unitPrice: unitPrice?.value ?? null,
      amount: amount.value,
    })),
    sum: priced.reduce((sum, { amount }) => sum + amount.cents, 0),
    box: boxOfItems(items),
  }
}

/** One box for all items, if they are on one page. */
function boxOfItems(parts: readonly Part[]): Box | null {
  const first = parts[0]?.row.page
  const boxes = parts.filter(({ row }) => row.page === first).map(({ row }) => row.box)
  return boxes.length > 0 && boxes.length === parts.length ? around(boxes) : null
}

const sums = new Set<FigureKind>([
  'subtotal',
  'total',
  'due',
  'tax',
  'taxIncluded',
  'rounding',
  'cash',
  'change',
  'card',
  'quantity',
  'discount',
  'service',
  'paid',
])

function bodyOf(rows: readonly ReadRow[], figures: readonly Figure[]): ReadRow[] {
  const own = figures.filter(({ kind, isLoose, amounts }) => sums.has(kind) && !isLoose && amounts.length > 0)
  const sumRows = new Set(own.flatMap(({ row, amounts }) => [row, ...amounts.map((amount) => amount.row)]))
  const isPriced = (row: ReadRow) => row.amounts.some(isMoney) && !sumRows.has(row.index)
  const head = rows.findIndex(isTableHead)
  const firstAmount = rows.findIndex((row) => row.index > Math.max(1, head) && isPriced(row))
  if (firstAmount < 0) return []
  const start = head >= 0 ? head + 1 : sumRows.has(firstAmount - 1) ? firstAmount : firstAmount - 1
  const end = rows.findIndex((row) => row.index > firstAmount && sumRows.has(row.index))
  return rows
    .slice(start, end < 0 ? rows.length : end)
    .filter((row) => !isTableHead(row) && !isHeadRow(row) && (row.dates.length === 0 || row.amounts.some(isMoney)))
}

const headWords =
  /\b(?:description|particulars|details|item|qty|quantity|price|amount|amt|code|unit|disc|rate|total)\b|תיאור|פריט|פירוט|כמות|מחיר|סכום|סה"כ/giu

/** The heads of the columns: at least two such words and no amounts. */
const isTableHead = (row: ReadRow): boolean => row.amounts.length === 0 && (row.text.match(headWords)?.length ?? 0) >= 2

/** A row of the head of the document that stands before the first item. */
const isHeadRow = (row: ReadRow): boolean =>
  !row.amounts.some(isMoney) &&
  (/:/.test(row.text) || row.labels.some(({ kind }) => ['date', 'documentNumber', 'taxNumber', 'buyer'].includes(kind)))

const isMoney = ({ decimals, isPercent }: Amount): boolean => decimals === 2 && !isPercent

function partOf(row: ReadRow): Part {
  const numbers = row.amounts.filter(({ isPercent }) => !isPercent)
  const product = productOf(numbers)
  const amount = product?.amount ?? numbers.filter(isMoney).at(-1) ?? null
  const others = numbers.filter((one) => one !== amount)
  const only = others.length === 1 ? others[0] : undefined
  const alone =
    only && only.decimals === 0 && only.cents > 0 && only.cents < 100_000 && isApart(row, only) ? only : null
  const quantity = product?.quantity ?? (amount ? alone : null)
  const unitPrice = product?.unitPrice ?? null
  return { row, amount, quantity, unitPrice, description: descriptionOf(row, [amount, quantity, unitPrice]) }
}

/** Three numbers of the row of which one is the product of the others; the last ones first, in either direction of reading. */
function productOf(numbers: readonly Amount[]): { amount: Amount; quantity: Amount; unitPrice: Amount } | null {
  const last = numbers.slice(-5).reverse()
  for (const amount of last) {
    for (const unitPrice of last) {
      for (const quantity of last) {
        const isDistinct = amount !== unitPrice && amount !== quantity && unitPrice !== quantity
        if (!isDistinct || !isMoney(amount) || unitPrice.decimals < 2 || quantity.cents <= 0) continue
        if (isMoney(quantity) && quantity.cents !== 100 && quantity.start > unitPrice.start) continue
        const product = Number(quantity.value) * Number(unitPrice.value) * 100
        if (Math.abs(product - amount.cents) <= 1) return { amount, quantity, unitPrice }
      }
    }
  }
  return null
}

/** A whole number that begins the row or has its own column, so that it is a quantity and not part of the description. */
const isApart = (row: ReadRow, { start, end }: Amount): boolean =>
  row.text.slice(0, start).trim() === '' ||
  row.segments.some((segment) => segment.start === start && segment.end <= end + 2)

function descriptionOf(row: ReadRow, used: readonly (Amount | null)[]): string {
  const spans = [...used, ...row.amounts.filter(isMoney), ...row.dates].flatMap((one) => (one ? [one] : []))
  let text = ''
  for (const [at, character] of [...row.text].entries())
    text += spans.some(({ start, end }) => start <= at && at < end) ? ' ' : character
  const words = text
    .replace(/(?:^| )(?:RM|MYR|SGD|USD|NIS|ILS|S\$|ש"ח|[$₪€£@*xX])(?= |$)/g, ' ')
    .replace(/(?:^| )[0-9]{5,}[!:;.]?(?= |$)/g, ' ')
    .replace(/^\s*[0-9]{1,3}[.)]\s/, ' ')
    .trim()
    .replace(/\s+(?:SR|ZRL?|[A-Z*]|[א-ת])$/, '')
    .replace(/^[-~*.:$₪ ]+|[-~*:$₪@ ]+$/g, '')
    .replace(/\s+/g, ' ')
  return words.replace(/[^A-Za-zא-ת]/g, '').length >= 2 ? words : ''
}

/** A row with an amount and no description has it in the row above or, in some layouts, in the row below. */
function withDescriptions(parts: readonly Part[]): Part[] {
  const firstPriced = parts.findIndex(({ amount }) => amount !== null)
  const isBelow =
    firstPriced === 0 &&
    parts[0]?.description === '' &&
    (parts[1]?.description ?? '') !== '' &&
    parts[1]?.amount === null
  const result: Part[] = []
  let pending = ''
  for (const [at, part] of parts.entries()) {
    if (part.amount === null) {
      pending = pending === '' ? part.description : pending
      continue
    }
    const below = parts[at + 1]
    const other = isBelow ? (below?.amount === null ? below.description : '') : pending
    result.push(part.description === '' ? { ...part, description: other } : part)
    pending = ''
  }
  return result
}
