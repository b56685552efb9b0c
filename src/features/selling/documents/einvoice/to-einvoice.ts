import type { Decimal } from 'decimal.js'
import { exact, minorDigits } from '../../../../core/values/money.ts'
import { amountsIn } from '../../../../countries/tax.ts'
import { type PostalAddress, toPostalAddress } from './address.ts'
import { categoriesOf } from './categories.ts'
import type { Adjustment, EInvoice, Line, Problem, Profile } from './einvoice.ts'
import { adjustment, inMajor, sumOf, toLine } from './lines.ts'
import { isInPeppol, partiesOf } from './parties.ts'
import { paymentOf } from './payment.ts'
import type { EInvoiceData } from './read-data.ts'
import { taxesOf } from './taxes.ts'
import { textOrNull } from './text.ts'

/** `network`: Peppol BIS Billing 3, or EN 16931 alone if a party has no address in Peppol. `national`: the specialization of the country. `core`: EN 16931, for CII. */
export type Standard = 'network' | 'national' | 'core'

const profiles: Record<'network' | 'mail' | 'core', Profile> = {
  network: {
    customization: 'urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0',
    process: 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0',
    taxScheme: 'VAT',
  },
  mail: { customization: 'urn:cen.eu:en16931:2017', process: null, taxScheme: 'VAT' },
  core: {
    customization: 'urn:cen.eu:en16931:2017',
    process: 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0',
    taxScheme: 'VAT',
  },
}

/** The e-invoice of an issued document, or what is missing for one. */
export function toEInvoice(
  data: EInvoiceData,
  standard: Standard,
): { invoice: EInvoice } | { problems: [Problem, ...Problem[]] } {
  const { row, country, source } = data
  const format = (standard === 'national' && country.einvoices.national) || undefined
  const {
    seller,
    buyer,
    problems: ofParties,
  } = partiesOf(data, {
    endpoint: standard === 'core' ? 'none' : format ? 'peppol' : 'any',
    needsWholeAddress: format !== undefined,
  })
  const { categories, taxId, problems: ofCategories } = categoriesOf(data, seller, format)
  const lines = row.items.map((item, at) => toLine(item, { currency: row.currency, category: categories[at] ?? none }))
  const amounts = amountsOf(data, lines, { isStrict: format !== undefined })
  const isCreditNote = row.documentType === 'CREDIT_MEMO'
  const note = noteOf(row.notes)
  const accounting = accountingOf(data, format?.currency)
  const problems = [
    ...ofParties,
    ...ofCategories,
    ...amounts.problems,
    ...(lines.length === 0 ? [{ field: 'items', message: 'An e-invoice has at least one line.' }] : []),
    ...(format && isCreditNote && !note
      ? [
          {
            field: 'notes',
            message: 'The e-invoice of a credit states its reason.',
            afterIssue: 'A memo that was issued without one gets none.',
          },
        ]
      : []),
    ...(format && accounting === 'unknown'
      ? [
          {
            field: 'exchangeRate',
            message: `The document is in ${row.currency}, and its exchange rate to ${format.currency} is not known.`,
          },
        ]
      : []),
    ...(categories.some(({ code }) => code === 'AE') && !buyer.legalId
      ? [
          {
            field: 'customer.registrationNumber',
            message: 'Enter the registration number of the customer, who accounts for the tax.',
          },
        ]
      : []),
  ]
  const [first, ...others] = problems
  if (first) return { problems: [first, ...others] }
  const { payable } = amounts.totals
  const dueDate = row.dueDate ?? row.payUntil
  const invoice: EInvoice = {
    profile: format
      ? { ...format, process: format.profile }
      : profiles[standard === 'core' ? 'core' : isInPeppol(seller) && isInPeppol(buyer) ? 'network' : 'mail'],
    isCreditNote,
    typeCode: isCreditNote ? '381' : row.documentType === 'DEBIT_MEMO' && !format ? '383' : '380',
    number: row.invoiceNumber ?? '',
    uuid: row.id,
    issueDate: row.issueDate,
    dueDate: isCreditNote ? null : dueDate,
    note,
    currency: row.currency,
    buyerReference: factOf(row, 'buyerReference') ?? (standard === 'core' || factOf(row, 'poNumber') ? null : 'NA'),
    orderNumber: factOf(row, 'poNumber'),
    preceding:
      row.documentType.endsWith('_MEMO') && source.number
        ? { number: source.number, issueDate: source.issueDate }
        : null,
    seller: { ...seller, taxId },
    buyer,
    delivery: deliveryOf(data, buyer.address.country),
    payment: isCreditNote ? null : paymentOf(data, { payable, isNational: format !== undefined }),
    terms: termsOf(data, { isCreditNote, dueDate, payable }),
    adjustments: amounts.adjustments,
    taxes: amounts.taxes,
    accounting: accounting === 'unknown' ? null : accounting,
    totals: amounts.totals,
    lines,
  }
  return { invoice }
}

