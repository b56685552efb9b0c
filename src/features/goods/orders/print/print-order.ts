import type { PrintOrder } from '../../../../core/define/services.ts'
import {
  fileNameOf,
  languagesOf,
  type Print,
  type Printer,
  type PrintLanguage,
  printLanguages,
  type Reader,
  typesetModel,
} from '../../../selling/documents/print/print.ts'
import { rowsMax, tooLong } from '../../../selling/documents/print/print-length.ts'
import type { Languages } from '../../../selling/documents/print/print-model.ts'
import { printedRows } from '../../../selling/documents/print/printed-rows.ts'
import { toOrderModel } from './order-model.ts'
import { type OrderPrintData, readOrderPrintData } from './print-data.ts'

type PrintRequest = { id: string; language?: PrintLanguage | undefined }

/** Prints an order as PDF; typesetting happens outside any transaction. A draft is marked as one. */
export async function printOrder(printer: Printer, read: Reader, { id, language }: PrintRequest): Promise<Print> {
  const data = await read((db) => readOrderPrintData(db, id))
  const languages: Languages = languagesOf(data, language)
  const { logo, row } = data
  return typesetModel(printer, { logo, organizationId: row.organizationId }, (path) =>
    toOrderModel(data, { languages, logo: path }),
  )
}

/** The name of the PDF of an order. */
export const orderFileName = (data: OrderPrintData, language: PrintLanguage | undefined): string =>
  fileNameOf(toOrderModel(data, { languages: languagesOf(data, language), logo: null }).title)

/** Refuses an order that is too long to print, before it is mailed. */
export function refuseTooLongOrder(data: OrderPrintData) {
  const rows = printedRows(toOrderModel(data, { languages: languagesOf(data, undefined), logo: null }))
  if (rows > rowsMax) throw tooLong(rows)
}

/** Prints an order as the attachment of a message. */
export const createPrintOrder =
  (printer: Printer): PrintOrder =>
  async (read, { orderId, language }) => {
    const known = printLanguages.find((each) => each === language)
    const { fileName, pdf } = await printOrder(printer, read, { id: orderId, language: known })
    return { fileName, contentType: 'application/pdf', content: Buffer.from(pdf) }
  }
