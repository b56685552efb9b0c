import { createCipheriv, createDecipheriv, createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import type { Secret } from '../core/secrets/secret.ts'
import { StartFailure } from '../db/start-failure.ts'
import { MalformedArchive } from './tar.ts'

/**
 * Encryption of a backup with a passphrase (docs/decisions/0086). A header of 64 bytes is followed by chunks of AES-256-GCM, all
 * of the same size but the last one. The nonce of a chunk is its number and whether it is the last, so a chunk that is
 * missing, moved, repeated or added does not decrypt. The key is new for every file, because its salt is.
 *
 *   0 KONTORBK   8 format   9 log2 N   10 r   11 p   12 bytes of a chunk   16 salt   32 HMAC-SHA-256 of the bytes before it
 */
const magic = Buffer.from('KONTORBK')
const format = 1
export const headerBytes = 64
const [saltAt, sumAt] = [16, 32]
const tagBytes = 16

/** 128 MB and about half a second for each guess at a passphrase. */
const cost = { log2N: 17, r: 8, p: 1 }
const chunkBytes = 256 * 1024

/** More than these would let a forged header take all memory. */
const most = { log2N: 18, r: 8, p: 4, chunkBytes: 16 * 1024 * 1024 }

export const isEncrypted = (start: Buffer): boolean => start.subarray(0, magic.length).equals(magic)

/** Encrypts a stream, for `pipeline`. */
export const encryptWith = (passphrase: Secret) =>
  async function* encrypt(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const { header, key } = await newHeader(passphrase)
    yield header
    let number = 0n
    for await (const { chunk, isLast } of inChunks(source, chunkBytes)) {
      const cipher = createCipheriv('aes-256-gcm', key, nonceOf(number, isLast), { authTagLength: tagBytes })
      cipher.setAAD(header)
      yield Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()])
      number += 1n
    }
  }

/** Decrypts the bytes that follow the header, for `pipeline`. No byte of a chunk is passed on before it is authenticated. */
export const decryptWith = (key: Buffer, header: Buffer) =>
  async function* decrypt(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let number = 0n
    for await (const { chunk, isLast } of inChunks(source, header.readUInt32BE(12) + tagBytes)) {
      yield opened(chunk, { key, header, nonce: nonceOf(number, isLast) })
      number += 1n
    }
  }

function opened(chunk: Buffer, { key, header, nonce }: { key: Buffer; header: Buffer; nonce: Buffer }): Buffer {
  if (chunk.length < tagBytes) throw new MalformedArchive('the file ends too early')
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
  decipher.setAAD(header).setAuthTag(chunk.subarray(-tagBytes))
  const plain = decipher.update(chunk.subarray(0, -tagBytes))
  try {
    return Buffer.concat([plain, decipher.final()])
  } catch {
    throw new MalformedArchive('a chunk was changed, moved or cut off')
  }
}

function nonceOf(number: bigint, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeBigUInt64BE(number, 3)
  nonce.writeUInt8(isLast ? 1 : 0, 11)
  return nonce
}

type Chunk = { chunk: Buffer; isLast: boolean }

/** The same bytes in chunks of one size. The last one may be shorter, and empty if there are no bytes at all. */
async function* inChunks(source: AsyncIterable<Buffer>, size: number): AsyncGenerator<Chunk> {
  let [pieces, length] = [[] as Buffer[], 0]
  for await (const piece of source) {
    pieces.push(piece)
    length += piece.length
    if (length <= size) continue // whether a full chunk is the last one is not known yet
    const bytes = Buffer.concat(pieces)
    let at = 0
    for (; length - at > size; at += size) yield { chunk: bytes.subarray(at, at + size), isLast: false }
    pieces = [bytes.subarray(at)]
    length -= at
  }
  yield { chunk: Buffer.concat(pieces), isLast: true }
}

async function newHeader(passphrase: Secret): Promise<{ header: Buffer; key: Buffer }> {
  const header = Buffer.alloc(headerBytes)
  magic.copy(header)
  header.set([format, cost.log2N, cost.r, cost.p], 8)
  header.writeUInt32BE(chunkBytes, 12)
  randomBytes(sumAt - saltAt).copy(header, saltAt)
  const { key, sum } = await derive(passphrase, header)
  sum.copy(header, sumAt)
  return { header, key }
}

/** The key of an encrypted file. Throws a sentence if the passphrase is not the one it was encrypted with. */
export async function keyOf(header: Buffer, passphrase: Secret | undefined, file: string): Promise<Buffer> {
  if (header.length < headerBytes) throw new MalformedArchive('the file ends too early')
  const [version = 0, log2N = 0, r = 0, p = 0] = header.subarray(8, 12)
  if (version !== format) throw new StartFailure(`${file} was encrypted by a newer Kontor: read it with that version.`)
  const size = header.readUInt32BE(12)
  const isPlausible = log2N > 0 && log2N <= most.log2N && r > 0 && r <= most.r && p > 0 && p <= most.p
  if (!isPlausible || size === 0 || size > most.chunkBytes) throw new MalformedArchive('the header was changed')
  if (!passphrase) {
    throw new StartFailure(
      `${file} is encrypted: set KONTOR_BACKUP_PASSPHRASE, or KONTOR_BACKUP_PASSPHRASE_FILE to a file that contains the passphrase.`,
    )
  }
  const { key, sum } = await derive(passphrase, header)
  if (!timingSafeEqual(sum, header.subarray(sumAt))) {
    throw new StartFailure(`The passphrase does not open ${file}, or the beginning of the file is damaged.`)
  }
  return key
}

/** Two keys from one passphrase: for the chunks, and for the sum that tells a wrong passphrase from a damaged file. */
async function derive(passphrase: Secret, header: Buffer): Promise<{ key: Buffer; sum: Buffer }> {
  const [log2N = 0, r = 0, p = 0] = header.subarray(9, 12)
  const options = { N: 2 ** log2N, r, p, maxmem: 256 * 2 ** log2N * r * p }
  const bytes = await new Promise<Buffer>((resolve, reject) => {
    const text = passphrase.reveal().normalize('NFC')
    scrypt(text, header.subarray(saltAt, sumAt), 64, options, (error, made) => (error ? reject(error) : resolve(made)))
  })
  const sum = createHmac('sha256', bytes.subarray(32)).update(header.subarray(0, sumAt)).digest()
  return { key: bytes.subarray(0, 32), sum }
}
