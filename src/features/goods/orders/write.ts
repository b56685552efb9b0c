import { sql } from 'kysely'
import { type Detail, invalid } from '../../../core/define/failure.ts'
import type { Database } from '../../../core/define/operation.ts'
import { toUuid } from '../../../core/define/query.ts'
import type { Warning } from '../../../core/define/schema.ts'
import { add, exact, minorDigits, round, toMinor } from '../../../core/values/money.ts'
import { refuseDuplicateLineIds } from '../../../ledger/lines.ts'
import { refuseProblems } from '../../../ledger/totals.ts'
import type { NewOrderLine, OrderKind } from './order.ts'

/** An item as an order line uses it. */
export type OrderedItem = {
  id: string
  name: string
  active: boolean
  salePrice: string | null
  saleCurrency: string
  purchasePrice: string | null
  purchaseCurrency: string
  taxRate: string | null
  taxCategory: string | null
}

/** The items that lines name. Refuses lines with an item that does not exist. */
export async function itemsOf(db: Database, lines: readonly NewOrderLine[]): Promise<Map<string, OrderedItem>> {
  const wanted = [...new Set(lines.flatMap(({ itemId }) => (itemId ? [itemId] : [])))]
  if (wanted.length === 0) return new Map()
  const found = await db
    .selectFrom('items')
    .select([
      'id', 'name', 'active', 'salePrice', 'saleCurrency', 'purchasePrice', 'purchaseCurrency', 'taxRate', 'taxCategory',
    ]) // biome-ignore format: a list of words
    .where('id', '=', sql<string>`any (${wanted.map(toUuid)}::uuid[])`)
    .execute()
  const items = new Map(found.map((item) => [item.id, item]))
  const missing = lines.findIndex(({ itemId }) => itemId && !items.has(itemId.toLowerCase()))
  if (missing >= 0) throw invalid(`lines.${missing}.itemId`, 'The item does not exist.', 'UNKNOWN_REFERENCE')
  return items
}

export type WrittenLine = {
  id: string
  itemId: string | null
  description: string
  quantity: string
  unitPrice: string
  amountMinor: bigint
  taxRate: string | null
  taxCategory: string | null
}

type Context = { kind: OrderKind; currency: string; items: Map<string, OrderedItem>; defaultTaxRate: string | null }

/** The lines of an order with what they take from their items, and the totals. */
export function readLines(given: readonly NewOrderLine[], context: Context) {
  const problems: Detail[] = []
  const warnings: Warning[] = []
  const lines = given.map((line, at) => readLine(line, at, { ...context, problems, warnings }))
  refuseDuplicateLineIds(lines)
  refuseProblems(problems)
  const { subtotal, tax } = sumsOf(
    lines.map(({ amountMinor, taxRate }) => ({ minor: amountMinor, rate: taxRate ?? '0' })),
  )
  return {
    lines,
    warnings,
    totals: { subtotalMinor: Number(subtotal), taxMinor: Number(tax), totalMinor: Number(subtotal + tax) },
  }
}

/** The net amount and the tax of lines. The tax is rounded once for each rate. */
export function sumsOf(lines: readonly { minor: bigint; rate: string }[]): { subtotal: bigint; tax: bigint } {
  const taxes = [...new Set(lines.map(({ rate }) => rate))].map((rate) => {
    const net = add(lines.flatMap((line) => (line.rate === rate ? [line.minor] : [])))
    return round(exact(String(net)).times(exact(rate)).div(100), 'half-up')
  })
  return { subtotal: add(lines.map(({ minor }) => minor)), tax: add(taxes) }
}

type LineContext = Context & { problems: Detail[]; warnings: Warning[] }

function readLine(given: NewOrderLine, at: number, context: LineContext): WrittenLine {
  const path = `lines.${at}`
  const { kind, currency, problems, warnings } = context
  const item = given.itemId ? context.items.get(given.itemId.toLowerCase()) : undefined
  const description = given.description?.trim() || item?.name
  if (!description)
    problems.push({ path: `${path}.description`, message: 'A line without an item needs a description.' })
  if (item && !item.active)
    warnings.push({ code: 'INACTIVE_ITEM', path: `${path}.itemId`, message: `${item.name} is not active any more.` })
  const unitPrice = given.unitPrice ?? priceOf(item, { kind, currency })
  if (unitPrice === undefined)
    problems.push({
      path: `${path}.unitPrice`,
      message: item
        ? `${item.name} has no price in ${currency}. Give unitPrice.`
        : 'A line without an item needs a unitPrice.',
    })
  const quantity = decimal(given.quantity, `${path}.quantity`, problems)
  const price = decimal(unitPrice ?? 0, `${path}.unitPrice`, problems)
  const amount = given.amount ?? Number(exact(price).times(exact(quantity)).toFixed(minorDigits(currency)))
  const minor = toMinor(amount, currency)
  if (minor.kind !== 'exact')
    problems.push({
      path: `${path}.amount`,
      message: `The amount is too large, or has more decimal places than ${currency}.`,
      code: 'AMOUNT',
    })
  const taxRate = given.taxRate ?? (item?.taxRate == null ? context.defaultTaxRate : Number(item.taxRate))
  return {
    id: given.id ?? String(at + 1),
    itemId: item?.id ?? null,
    description: description ?? '',
    quantity,
    unitPrice: price,
    amountMinor: minor.kind === 'exact' ? minor.minor : 0n,
    taxRate: taxRate === null ? null : exact(taxRate).toFixed(6),
    taxCategory: given.taxCategory?.trim() || item?.taxCategory || null,
  }
}

/** The price of the item, if it has one in the currency of the order. */
function priceOf(
  item: OrderedItem | undefined,
  { kind, currency }: Pick<Context, 'kind' | 'currency'>,
): number | undefined {
  if (!item) return undefined
  const [price, of] =
    kind === 'SALES' ? [item.salePrice, item.saleCurrency] : [item.purchasePrice, item.purchaseCurrency]
  return price !== null && of === currency ? Number(price) : undefined
}

function decimal(value: number, path: string, problems: Detail[]): string {
  const number = exact(value)
  if (number.decimalPlaces() > 6)
    problems.push({ path, message: `${path} has at most six decimal places.`, code: 'TOO_FINE' })
  return number.toFixed(6)
}

/** Replaces the lines of a draft with any number of lines, in one statement each. */
export const insertOrderLines = (db: Database, orderId: string, lines: readonly WrittenLine[]) => {
  const rows = lines.map(({ amountMinor, ...line }, position) => ({
    ...line,
    position,
    amountMinor: String(amountMinor),
  }))
  return sql`insert into order_lines (order_id, position, id, item_id, description, quantity, unit_price, amount_minor, tax_rate, tax_category)
    select ${orderId}::uuid, l.position, l.id, l."itemId", l.description, l.quantity, l."unitPrice", l."amountMinor", l."taxRate", l."taxCategory"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as l (position integer, id text, "itemId" uuid, description text, quantity numeric,
      "unitPrice" numeric, "amountMinor" bigint, "taxRate" numeric, "taxCategory" text)`.execute(db)
}
