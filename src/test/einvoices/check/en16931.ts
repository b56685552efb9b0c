import type { Decimal } from 'decimal.js'
import type { Element } from '../../../providers/reader/einvoice/element.ts'
import { all, amount, below, cents, type Doc, has, isCharge, type Rules, sum, text } from './tree.ts'

// The rules of EN 16931-1, written from the standard and its validation artefacts. The tax scheme is a parameter, since PINT
// has the same model with GST.

const supplier = (doc: Doc) => doc.all('AccountingSupplierParty', 'Party')[0]
const customer = (doc: Doc) => doc.all('AccountingCustomerParty', 'Party')[0]
const every = (elements: readonly Element[], holds: (each: Element) => boolean) => elements.every(holds)

const allowances = (doc: Doc) => doc.all('AllowanceCharge').filter((each) => !isCharge(each))
const charges = (doc: Doc) => doc.all('AllowanceCharge').filter(isCharge)
const subtotals = (doc: Doc) => doc.all('TaxTotal', 'TaxSubtotal')
const total = (doc: Doc, name: string) => doc.amount('LegalMonetaryTotal', name)
const ownTax = (doc: Doc) =>
  doc.all('TaxTotal', 'TaxAmount').filter((each) => each.attributes.currencyID === doc.text('DocumentCurrencyCode'))

