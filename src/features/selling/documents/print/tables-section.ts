import { paymentRows } from './payment-rows.ts'
import type { Label, PrintContext, Table } from './print-model.ts'
import { taxRows } from './taxes.ts'
import { amountText, isolate, ltr, rateText } from './text.ts'

/** Tax by rate and by jurisdiction, amounts in the country's currency if the law demands them, and payments received. */
export function tablesSection(context: PrintContext): Table[] {
  const tables = [taxTable(context), jurisdictionTable(context), countryCurrencyTable(context), paymentsTable(context)]
  return tables.filter((table) => table !== undefined)
}

function taxTable(context: PrintContext): Table | undefined {
  const { rules, sale, labelOf, word, languages, amount } = context
  const [language] = languages
  const rows = taxRows(context)
  if (rows.length < 2 || !rules.showsTax(sale)) return undefined
  const named = ({ rate, categoryIn }: (typeof rows)[number]) => {
    const category = categoryIn(language)
    const percent = category?.hasRate === false ? '' : ltr(rateText(rate ?? 0))
    return [percent, category && isolate(category.name)].filter(Boolean).join('  ')
  }
  return {
    title: labelOf((each) => rules.taxName(each)),
    columns: [word('rate'), word('net'), labelOf((each) => rules.taxName(each)), word('gross')],
    rows: rows.map((row) => [named(row), amount(row.net), amount(row.tax), amount(row.net + row.tax)]),
  }
}

function jurisdictionTable({ rules, sale, labelOf, word, amount }: PrintContext): Table | undefined {
  const jurisdictions = rules.jurisdictions(sale.document)
  if (jurisdictions.length === 0 || !rules.showsTax(sale)) return undefined
  const tax = labelOf((language) => rules.taxName(language))
  return {
    title: word('taxByJurisdiction'),
    columns: [word('jurisdiction'), word('rate'), tax],
    rows: jurisdictions.map(({ name, rate, amountMinor }) => [
      isolate(name),
      rate === null ? '' : ltr(rateText(rate)),
      amountMinor === null ? '' : amount(amountMinor),
    ]),
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
