import { Readable } from 'node:stream'
import { conflict, type Detail, Failure } from '../../../../core/define/failure.ts'
import { operation } from '../../../../core/define/operation.ts'
import { Id, OneOf, Type } from '../../../../core/define/schema.ts'
import { File, type FileAnswer } from '../../../../core/files/file.ts'
import { printWithEInvoice, toFile } from '../print/print.ts'
import { toCii } from './cii.ts'
import { type EInvoice, type Problem, sentenceOf } from './einvoice.ts'
import { isNational } from './parties.ts'
import { type EInvoiceData, readEInvoiceData } from './read-data.ts'
import { type Standard, toEInvoice } from './to-einvoice.ts'
import { toUbl } from './ubl.ts'

const formats = ['ubl', 'pint', 'facturx', 'cii'] as const
type Format = (typeof formats)[number]

export const einvoice = operation({
  name: 'invoices_einvoice',
  http: 'GET /api/documents/{id}/einvoice',
  does: 'Writes an issued invoice or memo as an e-invoice: UBL for the Peppol network, or CII alone or in a PDF.',
  scope: 'invoices:read',
  within: 'documents',
  rate: 'pdf',
  input: Type.Object({
    id: Id,
    format: Type.Optional({
      ...OneOf(...formats),
      description:
        'ubl is Peppol BIS Billing 3.0, pint the PINT specialization of Singapore (InvoiceNow), cii the Cross Industry Invoice of EN 16931, facturx the same attached to a PDF/A-3. Unless given, pint for organizations in Singapore whose customer is an organization there or in Peppol, otherwise ubl. What the format requires and is not entered yet is listed in the details of a 409.',
    }),
  }),
  output: File,
  outside: true,
  async run(context, { id, format: asked }) {
    const data = await context.tx(({ db }) => readEInvoiceData(db, id))
    const format = asked ?? usualFormat(data)
    requireInvoice(data, format)
    const written = toEInvoice(data, standards[format])
    if ('problems' in written) throw incomplete(written.problems)
    if (format === 'facturx') return toFile(await printWithEInvoice(context, data, toCii(written.invoice)))
    return toXmlFile(written.invoice, format)
  },
})

const standards: Record<Format, Standard> = { ubl: 'network', pint: 'national', facturx: 'core', cii: 'core' }

const usualFormat = (data: EInvoiceData): Format => (isNational(data) ? 'pint' : 'ubl')

function requireInvoice({ row, country }: EInvoiceData, format: Format): void {
  if (row.invoiceNumber === null) throw conflict('The document is a draft. Issue it first.', 'DRAFT')
  if (row.documentType === 'RECEIPT' || row.documentType === 'PAYMENT_REQUEST')
    throw conflict('A receipt or payment request is no invoice. E-invoices are invoices and memos.', 'NO_EINVOICE')
  if (format === 'pint' && !country.einvoices.national)
    throw conflict('PINT is the format of organizations in Singapore. Ask for ubl instead.', 'NO_EINVOICE')
}

/** Says what to enter, one detail for each field. */
function incomplete(problems: [Problem, ...Problem[]]): Failure {
  const details = problems.map((problem): Detail => {
    return { path: problem.field, message: sentenceOf(problem), code: 'EINVOICE_INCOMPLETE' }
  })
  const sentence = `The e-invoice cannot be written yet. ${problems.map(sentenceOf).join(' ')}`
  return new Failure('CONFLICT', sentence, { details })
}

function toXmlFile(invoice: EInvoice, format: Exclude<Format, 'facturx'>): FileAnswer {
  const bytes = Buffer.from(format === 'cii' ? toCii(invoice) : toUbl(invoice), 'utf8')
  const fileName = `${invoice.number.replace(/[\\/:*?"<>|\p{Cc}]+/gu, '-')}.xml`
  return {
    fileName,
    fileType: 'application/xml',
    fileSize: bytes.length,
    open: async () => Readable.from([bytes]),
    bytes,
  }
}
