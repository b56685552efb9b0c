import type { TaxCategory, TaxedLine } from '../../country.ts'
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

/** Nothing is taxed at 0 % in these: there is no rate at all. */
const withoutRate = ['ES33', 'ESN33', 'OS', 'NG', 'NA']

/** A taxed line without a category is standard-rated. An untaxed one may be zero-rated, exempt or out of scope. */
export function taxCategoryOf(line: TaxedLine): TaxCategory | undefined {
  const code = categoryCode(line) || ((line.taxRate ?? 0) > 0 ? 'SR' : '')
  const name = names[code]
  if (!name) return givenCategory(line)
  const hasRate = !withoutRate.includes(code)
  return { name: `${name} (${code})`, hasRate, ...(code !== 'SR' && { mark: code }) }
}
