import type { KeyObject } from 'node:crypto'
import { decrypt, encrypt } from './cipher.ts'

/** Seals short-lived texts for the database, each for one purpose. Long-lived secrets go to the vault. */
export type Seal = {
  close(text: string, purpose: string): string
  open(sealed: string, purpose: string): string | undefined
}

/** Uses a key derived for one label. `open` returns undefined for another purpose or an altered text. */
export const createSeal = (key: KeyObject): Seal => ({
  close: (text, purpose) => encrypt(key, Buffer.from(text), Buffer.from(purpose)).toString('base64'),
  open: (sealed, purpose) => decrypt(key, Buffer.from(sealed, 'base64'), Buffer.from(purpose))?.toString(),
})
