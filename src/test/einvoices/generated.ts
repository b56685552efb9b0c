import fc from 'fast-check'
import { exact, minorDigits, round } from '../../core/values/money.ts'
import type { EInvoiceData } from '../../features/selling/documents/einvoice/read-data.ts'
import { america, israel, printData, type Sample, singapore } from '../documents/print-samples.ts'

/** Issued documents of every kind, without a database. */

type Row = EInvoiceData['row']
type Item = Row['items'][number]
type Kind = { taxRate: number; taxCategory: string | null }
type Setting = { name: string; sample: Sample; kinds: Kind[]; currencies: string[] }

const kinds = (rates: [number, ...(string | null)[]][]): Kind[] =>
  rates.flatMap(([taxRate, ...categories]) => categories.map((taxCategory) => ({ taxRate, taxCategory })))

const unregistered = (sample: Sample): Sample => ({
  ...sample,
  organization: { ...sample.organization, taxNumber: null },
})

/** Where documents are issued, with the tax categories of each country. */
export const settings: Setting[] = [
  { name: 'SG', sample: singapore, currencies: ['SGD', 'USD', 'JPY', 'EUR'], kinds: kinds([
    [9, null, 'SR', 'SRCA-C', 'SRRC', 'SROVR-RS', 'SROVR-LVG', 'SRLVG', 'DS'], [8, 'SR'], [0, null, 'ZR', 'ES33', 'ESN33', 'OS', 'SRCA-S', 'NA']]) },
  { name: 'SG, not registered', sample: unregistered(singapore), currencies: ['SGD', 'USD'], kinds: kinds([[0, null, 'NG']]) },
  { name: 'IL', sample: { organization: israel.organization, customer: israel.customer, account: israel.account }, currencies: ['ILS', 'USD', 'EUR', 'JPY'], kinds: kinds([
    [18, null, 'STANDARD'], [17, null], [0, null, 'ZERO_RATED', 'EXEMPT']]) },
  { name: 'IL, exempt dealer', sample: { organization: { ...israel.organization, registrationNumber: '012345674' }, customer: israel.customer }, currencies: ['ILS', 'USD'], kinds: kinds([[0, null]]) },
  { name: 'US', sample: america, currencies: ['USD', 'CAD', 'KWD'], kinds: kinds([[8.875, null, 'TAXABLE'], [5.5, null], [0, null, 'EXEMPT', 'RESALE', 'NON_TAXABLE']]) },
] // biome-ignore format: a country a line

export type Generated = { data: EInvoiceData; setting: string }

/** Names in any script, with the characters that XML escapes. */
const names = fc.oneof(
  fc.constantFrom(
    'Consulting',
    'ייעוץ "ענן"',
    '設計 & デザイン',
    'Ćevapi <50 g>',
    'مستشار',
    '😀 gift',
    'Работа #1#',
    "O'Neill",
  ),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }).filter((text) => text.replace(/[\s\p{C}]/gu, '') !== ''),
)

type Spec = {
  name: string
  quantity: number
  price: number
  kind: number
  discount: 'none' | 'percent' | 'amount'
  share: number
  sign: 'plus' | 'minus'
  off: number
}

const spec: fc.Arbitrary<Spec> = fc.record({
  name: names,
  quantity: fc.oneof(
    fc.integer({ min: 1, max: 400 }),
    fc.integer({ min: 1, max: 9_999 }).map((each) => each / 1000),
    fc.constant(0),
  ),
  price: fc.oneof(
    fc.integer({ min: 0, max: 900_000 }).map((each) => each / 100),
    fc.integer({ min: 1, max: 99_999 }).map((each) => each / 10_000),
  ),
  kind: fc.nat(100),
  discount: fc.constantFrom('none', 'none', 'percent', 'amount'),
  share: fc.integer({ min: 1, max: 10_000 }).map((each) => each / 100),
  sign: fc.constantFrom('plus', 'plus', 'plus', 'minus'),
  off: fc.constantFrom(0, 0, 0, 0, 1, -7),
})

const document = fc.record({
  setting: fc.constantFrom(...settings),
  specs: fc.oneof(
    { weight: 20, arbitrary: fc.array(spec, { minLength: 1, maxLength: 6 }) },
    { weight: 1, arbitrary: fc.array(spec, { minLength: 30, maxLength: 60 }) },
  ),
  currency: fc.nat(100),
  documentType: fc.constantFrom('INVOICE', 'INVOICE', 'CREDIT_MEMO', 'DEBIT_MEMO', 'INVOICE_RECEIPT'),
  paidShare: fc.constantFrom(0, 0, 0.5, 1),
  drift: fc.constantFrom(0, 0, 1, -1),
  rounding: fc.constantFrom(0, 0, 1, -1),
  customer: names,
  notes: fc.option(names),
  hasDueDate: fc.boolean(),
  poNumber: fc.option(fc.constant('PO 88213')),
})

/** How the tax was rounded: once for each rate, as the countries want it, or once for each category. */
export type RoundedBy = 'rate' | 'category'

