import type { Inside } from '../../../core/define/operation.ts'
import type { Language } from '../../../core/values/format.ts'
import { countryView } from '../country-view.ts'
import { type Word, wordIn } from '../print/words.ts'
import { publicLinkUrl } from '../public-page/public-link.ts'
import { type DocumentRow, openOf, toDocument } from '../reading/read.ts'
import { typeName } from './type-names.ts'
import { salesDocument } from './template.ts'

/** The letter about a document, with the address of its page. */
export function documentEmail(kept: Pick<Inside, 'secrets' | 'installation'>, row: DocumentRow, language: Language) {
  const document = toDocument(row)
  const { total, status, currency } = document
  return salesDocument(language, {
    organizationName: row.senderName ?? document.organization?.name ?? '',
    documentType: document.documentType,
    called: titleOf(row, language),
    number: document.invoiceNumber ?? '',
    currency,
    total,
    open: status === 'PAID' ? 0 : openOf(row),
    dueDate: status === 'PAID' ? null : document.dueDate,
    account: status === 'PAID' ? [] : accountFacts(row, language),
    notes: document.notes,
    url: publicLinkUrl(kept, row),
  })
}

/** As its paper is called, which goes along. */
function titleOf(row: DocumentRow, language: Language): string {
  const seen = countryView(row)
  if (!seen) return typeName(language, row.documentType)
  const { documentType } = seen.sale.document
  return seen.country.documents.titleOf({ documentType, issuer: seen.sale.issuer, language })
}

/** Where to pay, each number by its name: nobody guesses which one is the branch. */
function accountFacts({ bankAccount: account }: DocumentRow, language: Language): string[] {
  if (!account) return []
  const numbers: [Word, string | null][] = [
    ['bankCode', account.localBankCode],
    ['branch', account.branchCode],
    ['routing', account.routingNumber],
    ['account', account.accountNumber],
    ['iban', account.iban],
    ['swift', account.swiftCode],
  ]
  const named = numbers.flatMap(([word, value]) => (value ? [`${wordIn(language, word)} ${value}`] : []))
  return [account.bankName, account.accountName, ...named]
}
