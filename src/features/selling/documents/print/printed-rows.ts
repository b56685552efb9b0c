import type { PrintModel } from './print-model.ts'

/** Characters that fit in a row of the description column, and in one across the page. */
const [descriptionWidth, pageWidth] = [55, 90]

/** About how many rows of text a document prints. Decides whether it can be printed and which threads print it. */
export function printedRows(model: PrintModel): number {
  const { issuer, customer, foot, tables } = model
  const others = [issuer.lines, customer.lines, foot].map((texts) => rowsOf(texts, pageWidth))
  return sum([contentRows(model), ...others, ...tables.map(({ rows }) => rows.length)])
}

type Content = { lines: readonly { description: readonly string[] }[]; notes: { texts: readonly string[] } | null }

/** The rows of the descriptions and notes. */
export const contentRows = ({ lines, notes }: Content): number =>
  sum([
    ...lines.map(({ description }) => Math.max(1, rowsOf(description, descriptionWidth))),
    rowsOf(notes?.texts ?? [], pageWidth),
  ])

const rowsOf = (texts: readonly string[], width: number) => sum(texts.map((text) => Math.ceil(text.length / width)))

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)
