import { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { Count, nullable, type Static, Text, Type } from '../../../../core/define/schema.ts'
import type { FileAnswer } from '../../../../core/files/file.ts'
import { exact, minorDigits } from '../../../../core/values/money.ts'
import { FileProblems } from '../../../../features/books/statutory/file-problem.ts'

const Listing = Type.Object({ count: Count, total: Type.Number(), tax: Type.Number() })

export const AuditFileReport = Type.Object({
  from: Text,
  to: Text,
  currency: Text,
  company: Type.Object({ name: Text, uen: nullable(Text), gstNumber: nullable(Text) }),
  purchases: Listing,
  supplies: Listing,
  ledger: Type.Object({ currency: Text, count: Count, totalDebit: Type.Number(), totalCredit: Type.Number() }),
  problems: FileProblems,
  problemsIncomplete: Type.Boolean(),
})
export type AuditFileReport = Static<typeof AuditFileReport>

/** A field of a record: its name, and the most characters that it has. */
type Field = readonly [name: string, width: number]

/**
 * A section of the file: `open` and `close` are the words around it in a text file, `element` and `line` its elements in an XML file.
 * The totals follow `close`, or are attributes of the element.
 */
type Section = { open: string; close: string; element: string; line: string; fields: readonly Field[] }

// IRAS, guide on accounting software: the IRAS audit file, version 2.0.0.
export const version = 'IAFv2.0.0'

export const sections = {
  company: {
    open: 'CompInfoStart', close: 'CompInfoEnd', element: 'CompanyInfo', line: '',
    fields: [
      ['CompanyName', 100], ['CompanyUEN', 16], ['GSTNo', 16], ['PeriodStart', 10], ['PeriodEnd', 10], ['IAFCreationDate', 10],
      ['ProductVersion', 100], ['IAFVersion', 100],
    ],
  },
  purchases: {
    open: 'PurcDataStart', close: 'PurcDataEnd', element: 'Purchase', line: 'PurchaseLines',
    fields: [
      ['SupplierName', 100], ['SupplierUEN', 16], ['InvoiceDate', 10], ['InvoiceNo', 50], ['PermitNo', 20], ['LineNo', 10],
      ['ProductDescription', 250], ['PurchaseValueSGD', 17], ['GSTValueSGD', 17], ['TaxCode', 20], ['FCYCode', 3], ['PurchaseFCY', 17],
      ['GSTFCY', 17],
    ],
  },
  supplies: {
    open: 'SuppDataStart', close: 'SuppDataEnd', element: 'Supply', line: 'SupplyLines',
    fields: [
      ['CustomerName', 100], ['CustomerUEN', 16], ['InvoiceDate', 10], ['InvoiceNo', 50], ['LineNo', 10], ['ProductDescription', 250],
      ['SupplyValueSGD', 17], ['GSTValueSGD', 17], ['TaxCode', 20], ['Country', 50], ['FCYCode', 3], ['SupplyFCY', 17], ['GSTFCY', 17],
    ],
  },
  ledger: {
    open: 'GLDataStart', close: 'GLDataEnd', element: 'GLData', line: 'GLDataLines',
    fields: [
      ['TransactionDate', 10], ['AccountID', 20], ['AccountName', 100], ['TransactionDescription', 250], ['Name', 100], ['TransactionID', 20],
      ['SourceDocumentID', 50], ['SourceType', 20], ['Debit', 17], ['Credit', 17], ['Balance', 17],
    ],
  },
} satisfies Record<string, Section> // biome-ignore format: a table

type Totals = readonly (readonly [name: string, value: string])[]
export type Listed = { records: readonly (readonly string[])[]; totals: Totals }
export type AuditFile = Record<keyof typeof sections, Listed>

/** An amount with two decimals, such as -1234.50, whatever the digits of its currency. */
export const amountText = (minor: number | bigint, currency: string): string =>
  exact(minor.toString())
    .div(exact(10).pow(minorDigits(currency)))
    .toFixed(2)

/** The text of a field in at most so many characters, on one line, without characters that a file cannot have. */
export function fitted(text: string, width: number): string {
  const plain = Buffer.from(text)
    .toString()
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\ufffd-\uffff]+/gu, ' ')
    .trim()
  return [...plain].slice(0, width).join('').trim()
}

const order = ['company', 'purchases', 'supplies', 'ledger'] as const

/** Records per turn of the event loop. */
const recordsPerTurn = 500

/** The file with fields that a bar ends, a record a line. A bar in a text becomes a space. */
function* textPieces(file: AuditFile): Generator<string> {
  const row = (values: readonly string[]) => `${values.map((value) => `${value.replaceAll('|', ' ')}|`).join('')}\r\n`
  for (const key of order) {
    const { open, close, fields } = sections[key]
    const { records, totals } = file[key]
    yield row([open]) + row(fields.map(([name]) => name))
    for (let at = 0; at < records.length; at += recordsPerTurn)
      yield records
        .slice(at, at + recordsPerTurn)
        .map((record) => row(fittedRecord(record, fields)))
        .join('')
    yield row([close, ...totals.map(([, value]) => value)])
  }
}

function* xmlPieces(file: AuditFile): Generator<string> {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n<Company>\n'
  for (const key of order) {
    const { element, line, fields } = sections[key]
    const { records, totals } = file[key]
    const of = (record: readonly string[]) =>
      fittedRecord(record, fields)
        .map((value, at) => `<${fields[at]?.[0]}>${escaped(value)}</${fields[at]?.[0]}>`)
        .join('')
    yield `<${element}${totals.map(([name, value]) => ` ${name}="${escaped(value)}"`).join('')}>\n`
    for (let at = 0; at < records.length; at += recordsPerTurn)
      yield records
        .slice(at, at + recordsPerTurn)
        .map((record) => (line ? `<${line}>${of(record)}</${line}>\n` : `${of(record)}\n`))
        .join('')
    yield `</${element}>\n`
  }
  yield '</Company>\n'
}

const fittedRecord = (record: readonly string[], fields: readonly Field[]) =>
  fields.map(([, width], at) => fitted(record[at] ?? '', width))

const marks: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string) => text.replace(/[&<>"]/g, (mark) => marks[mark] ?? mark)

/** The file as the answer of `format=txt` or `format=xml`, in UTF-8. */
export function auditFileAnswer(
  file: AuditFile,
  { name, format }: { name: string; format: 'txt' | 'xml' },
): FileAnswer {
  const [fileType, pieces] =
    format === 'txt' ? (['text/plain', textPieces] as const) : (['application/xml', xmlPieces] as const)
  return { fileName: `${name}.${format}`, fileType, open: async () => Readable.from(inTurns(pieces(file))) }
}

async function* inTurns(pieces: Iterable<string>) {
  for (const piece of pieces) {
    yield Buffer.from(piece)
    await turn()
  }
}
