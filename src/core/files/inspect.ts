import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createGunzip } from 'node:zlib'
import { Failure, invalid } from '../define/failure.ts'
import { jsonProblem } from '../values/json-limits.ts'
import { createExpansionCounter } from './expansion.ts'
import { pixelsOf } from './image-size.ts'
import { inspectPdf } from './pdf-limits.ts'
import { inspectZip } from './zip-limits.ts'

const pixelsMax = 50_000_000
const pagesMax = 50

/** What a file says about its size without being decoded. */
export type Inspection = { width?: number; height?: number; pages?: number; expandedBytes?: number }

/**
 * Inspects an uploaded file before anything decodes it, and refuses a file that would expand without bounds (FLT-13).
 * Unpacked bytes are counted and dropped. Code that opens an archive must inspect the files inside as well. Storing a
 * file needs no inspection.
 */
export async function inspect({ path, fileType }: { path: string; fileType: string }): Promise<Inspection> {
  try {
    return await inspectByType(path, fileType)
  } catch (error) {
    // Errors of zlib, and offsets that point outside the file.
    if (error instanceof Failure || (error instanceof Error && 'syscall' in error)) throw error
    throw invalid('file', 'The file is damaged and cannot be read.', 'FILE_UNREADABLE')
  }
}

async function inspectByType(path: string, fileType: string): Promise<Inspection> {
  switch (fileType) {
    case 'image/png':
    case 'image/jpeg':
    case 'image/gif':
    case 'image/webp':
      return requirePixels(await pixelsOf(path, fileType))
    case 'application/pdf':
      return requirePages(await inspectPdf(await readFile(path)))
    case 'application/gzip':
      return { expandedBytes: await countGunzipped(path) }
    case 'image/svg+xml':
    case 'application/xml':
    case 'text/html':
      return requireNoEntities(await readFile(path))
    case 'application/json':
      return requireJsonLimits(await readFile(path, 'utf8'))
    default:
      return isZip(fileType) ? { expandedBytes: await inspectZip(path) } : {}
  }
}

/** Office documents are archives too. */
const isZip = (fileType: string) =>
  /^application\/(zip|x-zip-compressed|epub\+zip|java-archive|vnd\.(openxmlformats-|oasis\.|ms-).*)$/.test(fileType)

function requirePixels({ width, height }: { width: number; height: number }): Inspection {
  if (width * height <= pixelsMax) return { width, height }
  const size = `${width} x ${height}`
  throw invalid(
    'file',
    `The image has ${size} pixels; at most ${pixelsMax / 1e6} million are accepted.`,
    'TOO_MANY_PIXELS',
  )
}

function requirePages({ pages, expandedBytes }: { pages: number; expandedBytes: number }): Inspection {
  if (pages <= pagesMax) return { pages, expandedBytes }
  throw invalid('file', `The document has ${pages} pages; at most ${pagesMax} are accepted.`, 'TOO_MANY_PAGES')
}

async function countGunzipped(path: string): Promise<number> {
  const source = createReadStream(path)
  const gunzip = createGunzip()
  const counter = createExpansionCounter(() => source.bytesRead)
  source.on('error', (error) => gunzip.destroy(error))
  try {
    for await (const piece of source.pipe(gunzip) as AsyncIterable<Buffer>) counter.add(piece.length)
  } finally {
    source.destroy()
    gunzip.destroy()
  }
  return counter.total()
}

/** XML entities can expand a few lines into gigabytes, or read files. A receipt has no use for them. */
function requireNoEntities(bytes: Buffer): Inspection {
  const wide = bytes[0] === 0xff || bytes[0] === 0xfe || bytes.subarray(0, 64).includes(0)
  const text = wide ? bytes.toString('latin1').replaceAll('\0', '') : bytes.toString('latin1')
  if (/<!ENTITY|<!DOCTYPE[^>]*\[/i.test(text)) {
    throw invalid('file', 'The file declares XML entities, which are not accepted.', 'XML_ENTITIES')
  }
  return {}
}

function requireJsonLimits(text: string): Inspection {
  const problem = jsonProblem(text)
  if (problem) throw invalid('file', problem, 'JSON_LIMITS')
  return {}
}
