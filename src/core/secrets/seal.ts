import type { KeyObject } from 'node:crypto'
import { decrypt, encrypt } from './cipher.ts'

/** Seals short-lived texts for the database, bound to what they are for. Lasting secrets go to the vault. */
export type Seal = {
  close(text: string, purpose: string): string
  open(sealed: string, purpose: string): string | undefined
}

/** Under a key derived for one label; a text opened for another purpose, or tampered with, is undefined. */
export const createSeal = (key: KeyObject): Seal => ({
  close: (text, purpose) => encrypt(key, Buffer.from(text), Buffer.from(purpose)).toString('base64'),
  open: (sealed, purpose) => decrypt(key, Buffer.from(sealed, 'base64'), Buffer.from(purpose))?.toString(),
})
