import type { Readable } from 'node:stream'
import type { Database } from '../../../core/define/operation.ts'
import type { PrintDocument, PrintOrder, PrintPayslip } from '../../../core/define/services.ts'
import type { Attachment } from '../../../core/files/attachment.ts'
import type { Storage } from '../../../core/outside/storage.ts'
import { fileById } from '../files/store.ts'

/**
 * An attachment by reference, loaded when the message is sent: a file, or a sales document, an order or a payslip, which is
 * printed for each message. The queue does not store its bytes.
 */
export type Enclosure =
  | { kind: 'FILE'; fileId: string }
  | { kind: 'PRINT'; documentId: string; copy?: true }
  | { kind: 'ORDER'; orderId: string; language?: string | undefined }
  | { kind: 'PAYSLIP'; payslipId: string }

type EnclosureSources = {
  tx<T>(work: (inside: { db: Database }) => Promise<T>): Promise<T>
  storage: Storage
  printDocument: PrintDocument
  printOrder: PrintOrder
  printPayslip: PrintPayslip
}

/** Loads all enclosures, outside any transaction. Deleted files are left out: the message links to everything. */
export async function loadEnclosures(
  sources: EnclosureSources,
  enclosures: readonly Enclosure[],
): Promise<Attachment[]> {
  const attachments: Attachment[] = []
  for (const enclosure of enclosures) {
    const attachment = await loadEnclosure(sources, enclosure)
    if (attachment) attachments.push(attachment)
  }
  return attachments
}

async function loadEnclosure(sources: EnclosureSources, enclosure: Enclosure): Promise<Attachment | undefined> {
  const { tx, storage } = sources
  switch (enclosure.kind) {
    case 'FILE': {
      const file = await tx(({ db }) => fileById(db, enclosure.fileId).executeTakeFirst())
      if (!file) return undefined
      const content = await readAll(await storage.open(file.storageKey))
      return { fileName: file.fileName, contentType: file.fileType, content }
    }
    case 'PRINT':
      return sources.printDocument((work) => tx(({ db }) => work(db)), enclosure.documentId, enclosure)
    case 'ORDER':
      return sources.printOrder((work) => tx(({ db }) => work(db)), enclosure)
    case 'PAYSLIP':
      return sources.printPayslip((work) => tx(({ db }) => work(db)), enclosure.payslipId)
  }
}

async function readAll(stream: Readable): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of stream as AsyncIterable<Buffer>) pieces.push(piece)
  return Buffer.concat(pieces)
}
