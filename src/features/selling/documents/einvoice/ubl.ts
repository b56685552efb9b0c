import type { Decimal } from 'decimal.js'
import type { PostalAddress } from './address.ts'
import type { Adjustment, Category, EInvoice, Line, Party, Payment, TaxGroup, Totals } from './einvoice.ts'
import { group, text, toXml, type XmlElement } from './xml.ts'

// UBL 2.1, with the elements in the order of its schema.

/** An invoice or a credit note as a file. */
export function toUbl(invoice: EInvoice): string {
  const name = invoice.isCreditNote ? 'CreditNote' : 'Invoice'
  return toXml(document(name, invoice), {
    xmlns: `urn:oasis:names:specification:ubl:schema:xsd:${name}-2`,
    'xmlns:cac': 'urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2',
    'xmlns:cbc': 'urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2',
  })
}

/** What is written differently in each currency and for each tax. */
type Writing = { scheme: string; amount(name: string, value: Decimal, currency?: string): XmlElement | undefined }

function document(name: 'Invoice' | 'CreditNote', invoice: EInvoice) {
  const { profile, accounting, currency, preceding, orderNumber, delivery, totals, isCreditNote } = invoice
  const writing: Writing = {
    scheme: profile.taxScheme,
    amount: (element, value, own = currency) => text(`cbc:${element}`, value.toFixed(2), { currencyID: own }),
  }
  const { amount } = writing
  return group(
    name,
    text('cbc:CustomizationID', profile.customization),
    text('cbc:ProfileID', profile.process),
    text('cbc:ID', invoice.number),
    text('cbc:UUID', isNational(invoice) ? invoice.uuid : null),
    text('cbc:IssueDate', invoice.issueDate),
    text('cbc:DueDate', invoice.dueDate),
    text(`cbc:${name}TypeCode`, invoice.typeCode),
    text('cbc:Note', invoice.note),
    text('cbc:DocumentCurrencyCode', currency),
    text('cbc:TaxCurrencyCode', accounting?.currency),
    text('cbc:BuyerReference', invoice.buyerReference),
    group('cac:OrderReference', text('cbc:ID', orderNumber)),
    preceding &&
      group(
        'cac:BillingReference',
        group(
          'cac:InvoiceDocumentReference',
          text('cbc:ID', preceding.number),
          text('cbc:IssueDate', preceding.issueDate),
        ),
      ),
    isNational(invoice) ? totalsInTaxCurrency(invoice) : [],
    group('cac:AccountingSupplierParty', party(invoice.seller, writing)),
    group('cac:AccountingCustomerParty', party(invoice.buyer, writing)),
    delivery && group('cac:Delivery', group('cac:DeliveryLocation', address('cac:Address', delivery))),
    invoice.payment && paymentMeans(invoice.payment, invoice.number),
    group('cac:PaymentTerms', text('cbc:Note', invoice.terms)),
    invoice.adjustments.map((each) => allowanceCharge(each, writing)),
    group(
      'cac:TaxTotal',
      amount('TaxAmount', totals.tax),
      invoice.taxes.map((each) => taxSubtotal(each, writing)),
    ),
    accounting && group('cac:TaxTotal', amount('TaxAmount', accounting.tax, accounting.currency)),
    monetaryTotal(totals, writing),
    invoice.lines.map((line, at) => documentLine(line, { at, isCreditNote, writing, isNational: isNational(invoice) })),
  )
}

const isNational = ({ profile }: EInvoice) => profile.taxScheme !== 'VAT'

/** Singapore wants the totals in its own dollars as references to documents. */
function totalsInTaxCurrency({ accounting }: EInvoice) {
  if (!accounting) return []
  const { currency, net, gross } = accounting
  const totals = [
    { code: 'sgdtotal-excl-gst', total: net },
    { code: 'sgdtotal-incl-gst', total: gross },
  ]
  return totals.map(({ code, total }) =>
    group(
      'cac:AdditionalDocumentReference',
      text('cbc:ID', currency),
      text('cbc:DocumentTypeCode', code),
      text('cbc:DocumentDescription', total.toFixed(2)),
    ),
  )
}

function party({ name, endpoint, address: place, legalId, taxId, phone, email }: Party, { scheme }: Writing) {
  return group(
    'cac:Party',
    endpoint && text('cbc:EndpointID', endpoint.id, { schemeID: endpoint.scheme }),
    group('cac:PartyName', text('cbc:Name', name)),
    address('cac:PostalAddress', place),
    taxId &&
      group(
        'cac:PartyTaxScheme',
        text('cbc:CompanyID', taxId.number),
        taxScheme(taxId.kind === 'VAT' ? scheme : 'TAX'),
      ),
    group('cac:PartyLegalEntity', text('cbc:RegistrationName', name), text('cbc:CompanyID', legalId)),
    group('cac:Contact', text('cbc:Telephone', phone), text('cbc:ElectronicMail', email)),
  )
}

