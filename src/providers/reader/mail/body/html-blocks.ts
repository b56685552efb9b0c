import { Parser } from 'htmlparser2'
import { createBlockWriter, type QuotableBlock } from './block-writer.ts'

export type Link = { text: string }

/** What an HTML body holds. `isQuoted` says of each block whether it stands in a quotation. */
export type HtmlBody = { blocks: QuotableBlock[]; links: Link[]; pictures: Set<string> }

const htmlMax = 3 * 1024 * 1024
const depthMax = 1_000
const linksMax = 500

/** Their content is no text of the message. */
const dropped = new Set([
  'head',
  'title',
  'style',
  'script',
  'noscript',
  'template',
  'object',
  'iframe',
  'svg',
  'math',
  'select',
  'textarea',
  'audio',
  'video',
  'map',
])

/** Not a font size of zero: layouts use it, and set another one inside. */
const hidden = /display\s*:\s*none|visibility\s*:\s*hidden|(max-height|opacity)\s*:\s*0(?![.\d])/i

/** Reads HTML as a person sees it, without loading anything. Rows of the innermost tables are rows. */
export function htmlBlocks(html: string): HtmlBody {
  const writer = createBlockWriter()
  const body: HtmlBody = { blocks: writer.blocks, links: [], pictures: new Set() }
  let [depth, droppedFrom] = [0, 0]
  let link: Link | undefined

  function open(name: string, attributes: Record<string, string>) {
    if (name === 'img') {
      const source = attributes.src ?? ''
      if (/^cid:/i.test(source)) body.pictures.add(decodedId(source.slice(4)))
      if (link) link.text += ` ${attributes.alt ?? ''}`
    } else if (name === 'a' && /^\s*https?:/i.test(attributes.href ?? '')) {
      link = { text: '' }
      if (body.links.length < linksMax) body.links.push(link)
    }
    writer.open(name)
  }

  const parser = new Parser({
    onopentag(name, attributes) {
      depth += 1
      if (depth > depthMax || droppedFrom > 0) return
      if (dropped.has(name) || 'hidden' in attributes || hidden.test(attributes.style ?? '')) droppedFrom = depth
      else open(name, attributes)
    },
    ontext(data) {
      if (droppedFrom > 0) return
      writer.text(data.replace(/\s+/g, ' '))
      if (link && link.text.length < 200) link.text += data
    },
    onclosetag(name) {
      const at = depth--
      if (at > depthMax) return
      if (droppedFrom === 0) writer.close(name)
      else if (at === droppedFrom) droppedFrom = 0
      if (name === 'a') link = undefined
    },
  })
  const whole = html.slice(0, htmlMax)
  // What is nested deeper than on any page is not read.
  for (let at = 0; at < whole.length && depth <= depthMax; at += chunk) parser.write(whole.slice(at, at + chunk))
  if (depth <= depthMax) parser.end()
  writer.end()
  return body
}

const chunk = 64 * 1024

const decodedId = (id: string) => {
  try {
    return decodeURIComponent(id)
  } catch {
    return id
  }
}
