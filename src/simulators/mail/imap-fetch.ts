import { type Argument, textOf } from './imap-arguments.ts'
import { envelopeOf, fieldsOf, headOf } from './message.ts'
import type { StoredMessage } from './store.ts'

type Item = { name: string; section?: string; partial?: { from: number; count: number }; isPeek?: boolean }
export type Told = { offsetMinutes: number; sizeTold: (size: number) => number }

/** The items that a FETCH asks for; undefined if one is unknown. */
export function readItems(argument: Argument | undefined): Item[] | undefined {
  const names = Array.isArray(argument)
    ? argument.map(textOf)
    : (macros[textOf(argument).toUpperCase()] ?? [textOf(argument)])
  const items = names.map(readItem)
  return items.every((item) => item !== undefined) && items.length > 0 ? items : undefined
}

function readItem(text: string): Item | undefined {
  const [, name, section, from, count] =
    /^([a-z0-9.]+)(?:\[([^\]]*)\](?:<(\d{1,10})\.(\d{1,10})>)?)?$/i.exec(text) ?? []
  const known = name?.toUpperCase() ?? ''
  if (section === undefined) return simple.has(known) ? { name: known } : undefined
  if (known !== 'BODY' && known !== 'BODY.PEEK') return undefined
  return {
    name: 'BODY',
    section,
    isPeek: known === 'BODY.PEEK',
    ...(from !== undefined && { partial: { from: Number(from), count: Number(count) } }),
  }
}

/** Whether reading the item marks the message as read. */
export const marksAsSeen = ({ name, section, isPeek }: Item): boolean =>
  name === 'RFC822' || name === 'RFC822.TEXT' || (section !== undefined && !isPeek)

/** One item of a message as it is sent. */
export async function tell(item: Item, message: StoredMessage, { offsetMinutes, sizeTold }: Told): Promise<Buffer> {
  switch (item.name) {
    case 'UID':
      return Buffer.from(`UID ${message.uid}`)
    case 'FLAGS':
      return Buffer.from(`FLAGS (${[...message.flags].join(' ')})`)
    case 'INTERNALDATE':
      return Buffer.from(`INTERNALDATE "${toInternalDate(message.receivedAt, offsetMinutes)}"`)
    case 'RFC822.SIZE':
      return Buffer.from(`RFC822.SIZE ${sizeTold(message.size)}`)
    case 'ENVELOPE':
      return Buffer.concat([Buffer.from('ENVELOPE '), envelopeOf(await message.source())])
    case 'BODY':
      return tellSection(item, await message.source())
    default: {
      const section = { RFC822: '', 'RFC822.HEADER': 'HEADER', 'RFC822.TEXT': 'TEXT' }[item.name] ?? ''
      return Buffer.concat([Buffer.from(`${item.name} `), toLiteral(sectionOf(section, await message.source()))])
    }
  }
}

function tellSection({ section = '', partial }: Item, source: Buffer): Buffer {
  const content = sectionOf(section, source)
  const part = content && partial ? content.subarray(partial.from, partial.from + partial.count) : content
  return Buffer.concat([Buffer.from(`BODY[${section}]${partial ? `<${partial.from}>` : ''} `), toLiteral(part)])
}

/** A section of a message; undefined if it has none of that name. Parts of multipart messages have no sections here. */
function sectionOf(section: string, source: Buffer): Buffer | undefined {
  const [, name = '', negated, names = ''] =
    /^(HEADER\.FIELDS|HEADER|TEXT|1|)(\.NOT)?(?: \(([^()]*)\))?$/i.exec(section) ?? []
  const { head, body } = headOf(source)
  switch (name.toUpperCase()) {
    case '':
      return section === '' ? source : undefined
    case 'HEADER':
      return head
    case 'TEXT':
      return body
    case '1':
      return /^content-type:\s*multipart\//im.test(head.toString('latin1')) ? undefined : body
    default: {
      const wanted = new Set(names.toLowerCase().replaceAll('"', '').split(/\s+/))
      const fields = fieldsOf(source).filter((field) => wanted.has(field.name) !== (negated !== undefined))
      return Buffer.from(`${fields.map(({ raw }) => raw).join('')}\r\n`, 'latin1')
    }
  }
}

const toLiteral = (content: Buffer | undefined) =>
  content ? Buffer.concat([Buffer.from(`{${content.length}}\r\n`), content]) : Buffer.from('NIL')

/** A date and time in the time zone of the server. */
function toInternalDate(at: Date, offsetMinutes: number): string {
  const local = new Date(at.getTime() + offsetMinutes * 60_000)
  const [, weekday = '', day = '', month = '', year = '', time = ''] =
    /^(\w+), (\d+) (\w+) (\d+) ([\d:]+)/.exec(local.toUTCString()) ?? []
  const minutes = Math.abs(offsetMinutes)
  const two = (number: number) => `${number}`.padStart(2, '0')
  const zone = `${offsetMinutes < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}${two(minutes % 60)}`
  return weekday && `${day.padStart(2, ' ')}-${month}-${year} ${time} ${zone}`
}

const simple = new Set([
  'UID',
  'FLAGS',
  'INTERNALDATE',
  'RFC822.SIZE',
  'ENVELOPE',
  'RFC822',
  'RFC822.HEADER',
  'RFC822.TEXT',
])
const macros: Record<string, string[]> = {
  FAST: ['FLAGS', 'INTERNALDATE', 'RFC822.SIZE'],
  ALL: ['FLAGS', 'INTERNALDATE', 'RFC822.SIZE', 'ENVELOPE'],
}
