import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createGunzip } from 'node:zlib'
import { Failure, invalid } from '../define/failure.ts'
import { jsonProblem } from '../values/json-limits.ts'
import { createCounter } from './expansion.ts'
import { pixelsOf } from './image-size.ts'
import { inspectPdf } from './pdf-limits.ts'
import { inspectZip } from './zip-limits.ts'

const pixelsMax = 50_000_000
const pagesMax = 50

/** What can be known of a file without decoding it. */
export type FileFacts = { width?: number; height?: number; pages?: number; expandedBytes?: number }

/**
 * Looks at a file before anything decodes it, and refuses what would grow beyond all bounds (FLT-13). Nothing is kept of
 * what is unpacked on the way: it is only counted. Whoever opens an archive inspects what is inside as well.
 */
export async function inspect({ path, fileType }: { path: string; fileType: string }): Promise<FileFacts> {
  try {
    return await look(path, fileType)
  } catch (error) {
    // zlib's own complaints, and sizes that lead outside the file.
    if (error instanceof Failure || (error instanceof Error && 'syscall' in error)) throw error
    throw invalid('file', 'The file is damaged and cannot be read.', 'FILE_UNREADABLE')
  }
}

async function look(path: string, fileType: string): Promise<FileFacts> {
  switch (fileType) {
    case 'image/png':
    case 'image/jpeg':
    case 'image/gif':
    case 'image/webp':
      return requirePixels(await pixelsOf(path, fileType))
    case 'application/pdf':
      return requirePages(await inspectPdf(await readFile(path)))
    case 'application/gzip':
      return { expandedBytes: await gunzipped(path) }
    case 'image/svg+xml':
    case 'application/xml':
    case 'text/html':
      return requireNoEntities(await readFile(path))
    case 'application/json':
      return requireFlat(await readFile(path, 'utf8'))
    default:
      return isZip(fileType) ? { expandedBytes: await inspectZip(path) } : {}
  }
}

/** Office documents are archives too. */
const isZip = (fileType: string) =>
  /^application\/(zip|x-zip-compressed|epub\+zip|java-archive|vnd\.(openxmlformats-|oasis\.|ms-).*)$/.test(fileType)

function requirePixels({ width, height }: { width: number; height: number }): FileFacts {
  if (width * height <= pixelsMax) return { width, height }
  const size = `${width} x ${height}`
  throw invalid('file', `The image has ${size} pixels; at most ${pixelsMax / 1e6} million are read.`, 'TOO_MANY_PIXELS')
}

function requirePages({ pages, expandedBytes }: { pages: number; expandedBytes: number }): FileFacts {
  if (pages <= pagesMax) return { pages, expandedBytes }
  throw invalid('file', `The document has ${pages} pages; at most ${pagesMax} are read.`, 'TOO_MANY_PAGES')
}

async function gunzipped(path: string): Promise<number> {
  const source = createReadStream(path)
  const gunzip = createGunzip()
  const counter = createCounter(() => source.bytesRead)
  source.on('error', (error) => gunzip.destroy(error))
  try {
    for await (const piece of source.pipe(gunzip) as AsyncIterable<Buffer>) counter.add(piece.length)
  } finally {
    source.destroy()
    gunzip.destroy()
  }
  return counter.total()
}

/** Entities are how a few lines of XML become gigabytes, or read files; no honest receipt declares one. */
function requireNoEntities(bytes: Buffer): FileFacts {
  const wide = bytes[0] === 0xff || bytes[0] === 0xfe || bytes.subarray(0, 64).includes(0)
  const text = wide ? bytes.toString('latin1').replaceAll('\0', '') : bytes.toString('latin1')
  if (/<!ENTITY|<!DOCTYPE[^>]*\[/i.test(text)) {
    throw invalid('file', 'The file declares XML entities, which are not read.', 'XML_ENTITIES')
  }
  return {}
}

function requireFlat(text: string): FileFacts {
  const problem = jsonProblem(text)
  if (problem) throw invalid('file', problem, 'JSON_LIMITS')
  return {}
}
