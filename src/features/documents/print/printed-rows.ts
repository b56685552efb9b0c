import type { PrintModel } from './print-model.ts'

/** Characters that fit in a row of the description column, and in one across the page. */
const [descriptionWidth, pageWidth] = [55, 90]

/** About how many rows of text a document prints. Decides whether it can be printed and which threads print it. */
export function printedRows({ lines, notes, issuer, customer, foot, tables }: PrintModel): number {
  const descriptions = lines.map(({ description }) => Math.max(1, rowsOf(description, descriptionWidth)))
  const others = [notes?.texts ?? [], issuer.lines, customer.lines, foot].map((texts) => rowsOf(texts, pageWidth))
  return sum([...descriptions, ...others, ...tables.map(({ rows }) => rows.length)])
}

const rowsOf = (texts: readonly string[], width: number) => sum(texts.map((text) => Math.ceil(text.length / width)))

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)
