import { once } from 'node:events'
import { Readable } from 'node:stream'
import type { ClientBase, Connection, Submittable } from 'pg'
import { serialize } from 'pg-protocol'

/** `copy … to stdout`: the rows as PostgreSQL writes them, no faster than they are read. */
export const copyOut = (client: ClientBase, text: string): CopyOut => client.query(new CopyOut(text))

class CopyOut extends Readable implements Submittable {
  /** How many rows it were, once all have come. */
  rows = 0
  private readonly text: string
  private wire: Connection | undefined

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

  /** The bytes are copied: they lie in a buffer that the next message from PostgreSQL may overwrite. */
  handleCopyData({ chunk }: { chunk: Buffer }) {
    if (!this.push(Buffer.from(chunk))) this.wire?.stream.pause()
  }

  handleCommandComplete({ text }: { text: string }) {
    this.rows = countIn(text)
  }

  handleReadyForQuery() {
    this.push(null)
  }

  handleError(error: Error) {
    this.destroy(error)
  }
}

/** `copy … from stdin`: takes rows no faster than PostgreSQL does. */
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
    this.ended.catch(() => {}) // whoever writes next or waits for the end is told
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

  /** Ends it and tells how many rows were taken. */
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
