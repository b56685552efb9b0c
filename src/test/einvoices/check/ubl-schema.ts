import type { Element } from '../../../providers/reader/einvoice/element.ts'

// The sequences of the UBL 2.1 schemas (OASIS, UBL-Invoice-2.1.xsd, UBL-CreditNote-2.1.xsd and the common components), in
// their order and with their cardinality: `!` exactly one, `?` at most one, `*` any number, `+` at least one. Elements that
// neither Peppol BIS Billing nor PINT uses are left out, so that they are reported.

const sequences: Record<string, string> = {
  Invoice: 'CustomizationID! ProfileID? ID! UUID? IssueDate! IssueTime? DueDate? InvoiceTypeCode! Note* TaxPointDate? DocumentCurrencyCode! TaxCurrencyCode? AccountingCost? BuyerReference? InvoicePeriod? OrderReference? BillingReference* DespatchDocumentReference? ReceiptDocumentReference? OriginatorDocumentReference? ContractDocumentReference? AdditionalDocumentReference* ProjectReference? AccountingSupplierParty! AccountingCustomerParty! PayeeParty? TaxRepresentativeParty? Delivery? PaymentMeans* PaymentTerms? AllowanceCharge* TaxTotal+ LegalMonetaryTotal! InvoiceLine+',
  CreditNote: 'CustomizationID! ProfileID? ID! UUID? IssueDate! IssueTime? TaxPointDate? CreditNoteTypeCode! Note* DocumentCurrencyCode! TaxCurrencyCode? AccountingCost? BuyerReference? InvoicePeriod? OrderReference? BillingReference* DespatchDocumentReference? ReceiptDocumentReference? ContractDocumentReference? AdditionalDocumentReference* OriginatorDocumentReference? AccountingSupplierParty! AccountingCustomerParty! PayeeParty? TaxRepresentativeParty? Delivery? PaymentMeans* PaymentTerms? AllowanceCharge* TaxTotal+ LegalMonetaryTotal! CreditNoteLine+',
  OrderReference: 'ID! SalesOrderID?',
  BillingReference: 'InvoiceDocumentReference!',
  InvoiceDocumentReference: 'ID! IssueDate?',
  AdditionalDocumentReference: 'ID! DocumentTypeCode? DocumentDescription? Attachment?',
  AccountingSupplierParty: 'Party!',
  AccountingCustomerParty: 'Party!',
  Party: 'EndpointID? PartyIdentification* PartyName? PostalAddress! PartyTaxScheme* PartyLegalEntity! Contact?',
  PartyIdentification: 'ID!',
  PartyName: 'Name!',
  PostalAddress: 'StreetName? AdditionalStreetName? CityName? PostalZone? CountrySubentity? AddressLine? Country!',
  Address: 'StreetName? AdditionalStreetName? CityName? PostalZone? CountrySubentity? AddressLine? Country!',
  AddressLine: 'Line!',
  Country: 'IdentificationCode!',
  PartyTaxScheme: 'CompanyID! TaxScheme!',
  TaxScheme: 'ID!',
  PartyLegalEntity: 'RegistrationName! CompanyID? CompanyLegalForm?',
  Contact: 'Name? Telephone? ElectronicMail?',
  Delivery: 'ActualDeliveryDate? DeliveryLocation? DeliveryParty?',
  DeliveryLocation: 'ID? Address?',
  PaymentMeans: 'PaymentMeansCode! PaymentDueDate? PaymentID* CardAccount? PayeeFinancialAccount? PaymentMandate?',
  PayeeFinancialAccount: 'ID! Name? FinancialInstitutionBranch?',
  FinancialInstitutionBranch: 'ID!',
  PaymentTerms: 'Note!',
  AllowanceCharge: 'ChargeIndicator! AllowanceChargeReasonCode? AllowanceChargeReason? MultiplierFactorNumeric? Amount! BaseAmount? TaxCategory?',
  TaxTotal: 'TaxAmount! TaxSubtotal*',
  TaxSubtotal: 'TaxableAmount! TaxAmount! TaxCategory!',
  TaxCategory: 'ID! Percent? TaxExemptionReasonCode? TaxExemptionReason? TaxScheme!',
  ClassifiedTaxCategory: 'ID! Percent? TaxScheme!',
  LegalMonetaryTotal: 'LineExtensionAmount! TaxExclusiveAmount! TaxInclusiveAmount! AllowanceTotalAmount? ChargeTotalAmount? PrepaidAmount? PayableRoundingAmount? PayableAmount!',
  InvoiceLine: 'ID! Note? InvoicedQuantity! LineExtensionAmount! AccountingCost? InvoicePeriod? OrderLineReference? DocumentReference? AllowanceCharge* Item! Price!',
  CreditNoteLine: 'ID! Note? CreditedQuantity! LineExtensionAmount! AccountingCost? InvoicePeriod? OrderLineReference? DocumentReference? AllowanceCharge* Item! Price!',
  Item: 'Description? Name! BuyersItemIdentification? SellersItemIdentification? StandardItemIdentification? OriginCountry? CommodityClassification* ClassifiedTaxCategory! AdditionalItemProperty*',
  Price: 'PriceAmount! BaseQuantity? AllowanceCharge?',
} // biome-ignore format: a sequence a line

