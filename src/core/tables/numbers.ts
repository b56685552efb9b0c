import { exact } from '../values/money.ts'
import type { Cell } from './table.ts'

// Marks that only affect the direction of text, and the usual signs of currencies.
const ignored = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
const currencySigns = /^(?:[A-Z]{3}|[₪$€£¥₽₹]|NT\$|S\$|US\$|ש["״']?ח)\s*|\s*(?:[A-Z]{3}|[₪$€£¥₽₹%]|ש["״']?ח)$/giu

export type DecimalMark = '.' | ','

/**
 * Which character separates decimals in this number, if that is clear: 1.234,56 has a comma and 1,234.5 a point, while 1,234
 * may be both.
 */
export function decimalMarkOf(cell: Cell): DecimalMark | undefined {
  if (typeof cell !== 'string') return undefined
  const digits = plainDigits(cell)?.digits
  if (digits === undefined) return undefined
  const [point, comma] = [digits.lastIndexOf('.'), digits.lastIndexOf(',')]
  if (point >= 0 && comma >= 0) return point > comma ? '.' : ','
  if (point < 0 && comma < 0) return undefined
  const mark = point >= 0 ? '.' : ','
  const other = mark === '.' ? ',' : '.'
  if (digits.indexOf(mark) !== digits.lastIndexOf(mark)) return other // several: they group thousands
  const [whole = '', fraction = ''] = digits.split(mark)
  return fraction.length === 3 && /^[1-9]\d{0,2}$/.test(whole) ? undefined : mark
}

/** The number as decimal text with a point, such as -1234.56; undefined if it is none. */
export function toDecimal(cell: Cell, usualMark: DecimalMark): string | undefined {
  if (typeof cell === 'number') return exact(cell).toFixed()
  if (typeof cell !== 'string') return undefined
  const plain = plainDigits(cell)
  if (!plain) return undefined
  const { digits, isNegative } = plain
  const mark = decimalMarkOf(cell) ?? usualMark
  const group = mark === '.' ? ',' : '.'
  const at = digits.indexOf(mark)
  const whole = at < 0 ? digits : digits.slice(0, at)
  const fraction = at < 0 ? '' : digits.slice(at + 1)
  const isGrouped = whole.includes(group)
  if (isGrouped && !(group === ',' ? /^\d{1,3}(,\d{2,3})*,\d{3}$/ : /^\d{1,3}(\.\d{3})+$/).test(whole)) return undefined
  const number = `${whole.replaceAll(group, '') || '0'}${fraction && `.${fraction}`}`
  if (!/^\d{1,30}(\.\d{1,30})?$/.test(number)) return undefined
  const normal = exact(number).toFixed()
  return isNegative && normal !== '0' ? `-${normal}` : normal
}

/** Digits and separators, without signs, currencies and spaces between thousands. */
function plainDigits(text: string): { digits: string; isNegative: boolean } | undefined {
  let rest = text.normalize('NFKC').replace(ignored, '').replaceAll('−', '-').trim()
  let negative = 0
  const inParentheses = /^\((.*)\)$/s.exec(rest)
  if (inParentheses) [negative, rest] = [negative + 1, inParentheses[1] ?? '']
  for (let before = ''; before !== rest; ) {
    before = rest
    rest = rest.replace(currencySigns, '').trim()
    if (/^-|-$/.test(rest)) [negative, rest] = [negative + 1, rest.replace(/^-|-$/, '').trim()]
    rest = rest.replace(/^\+/, '').trim()
  }
  if (negative > 1) return undefined
  if (/^\d{1,3}(?:[ ']\d{3})+(?:[.,]\d*)?$/.test(rest)) rest = rest.replace(/[ ']/g, '')
  return /^[\d.,]*\d[\d.,]*$/.test(rest) ? { digits: rest, isNegative: negative === 1 } : undefined
}