const none = { code: '', rate: null, reason: null }

/** Totals, taxes and the adjustment of the whole document, with the amounts of the document. */
function amountsOf({ row }: EInvoiceData, lines: readonly Line[], { isStrict }: { isStrict: boolean }) {
  const { currency } = row
  const major = (minor: number) => inMajor(minor, currency)
  const [net, tax] = [major(row.subtotalMinor), major(row.taxMinor)]
  const decimals = Math.min(2, minorDigits(currency))
  // Validators allow a difference of less than one unit, but the tax authority of Singapore wants the exact tax.
  const slack = exact(isStrict && decimals === 2 ? 0 : 1)
  const { groups, difference, problems } = taxesOf({ lines, net, tax }, { decimals, slack })
  const adjustments: (Adjustment & { category: Line['category'] })[] = difference
    ? [{ ...adjustment(difference.amount, 'Rounding'), category: difference.category }]
    : []
  const gross = net.plus(tax)
  const total = major(row.totalMinor)
  const paid = row.paymentId === null ? major(row.paidMinor) : total
  const prepaid = row.documentType === 'CREDIT_MEMO' ? exact(0) : paid.gt(total) ? total : paid
  const totals = {
    lines: lines.reduce((sum, line) => sum.plus(line.net), exact(0)),
    allowances: sumOf(adjustments.filter(({ isCharge }) => !isCharge)),
    charges: sumOf(adjustments.filter(({ isCharge }) => isCharge)).neg(),
    net,
    tax,
    gross,
    prepaid,
    rounding: total.minus(gross),
    payable: total.minus(prepaid),
  }
  const finest = [
    ...Object.values(totals),
    ...lines.flatMap((line) => [line.net, ...line.adjustments.map(({ amount }) => amount)]),
  ]
  const isTooFine = finest.some((amount: Decimal) => amount.decimalPlaces() > 2)
  const tooFine = {
    field: 'currency',
    message: `E-invoices have amounts with two decimals, and this document has three (${currency}).`,
  }
  return { taxes: groups, adjustments, totals, problems: isTooFine ? [tooFine] : problems }
}

/** The amounts in the currency of the tax authority, if the document is in another one. */
function accountingOf({ country, sale, row }: EInvoiceData, required: string | undefined) {
  if (row.currency === (required ?? country.currency)) return null
  const amounts = required ? amountsIn(required, sale.document) : country.documents.homeAmounts(sale)
  if (!amounts) return required ? 'unknown' : null
  const { currency, subtotalMinor, taxMinor, totalMinor } = amounts
  const major = (minor: bigint) => inMajor(minor, currency)
  return { currency, net: major(subtotalMinor), tax: major(taxMinor), gross: major(totalMinor) }
}

/** One note. Three characters between two number signs would be read as a code for the subject of the note. */
function noteOf(notes: string | null): string | null {
  const text = textOrNull(notes)
  return text === null ? null : text.replace(/#(.{3})#/gu, '# $1 #')
}

type Due = { isCreditNote: boolean; dueDate: string | null; payable: Decimal }

/** When an amount is due, the due date or the terms must say so. A credit note has no due date. */
function termsOf({ row, source }: EInvoiceData, { isCreditNote, dueDate, payable }: Due): string | null {
  const given = factOf(row, 'terms')
  if (isCreditNote) return source.number ? `Credit of ${source.number}` : 'Credit'
  return given ?? (dueDate === null && payable.gt(0) ? 'Due on receipt' : null)
}

/** A text in `countrySpecificData`, which nobody has checked. */
function factOf({ countrySpecificData: facts }: EInvoiceData['row'], name: string): string | null {
  const value = facts?.[name]
  return typeof value === 'string' || typeof value === 'number' ? textOrNull(String(value)) : null
}

/** The address that goods are sent to, if the document names one. */
function deliveryOf({ sale, country }: EInvoiceData, buyerCountry: string): PostalAddress | null {
  const lines = country.documents.shipTo(sale.document)
  if (lines.length === 0) return null
  const named = lines.at(-1)?.trim() ?? ''
  return toPostalAddress(lines.join('\n'), /^[A-Z]{2}$/.test(named) ? named : buyerCountry)
}