/** What every invoice has. */
export const coreRules: Rules = {
  'BR-01': (doc) => doc.text('CustomizationID') !== '',
  'BR-02': (doc) => doc.text('ID') !== '',
  'BR-03': (doc) => doc.text('IssueDate') !== '',
  'BR-04': (doc) => doc.text(doc.isCreditNote ? 'CreditNoteTypeCode' : 'InvoiceTypeCode') !== '',
  'BR-05': (doc) => doc.text('DocumentCurrencyCode') !== '',
  'BR-06': (doc) => doc.text('AccountingSupplierParty', 'Party', 'PartyLegalEntity', 'RegistrationName') !== '',
  'BR-07': (doc) => doc.text('AccountingCustomerParty', 'Party', 'PartyLegalEntity', 'RegistrationName') !== '',
  'BR-09': (doc) => doc.text('AccountingSupplierParty', 'Party', 'PostalAddress', 'Country', 'IdentificationCode') !== '',
  'BR-11': (doc) => doc.text('AccountingCustomerParty', 'Party', 'PostalAddress', 'Country', 'IdentificationCode') !== '',
  'BR-12': (doc) => has(doc.root, 'LegalMonetaryTotal', 'LineExtensionAmount'),
  'BR-13': (doc) => has(doc.root, 'LegalMonetaryTotal', 'TaxExclusiveAmount'),
  'BR-14': (doc) => has(doc.root, 'LegalMonetaryTotal', 'TaxInclusiveAmount'),
  'BR-15': (doc) => has(doc.root, 'LegalMonetaryTotal', 'PayableAmount'),
  'BR-16': (doc) => doc.lines.length > 0,
  'BR-21': (doc) => every(doc.lines, (line) => text(line, 'ID') !== ''),
  'BR-22': (doc) => every(doc.lines, (line) => has(line, doc.isCreditNote ? 'CreditedQuantity' : 'InvoicedQuantity')),
  'BR-23': (doc) => every(doc.lines, (line) => quantityOf(line)?.attributes.unitCode !== undefined),
  'BR-24': (doc) => every(doc.lines, (line) => has(line, 'LineExtensionAmount')),
  'BR-25': (doc) => every(doc.lines, (line) => text(line, 'Item', 'Name') !== ''),
  'BR-26': (doc) => every(doc.lines, (line) => has(line, 'Price', 'PriceAmount')),
  'BR-27': (doc) => every(doc.lines, (line) => !amount(line, 'Price', 'PriceAmount').isNegative()),
  'BR-31': (doc) => every(doc.all('AllowanceCharge'), (each) => has(each, 'Amount')),
  'BR-32': (doc) => every(doc.all('AllowanceCharge'), (each) => text(each, 'TaxCategory', 'ID') !== ''),
  'BR-33': (doc) => every(doc.all('AllowanceCharge'), (each) => reasonOf(each) !== ''),
  'BR-41': (doc) => every(lineCharges(doc), (each) => has(each, 'Amount')),
  'BR-42': (doc) => every(lineCharges(doc), (each) => reasonOf(each) !== ''),
  'BR-45': (doc) => every(subtotals(doc), (each) => has(each, 'TaxableAmount')),
  'BR-46': (doc) => every(subtotals(doc), (each) => has(each, 'TaxAmount')),
  'BR-47': (doc) => every(subtotals(doc), (each) => text(each, 'TaxCategory', 'ID') !== ''),
  'BR-48': (doc) => every(subtotals(doc), (each) => text(each, 'TaxCategory', 'ID') === 'O' || has(each, 'TaxCategory', 'Percent')),
  'BR-49': (doc) => every(doc.all('PaymentMeans'), (each) => text(each, 'PaymentMeansCode') !== ''),
  'BR-50': (doc) => every(doc.all('PaymentMeans', 'PayeeFinancialAccount'), (each) => text(each, 'ID') !== ''),
  'BR-53': (doc) => doc.text('TaxCurrencyCode') === '' || doc.all('TaxTotal', 'TaxAmount').some((each) => each.attributes.currencyID === doc.text('TaxCurrencyCode')),
  'BR-55': (doc) => every(doc.all('BillingReference', 'InvoiceDocumentReference'), (each) => text(each, 'ID') !== ''),
  'BR-57': (doc) => every(doc.all('Delivery', 'DeliveryLocation', 'Address'), (each) => text(each, 'Country', 'IdentificationCode') !== ''),
  'BR-61': (doc) => every(doc.all('PaymentMeans'), (each) => !['30', '58'].includes(text(each, 'PaymentMeansCode')) || text(each, 'PayeeFinancialAccount', 'ID') !== ''),
  'BR-62': (doc) => every(endpoints(doc), (each) => Boolean(each.attributes.schemeID)),
  'BR-64': (doc) => new Set(doc.lines.map((line) => text(line, 'ID'))).size === doc.lines.length,
  'BR-CO-03': (doc) => !(has(doc.root, 'TaxPointDate') && has(doc.root, 'InvoicePeriod', 'DescriptionCode')),
  'BR-CO-04': (doc) => every(doc.lines, (line) => text(line, 'Item', 'ClassifiedTaxCategory', 'ID') !== ''),
  'BR-CO-10': (doc) => total(doc, 'LineExtensionAmount').eq(sum(doc.lines.map((line) => amount(line, 'LineExtensionAmount')))),
  'BR-CO-11': (doc) => total(doc, 'AllowanceTotalAmount').eq(sum(allowances(doc).map((each) => amount(each, 'Amount')))),
  'BR-CO-12': (doc) => total(doc, 'ChargeTotalAmount').eq(sum(charges(doc).map((each) => amount(each, 'Amount')))),
  'BR-CO-13': (doc) => total(doc, 'TaxExclusiveAmount').eq(total(doc, 'LineExtensionAmount').minus(total(doc, 'AllowanceTotalAmount')).plus(total(doc, 'ChargeTotalAmount'))),
  'BR-CO-14': (doc) => every(doc.all('TaxTotal').filter((each) => has(each, 'TaxSubtotal')), (each) => amount(each, 'TaxAmount').eq(sum(all(each, 'TaxSubtotal').map((part) => amount(part, 'TaxAmount'))))),
  'BR-CO-15': (doc) => ownTax(doc).length === 1 && total(doc, 'TaxInclusiveAmount').eq(total(doc, 'TaxExclusiveAmount').plus(amount(doc.root, 'TaxTotal', 'TaxAmount'))),
  'BR-CO-16': (doc) => total(doc, 'PayableAmount').eq(total(doc, 'TaxInclusiveAmount').minus(total(doc, 'PrepaidAmount')).plus(total(doc, 'PayableRoundingAmount'))),
  'BR-CO-18': (doc) => subtotals(doc).length > 0,
  'BR-CO-25': (doc) => total(doc, 'PayableAmount').lte(0) || doc.text('DueDate') !== '' || doc.text('PaymentTerms', 'Note') !== '',
  'BR-CO-26': (doc) => ['PartyTaxScheme', 'PartyLegalEntity'].some((name) => doc.text('AccountingSupplierParty', 'Party', name, 'CompanyID') !== '') || has(doc.root, 'AccountingSupplierParty', 'Party', 'PartyIdentification'),
  'BR-DEC': (doc) => every(below(doc.root), (each) => !each.name.endsWith('Amount') || each.name === 'PriceAmount' || decimals(each.text) <= 2),
  'BR-CL-03': (doc) => every(below(doc.root), (each) => !each.attributes.currencyID || [doc.text('DocumentCurrencyCode'), doc.text('TaxCurrencyCode')].includes(each.attributes.currencyID)),
  'BR-CL-04': (doc) => /^[A-Z]{3}$/.test(doc.text('DocumentCurrencyCode')),
  'BR-CL-14': (doc) => every(below(doc.root).filter(({ name }) => name === 'IdentificationCode'), (each) => /^[A-Z]{2}$/.test(each.text)),
  'BR-CL-23': (doc) => every(below(doc.root).filter(({ name }) => name.endsWith('Quantity')), (each) => /^[A-Z0-9]{2,3}$/.test(each.attributes.unitCode ?? '')),
  'BR-CL-25': (doc) => every(endpoints(doc), (each) => addressSchemes.has(each.attributes.schemeID ?? '')),
  'UBL-SR-47': (doc) => new Set(doc.all('PaymentMeans').map((each) => text(each, 'PaymentMeansCode'))).size <= 1,
} // biome-ignore format: a rule a line

