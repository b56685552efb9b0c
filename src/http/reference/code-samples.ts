import type { Operation } from '../../core/define/operation.ts'
import { toRequest } from '../../core/run/request.ts'
import { type Content, html, Markup } from '../../core/values/html.ts'
import { sampleInput } from './describe.ts'

/** A code block with a caption; the script adds a copy button. */
export const codeBlock = (caption: string, code: Content): Markup =>
  html`<figure class="code"><figcaption>${caption}</figcaption><pre dir="ltr"><code>${code}</code></pre></figure>`

/** Formats JSON for reading: indented, short lists on one line, strings and numbers in different colours. */
export function json(value: unknown, indent = ''): Content {
  if (typeof value === 'string') return html`<i class="s">${JSON.stringify(value)}</i>`
  if (typeof value !== 'object' || value === null) return html`<i class="n">${String(value)}</i>`
  const inner = `${indent}  `
  const entries = Array.isArray(value)
    ? value.map((entry) => json(entry, inner))
    : Object.entries(value).map(([key, entry]) => [`${JSON.stringify(key)}: `, json(entry, inner)])
  const [opening, closing] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  const isShort = Array.isArray(value) ? value.every((entry) => typeof entry !== 'object') : entries.length === 0
  if (isShort) return [opening, separated(entries, ', '), closing]
  return [opening, `\n${inner}`, separated(entries, `,\n${inner}`), `\n${indent}`, closing]
}

export const separated = (parts: Content[], separator: string): Content[] =>
  parts.flatMap((part, index) => (index > 0 ? [separator, part] : [part]))

/** The call as a curl command. */
export function curl(operation: Operation, url: string): Content {
  const { path, query, body } = toRequest(operation, sampleInput(operation))
  const filled = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(path[name])))
  const search = new URLSearchParams()
  for (const [name, values] of Object.entries(query))
    for (const value of [values].flat()) search.append(name, String(value))
  const address = search.size > 0 ? `'${url}${filled}?${search}'` : `${url}${filled}`
  const method = operation.method === 'GET' ? '' : `-X ${operation.method} `
  const identity = operation.sources.includes('API_KEY') ? '-H "Authorization: Bearer $KONTOR_KEY"' : '-b cookies.txt'
  const head = `curl ${method}${address} \\\n  ${identity}`
  if (operation.method === 'GET' || operation.method === 'DELETE') return head
  if (operation.upload) {
    const { file: _, ...fields } = body
    return [
      head,
      ...Object.entries(fields).map(([name, value]) => ` \\\n  -F '${name}=${value}'`),
      ` \\\n  -F 'file=@receipt.pdf'`,
    ]
  }
  return [head, ` \\\n  -H 'Content-Type: application/json' \\\n  -d '`, shellQuoted(json(body, '  ')), `'`]
}

/** Escapes content for single quotes of a shell. In markup the quotes are already HTML entities. */
function shellQuoted(content: Content): Content {
  if (content instanceof Markup) return new Markup(content.text.replaceAll('&#39;', '&#39;\\&#39;&#39;'))
  if (typeof content === 'string') return content.replaceAll("'", `'\\''`)
  return Array.isArray(content) ? content.map(shellQuoted) : content
}

/** The call as an MCP tool call. */
export const toolCall = (operation: Operation): Content =>
  json({ name: operation.name, arguments: sampleInput(operation) })
