import { invalid } from '../../../core/define/failure.ts'
import type { Warning } from '../../../core/define/schema.ts'
import { contentRows } from './printed-rows.ts'
import { linesOf } from './text.ts'

/** About 200 pages, which take some seconds. A thousand lines of ten rows each can be printed. */
export const rowsMax = 10_000

const tooLongSentence = (rows: number) =>
  `This document would print about ${rows.toLocaleString('en')} rows of text, and at most ${rowsMax.toLocaleString('en')} are printed. Shorten the descriptions, or split the document.`

export const tooLong = (rows: number) => invalid('items', tooLongSentence(rows), 'PRINT_TOO_LONG')

type Written = { documentType: string; items: readonly { description: string }[]; notes: string | null }

/**
 * The rows of the texts that are known before a document is issued. The print has more: it adds addresses and tables, so what
 * the print accepts is accepted here too. A receipt may print one line instead of its lines.
 */
export const leastRows = ({ documentType, items, notes }: Written): number =>
  contentRows({
    lines: documentType === 'RECEIPT' ? [] : items.map(({ description }) => ({ description: linesOf(description) })),
    notes: notes?.trim() ? { texts: linesOf(notes) } : null,
  })

/** A document that could never be printed is not issued. */
export function refuseTooLong(written: Written) {
  const rows = leastRows(written)
  if (rows > rowsMax) throw tooLong(rows)
}

export function tooLongWarnings(written: Written): Warning[] {
  const rows = leastRows(written)
  return rows > rowsMax ? [{ code: 'PRINT_TOO_LONG', path: 'items', message: tooLongSentence(rows) }] : []
}