const quantityOf = (line: Element) =>
  line.children.find(({ name }) => name === 'InvoicedQuantity' || name === 'CreditedQuantity')
const reasonOf = (each: Element) => text(each, 'AllowanceChargeReason') + text(each, 'AllowanceChargeReasonCode')
const lineCharges = (doc: Doc) => doc.lines.flatMap((line) => all(line, 'AllowanceCharge'))
const endpoints = (doc: Doc) => below(doc.root).filter(({ name }) => name === 'EndpointID')
const decimals = (value: string) => value.trim().split('.')[1]?.length ?? 0

/** The code list EAS of the European Commission. */
const addressSchemes = new Set(
  '0002 0007 0009 0037 0060 0088 0096 0097 0106 0130 0135 0142 0147 0151 0154 0158 0170 0177 0183 0184 0188 0190 0191 0192 0193 0194 0195 0196 0198 0199 0200 0201 0202 0203 0204 0205 0208 0209 0210 0211 0212 0213 0215 0216 0217 0218 0221 0225 0230 0235 0240 0244 9910 9913 9914 9915 9918 9919 9920 9922 9923 9924 9925 9926 9927 9928 9929 9930 9931 9932 9933 9934 9935 9936 9937 9938 9939 9940 9941 9942 9943 9944 9945 9946 9947 9948 9949 9950 9951 9952 9953 9957 9959 AN AQ AS AU EM'.split(
    ' ',
  ),
)

/** The tax of each category: the amount that is taxable, and the tax of it. `slack` is what validators allow beyond rounding. */
export function taxRules({ slack }: { slack: Decimal.Value }): Rules {
  return {
    'BR-CO-17': (doc) =>
      every(subtotals(doc), (each) => {
        const rate = amount(each, 'TaxCategory', 'Percent')
        const wanted = cents(amount(each, 'TaxableAmount').times(rate).div(100))
        const difference = amount(each, 'TaxAmount').minus(wanted).abs()
        const allowed = wholeUnits.has(doc.text('DocumentCurrencyCode')) ? 1 : slack
        return difference.isZero() || (!rate.isZero() && difference.lt(allowed))
      }),
    'BR-08': (doc) =>
      every(subtotals(doc), (each) => amount(each, 'TaxableAmount').eq(taxableIn(doc, keyOf(each, 'TaxCategory')))),
    'BR-ONE': (doc) =>
      new Set(subtotals(doc).map((each) => keyOf(each, 'TaxCategory'))).size === subtotals(doc).length &&
      every(doc.lines, (line) => breakdown(doc).has(keyOf(line, 'Item', 'ClassifiedTaxCategory'))) &&
      every(doc.all('AllowanceCharge'), (each) => breakdown(doc).has(keyOf(each, 'TaxCategory'))),
  }
}

/** Currencies without cents: the tax of a document is a whole number. */
const wholeUnits = new Set(['JPY', 'KRW', 'VND', 'CLP', 'ISK'])

const keyOf = (from: Element, ...path: string[]) =>
  `${text(from, ...path, 'ID')} ${text(from, ...path, 'Percent') && amount(from, ...path, 'Percent').toString()}`
const breakdown = (doc: Doc) => new Set(subtotals(doc).map((each) => keyOf(each, 'TaxCategory')))

function taxableIn(doc: Doc, key: string): Decimal {
  const lines = doc.lines.filter((line) => keyOf(line, 'Item', 'ClassifiedTaxCategory') === key)
  const of = (elements: Element[]) =>
    sum(elements.filter((each) => keyOf(each, 'TaxCategory') === key).map((each) => amount(each, 'Amount')))
  return sum(lines.map((line) => amount(line, 'LineExtensionAmount')))
    .plus(of(charges(doc)))
    .minus(of(allowances(doc)))
}

