import { editDistance } from '../../../core/values/edit-distance.ts'
import type { ReadRow } from './figures.ts'
import type { Segment } from './text/rows.ts'

/** Long words of business names, which a word of doubtful print is compared with. */
const longWords = (
  'ENTERPRISE ENTERPRISES TRADING RESTAURANT RESTORAN CONFECTIONERY BAKERIES SUPERMARKET HYPERMARKET MINIMARKET STATIONERY ' +
  'STATIONERS HARDWARE PHARMACY PERNIAGAAN PERUSAHAAN SYARIKAT PASARAYA KOPITIAM SERVICES SUPPLIES WORKSHOP BOOKSTORE ELECTRICAL ' +
  'ELECTRONICS ADVERTISING INDUSTRIES HOLDINGS BROTHERS PRINTING FURNITURE TAILORING HANDICRAFT MARKETING SOLUTIONS CONSULTING ' +
  'LOGISTICS ASSOCIATES WHOLESALE DISTRIBUTORS MANUFACTURING ENGINEERING CONSTRUCTION TECHNOLOGY TECHNOLOGIES INTERNATIONAL ' +
  'COMMUNICATIONS TRANSPORT LAUNDRY GALLERY BOUTIQUE VETERINARY COMPANY LIMITED CORPORATION'
).split(' ')

const doubtful = 0.85
const certain = 0.95

/** The words of the document that the engine is sure of. */
export const sureWords = (rows: readonly ReadRow[]): ReadonlySet<string> =>
  new Set(
    rows.flatMap(({ tokens }) =>
      tokens.flatMap(({ text, confidence }) =>
        confidence >= certain && /^[A-Za-zא-ת]{4,}[.,]?$/.test(text) ? [bare(text)] : [],
      ),
    ),
  )

const bare = (text: string): string => text.replace(/[.,]$/, '').toUpperCase()

/**
 * A line of a name, in which each word of doubtful print is replaced by the word that it nearly is: one that stands elsewhere in
 * the document, or a common word of business names.
 */
export function correctedText({ row, start, end }: Segment & { row: ReadRow }, words: ReadonlySet<string>): string {
  return row.tokens
    .filter((token) => start <= token.start && token.end <= end)
    .map(({ text, confidence }) =>
      confidence < doubtful && /^[A-Za-zא-ת0-9]{4,}[.,]?$/.test(text) ? corrected(text, words) : text,
    )
    .join(' ')
}

function corrected(text: string, words: ReadonlySet<string>): string {
  const word = bare(text)
  if (words.has(word) || longWords.includes(word)) return text
  const found =
    [...words].find((other) => other.length === word.length && editDistance(word, other, 1) === 1) ??
    longWords.find(
      (other) =>
        other.length >= 7 && editDistance(word, other, other.length > 10 ? 2 : 1) <= (other.length > 10 ? 2 : 1),
    )
  if (!found) return text
  return /[a-z]/.test(text) ? found.charAt(0) + found.slice(1).toLowerCase() : found
}
