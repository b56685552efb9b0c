import type { Language } from '../../../../core/values/language.ts'
import { exact, minorDigits } from '../../../../core/values/money.ts'
import type { PaymentDetails } from '../../../../ledger/payments/payment-details.ts'
import { onAccountDescription, paymentDescription } from '../issuing/receipt.ts'
import { isReceipt } from '../legal-content.ts'
import type { PrintContext } from './print-model.ts'
import type { ReceivedPayment } from './read-received.ts'
import { isolate, ltr } from './text.ts'
import { methodIn, wordIn } from './words.ts'

/** Words for the details of a payment. */
const words = {
  account: { en: 'account', he: 'חשבון' },
  bank: { en: 'bank', he: 'בנק' },
  branch: { en: 'branch', he: 'סניף' },
  cheque: { en: 'no.', he: "מס'" },
  due: { en: 'due', he: 'לפירעון' },
  instalments: { en: 'instalments', he: 'תשלומים' },
  onAccount: { en: 'Payment on account', he: 'תשלום על חשבון' },
  reference: { en: 'reference', he: 'אסמכתא' },
} satisfies Record<string, Record<Language, string>>

/**
 * The rows of the payments that a receipt states: what came in, and tax withheld by the payer as a further means of payment,
 * since it was paid to the state. Only recorded payments are printed.
 */
export function paymentRows(context: PrintContext): string[][] {
  const { data, sale, rules, languages, word, amount } = context
  const [language] = languages
  const { currency } = sale.document
  const received = withDeclaredTax(data.received, declaredMinor(data, currency))
  const withheld = received.reduce((sum, { withheldMinor }) => sum + BigInt(withheldMinor), 0n)
  return [
    ...received.map((payment) => [
      meansOf(payment, context),
      ltr(rules.showDay(payment.paidAt, language)),
      amount(BigInt(payment.amountMinor) - BigInt(payment.withheldMinor)),
    ]),
    ...(withheld > 0n ? [[word('withheld').text, '', amount(withheld)]] : []),
  ]
}

/** Whether an issued receipt or invoice-receipt has no recorded payment, so that it must not say that money was received. */
export const lacksPayment = ({ row, received }: PrintContext['data']): boolean =>
  isReceipt(row.documentType) &&
  row.status !== 'DRAFT' &&
  row.cancelledAt === null &&
  row.totalMinor > 0 &&
  received.length === 0

/** The method with its details: bank, branch, account, number and so on. */
function meansOf({ method, reference, details }: ReceivedPayment, { languages, rules }: PrintContext): string {
  const [language] = languages
  const facts = factsOf(details, { language, showDay: (day) => rules.showDay(day, language) })
  const isNamed = reference === null || reference === details?.transfer?.reference // the same one is printed once
  const named = reference && !isNamed ? [...facts, `${words.reference[language]} ${isolate(reference)}`] : facts
  return [isolate(method ? methodIn(language, method) : '–'), ...named].join(', ')
}

type Wording = { language: Language; showDay(day: string): string }

function factsOf(details: PaymentDetails | null, { language, showDay }: Wording): string[] {
  const { cheque, card, transfer } = details ?? {}
  const fact = (name: keyof typeof words, value: string | undefined) =>
    value ? [`${words[name][language]} ${isolate(value)}`] : []
  const bank = (from: { bank?: string; branch?: string; account?: string } | undefined) => [
    ...fact('bank', from?.bank),
    ...fact('branch', from?.branch),
    ...fact('account', from?.account),
  ]
  return [
    ...bank(cheque),
    ...fact('cheque', cheque?.number),
    ...(cheque?.dueDate ? [`${words.due[language]} ${ltr(showDay(cheque.dueDate))}`] : []),
    ...(card?.brand ? [isolate(card.brand)] : []),
    ...(card?.last4 ? [ltr(`**** ${card.last4}`)] : []),
    ...(card?.instalments && card.instalments > 1
      ? [`${ltr(String(card.instalments))} ${words.instalments[language]}`]
      : []),
    ...bank(transfer),
    ...fact('reference', transfer?.reference),
  ]
}

/** Documents of older versions declare the withheld tax themselves; it counts if their payments have none. */
function withDeclaredTax(received: readonly ReceivedPayment[], declared: number): readonly ReceivedPayment[] {
  const [first, ...others] = received
  if (!first || declared === 0 || received.some(({ withheldMinor }) => withheldMinor > 0)) return received
  return [{ ...first, withheldMinor: Math.min(declared, first.amountMinor) }, ...others]
}

/** `countrySpecificData.withholdingTax`, which is given in major units. */
function declaredMinor({ row, source }: PrintContext['data'], currency: string): number {
  const countryData: object | null = row.countrySpecificData ?? source.countrySpecificData
  const withheld: unknown = countryData && Reflect.get(countryData, 'withholdingTax')
  if (typeof withheld !== 'number' || !(withheld > 0)) return 0
  return Number(
    exact(withheld)
      .times(exact(10).pow(minorDigits(currency)))
      .toFixed(0),
  )
}

/** The description of a line; that of a receipt for a payment in the language of the print, with the title of the document. */
export function receiptLine(context: PrintContext, description: string): string {
  const { data, languages, titleWithNumber } = context
  const [language] = languages
  if (data.row.documentType !== 'RECEIPT' || data.row.paymentId === null) return description
  if (description === onAccountDescription) return words.onAccount[language]
  const paid = data.received.flatMap((payment) => payment.paid)
  const document = paid.find(({ number }) => description === paymentDescription(number))
  const reference = document && titleWithNumber(document)
  return reference ? wordIn(language, 'paymentFor').replace('{document}', reference) : description
}