/** The categories of EN 16931: S, Z, E, AE and O. */
export const categoryRules: Rules = {
  'BR-CL-17': (doc) => every(categories(doc), (each) => ['S', 'Z', 'E', 'AE', 'K', 'G', 'O', 'L', 'M'].includes(text(each, 'ID'))),
  'BR-SCHEME': (doc) => every(categories(doc), (each) => text(each, 'TaxScheme', 'ID') === 'VAT'),
  'BR-S-02': (doc) => !uses(doc, 'S') || sellerTaxIds(doc).length > 0,
  'BR-S-05': (doc) => every(of(doc, 'S'), (each) => amount(each, 'Percent').gt(0)),
  'BR-S-10': (doc) => every(of(doc, 'S'), (each) => !has(each, 'TaxExemptionReason') && !has(each, 'TaxExemptionReasonCode')),
  'BR-Z-02': (doc) => !uses(doc, 'Z') || sellerTaxIds(doc).length > 0,
  'BR-Z-05': (doc) => every(of(doc, 'Z'), (each) => text(each, 'Percent') !== '' && amount(each, 'Percent').isZero()),
  'BR-Z-09': (doc) => every(subtotalsOf(doc, 'Z'), (each) => amount(each, 'TaxAmount').isZero()),
  'BR-Z-10': (doc) => every(of(doc, 'Z'), (each) => !has(each, 'TaxExemptionReason')),
  'BR-E-02': (doc) => !uses(doc, 'E') || sellerTaxIds(doc).length > 0,
  'BR-E-05': (doc) => every(of(doc, 'E'), (each) => text(each, 'Percent') !== '' && amount(each, 'Percent').isZero()),
  'BR-E-09': (doc) => every(subtotalsOf(doc, 'E'), (each) => amount(each, 'TaxAmount').isZero()),
  'BR-E-10': (doc) => every(subtotalsOf(doc, 'E'), (each) => text(each, 'TaxCategory', 'TaxExemptionReason') !== ''),
  'BR-AE-02': (doc) => !uses(doc, 'AE') || (sellerTaxIds(doc).length > 0 && (has(doc.root, 'AccountingCustomerParty', 'Party', 'PartyTaxScheme') || has(doc.root, 'AccountingCustomerParty', 'Party', 'PartyLegalEntity', 'CompanyID'))),
  'BR-AE-05': (doc) => every(of(doc, 'AE'), (each) => text(each, 'Percent') !== '' && amount(each, 'Percent').isZero()),
  'BR-AE-09': (doc) => every(subtotalsOf(doc, 'AE'), (each) => amount(each, 'TaxAmount').isZero()),
  'BR-AE-10': (doc) => every(subtotalsOf(doc, 'AE'), (each) => text(each, 'TaxCategory', 'TaxExemptionReason') !== ''),
  'BR-O-02': (doc) => !uses(doc, 'O') || ![supplier(doc), customer(doc)].some((party) => party && all(party, 'PartyTaxScheme').some((each) => text(each, 'TaxScheme', 'ID') === 'VAT')),
  'BR-O-05': (doc) => every(of(doc, 'O'), (each) => !has(each, 'Percent')),
  'BR-O-09': (doc) => every(subtotalsOf(doc, 'O'), (each) => amount(each, 'TaxAmount').isZero()),
  'BR-O-10': (doc) => every(subtotalsOf(doc, 'O'), (each) => text(each, 'TaxCategory', 'TaxExemptionReason') !== ''),
  'BR-O-11': (doc) => !uses(doc, 'O') || every(categories(doc), (each) => text(each, 'ID') === 'O'),
  'BR-CO-09': (doc) => every(doc.all('AccountingSupplierParty', 'Party', 'PartyTaxScheme').filter((each) => text(each, 'TaxScheme', 'ID') === 'VAT'), (each) => /^[A-Z]{2}/.test(text(each, 'CompanyID'))),
  'BR-CL-16': (doc) => every(doc.all('PaymentMeans'), (each) => /^([1-9]|[1-5]\d|6[0-8]|7[04-8]|9[1-7]|ZZZ)$/.test(text(each, 'PaymentMeansCode'))),
} // biome-ignore format: a rule a line

const categories = (doc: Doc) =>
  below(doc.root).filter(({ name }) => name === 'TaxCategory' || name === 'ClassifiedTaxCategory')
const of = (doc: Doc, code: string) => categories(doc).filter((each) => text(each, 'ID') === code)
const uses = (doc: Doc, code: string) => of(doc, code).length > 0
const subtotalsOf = (doc: Doc, code: string) =>
  subtotals(doc).filter((each) => text(each, 'TaxCategory', 'ID') === code)
const sellerTaxIds = (doc: Doc) => doc.all('AccountingSupplierParty', 'Party', 'PartyTaxScheme', 'CompanyID')

export { categories, endpoints, subtotals }
