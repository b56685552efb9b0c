import { Unreadable } from '../reading.ts'
import type { Element } from './element.ts'

const bytesMax = 10 * 1024 * 1024
const depthMax = 64
/** Tags and attributes. An invoice of a thousand lines has about 60,000; parsing takes time for each. */
const marksMax = 200_000

/**
 * Parses XML with namespaces. Document types are refused, so there are no entities but the five of XML and characters by
 * number, and nothing is fetched.
 */
export async function parseXml(bytes: Buffer): Promise<Element> {
  const text = decodeXml(bytes)
  if (/<!(DOCTYPE|ENTITY)/i.test(text)) throw damaged('The XML declares a document type, which is not accepted.')
  if (countOf(text, '<') + countOf(text, '=') > marksMax) throw tooLarge()
  const { XMLParser, XMLValidator } = await import('fast-xml-parser')
  const parser = new XMLParser({
    preserveOrder: true,
    processEntities: false,
    ignoreAttributes: false,
    attributeNamePrefix: '',
    parseTagValue: false,
    parseAttributeValue: false,
    trimValues: false,
    ignoreDeclaration: true,
    ignorePiTags: true,
    maxNestedTags: depthMax - 1, // inside the root
    cdataPropName: cdata,
  })
  const roots = parsed(() => parser.parse(text) as Node[])
  const isWellFormed = parsed(() => XMLValidator.validate(text) === true)
  const elements = roots.filter((node) => nameOf(node) !== '#text')
  const [root] = elements
  if (!isWellFormed || !root || elements.length > 1) throw damaged('The XML is not well-formed.')
  return toElement(root, { '': '', xml: 'http://www.w3.org/XML/1998/namespace' })
}

function parsed<T>(parse: () => T): T {
  try {
    return parse()
  } catch {
    throw damaged('The XML is not well-formed, or nested too deeply.')
  }
}

const cdata = '#cdata'
const attributesKey = ':@'
/** What the parser gives for each element: its children under its name, its attributes under `:@`. */
type Node = { [name: string]: unknown }

const nameOf = (node: Node) => Object.keys(node).find((key) => key !== attributesKey) ?? ''

function toElement(node: Node, outer: Record<string, string>): Element {
  const qualified = nameOf(node)
  const given = Object.entries((node[attributesKey] ?? {}) as Record<string, string>)
  const declared = declaredIn(given)
  const uris = declared.length > 0 ? { ...outer, ...Object.fromEntries(declared) } : outer
  const colon = qualified.indexOf(':')
  const prefix = qualified.slice(0, Math.max(0, colon))
  const uri = uris[prefix]
  if (uri === undefined) throw damaged(`The XML uses the prefix ${prefix} without a namespace.`)
  const children: Element[] = []
  let text = ''
  for (const inner of node[qualified] as Node[]) {
    const name = nameOf(inner)
    if (name === '#text') text += withoutReferences(String(inner[name]))
    else if (name === cdata) text += (inner[name] as Node[]).map((part) => String(part['#text'] ?? '')).join('')
    else children.push(toElement(inner, uris))
  }
  const attributes = Object.fromEntries(given.map(([name, value]) => [name, withoutReferences(String(value))]))
  return { uri, name: qualified.slice(colon + 1), attributes, text, children }
}

const declaredIn = (attributes: [string, string][]) =>
  attributes
    .filter(([name]) => name === 'xmlns' || name.startsWith('xmlns:'))
    .map(([name, uri]) => [name.slice('xmlns:'.length), withoutReferences(String(uri)).trim()])

const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Replaces the five entities of XML and characters by number, once; others stay as they are. */
function withoutReferences(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/gi, (whole, hex, decimal, name) => {
    if (name) return named[name] ?? whole
    const code = hex ? Number.parseInt(hex, 16) : Number(decimal)
    return code <= 0x10ffff ? String.fromCodePoint(code) : ''
  })
}

/** The encodings that invoices are written in, by the names that a declaration has for them. */
const encodings = new Set([
  'utf-8', 'utf8', 'us-ascii', 'ascii', 'iso-8859-1', 'latin1', 'iso-8859-15', 'windows-1252', 'iso-8859-8', 'iso-8859-8-i',
  'windows-1255',
]) // biome-ignore format: a list

/** The text of a file, in the encoding of its first bytes or of its declaration. */
export function decodeXml(bytes: Buffer): string {
  if (bytes.length > bytesMax) throw tooLarge()
  const encoding = encodingOf(bytes)
  if (!encoding) throw damaged('The XML declares an unknown encoding.')
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    throw damaged(`The XML is not encoded as ${encoding}.`)
  }
}

function encodingOf(bytes: Buffer): string | null {
  const [first, second] = bytes
  if (first === 0xef && second === 0xbb) return 'utf-8'
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  if (first === 0x3c && second === 0) return 'utf-16le'
  if (first === 0 && second === 0x3c) return 'utf-16be'
  const declaration = /^\s*<\?xml[^>]{0,200}/.exec(bytes.toString('latin1', 0, 256))?.[0] ?? ''
  const declared = /encoding\s*=\s*["']([\w.-]+)["']/.exec(declaration)?.[1]?.toLowerCase() ?? 'utf-8'
  return encodings.has(declared) ? declared : null
}

function countOf(text: string, character: string): number {
  let count = 0
  for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) count += 1
  return count
}

const damaged = (sentence: string) => new Unreadable('DAMAGED', sentence)
const tooLarge = () => new Unreadable('TOO_LARGE', 'The XML is larger than an invoice can be.')
