import { invalid } from '../../../../core/define/failure.ts'
import type { Warning } from '../../../../core/define/schema.ts'
import { countryView } from '../country-view.ts'
import type { DocumentRow } from '../reading/read.ts'
import { contentRows } from './printed-rows.ts'
import { linesOf } from './text.ts'

/** About 200 pages, which take some seconds. A thousand lines of ten rows each can be printed. */
export const rowsMax = 10_000

const tooLongSentence = (rows: number) =>
  `This document would print about ${rows.toLocaleString('en')} rows of text, and at most ${rowsMax.toLocaleString('en')} are printed. Shorten the descriptions, or split the document.`

export const tooLong = (rows: number) => invalid('items', tooLongSentence(rows), 'PRINT_TOO_LONG')

type Written = { documentType: string; items: readonly { description: string }[]; notes: string | null }

/**
 * The rows of the texts of a draft, for its warning. The print has more: it adds addresses and tables. A receipt may print one
 * line instead of its lines.
 */
export const leastRows = ({ documentType, items, notes }: Written): number =>
  contentRows({
    lines: documentType === 'RECEIPT' ? [] : items.map(({ description }) => ({ description: linesOf(description) })),
    notes: notes?.trim() ? { texts: linesOf(notes) } : null,
  })

/**
 * A document that could never be printed is not issued. Everything that issues a document calls this with the issued row, which
 * has the addresses of the parties.
 */
export function refuseTooLong(row: DocumentRow) {
  const rows = issuedRows(row)
  if (rows > rowsMax) throw tooLong(rows)
}

/** The rows of the texts and addresses of an issued document; the print adds tables. */
export function issuedRows(row: DocumentRow): number {
  const view = countryView(row)
  if (!view) return 0
  const { sale, country } = view
  // A receipt that shows no tax prints one line instead of lines before tax.
  const hasLines = row.documentType !== 'RECEIPT' || row.taxMinor === 0 || country.documents.showsTax(sale)
  const texts = [row.notes?.trim() ? row.notes : null, sale.issuer.address, sale.customer.address]
  return contentRows({
    lines: hasLines ? row.items.map(({ description }) => ({ description: linesOf(description) })) : [],
    notes: { texts: texts.flatMap(linesOf) },
  })
}

export function tooLongWarnings(written: Written): Warning[] {
  const rows = leastRows(written)
  return rows > rowsMax ? [{ code: 'PRINT_TOO_LONG', path: 'items', message: tooLongSentence(rows) }] : []
}
