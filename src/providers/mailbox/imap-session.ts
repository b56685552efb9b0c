import type { Explain } from './explain.ts'
import { literalSizeOf, readValues, type Segment, type Value } from './imap-response.ts'
import type { Take } from './message-file.ts'
import type { Wire } from './wire.ts'

/** An answer without a tag, such as `* 12 FETCH (...)`: its number, its name in capitals, and the values after it. */
export type Untagged = { number: number | null; name: string; values: Value[] }
/** The end of an answer. `code` is what stands in brackets, in capitals. */
export type Status = { status: 'OK' | 'NO' | 'BAD' | 'BYE' | 'PREAUTH'; code: string; text: string }

export type Command = {
  /** Parts of the command. Bytes are sent as a literal, when the server asks for them. */
  parts: readonly (string | Buffer)[]
  onUntagged?: (answer: Untagged) => void
  /** `code` and `text` of an untagged OK, such as UIDVALIDITY. */
  onNote?: (note: Status) => void
  /** What is sent when the server asks to continue. */
  onContinue?: () => string
  /** Receives a literal piece by piece, after the text before it; undefined to keep its beginning as a value. */
  literal?: (before: string) => Take | undefined
  /** How much the whole answer may have. */
  bytesMax?: number
  /** Whether the answer is one line of numbers, which may be long. */
  isSearch?: boolean
}

export type ImapSession = {
  greeting(): Promise<Status>
  run(command: Command): Promise<Status>
  /** What the server can do, in capitals; asked if it is not known. */
  capabilities(): Promise<ReadonlySet<string>>
  /** After the connection was encrypted, nothing the server said before is believed. */
  forgetCapabilities(): void
}

type Reading = { left: { bytes: number }; literal?: Command['literal'] | undefined; isSearch?: boolean }
type Read = { untagged: Untagged } | { note: Status } | { done: Status } | { wants: true }

