/** The header of a message with the empty line after it, and its body. */
export function headOf(source: Buffer): { head: Buffer; body: Buffer } {
  const end = source.indexOf('\r\n\r\n')
  const at = end < 0 ? source.length : end + 4
  return { head: source.subarray(0, at), body: source.subarray(at) }
}

/** The fields of the header: `raw` with its line ends, `value` as one line. The text has a character per byte. */
export function fieldsOf(source: Buffer): { name: string; value: string; raw: string }[] {
  const text = headOf(source).head.toString('latin1')
  return [...text.matchAll(/^([^\s:]+)[ \t]*:(.*(?:\r\n[ \t].*)*)\r\n/gm)].map(([raw, name = '', value = '']) => ({
    name: name.toLowerCase(),
    value: value.replace(/\r\n(?=[ \t])/g, '').trim(),
    raw,
  }))
}

/** ENVELOPE of RFC 3501, 7.4.2. */
export function envelopeOf(source: Buffer): Buffer {
  const fields = fieldsOf(source)
  const field = (name: string) => fields.find((each) => each.name === name)?.value
  const from = addresses(field('from'))
  const parts = [
    string(field('date')),
    string(field('subject')),
    from,
    field('sender') ? addresses(field('sender')) : from,
    field('reply-to') ? addresses(field('reply-to')) : from,
    addresses(field('to')),
    addresses(field('cc')),
    addresses(field('bcc')),
    string(field('in-reply-to')),
    string(field('message-id')),
  ]
  return Buffer.from(`(${parts.join(' ')})`, 'latin1')
}

function addresses(value: string | undefined): string {
  const all = [...(value ?? '').matchAll(/((?:"(?:[^"\\]|\\.)*"|[^,"])+)/g)]
    .map(([text]) => text.trim())
    .filter(Boolean)
  if (all.length === 0) return 'NIL'
  return `(${all.map(address).join('')})`
}

function address(text: string): string {
  const [, name = '', angled] = /^(.*?)\s*<([^<>]*)>/.exec(text) ?? []
  const [mailbox = '', host] = (angled ?? text).split('@')
  const plain = name.replace(/^"|"$/g, '').replace(/\\(.)/g, '$1')
  return `(${[string(plain || undefined), 'NIL', string(mailbox), string(host)].join(' ')})`
}

/** A quoted string; a literal for what cannot be quoted. */
export function string(text: string | undefined): string {
  if (text === undefined) return 'NIL'
  return /^[\x20-\x7e]*$/.test(text) ? `"${text.replace(/["\\]/g, '\\$&')}"` : `{${text.length}}\r\n${text}`
}
