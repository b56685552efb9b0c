import type { Peer } from './peer.ts'

/** An argument of a command: a word or string, or a list in parentheses. */
export type Argument = string | Argument[]
export type ImapCommand = { tag: string; name: string; arguments: Argument[] }

/** Reads the next command with its literals; undefined if it is not written as IMAP requires. */
export async function readCommand(peer: Peer): Promise<ImapCommand | { tag: string; name: undefined }> {
  let text = ''
  for (;;) {
    const line = (await peer.line()).toString('latin1')
    const [marker, digits, nonSync] = /\{(\d{1,7})(\+?)\}$/.exec(line) ?? []
    if (marker === undefined) {
      text += line
      break
    }
    if (!nonSync) await peer.send('+ Go ahead\r\n')
    const literal = (await peer.bytes(Number(digits))).toString('latin1')
    // From here on a literal is like any other string.
    text += `${line.slice(0, -marker.length)}"${literal.replace(/["\\]/g, '\\$&')}"`
    if (text.length > textMax) return { tag: '*', name: undefined }
  }
  const [head, tag = '*', name] = /^([^\s()"*+%{]+) ([a-z]+)/i.exec(text) ?? []
  const read = head === undefined ? undefined : readArguments(text.slice(head.length))
  return name && read ? { tag, name: name.toUpperCase(), arguments: read } : { tag, name: undefined }
}

/** Undefined if a string or list does not end. */
function readArguments(text: string): Argument[] | undefined {
  const lists: Argument[][] = [[]]
  let at = 0
  while (at < text.length) {
    token.lastIndex = at
    const found = token.exec(text)
    if (!found) return undefined
    at = token.lastIndex
    const [, mark, quoted, word] = found
    if (mark === '(') lists.push([])
    else if (mark === ')') {
      const list = lists.pop()
      if (!list || lists.length === 0) return undefined
      lists.at(-1)?.push(list)
    } else lists.at(-1)?.push(quoted === undefined ? (word ?? '') : quoted.replace(/\\(.)/gs, '$1'))
    if (lists.length > depthMax) return undefined
  }
  return lists.length === 1 ? lists[0] : undefined
}

/** `BODY[HEADER.FIELDS (FROM)]<0.10>` is one word. */
const token = /\s*(?:([()])|"([^"\\]*(?:\\.[^"\\]*)*)"|((?:[^\s()"[\]]+|\[[^\]]*\])+)|$)/sy

/** The text of an argument that is a word or string, which is UTF-8. */
export const textOf = (argument: Argument | undefined): string =>
  typeof argument === 'string' ? Buffer.from(argument, 'latin1').toString() : ''

/** Whether a number is in a set such as `1:3,7,9:*`, where `*` is the last number there is. */
export function inSet(set: string, last: number): ((number: number) => boolean) | undefined {
  const ranges = set.split(',').map((part) => /^(\d{1,10}|\*)(?::(\d{1,10}|\*))?$/.exec(part))
  const bounds = ranges.map((range) => {
    const [, from = '', to = from] = range ?? []
    const [one, other] = [from, to].map((bound) => (bound === '*' ? last : Number(bound)))
    return [Math.min(one ?? 0, other ?? 0), Math.max(one ?? 0, other ?? 0)] as const
  })
  if (ranges.some((range) => !range)) return undefined
  return (number) => bounds.some(([from, to]) => number >= from && number <= to)
}

const depthMax = 20
const textMax = 4 * 1024 * 1024
