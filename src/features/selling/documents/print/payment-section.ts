import { groupedIban } from '../../../../core/values/bank-identifiers.ts'
import { codeAsSvg } from './payment-code.ts'
import type { LabeledValue, PrintContext, PrintModel } from './print-model.ts'
import { isolate, linesOf, ltr } from './text.ts'
import { type Word, wordIn } from './words.ts'

/** How to pay the open balance; null if nothing is owed or neither an account nor a payment code is known. */
export function paymentSection(context: PrintContext): PrintModel['payment'] {
  const { data, sale, word, languages } = context
  const { row, account, country } = data
  const { documentType, currency } = sale.document
  const open = BigInt(row.openMinor)
  const isOwed =
    ['INVOICE', 'PAYMENT_REQUEST', 'DEBIT_MEMO'].includes(documentType) && row.status !== 'PAID' && open > 0n
  if (!isOwed) return null
  const number = row.invoiceNumber ?? undefined
  const code = country.paymentCode({
    issuer: sale.issuer,
    currency,
    amountMinor: open,
    reference: number,
    until: row.payUntil ?? undefined,
  })
  if (!account && !code) return null
  const [language] = languages
  return {
    title: word('payment'),
    facts: bankDetails(context),
    texts: [
      ...(number ? [wordIn(language, 'quote').replace('{number}', ltr(number))] : []),
      ...linesOf(account?.notes ?? null),
    ],
    code: code ? { svg: codeAsSvg(code.text), caption: wordIn(language, 'scan').replace('{name}', code.name) } : null,
  }
}

function bankDetails({ data: { account }, word }: PrintContext): LabeledValue[] {
  if (!account) return []
  const numbers: [Word, string | null][] = [
    ['bank', account.bankName && isolate(account.bankName)],
    ['accountName', account.accountName && isolate(account.accountName)],
    ['bankCode', account.localBankCode && ltr(account.localBankCode)],
    ['branch', account.branchCode && ltr(account.branchCode)],
    ['account', account.accountNumber && ltr(account.accountNumber)],
    ['iban', account.iban && ltr(groupedIban(account.iban))],
    ['swift', account.swiftCode && ltr(account.swiftCode)],
    ['routing', account.routingNumber && ltr(account.routingNumber)],
  ]
  return numbers.flatMap(([name, value]) => (value ? [{ label: word(name), value }] : []))
}
