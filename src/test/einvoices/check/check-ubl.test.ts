import { expect, test } from 'vitest'
import { type Standard, toEInvoice } from '../../../features/selling/documents/einvoice/to-einvoice.ts'
import { toUbl } from '../../../features/selling/documents/einvoice/ubl.ts'
import { america, israel, lines, printData, type Sample, singapore } from '../../documents/print-samples.ts'
import { nothing } from '../generated.ts'
import { checkUbl, claimedBy, rulesOf, type Specification } from './check-ubl.ts'

/** In the Peppol network, unless the sample is of parties that are not. */
const addresses = { peppolId: '0088:7300010000001', sellerPeppolId: '0088:7300010000018' }

function written({ isByMail = false, ...sample }: Sample & { isByMail?: boolean }, standard: Standard): string {
  const isGiven = standard === 'network' && !isByMail && sample.organization?.country !== 'SG'
  const countrySpecificData = { ...sample.row?.countrySpecificData, ...(isGiven && addresses) }
  const data = printData({ ...sample, row: { ...sample.row, countrySpecificData, customerEmail: 'ap@globex.example' } })
  const result = toEInvoice({ ...data, now: { organization: nothing, customer: undefined } }, standard)
  if ('problems' in result) throw new Error(JSON.stringify(result.problems))
  return toUbl(result.invoice)
}

const { item, over } = lines
const sums = (subtotalMinor: number, taxMinor: number) => ({
  subtotalMinor,
  taxMinor,
  totalMinor: subtotalMinor + taxMinor,
})
const home = { organization: israel.organization, customer: israel.customer, account: israel.account }
const source = { number: 'INV-0007', issueDate: '2026-01-15', documentType: 'INVOICE', countrySpecificData: null }
const abroad = { currency: 'USD', countryRate: '1.3527', countryRateDate: '2026-02-11' }

/** Valid files, which each test changes. */
const samples = {
  /** A discount, an adjustment of the whole invoice, a payment in advance, another currency. */
  invoice: written({ ...home, row: { ...abroad, notes: 'Thanks', paidMinor: 1_000, ...over([item('Work', 3, 100, { discountPercent: 10, amountMinor: 27_000 }), item('Books', 1, 50, { taxRate: 0 })], 18), subtotalMinor: 32_001, taxMinor: 4_860, totalMinor: 36_862 } }, 'network'),
  exempt: written({ ...home, row: over([item('Rent', 1, 100, { taxRate: 0, taxCategory: 'EXEMPT' }), item('Rent', 1, 7.5, { amountMinor: 760, taxRate: 0, taxCategory: 'EXEMPT' })], 0) }, 'network'),
  reverse: written({ ...singapore, row: { ...singapore.row, ...over([item('Chips', 1, 100, { taxRate: 0, taxCategory: 'SRCA-S' })], 0) } }, 'network'),
  outside: written({ ...home, organization: { ...israel.organization, registrationNumber: '012345674' }, row: over([item('Lesson', 1, 100)], null) }, 'network'),
  shipped: written({ ...america, row: { ...america.row, countrySpecificData: { shipTo: { line1: '1 Pier', city: 'Austin', state: 'TX', zip: '78744' } } } }, 'network'),
  credit: written({ ...home, source, row: { documentType: 'CREDIT_MEMO', notes: 'Returned' } }, 'network'),
  mail: written({ ...home, isByMail: true }, 'network'),
  pint: written({ ...singapore, row: { ...singapore.row, ...abroad } }, 'national'),
  pintAtHome: written(singapore, 'national'),
  pintCredit: written({ ...singapore, source, row: { ...singapore.row, documentType: 'CREDIT_MEMO', notes: 'Returned' } }, 'national'),
  pintUnregistered: written({ ...singapore, organization: { ...singapore.organization, taxNumber: null }, row: { ...singapore.row, ...over([item('Lesson', 1, 100)], null), ...sums(10_000, 0) } }, 'national'),
} // biome-ignore format: a sample a line

type SampleName = keyof typeof samples
const specificationOf = (name: SampleName): Specification =>
  name.startsWith('pint') ? 'pint' : name === 'mail' ? 'core' : 'bis'

