import { createReadStream, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { beforeAll, expect, test } from 'vitest'
import { Secret } from '../core/secrets/secret.ts'
import { sample } from '../test/prove.ts'
import { newFolder } from '../test/temporary-folder.ts'
import { decryptWith, encryptWith, headerBytes, isEncrypted, keyOf } from './encryption.ts'

const passphrase = new Secret('correct horse battery staple')
const chunk = 256 * 1024 + 16

/** More than three chunks, so that chunks can be moved and left out. */
const plain = Buffer.from(Array.from({ length: 900_000 }, (_, n) => (n * 7) % 251))
let sealed: Buffer
let keyOfSealed: Buffer
/** Another file of the same bytes and the same passphrase. */
let other: Buffer
beforeAll(async () => {
  sealed = await encrypt(plain)
  other = await encrypt(plain)
  keyOfSealed = await keyOf(sealed.subarray(0, headerBytes), passphrase, 'books.enc')
})

/** In pieces of an odd size, as a stream may bring them. */
const inPieces = (bytes: Buffer, size = 10_007) =>
  Readable.from(
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) => bytes.subarray(n * size, (n + 1) * size)),
  )

const encrypt = (bytes: Buffer) => buffer(Readable.from(encryptWith(passphrase)(inPieces(bytes))))

async function decrypt(bytes: Buffer, secret: Secret | undefined = passphrase) {
  const header = bytes.subarray(0, headerBytes)
  // Deriving a key takes half a second, so the usual one is derived once.
  const isUsual = secret === passphrase && header.equals(sealed.subarray(0, headerBytes))
  const key = isUsual ? keyOfSealed : await keyOf(header, secret, 'books.enc')
  return buffer(Readable.from(decryptWith(key, header)(inPieces(bytes.subarray(headerBytes), 70_001))))
}

test.each([0, 256 * 1024, 256 * 1024 + 1])('%d bytes come back as they were', async (size) => {
  const bytes = plain.subarray(0, size)
  const file = await encrypt(bytes)
  expect(isEncrypted(file)).toBe(true)
  expect((await decrypt(file)).equals(bytes)).toBe(true)
})

test('two files of the same bytes have nothing in common after the first 16 bytes', () => {
  expect(other.subarray(0, 16)).toEqual(sealed.subarray(0, 16))
  for (let at = 16; at < 100_000; at += 32)
    expect(other.subarray(at, at + 32)).not.toEqual(sealed.subarray(at, at + 32))
})

test('a wrong passphrase is refused with a sentence, and none at all with one that names the settings', async () => {
  await expect(decrypt(sealed, new Secret('wrong horse battery staple'))).rejects.toThrow(
    'The passphrase does not open books.enc',
  )
  await expect(keyOf(sealed.subarray(0, headerBytes), undefined, 'books.enc')).rejects.toThrow(
    'books.enc is encrypted: set KONTOR_BACKUP_PASSPHRASE, or KONTOR_BACKUP_PASSPHRASE_FILE',
  )
})

test('an accent may be typed as one character or as two', async () => {
  const file = await buffer(Readable.from(encryptWith(new Secret('caf\u00e9 au lait du matin'))(inPieces(plain))))
  expect((await decrypt(file, new Secret('cafe\u0301 au lait du matin'))).equals(plain)).toBe(true)
})

const chunkAt = (n: number) => sealed.subarray(headerBytes + n * chunk, headerBytes + (n + 1) * chunk)
const header = () => sealed.subarray(0, headerBytes)

test.each<[string, () => Buffer]>([
  ['cut off in the middle of a chunk', () => sealed.subarray(0, headerBytes + chunk + 1_000)],
  ['cut off after a whole chunk', () => sealed.subarray(0, headerBytes + 2 * chunk)],
  ['cut off after its header', () => sealed.subarray(0, headerBytes)],
  ['without its last byte', () => sealed.subarray(0, -1)],
  ['with two chunks exchanged', () => Buffer.concat([header(), chunkAt(1), chunkAt(0), chunkAt(2), chunkAt(3)])],
  ['with a chunk left out', () => Buffer.concat([header(), chunkAt(0), chunkAt(2), chunkAt(3)])],
  ['with a chunk twice', () => Buffer.concat([header(), chunkAt(0), chunkAt(0), chunkAt(1), chunkAt(2), chunkAt(3)])],
  ['with its last chunk alone', () => Buffer.concat([header(), chunkAt(3)])],
  ['with bytes after its end', () => Buffer.concat([sealed, Buffer.alloc(20)])],
])('a file %s is refused', async (_, changed) => {
  await expect(decrypt(changed())).rejects.toThrow(/too early|a chunk was changed, moved or cut off/)
})

test('a file with one changed bit is refused, wherever the bit is', async () => {
  const places = [0, 8, 9, 12, 16, 32, 63, 64, 5_000, headerBytes + chunk - 1, sealed.length - 1]
  for (const at of sample(places, 2)) {
    const bytes = Buffer.from(sealed)
    bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at)
    const refused =
      at < 8
        ? Promise.resolve(isEncrypted(bytes))
        : decrypt(bytes).then(
            () => true,
            () => false,
          )
    expect(await refused, `at byte ${at}`).toBe(false)
  }
})

test('chunks of another file with the same passphrase are refused', async () => {
  const mixed = Buffer.concat([sealed.subarray(0, headerBytes + chunk), other.subarray(headerBytes + chunk)])
  await expect(decrypt(mixed)).rejects.toThrow('a chunk was changed')
})

test('a header that asks for too much memory is refused before the key is derived', async () => {
  const bytes = Buffer.from(sealed.subarray(0, headerBytes))
  bytes.writeUInt8(31, 9)
  await expect(keyOf(bytes, passphrase, 'books.enc')).rejects.toThrow('the header was changed')
})

test('a long file is not held in memory', async () => {
  const file = join(newFolder('encryption'), 'long')
  const piece = Buffer.alloc(1 << 20, 'x')
  async function* long() {
    for (let n = 0; n < 200; n++) yield piece
  }
  let [bytes, most] = [0, 0]
  const before = process.memoryUsage().arrayBuffers
  for await (const each of encryptWith(passphrase)(long())) {
    bytes += each.length
    most = Math.max(most, process.memoryUsage().arrayBuffers - before)
  }
  expect(bytes).toBeGreaterThan(200 << 20)
  expect(most).toBeLessThan(150 << 20)
  writeFileSync(file, sealed)
  const read = createReadStream(file, { start: headerBytes })
  const key = await keyOf(readFileSync(file).subarray(0, headerBytes), passphrase, file)
  expect((await buffer(Readable.from(decryptWith(key, header())(read)))).equals(plain)).toBe(true)
})
