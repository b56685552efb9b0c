import { invalid } from '../../../../core/define/failure.ts'
import { type Database, type Inside, operation } from '../../../../core/define/operation.ts'
import { defaulted, Id, OneOf, Type } from '../../../../core/define/schema.ts'
import { inFormat, orFile } from '../../../../core/files/file.ts'
import { xlsxType } from '../../../../core/files/xlsx.ts'
import { idFrom } from '../../../../core/values/id.ts'
import { takeOverAfterMs } from '../../../platform/mail/deliver-now.ts'
import { MailPreview, toMailPreview } from '../../../platform/mail/delivery.ts'
import { countOutcomes, SendAnswer, toSendAnswer } from '../../../platform/mail/outcome.ts'
import { queueMail } from '../../../platform/mail/queue.ts'
import { toFile } from '../../../selling/documents/print/print.ts'
import { recipientsOf } from '../../../selling/documents/sending/mailing.ts'
import { type FileFormat, type ReportColumn, reportFile } from '../report-file.ts'
import { printStatement, statementFileName } from './print-statement.ts'
import { Statement } from './statement.ts'
import { type Asked, type StatementData, statementData } from './statement-data.ts'
import { statementEmail } from './statement-email.ts'

const period = {
  from: Type.Optional(
    Type.String({
      maxLength: 40,
      description: 'The first day; 1 January of the year of `to` if not given.',
      examples: ['2026-01-01'],
    }),
  ),
  to: Type.Optional(
    Type.String({ maxLength: 40, description: 'The last day; today if not given.', examples: ['2026-01-31'] }),
  ),
  language: Type.Optional({
    ...OneOf('en', 'he'),
    description: 'Of the descriptions and the PDF; that of documents for this customer if not given.',
  }),
}

export const statement = operation({
  name: 'reports_customer_statement',
  http: 'GET /api/customers/{id}/statement',
  does: 'Shows the account of a customer with a running balance for each currency. It has the opening balance, documents, payments, credits and refunds, and the age of the closing balance.',
  scope: 'reports:read',
  within: 'customers',
  rate: 'heavyReads',
  input: Type.Object({
    id: Id,
    ...period,
    format: defaulted(
      Type.Unsafe<'json' | 'pdf' | FileFormat>({
        ...OneOf('json', 'csv', 'xlsx', 'pdf'),
        description: 'csv, xlsx and pdf answer a file.',
      }),
      'json',
    ),
  }),
  output: orFile(Statement, 'text/csv', xlsxType, 'application/pdf'),
  outside: true,
  async run(context, { format, ...asked }) {
    const data = await context.heavyTx(({ db }) => statementData(db, asked, context.now))
    if (format === 'json') return data.statement
    if (format === 'pdf') return inFormat(toFile(await printStatement(context, data, context.now)))
    return fileOf(data, format)
  },
})

export const sendStatement = operation({
  name: 'reports_customer_statement_send',
  http: 'POST /api/customers/{id}/statement/send',
  does: 'Sends the statement of a customer as PDF by e-mail to the recipients of the customer.',
  scope: 'reports:write',
  role: 'CONTRIBUTOR',
  within: 'customers',
  input: Type.Object({ id: Id, ...period }),
  output: SendAnswer,
  alsoRates: [{ bucket: 'documentSend', per: 'organization' }],
  outside: true,
  async run(context, asked) {
    const { organizationId } = await context.who
    const { data, recipients } = await context.heavyTx(({ db }) => mailed(db, asked, context.now))
    const { fileName, pdf } = await printStatement(context, data, context.now)
    const attachments = [{ fileName, contentType: 'application/pdf', content: Buffer.from(pdf) }]
    const content = { template: 'customer-statement', ...statementEmail(data), attachments }
    const ids = await context.tx((inside) => queueAll(inside, { recipients, content, intent: context.intent }))
    await context.deliverNow(organizationId, ids)
    return context.once(async (inside) => outcomeOf(inside, ids))
  },
})

