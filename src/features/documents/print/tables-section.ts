import { exact, minorDigits } from '../../../core/values/money.ts'
import type { Label, PrintContext, Table } from './print-model.ts'
import { taxesByRate } from './taxes.ts'
import { amountText, isolate, ltr, rateText } from './text.ts'
import { methodIn } from './words.ts'

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

/** The recorded payments that a receipt documents; none if none was recorded. Tax withheld by the payer counts as paid, since it was paid to the state. */
function paymentsTable({ data, sale, rules, languages, word }: PrintContext): Table | undefined {
  const { row, source } = data
  const [language] = languages
  const { documentType, currency } = sale.document
  if (documentType !== 'RECEIPT' && documentType !== 'INVOICE_RECEIPT') return undefined
  const declared = withheldMinor(row.countrySpecificData ?? source.countrySpecificData, currency)
  const payments = row.payments.map(({ paidAt, method, amountMinor }) => ({
    paidAt,
    method,
    amount: BigInt(amountMinor),
  }))
  const [first = paymentOfReceipt(row), ...others] = payments
  if (!first) return undefined
  // biome-ignore lint/complexity/useMathMinMax: Math.min does not accept bigints
  const withheld = declared < first.amount ? declared : first.amount
  const received = [{ ...first, amount: first.amount - withheld }, ...others]
  const amount = (minor: bigint) => ltr(amountText(minor, currency))
  return {
    title: word('payments'),
    columns: [word('method'), word('date'), word('amount')],
    rows: [
      ...received.map(({ method, paidAt, amount: each }) => [
        isolate(method ? methodIn(language, method) : '–'),
        paidAt ? ltr(rules.showDay(paidAt, language)) : '',
        amount(each),
      ]),
      ...(withheld > 0n ? [[word('withheld').text, '', amount(withheld)]] : []),
    ],
  }
}

/** A receipt that was issued for a payment states it, also after the payment was voided: it is then marked as cancelled. */
const paymentOfReceipt = ({ paymentId, paymentDate, paymentMethod, totalMinor }: PrintContext['data']['row']) =>
  paymentId === null ? undefined : { paidAt: paymentDate, method: paymentMethod, amount: BigInt(totalMinor) }

/** `countrySpecificData.withholdingTax`, which is given in major units. */
function withheldMinor(countryData: object | null, currency: string): bigint {
  const withheld: unknown = countryData && Reflect.get(countryData, 'withholdingTax')
  if (typeof withheld !== 'number' || !(withheld > 0)) return 0n
  return BigInt(
    exact(withheld)
      .times(exact(10).pow(minorDigits(currency)))
      .toFixed(0),
  )
}
