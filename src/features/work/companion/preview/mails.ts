import { conflict } from '../../../../core/define/failure.ts'
import type { MailPreview } from '../../../platform/mail/delivery.ts'
import { labelOf } from './labels.ts'
import type { Input, Line } from './preview-types.ts'
import { type Reader, type Row, rowsOf } from './reader.ts'
import { document, documentWords, nameIn, nextNumber, type Tell } from './told.ts'
import { both, clean, counted, line, money, quoted } from './values.ts'

const mailLines = ({ to, attachments }: MailPreview): Line[] => [
  ...to.flatMap((address) => line(labelOf('recipient'), address)),
  ...attachments.flatMap((name) => line(labelOf('attachments'), name)),
]

/** The letter as the call would send it: with its own recipients and words, if it has any. */
async function documentMail(reader: Reader, { wait: _, organizationId: __, ...asked }: Input): Promise<MailPreview> {
  const { html: ___, ...mail } = (await reader.read('invoices_mail_preview', asked)) as MailPreview & { html: string }
  return mail
}

const sendDocument: Tell = async (reader, input) => {
  const row = await document(reader, input)
  const mail = await documentMail(reader, input)
  const isDraft = row.status === 'DRAFT' && !input.test
  const invoiceNumber = isDraft ? await nextNumber(reader, row.documentType) : row.invoiceNumber
  const words = documentWords({ ...row, invoiceNumber })
  const [total, customer] = [money(row.total, row.currency), nameIn(row.customer)]
  const to = input.recipients || input.test ? mail.to.join(', ') : customer
  const title = isDraft
    ? both(
        `Issue and send ${words.en} of ${total} to ${to}; it cannot be changed afterwards`,
        `הפקה ושליחה של ${words.he} על סך ${total} אל ${to}; לאחר ההפקה אין אפשרות לשנות`,
      )
    : both(`Send ${words.en} of ${total} to ${to}`, `שליחת ${words.he} על סך ${total} אל ${to}`)
  return {
    title,
    mail,
    done: both(
      `Sent ${words.en} of ${total} to ${mail.to.join(', ')}.`,
      `${words.he} על סך ${total} נשלחה אל ${mail.to.join(', ')}.`,
    ),
    lines: [
      ...line(labelOf('customerId'), customer),
      ...line(labelOf('total'), total),
      ...(isDraft ? line(labelOf('series'), invoiceNumber) : line(labelOf('status'), row.status)),
      ...line(labelOf('dueDate'), row.dueDate),
      ...accountLine(row),
      ...mailLines(mail),
    ],
  }
}

/** The bank account that the customer is asked to pay to. */
export const accountLine = ({ bankAccount }: Row): Line[] => {
  const account = bankAccount as Row | null
  if (!account) return []
  const parts = [account.bankName, account.accountName]
  return [
    ...line(labelOf('bankAccountId'), parts.map(clean).filter(Boolean).join(', ')),
    ...line(labelOf('accountNumber'), account.iban ?? account.accountNumber),
  ]
}

const sendStatement: Tell = async (reader, { organizationId: _, ...asked }, common) => {
  const mail = (await reader.read('reports_customer_statement_send_preview', asked)) as MailPreview
  const { displayName } = await reader.read('customers_get', { id: asked.id })
  const name = quoted(displayName)
  return {
    title: both(`Send the statement of account to ${name}`, `שליחת כרטסת אל ${name}`),
    mail,
    lines: [...common.lines, ...mailLines(mail)],
  }
}

const sendOrder: Tell = async (reader, { organizationId: _, ...asked }) => {
  const mail = (await reader.read('orders_send_preview', asked)) as MailPreview
  const row = await reader.read('orders_get', { id: asked.id })
  const [number, total, supplier] = [clean(row.orderNumber), money(row.total, row.currency), nameIn(row.supplier)]
  return {
    title: both(
      `Send purchase order ${number} of ${total} to ${supplier}`,
      `שליחת הזמנת רכש ${number} על סך ${total} אל ${supplier}`,
    ),
    mail,
    lines: [...line(labelOf('supplierId'), supplier), ...line(labelOf('total'), total), ...mailLines(mail)],
  }
}

const sendPayslips: Tell = async (reader, { organizationId: _, ...asked }) => {
  const { organizationId } = reader
  const answer = await reader.read('payroll_payslips_send_preview', { organizationId, ...asked })
  const messages = rowsOf(answer.messages) as (MailPreview & Row)[]
  const count = messages.length
  if (count === 0) throw conflict('There is no payslip of that month to send.')
  const month = clean(asked.month)
  const distinct = (values: string[]) => [...new Set(values)].join('\n\n')
  return {
    title: both(
      `Send ${counted(count, 'payslip')} of ${month} to employees`,
      `שליחת ${count} תלושי שכר של ${month} לעובדים`,
    ),
    mail: {
      to: messages.flatMap(({ to }) => to),
      subject: [...new Set(messages.map(({ subject }) => subject))].join(' / '),
      text: distinct(messages.map(({ text }) => text)),
      attachments: messages.flatMap(({ attachments }) => attachments),
    },
    lines: [
      ...line(labelOf('month'), month),
      ...messages.flatMap(({ employeeName, to }) => line(labelOf('recipient'), `${clean(employeeName)} <${to[0]}>`)),
      ...rowsOf(answer.skipped).flatMap((row) =>
        line(labelOf('skipped'), `${clean(row.employeeName)}: ${clean(row.reason)}`),
      ),
    ],
  }
}

export const mails: Record<string, Tell> = {
  invoices_send: sendDocument,
  reports_customer_statement_send: sendStatement,
  orders_send: sendOrder,
  payroll_payslips_send: sendPayslips,
}
