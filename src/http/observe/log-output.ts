import { write, writeSync } from 'node:fs'

/** How long a line waits for others, and how many characters are written at once without waiting. */
const gatherMs = 20
const gatherMax = 16 * 1024
const retryMs = 100

/**
 * The standard output for the log. Lines are gathered for a moment and written together: a write for every line, in a thread
 * as here, took a tenth of the time of a request. What is left when the process ends is written then.
 */
export class LogOutput {
  private readonly descriptor: number
  private gathered = ''
  /** What is being written. */
  private leaving: Buffer | undefined
  private waiting: NodeJS.Timeout | undefined
  private isClosed = false

  constructor(descriptor = 1) {
    this.descriptor = descriptor
    process.on('exit', this.writeRest)
  }

  write(lines: string): void {
    if (this.isClosed) return
    this.gathered += lines
    if (this.gathered.length >= gatherMax) this.flush()
    else this.flushIn(gatherMs)
  }

  private flushIn(ms: number) {
    this.waiting ??= setTimeout(() => {
      this.waiting = undefined
      this.flush()
    }, ms).unref()
  }

  private flush() {
    if (this.leaving || this.gathered === '') return
    this.leaving = Buffer.from(this.gathered)
    this.gathered = ''
    this.send(this.leaving)
  }

  private send(bytes: Buffer) {
    write(this.descriptor, bytes, (error, written) => {
      const rest = error ? bytes : bytes.subarray(written)
      if (error && error.code !== 'EAGAIN') return this.close() // nobody reads the log any more
      this.leaving = rest.length > 0 ? rest : undefined
      if (error) setTimeout(() => this.send(rest), retryMs).unref()
      else if (this.leaving) this.send(rest)
      else if (this.gathered.length >= gatherMax) this.flush()
      else if (this.gathered !== '') this.flushIn(gatherMs)
    })
  }

  private close() {
    this.isClosed = true
    this.gathered = ''
    process.off('exit', this.writeRest)
  }

  /** A write that has begun goes on in its thread; it gets a moment to end, so that the lines stay in their order. */
  private readonly writeRest = () => {
    if (this.leaving) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, gatherMs)
    try {
      if (this.gathered !== '') writeSync(this.descriptor, this.gathered)
    } catch {
      // nobody reads the log any more
    }
  }
}

let output: LogOutput | undefined

/** One for the process, however many servers it has. */
export const standardOutput = (): LogOutput => {
  output ??= new LogOutput()
  return output
}
