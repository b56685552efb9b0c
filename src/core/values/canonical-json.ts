import { stringEnd } from './json-limits.ts'

// The same text for all JSON texts with the same content: keys sorted, no white space, uniform escapes. Numbers stay as
// written, so 1.0 is not 1: parsing them could make different numbers equal. Expects valid JSON of limited depth.
export function canonicalJson(text: string): string {
  return value(text, skip(text, 0)).canonical
}

// A value in its canonical form, and where the text goes on after it.
type Read = { canonical: string; end: number }

function value(text: string, start: number): Read {
  switch (text[start]) {
    case '{':
      return object(text, start)
    case '[':
      return array(text, start)
    case '"':
      return string(text, start)
    default:
      return literal(text, start)
  }
}

function object(text: string, start: number): Read {
  const members = new Map<string, string>() // The last value of a repeated key counts, as in JSON.parse.
  let at = skip(text, start + 1)
  while (text[at] !== '}') {
    const key = string(text, at)
    const member = value(text, skip(text, skip(text, key.end) + 1))
    members.set(key.canonical, member.canonical)
    at = next(text, member.end)
  }
  const sorted = [...members].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, member]) => `${key}:${member}`)
  return { canonical: `{${sorted.join()}}`, end: at + 1 }
}

function array(text: string, start: number): Read {
  const elements: string[] = []
  let at = skip(text, start + 1)
  while (text[at] !== ']') {
    const element = value(text, at)
    elements.push(element.canonical)
    at = next(text, element.end)
  }
  return { canonical: `[${elements.join()}]`, end: at + 1 }
}

function string(text: string, start: number): Read {
  const end = stringEnd(text, start) + 1
  return { canonical: JSON.stringify(JSON.parse(text.slice(start, end))), end }
}

function literal(text: string, start: number): Read {
  let end = start
  while (end < text.length && !',]} \n\r\t'.includes(text.charAt(end))) end++
  return { canonical: text.slice(start, end), end }
}

// Past white space, and past a comma when there is one.
function next(text: string, at: number): number {
  const end = skip(text, at)
  return text[end] === ',' ? skip(text, end + 1) : end
}

function skip(text: string, at: number): number {
  let end = at
  while (end < text.length && ' \n\r\t'.includes(text.charAt(end))) end++
  return end
}
