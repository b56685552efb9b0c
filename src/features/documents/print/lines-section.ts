import { minorDigits } from '../../../core/values/money.ts'
import { paymentDescription } from '../issuing/receipt.ts'
import { receiptLine } from './payment-rows.ts'
import type { Label, PrintContext, PrintModel } from './print-model.ts'
import { hasSeveralRates } from './taxes.ts'
import { amountText, linesOf, ltr, numberText, rateText } from './text.ts'
import { wordIn } from './words.ts'

/** The columns of the lines; with the tax rate of each line if the rates differ. */
export function lineColumns(context: PrintContext): Label[] {
  const { word, labelOf, rules, data } = context
  const amount = word('amount')
  const inCurrency = { ...amount, text: `${amount.text} (${ltr(data.row.currency)})` }
  return [
    word('description'), word('quantity'), word('unitPrice'),
    ...(hasSeveralRates(context) ? [labelOf((language) => rules.taxName(language))] : []),
    inCurrency,
  ] // biome-ignore format: a row
}

export function printedLines(context: PrintContext): PrintModel['lines'] {
  const { items, currency } = context.data.row
  if (printsPaymentLine(context)) return [paymentLine(context)]
  const showsRates = hasSeveralRates(context)
  let running = 0n
  return items.map(({ description, quantity, unitPrice, amountMinor, taxRate }) => {
    const amount = BigInt(amountMinor)
    running += amount
    const rate = taxRate ?? context.sale.document.taxRate
    return {
      description: linesOf(receiptLine(context, description)),
      numbers: [
        ltr(numberText(Number(quantity))),
        ltr(numberText(Number(unitPrice), minorDigits(currency))),
        ...(showsRates ? [rate === null ? '' : ltr(rateText(Number(rate)))] : []),
      ],
      amount: ltr(amountText(amount, currency)),
      running: ltr(amountText(running, currency)),
    }
  })
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
}: PrintContext) {
  const amount = ltr(amountText(document.totalMinor, document.currency))
  const reference = titleWithNumber(source)
  const description = reference
    ? [wordIn(language, 'paymentFor').replace('{document}', reference)]
    : row.items.flatMap((item) => linesOf(item.description))
  return { description, numbers: [ltr('1'), amount], amount, running: amount }
}
