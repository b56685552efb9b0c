import { conflict, invalid } from '../../../../core/define/failure.ts'
import { split, toMajor, toMinor } from '../../../../core/values/money.ts'
import type { ExpenseRow } from '../reading/read.ts'

/** An amount of an expense in major units. */
export const majorOf = ({ currency }: ExpenseRow, minor: number) => toMajor(BigInt(minor), currency)

/** A split that is credited: its amount, the input tax in it, and what of both amounts is not credited yet, in minor units. */
export type CreditedLine = {
  id: string
  totalMinor: number
  inputTaxMinor: number
  leftMinor: number
  netLeftMinor: number
}

export type CreditAmounts = { total: number; inputTax: number }
type Given = { amount?: number; taxAmount?: number }

/** The amounts of a credit in minor units: of the expense, or of one line of it. */
export function creditAmounts(row: ExpenseRow, { amount, taxAmount }: Given, line: CreditedLine | null): CreditAmounts {
  const left = { total: row.totalMinor - row.credits.total, inputTax: row.taxMinor - row.credits.inputTax }
  if (left.total === 0) throw conflict('The expense is credited in full.', 'CREDITED')
  const most = Math.min(left.total, line?.leftMinor ?? left.total)
  const total = amount === undefined ? most : minorOf('amount', amount, row.currency)
  if (total > most) {
    const of = line ? ' of the split' : ''
    throw invalid(
      'amount',
      `At most ${majorOf(row, most)} ${row.currency}${of} is not credited yet.`,
      'AMOUNT_OVER_OPEN',
    )
  }
  const charged = row.chargedTaxMinor ?? 0
  const stated = taxAmount === undefined ? undefined : minorOf('taxAmount', taxAmount, row.currency)
  if (stated !== undefined && stated > Math.min(charged, total))
    throw invalid('taxAmount', 'taxAmount is more than the tax of the expense or than the amount.', 'AMOUNT_MISMATCH')
  if (total === left.total) return { total, inputTax: left.inputTax }
  if (line && stated === undefined) return { total, inputTax: Math.min(left.inputTax, inputTaxOf(line, total)) }
  const chargedTax = stated ?? shareOf(charged, total, row.totalMinor)
  return { total, inputTax: Math.min(left.inputTax, shareOf(row.taxMinor, chargedTax, charged)) }
}

/** The input tax in a part of a split: in proportion, and what is left of it in the last part. */
const inputTaxOf = ({ totalMinor, inputTaxMinor, leftMinor, netLeftMinor }: CreditedLine, total: number) =>
  total === leftMinor ? leftMinor - netLeftMinor : shareOf(inputTaxMinor, total, totalMinor)

/** The share of an amount that `part` is of `whole`. */
export const shareOf = (minor: number, part: number, whole: number): number =>
  whole === 0 ? 0 : Number(split(BigInt(minor), [BigInt(part), BigInt(whole - part)])[0] ?? 0n)

function minorOf(path: string, value: number, currency: string): number {
  const parsed = toMinor(value, currency)
  if (parsed.kind !== 'exact')
    throw invalid(path, `${path} must have no more decimal places than ${currency} has.`, 'AMOUNT')
  return Number(parsed.minor)
}
