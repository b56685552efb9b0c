import type { Inside } from '../../../../core/define/operation.ts'
import { groupedIban } from '../../../../core/values/bank-identifiers.ts'
import { daysBetween } from '../../../../core/values/day.ts'
import type { Language } from '../../../../core/values/language.ts'
import { englishOf } from '../../../../countries/countries.ts'
import { countryView } from '../country-view.ts'
import { fileNameOf } from '../print/print.ts'
import { type Word, wordIn } from '../print/words.ts'
import { publicLinkUrl } from '../public-page/public-link.ts'
import { type DocumentRow, toDocument } from '../reading/read.ts'
import type { Letter } from './letter.ts'
import { salesDocument } from './template.ts'
import { typeName } from './type-names.ts'

/** The e-mail with a document and the link to its public page, in the language of the document. */
export function documentEmail(
  services: Pick<Inside, 'secrets' | 'installation'>,
  row: DocumentRow,
  { kind, today, subject, message }: Letter,
) {
  const document = toDocument(row)
  const { total, status, currency, openBalance } = document
  const { language, title } = titleAndLanguage(row)
  return salesDocument(language, {
    organizationName: row.senderName ?? document.organization?.name ?? '',
    documentType: document.documentType,
    title,
    number: document.invoiceNumber ?? '',
    english: englishOf(document.organization?.country),
    currency,
    total,
    open: openBalance,
    credited: document.creditedAmount,
    dueDate: status === 'PAID' ? null : document.dueDate,
    account: status === 'PAID' ? [] : accountDetails(row, language),
    notes: document.notes,
    url: publicLinkUrl(services, row),
    reminder: kind === 'REMINDER' ? { daysLate: daysLate(document.dueDate, today) } : undefined,
    subject,
    message,
  })
}

const daysLate = (dueDate: string | null, today: string | null) =>
  dueDate && today ? daysBetween(dueDate, today) : null

/** The name of the PDF that is enclosed. */
export const documentFileName = (row: DocumentRow) =>
  fileNameOf([titleAndLanguage(row).title, row.invoiceNumber].filter(Boolean).join(' '))

/** The language and title of the document as on its PDF, which is enclosed. */
function titleAndLanguage(row: DocumentRow): { language: Language; title: string } {
  const view = countryView(row)
  if (!view) return { language: 'en', title: typeName('en', row.documentType) }
  return { language: view.language, title: view.title[view.language] }
}

/** The bank account to pay to, with a label for each number. */
function accountDetails({ bankAccount: account }: DocumentRow, language: Language): string[] {
  if (!account) return []
  const numbers: [Word, string | null][] = [
    ['bankCode', account.localBankCode],
    ['branch', account.branchCode],
    ['routing', account.routingNumber],
    ['account', account.accountNumber],
    ['iban', account.iban && groupedIban(account.iban)],
    ['swift', account.swiftCode],
  ]
  const labeled = numbers.flatMap(([word, value]) => (value ? [`${wordIn(language, word)} ${value}`] : []))
  return [account.bankName, account.accountName, ...labeled]
}
