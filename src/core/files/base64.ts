import { invalid } from '../define/failure.ts'

/** Decodes standard padded base64 piece by piece, and refuses any other text. */
export type Base64 = {
  decode(text: string): Buffer
  /** Refuses an incomplete last group. */
  end(): void
}

export function createBase64(path: string): Base64 {
  let rest = ''
  let ended = false
  const refuse = () => invalid(path, 'base64 must be standard padded base64, without a data URL prefix or line breaks.')
  return {
    decode(text) {
      const all = rest + text
      const whole = all.length - (all.length % 4)
      rest = all.slice(whole)
      const ready = all.slice(0, whole)
      if (!/^[A-Za-z0-9+/]*={0,2}$/.test(ready) || (ended && all !== '')) throw refuse()
      ended = ready.endsWith('=')
      return Buffer.from(ready, 'base64')
    },
    end() {
      if (rest !== '') throw refuse()
    },
  }
}
