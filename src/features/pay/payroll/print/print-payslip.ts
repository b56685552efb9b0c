import type { PrintPayslip } from '../../../../core/define/services.ts'
import { type Print, type Printer, type Reader, typesetSheet } from '../../../selling/documents/print/print.ts'
import type { PayslipModel } from './payslip-model.ts'
import { languagesOf, type PayslipLanguage, type PayslipPrintData, readPayslipPrintData } from './print-data.ts'
import { toPayslipModel } from './to-payslip-model.ts'

type PrintRequest = {
  id: string
  language?: PayslipLanguage | undefined
  /** Refuses what the caller may not see, before anything is printed. */
  check?(data: PayslipPrintData): void
}

/** Prints a payslip as PDF; typesetting happens outside any transaction. A draft and a void payslip are marked as such. */
export async function printPayslip(printer: Printer, read: Reader, request: PrintRequest): Promise<Print> {
  const data = await read((db) => readPayslipPrintData(db, request.id))
  request.check?.(data)
  const languages = languagesOf(data, request.language)
  const { logo, row } = data
  return typesetSheet(printer, { logo, organizationId: row.organizationId }, (path) => {
    const model = toPayslipModel(data, { languages, logo: path })
    return { template: 'payslip', data: model, title: model.title, rows: rowsOf(model), isLong: false }
  })
}

/** About how many rows of text a payslip prints. */
const rowsOf = ({ sections, tables, facts, payment, details, issuer, employee }: PayslipModel) =>
  [...sections, ...tables].reduce((sum, { rows }) => sum + rows.length + 2, 0) +
  [facts, payment.facts, details.facts, issuer.lines, employee.lines].reduce((sum, { length }) => sum + length, 0)

/** Prints a payslip as the attachment of a message. */
export const createPrintPayslip =
  (printer: Printer): PrintPayslip =>
  async (read, payslipId) => {
    const { fileName, pdf } = await printPayslip(printer, read, { id: payslipId })
    return { fileName, contentType: 'application/pdf', content: Buffer.from(pdf) }
  }
