/** An element with its attributes and its text or children. Undefined children are left out, and so are elements without content. */
export type XmlElement = { name: string; attributes: Record<string, string>; content: string | XmlElement[] }

type Child = XmlElement | undefined | null

/** An element with a text; undefined if there is no text. */
export function text(
  name: string,
  value: string | null | undefined,
  attributes: Record<string, string> = {},
): XmlElement | undefined {
  return value === null || value === undefined || value === '' ? undefined : { name, attributes, content: value }
}

/** An element with children; undefined if there are none. */
export function group(name: string, ...children: (Child | Child[])[]): XmlElement | undefined {
  const content = children.flat().filter((child) => child !== undefined && child !== null)
  return content.length > 0 ? { name, attributes: {}, content } : undefined
}

/** The file of a root element with these namespaces. */
export function toXml(root: XmlElement | undefined, namespaces: Record<string, string>): string {
  if (!root) throw new Error('The document has no content.')
  return `<?xml version="1.0" encoding="UTF-8"?>\n${written({ ...root, attributes: namespaces }, '')}`
}

function written({ name, attributes, content }: XmlElement, indent: string): string {
  const start = `${name}${Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${escaped(value)}"`)
    .join('')}`
  if (typeof content === 'string') return `${indent}<${start}>${escaped(content)}</${name}>\n`
  const inside = content.map((child) => written(child, `${indent}  `)).join('')
  return `${indent}<${start}>\n${inside}${indent}</${name}>\n`
}

const escaped = (value: string) =>
  value
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
