import type { Check } from '../reading.ts'
import type { ChosenDate } from './choose-date.ts'
import type { ReadRow } from './figures.ts'
import type { FoundNumber } from './numbers.ts'
import { sureness } from './rows.ts'
import type { Net, Tax } from './tax.ts'
import type { Totals } from './totals.ts'
import type { VendorCandidate } from './vendor.ts'

/** Where a value is printed. */
type Spot = { row: number; start: number; end: number }

/** The names of those that are true. */
const named = (signs: Readonly<Record<string, boolean>>): string[] =>
  Object.entries(signs).flatMap(([name, isTrue]) => (isTrue ? [name] : []))

/** How sure the engine was of the print itself. */
export function printSigns(rows: readonly ReadRow[], { row, start, end }: Spot): string[] {
  const found = rows[row]
  return found ? sureSigns(sureness(found, start, end)) : []
}

const sureSigns = (sure: number): string[] =>
  named({ 'print unsure': sure < 0.93 && sure >= 0.8, 'print poor': sure < 0.8 })

const holding = (checks: readonly Check[], rule: Check['rule'], holds: boolean): boolean =>
  checks.some((check) => check.rule === rule && check.holds === holds)

export function totalSigns({ best, second }: Totals, checks: readonly Check[]): string[] {
  if (!best) return []
  const margin = best.score - (second?.score ?? 0)
  return named({
    'label due': best.label === 'due',
    'label total': best.label === 'total',
    'cash less change': best.checks.has('cash'),
    'parts add up': best.checks.has('parts'),
    'items add up': holding(checks, 'ITEMS_ADD_UP', true),
    rounded: best.checks.has('rounding'),
    'paid as much': best.checks.has('paid'),
    'printed again': best.count > 1,
    'close second': margin < 2,
    'far ahead': margin >= 4,
    'odd number': best.amount.slips > 0 || best.amount.hasLeadingZero || best.amount.decimals !== 2,
    'cash contradicts': holding(checks, 'CASH_MINUS_CHANGE', false),
    'parts contradict': holding(checks, 'SUBTOTAL_PLUS_TAX', false),
    'items contradict': holding(checks, 'ITEMS_ADD_UP', false),
  })
}

export const dateSigns = ({ label, order, isRivalled, date }: ChosenDate): string[] =>
  named({
    labelled: label === 'date',
    'with a time': date.hasTime,
    'order printed': order === 'print',
    'order of the document': order === 'document',
    rival: isRivalled,
    'odd print': date.isWeak,
  })

export const vendorSigns = (best: VendorCandidate, second: VendorCandidate | undefined): string[] => {
  const margin = best.score - (second?.score ?? 0)
  return [
    best.evidence,
    ...named({
      'close second': margin < 1.5,
      'far ahead': margin >= 4,
      'low score': best.score < 3,
      'not first': best.row > 0,
    }),
    ...sureSigns(best.sureness),
  ]
}

export const numberSigns = ({ score, isRivalled, isValid, value }: FoundNumber): string[] =>
  named({
    'strong label': score >= 4.5,
    'weak label': score < 3,
    rival: isRivalled,
    'valid format': isValid,
    short: value.length < 4,
  })

export const taxSigns = ({ addsUp, fitsRate, contradictsRate, score, cents }: Tax): string[] =>
  named({
    'adds up': addsUp,
    'fits the rate': fitsRate,
    'rate contradicts': contradictsRate,
    'low score': score < 3,
    zero: cents === 0,
  })

export const netSigns = ({ addsUp }: Net, total: number | undefined, cents: number): string[] =>
  named({ 'adds up': addsUp, 'same as total': cents === total })

export const itemSigns = (checks: readonly Check[], count: number): string[] =>
  named({ 'adds up': holding(checks, 'ITEMS_ADD_UP', true), single: count === 1 })
