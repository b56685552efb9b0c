import { conflict } from '../../../core/define/failure.ts'
import { operation } from '../../../core/define/operation.ts'
import { one } from '../../../core/define/query.ts'
import { Id, Type } from '../../../core/define/schema.ts'
import { withWarnings } from '../../../core/define/warning.ts'
import { createDocument } from '../create.ts'
import { ListedDocument } from '../document.ts'
import { writableTypes } from '../kind.ts'
import { documentById, toDocument, toListed } from '../reading/read.ts'

export const duplicate = operation({
  name: 'invoices_duplicate',
  http: 'POST /api/documents/{id}/duplicate',
  does: 'Begins a new draft with the customer, lines, amounts and notes of a sales document.',
  scope: 'invoices:write',
  role: 'CONTRIBUTOR',
  within: 'documents',
  input: Type.Object({ id: Id }),
  output: ListedDocument,
  status: 201,
  async run(context, { id }) {
    const original = toDocument(await one(documentById(context.db, id), 'document'))
    const { documentType, customerId, currency, items, subtotal, taxRate, taxAmount, total } = original
    const { countrySpecificData, notes, bankAccountId } = original
    if (!isWritable(documentType))
      throw conflict('A memo cannot be duplicated. Issue another one from the document that it corrects.', 'MEMO')
    const amounts = { items, subtotal, taxRate, taxAmount, total }
    const terms = { countrySpecificData, notes, bankAccountId }
    const draft = { customerId, currency, ...amounts, ...terms, documentType, status: 'DRAFT' as const }
    const { row, warnings } = await createDocument(context, draft, { copied: true })
    return withWarnings(toListed(row), warnings)
  },
})

const isWritable = (type: string): type is (typeof writableTypes)[number] => writableTypes.some((each) => each === type)
