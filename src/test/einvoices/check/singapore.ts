import { Decimal } from 'decimal.js'
import { categories, endpoints, subtotals } from './en16931.ts'
import { amount, below, type Doc, has, type Rules, text } from './tree.ts'

// PINT Billing of Singapore: its own rules (-SG), and what the tax authority refuses a document without (C5).

const supplier = ['AccountingSupplierParty', 'Party']
const customer = ['AccountingCustomerParty', 'Party']

const codes = new Set('SR SRCA-S SRCA-C ZR ES33 ESN33 DS OS NA NG SRRC SROVR-RS SROVR-LVG SRLVG'.split(' '))
/** Categories of supplies that are reported. */
const reported = new Set('SR SRCA-S SRCA-C ZR SRRC SROVR-RS SROVR-LVG SRLVG NA'.split(' '))

const isReported = (doc: Doc) => subtotals(doc).some((each) => reported.has(text(each, 'TaxCategory', 'ID')))
const isUnregistered = (doc: Doc) => categories(doc).some((each) => text(each, 'ID') === 'NG')
const sgd = (doc: Doc, code: string) =>
  doc.all('AdditionalDocumentReference').filter((each) => text(each, 'DocumentTypeCode') === code)
const isForeign = (doc: Doc) => doc.text('DocumentCurrencyCode') !== 'SGD'

export const singaporeRules: Rules = {
  'R004-SG': (doc) => doc.text('CustomizationID') === 'urn:peppol:pint:billing-1@sg-1',
  'R007-SG': (doc) => doc.text('ProfileID') === 'urn:peppol:bis:billing',
  'BR-CL-17-SG': (doc) => categories(doc).every((each) => codes.has(text(each, 'ID'))),
  'BR-CO-04-SG': (doc) => categories(doc).every((each) => text(each, 'TaxScheme', 'ID') === 'GST'),
  'BR-CL-16-SG': (doc) => doc.all('PaymentMeans').every((each) => /^([1-9]|[1-5]\d|6[0-8]|7[04-8]|9[1-7]|ZZZ|Z01|Z02)$/.test(text(each, 'PaymentMeansCode'))),
  'BR-53-SG': (doc) => !doc.text('TaxCurrencyCode') || (sgd(doc, 'sgdtotal-excl-gst').length === 1 && sgd(doc, 'sgdtotal-incl-gst').length === 1),
  'BR-110-SG': (doc) => Boolean(doc.text('TaxCurrencyCode')) || doc.all('AdditionalDocumentReference').length === 0,
  'BR-100-SG': (doc) => doc.all('AdditionalDocumentReference').every((each) => /^-?\d+(\.\d{1,2})?$/.test(text(each, 'DocumentDescription'))),
  'BR-103-SG': (doc) => doc.all('AdditionalDocumentReference').every((each) => text(each, 'ID') === 'SGD'),
  'SR-43-SG': (doc) => doc.all('AdditionalDocumentReference').every((each) => /^(130|50|sgdtotal-(in|ex)cl-gst)$/.test(text(each, 'DocumentTypeCode'))),
  'BR-105-SG': (doc) => !isReported(doc) || gstNumber(doc) !== '',
  'BR-106-SG': (doc) => has(doc.root, ...supplier, 'PostalAddress', 'StreetName') && has(doc.root, ...supplier, 'PostalAddress', 'PostalZone'),
  'BR-107-SG': (doc) => has(doc.root, ...customer, 'PostalAddress', 'StreetName') && has(doc.root, ...customer, 'PostalAddress', 'PostalZone'),
  'BR-108-SG': (doc) => doc.text('UUID') !== '',
  'BR-109-SG': (doc) => doc.text('UUID') === '' || /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(doc.text('UUID')),
  'BR-111-SG': (doc) => !doc.isCreditNote || doc.text('Note') !== '',
  'BR-112-SG': (doc) => doc.text(...supplier, 'PartyLegalEntity', 'CompanyID') !== '',
  'BR-113-SG': (doc) => doc.text('TaxCurrencyCode') === (isForeign(doc) ? 'SGD' : ''),
  'BR-NG-02-SG': (doc) => !isUnregistered(doc) || !has(doc.root, ...supplier, 'PartyTaxScheme'),
  'BR-NG-09-SG': (doc) => subtotals(doc).every((each) => text(each, 'TaxCategory', 'ID') !== 'NG' || amount(each, 'TaxAmount').isZero()),
  'BR-NG-11-SG': (doc) => !isUnregistered(doc) || categories(doc).every((each) => text(each, 'ID') === 'NG'),
  'C5-TYPE': (doc) => (doc.isCreditNote ? doc.text('CreditNoteTypeCode') === '381' : doc.text('InvoiceTypeCode') === '380'),
  'C5-ENDPOINT': (doc) => endpoints(doc).length === 2 && endpoints(doc).every((each) => Boolean(each.attributes.schemeID)),
  'C5-0195': (doc) => endpoints(doc).every((each) => each.attributes.schemeID !== '0195' || /^SG(UEN|GST|TST)[0-9A-Z-]+$/.test(each.text)),
  'C5-BUYER': (doc) => doc.text(...customer, 'PartyLegalEntity', 'CompanyID') !== '' && doc.text(...customer, 'PartyLegalEntity', 'RegistrationName') !== '',
  'C5-RATE': (doc) => categories(doc).every((each) => text(each, 'Percent') !== ''),
  'C5-TOTALS': (doc) => ['TaxExclusiveAmount', 'TaxInclusiveAmount', 'PayableAmount'].every((name) => !doc.amount('LegalMonetaryTotal', name).isNegative()),
  'C5-DECIMALS': (doc) => below(doc.root).every((each) => !each.attributes.currencyID || (each.text.trim().split('.')[1]?.length ?? 0) <= 2),
  'C5-SGD': (doc) => !isForeign(doc) || sgdTotal(doc, 'sgdtotal-incl-gst').eq(sgdTotal(doc, 'sgdtotal-excl-gst').plus(taxInSgd(doc))),
  'C5-SIGN': (doc) => !isForeign(doc) || taxInSgd(doc).isZero() || taxInSgd(doc).isNegative() === doc.amount('TaxTotal', 'TaxAmount').isNegative(),
} // biome-ignore format: a rule a line

const gstNumber = (doc: Doc) =>
  doc
    .all(...supplier, 'PartyTaxScheme')
    .filter((each) => text(each, 'TaxScheme', 'ID') === 'GST')
    .map((each) => text(each, 'CompanyID'))[0] ?? ''
const sgdTotal = (doc: Doc, code: string) =>
  sgd(doc, code).map((each) => amount(each, 'DocumentDescription'))[0] ?? new Decimal(0)
const taxInSgd = (doc: Doc) =>
  doc
    .all('TaxTotal')
    .filter((each) => !has(each, 'TaxSubtotal'))
    .map((each) => amount(each, 'TaxAmount'))[0] ?? new Decimal(0)
