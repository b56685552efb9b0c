import { pipeline, type Readable, Transform } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { servedType } from '../../core/files/content-type.ts'
import type { FileAnswer } from '../../core/files/file.ts'

/** Sends a file so that no browser runs it or keeps it, and nobody learns the address that it came from (THR-14, THR-26). */
export async function sendFile(reply: FastifyReply, file: FileAnswer) {
  const stream = file.fileSize === undefined ? await file.open() : upTo(file.fileSize, await file.open())
  reply.headers({
    'content-type': servedType(file.fileType),
    'content-disposition': disposition(file.fileName),
    'content-security-policy': "sandbox; default-src 'none'",
    'referrer-policy': 'no-referrer',
    'cache-control': 'private, no-store',
    ...(file.fileSize !== undefined && { 'content-length': file.fileSize }),
  })
  return reply.send(stream)
}

/**
 * Ends with the last byte that was promised, instead of a moment later: a caller who has it may be gone by then, and
 * would count as one who left before the answer.
 */
function upTo(size: number, stream: Readable): Readable {
  let left = size
  const bounded = new Transform({
    transform(piece: Buffer, _, done) {
      if (left > 0) this.push(piece.subarray(0, left))
      left -= piece.length
      if (left <= 0) this.push(null)
      done()
    },
  })
  return pipeline(stream, bounded, () => {}) // what breaks one of them ends the other, and the caller's connection
}

/** RFC 6266: a name that every client understands, and the real one for those that know RFC 5987. */
function disposition(fileName: string): string {
  const plain = fileName.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(fileName).replace(/['()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`)
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}
