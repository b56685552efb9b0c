import { compact } from '../../../core/values/compact.ts'
import type { TaxedLine } from '../../country.ts'
import type { EInvoiceRules, EuropeanCategory, NationalFormat } from '../../einvoices.ts'
import { isGstNumber, nricProblem } from './numbers.ts'
import { gstCategory, isGstCategory } from './tax-categories.ts'

/** The categories with GST, and those without: no tax, or none that the supplier charges (IRAS, annex of tax categories). */
const taxed = ['SR', 'SRCA-C', 'SRRC', 'SROVR-RS', 'SROVR-LVG', 'SRLVG', 'DS']
const untaxed = ['ZR', 'ES33', 'ESN33', 'OS', 'NG', 'SRCA-S', 'NA']

/** PINT Billing of Singapore, the format of InvoiceNow. */
const pint: NationalFormat = {
  customization: 'urn:peppol:pint:billing-1@sg-1',
  profile: 'urn:peppol:bis:billing',
  taxScheme: 'GST',
  currency: 'SGD',
  unregistered: 'NG',
  categoryOf(line) {
    const isTaxed = (line.taxRate ?? 0) > 0
    const given = gstCategory(line)
    if (given !== '' && !isGstCategory(given)) return { problem: `${given} is no GST category of IRAS.` }
    const code = codeOf(line)
    if (!isTaxed && taxed.includes(code)) return { problem: `The category ${code} has GST, but the line has none.` }
    if (isTaxed && untaxed.includes(code))
      return { problem: `The category ${code} has no GST, but the line has ${line.taxRate} %.` }
    if (code === 'NG') return { problem: 'The category NG is for suppliers that are not registered for GST.' }
    return { code }
  },
}

/** A taxed line without a known category is standard-rated, an untaxed one zero-rated. */
function codeOf(line: TaxedLine): string {
  const code = gstCategory(line)
  if (taxed.includes(code) || untaxed.includes(code)) return code
  return (line.taxRate ?? 0) > 0 ? 'SR' : 'ZR'
}

export const einvoices: EInvoiceRules = {
  categoryOf(line) {
    if ((line.taxRate ?? 0) > 0) return { code: 'S' }
    return europeanCategories[codeOf(line)] ?? { code: 'Z' }
  },
  unregisteredReason: 'The supplier is not registered for GST',
  taxId: ({ taxNumber }) => (taxNumber ? { kind: 'VAT', number: `SG${compact(taxNumber)}` } : undefined),
  participant({ registrationNumber, taxNumber }) {
    const uen = compact(registrationNumber ?? '')
    if (/^[0-9A-Z]{9,10}$/.test(uen) && nricProblem(uen) !== undefined)
      return { scheme: '0195', id: `${isGstNumber(uen) ? 'SGGST' : 'SGUEN'}${uen}` }
    return taxNumber ? { scheme: '0195', id: `SGGST${compact(taxNumber)}` } : undefined
  },
  postcode: /\b\d{6}\b/,
  national: pint,
}

const europeanCategories: Record<string, EuropeanCategory> = {
  ES33: { code: 'E', reason: 'Exempt supply, regulation 33' },
  ESN33: { code: 'E', reason: 'Exempt supply, not of regulation 33' },
  OS: { code: 'E', reason: 'Out of the scope of GST' },
  NG: { code: 'E', reason: 'Not subject to GST' },
  NA: { code: 'E', reason: 'GST not shown' },
  'SRCA-S': { code: 'AE', reason: 'Customer accounting for GST' },
}
