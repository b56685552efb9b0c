import { inflateSync } from 'node:zlib'

/**
 * The objects of a PDF. Two writers may lay out the same document differently, for example a dictionary inline or as a
 * reference, so tests look at the objects and not at the bytes.
 */
export type PdfObjects = {
  /** The value under these keys, from the trailer on; references are followed. Undefined if there is none. */
  at(...path: (string | number)[]): Value | undefined
  /** Every object in use, and the trailer. */
  objects: Value[]
}

/** Names have their slash (`/Type`), which tells them from strings; dictionaries have keys without it. */
type Value = null | boolean | number | string | Buffer | Reference | Stream | Value[] | Dictionary
type Dictionary = { [key: string]: Value }

class Reference {
  readonly number: number
  constructor(number: number) {
    this.number = number
  }
}

export class Stream {
  readonly dictionary: Dictionary
  readonly bytes: Buffer
  constructor(dictionary: Dictionary, bytes: Buffer) {
    this.dictionary = dictionary
    this.bytes = bytes
  }
}

/** Reads files with cross-reference tables; compressed ones (cross-reference streams) are refused. */
export function readPdf(pdf: Uint8Array): PdfObjects {
  const text = Buffer.from(pdf).toString('latin1')
  const { offsets, trailer } = readTables(text)
  const resolve = (value: Value): Value =>
    value instanceof Reference ? objectAt(text, offsets.get(value.number), resolve) : value
  const at = (...path: (string | number)[]) =>
    path.reduce<Value | undefined>((value, key) => {
      const holder = value instanceof Stream ? value.dictionary : value
      const inner = holder && typeof holder === 'object' ? (holder as Dictionary)[key] : undefined
      return inner === undefined ? undefined : resolve(inner)
    }, trailer)
  return { at, objects: [trailer, ...[...offsets.keys()].map((number) => resolve(new Reference(number)))] }
}

/** Every name in a value, as a key or as a value. */
export function namesIn(value: Value): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(namesIn)
  if (value instanceof Stream) return namesIn(value.dictionary)
  if (!isDictionary(value)) return []
  return Object.entries(value).flatMap(([key, inner]) => [`/${key}`, ...namesIn(inner)])
}

const isDictionary = (value: Value | undefined): value is Dictionary =>
  typeof value === 'object' && value?.constructor === Object

/** What a stream holds, unpacked. */
export function contentOf({ dictionary, bytes }: Stream): Buffer {
  const filters = [dictionary.Filter ?? []].flat()
  return filters.reduce<Buffer>((packed, filter) => {
    if (filter !== '/FlateDecode') throw new Error(`The filter ${String(filter)} is not supported.`)
    return inflateSync(packed)
  }, bytes)
}

/** The tables from the newest to the oldest: the newest entry of an object counts, and the newest trailer. */
function readTables(text: string) {
  const offsets = new Map<number, number>()
  const freed = new Set<number>()
  let trailer: Dictionary | undefined
  let from: Value | undefined = Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(text)?.[1])
  while (typeof from === 'number') {
    if (!/^xref\s/.test(text.slice(from, from + 5))) throw new Error(`There is no cross-reference table at ${from}.`)
    const end = text.indexOf('trailer', from)
    const numbers = text
      .slice(from + 4, end)
      .trim()
      .split(/\s+/)
    for (let index = 0; index < numbers.length; ) {
      const [first, count] = [Number(numbers[index]), Number(numbers[index + 1])]
      index += 2
      for (let number = first; number < first + count; number++, index += 3) {
        if (offsets.has(number) || freed.has(number)) continue
        if (numbers[index + 2] === 'n') offsets.set(number, Number(numbers[index]))
        else freed.add(number)
      }
    }
    const older = new Reader(text, end + 'trailer'.length).value() as Dictionary
    trailer ??= older
    from = older.Prev
  }
  if (!trailer) throw new Error('The PDF has no trailer.')
  return { offsets, trailer }
}

/** A reference to an object that is not there is null, as the format says. */
function objectAt(text: string, offset: number | undefined, resolve: (value: Value) => Value): Value {
  if (offset === undefined) return null
  const reader = new Reader(text, offset)
  reader.take(/\d+\s+\d+\s+obj/y)
  const value = reader.value()
  if (!isDictionary(value) || !reader.skip(/stream\r?\n/y)) return value
  const length = Number(resolve(value.Length ?? null))
  const bytes = Buffer.from(text.slice(reader.position, reader.position + length), 'latin1')
  reader.position += length
  reader.take(/\s*endstream/y)
  return new Stream(value, bytes)
}

const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

class Reader {
  readonly text: string
  position: number
  constructor(text: string, position: number) {
    this.text = text
    this.position = position
  }

  /** What matches here, after white space and comments; undefined if nothing does. */
  skip(pattern: RegExp): RegExpExecArray | undefined {
    const blank = /(?:[\s\0]|%[^\r\n]*)*/y
    blank.lastIndex = this.position
    blank.exec(this.text)
    pattern.lastIndex = blank.lastIndex
    const match = pattern.exec(this.text)
    if (!match) return undefined
    this.position = pattern.lastIndex
    return match
  }

  take(pattern: RegExp): RegExpExecArray {
    const match = this.skip(pattern)
    if (!match) throw new Error(`${pattern} was expected at ${this.position} of the PDF.`)
    return match
  }

  value(): Value {
    if (this.skip(/<</y)) return this.dictionary()
    if (this.skip(/\[/y)) return this.list()
    if (this.skip(/\(/y)) return this.string()
    const hex = this.skip(/<([\da-fA-F\s]*)>/y)?.[1]
    if (hex !== undefined) return Buffer.from(hex.replace(/\s/g, '').replace(/^(..)*.$/, '$&0'), 'hex')
    const reference = this.skip(/(\d+)\s+\d+\s+R\b/y)
    if (reference) return new Reference(Number(reference[1]))
    const number = this.skip(/[+-]?(?:\d+\.?\d*|\.\d+)/y)
    if (number) return Number(number[0])
    const word = this.skip(/(?:true|false|null)\b/y)
    if (word) return JSON.parse(word[0]) as boolean | null
    return `/${this.name()}`
  }

  name(): string {
    const [, name = ''] = this.take(/\/([^\s\0()<>[\]{}/%]*)/y)
    return name.replace(/#([\da-fA-F]{2})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
  }

  dictionary(): Dictionary {
    const entries: Dictionary = {}
    while (!this.skip(/>>/y)) entries[this.name()] = this.value()
    return entries
  }

  list(): Value[] {
    const values: Value[] = []
    while (!this.skip(/\]/y)) values.push(this.value())
    return values
  }

  string(): Buffer {
    let [string, depth] = ['', 1]
    for (;;) {
      const character = this.text[this.position++]
      if (character === undefined) throw new Error('A string of the PDF has no end.')
      if (character === '(') depth++
      if (character === ')' && --depth === 0) return Buffer.from(string, 'latin1')
      string += character === '\\' ? this.escaped() : character
    }
  }

  escaped(): string {
    const pattern = /([0-7]{1,3})|\r\n|[\s\S]/y
    pattern.lastIndex = this.position
    const [match = '', octal] = pattern.exec(this.text) ?? []
    this.position += match.length
    if (octal) return String.fromCharCode(Number.parseInt(octal, 8) & 255)
    return /^[\r\n]/.test(match) ? '' : (escapes[match] ?? match)
  }
}
