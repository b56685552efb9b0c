import type { Warning } from '../../../core/define/schema.ts'
import { convert } from '../../../core/values/money.ts'
import type { Purchase, Sale, SalesDocument } from '../../country.ts'
import { rowOn } from '../../dated.ts'
import { missingContents } from '../../missing.ts'
import { allocationThresholds, exemptCeilings } from '../rates.ts'
import { holderOf, isRegistered } from './numbers.ts'

export function issuerWarnings({ issuer, document }: Sale): Warning[] {
  if (isRegistered(issuer)) return []
  const warnings: Warning[] = []
  if (document.taxMinor > 0n)
    warnings.push({
      code: 'ISSUER_NOT_REGISTERED',
      path: 'taxAmount',
      message:
        'The document charges VAT, but the organization has no VAT number (taxNumber): exempt and unregistered businesses charge no VAT and issue no tax invoices.',
    })
  const ceiling = exceededCeiling({ issuer, document }, 0n)
  if (ceiling !== undefined)
    warnings.push(
      ceilingWarning(`This document alone exceeds the yearly turnover of an exempt dealer, ${ceiling} ILS.`),
    )
  return warnings
}

/** The other documents of the year together with this one. A document that is too large by itself has a warning already. */
export function turnoverWarnings(sale: Sale, earlierMinor: bigint): Warning[] {
  const ceiling = exceededCeiling(sale, earlierMinor)
  if (ceiling === undefined || exceededCeiling(sale, 0n) !== undefined) return []
  const year = sale.document.issueDate.slice(0, 4)
  return [
    ceilingWarning(
      `With this document the turnover of ${year} exceeds the ceiling of an exempt dealer, ${ceiling} ILS: the business must register for VAT.`,
    ),
  ]
}

const ceilingWarning = (message: string): Warning => ({ code: 'EXEMPT_CEILING', path: 'total', message })

/** The ceiling in shekels, if the issuer is an exempt dealer and the document exceeds it together with earlier ones. */
function exceededCeiling({ issuer, document }: Pick<Sale, 'issuer' | 'document'>, earlierMinor: bigint) {
  const isDealer = !issuer.registrationNumber || holderOf(issuer.registrationNumber) === 'person'
  const ceiling = rowOn(exemptCeilings, document.issueDate)?.turnoverMinor
  const amount = inShekels(document, document.subtotalMinor)
  if (isRegistered(issuer) || !isDealer || document.documentType === 'CREDIT_MEMO') return undefined
  return ceiling !== undefined && amount !== undefined && earlierMinor + amount > ceiling ? ceiling / 100n : undefined
}

/** Bookkeeping instructions 1973: the required contents of receipts, and the further ones of tax invoices. */
export function contentWarnings(sale: Sale): Warning[] {
  const { issuer, customer, document } = sale
  const { documentType } = document
  const isTaxInvoice = isRegistered(issuer) && documentType !== 'RECEIPT' && documentType !== 'PAYMENT_REQUEST'
  const isReceipt = documentType === 'RECEIPT' || documentType === 'INVOICE_RECEIPT'
  const needsNumber = needsAllocationNumber(sale)
  return [
    missingContents(!issuer.registrationNumber && !issuer.taxNumber, 'issuerNumber'),
    missingContents(isTaxInvoice && !issuer.address, 'issuerAddress'),
    missingContents(isTaxInvoice && !customer.address, 'customerAddress'),
    missingContents(needsNumber && !customer.registrationNumber, 'customerNumber'),
    missingContents(isReceipt && !document.paymentMethod, 'paymentMethod'),
    missingContents(documentType === 'CREDIT_MEMO' && !document.notes, 'reason'),
    missingContents(isTaxInvoice && document.currency !== 'ILS' && document.exchangeRate === null, 'exchangeRate'),
    needsNumber && !document.allocationNumber ? allocationMissing(document) : undefined,
    allocationWarning(document),
  ].filter((warning) => warning !== undefined)
}

const allocationMissing = ({ issueDate }: SalesDocument): Warning => ({
  code: 'ALLOCATION_NUMBER_MISSING',
  path: 'vatAllocationNumber',
  message: `A tax invoice to a business over more than ${(thresholdOn(issueDate) ?? 0n) / 100n} ILS before VAT needs an allocation number; without it the customer cannot deduct the VAT.`,
})

/** The authority issues 24 digits or more, of which the last nine are printed; users may enter either. */
function allocationWarning({ allocationNumber }: SalesDocument): Warning | undefined {
  const digits = allocationNumber?.replace(/\D/g, '') ?? ''
  if (!allocationNumber || ((digits.length === 9 || digits.length >= 24) && /[1-9]/.test(digits))) return undefined
  const message =
    'An allocation number has 9 digits, or 24 and more as issued by the authority; this number has neither.'
  return { code: 'ALLOCATION_NUMBER', path: 'vatAllocationNumber', message }
}

/**
 * Needed by customers who deduct the VAT: businesses in Israel. The law says "exceeds" about the taxed amount before VAT;
 * exempt and zero-rated lines of the same invoice do not count. Credits never need one.
 */
export function needsAllocationNumber({ issuer, customer, document }: Sale): boolean {
  const threshold = thresholdOn(document.issueDate)
  const isBusiness = customer.kind !== 'INDIVIDUAL' && (customer.country === null || customer.country === 'IL')
  if (threshold === undefined || !isRegistered(issuer) || !isBusiness || document.taxMinor <= 0n) return false
  if (!['INVOICE', 'INVOICE_RECEIPT', 'DEBIT_MEMO'].includes(document.documentType)) return false
  const amount = inShekels(document, taxedMinor(document))
  return amount !== undefined && amount > threshold
}

/** The same rule for a bill of a supplier: above the threshold its VAT is deducted with the number alone. */
export function purchaseWarnings({ date, netMinor, deductedMinor, allocationNumber }: Purchase): Warning[] {
  const threshold = thresholdOn(date)
  if (threshold === undefined || netMinor <= threshold || deductedMinor <= 0n || allocationNumber) return []
  const message = `The VAT of a tax invoice over more than ${threshold / 100n} ILS before VAT is deducted only with its allocation number. Enter the number, or set deductibleTaxAmount to 0.`
  return [{ code: 'ALLOCATION_NUMBER_MISSING', path: 'vatAllocationNumber', message }]
}

const thresholdOn = (day: string) => rowOn(allocationThresholds, day)?.aboveMinor

function taxedMinor({ lines, taxRate, subtotalMinor }: SalesDocument): bigint {
  const untaxed = lines.filter((line) => (line.taxRate ?? taxRate) === 0)
  return untaxed.reduce((rest, { amountMinor }) => rest - amountMinor, subtotalMinor)
}

/** Undefined if the exchange rate is unknown. */
function inShekels({ currency, exchangeRate }: SalesDocument, amountMinor: bigint): bigint | undefined {
  if (currency === 'ILS') return amountMinor
  return exchangeRate === null ? undefined : convert(amountMinor, { from: currency, to: 'ILS', rate: exchangeRate })
}
