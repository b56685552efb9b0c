import { Readable } from 'node:stream'
import { Failure } from '../../../../core/define/failure.ts'
import type { Database, Outside } from '../../../../core/define/operation.ts'
import type { PrintDocument } from '../../../../core/define/services.ts'
import type { FileAnswer } from '../../../../core/files/file.ts'
import type { TypesetRequest } from '../../../../core/outside/typesetter.ts'
import type { Language } from '../../../../core/values/language.ts'
import { readLogo } from '../../../company/settings/logo.ts'
import { keepOriginal, readOriginal } from './original.ts'
import { asIssued, type PrintData, readPrintData } from './print-data.ts'
import { rowsMax, tooLong } from './print-length.ts'
import type { Languages, PrintModel, PrintOptions } from './print-model.ts'
import { printedRows } from './printed-rows.ts'
import { toPrintModelInSlices } from './to-print-model.ts'

export const printLanguages = ['he', 'en', 'he-en'] as const
export type PrintLanguage = (typeof printLanguages)[number]

export type Print = { fileName: string; pdf: Uint8Array }
/** Runs a short transaction of the caller. */
export type Reader = <T>(work: (db: Database) => Promise<T>) => Promise<T>
export type Printer = Pick<Outside, 'typesetter' | 'storage'>
type DocumentPrinter = Printer & Pick<Outside, 'clearBeforeOriginal'>

/** Customers get the original, but a flagged copy of a document that was cancelled or whose payment was voided. */
type PrintRequest = { id: string; language?: PrintLanguage | undefined; copy: boolean; forCustomer?: boolean }

/**
 * Prints a document as PDF; typesetting happens outside any transaction. Customers get the original, by mail or on their
 * page: it is printed once, kept, and given out unchanged from then on. A draft is always marked as one, and a print in
 * another language than the document's own is a copy.
 */
export async function printDocument(
  printer: DocumentPrinter,
  read: Reader,
  { id, language, copy, forCustomer = false }: PrintRequest,
): Promise<Print> {
  const data = await read((db) => readPrintData(db, id))
  const languages = languagesOf(data, language)
  if (data.row.status === 'DRAFT') return typeset(printer, data, { languages, copy: 'draft' })
  const isOwnLanguage = language === undefined || language === data.language
  const isFlagged = forCustomer && (data.row.cancelledAt !== null || data.paymentVoided)
  if (copy || isFlagged || !isOwnLanguage) return typeset(printer, data, { languages, copy: 'copy' })
  const current = lacksNumber(data) ? await withNumber(printer, read, data) : data
  if (current.original) return readOriginal(printer.storage, current.original)
  return keepOriginal(
    printer.storage,
    read,
    id,
    await typeset(printer, asIssued(current), { languages, copy: 'original' }),
  )
}

/** The original never changes, so it is printed with the number of the tax authority if that can be had in time. */
const lacksNumber = ({ row, original, country, sale }: PrintData) =>
  !original && row.vatAllocationNumber === null && country.documents.needsAllocationNumber(sale)

async function withNumber(printer: DocumentPrinter, read: Reader, { row }: PrintData): Promise<PrintData> {
  await printer.clearBeforeOriginal(row.organizationId, row.id)
  return read((db) => readPrintData(db, row.id))
}

/** Prints what was read, as the options say. */
export const typeset = (printer: Printer, data: PrintData, options: Omit<PrintOptions, 'logo'>): Promise<Print> =>
  typesetModel(printer, { logo: data.logo, organizationId: data.row.organizationId }, (logo) =>
    toPrintModelInSlices(data, { ...options, logo }),
  )

/** Prints a copy of a document with its e-invoice attached (Factur-X). The kept original stays as it is. */
export const printWithEInvoice = (printer: Printer, data: PrintData, einvoice: string): Promise<Print> =>
  typesetModel(printer, { logo: data.logo, organizationId: data.row.organizationId, einvoice }, (logo) =>
    toPrintModelInSlices(data, { languages: [data.language], copy: 'copy', logo }),
  )

type Letterhead = { logo: PrintData['logo']; organizationId: string; einvoice?: string }

/** Prints the texts that `toModel` gives for the path of the logo. What is too long to print is refused. */
export const typesetModel = (
  printer: Printer,
  letterhead: Letterhead,
  toModel: (logo: string | null) => PrintModel | Promise<PrintModel>,
): Promise<Print> =>
  typesetSheet(printer, letterhead, async (logo) => {
    const data = await toModel(logo)
    const isLong = data.lines.length > linesOfPageMax
    return { template: 'sales-document', data, title: data.title, rows: printedRows(data), isLong }
  })

/** A template with its texts; the title becomes the name of the file. */
type Sheet = Pick<TypesetRequest, 'template' | 'data' | 'rows'> & { title: string; isLong: boolean }

/** Prints the sheet that `toSheet` gives for the path of the logo. */
export async function typesetSheet(
  printer: Printer,
  { logo: file, organizationId, einvoice }: Letterhead,
  toSheet: (logo: string | null) => Sheet | Promise<Sheet>,
): Promise<Print> {
  const typesetWith = async (logo: PrintedLogo | undefined) => {
    const { title, ...sheet } = await toSheet(logo?.path ?? null)
    if (sheet.rows > rowsMax) throw tooLong(sheet.rows)
    const pictures = logo ? [logo] : []
    const request = { ...sheet, pictures, organizationId, ...(einvoice !== undefined && { einvoice }) }
    return { fileName: fileNameOf(title), pdf: await printer.typesetter.typeset(request) }
  }
  const logo = await printedLogo(printer, file)
  if (!logo) return typesetWith(undefined)
  return typesetWith(logo).catch((error) => {
    if (error instanceof Failure && error.status < 500) throw error
    return typesetWith(undefined) // a damaged logo is left out
  })
}

/** Prints the original of a document, or a copy, as the attachment of a message. */
export const createPrintDocument =
  (printer: DocumentPrinter): PrintDocument =>
  async (read, documentId, { copy = false } = {}) => {
    const { fileName, pdf } = await printDocument(printer, read, { id: documentId, copy, forCustomer: true })
    return { fileName, contentType: 'application/pdf', content: Buffer.from(pdf) }
  }

/** No page holds more lines than this. */
const linesOfPageMax = 40

/** The print as the answer of an operation; `inline` for a browser to show it. */
export function toFile({ fileName, pdf }: Print, { inline = false } = {}): FileAnswer {
  const bytes = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength)
  const open = async () => Readable.from([bytes])
  return { fileName, fileType: 'application/pdf', fileSize: bytes.length, open, bytes, ...(inline && { inline }) }
}

/** The requested languages, or the language of the document. */
export const languagesOf = ({ language }: { language: Language }, requested: PrintLanguage | undefined): Languages =>
  requested === 'he-en' ? ['he', 'en'] : [requested ?? language]

type PrintedLogo = { path: string; bytes: Uint8Array }

/** The logo of the organization. A document is printed without it if the file is missing or fails inspection (FLT-13). */
async function printedLogo({ storage }: Printer, logo: PrintData['logo']): Promise<PrintedLogo | undefined> {
  if (!logo) return undefined
  try {
    const { extension, bytes } = await readLogo(storage, logo)
    return { path: `/logo.${extension}`, bytes: new Uint8Array(bytes) }
  } catch {
    return undefined
  }
}

/** `Tax Invoice INV-0001.pdf`, without characters that file systems refuse. */
export const fileNameOf = (title: string) =>
  `${title.replace(/[\\/:*?"<>|\p{Cc}]+/gu, '-').replace(/\s*-\s*/g, (dash) => dash.trim())}.pdf`
