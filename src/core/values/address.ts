import { domainToASCII } from 'node:url'

/**
 * The e-mail address in a text, with its domain in lower-case ASCII; undefined if the text is anything else (THR-18).
 * Narrower than RFC 5321 on purpose: what mail programs read differently (quoted names, comments, routes, encoded words,
 * address literals) is refused.
 */
export function toAddress(text: string): string | undefined {
  const at = text.lastIndexOf('@')
  const name = text.slice(0, at)
  if (at < 1 || at > 64 || !namePart.test(name) || name.includes('=?')) return undefined
  const domain = toDomain(text.slice(at + 1))
  const address = `${name}@${domain}`
  return domain && address.length <= 254 ? address : undefined
}

/**
 * The text that counters use for an address. Every spelling that the database takes for the same account gives the same
 * text, whatever its locale makes of capital letters: JavaScript and PostgreSQL differ for the dotted capital I, for
 * example. So it may be the same for a few different addresses, which then share a counter.
 */
export const addressSubject = (text: string): string =>
  text.trim().normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().toUpperCase().toLowerCase()

// No `%`, `!`, `|` or backtick: old relays read them as routes and commands, and few addresses have them.
const namePart = /^(?![-/])[\w#$&'*+/=?^{}~-]+(\.[\w#$&'*+/=?^{}~-]+)*$/

const domainPart = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/

/** Percent signs and the like would be decoded by the conversion to ASCII, so they are refused before it. */
function toDomain(text: string): string | undefined {
  if (!/^[\p{L}\p{M}\p{N}.-]+$/u.test(text)) return undefined
  const ascii = domainToASCII(text)
  return domainPart.test(ascii) ? ascii : undefined
}
