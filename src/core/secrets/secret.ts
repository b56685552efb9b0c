import { inspect } from 'node:util'

const redacted = '[redacted]'

/**
 * A text that must not be shown: a password, a token, a key. In a log, a template, JSON or an error it reads `[redacted]`
 * (INV-20). Only the function that uses the text calls `reveal()` (SEC-6).
 */
export class Secret {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  reveal(): string {
    return this.#text
  }

  toString(): string {
    return redacted
  }

  toJSON(): string {
    return redacted
  }

  [Symbol.toPrimitive](): string {
    return redacted
  }

  [inspect.custom](): string {
    return redacted
  }
}
