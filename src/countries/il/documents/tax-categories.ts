import type { Language } from '../../../core/values/language.ts'
import type { TaxCategory, TaxedLine } from '../../country.ts'
import { categoryCode, givenCategory } from '../../tax-category.ts'

type Category = 'taxable' | 'zero' | 'exempt'

/** Israel has no codes for them; these are the ones in use elsewhere. */
const codes: Record<string, Category> = {
  STANDARD: 'taxable',
  TAXABLE: 'taxable',
  S: 'taxable',
  SR: 'taxable',
  ZERO: 'zero',
  ZERO_RATE: 'zero',
  ZERO_RATED: 'zero',
  Z: 'zero',
  ZR: 'zero',
  EXEMPT: 'exempt',
  E: 'exempt',
}

const names: Record<Category, Record<Language, string>> = {
  taxable: { he: 'חייב במע"מ', en: 'Taxable' },
  zero: { he: 'שיעור אפס', en: 'Zero rate' },
  exempt: { he: 'פטור ממע"מ', en: 'Exempt' },
}

/** A taxed line without a category is taxable. An untaxed one is at the zero rate or exempt, which differ by law. */
export function taxCategoryOf(line: TaxedLine, language: Language): TaxCategory | undefined {
  const category = kindOf(line)
  if (!category) return givenCategory(line)
  const name = names[category][language]
  return category === 'exempt' ? { name, mark: name, hasRate: false } : { name, hasRate: true }
}

/** What the law says of a line; undefined if nobody said it. */
export const kindOf = (line: TaxedLine): Category | undefined =>
  codes[categoryCode(line)] ?? (!line.taxCategory && (line.taxRate ?? 0) > 0 ? 'taxable' : undefined)
