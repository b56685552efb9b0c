import { exact } from '../../../../core/values/money.ts'
import type { TaxedLine } from '../../../../countries/country.ts'
import type { NationalFormat, TaxId } from '../../../../countries/einvoices.ts'
import type { Category, Party, Problem } from './einvoice.ts'
import type { EInvoiceData } from './read-data.ts'

/** The categories of the lines, in their order, and the tax number that the seller states with them. */
type Categories = { categories: Category[]; taxId: TaxId | null; problems: Problem[] }

export function categoriesOf(data: EInvoiceData, seller: Party, format: NationalFormat | undefined): Categories {
  const { document } = data.sale
  const lines = document.lines.map((line) => ({ ...line, taxRate: line.taxRate ?? document.taxRate }))
  const isTaxed = document.taxMinor !== 0n || lines.some(({ taxRate }) => (taxRate ?? 0) > 0)
  return format
    ? nationalCategories(data, { seller, lines, isTaxed, format })
    : europeanCategories(data, { seller, lines, isTaxed })
}

type Lines = { seller: Party; lines: readonly TaxedLine[]; isTaxed: boolean }

/** The categories of EN 16931. An issuer without a tax number charges no tax, and states none (category O). */
function europeanCategories({ country, sale }: EInvoiceData, { seller, lines, isTaxed }: Lines): Categories {
  const { einvoices, documents } = country
  const isRegistered = documents.isRegistered(sale.issuer) && seller.taxId !== null
  if (!isRegistered && !isTaxed) {
    const category = { code: 'O', rate: null, reason: einvoices.unregisteredReason }
    return { categories: lines.map(() => category), taxId: null, problems: [] }
  }
  const categories = lines.map((line) => {
    const category = einvoices.categoryOf(line)
    const rate = category.code === 'S' ? exact(line.taxRate ?? 0) : exact(0)
    return { code: category.code, rate, reason: 'reason' in category ? category.reason : null }
  })
  // Tax that was charged without a registration is stated with the number of the company.
  const taxId = seller.taxId ?? (seller.legalId ? ({ kind: 'OTHER', number: seller.legalId } as const) : null)
  return { categories, taxId, problems: taxId ? [] : [noTaxNumber] }
}

const noTaxNumber = {
  field: 'organization.taxNumber',
  message: 'The document charges tax. Enter the tax number of the organization.',
}

/** The categories of the country. The number is written as the authority gave it. */
function nationalCategories(
  { sale, country, now }: EInvoiceData,
  { lines, isTaxed, format }: Lines & { format: NationalFormat },
): Categories {
  const number = sale.issuer.taxNumber ?? now.organization.taxNumber
  if (!country.documents.isRegistered(sale.issuer) && !isTaxed) {
    const category = { code: format.unregistered, rate: exact(0), reason: null }
    return { categories: lines.map(() => category), taxId: null, problems: [] }
  }
  const problems: Problem[] = number ? [] : [noTaxNumber]
  const categories = lines.map((line, at) => {
    const found = format.categoryOf(line)
    if ('code' in found) return { code: found.code, rate: exact(line.taxRate ?? 0), reason: null }
    problems.push({ field: `items.${at}.taxCategory`, message: found.problem })
    return { code: '', rate: exact(0), reason: null }
  })
  return { categories, taxId: number ? { kind: 'VAT', number } : null, problems }
}
