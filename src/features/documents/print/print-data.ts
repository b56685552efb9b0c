import { notFound } from '../../../core/define/failure.ts'
import type { Database } from '../../../core/define/operation.ts'
import { one } from '../../../core/define/query.ts'
import { pipeline } from '../../../db/pipeline.ts'
import { countryView } from '../country-view.ts'
import { documentById } from '../reading/read.ts'

/** All that can be printed of a document, read at one time. */
export type PrintData = Awaited<ReturnType<typeof readPrintData>>

export async function readPrintData(db: Database, id: string) {
  const row = await one(documentById(db, id), 'document')
  const seen = countryView(row)
  if (!seen) throw notFound('document')
  const { issued, account, settings } = await pipeline({
    issued: issuing(db, id),
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
  return { row, ...seen, ...issued, account, settings }
}

/** When it was issued, and what it is about. */
async function issuing(db: Database, id: string) {
  const { issuedAt, ...source } = await one(
    db
      .selectFrom('documents')
      .leftJoin('documents as about', (on) =>
        on
          .onRef('about.organizationId', '=', 'documents.organizationId')
          .onRef('about.id', '=', 'documents.sourceDocumentId'),
      )
      .select([
        'documents.issuedAt',
        'about.number',
        'about.issueDate',
        'about.documentType',
        'about.countrySpecificData',
      ])
      .where('documents.id', '=', id),
    'document',
  )
  return { issuedAt, source }
}
