import type { Explain } from './explain.ts'
import type { Take } from './message-file.ts'
import { createUnstuffer } from './unstuff.ts'
import type { Wire } from './wire.ts'

/** The first line of an answer. `code` is what stands in brackets (RFC 2449), in capitals. */
export type Pop3Status = { kind: 'OK' | 'ERR' | 'CONTINUE'; code: string; text: string }

export type Pop3Session = {
  /** Sends a command, or the next line of one. */
  send(line: string): Promise<void>
  status(): Promise<Pop3Status>
  ask(line: string): Promise<Pop3Status>
  /** The lines that follow a positive answer. */
  lines(take: (line: string) => void): Promise<void>
  /** The content that follows a positive answer, piece by piece; a failure if the server sends more. */
  content(take: Take, bytesMax: number): Promise<void>
  /** What the server can do (RFC 2449), the words of each line by the first; null if it does not tell. */
  capabilities(): Promise<ReadonlyMap<string, readonly string[]> | null>
}

export function createPop3Session({ wire, explain }: { wire: Wire; explain: Explain }): Pop3Session {
  const garbage = () => wire.fail(explain.failure('GARBAGE'))
  const send = (line: string) => wire.send(`${line}\r\n`)

  async function status(): Promise<Pop3Status> {
    wire.begin()
    const line = (await wire.line(lineMax)).toString()
    const [, sign, rest = ''] = /^(\+OK|-ERR|\+)(?: (.*))?$/is.exec(line) ?? []
    if (!sign) throw garbage()
    const [, code = '', text = ''] = /^(?:\[([^\]]*)\])?(.*)$/s.exec(rest) ?? []
    const kind = sign === '+' ? 'CONTINUE' : sign.startsWith('+') ? 'OK' : 'ERR'
    return { kind, code: code.toUpperCase(), text: text.trim() }
  }

  async function ask(line: string): Promise<Pop3Status> {
    await send(line)
    return status()
  }

  async function lines(take: (line: string) => void): Promise<void> {
    for (let left = linesBytesMax; left > 0; ) {
      const line = await wire.line(lineMax)
      if (line.length === 1 && line[0] === dot) return
      left -= line.length + 2
      take(line.toString('latin1', line[0] === dot ? 1 : 0))
    }
    throw garbage()
  }

  async function content(take: Take, bytesMax: number): Promise<void> {
    const unstuff = createUnstuffer()
    for (let left = bytesMax; left > 0; ) {
      const piece = await wire.piece()
      left -= piece.length
      const { parts, rest } = unstuff(piece)
      for (const part of parts) await take(part)
      if (!rest) continue
      wire.unread(rest)
      return
    }
    throw garbage()
  }

  return {
    send,
    status,
    ask,
    lines,
    content,

    async capabilities() {
      const said = await ask('CAPA')
      if (said.kind !== 'OK') return null
      const all = new Map<string, readonly string[]>()
      await lines((line) => {
        const [name = '', ...words] = line.toUpperCase().split(' ')
        all.set(name, words)
      })
      return all
    },
  }
}

const dot = 46
const lineMax = 64 * 1024
const linesBytesMax = 64 * 1024 * 1024
