import { createHash } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { sql } from 'kysely'
import type { Database } from '../../../../core/define/operation.ts'
import { one } from '../../../../core/define/query.ts'
import { toLabel } from '../../../../core/files/file.ts'
import { fileLost, toStorageFailure } from '../../../../core/files/storage-failure.ts'
import type { Storage } from '../../../../core/outside/storage.ts'
import { appendHistory } from '../../../../ledger/history.ts'
import { fileById, storeFile } from '../../../platform/files/store.ts'

type Pdf = { fileName: string; pdf: Uint8Array }
type OriginalFile = { fileName: string; storageKey: string; sha256: string }

/** The kept original. Bytes that differ from the recorded hash are not the original and are not given out. */
export async function readOriginal(storage: Storage, { fileName, storageKey, sha256 }: OriginalFile): Promise<Pdf> {
  const pdf = await readAll(await storage.open(storageKey))
  if (sha256Of(pdf) !== sha256) throw fileLost(new Error('The stored original differs from its hash.'))
  return { fileName, pdf }
}

/** Runs a short transaction of the caller. */
type Transaction = (work: (db: Database) => Promise<OriginalFile>) => Promise<OriginalFile>

/**
 * Keeps the first print of the original: stores its file outside any transaction, then records the file and its hash in the
 * history. Of two prints at the same time the first one recorded is the original, and both callers get it. A file that is
 * stored and not recorded has no row, and the sweep removes it.
 */
export async function keepOriginal(storage: Storage, tx: Transaction, id: string, print: Pdf): Promise<Pdf> {
  const upload = await toUpload(storage, print)
  try {
    const stored = await storeFile({ storage }, upload, 'original')
    const kept = await tx((db) => record(db, id, stored.row))
    return kept.sha256 === upload.sha256 ? print : readOriginal(storage, kept)
  } finally {
    await rm(upload.path, { force: true })
  }
}

type InsertFile = Awaited<ReturnType<typeof storeFile>>['row']

async function record(db: Database, documentId: string, insertFile: InsertFile): Promise<OriginalFile> {
  const copy = db.selectFrom('issuedCopies').select('originalFileId').where('documentId', '=', documentId)
  const { originalFileId } = await one(copy.forUpdate(), 'document')
  if (originalFileId) return one(fileById(db, originalFileId), 'file')
  const file = await insertFile({ db })
  await db.updateTable('files').set({ attachedAt: sql<string>`now()` }).where('id', '=', file.id).execute()
  await db
    .updateTable('issuedCopies')
    .set({ originalFileId: file.id, originalSha256: file.sha256 })
    .where('documentId', '=', documentId)
    .execute()
  await appendHistory(db, documentId, 'ORIGINAL_KEPT', { fileId: file.id, sha256: file.sha256 })
  return file
}

/** The print as a file on the local disk, as uploads are before they are stored. */
async function toUpload(storage: Storage, { fileName, pdf }: Pdf) {
  const path = storage.scratch()
  await writeFile(path, pdf, { flag: 'wx', mode: 0o600 }).catch((error) => {
    throw toStorageFailure(error)
  })
  return {
    path,
    fileName: toLabel(fileName),
    fileType: 'application/pdf',
    declaredType: null,
    size: pdf.byteLength,
    sha256: sha256Of(pdf),
  }
}

const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

async function readAll(stream: Readable): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of stream as AsyncIterable<Buffer>) pieces.push(piece)
  return Buffer.concat(pieces)
}
