import { findCountry } from '../../../../countries/countries.ts'

export type PostalAddress = {
  /** Street lines, at most three. */
  lines: string[]
  city: string | null
  postcode: string | null
  subdivision: string | null
  country: string
}

/** Postal codes of other countries: letters in some, otherwise four to seven digits. */
const otherPostcodes: Record<string, RegExp> = {
  GB: /\b[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}\b/i,
  CA: /\b[A-Z]\d[A-Z] ?\d[A-Z]\d\b/i,
  NL: /\b\d{4} ?[A-Z]{2}\b/i,
  IE: /\b[A-Z]\d[\dW] ?[A-Z\d]{4}\b/i,
}
const usualPostcode = /\b\d{4,7}\b/

/**
 * The parts of an address that people wrote as one text. The postal code is looked for in the last parts, because the first
 * ones have the numbers of houses. What is beside it is the city, or in the United States the state.
 */
export function toPostalAddress(text: string | null, country: string): PostalAddress {
  const hasLines = /\n/.test(text ?? '')
  const parts = (text ?? '')
    .split(hasLines ? /\s*\n\s*/ : /\s*,\s*/)
    .map((part) => part.replace(/\s+/g, ' ').trim())
    .filter(Boolean)
  const pattern = findCountry(country)?.einvoices.postcode ?? otherPostcodes[country] ?? usualPostcode
  const [only] = parts
  if (only !== undefined && parts.length === 1) return inOnePart(only, { pattern, country })
  const at = parts.findLastIndex((part, index) => pattern.test(part) && index > 0)
  const postcode = pattern.exec(parts[at] ?? '')?.[0] ?? null
  if (at < 0 || postcode === null) return { ...withoutParts(country), lines: toLines(parts, hasLines) }
  const beside = (parts[at] ?? '')
    .replace(pattern, ' ')
    .replace(/[\s()]+/g, ' ')
    .replace(/^[\s,]+|[\s,]+$/g, '')
  const [, place = beside, subdivision = null] = /^(?:(.*?)[ ,]+)?([A-Z]{2})$/.exec(beside) ?? []
  const streets = parts.filter((_, index) => index !== at)
  const isAlone = subdivision !== null && place === beside
  const city = isAlone ? (streets.length > 1 ? streets.pop() : undefined) : place
  return {
    lines: toLines(streets, hasLines),
    city: city || null,
    postcode,
    subdivision: subdivision || null,
    country,
  }
}

/** A text in one part: only a number at its end is the postal code, since one at its beginning is that of the house. */
function inOnePart(text: string, { pattern, country }: { pattern: RegExp; country: string }): PostalAddress {
  const postcode = new RegExp(`(?<=\\S[\\s(]+)(?:${pattern.source})(?=\\)?$)`, pattern.flags).exec(text)?.[0]
  if (postcode === undefined) return { ...withoutParts(country), lines: [text] }
  const street = text.slice(0, text.lastIndexOf(postcode)).replace(/[\s(]+$/, '')
  return { ...withoutParts(country), lines: [street], postcode }
}

const withoutParts = (country: string) => ({ city: null, postcode: null, subdivision: null, country })

/** Three lines at most; a text without line breaks stays on one. */
function toLines(parts: readonly string[], hasLines: boolean): string[] {
  if (!hasLines) return parts.length > 0 ? [parts.join(', ')] : []
  return parts.length > 3 ? [...parts.slice(0, 2), parts.slice(2).join(', ')] : [...parts]
}
