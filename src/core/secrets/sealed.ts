import type { KeyObject } from 'node:crypto'
import { decrypt, encrypt, joined } from './cipher.ts'
import { Secret } from './secret.ts'

/** Where a sealed value is stored, in SQL names. It can be opened for that place only (THR-20). */
export type SecretPlace = { table: string; column: string; rowId: string; organizationId: string }

/** A data key of an organization, with the id by which rows refer to it. */
export type DataKey = { id: string; key: KeyObject }

const version = 1
const idBytes = 16
const headerBytes = 1 + idBytes
const lengthBytes = 4
const paddedTo = 64
const textBytesMax = 64 * 1024

/**
 * Version, id of the data key, nonce, ciphertext, tag (SEC-3). The length of the text and the text are encrypted, padded to
 * 64 bytes, so that the size of a row does not reveal the length of a password.
 */
export function seal({ id, key }: DataKey, place: SecretPlace, secret: Secret): Buffer {
  const text = Buffer.from(secret.reveal())
  if (text.length > textBytesMax) throw new Error(`A secret has at most ${textBytesMax} bytes.`)
  if (text.toString() !== secret.reveal()) throw new Error('A secret must be well-formed Unicode.')
  const plain = Buffer.alloc(lengthBytes + Math.max(text.length, paddedTo))
  plain.writeUInt32BE(text.length)
  text.copy(plain, lengthBytes)
  const sealed = encrypt(key, plain, contextOf(place))
  plain.fill(0)
  text.fill(0)
  return Buffer.concat([Buffer.of(version), Buffer.from(id.replaceAll('-', ''), 'hex'), sealed])
}

/** The secret; undefined unless `seal` made it with this key for this place. */
export function unseal(key: KeyObject, place: SecretPlace, sealed: Buffer): Secret | undefined {
  const plain = decrypt(key, sealed.subarray(headerBytes), contextOf(place))
  if (!plain) return undefined
  const secret = new Secret(plain.toString('utf8', lengthBytes, lengthBytes + plain.readUInt32BE()))
  plain.fill(0)
  return secret
}

/** The id of the data key that a value was sealed with; undefined if it is not a sealed value. */
export function dataKeyOf(sealed: Buffer): string | undefined {
  if (sealed.length <= headerBytes || sealed[0] !== version) return undefined
  return sealed.toString('hex', 1, headerBytes).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

const contextOf = ({ table, column, rowId, organizationId }: SecretPlace) =>
  joined('kontor secret', table, column, rowId.toLowerCase(), organizationId.toLowerCase(), String(version))
