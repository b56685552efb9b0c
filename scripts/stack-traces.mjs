// Stack traces with the lines of the sources. Node can do it too, but keeps the source maps of all that it loads from the start: 57 MB
// and 0.2 s for a program that may never fail. Here the source map is read with the first stack trace that somebody reads.
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** From now on, for the bundles in the folder. */
export function traceSources(folder) {
  const bundles = new Map()
  const bundleOf = (file) => {
    if (!bundles.has(file)) bundles.set(file, openBundle(file))
    return bundles.get(file)
  }
  const shown = (frame) => {
    const [text, name] = [String(frame), frame.getFileName()]
    if (!name?.startsWith('file:')) return text
    const file = fileURLToPath(name)
    if (path.dirname(file) !== folder) return text
    const [line, column] = [frame.getLineNumber(), frame.getColumnNumber()]
    const source = bundleOf(file)(line, column)
    return source ? text.replace(`${name}:${line}:${column}`, source) : text
  }
  Error.prepareStackTrace = (error, frames) => {
    const lines = frames.map((frame) => `\n    at ${shown(frame)}`)
    return Error.prototype.toString.call(error) + lines.join('')
  }
}

/** Answers a function from a position in the bundle to `file:line:column` of the source. */
function openBundle(file) {
  const { mappings, sources } = readMap(`${file}.map`)
  const lines = linesOf(mappings)
  return (line, column) => {
    const found = lines[line - 1] && segmentAt(mappings, lines[line - 1], column - 1)
    if (!found) return undefined
    const [source, sourceLine, sourceColumn] = found
    return `${path.resolve(path.dirname(file), sources[source])}:${sourceLine + 1}:${sourceColumn + 1}`
  }
}

function readMap(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'))
  } catch {
    return { mappings: '', sources: [] } // a trace with the lines of the bundle is better than none
  }
}

/** Where each line of the bundle begins in the mappings, and what its numbers, which are differences, are added to. */
function linesOf(mappings) {
  const lines = []
  const sums = [0, 0, 0, 0, 0]
  for (let at = 0; at < mappings.length; ) {
    lines.push([at, sums[1], sums[2], sums[3]])
    at = readLine(mappings, at, sums)
  }
  return lines
}

/** The source, its line and its column of the last segment that begins before the column. */
function segmentAt(mappings, [at, ...before], column) {
  let found
  const sums = [0, ...before, 0]
  readLine(mappings, at, sums, (fields) => {
    if (fields >= 4 && sums[0] <= column) found = sums.slice(1, 4)
  })
  return found
}

/**
 * Reads a line up to its `;` and answers where the next one begins. A segment ends with `,`; its fields are the column in the
 * bundle, the source, its line, its column and a name, each a number of base 64 that is added to the one before.
 */
function readLine(mappings, from, sums, onSegment = () => {}) {
  sums[0] = 0
  let [field, digits, shift] = [0, 0, 0]
  for (let at = from; at < mappings.length; at++) {
    const code = mappings.charCodeAt(at)
    if (code === comma || code === semicolon) {
      onSegment(field)
      if (code === semicolon) return at + 1
      field = 0
      continue
    }
    const digit = digitOf[code]
    digits |= (digit & 31) << shift
    shift += 5
    if (digit & 32) continue
    sums[field] += digits & 1 ? -(digits >> 1) : digits >> 1
    field += 1
    digits = shift = 0
  }
  onSegment(field)
  return mappings.length
}

const [comma, semicolon] = [',', ';'].map((each) => each.charCodeAt(0))
const digitOf = new Uint8Array(128)
for (const [value, each] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].entries())
  digitOf[each.charCodeAt(0)] = value
