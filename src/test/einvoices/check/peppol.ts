import { endpoints } from './en16931.ts'
import { all, amount, below, has, isCharge, type Rules, sum, text } from './tree.ts'
import { isDay } from './ubl-schema.ts'

// The rules of Peppol, which PINT of Singapore has too (with the ending -SG), and those of Peppol BIS Billing 3 alone.

/** Sums may differ by two cents here. */
const slack = '0.02'

export const sharedRules: Rules = {
  'PEPPOL-R001': (doc) => doc.text('ProfileID') !== '',
  'PEPPOL-R002': (doc) => doc.all('Note').length <= 1,
  'PEPPOL-R003': (doc) => doc.text('BuyerReference') !== '' || doc.text('OrderReference', 'ID') !== '',
  'PEPPOL-R005': (doc) => doc.text('TaxCurrencyCode') === '' || doc.text('TaxCurrencyCode') !== doc.text('DocumentCurrencyCode'),
  'PEPPOL-R008': (doc) => below(doc.root).every(({ children, text: own }) => children.length > 0 || own.trim() !== ''),
  'PEPPOL-R010': (doc) => doc.text('AccountingCustomerParty', 'Party', 'EndpointID') !== '',
  'PEPPOL-R020': (doc) => doc.text('AccountingSupplierParty', 'Party', 'EndpointID') !== '',
  'PEPPOL-R040': (doc) => charges(doc.root).every((each) => !has(each, 'BaseAmount') || !has(each, 'MultiplierFactorNumeric') || amount(each, 'BaseAmount').times(amount(each, 'MultiplierFactorNumeric')).div(100).minus(amount(each, 'Amount')).abs().lte(slack)),
  'PEPPOL-R041': (doc) => charges(doc.root).every((each) => !has(each, 'MultiplierFactorNumeric') || has(each, 'BaseAmount')),
  'PEPPOL-R042': (doc) => charges(doc.root).every((each) => !has(each, 'BaseAmount') || has(each, 'MultiplierFactorNumeric')),
  'PEPPOL-R053': (doc) => doc.all('TaxTotal').filter((each) => has(each, 'TaxSubtotal')).length === 1,
  'PEPPOL-R054': (doc) => doc.all('TaxTotal').filter((each) => !has(each, 'TaxSubtotal')).length === (doc.text('TaxCurrencyCode') ? 1 : 0),
  'PEPPOL-R055': (doc) => new Set(doc.all('TaxTotal').map((each) => amount(each, 'TaxAmount')).filter((each) => !each.isZero()).map((each) => each.isNegative())).size <= 1,
  'PEPPOL-R061': (doc) => doc.all('PaymentMeans').every((each) => !['49', '59'].includes(text(each, 'PaymentMeansCode')) || has(each, 'PaymentMandate')),
  'PEPPOL-R120': (doc) => doc.lines.every((line) => {
    const quantity = amount(line, doc.isCreditNote ? 'CreditedQuantity' : 'InvoicedQuantity')
    const base = amount(line, 'Price', 'BaseQuantity')
    const gross = quantity.times(amount(line, 'Price', 'PriceAmount')).div(base.isZero() ? 1 : base)
    const sums = all(line, 'AllowanceCharge').map((each) => (isCharge(each) ? amount(each, 'Amount') : amount(each, 'Amount').neg()))
    return gross.plus(sum(sums)).minus(amount(line, 'LineExtensionAmount')).abs().lte(slack)
  }),
  'PEPPOL-R121': (doc) => doc.lines.every((line) => !has(line, 'Price', 'BaseQuantity') || amount(line, 'Price', 'BaseQuantity').gt(0)),
  'PEPPOL-R130': (doc) => doc.lines.every((line) => all(line, 'Price', 'BaseQuantity').every((base) => base.attributes.unitCode === line.children.find(({ name }) => name.endsWith('edQuantity'))?.attributes.unitCode)),
  'PEPPOL-F001': (doc) => below(doc.root).filter(({ name }) => name.endsWith('Date')).every((each) => isDay(each.text.trim())),
  'PEPPOL-NOTE': (doc) => doc.all('Note').every((each) => !/#[^#]{3}#/.test(each.text)),
} // biome-ignore format: a rule a line

const charges = (root: Parameters<typeof below>[0]) => below(root).filter(({ name }) => name === 'AllowanceCharge')

/** The schemes of participants in Peppol BIS Billing 3.0.21; EN 16931 alone also allows e-mail and others. */
const participantSchemes = new Set(
  '0002 0007 0009 0060 0088 0096 0097 0106 0130 0135 0142 0151 0158 0183 0184 0188 0190 0191 0192 0195 0196 0198 0199 0200 0201 0204 0208 0209 0210 0211 0216 0218 0221 0225 0230 0235 0240 0242 0244 0245 0246 0248 9910 9913 9914 9915 9918 9919 9920 9922 9923 9924 9925 9926 9927 9928 9929 9930 9931 9932 9933 9934 9935 9936 9937 9938 9939 9940 9941 9942 9943 9944 9945 9946 9947 9948 9949 9950 9951 9952 9953 9957 9959'.split(
    ' ',
  ),
)

/** Peppol BIS Billing says CL008, PINT ibr-cl-25. */
export const participantRules: Rules = {
  'PEPPOL-CL008': (doc) => endpoints(doc).every((each) => participantSchemes.has(each.attributes.schemeID ?? '')),
}

export const billingRules: Rules = {
  ...participantRules,
  'PEPPOL-R004': (doc) => doc.text('CustomizationID') === 'urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0',
  'PEPPOL-R007': (doc) => /^urn:fdc:peppol\.eu:2017:poacc:billing:\d\d:1\.0$/.test(doc.text('ProfileID')),
  'PEPPOL-P0100': (doc) => doc.isCreditNote || ['380', '383', '386', '393'].includes(doc.text('InvoiceTypeCode')),
  'PEPPOL-P0101': (doc) => !doc.isCreditNote || ['381', '396'].includes(doc.text('CreditNoteTypeCode')),
  'PEPPOL-0195': (doc) => endpoints(doc).every((each) => each.attributes.schemeID !== '0195' || /^SG(UEN|GST|TST)[0-9A-Z-]+$/.test(each.text)),
} // biome-ignore format: a rule a line
