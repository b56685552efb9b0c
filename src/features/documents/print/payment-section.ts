import { codeAsSvg } from './payment-code.ts'
import type { Fact, Made, PrintModel } from './print-model.ts'
import { ibanText, linesOf, ltr, own } from './text.ts'
import { type Word, wordIn } from './words.ts'

/** Where and how to pay what is open, if the document says where. */
export function paymentSection(made: Made): PrintModel['payment'] {
  const { facts, sale, word, languages } = made
  const { row, account, country } = facts
  const { documentType, currency, totalMinor } = sale.document
  const open = totalMinor - BigInt(row.paidMinor)
  const isOwed =
    ['INVOICE', 'PAYMENT_REQUEST', 'DEBIT_MEMO'].includes(documentType) && row.status !== 'PAID' && open > 0n
  if (!isOwed || row.cancelledAt) return null
  const number = row.invoiceNumber ?? undefined
  const code = country.paymentCode({
    issuer: sale.issuer,
    currency,
    amountMinor: open,
    reference: number,
  })
  if (!account && !code) return null
  const [language] = languages
  return {
    title: word('payment'),
    facts: accountFacts(made),
    texts: [
      ...(number ? [wordIn(language, 'quote').replace('{number}', ltr(number))] : []),
      ...linesOf(account?.notes ?? null),
    ],
    code: code ? { svg: codeAsSvg(code.text), caption: wordIn(language, 'scan').replace('{name}', code.name) } : null,
  }
}

function accountFacts({ facts: { account }, word }: Made): Fact[] {
  if (!account) return []
  const facts: [Word, string | null][] = [
    ['bank', account.bankName && own(account.bankName)],
    ['accountName', account.accountName && own(account.accountName)],
    ['bankCode', account.localBankCode && ltr(account.localBankCode)],
    ['branch', account.branchCode && ltr(account.branchCode)],
    ['account', account.accountNumber && ltr(account.accountNumber)],
    ['iban', account.iban && ltr(ibanText(account.iban))],
    ['swift', account.swiftCode && ltr(account.swiftCode)],
    ['routing', account.routingNumber && ltr(account.routingNumber)],
  ]
  return facts.flatMap(([name, value]) => (value ? [{ label: word(name), value }] : []))
}
