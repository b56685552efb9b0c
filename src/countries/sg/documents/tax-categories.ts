import type { Warning } from '../../../core/define/schema.ts'
import type { SalesDocument, TaxCategory, TaxedLine } from '../../country.ts'
import { categoryCode, givenCategory } from '../../tax-category.ts'

/** The categories of supplies (IRAS, GST InvoiceNow requirement, annex of tax categories). */
const names: Record<string, string> = {
  SR: 'Standard-rated',
  ZR: 'Zero-rated',
  ES33: 'Exempt',
  ESN33: 'Exempt',
  OS: 'Out of scope',
  NG: 'Not subject to GST',
  'SRCA-S': 'Customer accounting',
  'SRCA-C': 'Customer accounting',
  SRRC: 'Reverse charge',
  'SROVR-RS': 'Remote services',
  'SROVR-LVG': 'Low-value goods',
  SRLVG: 'Low-value goods',
  DS: 'Deemed supply',
  NA: 'GST not shown',
}

/** How users of other countries call the same. */
const otherNames: Record<string, string> = {
  S: 'SR', STANDARD: 'SR', TAXABLE: 'SR', Z: 'ZR', ZERO: 'ZR', ZERO_RATE: 'ZR', ZERO_RATED: 'ZR', E: 'ES33', EXEMPT: 'ES33',
} // biome-ignore format: a table

/** The category that was given, as IRAS calls it; empty if there is none, and as it was given if IRAS has no such category. */
export function gstCategory(line: Pick<TaxedLine, 'taxCategory'>): string {
  const given = categoryCode(line)
  return otherNames[given] ?? given
}

export const isGstCategory = (code: string) => Object.hasOwn(names, code)

/** Nothing is taxed at 0 % in these: there is no rate at all. */
const withoutRate = ['ES33', 'ESN33', 'OS', 'NG', 'NA']

/** A taxed line without a category is standard-rated. An untaxed one may be zero-rated, exempt or out of scope. */
export function taxCategoryOf(line: TaxedLine): TaxCategory | undefined {
  const code = gstCategory(line) || ((line.taxRate ?? 0) > 0 ? 'SR' : '')
  const name = names[code]
  if (!name) return givenCategory(line)
  const hasRate = !withoutRate.includes(code)
  return { name: `${name} (${code})`, hasRate, ...(code !== 'SR' && { mark: code }) }
}

/** An issued document keeps its categories, and GST F5 has no box for a sale without GST that names none: it is said in time. */
export function categoryWarnings({ lines, taxRate }: SalesDocument): Warning[] {
  return lines.flatMap((line, at) => {
    const code = gstCategory(line)
    const path = `items.${at}.taxCategory`
    if (code === '') return (line.taxRate ?? taxRate) === 0 && line.amountMinor !== 0n ? [{ ...missing, path }] : []
    const message = `${code} is no GST category: give SR, ZR, ES33, ESN33 or OS.`
    return isGstCategory(code) ? [] : [{ code: 'TAX_CATEGORY_UNKNOWN', path, message }]
  })
}

const missing = {
  code: 'TAX_CATEGORY_MISSING',
  message: 'A line without GST names no category: give ZR (zero-rated), ES33 or ESN33 (exempt), or OS (out of scope).',
}
