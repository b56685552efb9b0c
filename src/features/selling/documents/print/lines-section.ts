import { setImmediate as nextTurn } from 'node:timers/promises'
import { minorDigits } from '../../../../core/values/money.ts'
import { paymentDescription } from '../issuing/receipt.ts'
import { receiptLine } from './payment-rows.ts'
import type { Label, PrintContext, PrintModel } from './print-model.ts'
import { hasSeveralTaxes, rateAndMark } from './taxes.ts'
import { linesOf, ltr, numberText, rateText, withSymbol } from './text.ts'
import { wordIn } from './words.ts'

/** The columns of the lines; with the tax rate of each line if the rates differ, and its discount if there is one. */
export function lineColumns(context: PrintContext): Label[] {
  const { word, labelOf, rules, data } = context
  const amount = word('amount')
  const inCurrency = { ...amount, text: `${amount.text} (${ltr(data.row.currency)})` }
  return [
    word('description'),
    word('quantity'),
    word('unitPrice'),
    ...(hasDiscounts(context) ? [word('discount')] : []),
    ...(hasSeveralTaxes(context) ? [labelOf((language) => rules.taxName(language))] : []),
    inCurrency,
  ]
}

type Item = PrintContext['data']['row']['items'][number]

type Line = PrintModel['lines'][number]

export const printedLines = (context: PrintContext): Line[] => [...linesOfPrint(context)]

/** The same with a turn of the event loop after each slice, so that requests are answered in between. */
export async function printedLinesInSlices(context: PrintContext): Promise<Line[]> {
  const lines: Line[] = []
  for (const line of linesOfPrint(context)) if (lines.push(line) % linesOfSlice === 0) await nextTurn()
  return lines
}
export const linesOfSlice = 100

function* linesOfPrint(context: PrintContext): Generator<Line> {
  const { data, sale, rules, languages, amount } = context
  const { items, currency } = data.row
  if (printsPaymentLine(context)) {
    yield paymentLine(context)
    return
  }
  const [showsRates, showsDiscounts] = [hasSeveralTaxes(context), hasDiscounts(context)]
  const price = (value: number) => {
    const text = numberText(value, minorDigits(currency))
    return ltr(rules.symbolOnAmounts ? withSymbol(text, currency, data.country.code) : text)
  }
  let running = 0n
  for (const [at, item] of items.entries()) {
    running += BigInt(item.amountMinor)
    const line = sale.document.lines[at] ?? { amountMinor: 0n, taxRate: null }
    const taxed = { ...line, taxRate: line.taxRate ?? sale.document.taxRate }
    yield {
      description: linesOf(receiptLine(context, item.description)),
      numbers: [
        ltr(numberText(Number(item.quantity))),
        price(Number(item.unitPrice)),
        ...(showsDiscounts ? [discountOf(item, amount)] : []),
        ...(showsRates ? [rateAndMark(context, taxed, languages[0])] : []),
      ],
      amount: amount(BigInt(item.amountMinor)),
      running: amount(running),
    }
  }
}

const hasDiscounts = (context: PrintContext): boolean =>
  !printsPaymentLine(context) && context.data.row.items.some((item) => discountOf(item, String) !== '')

/** A discount of zero is none. */
function discountOf({ discountPercent, discountMinor }: Item, amount: (minor: bigint) => string): string {
  if (discountPercent) return ltr(rateText(Number(discountPercent)))
  return discountMinor ? amount(BigInt(discountMinor)) : ''
}

/**
 * Whether a receipt prints one line over the paid amount. Without a printed tax, lines before tax would not add up to it.
 */
function printsPaymentLine({ data: { row, source }, sale, rules }: PrintContext): boolean {
  if (row.documentType !== 'RECEIPT') return false
  const isPaymentLine = row.items.length === 1 && row.items[0]?.description === paymentDescription(source.number)
  return isPaymentLine || (!rules.showsTax(sale) && sale.document.taxMinor !== 0n)
}

function paymentLine({
  data: { row, source },
  sale: { document },
  languages: [language],
  titleWithNumber,
  amount: printed,
}: PrintContext) {
  const amount = printed(document.totalMinor)
  const reference = titleWithNumber(source)
  const description = reference
    ? [wordIn(language, 'paymentFor').replace('{document}', reference)]
    : row.items.flatMap((item) => linesOf(item.description))
  return { description, numbers: [ltr('1'), amount], amount, running: amount }
}
