import { paymentRows } from './payment-rows.ts'
import type { Label, PrintContext, Table } from './print-model.ts'
import { taxesByRate } from './taxes.ts'
import { amountText, ltr, rateText } from './text.ts'

/** Tax by rate if there are several, amounts in the country's currency if the law demands them, and payments received. */
export function tablesSection(context: PrintContext): Table[] {
  return [taxTable(context), countryCurrencyTable(context), paymentsTable(context)].filter(
    (table) => table !== undefined,
  )
}

function taxTable(context: PrintContext): Table | undefined {
  const { rules, sale, labelOf, word, data } = context
  const taxes = taxesByRate(context)
  if (taxes.length < 2 || !rules.showsTax(sale)) return undefined
  const amount = (minor: bigint) => ltr(amountText(minor, data.row.currency))
  return {
    title: labelOf((language) => rules.taxName(language)),
    columns: [word('rate'), word('net'), labelOf((language) => rules.taxName(language)), word('gross')],
    rows: taxes.map(({ rate, net, tax }) => [ltr(rateText(rate ?? 0)), amount(net), amount(tax), amount(net + tax)]),
  }
}

function countryCurrencyTable({ rules, sale, word, labelOf, languages }: PrintContext): Table | undefined {
  const converted = rules.homeAmounts(sale)
  if (!converted) return undefined
  const title = word('amountsIn')
  const amount = (minor: bigint) => ltr(amountText(minor, converted.currency))
  const named = (label: Label) => (languages.length > 1 && label.too ? `${label.text}  ${label.too}` : label.text)
  return {
    title: { ...title, text: `${title.text} ${ltr(converted.currency)}` },
    columns: [{ text: '', too: null }, word('amount')],
    rows: [
      ...(rules.showsTax(sale)
        ? [
            [named(word('subtotal')), amount(converted.subtotalMinor)],
            [named(labelOf((language) => rules.taxName(language))), amount(converted.taxMinor)],
          ]
        : []),
      [named(word('total')), amount(converted.totalMinor)],
    ],
  }
}

/** The payments that a receipt or invoice-receipt states. */
function paymentsTable(context: PrintContext): Table | undefined {
  const { word } = context
  const rows = paymentRows(context)
  if (rows.length === 0) return undefined
  return { title: word('payments'), columns: [word('method'), word('date'), word('amount')], rows }
}
