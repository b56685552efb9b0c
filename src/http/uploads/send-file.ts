import { pipeline, type Readable, Transform } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { servedType } from '../../core/files/content-type.ts'
import type { FileAnswer } from '../../core/files/file.ts'

/** Sends a file with headers that keep browsers from running it, caching it or passing on its URL (THR-14, THR-26). */
export async function sendFile(reply: FastifyReply, file: FileAnswer) {
  const content = file.bytes ?? (await streamOf(file))
  reply.headers({
    'content-type': servedType(file.fileType),
    'content-disposition': disposition(file),
    'content-security-policy': file.inline ? shownPolicy : savedPolicy,
    'referrer-policy': 'no-referrer',
    'cache-control': file.keptS ? `private, max-age=${file.keptS}` : 'private, no-store',
    ...(file.fileSize !== undefined && { 'content-length': file.fileSize }),
  })
  return reply.send(content)
}

/** A file that is saved may be anything, so a browser that opens it anyway runs nothing. */
const savedPolicy = "sandbox; default-src 'none'"

/** A picture or PDF may be shown in a tab or in a frame of our own pages. A sandbox would keep browsers from showing PDF. */
const shownPolicy = "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'"

const streamOf = async ({ fileSize, open }: FileAnswer): Promise<Readable> =>
  fileSize === undefined ? open() : limitTo(fileSize, await open())

/**
 * Ends the stream with the last byte of the announced size, without waiting for the source to end: a caller that has all
 * bytes may disconnect before that, and would be counted as an aborted request.
 */
function limitTo(size: number, stream: Readable): Readable {
  let left = size
  const bounded = new Transform({
    transform(piece: Buffer, _, done) {
      if (left > 0) this.push(piece.subarray(0, left))
      left -= piece.length
      if (left <= 0) this.push(null)
      done()
    },
  })
  return pipeline(stream, bounded, () => {}) // an error in either stream destroys both and closes the connection
}

/** RFC 6266: an ASCII name for every client, and the real name for those that support RFC 5987. */
function disposition({ fileName, inline }: FileAnswer): string {
  const plain = fileName.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(fileName).replace(/['()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`)
  return `${inline ? 'inline' : 'attachment'}; filename="${plain}"; filename*=UTF-8''${encoded}`
}
