import { add, percentOf, split } from '../../../core/values/money.ts'
import type { TaxedLine } from '../../../countries/country.ts'
import type { PrintContext } from './print-model.ts'

type TaxOfRate = { rate: number | null; net: bigint; tax: bigint }

/** The tax of the document by rate. Its sum is the tax of the document, which may differ from the rates by rounding. */
export function taxesByRate({ sale: { document } }: PrintContext): TaxOfRate[] {
  const { lines, taxRate, taxMinor, subtotalMinor } = document
  const rateOf = (line: TaxedLine) => line.taxRate ?? taxRate
  const rates = [...new Set(lines.map(rateOf))].toSorted((a, b) => (b ?? 0) - (a ?? 0))
  if (rates.length < 2) return [{ rate: rates[0] ?? taxRate, net: subtotalMinor, tax: taxMinor }]
  const nets = rates.map((rate) =>
    add(lines.filter((line) => rateOf(line) === rate).map(({ amountMinor }) => amountMinor)),
  )
  const computed = nets.map((net, at) => percentOf(net, rates[at] ?? 0, 'half-up'))
  const taxes = computed.some((tax) => tax < 0n) ? computed : split(taxMinor, computed)
  return rates.map((rate, at) => ({ rate, net: nets[at] ?? 0n, tax: taxes[at] ?? 0n }))
}

/** Whether tax is printed and the lines have different rates. */
export const hasSeveralRates = (context: PrintContext) =>
  context.rules.showsTax(context.sale) && taxesByRate(context).length > 1
