/** The e-mail addresses in a text, as people paste them: on lines, with commas, or with names; each once. */
export function addressesIn(text: string): string[] {
  const parts = text
    .replace(/"[^"]*"/g, '')
    .split(/[\n,;]+/)
    .flatMap((part) => part.match(/[^\s<>"]+@[^\s<>"]+/g) ?? part.trim())
  return [...new Map(parts.filter(Boolean).map((address) => [address.toLowerCase(), address])).values()]
}
