import type { Language } from '../../../../core/values/language.ts'
import { add, percentOf, split } from '../../../../core/values/money.ts'
import type { DocumentRules, Sale, SalesDocument, TaxCategory, TaxedLine } from '../../../../countries/country.ts'
import { isolate, ltr, rateText } from './text.ts'

/** The lines of one rate and category with their tax. */
export type TaxRow = {
  rate: number | null
  categoryIn(language: Language): TaxCategory | undefined
  net: bigint
  tax: bigint
}

type Taxed = {
  sale: { document: Pick<SalesDocument, 'taxRate' | 'taxMinor' | 'subtotalMinor' | 'lines'> }
  rules: DocumentRules
}

/**
 * The tax of the document by rate and category, the highest rate first. The sum is the tax of the document, which may differ
 * from the rates by rounding.
 */
export function taxRows({ sale: { document }, rules }: Taxed): TaxRow[] {
  const { taxRate, taxMinor, subtotalMinor } = document
  const lines = document.lines.map((line) => ({ ...line, taxRate: line.taxRate ?? taxRate }))
  const groups = new Map<string, TaxedLine[]>()
  for (const line of lines) {
    const key = `${line.taxRate} ${rules.taxCategoryOf(line, 'en')?.name}`
    const group = groups.get(key)
    if (group) group.push(line)
    else groups.set(key, [line])
  }
  const rows = [...groups.values()].map(([first = { amountMinor: 0n, taxRate }, ...others]) => ({
    rate: first.taxRate,
    categoryIn: (language: Language) => rules.taxCategoryOf(first, language),
    net: add([first, ...others].map(({ amountMinor }) => amountMinor)),
    tax: 0n,
  }))
  rows.sort((a, b) => (b.rate ?? 0) - (a.rate ?? 0))
  const [only] = rows
  if (!only) return [{ rate: taxRate, categoryIn: () => undefined, net: subtotalMinor, tax: taxMinor }]
  if (rows.length === 1) return [{ ...only, net: subtotalMinor, tax: taxMinor }]
  const computed = rows.map(({ net, rate }) => percentOf(net, rate ?? 0, 'half-up'))
  const taxes = computed.some((tax) => tax < 0n) ? computed : split(taxMinor, computed)
  return rows.map((row, at) => ({ ...row, tax: taxes[at] ?? 0n }))
}

/** Whether tax is printed and the lines have different rates or categories. */
export const hasSeveralTaxes = (taxed: { sale: Sale; rules: DocumentRules }): boolean =>
  taxed.rules.showsTax(taxed.sale) && taxRows(taxed).length > 1

/** The name of the tax with its rate; untaxed rows, and rows that share a rate, also have their category. */
export function taxLabel(
  { rules }: Pick<Taxed, 'rules'>,
  { row, among }: { row: TaxRow; among: readonly TaxRow[] },
  language: Language,
): string {
  const category = row.categoryIn(language)
  const rate = row.rate === null || category?.hasRate === false ? '' : ` ${ltr(rateText(row.rate))}`
  const isClear = (row.rate ?? 0) > 0 && among.filter((other) => other.rate === row.rate).length === 1
  return `${rules.taxName(language)}${rate}${category && !isClear ? ` · ${isolate(category.name)}` : ''}`
}

/** The rate of a line and, if it is not the usual one, the mark of its category: 9%, 0% ZR, ES33. */
export function rateAndMark({ rules }: Pick<Taxed, 'rules'>, line: TaxedLine, language: Language): string {
  const category = rules.taxCategoryOf(line, language)
  const rate = line.taxRate === null || category?.hasRate === false ? '' : ltr(rateText(line.taxRate))
  return [rate, category?.mark && isolate(category.mark)].filter(Boolean).join(' ')
}