function address(name: string, { lines: [first, second, third], city, postcode, subdivision, country }: PostalAddress) {
  return group(
    name,
    text('cbc:StreetName', first),
    text('cbc:AdditionalStreetName', second),
    text('cbc:CityName', city),
    text('cbc:PostalZone', postcode),
    text('cbc:CountrySubentity', subdivision),
    group('cac:AddressLine', text('cbc:Line', third)),
    group('cac:Country', text('cbc:IdentificationCode', country)),
  )
}

const taxScheme = (id: string) => group('cac:TaxScheme', text('cbc:ID', id))

function taxCategory(name: string, { code, rate, reason }: Category, { scheme }: Writing, withReason = false) {
  return group(
    name,
    text('cbc:ID', code),
    text('cbc:Percent', rate?.toFixed()),
    text('cbc:TaxExemptionReason', withReason ? reason : null),
    taxScheme(scheme),
  )
}

const paymentMeans = ({ code, account }: Payment, number: string) =>
  group(
    'cac:PaymentMeans',
    text('cbc:PaymentMeansCode', code),
    text('cbc:PaymentID', account ? number : null),
    account &&
      group(
        'cac:PayeeFinancialAccount',
        text('cbc:ID', account.id),
        text('cbc:Name', account.name),
        group('cac:FinancialInstitutionBranch', text('cbc:ID', account.bic)),
      ),
  )

function allowanceCharge(each: Adjustment & { category?: Category }, writing: Writing) {
  return group(
    'cac:AllowanceCharge',
    text('cbc:ChargeIndicator', String(each.isCharge)),
    text('cbc:AllowanceChargeReason', each.reason),
    text('cbc:MultiplierFactorNumeric', each.share?.percent.toFixed()),
    writing.amount('Amount', each.amount),
    each.share && writing.amount('BaseAmount', each.share.base),
    each.category && taxCategory('cac:TaxCategory', each.category, writing),
  )
}

const taxSubtotal = ({ category, taxable, tax }: TaxGroup, writing: Writing) =>
  group(
    'cac:TaxSubtotal',
    writing.amount('TaxableAmount', taxable),
    writing.amount('TaxAmount', tax),
    taxCategory('cac:TaxCategory', category, writing, true),
  )

function monetaryTotal(totals: Totals, { amount }: Writing) {
  const unlessZero = (name: string, value: Decimal) => (value.isZero() ? undefined : amount(name, value))
  return group(
    'cac:LegalMonetaryTotal',
    amount('LineExtensionAmount', totals.lines),
    amount('TaxExclusiveAmount', totals.net),
    amount('TaxInclusiveAmount', totals.gross),
    unlessZero('AllowanceTotalAmount', totals.allowances),
    unlessZero('ChargeTotalAmount', totals.charges),
    unlessZero('PrepaidAmount', totals.prepaid),
    unlessZero('PayableRoundingAmount', totals.rounding),
    amount('PayableAmount', totals.payable),
  )
}

type Place = { at: number; isCreditNote: boolean; isNational: boolean; writing: Writing }

function documentLine(line: Line, { at, isCreditNote, isNational, writing }: Place) {
  return group(
    isCreditNote ? 'cac:CreditNoteLine' : 'cac:InvoiceLine',
    text('cbc:ID', String(at + 1)),
    text(isCreditNote ? 'cbc:CreditedQuantity' : 'cbc:InvoicedQuantity', line.quantity.toFixed(), { unitCode: 'C62' }),
    writing.amount('LineExtensionAmount', line.net),
    line.adjustments.map((each) => allowanceCharge(each, writing)),
    group('cac:Item', text('cbc:Name', line.name), taxCategory('cac:ClassifiedTaxCategory', line.category, writing)),
    price(line, { isNational, writing }),
  )
}

/** Singapore wants two decimals in every amount, so a finer price is that of ten, a hundred … pieces. */
function price({ price: each }: Line, { isNational, writing: { amount } }: Pick<Place, 'isNational' | 'writing'>) {
  const finer = Math.max(0, each.decimalPlaces() - 2)
  if (finer === 0) return group('cac:Price', amount('PriceAmount', each))
  const currency = amount('PriceAmount', each)?.attributes ?? {}
  if (!isNational) return group('cac:Price', text('cbc:PriceAmount', each.toFixed(), currency))
  const pieces = 10 ** finer
  return group(
    'cac:Price',
    amount('PriceAmount', each.times(pieces)),
    text('cbc:BaseQuantity', String(pieces), { unitCode: 'C62' }),
  )
}
