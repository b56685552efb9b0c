import { add, exact, minorDigits, round, split, toMajor } from '../../../core/values/money.ts'
import type { Jurisdiction, LabelledNumber, SalesDocument, TaxCategory, TaxedLine } from '../../country.ts'
import { categoryCode, givenCategory } from '../../tax-category.ts'

// What customers in the United States expect on an invoice: the number of their purchase order, terms, the address that goods
// are sent to, and the sales tax by jurisdiction. All of it comes from `countrySpecificData`, which nobody has checked.

/** The text in a field of an unchecked object, if there is one; a number counts as text. */
export function textIn(object: unknown, name: string): string | undefined {
  if (typeof object !== 'object' || object === null) return undefined
  const value: unknown = Reflect.get(object, name)
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}

export const references = ({ facts }: SalesDocument): LabelledNumber[] =>
  [
    { label: 'PO number', value: textIn(facts, 'poNumber') },
    { label: 'Terms', value: textIn(facts, 'terms') },
  ].flatMap(({ label, value }) => (value ? [{ label, value }] : []))

/** The address as on an envelope: name, street, then city, state and ZIP in one line. */
export function shipTo({ facts }: SalesDocument): string[] {
  const whole = textIn(facts, 'shipTo')
  if (whole) return whole.split(/\s*\n\s*/)
  const part = (...names: string[]) => names.map((name) => textIn(facts?.shipTo, name)).find(Boolean)
  const region = [part('state'), part('zip', 'zipCode', 'postalCode')].filter(Boolean).join(' ')
  return [
    part('name', 'company'),
    part('attention'),
    ...(part('address', 'street', 'line1', 'addressLine1')?.split(/\s*\n\s*/) ?? []),
    part('line2', 'addressLine2'),
    [part('city'), region].filter(Boolean).join(', '),
    part('country'),
  ].filter((line): line is string => Boolean(line))
}

export function jurisdictions({ facts, currency }: SalesDocument): Jurisdiction[] {
  const given: unknown = facts?.jurisdictions
  if (!Array.isArray(given)) return []
  return given.flatMap((each: unknown) => {
    const name = textIn(each, 'name')
    const [rate, amount] = [numberIn(each, 'rate'), numberIn(each, 'amount')]
    const minor = amount === null ? null : exact(amount).times(exact(10).pow(minorDigits(currency)))
    return name ? [{ name, rate, amountMinor: minor === null ? null : round(minor, 'half-up') }] : []
  })
}

/** The tax of a memo by jurisdiction, in proportion to that of the document, with what says where the sale was made. */
export function memoFacts(source: SalesDocument, taxMinor: bigint): Record<string, unknown> | null {
  const given = jurisdictions(source)
  if (given.length === 0) return null
  const { terms: _, ...facts } = source.facts ?? {}
  const amounts = given.map(({ amountMinor }) => amountMinor ?? 0n)
  const shares = sharesOf(amounts, { taxMinor, of: source.taxMinor })
  const shown = given.map(({ name, rate, amountMinor }, at) => ({
    name,
    ...(rate !== null && { rate }),
    ...(amountMinor !== null && { amount: toMajor(shares[at] ?? 0n, source.currency) }),
  }))
  return { ...facts, jurisdictions: shown }
}

/** Whether the amounts are the tax of the document or not: those of a memo over all of it are the same. */
function sharesOf(amounts: readonly bigint[], { taxMinor, of }: { taxMinor: bigint; of: bigint }): bigint[] {
  if (taxMinor === of || of === 0n || amounts.some((amount) => amount < 0n)) return [...amounts]
  const whole = round(exact(add(amounts)).times(exact(taxMinor)).div(exact(of)), 'half-up')
  return split(whole, amounts)
}

/** The largest number that is printed as an amount or a rate. */
const numberMax = 1e12

function numberIn(object: unknown, name: string): number | null {
  const value: unknown = typeof object === 'object' && object !== null ? Reflect.get(object, name) : undefined
  return typeof value === 'number' && Math.abs(value) <= numberMax ? value : null
}

const categories: Record<string, { name: string; hasRate: boolean }> = {
  TAXABLE: { name: 'Taxable', hasRate: true },
  EXEMPT: { name: 'Exempt', hasRate: false },
  RESALE: { name: 'Resale', hasRate: false },
  NON_TAXABLE: { name: 'Not taxable', hasRate: false },
  NONTAXABLE: { name: 'Not taxable', hasRate: false },
}

export function taxCategoryOf(line: TaxedLine): TaxCategory | undefined {
  const code = categoryCode(line) || ((line.taxRate ?? 0) > 0 ? 'TAXABLE' : '')
  const category = categories[code]
  return category ? { ...category, ...(category.hasRate ? {} : { mark: category.name }) } : givenCategory(line)
}
