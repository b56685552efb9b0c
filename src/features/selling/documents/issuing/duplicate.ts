import { conflict } from '../../../../core/define/failure.ts'
import { operation } from '../../../../core/define/operation.ts'
import { one } from '../../../../core/define/query.ts'
import { Id, Type } from '../../../../core/define/schema.ts'
import { withWarnings } from '../../../../core/define/warning.ts'
import { addDays, daysBetween, today } from '../../../../core/values/day.ts'
import { pipeline } from '../../../../db/pipeline.ts'
import { organizationContext } from '../../../../ledger/organization-context.ts'
import { createDocument } from '../create.ts'
import { type Document, ListedDocument } from '../document.ts'
import { writableTypes } from '../kind.ts'
import { documentById, toDocument, toListed } from '../reading/read.ts'

export const duplicate = operation({
  name: 'invoices_duplicate',
  http: 'POST /api/documents/{id}/duplicate',
  does: 'Begins a new draft with the customer, lines, amounts, notes and terms of a sales document; it is due as long after its own date.',
  scope: 'invoices:write',
  role: 'CONTRIBUTOR',
  within: 'documents',
  input: Type.Object({ id: Id }),
  output: ListedDocument,
  status: 201,
  async run(context, { id }) {
    const { original, organization } = await pipeline({
      original: one(documentById(context.db, id), 'document').then(toDocument),
      organization: organizationContext(context.db),
    })
    const { documentType, customerId, currency, items, subtotal, taxRate, taxAmount, total } = original
    const { countrySpecificData, notes, bankAccountId } = original
    if (!isWritable(documentType))
      throw conflict('A memo cannot be duplicated. Issue another one from the document that it corrects.', 'MEMO')
    const amounts = { items, subtotal, taxRate, taxAmount, total }
    const dates = termsFrom(today(context.now, organization.timezone), original)
    const terms = { countrySpecificData, notes, bankAccountId, ...dates }
    const draft = { customerId, currency, ...amounts, ...terms, documentType, status: 'DRAFT' as const }
    const { row, warnings } = await createDocument(context, draft, { copied: true })
    return withWarnings(toListed(row), warnings)
  },
})

/** The days of payment, as long after a new issue date as those of the original are after its own. */
function termsFrom(day: string, { issueDate, dueDate, payUntil }: Document) {
  const moved = (given: string | null) => given && addDays(day, Math.max(0, daysBetween(issueDate, given)))
  return { dueDate: moved(dueDate), payUntil: moved(payUntil) }
}

const isWritable = (type: string): type is (typeof writableTypes)[number] => writableTypes.some((each) => each === type)
