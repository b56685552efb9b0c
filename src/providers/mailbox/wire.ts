import type { Socket } from 'node:net'
import type { Explain } from './explain.ts'

/** How long and how much is accepted of a mail server. */
export type WireLimits = {
  /** How long the server may be silent. */
  silenceMs: number
  /** How long the whole answer to a command may take. */
  commandMs: number
  /** How long the greeting may take; as long as an answer unless given. */
  greetingMs?: number
}

/**
 * A connection to a mail server, read piece by piece. The first failure is final: the connection is closed, and everything
 * after it fails in the same way.
 */
export type Wire = {
  /** A new command begins: its answer has the time of `commandMs`. */
  begin(): void
  /** The next line, without its end. A longer one is a failure. */
  line(bytesMax: number): Promise<Buffer>
  /** What has arrived, at least one byte. */
  piece(): Promise<Buffer>
  /** Puts back the rest of a piece. */
  unread(rest: Buffer): void
  send(data: string | Buffer): Promise<void>
  /** Replaces the connection by an encrypted one. What arrived before is a failure. */
  secure(startTls: (socket: Socket) => Promise<Socket>): Promise<void>
  /** Closes the connection and returns the failure; of several failures, the first. */
  fail(error: unknown): unknown
  readonly isOpen: boolean
  readonly remoteAddress: string | undefined
}

type Settings = { socket: Socket; limits: WireLimits; explain: Explain; signal: AbortSignal }

export function openWire({ socket: first, limits, explain, signal }: Settings): Wire {
  let socket = first
  let rest: Buffer = Buffer.alloc(0)
  let until = performance.now() + (limits.greetingMs ?? limits.commandMs)
  let failed: { error: unknown } | undefined
  let wake: (() => void) | undefined

  function fail(error: unknown): unknown {
    if (!failed) {
      failed = { error }
      signal.removeEventListener('abort', abort)
      detach(socket)
      socket.destroy()
      wake?.()
    }
    return failed.error
  }
  function check() {
    if (failed) throw failed.error
  }
  const isOpen = () => failed === undefined
  const abort = () => fail(signal.reason)
  const arrived = () => wake?.()
  const closed = () => (socket.readableLength > 0 ? wake?.() : fail(explain.failure('CLOSED')))

  function attach(next: Socket) {
    next.on('readable', arrived).on('end', closed).on('close', closed).on('error', closed)
  }
  /** A listener for errors stays: an error without one would end the process. */
  function detach(last: Socket) {
    last.on('error', () => {})
    last.off('readable', arrived).off('end', closed).off('close', closed).off('error', closed)
  }

  /** Waits for something to happen on the connection, as long as the server may be silent. */
  function happening(): Promise<void> {
    const ms = Math.max(0, Math.min(limits.silenceMs, until - performance.now()))
    return new Promise((resolve) => {
      const timer = setTimeout(() => fail(explain.failure('SILENT')), ms)
      wake = () => {
        wake = undefined
        clearTimeout(timer)
        resolve()
      }
    })
  }

  async function piece(): Promise<Buffer> {
    for (;;) {
      check()
      if (rest.length > 0) {
        const all = rest
        rest = Buffer.alloc(0)
        return all
      }
      // A server that sends without end is never waited for.
      if (performance.now() > until) throw fail(explain.failure('SILENT'))
      const bytes: Buffer | null = socket.read()
      if (bytes) return bytes
      if (socket.readableEnded || socket.destroyed) throw fail(explain.failure('CLOSED'))
      await happening()
    }
  }

  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort)
  attach(socket)

  return {
    begin() {
      until = performance.now() + limits.commandMs
    },
    piece,
    unread(bytes) {
      rest = bytes
    },
    fail,

    async line(bytesMax) {
      const parts: Buffer[] = []
      for (let size = 0; ; ) {
        const bytes = await piece()
        const end = bytes.indexOf(lineFeed)
        const part = end < 0 ? bytes : bytes.subarray(0, end)
        size += part.length
        if (size > bytesMax) throw fail(explain.failure('GARBAGE'))
        parts.push(part)
        if (end < 0) continue
        rest = bytes.subarray(end + 1)
        const line = parts.length === 1 ? part : Buffer.concat(parts)
        return line.at(-1) === carriageReturn ? line.subarray(0, -1) : line
      }
    },

    async send(data) {
      check()
      let isSent = false
      socket.write(data, () => {
        isSent = true
        wake?.()
      })
      // A server that reads nothing is silent too.
      while (!isSent && socket.writableLength > sendAheadMax) {
        await happening()
        check()
      }
    },

    async secure(startTls) {
      check()
      if (rest.length > 0) throw fail(explain.failure('GARBAGE'))
      const plain = socket
      detach(plain)
      try {
        socket = await startTls(plain)
      } catch (error) {
        throw fail(explain.fromEgress(error))
      }
      if (!isOpen()) socket.destroy()
      check()
      attach(socket)
    },

    get isOpen() {
      return isOpen()
    },
    get remoteAddress() {
      return socket.remoteAddress
    },
  }
}

const lineFeed = 10
const carriageReturn = 13
const sendAheadMax = 64 * 1024
