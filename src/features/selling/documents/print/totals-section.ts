import { lacksPayment } from './payment-rows.ts'
import type { Label, PrintContext, PrintModel } from './print-model.ts'
import { taxLabel, taxRows } from './taxes.ts'
import { ltr, moneyText } from './text.ts'

/** Subtotal and taxes if the country prints them, the total, and the balance of a partly paid document. */
export function totalsSection(context: PrintContext): PrintModel['sums'] {
  const { sale, word, labelOf, rules, data, amount } = context
  const { currency, documentType, totalMinor, subtotalMinor } = sale.document
  const { code: country } = data.country
  const plain = (label: Label, minor: bigint) => ({
    label,
    value: amount(minor),
    weight: 'plain' as const,
  })
  const total = (label: Label, minor: bigint) => ({
    label,
    value: ltr(moneyText(minor, currency, country)),
    weight: 'total' as const,
  })
  const sums: PrintModel['sums'] = []
  if (rules.showsTax(sale)) {
    sums.push(plain(word('subtotal'), subtotalMinor))
    const rows = taxRows(context)
    for (const row of rows)
      sums.push(
        plain(
          labelOf((language) => taxLabel(context, { row, among: rows }, language)),
          row.tax,
        ),
      )
  }
  const isReceipt = documentType === 'RECEIPT' || documentType === 'INVOICE_RECEIPT'
  sums.push(
    total(
      word(
        documentType === 'CREDIT_MEMO'
          ? 'credited'
          : documentType === 'RECEIPT' && !lacksPayment(data)
            ? 'received'
            : 'total',
      ),
      totalMinor,
    ),
  )
  const [paid, credited] = [BigInt(data.row.paidMinor), BigInt(data.row.creditedMinor)]
  if (paid + credited > 0n && !isReceipt && documentType !== 'CREDIT_MEMO') {
    if (paid > 0n) sums.push(plain(word('paid'), -paid))
    if (credited > 0n) sums.push(plain(word('credits'), -credited))
    sums.push(total(word('balance'), totalMinor - paid - credited))
  }
  return sums
}
