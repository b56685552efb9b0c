import { sql } from 'kysely'
import type { Database, Inside, Outside } from '../../../core/define/operation.ts'
import { one, toUuid } from '../../../core/define/query.ts'
import { withWarnings } from '../../../core/define/warning.ts'
import { withLocalCopy } from '../../../core/files/local-copy.ts'
import type { Hints, ReadOutcome } from '../../../core/outside/receipt-reader.ts'
import { today } from '../../../core/values/day.ts'
import { pipeline } from '../../../db/pipeline.ts'
import { lockDocument } from '../../../ledger/numbering.ts'
import { attachedFile } from '../expenses/attachments/read.ts'
import { countryOf, type ExpenseContext, expenseContext } from '../expenses/expense-context.ts'
import { complete, type WriteContext } from './complete.ts'
import { sameFileWarnings } from './duplicates.ts'
import { allowanceOf, refuseWithoutQuota } from './quota.ts'
import { type Asked, failed, type ScanResult } from './scan-result.ts'

/** A file that was read for a scan, and what has to be known to write the result. */
export type ReadScan = { asked: Asked; outcome: ReadOutcome; processingTimeMs: number }

type Reader = Pick<Outside, 'storage' | 'receiptReader' | 'now'> & {
  tx<T>(work: (inside: Pick<Inside, 'db' | 'now'>) => Promise<T>): Promise<T>
}

/** Reads an attachment of an expense, outside of any transaction; refuses if the month has no scan left. */
export async function readForScan(context: Reader, attachmentId: string): Promise<ReadScan> {
  const began = performance.now()
  const asked = await context.tx((inside) => prepare(inside, attachmentId))
  const outcome = await readAttachment(context, asked)
  return { asked, outcome, processingTimeMs: Math.round(performance.now() - began) }
}

/** What has to be known before the file is read; refuses if the month has no scan left. */
async function prepare({ db, now }: Pick<Inside, 'db' | 'now'>, id: string): Promise<Asked> {
  const { file, settings, organization } = await pipeline({
    file: one(attachedFile(db, toUuid(id)), 'attachment'),
    settings: db.selectFrom('organizationSettings').select('plan').executeTakeFirst(),
    organization: expenseContext(db),
  })
  const allowance = allowanceOf({ ...organization, plan: settings?.plan ?? null }, now)
  await refuseWithoutQuota(db, file.id, allowance)
  const { expenseId, organizationId, fileType, storageKey } = file
  return { attachmentId: file.id, expenseId, organizationId, fileType, storageKey, organization, allowance }
}

/** What the reader is told about the organization. */
export function hintsOf(organization: ExpenseContext, now: Date): Hints {
  const { country, currency, timezone } = organization
  const dateOrder = countryOf(organization)?.writing.dateOrder ?? 'DMY'
  return { country, dateOrder, currency, today: today(now, timezone) }
}

/** Reads the file, from a copy on the local disk: the reader's process opens nothing else. */
async function readAttachment(
  { storage, receiptReader, now }: Omit<Reader, 'tx'>,
  { storageKey, fileType, organization, organizationId }: Asked,
): Promise<ReadOutcome> {
  const hints = hintsOf(organization, now)
  return withLocalCopy(storage, storageKey, (path) =>
    receiptReader.read({ path, contentType: fileType, hints, organizationId }),
  )
}

/** Writes what was read, or why nothing was. */
export async function writeScan(context: WriteContext, { asked, outcome, processingTimeMs }: ReadScan) {
  const { db } = context
  await lockDocument(db, asked.expenseId)
  const found = 'reading' in outcome ? await complete(context, asked, outcome.reading) : failed(asked, outcome.message)
  const result = { ...found, processingTimeMs }
  await remember(db, asked, result)
  return withWarnings(result, [...(outcome.warnings ?? []), ...(await sameFileWarnings(db, asked.attachmentId))])
}

/** Keeps the last scan of an attachment. A later failure does not undo what an earlier one has charged. */
const remember = (db: Database, { attachmentId, allowance }: Asked, result: ScanResult) =>
  db
    .insertInto('scans')
    .values({
      attachmentId,
      expenseId: result.expenseId,
      status: result.scanStatus,
      providerId: result.providerId,
      extracted: JSON.stringify(result.extractedData),
      error: result.scanError,
      duplicateOfId: result.duplicateOfId,
      chargedPeriod: result.scanStatus === 'COMPLETED' ? allowance.period : null,
      processingMs: result.processingTimeMs,
    })
    .onConflict((conflict) =>
      conflict.columns(['organizationId', 'attachmentId']).doUpdateSet((row) => ({
        status: row.ref('excluded.status'),
        providerId: row.ref('excluded.providerId'),
        extracted: row.ref('excluded.extracted'),
        error: row.ref('excluded.error'),
        duplicateOfId: row.ref('excluded.duplicateOfId'),
        chargedPeriod: row.fn.coalesce('scans.chargedPeriod', 'excluded.chargedPeriod'),
        processingMs: row.ref('excluded.processingMs'),
        updatedAt: sql`now()`,
      })),
    )
    .execute()
