import type { Decimal } from 'decimal.js'
import type { PostalAddress } from './address.ts'
import type { Adjustment, Category, EInvoice, Line, Party, Payment, TaxGroup } from './einvoice.ts'
import { group, text, toXml, type XmlElement } from './xml.ts'

// The Cross Industry Invoice (D16B) in the profile EN 16931 of Factur-X and ZUGFeRD, with the elements in the order of its schema.

export function toCii(invoice: EInvoice): string {
  return toXml(document(invoice), {
    'xmlns:rsm': 'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100',
    'xmlns:ram': 'urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100',
    'xmlns:qdt': 'urn:un:unece:uncefact:data:standard:QualifiedDataType:100',
    'xmlns:udt': 'urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100',
  })
}

const document = (invoice: EInvoice) =>
  group(
    'rsm:CrossIndustryInvoice',
    group(
      'rsm:ExchangedDocumentContext',
      group('ram:GuidelineSpecifiedDocumentContextParameter', text('ram:ID', invoice.profile.customization)),
    ),
    group(
      'rsm:ExchangedDocument',
      text('ram:ID', invoice.number),
      text('ram:TypeCode', invoice.typeCode),
      group('ram:IssueDateTime', day('udt', invoice.issueDate)),
      group('ram:IncludedNote', text('ram:Content', invoice.note)),
    ),
    group(
      'rsm:SupplyChainTradeTransaction',
      invoice.lines.map(line),
      agreement(invoice),
      delivery(invoice),
      settlement(invoice),
    ),
  )

const day = (prefix: 'udt' | 'qdt', iso: string) =>
  text(`${prefix}:DateTimeString`, iso.replaceAll('-', ''), { format: '102' })

const amount = (name: string, value: Decimal) => text(`ram:${name}`, value.toFixed(2))
const unlessZero = (name: string, value: Decimal) => (value.isZero() ? undefined : amount(name, value))

function line({ name, quantity, price, adjustments, net, category }: Line, at: number) {
  return group(
    'ram:IncludedSupplyChainTradeLineItem',
    group('ram:AssociatedDocumentLineDocument', text('ram:LineID', String(at + 1))),
    group('ram:SpecifiedTradeProduct', text('ram:Name', name)),
    group(
      'ram:SpecifiedLineTradeAgreement',
      group(
        'ram:NetPriceProductTradePrice',
        text('ram:ChargeAmount', price.toFixed(Math.max(2, price.decimalPlaces()))),
      ),
    ),
    group('ram:SpecifiedLineTradeDelivery', text('ram:BilledQuantity', quantity.toFixed(), { unitCode: 'C62' })),
    group(
      'ram:SpecifiedLineTradeSettlement',
      group('ram:ApplicableTradeTax', ...taxCategory(category)),
      adjustments.map((each) => allowanceCharge(each)),
      group('ram:SpecifiedTradeSettlementLineMonetarySummation', amount('LineTotalAmount', net)),
    ),
  )
}

const taxCategory = ({ code, rate }: Category) => [
  text('ram:TypeCode', 'VAT'),
  text('ram:CategoryCode', code),
  text('ram:RateApplicablePercent', rate?.toFixed()),
]

const allowanceCharge = (each: Adjustment & { category?: Category }) =>
  group(
    'ram:SpecifiedTradeAllowanceCharge',
    group('ram:ChargeIndicator', text('udt:Indicator', String(each.isCharge))),
    text('ram:CalculationPercent', each.share?.percent.toFixed()),
    each.share && amount('BasisAmount', each.share.base),
    amount('ActualAmount', each.amount),
    text('ram:Reason', each.reason),
    each.category && group('ram:CategoryTradeTax', ...taxCategory(each.category)),
  )

const agreement = ({ buyerReference, seller, buyer, orderNumber }: EInvoice) =>
  group(
    'ram:ApplicableHeaderTradeAgreement',
    text('ram:BuyerReference', buyerReference),
    party('ram:SellerTradeParty', seller),
    party('ram:BuyerTradeParty', buyer),
    group('ram:BuyerOrderReferencedDocument', text('ram:IssuerAssignedID', orderNumber)),
  )

