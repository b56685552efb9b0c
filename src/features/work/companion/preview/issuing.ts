import { labelOf } from './labels.ts'
import { accountLine } from './mails.ts'
import type { Input, Told } from './preview-types.ts'
import type { Reader, Row } from './reader.ts'
import { document, documentWords, nameIn, nextNumber, sum, type Tell } from './told.ts'
import { both, clean, line, money, quoted } from './values.ts'

const isFinal = (status: unknown) => status !== undefined && status !== null && status !== 'DRAFT'

/** Says that a document is issued: its number, total and tax, and that it is final. */
async function toldIssued(reader: Reader, row: Row, common: Told): Promise<Partial<Told>> {
  const { currency, status } = row
  const documentType = row.documentType ?? 'INVOICE'
  const invoiceNumber = await nextNumber(reader, documentType)
  const words = documentWords({ documentType, invoiceNumber })
  const [total, customer] = [money(row.total, currency), clean(row.customerName)]
  const paid = status === 'PAID' ? both(' and record it as paid', ' ורישומה כשולמה') : both('', '')
  return {
    title: both(
      `Issue ${words.en} of ${total} to ${customer}${paid.en}; it cannot be changed afterwards`,
      `הפקת ${words.he} על סך ${total} אל ${customer}${paid.he}; לאחר ההפקה אין אפשרות לשנות`,
    ),
    lines: [
      ...line(labelOf('customerId'), customer),
      ...line(labelOf('series'), invoiceNumber),
      ...line(labelOf('total'), total),
      ...line(labelOf('taxAmount'), money(row.taxAmount, currency)),
      ...accountLine(row),
      ...common.lines,
    ],
  }
}

const create: Tell = async (reader, input, common) => {
  if (!isFinal(input.status)) return {}
  const { displayName } = await reader.read('customers_get', { id: input.customerId })
  return toldIssued(reader, { ...input, customerName: quoted(displayName) }, common)
}

const update: Tell = async (reader, input, common) => {
  const row = await document(reader, input)
  const words = documentWords(row)
  if (row.status === 'DRAFT' && isFinal(input.status)) {
    const customer = typeof input.customerId === 'string' ? await newCustomer(reader, input) : nameIn(row.customer)
    return toldIssued(reader, { ...row, ...input, customerName: customer }, common)
  }
  const open = money(row.openBalance, row.currency)
  if (input.status === 'PAID' && row.status !== 'PAID')
    return {
      title: both(
        `Record that ${nameIn(row.customer)} paid ${words.en} in full: ${open}`,
        `רישום ש${nameIn(row.customer)} שילם את ${words.he} במלואה: ${open}`,
      ),
      lines: [...line(labelOf('amount'), open), ...common.lines],
    }
  return {}
}

const newCustomer = async (reader: Reader, { customerId }: Input) =>
  quoted((await reader.read('customers_get', { id: customerId })).displayName)

const memo: Tell = async (reader, input, common) => {
  const row = await document(reader, input)
  const documentType = input.kind === 'DEBIT' ? 'DEBIT_MEMO' : 'CREDIT_MEMO'
  const invoiceNumber = await nextNumber(reader, documentType)
  const [memoWords, words, customer] = [
    documentWords({ documentType, invoiceNumber }),
    documentWords(row),
    nameIn(row.customer),
  ]
  const isWhole = input.kind === 'CREDIT' && !Array.isArray(input.items)
  const rest = money(sum(row.currency, row.total, -Number(row.creditedAmount)), row.currency)
  return {
    title: isWhole
      ? both(
          `Issue ${memoWords.en} of ${rest} for ${words.en} of ${customer}; it is final`,
          `הפקת ${memoWords.he} על סך ${rest} עבור ${words.he} של ${customer}; המסמך סופי`,
        )
      : both(
          `Issue ${memoWords.en} for ${words.en} of ${customer}; it is final`,
          `הפקת ${memoWords.he} עבור ${words.he} של ${customer}; המסמך סופי`,
        ),
    lines: [
      ...line(labelOf('customerId'), customer),
      ...(isWhole ? line(labelOf('total'), rest) : []),
      ...line(labelOf('series'), invoiceNumber),
      ...common.lines,
    ],
  }
}

const convert: Tell = async (reader, input, common) => {
  const row = await document(reader, input)
  const invoiceNumber = await nextNumber(reader, input.documentType)
  const issued = documentWords({ documentType: input.documentType, invoiceNumber })
  const [words, total, customer] = [documentWords(row), money(row.total, row.currency), nameIn(row.customer)]
  return {
    title: both(
      `Issue ${issued.en} of ${total} to ${customer} for ${words.en}; it is final`,
      `הפקת ${issued.he} על סך ${total} אל ${customer} עבור ${words.he}; המסמך סופי`,
    ),
    lines: [
      ...line(labelOf('customerId'), customer),
      ...line(labelOf('total'), total),
      ...line(labelOf('taxAmount'), money(row.taxAmount, row.currency)),
      ...common.lines,
    ],
  }
}

const cancel: Tell = async (reader, input) => {
  const row = await document(reader, input)
  const [words, total, customer] = [documentWords(row), money(row.total, row.currency), nameIn(row.customer)]
  return {
    title: both(
      `Cancel ${words.en} of ${customer} of ${total}; it keeps its number and cannot be restored`,
      `ביטול ${words.he} של ${customer} על סך ${total}; המספר נשמר ואין אפשרות לשחזר`,
    ),
  }
}

const removeDraft: Tell = async (reader, input) => {
  const row = await document(reader, input)
  const [words, total, customer] = [documentWords(row), money(row.total, row.currency), nameIn(row.customer)]
  return {
    title: both(
      `Delete the draft ${words.en} of ${total} for ${customer}`,
      `מחיקת טיוטת ${words.he} על סך ${total} אל ${customer}`,
    ),
  }
}

export const issuing: Record<string, Tell> = {
  invoices_create: create,
  invoices_update: update,
  invoices_update_put: update,
  invoices_memos: memo,
  invoices_convert: convert,
  invoices_cancel: cancel,
  invoices_delete: removeDraft,
}
