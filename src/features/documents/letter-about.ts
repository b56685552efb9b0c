import type { Inside } from '../../core/operation.ts'
import type { Language } from '../../core/shown.ts'
import { salesDocument } from '../mail/templates/sales-document.ts'
import { documentLink } from './link.ts'
import { type DocumentRow, openOf, toDocument } from './read.ts'
import { typeWord } from './type-words.ts'

/** The letter about a document, with the address of its page. */
export function letterAbout(kept: Pick<Inside, 'secrets' | 'installation'>, row: DocumentRow, language: Language) {
  const document = toDocument(row)
  const { total, status, currency } = document
  return salesDocument(language, {
    organizationName: row.senderName ?? document.organization?.name ?? '',
    documentType: document.documentType,
    called: typeWord(language, document.documentType),
    number: document.invoiceNumber ?? '',
    currency,
    total,
    open: status === 'PAID' ? 0 : openOf(row),
    dueDate: status === 'PAID' ? null : document.dueDate,
    account: status === 'PAID' ? [] : accountFacts(document),
    notes: document.notes,
    url: documentLink(kept, row),
  })
}

function accountFacts({ bankAccount }: ReturnType<typeof toDocument>): string[] {
  if (!bankAccount) return []
  const { bankName, accountName, accountNumber, iban, swiftCode } = bankAccount
  return [bankName, accountName, accountNumber, iban, swiftCode].filter((fact) => fact !== null)
}
