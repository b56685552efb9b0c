import type { MailReadOutcome } from '../../../core/outside/mail-reader.ts'

type Reason = Extract<MailReadOutcome, { unread: string }>['unread']

/** Why a message is not read, for the bookkeeper. */
export class UnreadMail extends Error {
  readonly reason: Reason
  constructor(reason: Reason, message: string) {
    super(message)
    this.reason = reason
  }
}

const tooLarge = (sentence: string) => new UnreadMail('TOO_LARGE', sentence)

export const messageMaxBytes = 25 * 1024 * 1024
export const levelsMax = 20
export const partsMax = 200
/** Of all parts together. */
export const headersMaxBytes = 512 * 1024
/** The parser needs half a kilobyte for a line, however short it is. 25 MiB of base64 have 350,000 lines. */
const linesMax = 500_000
/** Files of a message with those in archives and in messages inside it, and their bytes. */
const filesMax = 300
const filesMaxBytes = 100 * 1024 * 1024

export const tooManyLevels = () =>
  tooLarge(`The message has more than ${levelsMax} levels of parts or messages inside each other.`)
export const tooManyHeaders = () =>
  tooLarge(`The headers of the message are larger than ${headersMaxBytes / 1024} KiB.`)

export const tooManyParts = () => tooLarge(`The message has more than ${partsMax} parts.`)

/** Refuses, before parsing, what the parser would spend too much time or memory on. */
export function requireLimits(bytes: Buffer): void {
  if (bytes.length > messageMaxBytes) throw tooLarge(`The message is larger than ${messageMaxBytes / 1024 / 1024} MiB.`)
  let lines = 0
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) lines += 1
  if (lines > linesMax) throw tooLarge(`The message has more than ${linesMax} lines.`)
}

/** Counts what one message holds, over all levels. */
export function createBudget() {
  let [files, bytes] = [0, 0]
  return {
    add(size: number) {
      files += 1
      bytes += size
      if (files > filesMax) throw tooLarge(`The message holds more than ${filesMax} files.`)
      if (bytes > filesMaxBytes)
        throw tooLarge(`The files of the message have more than ${filesMaxBytes / 1024 / 1024} MiB unpacked.`)
    },
  }
}
export type Budget = ReturnType<typeof createBudget>