const namespaces = {
  root: (name: string) => `urn:oasis:names:specification:ubl:schema:xsd:${name}-2`,
  aggregate: 'urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2',
  basic: 'urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2',
}

/** What the schema says against a document: order, cardinality, namespaces and types. */
export function schemaProblems(root: Element): string[] {
  if (root.uri !== namespaces.root(root.name) || !(root.name === 'Invoice' || root.name === 'CreditNote'))
    return [`SCHEMA: the root is ${root.name} of ${root.uri}`]
  return inside(root, root.name)
}

function inside(element: Element, path: string): string[] {
  const sequence = sequences[element.name]
  if (sequence === undefined) return typeProblems(element, path)
  const wanted = sequence.split(' ').map((entry) => ({ name: entry.slice(0, -1), times: entry.slice(-1) }))
  const problems: string[] = []
  let position = 0
  for (const { name, uri } of element.children) {
    const at = wanted.findIndex((entry) => entry.name === name)
    if (at < 0) problems.push(`SCHEMA: ${path} has ${name}, which does not belong there`)
    else if (at < position) problems.push(`SCHEMA: ${path} has ${name} after ${wanted[position]?.name}`)
    position = Math.max(position, at)
    const isAggregate = sequences[name] !== undefined
    if (uri !== (isAggregate ? namespaces.aggregate : namespaces.basic))
      problems.push(`SCHEMA: ${path}/${name} is in another namespace`)
  }
  for (const { name, times } of wanted) {
    const count = element.children.filter((child) => child.name === name).length
    const isEnough = (times !== '!' && times !== '+') || count > 0
    const isTooMany = (times === '!' || times === '?') && count > 1
    if (!isEnough || isTooMany) problems.push(`SCHEMA: ${path} has ${count} times ${name}`)
  }
  if (element.text.trim()) problems.push(`SCHEMA: ${path} has text beside its elements`)
  return [...problems, ...element.children.flatMap((child) => inside(child, `${path}/${child.name}`))]
}

const decimal = /^-?\d+(\.\d+)?$/

/** The types of the basic components, by how their names end. */
function typeProblems({ name, text: raw, attributes, children }: Element, path: string): string[] {
  const text = raw.trim()
  const problem = (what: string) => [`SCHEMA: ${path} ${what}: ${text.slice(0, 40)}`]
  if (children.length > 0) return problem('has elements inside')
  if (name.endsWith('Amount')) {
    if (!decimal.test(text)) return problem('is no amount')
    return attributes.currencyID ? [] : problem('has no currencyID')
  }
  if (name.endsWith('Quantity')) {
    if (!decimal.test(text)) return problem('is no number')
    return attributes.unitCode ? [] : problem('has no unitCode')
  }
  if (name.endsWith('Numeric') || name === 'Percent') return decimal.test(text) ? [] : problem('is no number')
  if (name.endsWith('Indicator')) return /^(true|false)$/.test(text) ? [] : problem('is neither true nor false')
  if (name.endsWith('Date')) return isDay(text) ? [] : problem('is no day')
  return []
}

export const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text)
