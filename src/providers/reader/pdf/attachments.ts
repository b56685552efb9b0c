import { type Pdfium, withMemory } from './pdfium.ts'

export type Attachment = { name: string; bytes: Buffer }

const attachmentsMax = 100
const attachmentMaxBytes = 10 * 1024 * 1024

/** The files in a document; larger ones than an e-invoice can be are left out. */
export function attachmentsOf(library: Pdfium, document: number): Attachment[] {
  const count = Math.min(library._FPDFDoc_GetAttachmentCount(document), attachmentsMax)
  return Array.from({ length: count }, (_, index) => attachmentAt(library, document, index)).filter(
    (attachment) => attachment !== null,
  )
}

function attachmentAt(library: Pdfium, document: number, index: number): Attachment | null {
  const attachment = library._FPDFDoc_GetAttachment(document, index)
  if (!attachment) return null
  const nameBytes = Math.min(library._FPDFAttachment_GetName(attachment, 0, 0), 2_000)
  const name = withMemory(library, nameBytes, (at) => {
    library._FPDFAttachment_GetName(attachment, at, nameBytes)
    return Buffer.from(library.HEAPU8.slice(at, at + Math.max(0, nameBytes - 2))).toString('utf16le')
  })
  const bytes = withMemory(library, 8, (size) => {
    if (!library._FPDFAttachment_GetFile(attachment, 0, 0, size)) return null
    const needed = library.HEAP32[size >> 2] ?? 0
    if (needed < 1 || needed > attachmentMaxBytes) return null
    return withMemory(library, needed, (at) =>
      library._FPDFAttachment_GetFile(attachment, at, needed, size)
        ? Buffer.from(library.HEAPU8.slice(at, at + needed))
        : null,
    )
  })
  return bytes && { name, bytes }
}
