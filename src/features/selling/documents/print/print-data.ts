import { sql } from 'kysely'
import { notFound } from '../../../../core/define/failure.ts'
import type { Database } from '../../../../core/define/operation.ts'
import { one } from '../../../../core/define/query.ts'
import type { Language } from '../../../../core/values/language.ts'
import { pipeline } from '../../../../db/pipeline.ts'
import { fileById } from '../../../platform/files/store.ts'
import { countryView } from '../country-view.ts'
import { isReceipt } from '../legal-content.ts'
import { documentById } from '../reading/read.ts'
import { isPaymentVoided, readReceived } from './read-received.ts'

/** Everything that is printed of a document, read in one transaction. */
export type PrintData = Awaited<ReturnType<typeof readPrintData>>

/** An issued document is printed with the issuer, customer, bank account, title and logo that it was issued with. */
export async function readPrintData(db: Database, id: string) {
  const row = await one(documentById(db, id), 'document')
  const view = countryView(row)
  if (!view) throw notFound('document')
  const { issuedAs } = row
  const { issued, logo, original, paidAtIssue, received, receivedAtIssue, paymentVoided } = await pipeline({
    issued: readIssueDetails(db, id),
    logo: issuedAs ? findFile(db, issuedAs.logoFileId) : readLogoOfNow(db),
    received: readReceived(db, row),
    receivedAtIssue: readReceived(db, row, 'atIssue'),
    paymentVoided: isPaymentVoided(db, row),
    original: findFile(db, issuedAs?.originalFileId),
    paidAtIssue: row.payments.length > 0 ? readPaymentsAtIssue(db, id) : [],
  })
  return {
    row,
    ...view,
    ...issued,
    account: row.bankAccount,
    logo,
    /** The file of the original, once it was kept. */
    original,
    /** The payments that were recorded together with the issue. The original shows no later ones. */
    paidAtIssue: new Set(paidAtIssue),
    received,
    /** What it stated when it was issued, also if that was voided since. */
    receivedAtIssue,
    paymentVoided,
  }
}

/** The document as it was issued: the account, terms and payments it was issued with, and no payment, credit or cancellation that came later. */
export function asIssued(data: PrintData): PrintData {
  const { row, paidAtIssue, receivedAtIssue: received } = data
  const payments = row.payments.filter(({ id }) => paidAtIssue.has(id))
  const paidMinor = (isReceipt(row.documentType) ? received : payments).reduce(
    (sum, { amountMinor }) => sum + amountMinor,
    0,
  )
  const isPaid = row.paymentId !== null || paidMinor >= row.totalMinor
  return {
    ...data,
    account: row.issuedAs ? row.issuedAs.bankAccount : data.account,
    received,
    paymentVoided: false,
    row: {
      ...row,
      ...row.issuedAs?.terms,
      ...{ payments, paidMinor, creditedMinor: 0, openMinor: isPaid ? 0 : row.totalMinor - paidMinor },
      status: isPaid ? 'PAID' : 'UNSENT',
      cancelledAt: null,
    },
  }
}

const findFile = (db: Database, id: string | null | undefined) => (id ? fileById(db, id).executeTakeFirst() : undefined)

/** The logo that the organization has now. */
export const readLogoOfNow = (db: Database) =>
  db
    .selectFrom('organizationSettings')
    .innerJoin('files', (on) =>
      on
        .onRef('files.organizationId', '=', 'organizationSettings.organizationId')
        .onRef('files.id', '=', 'organizationSettings.logoFileId'),
    )
    .select(['files.storageKey', 'files.fileType', 'files.fileSize'])
    .executeTakeFirst()

/** The instant of a transaction is one, so a payment recorded with the issue has the time of the issue. */
async function readPaymentsAtIssue(db: Database, id: string): Promise<string[]> {
  const rows = await db
    .selectFrom('allocations')
    .innerJoin('documents', (on) =>
      on
        .onRef('documents.organizationId', '=', 'allocations.organizationId')
        .onRef('documents.id', '=', 'allocations.documentId'),
    )
    .select('allocations.paymentId')
    .where('allocations.documentId', '=', id)
    .whereRef('allocations.createdAt', '<=', 'documents.issuedAt')
    .execute()
  return rows.map(({ paymentId }) => paymentId)
}

/** The time of issue, and the document that a receipt or memo refers to, with the title that it was issued with. */
async function readIssueDetails(db: Database, id: string) {
  const { issuedAt, ...found } = await one(
    db
      .selectFrom('documents')
      .leftJoin('documents as source', (on) =>
        on
          .onRef('source.organizationId', '=', 'documents.organizationId')
          .onRef('source.id', '=', 'documents.sourceDocumentId'),
      )
      .leftJoin('issuedCopies', (on) =>
        on
          .onRef('issuedCopies.organizationId', '=', 'source.organizationId')
          .onRef('issuedCopies.documentId', '=', 'source.id'),
      )
      .select([
        'documents.issuedAt',
        'source.number',
        'source.issueDate',
        'source.documentType',
        'source.countrySpecificData',
      ])
      .select(sql<Record<Language, string> | null>`issued_copies.title`.as('title'))
      .where('documents.id', '=', id),
    'document',
  )
  const source: Omit<typeof found, 'title'> & Partial<Pick<typeof found, 'title'>> = found
  return { issuedAt, source }
}
