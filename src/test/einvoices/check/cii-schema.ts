import type { Element } from '../../../providers/reader/einvoice/element.ts'
import { parseXml } from '../../../providers/reader/einvoice/xml.ts'

// The sequences of the Cross Industry Invoice D16B in the profile EN 16931 of Factur-X, with the same signs as ubl-schema.ts.

const sequences: Record<string, string> = {
  CrossIndustryInvoice: 'ExchangedDocumentContext! ExchangedDocument! SupplyChainTradeTransaction!',
  ExchangedDocumentContext: 'BusinessProcessSpecifiedDocumentContextParameter? GuidelineSpecifiedDocumentContextParameter!',
  GuidelineSpecifiedDocumentContextParameter: 'ID!',
  ExchangedDocument: 'ID! TypeCode! IssueDateTime! IncludedNote*',
  IssueDateTime: 'DateTimeString!',
  IncludedNote: 'Content! SubjectCode?',
  SupplyChainTradeTransaction: 'IncludedSupplyChainTradeLineItem+ ApplicableHeaderTradeAgreement! ApplicableHeaderTradeDelivery! ApplicableHeaderTradeSettlement!',
  IncludedSupplyChainTradeLineItem: 'AssociatedDocumentLineDocument! SpecifiedTradeProduct! SpecifiedLineTradeAgreement! SpecifiedLineTradeDelivery! SpecifiedLineTradeSettlement!',
  AssociatedDocumentLineDocument: 'LineID! IncludedNote?',
  SpecifiedTradeProduct: 'GlobalID? SellerAssignedID? BuyerAssignedID? Name! Description?',
  SpecifiedLineTradeAgreement: 'BuyerOrderReferencedDocument? GrossPriceProductTradePrice? NetPriceProductTradePrice!',
  NetPriceProductTradePrice: 'ChargeAmount! BasisQuantity?',
  SpecifiedLineTradeDelivery: 'BilledQuantity!',
  SpecifiedLineTradeSettlement: 'ApplicableTradeTax! BillingSpecifiedPeriod? SpecifiedTradeAllowanceCharge* SpecifiedTradeSettlementLineMonetarySummation!',
  SpecifiedTradeSettlementLineMonetarySummation: 'LineTotalAmount!',
  ApplicableTradeTax: 'CalculatedAmount? TypeCode! ExemptionReason? BasisAmount? CategoryCode! ExemptionReasonCode? RateApplicablePercent?',
  CategoryTradeTax: 'TypeCode! CategoryCode! RateApplicablePercent?',
  SpecifiedTradeAllowanceCharge: 'ChargeIndicator! CalculationPercent? BasisAmount? ActualAmount! ReasonCode? Reason? CategoryTradeTax?',
  ChargeIndicator: 'Indicator!',
  ApplicableHeaderTradeAgreement: 'BuyerReference? SellerTradeParty! BuyerTradeParty! SellerTaxRepresentativeTradeParty? SellerOrderReferencedDocument? BuyerOrderReferencedDocument? ContractReferencedDocument?',
  BuyerOrderReferencedDocument: 'IssuerAssignedID!',
  SellerTradeParty: 'ID* GlobalID* Name! Description? SpecifiedLegalOrganization? DefinedTradeContact? PostalTradeAddress! URIUniversalCommunication? SpecifiedTaxRegistration*',
  BuyerTradeParty: 'ID* GlobalID* Name! SpecifiedLegalOrganization? DefinedTradeContact? PostalTradeAddress! URIUniversalCommunication? SpecifiedTaxRegistration*',
  ShipToTradeParty: 'ID? GlobalID? Name? PostalTradeAddress?',
  SpecifiedLegalOrganization: 'ID? TradingBusinessName?',
  DefinedTradeContact: 'PersonName? DepartmentName? TelephoneUniversalCommunication? EmailURIUniversalCommunication?',
  TelephoneUniversalCommunication: 'CompleteNumber!',
  EmailURIUniversalCommunication: 'URIID!',
  URIUniversalCommunication: 'URIID!',
  PostalTradeAddress: 'PostcodeCode? LineOne? LineTwo? LineThree? CityName? CountryID! CountrySubDivisionName?',
  SpecifiedTaxRegistration: 'ID!',
  ApplicableHeaderTradeDelivery: 'ShipToTradeParty? ActualDeliverySupplyChainEvent?',
  ApplicableHeaderTradeSettlement: 'PaymentReference? TaxCurrencyCode? InvoiceCurrencyCode! PayeeTradeParty? SpecifiedTradeSettlementPaymentMeans* ApplicableTradeTax+ BillingSpecifiedPeriod? SpecifiedTradeAllowanceCharge* SpecifiedTradePaymentTerms? SpecifiedTradeSettlementHeaderMonetarySummation! InvoiceReferencedDocument*',
  SpecifiedTradeSettlementPaymentMeans: 'TypeCode! Information? PayeePartyCreditorFinancialAccount? PayeeSpecifiedCreditorFinancialInstitution?',
  PayeePartyCreditorFinancialAccount: 'IBANID? AccountName? ProprietaryID?',
  PayeeSpecifiedCreditorFinancialInstitution: 'BICID!',
  SpecifiedTradePaymentTerms: 'Description? DueDateDateTime?',
  DueDateDateTime: 'DateTimeString!',
  SpecifiedTradeSettlementHeaderMonetarySummation: 'LineTotalAmount! ChargeTotalAmount? AllowanceTotalAmount? TaxBasisTotalAmount! TaxTotalAmount* RoundingAmount? GrandTotalAmount! TotalPrepaidAmount? DuePayableAmount!',
  InvoiceReferencedDocument: 'IssuerAssignedID! FormattedIssueDateTime?',
  FormattedIssueDateTime: 'DateTimeString!',
} // biome-ignore format: a sequence a line

/** What the schema says against the order and the number of elements of a Cross Industry Invoice. */
export async function ciiProblems(xml: string): Promise<string[]> {
  return inside(await parseXml(Buffer.from(xml)), '')
}

function inside({ name, children, text }: Element, path: string): string[] {
  const sequence = sequences[name]
  const here = `${path}/${name}`
  if (sequence === undefined) return children.length > 0 || !text.trim() ? [`${here} is not a text`] : []
  const wanted = sequence.split(' ').map((entry) => ({ name: entry.slice(0, -1), times: entry.slice(-1) }))
  const places = children.map((child) => wanted.findIndex((entry) => entry.name === child.name))
  const problems = children.flatMap((child, at) => {
    const place = places[at] ?? -1
    if (place < 0) return [`${here} has ${child.name}, which does not belong there`]
    return places.slice(0, at).some((before) => before > place) ? [`${here} has ${child.name} too late`] : []
  })
  const counts = wanted.flatMap(({ name: child, times }) => {
    const count = children.filter((each) => each.name === child).length
    const isWrong = (count === 0 && (times === '!' || times === '+')) || (count > 1 && (times === '!' || times === '?'))
    return isWrong ? [`${here} has ${count} times ${child}`] : []
  })
  return [...problems, ...counts, ...children.flatMap((child) => inside(child, here))]
}
