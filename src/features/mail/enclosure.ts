import type { Readable } from 'node:stream'
import type { Database } from '../../core/define/operation.ts'
import type { PrintDocument } from '../../core/define/services.ts'
import type { Attachment } from '../../core/files/attachment.ts'
import type { Storage } from '../../core/outside/storage.ts'
import { fileById } from '../files/store.ts'

/**
 * What a letter encloses, by name: its bytes stand nowhere in the queue and are brought when the letter is sent. A file, or
 * a sales document, which is printed for each letter.
 */
export type Enclosure = { kind: 'FILE'; fileId: string } | { kind: 'PRINT'; documentId: string }

type Bringing = {
  tx<T>(work: (inside: { db: Database }) => Promise<T>): Promise<T>
  storage: Storage
  printDocument: PrintDocument
}

/** Brings them all, outside any transaction. What is no longer there is left out: the letter says where everything is. */
export async function loadEnclosures(bringing: Bringing, enclosures: readonly Enclosure[]): Promise<Attachment[]> {
  const brought: Attachment[] = []
  for (const enclosure of enclosures) {
    const attachment = await bringOne(bringing, enclosure)
    if (attachment) brought.push(attachment)
  }
  return brought
}

async function bringOne(bringing: Bringing, enclosure: Enclosure): Promise<Attachment | undefined> {
  const { tx, storage } = bringing
  switch (enclosure.kind) {
    case 'FILE': {
      const file = await tx(({ db }) => fileById(db, enclosure.fileId).executeTakeFirst())
      if (!file) return undefined
      const content = await bytesOf(await storage.open(file.storageKey))
      return { fileName: file.fileName, contentType: file.fileType, content }
    }
    case 'PRINT':
      return bringing.printDocument((work) => tx(({ db }) => work(db)), enclosure.documentId)
  }
}

async function bytesOf(stream: Readable): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of stream as AsyncIterable<Buffer>) pieces.push(piece)
  return Buffer.concat(pieces)
}
