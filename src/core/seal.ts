import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** Seals short-lived texts for the database, bound to what they are for. */
export type Seal = {
  close(text: string, purpose: string): string
  open(sealed: string, purpose: string): string | undefined
}

/** AES-256-GCM under a key derived for one label; a text opened for another purpose, or tampered with, is undefined. */
export function createSeal(root: Buffer, label: string): Seal {
  const key = Buffer.from(hkdfSync('sha256', root, '', label, 32))
  return {
    close(text, purpose) {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(purpose))
      return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64')
    },
    open(sealed, purpose) {
      const bytes = Buffer.from(sealed, 'base64')
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12))
      decipher.setAAD(Buffer.from(purpose)).setAuthTag(bytes.subarray(-16))
      try {
        return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString('utf8')
      } catch {
        return undefined
      }
    },
  }
}
