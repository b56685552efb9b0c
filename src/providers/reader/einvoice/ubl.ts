import type { ReadItem } from '../reading.ts'
import { all, decimalAt, type Element, first, negated, perUnit, sum, textAt, toDay } from './element.ts'
import type { Invoice } from './invoice.ts'

/** UBL 2 invoices and credit notes: Peppol BIS Billing 3, PINT and those of countries, XRechnung. */
export function fromUbl(root: Element): Invoice {
  const party = first(root, 'AccountingSupplierParty', 'Party')
  const sums = first(root, 'LegalMonetaryTotal')
  const taxInclusive = decimalAt(sums, 'TaxInclusiveAmount')
  const currency = textAt(root, 'DocumentCurrencyCode') ?? first(sums, 'PayableAmount')?.attributes.currencyID ?? null
  const taxes = taxesIn(root, currency)
  const lines = all(root, 'InvoiceLine|CreditNoteLine')
  return {
    typeCode: root.name === 'CreditNote' ? '381' : textAt(root, 'InvoiceTypeCode'),
    seller: textAt(party, 'PartyLegalEntity', 'RegistrationName') ?? textAt(party, 'PartyName', 'Name'),
    sellerTaxNumber: taxNumberOf(party),
    number: textAt(root, 'ID'),
    date: toDay(textAt(root, 'IssueDate')),
    dueDate: dueDateOf(root),
    currency,
    subtotal: decimalAt(sums, 'TaxExclusiveAmount'),
    taxAmount: sum(taxes.map((tax) => decimalAt(tax, 'TaxAmount'))),
    rates: ratesOf(taxes, lines),
    total: taxInclusive ?? sum([decimalAt(sums, 'PayableAmount'), decimalAt(sums, 'PrepaidAmount')]),
    rounding: taxInclusive ? decimalAt(sums, 'PayableRoundingAmount') : null,
    paymentMeans: textAt(root, 'PaymentMeans', 'PaymentMeansCode'),
    items: [...lines.map(toItem), ...all(root, 'AllowanceCharge').map(toCharge)],
  }
}

/** The taxes in the currency of the invoice: they may be stated in the currency of the tax authority too. */
function taxesIn(root: Element, currency: string | null): Element[] {
  const stated = all(root, 'TaxTotal')
  const own = stated.filter((tax) => first(tax, 'TaxAmount')?.attributes.currencyID === currency)
  return own.length > 0 ? own : stated.slice(0, 1)
}

/** The rates in the summary of taxes, or those of the lines if it has none. */
function ratesOf(taxes: Element[], lines: Element[]): (string | null)[] {
  const summary = taxes.flatMap((tax) => all(tax, 'TaxSubtotal'))
  const rates = summary.map((part) => decimalAt(part, 'TaxCategory', 'Percent') ?? decimalAt(part, 'Percent'))
  return rates.some((rate) => rate !== null)
    ? rates
    : lines.map((line) => decimalAt(line, 'Item', 'ClassifiedTaxCategory', 'Percent'))
}

/** The VAT or GST number, else another number at the tax office, else that of the register of companies. */
function taxNumberOf(party: Element | undefined): string | null {
  const schemes = all(party, 'PartyTaxScheme')
  const vat = schemes.find((scheme) => ['VAT', 'GST'].includes(textAt(scheme, 'TaxScheme', 'ID') ?? ''))
  const numbers = [
    textAt(vat, 'CompanyID'),
    ...schemes.map((scheme) => textAt(scheme, 'CompanyID')),
    textAt(party, 'PartyLegalEntity', 'CompanyID'),
    textAt(party, 'PartyIdentification', 'ID'),
  ]
  // In Norway the entry may be the name of the register instead of a number.
  return numbers.find((number) => /\d/.test(number ?? '')) ?? null
}

/** The first of several instalments, so that none is paid late. Credit notes have the day with the means of payment. */
function dueDateOf(root: Element): string | null {
  const own = toDay(textAt(root, 'DueDate'))
  const days = [...all(root, 'PaymentMeans', 'PaymentDueDate'), ...all(root, 'PaymentTerms', 'PaymentDueDate')]
    .map(({ text }) => toDay(text.trim()))
    .filter((day) => day !== null)
  return own ?? days.toSorted()[0] ?? null
}

function toItem(line: Element): ReadItem {
  const price = first(line, 'Price')
  return {
    description: textAt(line, 'Item', 'Name') ?? textAt(line, 'Item', 'Description') ?? textAt(line, 'Note') ?? '',
    quantity: decimalAt(line, 'InvoicedQuantity|CreditedQuantity'),
    unitPrice: perUnit(decimalAt(price, 'PriceAmount'), decimalAt(price, 'BaseQuantity')),
    amount: decimalAt(line, 'LineExtensionAmount'),
  }
}

/** A charge or an allowance on the whole invoice. */
function toCharge(charge: Element): ReadItem {
  const isCharge = textAt(charge, 'ChargeIndicator') === 'true'
  const amount = decimalAt(charge, 'Amount')
  const description = textAt(charge, 'AllowanceChargeReason') ?? (isCharge ? 'Charge' : 'Allowance')
  return { description, quantity: null, unitPrice: null, amount: isCharge ? amount : negated(amount) }
}
