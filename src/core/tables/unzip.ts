import { unpackEntry, type ZipEntry, ZipProblem, zipEntries } from '../files/zip.ts'
import { TableRefusal } from './table.ts'

const entriesMax = 5_000
const entryMaxBytes = 80 * 1024 * 1024
const totalMaxBytes = 100 * 1024 * 1024

/** Opens an archive. An entry is unpacked when it is read, and no further than the limits: declared sizes are ignored. */
export function openZip(bytes: Buffer) {
  const entries = new Map<string, ZipEntry>()
  for (const entry of refusing(() => zipEntries(bytes, entriesMax))) {
    if (entry.isEncrypted) throw new TableRefusal('The spreadsheet is protected with a password. Save it without one.')
    entries.set(entry.name.toLowerCase(), entry)
  }
  let left = totalMaxBytes
  return {
    /** The text of an entry; undefined if there is none of this name. */
    read(name: string): string | undefined {
      const entry = entries.get(name.toLowerCase())
      if (!entry) return undefined
      const content = refusing(() => unpackEntry(bytes, entry, Math.min(left, entryMaxBytes)))
      left -= content.length
      return decode(content)
    },
  }
}

/** Spreadsheets are UTF-8; a few programs write UTF-16, with its mark. */
function decode(content: Buffer): string {
  const isWide = content[0] === 0xff || content[0] === 0xfe
  return new TextDecoder(isWide ? (content[0] === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8').decode(content)
}

function refusing<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof ZipProblem)) throw error
    if (error.kind === 'TOO_MANY_ENTRIES')
      throw new TableRefusal(`The archive has more than ${entriesMax} entries.`, 'FILE_EXPANDS')
    if (error.kind === 'EXPANDS')
      throw new TableRefusal('The file expands to far more than its packed size allows.', 'FILE_EXPANDS')
    throw new TableRefusal('The spreadsheet is damaged and cannot be read.')
  }
}
