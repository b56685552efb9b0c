import type { UniformDocument, UniformPayment } from './read-documents.ts'
import type { Values } from './record.ts'

const codes = { cash: 1, cheque: 2, card: 3, transfer: 4, voucher: 5, standingOrder: 8, other: 9 } as const

const words: readonly [RegExp, number][] = [
  [/cash|מזומן/i, codes.cash],
  [/che(que|ck)|צ['׳]?ק|המחאה/i, codes.cheque],
  [/card|אשראי/i, codes.card],
  [/direct.?debit|standing|giro|הוראת קבע/i, codes.standingOrder],
  [/transfer|wire|bank|paynow|ach|העברה/i, codes.transfer],
  [/voucher|gift|שובר/i, codes.voucher],
]

/** The means of payment of the instructions, by the details and the free text of a payment. */
export function meansOf({ method, details }: Pick<UniformPayment, 'method' | 'details'>): number {
  if (details?.cheque) return codes.cheque
  if (details?.card) return codes.card
  if (details?.transfer) return codes.transfer
  return words.find(([word]) => word.test(method ?? ''))?.[1] ?? codes.other
}

const acquirers: readonly [RegExp, number][] = [
  [/isracard|ישראכרט/i, 1],
  [/\bcal\b|כאל/i, 2],
  [/diners|דיינרס/i, 3],
  [/amex|american/i, 4],
  [/leumi|max\b|לאומי|מקס/i, 6],
]

/** The fields of D120 about how the money came in. */
export function meansFields(payment: UniformPayment): Values {
  const means = meansOf(payment)
  const { cheque, card } = payment.details ?? {}
  const isCheque = means === codes.cheque
  const isCard = means === codes.card
  return {
    1306: means,
    1307: isCheque ? digits(cheque?.bank) : 0,
    1308: isCheque ? digits(cheque?.branch) : 0,
    1309: isCheque ? digits(cheque?.account) : 0,
    1310: isCheque ? digits(cheque?.number) : 0,
    1311: (isCheque ? (cheque?.dueDate ?? payment.paidAt) : payment.paidAt).replaceAll('-', ''),
    1313: isCard ? (acquirers.find(([word]) => word.test(card?.brand ?? ''))?.[1] ?? 0) : 0,
    1314: isCard ? (card?.brand ?? '') : '',
    1315: isCard ? ((card?.instalments ?? 1) > 1 ? 2 : 1) : 0,
  }
}

const digits = (text: string | undefined) => (text ?? '').replace(/\D/g, '')

/** Whether the law calls the document a receipt: a receipt, or an invoice that is one too. */
export const isReceipt = ({ officialType }: Pick<UniformDocument, 'officialType'>) =>
  ['400', '405', '320'].includes(officialType)

/** Whether the document has lines in the file: a receipt alone has payments only. */
export const hasLines = (document: Pick<UniformDocument, 'officialType'>) =>
  !isReceipt(document) || document.officialType === '320'

/**
 * The payments that a receipt states, without the withheld tax, which is a field of its own. If payments were taken back, or none
 * was recorded, the rest has the means that the document names.
 */
export function statedPayments(document: UniformDocument): UniformPayment[] {
  if (!isReceipt(document)) return []
  const money = document.payments
    .map((payment) => ({ ...payment, amountIls: payment.amountIls - payment.withheldIls }))
    .filter(({ amountIls }) => amountIls > 0)
  const rest = document.totalIls - withheldOf(document) - money.reduce((sum, { amountIls }) => sum + amountIls, 0)
  if (rest === 0) return money
  const last = money.at(-1)
  if (last && Math.abs(rest) <= roundingMax)
    return [...money.slice(0, -1), { ...last, amountIls: last.amountIls + rest }]
  const { paymentMethod: method, issueDate: paidAt } = document
  return [...money, { method, details: null, paidAt, amountIls: rest, withheldIls: 0 }]
}

/** Payments in a foreign currency are converted one by one, which may leave so many agorot. */
const roundingMax = 5

export const withheldOf = ({ payments }: UniformDocument): number =>
  payments.reduce((sum, { withheldIls }) => sum + withheldIls, 0)

/** Whether the payments that are recorded make up the receipt. */
export const isCovered = (document: UniformDocument): boolean =>
  !isReceipt(document) ||
  document.isCancelled ||
  Math.abs(document.payments.reduce((sum, { amountIls }) => sum + amountIls, 0) - document.totalIls) <= roundingMax
