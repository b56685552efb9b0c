const depthMax = 32
const keysMax = 10_000

// Why a JSON text must not be parsed, found in one pass before JSON.parse allocates anything. Text that is not JSON may
// pass: the parser refuses it.
export function jsonProblem(text: string): string | undefined {
  let depth = 0
  let keys = 0
  let open = 0 // Where the last string seen opens and closes; when a colon follows, it is a key.
  let close = 0
  let end = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    switch (code) {
      case 0x22: // "
        open = at
        close = stringEnd(text, open)
        at = close
        break
      case 0x3a: // :
        if (++keys > keysMax) return `The JSON has more than ${keysMax} keys.`
        if (isProto(text, open, close)) return 'The JSON has a key named __proto__, which is not allowed.'
        break
      case 0x5b: // [
      case 0x7b: // {
        if (++depth > depthMax) return `The JSON is nested more than ${depthMax} levels deep.`
        break
      case 0x5d: // ]
      case 0x7d: // }
        depth--
        break
      default:
        if (code < 0x30 || code > 0x39) break // not a digit
        end = numberEnd(text, at)
        if (isTooLarge(text, at, end)) return 'The JSON has a number that is too large to be read, such as 1e309.'
        at = end - 1
    }
  }
  return undefined
}

// Where the string that opens at `open` closes, or the end of the text.
export function stringEnd(text: string, open: number): number {
  for (let at = open + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x22) return at
    if (code === 0x5c) at++ // A backslash: the next character does not close the string.
  }
  return text.length
}

function numberEnd(text: string, start: number): number {
  let end = start
  while (end < text.length && numberCharacters.includes(text.charAt(end))) end++
  return end
}

const numberCharacters = '0123456789.eE+-'

// JSON.parse would make Infinity of it, and JSON.stringify null of that. A number of few digits without an exponent is smaller.
const isTooLarge = (text: string, start: number, end: number): boolean =>
  (end - start > 300 || /e/i.test(text.slice(start, end))) && Math.abs(Number(text.slice(start, end))) === Infinity

// A key that is too long is not read, so that a text with many colons does not have it read each time.
function isProto(text: string, open: number, close: number): boolean {
  if (close - open > protoLengthMax || !'_\\'.includes(text.charAt(open + 1))) return false
  const key = text.slice(open + 1, close)
  return key.replace(/\\u([0-9a-f]{4})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))) === '__proto__'
}

const protoLengthMax = '"'.length + '\\u005f'.length * '__proto__'.length
