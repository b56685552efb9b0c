import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { codeOf, StartFailure } from '../db/start-failure.ts'
import { createFileChecksum } from './files.ts'
import { type Files, type Manifest, manifestName, readManifest } from './manifest.ts'
import { type Entry, MalformedArchive, readTar } from './tar.ts'

/** Receives the contents of an archive while it is read. */
export type ArchiveVisitor = {
  rows(part: string, piece: Buffer): Promise<void>
  file(path: string, body: AsyncIterable<Buffer>): Promise<void>
}

/** Reads a whole archive without using its contents. Returns its manifest, or throws a sentence about what is wrong. */
export const inspectArchive = (file: string): Promise<Manifest> =>
  readArchive(file, {
    rows: async () => {},
    file: async (_, body) => {
      for await (const _piece of body);
    },
  })

/** Reads an archive to its end and compares its contents with the checksums in its manifest. */
export async function readArchive(file: string, visitor: ArchiveVisitor): Promise<Manifest> {
  const checksums = createChecksums()
  try {
    // Errors of the first stream are passed on to the last one, which is the one that is read.
    const source = createReadStream(file)
    const bytes = createGunzip()
    source.on('error', (error) => bytes.destroy(error)).pipe(bytes)
    for await (const { name, size, body } of readTar(bytes as AsyncIterable<Buffer>)) {
      if (checksums.manifest) throw damaged(file)
      if (name === manifestName) checksums.manifest = readManifest(await readText(body, size, file), file)
      else await visit({ name, size }, body, { checksums, visitor, file })
    }
  } catch (error) {
    throw readFailure(error, file)
  }
  if (!checksums.manifest) throw notABackup(file)
  checksums.compare(checksums.manifest, file)
  return checksums.manifest
}

type VisitContext = { checksums: ReturnType<typeof createChecksums>; visitor: ArchiveVisitor; file: string }

async function visit({ name, size }: Entry, body: AsyncIterable<Buffer>, { checksums, visitor, file }: VisitContext) {
  const part = /^(tables\/\w+|queue\/\w+)\/\d{6,}\.copy$/.exec(name)?.[1]
  if (part) {
    for await (const piece of body) {
      checksums.rows(part, piece)
      await visitor.rows(part, piece)
    }
    return
  }
  if (!name.startsWith('files/') || !isInside(name)) throw notABackup(file)
  checksums.files.begin(name, size)
  await visitor.file(name.slice('files/'.length), counted(body, checksums.files.add))
}

/** Rejects paths that would write outside the folder of the restore. */
const isInside = (name: string) =>
  name.split('/').every((step) => step !== '' && step !== '.' && step !== '..') && !/[\\\0]/.test(name)

async function* counted(body: AsyncIterable<Buffer>, add: (piece: Buffer) => void) {
  for await (const piece of body) {
    add(piece)
    yield piece
  }
}

/** Checksums of what was read so far, to be compared with the manifest, which comes last. */
function createChecksums() {
  const sums = new Map<string, { sum: Hash; bytes: number }>()
  const files = createFileChecksum()
  return {
    manifest: undefined as Manifest | undefined,
    files,
    rows(part: string, piece: Buffer) {
      const entry = sums.get(part) ?? { sum: createHash('sha256'), bytes: 0 }
      entry.sum.update(piece)
      entry.bytes += piece.length
      sums.set(part, entry)
    },
    compare(manifest: Manifest, file: string) {
      const read = [...sums].map(([part, { sum, bytes }]) => [part, bytes, sum.digest('hex')])
      const listed = Object.entries(manifest.parts).flatMap(([part, { bytes, sha256 }]) =>
        bytes > 0 ? [[part, bytes, sha256]] : [],
      )
      const none: Files = createFileChecksum().total()
      const agree = sameSet(read, listed) && isSame(files.total(), manifest.files ?? none)
      if (!agree) throw damaged(file)
    },
  }
}

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
const sameSet = (a: unknown[], b: unknown[]) =>
  isSame(a.map((each) => JSON.stringify(each)).sort(), b.map((each) => JSON.stringify(each)).sort())

const manifestMax = 10_000_000

async function readText(body: AsyncIterable<Buffer>, size: number, file: string): Promise<string> {
  if (size > manifestMax) throw notABackup(file)
  const pieces: Buffer[] = []
  for await (const piece of body) pieces.push(piece)
  return Buffer.concat(pieces).toString('utf8')
}

const notABackup = (file: string) => new StartFailure(`${file} is not a backup of Kontor.`)
const damaged = (file: string) =>
  new StartFailure(
    `${file} is damaged: its contents do not match their checksums. Nothing was restored; use another copy.`,
  )

function readFailure(error: unknown, file: string): unknown {
  if (error instanceof MalformedArchive) return damaged(file)
  switch (codeOf(error)) {
    case 'ENOENT':
      return new StartFailure(`There is no file ${file}.`)
    case 'EACCES':
    case 'EISDIR':
      return new StartFailure(`${file} cannot be read.`)
    case 'Z_DATA_ERROR':
      return error instanceof Error && error.message === 'incorrect header check' ? notABackup(file) : damaged(file)
    case 'Z_BUF_ERROR': // the file ends too early
      return damaged(file)
    default:
      return error
  }
}
