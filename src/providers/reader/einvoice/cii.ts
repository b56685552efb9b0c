import type { ReadItem } from '../reading.ts'
import {
  all,
  decimalAt,
  type Element,
  first,
  negated,
  perUnit,
  sum,
  textAt,
  textOf,
  toDay,
  toDecimal,
} from './element.ts'
import type { Invoice } from './invoice.ts'

// The Cross Industry Invoice of UN/CEFACT: Factur-X and ZUGFeRD 2 in all profiles, XRechnung. Where ZUGFeRD 1 has
// another name for an element, it is the second alternative.

const document = 'ExchangedDocument|HeaderExchangedDocument'
const transaction = 'SupplyChainTradeTransaction|SpecifiedSupplyChainTradeTransaction'
const agreement = 'ApplicableHeaderTradeAgreement|ApplicableSupplyChainTradeAgreement'
const settlement = 'ApplicableHeaderTradeSettlement|ApplicableSupplyChainTradeSettlement'
const summation = 'SpecifiedTradeSettlementHeaderMonetarySummation|SpecifiedTradeSettlementMonetarySummation'

export function fromCii(root: Element): Invoice {
  const deal = first(root, transaction)
  const seller = first(deal, agreement, 'SellerTradeParty')
  const settled = first(deal, settlement)
  const sums = first(settled, summation)
  const currency =
    textAt(settled, 'InvoiceCurrencyCode') ?? first(sums, 'GrandTotalAmount')?.attributes.currencyID ?? null
  const amount = (name: string) => amountIn(sums, name, currency)
  return {
    typeCode: textAt(root, document, 'TypeCode'),
    seller: textAt(seller, 'Name') ?? textAt(seller, 'SpecifiedLegalOrganization', 'TradingBusinessName'),
    sellerTaxNumber: taxNumberOf(seller),
    number: textAt(root, document, 'ID'),
    date: toDay(textAt(root, document, 'IssueDateTime', 'DateTimeString|DateTime')),
    dueDate: dueDateOf(settled),
    currency,
    subtotal: amount('TaxBasisTotalAmount'),
    taxAmount: amount('TaxTotalAmount'),
    rates: all(settled, 'ApplicableTradeTax').map((tax) => decimalAt(tax, 'RateApplicablePercent|ApplicablePercent')),
    total: amount('GrandTotalAmount') ?? sum([amount('DuePayableAmount'), amount('TotalPrepaidAmount')]),
    rounding: amount('GrandTotalAmount') ? amount('RoundingAmount') : null,
    paymentMeans: textAt(settled, 'SpecifiedTradeSettlementPaymentMeans', 'TypeCode'),
    items: [...all(deal, 'IncludedSupplyChainTradeLineItem').filter(isCounted).map(toItem), ...chargesOf(settled)],
  }
}

/** An amount in the currency of the invoice: some are stated in the currency of the tax authority too. */
function amountIn(from: Element | undefined, name: string, currency: string | null): string | null {
  const stated = all(from, name)
  const own = stated.find(({ attributes }) => attributes.currencyID === currency)
  const chosen = own ?? stated.find(({ attributes }) => !attributes.currencyID) ?? stated[0]
  return toDecimal(textOf(chosen))
}

/** The VAT number, else another number at the tax office, else that of the register of companies. */
function taxNumberOf(seller: Element | undefined): string | null {
  const ids = all(seller, 'SpecifiedTaxRegistration', 'ID')
  const vat = ids.find(({ attributes }) => attributes.schemeID === 'VA')
  return (
    textOf(vat) ??
    textAt(seller, 'SpecifiedTaxRegistration', 'ID') ??
    textAt(seller, 'SpecifiedLegalOrganization', 'ID')
  )
}

/** The first of several instalments, so that none is paid late. */
function dueDateOf(settled: Element | undefined): string | null {
  const days = all(settled, 'SpecifiedTradePaymentTerms', 'DueDateDateTime', 'DateTimeString|DateTime')
    .map(({ text }) => toDay(text.trim()))
    .filter((day) => day !== null)
  return days.toSorted()[0] ?? null
}

/** A group repeats the sum of its lines, and information is not owed. */
const isCounted = (line: Element) =>
  !['GROUP', 'INFORMATION'].includes(textAt(line, 'AssociatedDocumentLineDocument', 'LineStatusReasonCode') ?? '')

function toItem(line: Element): ReadItem {
  const price = first(
    line,
    'SpecifiedLineTradeAgreement|SpecifiedSupplyChainTradeAgreement',
    'NetPriceProductTradePrice',
  )
  return {
    description:
      textAt(line, 'SpecifiedTradeProduct', 'Name') ??
      textAt(line, 'SpecifiedTradeProduct', 'Description') ??
      textAt(line, 'AssociatedDocumentLineDocument', 'IncludedNote', 'Content') ??
      '',
    quantity: decimalAt(line, 'SpecifiedLineTradeDelivery|SpecifiedSupplyChainTradeDelivery', 'BilledQuantity'),
    unitPrice: perUnit(decimalAt(price, 'ChargeAmount'), decimalAt(price, 'BasisQuantity')),
    amount: decimalAt(
      line,
      'SpecifiedLineTradeSettlement|SpecifiedSupplyChainTradeSettlement',
      'SpecifiedTradeSettlementLineMonetarySummation|SpecifiedTradeSettlementMonetarySummation',
      'LineTotalAmount',
    ),
  }
}

/** Charges and allowances on the whole invoice. */
function chargesOf(settled: Element | undefined): ReadItem[] {
  const charges = all(settled, 'SpecifiedTradeAllowanceCharge').map((charge) => {
    const isCharge = textAt(charge, 'ChargeIndicator', 'Indicator') === 'true'
    const amount = decimalAt(charge, 'ActualAmount')
    const description = textAt(charge, 'Reason') ?? (isCharge ? 'Charge' : 'Allowance')
    return { description, quantity: null, unitPrice: null, amount: isCharge ? amount : negated(amount) }
  })
  const freight = all(settled, 'SpecifiedLogisticsServiceCharge').map((charge) => ({
    description: textAt(charge, 'Description') ?? 'Charge',
    quantity: null,
    unitPrice: null,
    amount: decimalAt(charge, 'AppliedAmount'),
  }))
  return [...charges, ...freight]
}
