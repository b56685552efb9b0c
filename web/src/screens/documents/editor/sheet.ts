import { readNumber } from '../../../ui/forms/number-field.tsx'
import { emptyLine, type Line } from './draft.ts'

/**
 * Lines from rows that were copied from a sheet: description; description and price; or description, quantity and price, with
 * a discount such as 10% after it. A row of headings is left out. Undefined if the text is no rows.
 */
export function linesOf(text: string): Line[] | undefined {
  if (!/[\t\n]/.test(text.trim())) return undefined
  const rows = text
    .split(/\r?\n/)
    .filter((row) => row.trim() !== '')
    .map((row) => row.split('\t').map((cell) => cell.trim()))
  const lines = rows.filter((row, at) => at > 0 || !isHeading(row)).map(toLine)
  return lines.length > 0 ? lines : undefined
}

const isNumber = (cell: string | undefined) =>
  cell !== undefined && /\d/.test(cell) && /^[^\p{L}]*$/u.test(cell.replace(/^[A-Z]{2,3}\$?|[A-Z]{3}$/g, ''))

/** The first row of a table with several columns and no number in it. */
const isHeading = (row: readonly string[]) => row.length > 1 && !row.slice(1).some(isNumber)

function toLine([description = '', ...cells]: readonly string[]): Line {
  const line = { ...emptyLine(), description }
  const numbers = cells.filter(isNumber)
  const [first, second, third] = numbers
  if (first === undefined) return line
  if (second === undefined) return { ...line, unitPrice: readNumber(first) }
  const discountPercent = third?.includes('%') ? readNumber(third) : null
  return { ...line, quantity: readNumber(first), unitPrice: readNumber(second), discountPercent }
}
