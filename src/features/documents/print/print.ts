import { Readable } from 'node:stream'
import type { Outside } from '../../../core/define/operation.ts'
import type { PrintDocument } from '../../../core/define/services.ts'
import type { FileAnswer } from '../../../core/files/file.ts'
import type { Language } from '../../../core/values/language.ts'
import { readLogo } from '../../settings/logo.ts'
import { type PrintData, readPrintData } from './print-data.ts'
import { type Languages, type PrintModel, toPrintModel } from './print-model.ts'

export const printLanguages = ['he', 'en', 'he-en'] as const
export type PrintLanguage = (typeof printLanguages)[number]

export type Print = { fileName: string; pdf: Uint8Array }
type Printer = Pick<Outside, 'typesetter' | 'storage'>

/**
 * Prints a document as PDF. `read` is a short transaction of the caller's own; the rest happens outside of any.
 * What goes to the customer, by mail or on their page, is the original; a draft is marked as one whatever is asked for.
 */
export async function printDocument(
  printer: Printer,
  read: <T>(work: (db: Parameters<typeof readPrintData>[0]) => Promise<T>) => Promise<T>,
  { id, language, copy }: { id: string; language?: PrintLanguage | undefined; copy: boolean },
): Promise<Print> {
  const facts = await read((db) => readPrintData(db, id))
  const printing = {
    languages: languagesOf(facts, language),
    copy: facts.row.status === 'DRAFT' ? ('draft' as const) : copy ? ('copy' as const) : ('original' as const),
  }
  const set = async (logo: PrintedLogo | undefined) => {
    const paper = toPrintModel(facts, { ...printing, logo: logo?.path ?? null })
    const isLong = paper.lines.length > linesOfPageMax
    const sheet = { template: 'sales-document' as const, data: paper, pictures: logo ? [logo] : [], isLong }
    return { fileName: fileNameOf(paper), pdf: await printer.typesetter.typeset(sheet) }
  }
  const logo = await logoOf(printer, facts)
  return logo ? set(logo).catch(() => set(undefined)) : set(undefined) // a picture that is damaged costs no document
}

/** Prints the original of a document as the attachment of a message. */
export const createPrintDocument =
  (printer: Printer): PrintDocument =>
  async (read, documentId) => {
    const { fileName, pdf } = await printDocument(printer, read, { id: documentId, copy: false })
    return { fileName, contentType: 'application/pdf', content: Buffer.from(pdf) }
  }

/** More lines than the largest page holds. */
const linesOfPageMax = 40

/** The print as a file that answers a call. */
export const toFile = ({ fileName, pdf }: Print): FileAnswer => ({
  fileName,
  fileType: 'application/pdf',
  fileSize: pdf.byteLength,
  open: async () => Readable.from([Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength)]),
})

/** As asked; else Hebrew where it was chosen, English for customers abroad, and the country's own. */
function languagesOf(
  { settings, country, sale: { customer } }: PrintData,
  asked: PrintLanguage | undefined,
): Languages {
  if (asked) return asked === 'he-en' ? ['he', 'en'] : [asked]
  const { languages } = country.documents
  const isAbroad = customer.country !== null && customer.country !== country.code
  const wanted: Language = isAbroad ? 'en' : settings?.language === 'he' ? 'he' : languages[0]
  return [languages.includes(wanted) ? wanted : languages[0]]
}

type PrintedLogo = { path: string; bytes: Uint8Array }

/** The logo of the organization. A document is printed without it if the file is missing or fails inspection (FLT-13). */
async function logoOf({ storage }: Printer, { settings }: PrintData): Promise<PrintedLogo | undefined> {
  const { storageKey, fileType = null, fileSize = null } = settings ?? {}
  if (!storageKey) return undefined
  try {
    const { extension, bytes } = await readLogo(storage, { storageKey, fileType, fileSize })
    return { path: `/logo.${extension}`, bytes: new Uint8Array(bytes) }
  } catch {
    return undefined
  }
}

/** `Tax Invoice INV-0001.pdf`, without what file systems refuse. */
const fileNameOf = ({ title }: PrintModel) =>
  `${title.replace(/[\\/:*?"<>|\p{Cc}]+/gu, '-').replace(/\s*-\s*/g, (dash) => dash.trim())}.pdf`
