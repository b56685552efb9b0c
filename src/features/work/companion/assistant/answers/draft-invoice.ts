import { exact, minorDigits, round, toMajor } from '../../../../../core/values/money.ts'
import { countries } from '../../../../../countries/countries.ts'
import { type Steps, type Talk, tryCall } from '../talk.ts'
import { type Document, documentTitle } from './explain-document.ts'
import type { Data } from './rows.ts'

/** Fills in what a draft of an invoice needs beyond what the person said: prices of items, amounts, tax and totals. */

type LineGiven = Data & {
  description?: string
  quantity?: number
  unitPrice?: number
  amount?: number
  itemId?: string
  taxRate?: number
  discountPercent?: number
}
type Line = {
  id: string
  description: string
  quantity: number
  unitPrice: number
  amount: number
  itemId?: string
  taxRate?: number
  discountPercent?: number
}

export async function* completeInvoice(talk: Talk, input: Data): Steps<Data | { missing: 'price' | 'lines' }> {
  const currency = typeof input.currency === 'string' ? input.currency : talk.turn.organization.currency
  const given = (Array.isArray(input.items) ? input.items : []) as LineGiven[]
  if (given.length === 0) return { missing: 'lines' }
  const standard = standardRate(talk) ?? 0
  const said = typeof input.taxRate === 'number' ? input.taxRate : standard
  // The standard rate is what a sentence without a rate gives; the organization may charge another one, or none.
  const taxRate = said === standard ? yield* defaultTaxRate(talk, standard) : said
  const isComplete = typeof input.total === 'number' && taxRate === said
  if (isComplete) return { ...input, currency }
  const items: Line[] = []
  for (const [at, line] of given.entries()) {
    const completed = yield* completeLine(talk, line, { id: String(at + 1), currency })
    if (!completed) return { missing: 'price' }
    items.push(completed)
  }
  return { ...input, currency, items, ...totalsOf(items, taxRate, currency, talk), status: 'DRAFT' }
}

/** The lines that the draft has and those that are added, with the totals of all. A document that was issued refuses them. */
export async function* withAddedLines(talk: Talk, input: Data): Steps<Data | { missing: 'price' | 'lines' }> {
  const document = (yield* tryCall(talk, 'invoices_get', { id: input.id })) as Document | undefined
  if (!document) return input
  const items = [...document.items.map(keptLine), ...((input.items ?? []) as LineGiven[])]
  const { currency, taxRate } = document
  const completed = yield* completeInvoice(talk, { items, currency, ...(typeof taxRate === 'number' && { taxRate }) })
  if ('missing' in completed) return completed
  const { subtotal, taxAmount, total } = completed
  return { id: input.id, items: completed.items, subtotal, taxRate: completed.taxRate, taxAmount, total }
}

/** A line as it is written again, without the fields that are empty. */
const keptLine = (line: Document['items'][number]): LineGiven =>
  Object.fromEntries(
    Object.entries(line).filter(([field, value]) => keptFields.has(field) && value !== null && value !== undefined),
  )
const keptFields = new Set(['description', 'quantity', 'unitPrice', 'amount', 'itemId', 'taxRate', 'discountPercent'])

/** The rate of the settings, or else the standard rate of the country if the organization is registered for the tax. */
async function* defaultTaxRate(talk: Talk, standard: number): Steps<number> {
  const settings = (yield* tryCall(talk, 'settings_get', {})) as { defaultTaxRate: number | null } | undefined
  if (typeof settings?.defaultTaxRate === 'number') return settings.defaultTaxRate
  const organization = (yield* tryCall(talk, 'organizations_get', {})) as
    | { taxNumber: string | null; registrationNumber: string | null }
    | undefined
  return !organization || isRegistered(talk, organization) ? standard : 0
}

function isRegistered(
  talk: Talk,
  { taxNumber, registrationNumber }: { taxNumber: string | null; registrationNumber: string | null },
): boolean {
  const { name, country } = talk.turn.organization
  return countries[country].documents.isRegistered({ name, taxNumber, registrationNumber, address: null })
}

type Given = { id: string; currency: string }

