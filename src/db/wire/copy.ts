import { once } from 'node:events'
import { Readable } from 'node:stream'
import type { ClientBase, Connection, Submittable } from 'pg'
import { serialize } from 'pg-protocol'

/** `copy … to stdout`: the rows in the format of PostgreSQL, no faster than they are read. */
export const copyOut = (client: ClientBase, text: string): CopyOut => client.query(new CopyOut(text))

const gatheredMax = 1 << 16

class CopyOut extends Readable implements Submittable {
  /** The number of rows, known at the end. */
  rows = 0
  private readonly text: string
  private wire: Connection | undefined
  private gathered: Buffer[] = []
  private gatheredBytes = 0

  constructor(text: string) {
    super({ highWaterMark: 1 << 20 })
    this.text = text
  }

  submit(wire: Connection) {
    this.wire = wire
    wire.query(this.text)
  }

  override _read() {
    this.wire?.stream.resume()
  }

  /** A message has one row: rows are passed on together. Copied, because the next message may overwrite their buffer. */
  handleCopyData({ chunk }: { chunk: Buffer }) {
    this.gathered.push(Buffer.from(chunk))
    this.gatheredBytes += chunk.length
    if (this.gatheredBytes >= gatheredMax) this.passOn()
  }

  private passOn() {
    if (this.gatheredBytes > 0 && !this.push(Buffer.concat(this.gathered))) this.wire?.stream.pause()
    this.gathered = []
    this.gatheredBytes = 0
  }

  handleCommandComplete({ text }: { text: string }) {
    this.rows = countIn(text)
  }

  handleReadyForQuery() {
    this.passOn()
    this.push(null)
  }

  handleError(error: Error) {
    this.destroy(error)
  }
}

/** `copy … from stdin`: sends rows no faster than PostgreSQL accepts them. */
export async function copyIn(client: ClientBase, text: string): Promise<CopyIn> {
  const copy = client.query(new CopyIn(text))
  await copy.begun
  return copy
}

export class CopyIn implements Submittable {
  readonly begun: Promise<void>
  private readonly ended: Promise<number>
  private readonly text: string
  private rows = 0
  private begin = () => {}
  private end = (_: number) => {}
  private fail = (_: Error) => {}
  private failed: Error | undefined
  private wire: Connection | undefined

  constructor(text: string) {
    this.text = text
    this.ended = new Promise((resolve, reject) => {
      this.end = resolve
      this.fail = reject
    })
    const answered = new Promise<void>((resolve) => {
      this.begin = resolve
    })
    this.begun = Promise.race([answered, this.ended.then(() => {})])
    this.ended.catch(() => {}) // the next write, or finish(), throws the error
  }

  submit(wire: Connection) {
    this.wire = wire
    wire.query(this.text)
  }

  handleCopyInResponse() {
    this.begin()
  }

  async write(piece: Buffer): Promise<void> {
    if (this.failed) throw this.failed
    const room = this.wire?.stream.write(serialize.copyData(piece))
    if (!room && this.wire) await Promise.race([once(this.wire.stream, 'drain'), this.ended])
  }

  /** Ends the copy and returns the number of rows. */
  finish(): Promise<number> {
    this.wire?.stream.write(serialize.copyDone())
    return this.ended
  }

  handleCommandComplete({ text }: { text: string }) {
    this.rows = countIn(text)
  }

  handleReadyForQuery() {
    this.end(this.rows)
  }

  handleError(error: Error) {
    this.failed = error
    this.fail(error)
  }
}

/** `COPY 12` */
const countIn = (text: string) => Number(text.split(' ')[1])
