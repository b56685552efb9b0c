import type { Box } from '../reading.ts'
import type { Figure, ReadRow } from './figures.ts'
import { placeHints } from './places.ts'
import { boxOf } from './text/rows.ts'
import { amountOf, figuresOfKind } from './totals.ts'

export type Payment = { value: string; evidence: 'amount' | 'label' | 'word'; box: Box }

const methods: readonly [string, RegExp][] = [
  ['PAYNOW', /\bpay ?now\b/i],
  ['PAYPAL', /\bpay ?pal\b/i],
  ['DIRECT_DEBIT', /\bdirect debit\b|\bgiro\b|הוראת קבע/i],
  ['BANK_TRANSFER', /\b(?:bank|wire|credit) ?transfer\b|\btransfer\b|העברה בנקאית|העברה/i],
  [
    'CARD',
    /\bvisa\b|\bmaster ?card\b|\bamex\b|\bcredit card\b|\bdebit card\b|\bcard\b|כרטיס אשראי|אשראי|ויזה|ישראכרט/i,
  ],
  ['CASH', /\bcash\b|מזומן/i],
]

const cheque = /\bcheques?\b|צ'ק|שיק|המחאה/i

/** How it was paid: by the amount beside the method, by a label such as "paid by", or by the last digits of a card. */
export function findPayment(
  rows: readonly ReadRow[],
  figures: readonly Figure[],
  total: number | undefined,
  country: string,
): Payment | undefined {
  const usable = figuresOfKind(figures, 'cash', 'card').filter(({ isLoose, inSummary }) => !isLoose && !inSummary)
  const withAmount = usable.filter((figure) => (amountOf(figure)?.cents ?? 0) > 0)
  const change = figuresOfKind(figures, 'change').map((figure) => Math.abs(amountOf(figure)?.cents ?? 0))
  const fits = withAmount.filter((figure) => {
    const paid = amountOf(figure)?.cents ?? 0
    return paid === total || change.some((one) => paid - one === total)
  })
  const figure = fits.find(({ kind }) => kind === 'card') ?? fits[0] ?? withAmount.at(-1)
  const box = (row: ReadRow | undefined) =>
    row ? boxOf(row, 0, row.text.length) : { page: 1, x: 0, y: 0, width: 1, height: 1 }
  const named = rows.find(({ text }) => paidBy.test(text) && methodIn(text.replace(paidBy, ''), country))
  const namedMethod = named && methodIn(named.text.replace(paidBy, ''), country)
  if (figure && fits.includes(figure))
    return { value: figure.kind === 'card' ? 'CARD' : 'CASH', evidence: 'amount', box: box(rows[figure.row]) }
  if (named && namedMethod) return { value: namedMethod, evidence: 'label', box: box(named) }
  if (figure) return { value: figure.kind === 'card' ? 'CARD' : 'CASH', evidence: 'label', box: box(rows[figure.row]) }
  const card = rows.find(({ text }) => /[*xX•]{4,}[ -]?[0-9]{4}(?![0-9])/.test(text))
  if (card) return { value: 'CARD', evidence: 'label', box: box(card) }
  const row = rows.slice(Math.floor(rows.length / 3)).find(({ text }) => text.length < 30 && methodIn(text, country))
  return row ? { value: methodIn(row.text, country) ?? 'OTHER', evidence: 'word', box: box(row) } : undefined
}

const paidBy =
  /\bpaid (?:by|with|via)\b|\bpayment(?: (?:method|mode|type|by))?\b|\bpay(?:ment)? via\b|אמצעי תשלום|שולם באמצעות|שולם ב|אופן תשלום/i

function methodIn(text: string, country: string): string | undefined {
  if (cheque.test(text)) return placeHints(country).cheque
  return methods.find(([, pattern]) => pattern.test(text))?.[0]
}
