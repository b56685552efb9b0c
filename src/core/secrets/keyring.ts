import { createHash, createSecretKey, type KeyObject } from 'node:crypto'
import { decrypt, encrypt, joined } from './cipher.ts'
import type { Secret } from './secret.ts'

/** A key that only wraps other keys. It is never in the database; its id reveals nothing about it. */
export type WrappingKey = { id: string; key: KeyObject }

/** The wrapping keys of this process: the first one wraps, all of them unwrap (SEC-2). */
export type Keyring = { current: WrappingKey; ids: string[]; find(id: string): WrappingKey | undefined }

/** A key as the database stores it. */
export type Wrapped = { wrapped: Buffer; kekId: string }

/** Reads `KONTOR_SECRETS_KEY`: 32 bytes in base64, or several of them separated by commas. */
export function openKeyring(list: Secret): Keyring {
  const [current, ...others] = keysIn(list.reveal()).map((bytes) => ({
    id: idOf(bytes),
    key: createSecretKey(bytes),
  }))
  if (!current) throw new Error('There is no wrapping key.')
  const all = [current, ...others]
  return { current, ids: all.map(({ id }) => id), find: (id) => all.find((each) => each.id === id) }
}

const keysIn = (list: string): Buffer[] => list.split(/[,\n]/).flatMap((text) => (text.trim() ? [toBytes(text)] : []))

const toBytes = (text: string) => Buffer.from(text.trim(), 'base64')

/** Short and irreversible: SHA-256 of 256 random bits. */
const idOf = (key: Buffer) => createHash('sha256').update('kontor wrapping key').update(key).digest('hex').slice(0, 12)

/** Wraps a key for the row identified by `names`: copied to another row it does not unwrap. */
export function wrap({ current }: Keyring, key: Buffer, ...names: string[]): Wrapped {
  return { wrapped: encrypt(current.key, key, joined('kontor key', current.id, ...names)), kekId: current.id }
}

/** The key; undefined if its wrapping key is missing here, or the value was altered or moved. */
export function unwrap(keyring: Keyring, { wrapped, kekId }: Wrapped, ...names: string[]): Buffer | undefined {
  const kek = keyring.find(kekId)
  return kek && decrypt(kek.key, wrapped, joined('kontor key', kekId, ...names))
}
