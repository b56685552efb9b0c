import type { Part } from './parse.ts'

/** What an Outlook file (winmail.dat, TNEF) holds: the files of the message, and its text if it has one of its own. */
export type Tnef = { files: { name: string | null; bytes: Buffer; isMessage: boolean }[]; text: string; html: string }

const signature = 0x223e9f78
const ids = {
  body: 0x800c,
  attachData: 0x800f,
  attachTitle: 0x8010,
  attachBegin: 0x9002,
  mapi: 0x9003,
  attachment: 0x9005,
}
const properties = { html: 0x1013, data: 0x3701, longName: 0x3707, name: 0x3001 }
const attributesMax = 5_000
const propertiesMax = 2_000

export const isTnef = ({ bytes }: Pick<Part, 'bytes'>) => bytes.length > 6 && bytes.readUInt32LE(0) === signature

/** Reads as far as the file is whole: what comes after a damaged place is left out. */
export function readTnef(bytes: Buffer): Tnef {
  const result: Tnef = { files: [], text: '', html: '' }
  try {
    let count = 0
    for (let at = 6; at + 9 <= bytes.length && count < attributesMax; count++) {
      const id = bytes.readUInt16LE(at + 1)
      const length = bytes.readUInt32LE(at + 5)
      const content = bytes.subarray(at + 9, at + 9 + length)
      if (content.length < length) break
      take(result, id, content)
      at += 9 + length + 2
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
  result.files = result.files.filter(({ bytes: content }) => content.length > 0)
  return result
}

function take(result: Tnef, id: number, content: Buffer): void {
  const file = result.files.at(-1)
  if (id === ids.attachBegin) result.files.push({ name: null, bytes: Buffer.alloc(0), isMessage: false })
  else if (id === ids.body) result.text = eightBit(content)
  else if (id === ids.mapi) result.html = propertiesOf(content).find((one) => one.id === properties.html)?.text ?? ''
  else if (file && id === ids.attachTitle) file.name ??= eightBit(content)
  else if (file && id === ids.attachData) file.bytes = content
  else if (file && id === ids.attachment) {
    for (const { id: property, type, value, text } of propertiesOf(content)) {
      if (property === properties.longName || (property === properties.name && !file.name)) file.name = text
      if (property === properties.data && value.length > 16 && file.bytes.length === 0) {
        file.isMessage = type === types.object
        file.bytes = file.isMessage ? value.subarray(16) : value // an object begins with the id of its interface
      }
    }
  }
}

const types = { object: 0x0d, string: 0x1e, unicode: 0x1f, binary: 0x102 }
const variable = new Set(Object.values(types))
/** Padded to four bytes. */
const lengths: Record<number, number> = { 2: 4, 3: 4, 4: 4, 5: 8, 6: 8, 7: 8, 10: 4, 11: 4, 20: 8, 64: 8, 72: 16 }

type Property = { id: number; type: number; value: Buffer; text: string }

/** The properties of a MAPI list that have a text or bytes. */
function propertiesOf(bytes: Buffer): Property[] {
  const found: Property[] = []
  const count = Math.min(bytes.readUInt32LE(0), propertiesMax)
  let at = 4
  for (let n = 0; n < count; n++) {
    const [tagged, id] = [bytes.readUInt16LE(at), bytes.readUInt16LE(at + 2)]
    const type = tagged & 0x0fff
    at += 4
    if (id >= 0x8000) at += 20 + (bytes.readUInt32LE(at + 16) === 0 ? 4 : 4 + padded(bytes.readUInt32LE(at + 20)))
    const isMany = (tagged & 0x1000) !== 0
    let values = 1
    if (isMany || variable.has(type)) {
      values = bytes.readUInt32LE(at)
      at += 4
    }
    if (values > propertiesMax) throw new RangeError('Too many values')
    for (let each = 0; each < values; each++) {
      if (!variable.has(type)) {
        const length = lengths[type]
        if (length === undefined) throw new RangeError('Unknown type of property')
        at += length
        continue
      }
      const length = bytes.readUInt32LE(at)
      const value = bytes.subarray(at + 4, at + 4 + length)
      if (value.length < length) throw new RangeError('The property lies outside the file')
      found.push({ id, type, value, text: type === types.unicode ? wide(value) : eightBit(value) })
      at += 4 + padded(length)
    }
  }
  return found
}

const padded = (length: number) => Math.ceil(length / 4) * 4
const wide = (bytes: Buffer) => withoutEnd(new TextDecoder('utf-16le').decode(bytes))
/** Texts end with a zero, and some have more behind it. */
const withoutEnd = (text: string) => text.split('\0', 1)[0] ?? ''

/** UTF-8 if it is, otherwise Hebrew as Windows writes it: the file does not say reliably. */
function eightBit(bytes: Buffer): string {
  try {
    return withoutEnd(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return withoutEnd(new TextDecoder('windows-1255').decode(bytes))
  }
}
