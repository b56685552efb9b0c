import { domainToASCII } from 'node:url'

/**
 * The one e-mail address that a text is, its domain in lower-case ASCII, or undefined (THR-18). Narrower than RFC 5321 on
 * purpose: what mail programs read differently (quoted names, comments, routes, encoded words, address literals) is no
 * address here.
 */
export function toAddress(text: string): string | undefined {
  const at = text.lastIndexOf('@')
  const name = text.slice(0, at)
  if (at < 1 || at > 64 || !namePart.test(name) || name.includes('=?')) return undefined
  const domain = toDomain(text.slice(at + 1))
  const address = `${name}@${domain}`
  return domain && address.length <= 254 ? address : undefined
}

// No `%`, `!`, `|` or backtick: old relays take them for routes and commands, and hardly anybody has them.
const namePart = /^(?![-/])[\w#$&'*+/=?^{}~-]+(\.[\w#$&'*+/=?^{}~-]+)*$/

const domainPart = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/

/** Percent signs and the like would be decoded on the way to ASCII, so only what can be a name gets there. */
function toDomain(text: string): string | undefined {
  if (!/^[\p{L}\p{M}\p{N}.-]+$/u.test(text)) return undefined
  const ascii = domainToASCII(text)
  return domainPart.test(ascii) ? ascii : undefined
}