async function* completeLine(talk: Talk, line: LineGiven, { id, currency }: Given): Steps<Line | undefined> {
  const item = line.itemId
    ? ((yield* tryCall(talk, 'logistics_items_get', { id: line.itemId })) as Data | undefined)
    : undefined
  const quantity = line.quantity ?? 1
  const salePrice = item?.saleCurrency === currency && typeof item.salePrice === 'number' ? item.salePrice : undefined
  const price = line.unitPrice ?? (line.amount === undefined ? salePrice : line.amount / quantity)
  if (price === undefined) return undefined
  const unitPrice = price
  const full = exact(unitPrice)
    .times(quantity)
    .times(exact(10).pow(minorDigits(currency)))
  const amount = toMajor(round(full.times(100 - (line.discountPercent ?? 0)).div(100), 'half-up'), currency)
  const description =
    line.description || (typeof item?.name === 'string' ? item.name : '') || talk.in('Services', 'שירותים')
  const { itemId, discountPercent } = line
  const ownRate = line.taxRate ?? (typeof item?.taxRate === 'number' ? item.taxRate : undefined)
  return {
    id,
    description,
    quantity,
    unitPrice,
    amount,
    ...(itemId && { itemId }),
    ...(discountPercent && { discountPercent }),
    ...(ownRate !== undefined && { taxRate: ownRate }),
  }
}

/** The one rate of the country; undefined if it has none. */
const standardRate = ({ turn }: Talk): number | undefined =>
  countries[turn.organization.country].documents.taxRateOn(turn.today)

function totalsOf(items: readonly Line[], taxRate: number, currency: string, talk: Talk) {
  const minor = (amount: number) => round(exact(amount).times(exact(10).pow(minorDigits(currency))), 'half-up')
  const lines = items.map((line) => ({ amountMinor: minor(line.amount), taxRate: line.taxRate ?? taxRate }))
  const subtotal = lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0n)
  const tax = countries[talk.turn.organization.country].documents.taxOn(lines)
  return {
    subtotal: toMajor(subtotal, currency),
    taxRate,
    taxAmount: toMajor(tax, currency),
    total: toMajor(subtotal + tax, currency),
  }
}

export async function* tellDraft(talk: Talk, document: Document): Steps {
  const { currency } = document
  const money = (amount: number) => talk.money(amount, currency)
  const tax =
    document.taxAmount === 0
      ? talk.in('without tax', 'ללא מס')
      : talk.in(
          `${money(document.subtotal)} and ${money(document.taxAmount)} tax`,
          `${money(document.subtotal)} ועוד מס ${money(document.taxAmount)}`,
        )
  yield* talk.say(
    talk.in(
      `${documentTitle(talk, document)} is ready: ${money(document.total)} (${tax}).`,
      `${documentTitle(talk, document)} מוכנה: ${money(document.total)} (${tax}).`,
    ),
  )
  for (const { description, quantity, unitPrice, amount } of document.items.slice(0, 10))
    yield* talk.line(`• ${talk.data(description)}: ${talk.number(quantity)} × ${money(unitPrice)} = ${money(amount)}`)
  if (document.taxAmount === 0 && standardRate(talk) === undefined)
    yield* talk.line(
      talk.in(
        'No tax rate is set for it. Set a default rate in the settings, or a rate on the draft, if you charge tax.',
        'לא הוגדר לה שיעור מס. אם נגבה מס, אפשר להגדיר שיעור ברירת מחדל בהגדרות או שיעור בטיוטה.',
      ),
    )
  if (document.dueDate)
    yield* talk.line(talk.in(`It is due ${talk.day(document.dueDate)}.`, `לתשלום עד ${talk.day(document.dueDate)}.`))
  yield* talk.line(
    talk.in(
      'It is a draft: nothing was issued or sent. Say “issue it” to give it its number, or “send it” to issue and send it.',
      'זו טיוטה: שום דבר לא הופק ולא נשלח. אמרו "תפיק אותה" כדי לתת לה מספר, או "שלח אותה" כדי להפיק ולשלוח.',
    ),
  )
}
