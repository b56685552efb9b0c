import { TableRefusal } from './table.ts'

/** A part of an XML file: a tag, or text with its entities replaced. Names are without their namespace prefix. */
export type XmlPart =
  | { kind: 'open'; name: string; attributes: string; isEmpty: boolean }
  | { kind: 'close'; name: string }
  | { kind: 'text'; text: string }

/** What lists sheets, parts and formats is small in every real spreadsheet. */
const partsUsualMax = 1_000_000

/** Reads XML from its beginning to its end without keeping a tree. Document types, and with them entities, are refused. */
export function* readXml(xml: string, partsMax = partsUsualMax): Generator<XmlPart> {
  let count = 0
  for (let at = 0; at < xml.length; ) {
    count += 1
    if (count > partsMax)
      throw new TableRefusal('The spreadsheet has more elements than are accepted.', 'TABLE_TOO_LARGE')
    const start = xml.indexOf('<', at)
    const end = start < 0 ? xml.length : start
    if (end > at) yield { kind: 'text', text: unescaped(xml.slice(at, end)) }
    if (start < 0) return
    if (xml.startsWith('<!--', start)) at = after(xml, '-->', start)
    else if (xml.startsWith('<?', start)) at = after(xml, '?>', start)
    else if (xml.startsWith('<![CDATA[', start)) {
      at = after(xml, ']]>', start)
      yield { kind: 'text', text: xml.slice(start + 9, at - 3) }
    } else if (xml.startsWith('<!', start)) {
      throw new TableRefusal('The file declares XML entities, which are not accepted.', 'XML_ENTITIES')
    } else {
      at = after(xml, '>', start)
      yield toTag(xml.slice(start + 1, at - 1))
    }
  }
}

function after(xml: string, mark: string, from: number): number {
  const found = xml.indexOf(mark, from)
  if (found < 0) throw new TableRefusal('The spreadsheet is damaged and cannot be read.')
  return found + mark.length
}

function toTag(tag: string): XmlPart {
  if (tag.startsWith('/')) return { kind: 'close', name: local(tag.slice(1).trim()) }
  const isEmpty = tag.endsWith('/')
  const space = tag.search(/[\s/]/)
  return {
    kind: 'open',
    name: local(space < 0 ? tag : tag.slice(0, space)),
    attributes: space < 0 ? '' : tag.slice(space),
    isEmpty,
  }
}

const local = (name: string) => name.slice(name.indexOf(':') + 1)

/** An attribute by its local name. */
export function attribute(attributes: string, name: string): string | undefined {
  const found = new RegExp(`\\s(?:[\\w.-]+:)?${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(attributes)
  const value = found?.[1] ?? found?.[2]
  return value === undefined ? undefined : unescaped(value)
}

const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function unescaped(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|\w+);/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return named[name] ?? refuseEntity(whole)
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : refuseEntity(whole)
  })
}

function refuseEntity(entity: string): never {
  throw new TableRefusal(`The file uses the XML entity ${entity}, which is not accepted.`, 'XML_ENTITIES')
}
