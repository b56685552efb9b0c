import { createHash, type Hash } from 'node:crypto'
import { Secret } from '../core/secrets/secret.ts'
import { codeOf, StartFailure } from '../db/start-failure.ts'
import { createFileChecksum } from './files.ts'
import { type Files, keyName, type Manifest, manifestName, readManifest } from './manifest.ts'
import { openArchive } from './open-archive.ts'
import type { Pace } from './pace.ts'
import { type Entry, MalformedArchive, readTar } from './tar.ts'

/** Receives the contents of an archive while it is read. */
export type ArchiveVisitor = {
  rows(part: string, piece: Buffer): Promise<void>
  file(path: string, body: AsyncIterable<Buffer>): Promise<void>
  /** The secrets key, if it is included. */
  key?(key: Secret): void
}

/** A backup that was read to its end: every checksum and row count is right. */
export type ReadBackup = { manifest: Manifest; encrypted: boolean; key: Secret | undefined }

/** Reads a whole archive without using its contents. Returns its manifest, or throws a sentence about what is wrong. */
export const inspectArchive = async (file: string, passphrase?: Secret, pace?: Pace): Promise<Manifest> =>
  (await readBackup(file, passphrase, pace)).manifest

/** The same, with what else is known about the file. */
export async function readBackup(file: string, passphrase: Secret | undefined, pace?: Pace): Promise<ReadBackup> {
  const found: { key?: Secret } = {}
  const visitor: ArchiveVisitor = {
    rows: async () => {},
    file: async (_, body) => {
      for await (const _piece of body);
    },
    key: (key) => {
      found.key = key
    },
  }
  const read = await readArchive(file, passphrase, visitor, pace)
  return { ...read, key: found.key }
}

/** Reads an archive to its end and compares its contents with the checksums and row counts in its manifest. */
export async function readArchive(
  file: string,
  passphrase: Secret | undefined,
  visitor: ArchiveVisitor,
  pace: Pace = (pieces) => pieces,
): Promise<Omit<ReadBackup, 'key'>> {
  const checksums = createChecksums()
  try {
    const { bytes, encrypted } = await openArchive(file, passphrase)
    for await (const { name, size, body } of readTar(pace(bytes))) {
      if (checksums.manifest) throw damaged(file)
      if (name === manifestName) checksums.manifest = readManifest(await readText(body, size, file), file)
      else if (name === keyName && encrypted) visitor.key?.(new Secret(await readText(body, size, file)))
      else await visit({ name, size }, body, { checksums, visitor, file })
    }
    if (!checksums.manifest) throw notABackup(file)
    checksums.compare(checksums.manifest, file)
    return { manifest: checksums.manifest, encrypted }
  } catch (error) {
    throw readFailure(error, file)
  }
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
  const sums = new Map<string, { sum: Hash; bytes: number; rows: number }>()
  const files = createFileChecksum()
  return {
    manifest: undefined as Manifest | undefined,
    files,
    rows(part: string, piece: Buffer) {
      const entry = sums.get(part) ?? { sum: createHash('sha256'), bytes: 0, rows: 0 }
      entry.sum.update(piece)
      entry.bytes += piece.length
      entry.rows += linesIn(piece)
      sums.set(part, entry)
    },
    compare(manifest: Manifest, file: string) {
      const read = [...sums].map(([part, { sum, bytes, rows }]) => [part, bytes, rows, sum.digest('hex')])
      const listed = Object.entries(manifest.parts).flatMap(([part, { bytes, rows, sha256 }]) =>
        bytes > 0 || rows > 0 ? [[part, bytes, rows, sha256]] : [],
      )
      const none: Files = createFileChecksum().total()
      const agree = sameSet(read, listed) && isSame(files.total(), manifest.files ?? none)
      if (!agree) throw damaged(file)
    },
  }
}

/** Every row is a line; a line break inside a value is written as two characters. */
function linesIn(piece: Buffer): number {
  let lines = 0
  for (let at = piece.indexOf(10); at !== -1; at = piece.indexOf(10, at + 1)) lines += 1
  return lines
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
  new DamagedBackup(
    `${file} is damaged: its contents do not match their checksums. Nothing was restored; use another copy.`,
  )

/** The file is a backup whose contents were changed or cut off. */
export class DamagedBackup extends StartFailure {}

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