export function createImapSession({ wire, explain }: { wire: Wire; explain: Explain }): ImapSession {
  let known: ReadonlySet<string> | undefined
  let count = 0
  let isBusy = false
  const garbage = () => wire.fail(explain.failure('GARBAGE'))

  function learn({ code }: Status) {
    if (code.startsWith('CAPABILITY ')) known = new Set(code.split(' ').slice(1))
  }

  async function read({ tag, left, literal, isSearch }: Reading & { tag: string }) {
    const line = await wire.line(Math.min(isSearch ? searchMax : lineMax, left.bytes))
    spend(left, line.length + lineCost)
    const start = line.toString('latin1', 0, 64)
    if (/^\+( |$)/.test(start)) return { wants: true } satisfies Read
    const [all = '', mark, status] = /^(\*|\w{1,20}) (OK|NO|BAD|BYE|PREAUTH)(?= |$)/i.exec(start) ?? []
    if (status) {
      if (mark !== '*' && mark !== tag) throw garbage()
      const said = toStatus(status, line.toString('utf8', all.length))
      learn(said)
      return mark === '*' ? ({ note: said } satisfies Read) : ({ done: said } satisfies Read)
    }
    if (!start.startsWith('* ')) throw garbage()
    if (/^\* SEARCH( |$)/i.test(start)) return { untagged: toSearch(line) } satisfies Read
    if (line.length > lineMax) throw garbage()
    return { untagged: await untagged(line.subarray(2), { left, literal }) } satisfies Read
  }

  async function untagged(first: Buffer, { left, literal }: Reading): Promise<Untagged> {
    const segments: Segment[] = [{ line: first }]
    let line = first
    for (let size = literalSizeOf(line); size !== undefined; size = literalSizeOf(line)) {
      if (segments.length > segmentsMax) throw garbage()
      spend(left, size)
      const take = literal?.(line.toString('latin1', Math.max(0, line.length - 200)))
      segments.push({ literal: await readLiteral(size, take) })
      line = await wire.line(Math.min(lineMax, left.bytes))
      spend(left, line.length)
      segments.push({ line })
    }
    const [one, two, ...more] = readValues(segments) ?? []
    if (typeof one !== 'string') throw garbage()
    if (!/^\d{1,10}$/.test(one))
      return { number: null, name: one.toUpperCase(), values: two === undefined ? more : [two, ...more] }
    if (typeof two !== 'string') throw garbage()
    return { number: Number(one), name: two.toUpperCase(), values: more }
  }

  /** The beginning of a literal, or nothing of it if it is taken piece by piece. */
  async function readLiteral(size: number, take: Take | undefined): Promise<Buffer> {
    const kept: Buffer[] = []
    let left = size
    let keptBytes = 0
    while (left > 0) {
      const arrived = await wire.piece()
      const piece = arrived.subarray(0, left)
      if (arrived.length > left) wire.unread(arrived.subarray(left))
      left -= piece.length
      if (take) await take(piece)
      else if (keptBytes < keptMax) kept.push(piece.subarray(0, keptMax - keptBytes))
      keptBytes += piece.length
    }
    return Buffer.concat(kept)
  }

  function spend(left: { bytes: number }, bytes: number) {
    left.bytes -= bytes
    if (left.bytes < 0) throw garbage()
  }

  /** Reads until the server is done, or asks for more. */
  async function answer(tag: string, command: Omit<Command, 'parts'>, left: { bytes: number }) {
    for (;;) {
      const said = await read({ tag, left, ...command })
      if ('wants' in said || 'done' in said) return said
      if ('untagged' in said) {
        const { name, values } = said.untagged
        if (name === 'CAPABILITY')
          known = new Set(values.flatMap((value) => (typeof value === 'string' ? [value.toUpperCase()] : [])))
        command.onUntagged?.(said.untagged)
      } else if (said.note.status === 'BYE' && !command.onNote) {
        throw wire.fail(explain.failure('CLOSED', said.note.text))
      } else command.onNote?.(said.note)
    }
  }

  async function exchange(tag: string, command: Command): Promise<Status> {
    const left = { bytes: command.bytesMax ?? bytesMax }
    let text = `${tag} `
    for (const part of command.parts) {
      if (typeof part === 'string') {
        text += part
        continue
      }
      await wire.send(`${text}{${part.length}}\r\n`)
      const said = await answer(tag, command, left)
      if ('done' in said) return said.done
      await wire.send(part)
      text = ''
    }
    await wire.send(`${text}\r\n`)
    for (;;) {
      const said = await answer(tag, command, left)
      if ('done' in said) return said.done
      if (!command.onContinue) throw garbage()
      spend(left, continueCost)
      await wire.send(`${command.onContinue()}\r\n`)
    }
  }

  async function run(command: Command): Promise<Status> {
    if (isBusy) throw new Error('A mailbox does one thing at a time.')
    isBusy = true
    wire.begin()
    count += 1
    try {
      return await exchange(`A${count}`, command)
    } catch (error) {
      throw wire.fail(error) // the rest of the answer is unread
    } finally {
      isBusy = false
    }
  }

  return {
    run,

    async greeting() {
      wire.begin()
      const said = await read({ tag: '', left: { bytes: lineMax } })
      if (!('note' in said)) throw garbage()
      if (said.note.status === 'BYE') throw wire.fail(explain.failure('UNAVAILABLE', said.note.text))
      if (said.note.status !== 'OK' && said.note.status !== 'PREAUTH') throw garbage()
      return said.note
    },

    async capabilities() {
      if (!known) await run({ parts: ['CAPABILITY'] })
      known ??= new Set()
      return known
    },

    forgetCapabilities() {
      known = undefined
    },
  }
}

/** Numbers alone, without the work that other answers need: a folder may have a million messages. */
const toSearch = (line: Buffer): Untagged => ({
  number: null,
  name: 'SEARCH',
  values: line.toString('latin1').split(' ').slice(2),
})

function toStatus(status: string, rest: string): Status {
  const [, code = '', text = ''] = /^ ?(?:\[([^\]]*)\])?(.*)$/s.exec(rest) ?? []
  return { status: status.toUpperCase() as Status['status'], code: code.toUpperCase(), text: text.trim() }
}

const lineMax = 256 * 1024
const searchMax = 8 * 1024 * 1024
const bytesMax = 16 * 1024 * 1024
const keptMax = 64 * 1024
const segmentsMax = 400
/** Short answers cost time, too. */
const lineCost = 32
const continueCost = 1024 * 1024
