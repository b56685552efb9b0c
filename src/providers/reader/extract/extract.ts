import type { Box, Check, FieldName, Fields, Hints, Page, Values } from '../reading.ts'
import { checksOf } from './checks.ts'
import { type ChosenDate, findDates } from './choose-date.ts'
import { confidenceOf } from './confidence.ts'
import {
  dateSigns,
  itemSigns,
  netSigns,
  numberSigns,
  printSigns,
  taxSigns,
  totalSigns,
  vendorSigns,
} from './evidence.ts'
import { figuresIn, type ReadRow, readRow } from './figures.ts'
import { findItems } from './items.ts'
import { type FoundNumber, findDocumentNumber, findTaxNumber } from './numbers.ts'
import { findPayment } from './payment.ts'
import { findCurrency, placeOf } from './place.ts'
import { placeHints } from './places.ts'
import { realigned } from './realign.ts'
import { findNet, findTax } from './tax.ts'
import { boxOf, rowsOf } from './text/rows.ts'
import { findTotals } from './totals.ts'
import { findVendor } from './vendor.ts'

/** A value with where it is printed and what speaks for and against it. */
export type Finding = {
  [name in FieldName]: { name: name; value: Values[name]; box: Box | null; evidence: string[] }
}[FieldName]

/** The fields of a receipt or invoice, from the text of its pages. */
export function extract(pages: readonly Page[], hints: Hints): { fields: Fields; checks: Check[] } {
  const { findings, checks } = findingsIn(pages, hints)
  const fields = findings.map(({ name, value, box, evidence }) => [
    name,
    { value, confidence: confidenceOf(name, evidence), box },
  ])
  return { fields: Object.fromEntries(fields) as Fields, checks }
}

/** All that is found, with the evidence that confidence is calculated from. */
export function findingsIn(pages: readonly Page[], hints: Hints): { findings: Finding[]; checks: Check[] } {
  const rows = rowsOf(pages).map(readRow)
  const place = placeOf(rows, hints)
  const money = moneyIn(rows, place.country)
  const dates = findDates(rows, hints, placeHints(place.country).isMonthFirst)
  const currency = findCurrency(rows, money.total, place, hints)
  const isGuess = currency.evidence === 'organization' && rows.length === 0
  const findings = [
    ...vendorIn(rows),
    ...numberAs('vendorTaxNumber', findTaxNumber(rows, place.country), rows),
    ...numberAs('documentNumber', findDocumentNumber(rows), rows),
    ...dateAs('date', dates.date, rows),
    ...dateAs('dueDate', dates.due, rows),
    ...(isGuess
      ? []
      : [
          {
            name: 'currency' as const,
            value: currency.value,
            box: currency.amount && boxAt(rows, currency.amount),
            evidence: [currency.evidence],
          },
        ]),
    ...money.findings,
  ]
  return { findings, checks: money.checks }
}

type Spot = { row: number; start: number; end: number }

const boxAt = (rows: readonly ReadRow[], { row, start, end }: Spot): Box | null => {
  const found = rows[row]
  return found ? boxOf(found, start, end) : null
}

function vendorIn(rows: readonly ReadRow[]): Finding[] {
  const { best, second } = findVendor(rows)
  return best ? [{ name: 'vendor', value: best.name, box: best.box, evidence: vendorSigns(best, second) }] : []
}

function numberAs(
  name: 'vendorTaxNumber' | 'documentNumber',
  found: FoundNumber | undefined,
  rows: readonly ReadRow[],
): Finding[] {
  if (!found) return []
  return [
    {
      name,
      value: found.value,
      box: boxAt(rows, found),
      evidence: [...numberSigns(found), ...printSigns(rows, found)],
    },
  ]
}

function dateAs(name: 'date' | 'dueDate', found: ChosenDate | undefined, rows: readonly ReadRow[]): Finding[] {
  if (!found) return []
  return [
    {
      name,
      value: found.value,
      box: boxAt(rows, found.date),
      evidence: [...dateSigns(found), ...printSigns(rows, found.date)],
    },
  ]
}

/** The amounts of the document, which support each other. */
function moneyIn(rows: readonly ReadRow[], country: string) {
  const figures = realigned(rows, figuresIn(rows))
  const items = findItems(rows, figures)
  const totals = findTotals(rows, figures, items.items.length > 0 ? items.sum : null)
  const total = totals.best?.cents
  const tax = findTax(rows, figures, total, country)
  const net = findNet(figures, total, tax?.cents)
  const payment = findPayment(rows, figures, total, country)
  const checks = checksOf({ figures, total, net, tax, items })
  const findings: Finding[] = []
  if (net) {
    const evidence = [...netSigns(net, total, net.amount.cents), ...printSigns(rows, net.amount)]
    findings.push({ name: 'subtotal', value: net.amount.value, box: boxAt(rows, net.amount), evidence })
  }
  if (tax) {
    const evidence = [...taxSigns(tax), ...printSigns(rows, tax.amount)]
    findings.push({ name: 'taxAmount', value: (tax.cents / 100).toFixed(2), box: boxAt(rows, tax.amount), evidence })
  }
  if (tax?.rate) {
    const { value, amount } = tax.rate
    const evidence = [...taxSigns(tax), ...(amount ? ['printed', ...printSigns(rows, amount)] : [])]
    findings.push({ name: 'taxRate', value, box: amount && boxAt(rows, amount), evidence })
  }
  if (totals.best) {
    const evidence = [...totalSigns(totals, checks), ...printSigns(rows, totals.best.amount)]
    findings.push({ name: 'total', value: totals.best.amount.value, box: boxAt(rows, totals.best.amount), evidence })
  }
  if (payment)
    findings.push({ name: 'paymentMethod', value: payment.value, box: payment.box, evidence: [payment.evidence] })
  if (items.items.length > 0) {
    findings.push({
      name: 'items',
      value: items.items,
      box: items.box,
      evidence: itemSigns(checks, items.items.length),
    })
  }
  return { findings, checks, total: totals.best?.amount }
}
