import { conflict, Failure } from '../../../../core/define/failure.ts'
import type { MailPreview } from '../../../platform/mail/delivery.ts'
import { labelOf } from './labels.ts'
import type { Input, Line } from './preview-types.ts'
import { type Reader, type Row, rowsOf } from './reader.ts'
import { readRecord } from './records.ts'
import { document, documentWords, nameIn, nextNumber, sum, type Tell } from './told.ts'
import { both, clean, line, money, quoted } from './values.ts'

const receiptLabel = both('Receipt', 'קבלה')
const finalLabel = both('Issued with number', 'יופק במספר')

/** Money received from customers. */

const markPaid: Tell = async (reader, input, common) => {
  const row = await document(reader, input)
  if (row.status === 'PAID') throw conflict('The document is paid already.')
  const isDraft = row.status === 'DRAFT'
  const invoiceNumber = isDraft ? await nextNumber(reader, row.documentType) : row.invoiceNumber
  const words = documentWords({ ...row, invoiceNumber })
  const [amount, customer] = [money(isDraft ? row.total : row.openBalance, row.currency), nameIn(row.customer)]
  const issues =
    (input.generateReceipt === true || input.generateTaxFreeReceipt === true) &&
    !/RECEIPT/.test(String(row.documentType))
  const mailed = input.sendReceiptEmail === true ? await recipients(reader, input) : undefined
  return {
    title: both(
      `Record that ${customer} paid ${words.en} in full: ${amount}`,
      `רישום ש${customer} שילם את ${words.he} במלואה: ${amount}`,
    ),
    lines: [
      ...line(labelOf('customerId'), customer),
      ...line(labelOf('amount'), amount),
      ...(isDraft ? line(finalLabel, invoiceNumber) : []),
      ...(issues ? line(receiptLabel, (await nextNumber(reader, 'RECEIPT')) || '✓') : []),
      ...(mailed ?? []).flatMap((address) => line(labelOf('recipient'), address)),
      ...common.lines,
    ],
    warnings: [...(mailed?.length === 0 ? ['The customer has no e-mail address, so no receipt will be sent.'] : [])],
  }
}

/** Who gets the mail about a document; nobody if the customer has no address. */
async function recipients(reader: Reader, { id }: Input): Promise<string[]> {
  try {
    return ((await reader.read('invoices_send_preview', { id })) as MailPreview).to
  } catch (error) {
    if (error instanceof Failure && error.details.some(({ code }) => code === 'NO_RECIPIENTS')) return []
    throw error
  }
}

const payDocument: Tell = async (reader, input, common) => {
  const row = await document(reader, input)
  const words = documentWords(row)
  const [amount, customer] = [money(input.amount, row.currency), nameIn(row.customer)]
  const left = sum(row.currency, row.openBalance, -Number(input.amount))
  return {
    title: both(
      `Record a payment of ${amount} from ${customer} for ${words.en}`,
      `רישום תשלום של ${amount} מאת ${customer} עבור ${words.he}`,
    ),
    lines: [
      ...line(labelOf('customerId'), customer),
      ...common.lines,
      ...line(labelOf('open'), money(Math.max(left, 0), row.currency)),
    ],
    warnings: left < 0 ? [`Only ${money(row.openBalance, row.currency)} is open of the document.`] : [],
  }
}

const createPayment: Tell = async (reader, input) => {
  const amount = money(input.amount, input.currency)
  const customerId = typeof input.customerId === 'string' ? input.customerId : undefined
  const customer = customerId ? quoted((await reader.read('customers_get', { id: customerId })).displayName) : ''
  return {
    title: customer
      ? both(`Record a payment of ${amount} received from ${customer}`, `רישום תקבול של ${amount} מאת ${customer}`)
      : both(`Record a payment of ${amount} received`, `רישום תקבול של ${amount}`),
    ...(rowsOf(input.allocations).length === 0 && {
      warnings: ['It is not allocated to a document: the documents of the customer stay open.'],
    }),
  }
}

/** What a payment paid, which is open again when it is voided. */
const reopened = ({ allocations, currency }: Row): Line[] =>
  rowsOf(allocations).flatMap((each) =>
    line(both('Open again', 'ייפתח מחדש'), `${clean(each.invoiceNumber)} ${money(each.amount, currency)}`.trim()),
  )

export const voidPayment =
  (kind: 'payments' | 'paymentsOfExpenses' | 'paymentsOfPayroll'): Tell =>
  async (reader, input, common) => {
    const row = await readRecord(reader, kind, String(input.id), input)
    const [amount, day] = [money(row.amount, row.currency), clean(row.paidAt)]
    const who = quoted(row.employeeName)
    return {
      title: both(
        `Void the payment of ${amount} of ${day}${who && ` to ${who}`}`,
        `ביטול התשלום של ${amount} מיום ${day}${who && ` אל ${who}`}`,
      ),
      lines: [...common.lines, ...reopened(row)],
    }
  }

export const refund =
  (kind: 'payments' | 'paymentsOfExpenses'): Tell =>
  async (reader, input, common) => {
    const row = await readRecord(reader, kind, String(input.id), input)
    const party = typeof row.customerId === 'string' ? await readRecord(reader, 'parties', row.customerId, input) : {}
    const name = quoted(party.displayName ?? party.name)
    const amount = money(input.amount ?? row.openRemainder, row.currency)
    const title =
      kind === 'payments'
        ? both(`Refund ${amount} to ${name || 'the payer'}`, `החזר של ${amount} אל ${name || 'המשלם'}`)
        : both(
            `Record that ${name || 'the supplier'} paid ${amount} back`,
            `רישום החזר של ${amount} מאת ${name || 'הספק'}`,
          )
    return { title, lines: [...line(labelOf('amount'), amount), ...common.lines] }
  }

const issueReceipt: Tell = async (reader, input, common) => {
  const row = await readRecord(reader, 'payments', String(input.id), input)
  const words = documentWords({ documentType: 'RECEIPT', invoiceNumber: await nextNumber(reader, 'RECEIPT') })
  const amount = money(row.amount, row.currency)
  return {
    title: both(`Issue ${words.en} for the payment of ${amount}`, `הפקת ${words.he} עבור תקבול של ${amount}`),
    lines: [...line(labelOf('amount'), amount), ...common.lines],
  }
}

export const received: Record<string, Tell> = {
  invoices_mark_paid: markPaid,
  invoices_payments: payDocument,
  invoices_payments_create: createPayment,
  invoices_payments_void: voidPayment('payments'),
  invoices_payments_refund: refund('payments'),
  invoices_payments_receipt: issueReceipt,
}
