import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { codeOf, StartFailure } from '../db/start-failure.ts'
import { createCount } from './files.ts'
import { type Files, type Manifest, manifestName, readManifest } from './manifest.ts'
import { type Entry, Malformed, readTar } from './tar.ts'

/** Who is shown what an archive holds while it is read. */
export type Visitor = {
  rows(part: string, piece: Buffer): Promise<void>
  file(path: string, body: AsyncIterable<Buffer>): Promise<void>
}

/** Reads all of it and shows nobody: answers what it is, or refuses it in a sentence. */
export const inspectArchive = (file: string): Promise<Manifest> =>
  readArchive(file, {
    rows: async () => {},
    file: async (_, body) => {
      for await (const _piece of body);
    },
  })

/** Reads an archive to its end and compares every byte with what its manifest says. */
export async function readArchive(file: string, visitor: Visitor): Promise<Manifest> {
  const tally = createTally()
  try {
    // Errors of either stream reach whoever reads the last one.
    const source = createReadStream(file)
    const bytes = createGunzip()
    source.on('error', (error) => bytes.destroy(error)).pipe(bytes)
    for await (const { name, size, body } of readTar(bytes as AsyncIterable<Buffer>)) {
      if (tally.manifest) throw damaged(file)
      if (name === manifestName) tally.manifest = readManifest(await textOf(body, size, file), file)
      else await visit({ name, size }, body, { tally, visitor, file })
    }
  } catch (error) {
    throw readFailure(error, file)
  }
  if (!tally.manifest) throw foreign(file)
  tally.compare(tally.manifest, file)
  return tally.manifest
}

type Visit = { tally: ReturnType<typeof createTally>; visitor: Visitor; file: string }

async function visit({ name, size }: Entry, body: AsyncIterable<Buffer>, { tally, visitor, file }: Visit) {
  const part = /^(tables\/\w+|queue\/\w+)\/\d{6,}\.copy$/.exec(name)?.[1]
  if (part) {
    for await (const piece of body) {
      tally.rows(part, piece)
      await visitor.rows(part, piece)
    }
    return
  }
  if (!name.startsWith('files/') || !isInside(name)) throw foreign(file)
  tally.files.begin(name, size)
  await visitor.file(name.slice('files/'.length), counted(body, tally.files.add))
}

/** Nobody's archive writes outside the folder it is restored to. */
const isInside = (name: string) =>
  name.split('/').every((step) => step !== '' && step !== '.' && step !== '..') && !/[\\\0]/.test(name)

async function* counted(body: AsyncIterable<Buffer>, add: (piece: Buffer) => void) {
  for await (const piece of body) {
    add(piece)
    yield piece
  }
}

/** What was read so far, to be held against the manifest, which comes last. */
function createTally() {
  const sums = new Map<string, { sum: Hash; bytes: number }>()
  const files = createCount()
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
      const told = Object.entries(manifest.parts).flatMap(([part, { bytes, sha256 }]) =>
        bytes > 0 ? [[part, bytes, sha256]] : [],
      )
      const none: Files = createCount().total()
      const agree = sameSet(read, told) && isSame(files.total(), manifest.files ?? none)
      if (!agree) throw damaged(file)
    },
  }
}

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
const sameSet = (a: unknown[], b: unknown[]) =>
  isSame(a.map((each) => JSON.stringify(each)).sort(), b.map((each) => JSON.stringify(each)).sort())

const manifestMax = 10_000_000

async function textOf(body: AsyncIterable<Buffer>, size: number, file: string): Promise<string> {
  if (size > manifestMax) throw foreign(file)
  const pieces: Buffer[] = []
  for await (const piece of body) pieces.push(piece)
  return Buffer.concat(pieces).toString('utf8')
}

const foreign = (file: string) => new StartFailure(`${file} is not a backup of Kontor.`)
const damaged = (file: string) =>
  new StartFailure(`${file} is damaged: not all of it is as it was written. Nothing was restored; use another copy.`)

function readFailure(error: unknown, file: string): unknown {
  if (error instanceof Malformed) return damaged(file)
  switch (codeOf(error)) {
    case 'ENOENT':
      return new StartFailure(`There is no file ${file}.`)
    case 'EACCES':
    case 'EISDIR':
      return new StartFailure(`${file} cannot be read.`)
    case 'Z_DATA_ERROR':
      return error instanceof Error && error.message === 'incorrect header check' ? foreign(file) : damaged(file)
    case 'Z_BUF_ERROR': // it ends too early
      return damaged(file)
    default:
      return error
  }
}
