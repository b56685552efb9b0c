import { notFound } from '../../../core/define/failure.ts'
import type { Database } from '../../../core/define/operation.ts'
import { one } from '../../../core/define/query.ts'
import { pipeline } from '../../../db/pipeline.ts'
import { countryView } from '../country-view.ts'
import { documentById } from '../reading/read.ts'
import { readReceived } from './read-received.ts'

/** Everything that is printed of a document, read in one transaction. */
export type PrintData = Awaited<ReturnType<typeof readPrintData>>

export async function readPrintData(db: Database, id: string) {
  const row = await one(documentById(db, id), 'document')
  const view = countryView(row)
  if (!view) throw notFound('document')
  const { issued, account, settings, received } = await pipeline({
    issued: readIssueDetails(db, id),
    received: readReceived(db, row),
    account: row.bankAccountId
      ? db.selectFrom('bankAccounts').selectAll().where('id', '=', row.bankAccountId).executeTakeFirst()
      : undefined,
    settings: db
      .selectFrom('organizationSettings')
      .leftJoin('files', (on) =>
        on
          .onRef('files.organizationId', '=', 'organizationSettings.organizationId')
          .onRef('files.id', '=', 'organizationSettings.logoFileId'),
      )
      .select(['organizationSettings.language', 'files.storageKey', 'files.fileType', 'files.fileSize'])
      .executeTakeFirst(),
  })
  return { row, ...view, ...issued, account, settings, received }
}

/** The time of issue, and the document that a receipt or memo refers to. */
async function readIssueDetails(db: Database, id: string) {
  const { issuedAt, ...source } = await one(
    db
      .selectFrom('documents')
      .leftJoin('documents as source', (on) =>
        on
          .onRef('source.organizationId', '=', 'documents.organizationId')
          .onRef('source.id', '=', 'documents.sourceDocumentId'),
      )
      .select([
        'documents.issuedAt',
        'source.number',
        'source.issueDate',
        'source.documentType',
        'source.countrySpecificData',
      ])
      .where('documents.id', '=', id),
    'document',
  )
  return { issuedAt, source }
}