const party = (name: string, each: Party) =>
  group(
    name,
    text('ram:Name', each.name),
    group('ram:SpecifiedLegalOrganization', text('ram:ID', each.legalId)),
    group(
      'ram:DefinedTradeContact',
      group('ram:TelephoneUniversalCommunication', text('ram:CompleteNumber', each.phone)),
      group('ram:EmailURIUniversalCommunication', text('ram:URIID', each.email)),
    ),
    address(each.address),
    each.endpoint &&
      group('ram:URIUniversalCommunication', text('ram:URIID', each.endpoint.id, { schemeID: each.endpoint.scheme })),
    each.taxId &&
      group(
        'ram:SpecifiedTaxRegistration',
        text('ram:ID', each.taxId.number, { schemeID: each.taxId.kind === 'VAT' ? 'VA' : 'FC' }),
      ),
  )

const address = ({ lines: [first, second, third], city, postcode, subdivision, country }: PostalAddress) =>
  group(
    'ram:PostalTradeAddress',
    text('ram:PostcodeCode', postcode),
    text('ram:LineOne', first),
    text('ram:LineTwo', second),
    text('ram:LineThree', third),
    text('ram:CityName', city),
    text('ram:CountryID', country),
    text('ram:CountrySubDivisionName', subdivision),
  )

/** The element is required, also without anything in it. */
const delivery = ({ delivery: place }: EInvoice): XmlElement =>
  (place && group('ram:ApplicableHeaderTradeDelivery', group('ram:ShipToTradeParty', address(place)))) ?? {
    name: 'ram:ApplicableHeaderTradeDelivery',
    attributes: {},
    content: [],
  }

function settlement(invoice: EInvoice) {
  const { accounting, currency, payment, taxes, adjustments, terms, dueDate, totals, preceding } = invoice
  const tax = (value: Decimal, own: string) => text('ram:TaxTotalAmount', value.toFixed(2), { currencyID: own })
  return group(
    'ram:ApplicableHeaderTradeSettlement',
    text('ram:PaymentReference', payment?.account ? invoice.number : null),
    text('ram:TaxCurrencyCode', accounting?.currency),
    text('ram:InvoiceCurrencyCode', currency),
    payment && paymentMeans(payment),
    taxes.map(tradeTax),
    adjustments.map(allowanceCharge),
    group(
      'ram:SpecifiedTradePaymentTerms',
      text('ram:Description', terms),
      dueDate === null ? null : group('ram:DueDateDateTime', day('udt', dueDate)),
    ),
    group(
      'ram:SpecifiedTradeSettlementHeaderMonetarySummation',
      amount('LineTotalAmount', totals.lines),
      unlessZero('ChargeTotalAmount', totals.charges),
      unlessZero('AllowanceTotalAmount', totals.allowances),
      amount('TaxBasisTotalAmount', totals.net),
      tax(totals.tax, currency),
      accounting && tax(accounting.tax, accounting.currency),
      unlessZero('RoundingAmount', totals.rounding),
      amount('GrandTotalAmount', totals.gross),
      unlessZero('TotalPrepaidAmount', totals.prepaid),
      amount('DuePayableAmount', totals.payable),
    ),
    preceding &&
      group(
        'ram:InvoiceReferencedDocument',
        text('ram:IssuerAssignedID', preceding.number),
        preceding.issueDate === null ? null : group('ram:FormattedIssueDateTime', day('qdt', preceding.issueDate)),
      ),
  )
}

const tradeTax = ({ category, taxable, tax }: TaxGroup) =>
  group(
    'ram:ApplicableTradeTax',
    amount('CalculatedAmount', tax),
    text('ram:TypeCode', 'VAT'),
    text('ram:ExemptionReason', category.reason),
    amount('BasisAmount', taxable),
    text('ram:CategoryCode', category.code),
    text('ram:RateApplicablePercent', category.rate?.toFixed()),
  )

const paymentMeans = ({ code, account }: Payment) =>
  group(
    'ram:SpecifiedTradeSettlementPaymentMeans',
    text('ram:TypeCode', code),
    account &&
      group(
        'ram:PayeePartyCreditorFinancialAccount',
        text('ram:IBANID', account.isIban ? account.id : null),
        text('ram:AccountName', account.name),
        text('ram:ProprietaryID', account.isIban ? null : account.id),
      ),
    account && group('ram:PayeeSpecifiedCreditorFinancialInstitution', text('ram:BICID', account.bic)),
  )