/** Documents whose total is not negative, as issued ones are. */
export const generatedDocument = (roundedBy: RoundedBy, only = ''): fc.Arbitrary<Generated> =>
  document
    .filter(({ setting }) => setting.name.startsWith(only))
    .map((given) => {
      const data = toData(given, roundedBy)
      return { setting: given.setting.name, data, [fc.toStringMethod]: () => summary(data) }
    })
    .filter(({ data }) => data.row.totalMinor >= 0 && data.row.subtotalMinor >= 0 && data.row.taxMinor >= 0)

type Given = typeof document extends fc.Arbitrary<infer T> ? T : never

function toData(given: Given, roundedBy: RoundedBy): EInvoiceData {
  const { setting, specs, documentType } = given
  const currency = setting.currencies[given.currency % setting.currencies.length] ?? 'USD'
  const items = specs.map((each, at) => toItem(each, { at, currency, kinds: setting.kinds }))
  const subtotalMinor = items.reduce((sum, { amountMinor }) => sum + amountMinor, 0) + given.drift * unitOf(currency)
  const taxMinor = taxOf(items, { drift: given.drift * unitOf(currency), unit: unitOf(currency), roundedBy })
  const totalMinor = Math.max(0, subtotalMinor + taxMinor + given.rounding * unitOf(currency))
  const paidMinor =
    documentType === 'INVOICE' ? Math.floor((totalMinor * given.paidShare) / unitOf(currency)) * unitOf(currency) : 0
  const row: Partial<Row> = {
    ...setting.sample.row, documentType, currency, items, subtotalMinor, taxMinor, totalMinor, paidMinor, taxRate: null,
    countryRate: '1.3527', countryRateDate: '2026-02-11', counterpartyName: given.customer, customerEmail: 'ap@globex.example',
    notes: given.notes ?? (documentType === 'CREDIT_MEMO' ? 'Returned' : null), dueDate: given.hasDueDate ? '2026-03-14' : null,
    paymentId: documentType === 'INVOICE_RECEIPT' ? 'p' : null, paymentMethod: documentType === 'INVOICE_RECEIPT' ? 'CASH' : null,
    countrySpecificData: given.poNumber ? { poNumber: given.poNumber } : null,
  } // biome-ignore format: a list of words
  const source = { number: 'INV-0007', issueDate: '2026-01-15', documentType: 'INVOICE', countrySpecificData: null }
  const data = printData({ ...setting.sample, row, ...(documentType.endsWith('_MEMO') && { source }) })
  return { ...data, now: { organization: nothing, customer: undefined } }
}

export const nothing = { registrationNumber: null, taxNumber: null, address: null, email: null, phone: null }

/** Two decimals at most: e-invoices cannot state fils. */
const unitOf = (currency: string) => (minorDigits(currency) === 3 ? 10 : 1)

function toItem(each: Spec, { at, currency, kinds }: { at: number; currency: string; kinds: Kind[] }): Item {
  const scale = exact(10).pow(minorDigits(currency))
  const unit = BigInt(unitOf(currency))
  const product = exact(each.quantity).times(exact(each.price)).times(scale)
  const isNegative = each.sign === 'minus' && at > 0
  const discount = isNegative || each.quantity === 0 ? 'none' : each.discount
  const discountMinor =
    discount === 'amount' ? Number(round(product.times(each.share).div(100), 'half-up', unit)) : null
  const discountPercent = discount === 'percent' ? each.share : null
  const off = product.times(discountPercent ?? 0).div(100)
  const net = Number(round(product.minus(off).minus(discountMinor ?? 0), 'half-up', unit)) + each.off * unitOf(currency)
  const { taxRate, taxCategory } = kinds[each.kind % kinds.length] ?? { taxRate: 0, taxCategory: null }
  return {
    id: `line ${at}`, itemId: null, description: each.name, quantity: each.quantity, unitPrice: each.price,
    amountMinor: isNegative ? -net : net, taxRate, taxCategory, discountPercent, discountMinor,
  } // biome-ignore format: a list of words
}

type Rounded = { drift: number; unit: number; roundedBy: RoundedBy }

/** The tax of each group of lines, rounded once; a difference of the subtotal is taxed like the largest group. */
function taxOf(items: readonly Item[], { drift, unit, roundedBy }: Rounded): number {
  const groups = new Map<string, { rate: number; net: number }>()
  for (const { taxRate, taxCategory, amountMinor } of items) {
    const usual = (taxRate ?? 0) > 0 ? 'SR' : 'ZR'
    const key = roundedBy === 'rate' ? `${taxRate}` : `${taxRate} ${taxCategory ?? usual}`
    groups.set(key, { rate: taxRate ?? 0, net: (groups.get(key)?.net ?? 0) + amountMinor })
  }
  const [largest] = [...groups.values()].toSorted((a, b) => Math.abs(b.net) - Math.abs(a.net))
  return [...groups.values()].reduce((sum, group) => {
    const net = group.net + (group === largest ? drift : 0)
    return sum + Number(round(exact(net).times(group.rate).div(100), 'half-up', BigInt(unit)))
  }, 0)
}

/** What a failing test prints of a document. */
const summary = ({ row }: EInvoiceData) => {
  const { documentType, currency, subtotalMinor, taxMinor, totalMinor, paidMinor, notes, counterpartyName, items } = row
  return JSON.stringify({
    documentType,
    currency,
    subtotalMinor,
    taxMinor,
    totalMinor,
    paidMinor,
    notes,
    counterpartyName,
    items,
  })
}
