/** A value in an answer of an IMAP server: an atom, a string (its bytes), NIL or a list. */
export type Value = string | Buffer | null | Value[]

/** A line of an answer, or the literal that follows a line that announced it. */
export type Segment = { line: Buffer } | { literal: Buffer }

/** The size of the literal that a line announces at its end. */
export function literalSizeOf(line: Buffer): number | undefined {
  const [, digits] = /\{(\d{1,10})\+?\}$/.exec(line.toString('latin1', Math.max(0, line.length - 16))) ?? []
  return digits === undefined ? undefined : Number(digits)
}

/** The values of an answer; undefined if it is not written as IMAP requires. */
export function readValues(segments: readonly Segment[]): Value[] | undefined {
  const texts = segments.map((segment) => ('line' in segment ? segment.line.toString('latin1') : undefined))
  let segment = 0
  let at = 0
  const text = () => texts[segment] ?? ''

  /** The values up to the end of the list, or of the answer. */
  function values(depth: number): Value[] {
    if (depth > depthMax) throw notImap
    const read: Value[] = []
    for (;;) {
      while (text()[at] === ' ') at += 1
      const next = text()[at]
      if (next === undefined || next === ')') {
        if ((next === ')') !== depth > 0) throw notImap
        at += 1
        return read
      }
      read.push(value(next, depth))
    }
  }

  function value(next: string, depth: number): Value {
    if (next === '(') {
      at += 1
      return values(depth + 1)
    }
    if (next === '"') return quoted()
    if (next === '{' || (next === '~' && text()[at + 1] === '{')) return literal()
    return atom()
  }

  /** A pattern would need memory for every character of a long string. */
  function quoted(): Buffer {
    const line = text()
    let end = at + 1
    while (line[end] !== '"') {
      if (end >= line.length) throw notImap
      end += line[end] === '\\' ? 2 : 1
    }
    const inner = line.slice(at + 1, end)
    at = end + 1
    return Buffer.from(inner.includes('\\') ? inner.replace(/\\(.)/g, '$1') : inner, 'latin1')
  }

  function literal(): Buffer {
    const following = segments[segment + 1]
    if (!/^~?\{\d{1,10}\+?\}$/.test(text().slice(at)) || !following || !('literal' in following)) throw notImap
    segment += 2
    at = 0
    return following.literal
  }

  /** An atom, with the brackets of `BODY[HEADER.FIELDS (FROM)]<0>`, which contain spaces. */
  function atom(): string | null {
    const pattern = /(?:[^\s()"[\]{]+|\[[^\]]*\])+|[\]{]/y
    pattern.lastIndex = at
    const [found] = pattern.exec(text()) ?? []
    if (!found) throw notImap
    at = pattern.lastIndex
    return found.toUpperCase() === 'NIL' ? null : found
  }

  try {
    const all = values(0)
    return segment >= segments.length - 1 ? all : undefined
  } catch (error) {
    if (error === notImap) return undefined
    throw error
  }
}

/** A list of alternating names and values, such as the items of a FETCH; names in capitals. */
export function readPairs(list: Value | undefined): Map<string, Value> {
  const pairs = new Map<string, Value>()
  if (!Array.isArray(list)) return pairs
  for (let at = 0; at + 1 < list.length; at += 2) {
    const name = list[at]
    if (typeof name === 'string') pairs.set(name.toUpperCase(), list[at + 1] ?? null)
  }
  return pairs
}

/** Numbers such as `1:3,7`, at most so many; undefined if it is not a set. */
export function readSet(text: string, countMax: number): number[] | undefined {
  const numbers: number[] = []
  for (const part of text.split(',')) {
    const [, first, last] = /^(\d{1,10})(?::(\d{1,10}))?$/.exec(part) ?? []
    if (first === undefined) return undefined
    const bounds = [Number(first), Number(last ?? first)]
    const [from, to] = [Math.min(...bounds), Math.max(...bounds)]
    if (numbers.length + to - from >= countMax) return undefined
    for (let number = from; number <= to; number += 1) numbers.push(number)
  }
  return numbers
}

/** The shortest set of ascending numbers. */
export function toSet(numbers: readonly number[]): string {
  const ranges: [number, number][] = []
  for (const number of numbers) {
    const last = ranges.at(-1)
    if (last && last[1] === number - 1) last[1] = number
    else ranges.push([number, number])
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}:${to}`)).join(',')
}

/** A date and time such as `17-Jul-1996 02:44:25 -0700`. */
export function readInternalDate(value: Value | undefined): Date | null {
  const text = Buffer.isBuffer(value) ? value.toString('latin1') : ''
  const [, day, month, year, time, hours, minutes] =
    /^ ?(\d{1,2})-([a-z]{3})-(\d{4}) (\d{2}:\d{2}:\d{2}) ([+-]\d{2})(\d{2})$/i.exec(text) ?? []
  const at = months.indexOf((month ?? '').toLowerCase())
  if (at < 0) return null
  const date = `${year}-${pad(at + 1)}-${pad(Number(day))}T${time}${hours}:${minutes}`
  const instant = new Date(date)
  return Number.isNaN(instant.getTime()) ? null : instant
}

/** A day for SEARCH, `1-Feb-1994`. */
export function toSearchDate(at: Date): string {
  const month = months[at.getUTCMonth()] ?? ''
  const year = `${Math.max(0, at.getUTCFullYear())}`.padStart(4, '0')
  return `${at.getUTCDate()}-${month[0]?.toUpperCase()}${month.slice(1)}-${year}`
}

const pad = (number: number) => `${number}`.padStart(2, '0')
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const depthMax = 20
const notImap = new Error('Not an answer of IMAP.')
