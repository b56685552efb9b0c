import type { Check, Fields, Hints, Page } from '../reading.ts'
import { findDates } from './choose-date.ts'
import { figuresIn, readRow } from './figures.ts'
import { findItems } from './items.ts'
import { findDocumentNumber, findTaxNumber } from './numbers.ts'
import { findPayment } from './payment.ts'
import { findCurrency, placeOf } from './place.ts'
import { boxOf, rowsOf } from './rows.ts'
import { findNet, findTax } from './tax.ts'
import { findTotals } from './totals.ts'
import { findVendor } from './vendor.ts'

/** The fields of a receipt or invoice, from the text of its pages. */
export function extract(pages: readonly Page[], hints: Hints): { fields: Fields; checks: Check[] } {
  const rows = rowsOf(pages).map(readRow)
  const place = placeOf(rows, hints)
  const figures = figuresIn(rows)
  const items = findItems(rows, figures)
  const totals = findTotals(rows, figures, items.items.length > 0 ? items.sum : null)
  const total = totals.best?.cents
  const tax = findTax(rows, figures, total, place.country)
  const net = findNet(figures, total, tax?.cents)
  const monthFirst = place.country === 'US'
  const dates = findDates(rows, hints, monthFirst)
  const vendor = findVendor(rows)
  const payment = findPayment(rows, figures, total, place.country)
  const number = findDocumentNumber(rows)
  const taxNumber = findTaxNumber(rows, place.country)
  const currency = findCurrency(rows, totals.best?.amount, place, hints)
  const fields: Fields = {}
  const boxAt = ({ row, start, end }: { row: number; start: number; end: number }) => {
    const found = rows[row]
    return found ? boxOf(found, start, end) : null
  }
  if (vendor.best) fields.vendor = { value: vendor.best.name, confidence: 0.5, box: vendor.best.box }
  if (taxNumber) fields.vendorTaxNumber = { value: taxNumber.value, confidence: 0.5, box: boxAt(taxNumber) }
  if (number) fields.documentNumber = { value: number.value, confidence: 0.5, box: boxAt(number) }
  if (dates.date) fields.date = { value: dates.date.value, confidence: 0.5, box: boxAt(dates.date.date) }
  if (dates.due) fields.dueDate = { value: dates.due.value, confidence: 0.5, box: boxAt(dates.due.date) }
  fields.currency = { value: currency.value, confidence: 0.5, box: currency.amount ? boxAt(currency.amount) : null }
  if (net) fields.subtotal = { value: net.amount.value, confidence: 0.5, box: boxAt(net.amount) }
  if (tax) {
    fields.taxAmount = { value: decimal(tax.cents), confidence: 0.5, box: boxAt(tax.amount) }
    if (tax.rate)
      fields.taxRate = { value: tax.rate.value, confidence: 0.5, box: tax.rate.amount && boxAt(tax.rate.amount) }
  }
  if (totals.best) fields.total = { value: totals.best.amount.value, confidence: 0.5, box: boxAt(totals.best.amount) }
  if (payment) fields.paymentMethod = { value: payment.value, confidence: 0.5, box: payment.box }
  if (items.items.length > 0) fields.items = { value: items.items, confidence: 0.5, box: items.box }
  return { fields, checks: [] }
}

const decimal = (cents: number): string => (cents / 100).toFixed(2)
