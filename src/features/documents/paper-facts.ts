import type { Database } from '../../core/operation.ts'
import { one } from '../../core/query.ts'
import type { Country } from '../../countries/country.ts'
import { documentById } from './read.ts'

/** All that can be printed of a document, read at one time. */
export type PaperFacts = Awaited<ReturnType<typeof paperFacts>>

export async function paperFacts(db: Database, id: string) {
  const row = await one(documentById(db, id), 'document')
  const [issued, customer, account, organization, settings] = await Promise.all([
    issuing(db, id),
    one(
      db
        .selectFrom('customers')
        .select(['name', 'email', 'country', 'kind', 'registrationNumber', 'address'])
        .where('id', '=', row.customerId),
      'customer',
    ),
    row.bankAccountId
      ? db.selectFrom('bankAccounts').selectAll().where('id', '=', row.bankAccountId).executeTakeFirst()
      : undefined,
    one(
      db
        .selectFrom('organizations')
        .select(['name', 'country', 'registrationNumber', 'taxNumber', 'address', 'email', 'phone'])
        .where('id', '=', row.organizationId),
      'organization',
    ),
    db
      .selectFrom('organizationSettings')
      .leftJoin('files', (on) =>
        on
          .onRef('files.organizationId', '=', 'organizationSettings.organizationId')
          .onRef('files.id', '=', 'organizationSettings.logoFileId'),
      )
      .select(['organizationSettings.language', 'files.storageKey', 'files.fileType', 'files.fileSize'])
      .executeTakeFirst(),
  ])
  // The column is checked to hold a country that there is.
  return {
    row,
    ...issued,
    customer,
    account,
    organization: { ...organization, country: organization.country as Country['code'] },
    settings,
  }
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