export const previewStatementMail = operation({
  name: 'reports_customer_statement_send_preview',
  http: 'GET /api/customers/{id}/statement/send/preview',
  does: 'Shows the e-mail that reports_customer_statement_send would send now, with its recipients.',
  scope: 'reports:read',
  role: 'CONTRIBUTOR',
  within: 'customers',
  rate: 'heavyReads',
  heavy: true,
  input: Type.Object({ id: Id, ...period }),
  output: MailPreview,
  async run({ db, now }, asked) {
    const { data, recipients } = await mailed(db, asked, now)
    return toMailPreview(statementEmail(data), { to: recipients.toSorted(), attachments: [statementFileName(data)] })
  },
})

/** The statement and who gets it. */
async function mailed(db: Database, asked: Asked, now: Date) {
  const data = await statementData(db, asked, now)
  const recipients = await recipientsOf(db, { customerId: asked.id, customerEmail: data.customer.email })
  if (recipients.length === 0) throw noRecipients()
  return { data, recipients }
}

type Queued = { recipients: readonly string[]; content: Omit<Parameters<typeof queueMail>[1], 'to'>; intent: string }

/** Queues a message to each recipient. Their ids come from the intent of the call, so a repeated call sends nothing twice. */
async function queueAll(inside: Inside, { recipients, content, intent }: Queued): Promise<string[]> {
  await inside.consumeRateLimit(inside.db, 'mailRecipients', { count: recipients.length })
  const runAt = new Date(Date.now() + takeOverAfterMs)
  const ids: string[] = []
  // In one order, so that two mailings to the same recipients do not wait for each other's counters.
  for (const to of recipients.toSorted())
    ids.push(await queueMail(inside, { ...content, id: idFrom('statement', intent, to), to, runAt }))
  return ids
}

async function outcomeOf({ db, audit }: Inside, ids: readonly string[]) {
  const rows = await db.selectFrom('mailDeliveries').select(['to', 'status', 'kept']).where('id', 'in', ids).execute()
  const outcomes = countOutcomes(rows)
  audit({ to: rows.map(({ to }) => to).toSorted(), sent: outcomes.sent })
  return toSendAnswer(outcomes)
}

const noRecipients = () =>
  invalid('id', 'The customer has no recipients. Add an e-mail address or a recipient first.', 'NO_RECIPIENTS')

function fileOf({ statement: { from, to, language, currencies }, organization }: StatementData, format: FileFormat) {
  const rows = currencies.flatMap(({ currency, openingBalance, entries }) => [
    [from, 'OPENING', null, null, null, null, null, currency, null, openingBalance],
    ...entries.map((entry) => [
      ...[entry.date, entry.kind, entry.documentType, entry.number, entry.description, entry.dueDate],
      ...[entry.documentId ?? entry.paymentId, currency, entry.amount, entry.balance],
    ]),
  ])
  const table = { name: `statement-${from}-${to}`, columns, rows }
  return reportFile(table, { format, organizationId: organization.id, language })
}

const columns: readonly ReportColumn[] = [
  { key: 'date', title: 'Date', titleHe: 'תאריך', type: 'date' },
  { key: 'kind', title: 'Kind', titleHe: 'סוג תנועה', type: 'text' },
  { key: 'documentType', title: 'Document type', titleHe: 'סוג מסמך', type: 'text' },
  { key: 'number', title: 'Number', titleHe: 'מספר', type: 'text' },
  { key: 'description', title: 'Description', titleHe: 'תיאור', type: 'text' },
  { key: 'dueDate', title: 'Due date', titleHe: 'לתשלום עד', type: 'date' },
  { key: 'id', title: 'Id', titleHe: 'מזהה', type: 'text' },
  { key: 'currency', title: 'Currency', titleHe: 'מטבע', type: 'text' },
  { key: 'amount', title: 'Amount', titleHe: 'סכום', type: 'money' },
  { key: 'balance', title: 'Balance', titleHe: 'יתרה', type: 'money' },
]