test.each(Object.keys(samples) as SampleName[])('the unaltered sample %s has no problem', async (name) => {
  expect(claimedBy(samples[name])).toBe(specificationOf(name))
  expect(await checkUbl(samples[name], specificationOf(name))).toEqual([])
})

/** Replaces the content of the first element with this name, after another one if `after` names it. */
const set =
  (element: string, value: string, after = '') =>
  (xml: string) => {
    const from = after ? xml.indexOf(`<${after}`) : 0
    return (
      xml.slice(0, from) +
      xml.slice(from).replace(new RegExp(`(<${element}[^>]*>)[^<]*(</${element}>)`), `$1${value}$2`)
    )
  }
const drop =
  (element: string, after = '') =>
  (xml: string) => {
    const from = after ? xml.indexOf(`<${after}`) : 0
    return xml.slice(0, from) + xml.slice(from).replace(new RegExp(`\\s*<${element}[ >][\\s\\S]*?</${element}>`), '')
  }
const swap = (from: string | RegExp, to: string) => (xml: string) => xml.replace(from, to)
const scheme = (id: string) => `<cac:TaxScheme><cbc:ID>${id}</cbc:ID></cac:TaxScheme>`

const mutations: [rule: string, sample: SampleName, change: (xml: string) => string][] = [
  ['BR-01', 'invoice', set('cbc:CustomizationID', '')],
  ['BR-02', 'invoice', set('cbc:ID', '')],
  ['BR-03', 'invoice', drop('cbc:IssueDate')],
  ['BR-04', 'invoice', drop('cbc:InvoiceTypeCode')],
  ['BR-05', 'invoice', drop('cbc:DocumentCurrencyCode')],
  ['BR-06', 'invoice', drop('cbc:RegistrationName')],
  ['BR-07', 'invoice', drop('cbc:RegistrationName', 'cac:AccountingCustomerParty')],
  ['BR-09', 'invoice', drop('cac:Country')],
  ['BR-11', 'invoice', drop('cac:Country', 'cac:AccountingCustomerParty')],
  ['BR-12', 'invoice', drop('cbc:LineExtensionAmount')],
  ['BR-13', 'invoice', drop('cbc:TaxExclusiveAmount')],
  ['BR-14', 'invoice', drop('cbc:TaxInclusiveAmount')],
  ['BR-15', 'invoice', drop('cbc:PayableAmount')],
  ['BR-16', 'credit', (xml) => xml.replace(/<cac:CreditNoteLine>[\s\S]*<\/cac:CreditNoteLine>/, '')],
  ['BR-21', 'invoice', drop('cbc:ID', 'cac:InvoiceLine')],
  ['BR-22', 'invoice', drop('cbc:InvoicedQuantity')],
  ['BR-23', 'invoice', swap(' unitCode="C62"', '')],
  ['BR-24', 'invoice', drop('cbc:LineExtensionAmount', 'cac:InvoiceLine')],
  ['BR-25', 'invoice', set('cbc:Name', ' ', 'cac:Item')],
  ['BR-26', 'invoice', drop('cbc:PriceAmount')],
  ['BR-27', 'invoice', set('cbc:PriceAmount', '-100.00')],
  ['BR-31', 'invoice', drop('cbc:Amount')],
  ['BR-32', 'invoice', drop('cac:TaxCategory')],
  ['BR-33', 'invoice', drop('cbc:AllowanceChargeReason')],
  ['BR-41', 'invoice', drop('cbc:Amount', 'cac:InvoiceLine')],
  ['BR-42', 'invoice', drop('cbc:AllowanceChargeReason', 'cac:InvoiceLine')],
  ['BR-45', 'invoice', drop('cbc:TaxableAmount')],
  ['BR-46', 'invoice', drop('cbc:TaxAmount', 'cac:TaxSubtotal')],
  ['BR-47', 'invoice', drop('cbc:ID', 'cbc:TaxableAmount')],
  ['BR-48', 'invoice', drop('cbc:Percent', 'cbc:TaxableAmount')],
  ['BR-49', 'invoice', drop('cbc:PaymentMeansCode')],
  ['BR-50', 'invoice', drop('cbc:ID', 'cac:PayeeFinancialAccount')],
  ['BR-53', 'invoice', set('cbc:TaxCurrencyCode', 'EUR')],
  ['BR-55', 'credit', set('cbc:ID', '', 'cac:InvoiceDocumentReference')],
  ['BR-57', 'shipped', drop('cac:Country', 'cac:DeliveryLocation')],
  ['BR-61', 'invoice', drop('cac:PayeeFinancialAccount')],
  ['BR-62', 'invoice', swap(/ schemeID="\w+"/, '')],
  ['BR-64', 'invoice', (xml) => xml.replaceAll('<cbc:ID>2</cbc:ID>', '<cbc:ID>1</cbc:ID>')],
  ['BR-CO-03', 'invoice', swap('<cbc:DocumentCurrencyCode>', '<cbc:TaxPointDate>2026-01-01</cbc:TaxPointDate><cac:InvoicePeriod><cbc:DescriptionCode>35</cbc:DescriptionCode></cac:InvoicePeriod><cbc:DocumentCurrencyCode>')],
  ['BR-CO-04', 'invoice', drop('cac:ClassifiedTaxCategory')],
  ['BR-CO-10', 'invoice', set('cbc:LineExtensionAmount', '320.01')],
  ['BR-CO-11', 'invoice', swap('<cbc:ChargeTotalAmount', '<cbc:AllowanceTotalAmount currencyID="USD">0.05</cbc:AllowanceTotalAmount><cbc:ChargeTotalAmount')],
  ['BR-CO-12', 'invoice', set('cbc:ChargeTotalAmount', '0.02')],
  ['BR-CO-13', 'invoice', set('cbc:TaxExclusiveAmount', '320.02')],
  ['BR-CO-14', 'invoice', set('cbc:TaxAmount', '48.61')],
  ['BR-CO-15', 'invoice', set('cbc:TaxInclusiveAmount', '368.62')],
  ['BR-CO-16', 'invoice', set('cbc:PayableAmount', '358.63')],
  ['BR-CO-16', 'invoice', set('cbc:PrepaidAmount', '10.01')],
  ['BR-CO-16', 'invoice', set('cbc:PayableRoundingAmount', '0.02')],
  ['BR-CO-17', 'invoice', (xml) => set('cbc:TaxAmount', '50.60', 'cac:TaxSubtotal')(xml)],
  ['BR-CO-17', 'pintAtHome', set('cbc:TaxAmount', '451.12', 'cac:TaxSubtotal')],
  ['BR-CO-18', 'invoice', (xml) => xml.replace(/<cac:TaxSubtotal>[\s\S]*<\/cac:TaxSubtotal>/, '')],
  ['BR-CO-25', 'invoice', drop('cbc:DueDate')],
  ['BR-CO-26', 'outside', drop('cbc:CompanyID')],
  ['BR-DEC', 'invoice', set('cbc:PayableAmount', '358.620')],
  ['BR-CL-03', 'invoice', swap('<cbc:PayableAmount currencyID="USD"', '<cbc:PayableAmount currencyID="EUR"')],
  ['BR-CL-04', 'invoice', set('cbc:DocumentCurrencyCode', 'US')],
  ['BR-CL-14', 'invoice', set('cbc:IdentificationCode', 'Israel')],
  ['BR-CL-23', 'invoice', swap('unitCode="C62"', 'unitCode="pieces"')],
  ['BR-CL-25', 'invoice', swap(/schemeID="\w+"/, 'schemeID="0999"')],
  ['UBL-SR-47', 'invoice', swap('<cac:PaymentMeans>', '<cac:PaymentMeans><cbc:PaymentMeansCode>10</cbc:PaymentMeansCode></cac:PaymentMeans><cac:PaymentMeans>')],
  ['BR-08', 'invoice', set('cbc:TaxableAmount', '270.02')],
  ['BR-ONE', 'invoice', set('cbc:Percent', '17', 'cac:ClassifiedTaxCategory')],
  ['BR-CL-17', 'invoice', set('cbc:ID', 'SR', 'cac:ClassifiedTaxCategory')],
  ['BR-SCHEME', 'invoice', swap(/(<cac:ClassifiedTaxCategory>[\s\S]*?<cac:TaxScheme>\s*<cbc:ID>)VAT/, '$1GST')],
  ['BR-S-02', 'invoice', drop('cac:PartyTaxScheme')],
  ['BR-S-05', 'invoice', set('cbc:Percent', '0', 'cac:ClassifiedTaxCategory')],
  ['BR-S-10', 'invoice', swap(/(<cbc:Percent>18<\/cbc:Percent>)(?=\s*<cac:TaxScheme>[\s\S]*<cac:LegalMonetaryTotal>)/, '$1<cbc:TaxExemptionReason>no</cbc:TaxExemptionReason>')],
  ['BR-Z-02', 'invoice', drop('cac:PartyTaxScheme')],
  ['BR-Z-05', 'invoice', swap(/(<cbc:ID>Z<\/cbc:ID>\s*<cbc:Percent>)0/, '$15')],
  ['BR-Z-09', 'invoice', swap(/(<cbc:TaxableAmount currencyID="USD">50.00<\/cbc:TaxableAmount>\s*<cbc:TaxAmount currencyID="USD">)0.00/, '$11.00')],
  ['BR-Z-10', 'invoice', swap(/(<cbc:ID>Z<\/cbc:ID>\s*<cbc:Percent>0<\/cbc:Percent>)/, '$1<cbc:TaxExemptionReason>no</cbc:TaxExemptionReason>')],
  ['BR-E-02', 'exempt', drop('cac:PartyTaxScheme')],
  ['BR-E-05', 'exempt', set('cbc:Percent', '5')],
  ['BR-E-09', 'exempt', set('cbc:TaxAmount', '1.00', 'cac:TaxSubtotal')],
  ['BR-E-10', 'exempt', drop('cbc:TaxExemptionReason')],
  ['BR-AE-02', 'reverse', (xml) => drop('cbc:CompanyID', 'cac:AccountingCustomerParty')(xml)],
  ['BR-AE-05', 'reverse', set('cbc:Percent', '9')],
  ['BR-AE-09', 'reverse', set('cbc:TaxAmount', '1.00', 'cac:TaxSubtotal')],
  ['BR-AE-10', 'reverse', drop('cbc:TaxExemptionReason')],
  ['BR-O-02', 'outside', swap('<cac:PartyLegalEntity>', `<cac:PartyTaxScheme><cbc:CompanyID>IL1</cbc:CompanyID>${scheme('VAT')}</cac:PartyTaxScheme><cac:PartyLegalEntity>`)],
  ['BR-O-05', 'outside', swap(/(<cac:ClassifiedTaxCategory>\s*<cbc:ID>O<\/cbc:ID>)/, '$1<cbc:Percent>0</cbc:Percent>')],
  ['BR-O-09', 'outside', set('cbc:TaxAmount', '1.00', 'cac:TaxSubtotal')],
  ['BR-O-10', 'outside', drop('cbc:TaxExemptionReason')],
  ['BR-O-11', 'outside', set('cbc:ID', 'Z', 'cac:ClassifiedTaxCategory')],
  ['BR-CO-09', 'invoice', set('cbc:CompanyID', '513456782')],
  ['BR-CL-16', 'invoice', set('cbc:PaymentMeansCode', 'Z02')],
  ['PEPPOL-R001', 'invoice', drop('cbc:ProfileID')],
  ['PEPPOL-R002', 'invoice', swap('<cbc:Note>', '<cbc:Note>a</cbc:Note><cbc:Note>')],
  ['PEPPOL-R003', 'invoice', drop('cbc:BuyerReference')],
  ['PEPPOL-R004', 'invoice', set('cbc:CustomizationID', 'urn:cen.eu:en16931:2017')],
  ['PEPPOL-R005', 'invoice', set('cbc:TaxCurrencyCode', 'USD')],
  ['PEPPOL-R007', 'invoice', set('cbc:ProfileID', 'urn:peppol:bis:billing')],
  ['PEPPOL-R008', 'invoice', set('cbc:Note', ' ')],
  ['PEPPOL-R010', 'invoice', drop('cbc:EndpointID', 'cac:AccountingCustomerParty')],
  ['PEPPOL-R020', 'invoice', drop('cbc:EndpointID')],
  ['PEPPOL-R040', 'invoice', set('cbc:MultiplierFactorNumeric', '11')],
  ['PEPPOL-R041', 'invoice', drop('cbc:BaseAmount')],
  ['PEPPOL-R042', 'invoice', drop('cbc:MultiplierFactorNumeric')],
  ['PEPPOL-R053', 'invoice', swap(/<cac:TaxTotal>\s*<cbc:TaxAmount currencyID="ILS">([\d.]+)<\/cbc:TaxAmount>/, '<cac:TaxTotal><cbc:TaxAmount currencyID="ILS">$1</cbc:TaxAmount><cac:TaxSubtotal><cbc:TaxAmount currencyID="ILS">$1</cbc:TaxAmount></cac:TaxSubtotal>')],
  ['PEPPOL-R054', 'invoice', drop('cbc:TaxCurrencyCode')],
  ['PEPPOL-R055', 'invoice', swap('<cbc:TaxAmount currencyID="ILS">', '<cbc:TaxAmount currencyID="ILS">-')],
  ['PEPPOL-R061', 'invoice', set('cbc:PaymentMeansCode', '59')],
  ['PEPPOL-R120', 'invoice', set('cbc:PriceAmount', '100.01')],
  ['PEPPOL-R121', 'pintAtHome', set('cbc:BaseQuantity', '-10')],
  ['PEPPOL-R130', 'pintAtHome', swap('<cbc:BaseQuantity unitCode="C62"', '<cbc:BaseQuantity unitCode="KGM"')],
  ['PEPPOL-F001', 'invoice', set('cbc:IssueDate', '2026-02-30')],
  ['PEPPOL-NOTE', 'invoice', set('cbc:Note', '#XYZ# text')],
  ['PEPPOL-P0100', 'invoice', set('cbc:InvoiceTypeCode', '381')],
  ['PEPPOL-P0101', 'credit', set('cbc:CreditNoteTypeCode', '380')],
  ['PEPPOL-CL008', 'invoice', swap('schemeID="0088"', 'schemeID="EM"')],
  ['PEPPOL-CL008', 'pint', swap('schemeID="0195"', 'schemeID="EM"')],
  ['PEPPOL-0195', 'reverse', set('cbc:EndpointID', '201912345D')],
  ['R004-SG', 'pint', set('cbc:CustomizationID', 'urn:peppol:pint:billing-1')],
  ['R007-SG', 'pint', set('cbc:ProfileID', 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0')],
  ['BR-CL-17-SG', 'pint', set('cbc:ID', 'S', 'cac:ClassifiedTaxCategory')],
  ['BR-CO-04-SG', 'pint', swap(/(<cac:ClassifiedTaxCategory>[\s\S]*?<cac:TaxScheme>\s*<cbc:ID>)GST/, '$1VAT')],
  ['BR-CL-16-SG', 'pint', set('cbc:PaymentMeansCode', 'Z03')],
  ['BR-53-SG', 'pint', drop('cac:AdditionalDocumentReference')],
  ['BR-110-SG', 'pint', drop('cbc:TaxCurrencyCode')],
  ['BR-100-SG', 'pint', set('cbc:DocumentDescription', '7,213.27')],
  ['BR-103-SG', 'pint', set('cbc:ID', 'USD', 'cac:AdditionalDocumentReference')],
  ['SR-43-SG', 'pint', set('cbc:DocumentTypeCode', 'sgdtotal')],
  ['BR-105-SG', 'pint', drop('cac:PartyTaxScheme')],
  ['BR-106-SG', 'pint', drop('cbc:PostalZone')],
  ['BR-107-SG', 'pint', drop('cbc:StreetName', 'cac:AccountingCustomerParty')],
  ['BR-108-SG', 'pint', drop('cbc:UUID')],
  ['BR-109-SG', 'pint', set('cbc:UUID', 'INV-0042')],
  ['BR-111-SG', 'pintCredit', drop('cbc:Note')],
  ['BR-112-SG', 'pint', drop('cbc:CompanyID', 'cac:PartyLegalEntity')],
  ['BR-113-SG', 'pint', set('cbc:TaxCurrencyCode', 'EUR')],
  ['BR-113-SG', 'pintAtHome', swap('<cbc:BuyerReference>', '<cbc:TaxCurrencyCode>SGD</cbc:TaxCurrencyCode><cbc:BuyerReference>')],
  ['BR-NG-02-SG', 'pintUnregistered', swap('<cac:PartyLegalEntity>', `<cac:PartyTaxScheme><cbc:CompanyID>M1</cbc:CompanyID>${scheme('GST')}</cac:PartyTaxScheme><cac:PartyLegalEntity>`)],
  ['BR-NG-09-SG', 'pintUnregistered', set('cbc:TaxAmount', '1.00', 'cac:TaxSubtotal')],
  ['BR-NG-11-SG', 'pintUnregistered', set('cbc:ID', 'SR', 'cac:ClassifiedTaxCategory')],
  ['C5-TYPE', 'pint', set('cbc:InvoiceTypeCode', '383')],
  ['C5-ENDPOINT', 'pint', drop('cbc:EndpointID')],
  ['C5-0195', 'pint', set('cbc:EndpointID', '201912345D')],
  ['C5-BUYER', 'pint', drop('cbc:CompanyID', 'cac:AccountingCustomerParty')],
  ['C5-RATE', 'pint', drop('cbc:Percent', 'cac:ClassifiedTaxCategory')],
  ['C5-TOTALS', 'pint', set('cbc:PayableAmount', '-1.00')],
  ['C5-DECIMALS', 'pint', set('cbc:PriceAmount', '4800.001')],
  ['C5-SGD', 'pint', set('cbc:DocumentDescription', '1.00')],
  ['C5-SIGN', 'pint', swap('<cbc:TaxAmount currencyID="SGD">', '<cbc:TaxAmount currencyID="SGD">-')],
] // biome-ignore format: a mutation a line

test.each(mutations)('%s is reported in %s', async (rule, sample, change) => {
  const changed = change(samples[sample])
  expect(changed).not.toBe(samples[sample])
  expect(await checkUbl(changed, specificationOf(sample))).toContain(rule)
})

test('every rule is shown to fail', () => {
  const rules = new Set(Object.values(rulesOf).flatMap((each) => Object.keys(each)))
  const tried = new Set(mutations.map(([rule]) => rule))
  expect([...rules].filter((rule) => !tried.has(rule))).toEqual([])
})

test.each<[what: string, change: (xml: string) => string]>([
  ['an element out of order', (xml) => xml.replace(/(\s*<cbc:ID>INV-0042<\/cbc:ID>)(\s*<cbc:IssueDate>.*?<\/cbc:IssueDate>)/, '$2$1')],
  ['an element twice', swap(/(<cbc:IssueDate>.*?<\/cbc:IssueDate>)/, '$1$1')],
  ['an element too few', drop('cac:Price')],
  ['an unknown element', swap('<cbc:IssueDate>', '<cbc:IssueDay>1</cbc:IssueDay><cbc:IssueDate>')],
  ['an element in another namespace', swap(/<cbc:IssueDate>(.*?)<\/cbc:IssueDate>/, '<cac:IssueDate>$1</cac:IssueDate>')],
  ['an amount with a comma', set('cbc:PayableAmount', '1,000.00')],
  ['an amount without a currency', swap('<cbc:PayableAmount currencyID="USD">', '<cbc:PayableAmount>')],
  ['an indicator that is neither true nor false', set('cbc:ChargeIndicator', 'yes')],
  ['a day that does not exist', set('cbc:DueDate', '2026-02-31')],
])('the schema reports %s', async (_, change) => {
  const changed = change(samples.invoice)
  expect(changed).not.toBe(samples.invoice)
  const problems = await checkUbl(changed, 'bis')
  expect(problems.filter((problem) => problem.startsWith('SCHEMA'))).not.toEqual([])
}) // biome-ignore format: a table
