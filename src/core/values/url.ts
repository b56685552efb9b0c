/**
 * Parses an address; undefined if it is none. `URL.canParse` is not used: once V8 has optimized it, Node.js 20 calls every
 * text with letters such as ü invalid.
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}
