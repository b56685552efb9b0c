import { prepareValue } from 'pg/lib/utils'

const pieceBytes = 64 * 1024

/** Text up to this length is written here if it is ASCII, which is faster than calling the runtime for it. */
const shortText = 64

const [parse, bind, describe, execute, sync] = [0x50, 0x42, 0x44, 0x45, 0x53]
const portal = 0x50

/**
 * Writes the messages of a flush, in the protocol of PostgreSQL (version 3). All of them go into one piece of memory, one
 * behind the other. `serialize` of pg-protocol makes a buffer for every message, and they were then joined by copying.
 */
export class MessageWriter {
  /** Flushes follow each other in it. It is never written again, because the socket may still be sending from it. */
  private memory = Buffer.allocUnsafeSlow(pieceBytes)
  private begun = 0
  private at = 0

  begin() {
    this.begun = this.at
  }

  /** The messages since `begin`, and a Sync. */
  end(): Buffer {
    this.message(sync)
    this.int32(4)
    const messages = this.memory.subarray(this.begun, this.at)
    if (this.memory.length > pieceBytes) this.replaceMemory(pieceBytes) // a large flush does not keep its memory
    return messages
  }

  parse(name: string, text: string) {
    this.message(parse)
    const start = this.reserveLength()
    this.text(name)
    this.byte(0)
    this.text(text)
    this.byte(0)
    this.int16(0) // no types: PostgreSQL infers those of the parameters
    this.setLength(start)
  }

  /** Binds values to a statement, in the unnamed portal. Buffers are sent as bytes, everything else as text. */
  bind(statement: string, values: readonly unknown[]) {
    this.message(bind)
    const start = this.reserveLength()
    this.byte(0)
    this.text(statement)
    this.byte(0)
    this.int16(values.length)
    const formats = this.at - this.begun
    for (let n = 0; n < values.length; n++) this.int16(0)
    this.int16(values.length)
    for (let n = 0; n < values.length; n++) {
      const isBytes = this.value(values[n])
      if (isBytes) this.memory[this.begun + formats + n * 2 + 1] = 1
    }
    this.int16(1)
    this.int16(0) // all columns as text
    this.setLength(start)
  }

  describe() {
    this.message(describe)
    this.int32(6)
    this.byte(portal)
    this.byte(0)
  }

  execute() {
    this.message(execute)
    this.int32(9)
    this.byte(0)
    this.int32(0) // all rows
  }

  /** Writes a value with its length, and returns whether it is a buffer. */
  private value(given: unknown): boolean {
    const value = typeof given === 'string' ? given : prepareValue(given)
    if (value === null || value === undefined) {
      this.int32(-1)
      return false
    }
    const start = this.reserveLength()
    if (typeof value === 'string') this.text(value)
    else this.bytes(value)
    this.setLength(start, 0)
    return typeof value !== 'string'
  }

  private message(code: number) {
    this.byte(code)
  }

  private byte(value: number) {
    this.makeRoom(1)
    this.memory[this.at++] = value
  }

  private int16(value: number) {
    this.makeRoom(2)
    this.memory[this.at++] = value >>> 8
    this.memory[this.at++] = value
  }

  private int32(value: number) {
    this.makeRoom(4)
    this.putInt32(this.at, value)
    this.at += 4
  }

  private putInt32(at: number, value: number) {
    this.memory[at] = value >>> 24
    this.memory[at + 1] = value >>> 16
    this.memory[at + 2] = value >>> 8
    this.memory[at + 3] = value
  }

  private text(text: string) {
    const isShort = text.length <= shortText
    this.makeRoom(isShort ? text.length * 3 : Buffer.byteLength(text)) // UTF-8 has at most three bytes for a unit of UTF-16
    if (!isShort || !this.ascii(text)) this.at += this.memory.write(text, this.at)
  }

  /** Writes the text if it is ASCII. */
  private ascii(text: string): boolean {
    const { memory, at } = this
    for (let n = 0; n < text.length; n++) {
      const unit = text.charCodeAt(n)
      if (unit > 0x7f) return false
      memory[at + n] = unit
    }
    this.at = at + text.length
    return true
  }

  private bytes(bytes: Buffer) {
    this.makeRoom(bytes.length)
    this.memory.set(bytes, this.at)
    this.at += bytes.length
  }

  /** Leaves room for a length and returns its place within the flush. */
  private reserveLength(): number {
    this.makeRoom(4)
    this.at += 4
    return this.at - 4 - this.begun
  }

  /** The length of a message counts itself, that of a value does not. */
  private setLength(place: number, ofItself = 4) {
    const start = this.begun + place
    this.putInt32(start, this.at - start - 4 + ofItself)
  }

  /** The messages of the flush so far move if the memory ends, which changes `begun`. */
  private makeRoom(bytes: number) {
    if (this.at + bytes <= this.memory.length) return
    const written = this.memory.subarray(this.begun, this.at)
    this.replaceMemory(Math.max(pieceBytes, (written.length + bytes) * 2))
    this.memory.set(written)
    this.at = written.length
  }

  private replaceMemory(bytes: number) {
    this.memory = Buffer.allocUnsafeSlow(bytes)
    this.begun = 0
    this.at = 0
  }
}
