import { sql } from 'kysely'
import { conflict } from '../../../core/define/failure.ts'
import { type Inside, operation } from '../../../core/define/operation.ts'
import { Pagination, paging, SortOrder } from '../../../core/define/page.ts'
import { one } from '../../../core/define/query.ts'
import { ById, defaulted, Id, OneOf, Success, success, Type } from '../../../core/define/schema.ts'
import { checksUpdatedAt, showsUpdatedAt } from '../../../core/define/unchanged.ts'
import { givenExtras } from '../../../core/define/views.ts'
import { withWarnings } from '../../../core/define/warning.ts'
import { pipeline } from '../../../db/pipeline.ts'
import { appendHistory } from '../../../ledger/history.ts'
import { remove as removeFile } from '../../platform/files/store.ts'
import { readAttachments, toAttachment } from './attachments/attachment.ts'
import { changeDocument } from './change.ts'
import { countryWarnings } from './country-view.ts'
import { createDocument } from './create.ts'
import { Document, DocumentChanges, DocumentInList, ListedDocument, NewDocument } from './document.ts'
import { salesKind } from './kind.ts'
import { countViews, documentFilters, documentViews } from './reading/filter.ts'
import { listDocuments } from './reading/list.ts'
import { attachmentsOfRow, documentById, toDocument, toListed } from './reading/read.ts'

export const list = operation({
  name: 'invoices_list',
  http: 'GET /api/documents',
  does: 'Lists sales documents, searched by number, customer or notes.',
  scope: 'invoices:read',
  within: 'organizationId',
  input: Type.Object({
    organizationId: Id,
    ...paging(),
    ...documentFilters,
    search: defaulted(Type.String({ maxLength: 200 }), ''),
    sortBy: defaulted(OneOf('issueDate', 'dueDate', 'total', 'status', 'documentNumber', 'customerName'), 'issueDate'),
    sortOrder: defaulted(SortOrder, 'desc'),
    lines: Type.Optional(Type.Boolean({ description: 'false leaves the lines (items) out.' })),
    ...documentViews.asked,
  }),
  output: Type.Object({ invoices: Type.Array(DocumentInList), pagination: Pagination, ...documentViews.answered }),
  async run({ db, ...services }, { organizationId: _, counts: wantsCounts, ...query }) {
    const { now } = services
    const { counts, listed } = await pipeline({
      counts: wantsCounts && countViews(db, now),
      listed: listDocuments(db, { ...query, now }),
    })
    const invoices = listed.rows.map((row) => toListed(row, attachmentsOfRow(services, row)))
    return {
      invoices: query.lines === false ? invoices.map(withoutLines) : invoices,
      pagination: listed.pagination,
      ...givenExtras({ counts, ids: listed.ids }),
    }
  },
})

/** Changes the row that was just made: copying many rows takes long. */
const withoutLines = (document: ListedDocument) => Object.assign(document, { items: undefined })

export const create = operation({
  name: 'invoices_create',
  http: 'POST /api/documents',
  does: 'Creates a sales document; in any status but DRAFT it is issued at once and gets its number, in PAID it is paid too.',
  scope: 'invoices:write',
  role: 'CONTRIBUTOR',
  within: 'organizationId',
  input: NewDocument,
  output: ListedDocument,
  alsoShown: Document,
  status: 201,
  async run(context, { organizationId: _, ...given }) {
    const { row, warnings } = await createDocument(context, given)
    return withWarnings(toListed(row, []), warnings)
  },
})

export const get = operation({
  ...showsUpdatedAt,
  name: 'invoices_get',
  http: 'GET /api/documents/{id}',
  does: 'Reads one sales document.',
  scope: 'invoices:read',
  within: 'documents',
  input: ById,
  output: Document,
  async run({ db, ...services }, { id }) {
    const row = await one(documentById(db, id), 'document')
    return withWarnings({ ...toDocument(row), attachments: attachmentsOfRow(services, row) }, countryWarnings(row))
  },
})

export const update = operation({
  ...checksUpdatedAt,
  name: 'invoices_update',
  aliases: ['invoices_update_patch'],
  http: 'PATCH /api/documents/{id}',
  does: 'Changes the given fields of a sales document: everything of a draft; of an issued one its terms, notes and status.',
  scope: 'invoices:write',
  role: 'CONTRIBUTOR',
  within: 'documents',
  input: DocumentChanges,
  output: Document,
  alsoShown: ListedDocument,
  run: async (context, changes) => withAttachments(context, await changeDocument(context, changes)),
})

export const replace = operation({
  ...checksUpdatedAt,
  name: 'invoices_update_put',
  http: 'PUT /api/documents/{id}',
  does: 'Replaces a sales document: optional fields left out are emptied, and the type of a draft is INVOICE again; customer, currency, lines, totals and status are kept.',
  scope: 'invoices:write',
  role: 'CONTRIBUTOR',
  within: 'documents',
  input: DocumentChanges,
  output: Document,
  alsoShown: ListedDocument,
  run: async (context, changes) => withAttachments(context, await changeDocument(context, changes, { replace: true })),
})

export const remove = operation({
  name: 'invoices_delete',
  http: 'DELETE /api/documents/{id}',
  does: 'Deletes a draft; a document with a number stays and is credited instead.',
  scope: 'invoices:write',
  role: 'CONTRIBUTOR',
  within: 'documents',
  input: ById,
  output: Success,
  async run({ db, who, audit, enqueue }, { id }) {
    const locked = db
      .selectFrom('documents')
      .select(['number', 'documentType'])
      .where('id', '=', id)
      .where('kind', '=', sql.lit(salesKind.name))
    const { number, documentType } = await one(locked.forUpdate(), 'document')
    if (number !== null)
      throw conflict(`${number} is numbered and cannot be deleted. ${remedyFor(documentType)}`, 'NUMBERED')
    const { customerId, currency, total } = toDocument(await one(documentById(db, id), 'document'))
    const { userId } = await who
    const attachments = await readAttachments(db, id)
    audit({ deleted: { customerId, currency, total } })
    await pipeline({
      history: appendHistory(db, id, 'DELETED', { userId }),
      document: db.deleteFrom('documents').where('id', '=', id).execute(),
      files: Promise.all(attachments.map(({ fileId }) => removeFile({ db, enqueue }, fileId))),
    })
    return success
  },
})

const remedyFor = (documentType: string) =>
  documentType === 'PAYMENT_REQUEST' || documentType === 'RECEIPT'
    ? 'Cancel it instead: POST /api/documents/{id}/cancel.'
    : 'Credit it instead: POST /api/documents/{id}/memos with kind CREDIT.'

async function withAttachments(context: Inside, document: Document): Promise<Document> {
  const rows = await readAttachments(context.db, document.id)
  return { ...document, attachments: rows.map((row) => toAttachment(context, document, row)) }
}
