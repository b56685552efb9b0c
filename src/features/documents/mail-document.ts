import type { Inside } from '../../core/operation.ts'
import { countDeliveries, queueMail } from '../mail/queue.ts'
import { salesDocument } from '../mail/templates/sales-document.ts'
import type { Document } from './document.ts'

type Mailing = Pick<Inside, 'db' | 'secrets' | 'enqueue' | 'charge'>

/** Who gets the documents of a customer by mail: their recipients, else themselves. */
export async function recipientsOf({ db }: Pick<Inside, 'db'>, { customerId, customer }: Document): Promise<string[]> {
  const recipients = await db
    .selectFrom('customerRecipients')
    .select('email')
    .where('customerId', '=', customerId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
  if (recipients.length > 0) return recipients.map(({ email }) => email)
  return customer?.email ? [customer.email] : []
}

/** Queues the document for each recipient, to be sent if this transaction commits; what no mail can go to has failed. */
export async function mailDocument(context: Mailing, document: Document, recipients: readonly string[]) {
  const { db, charge } = context
  await charge(db, 'mailRecipients', { count: recipients.length })
  const settings = await db.selectFrom('organizationSettings').select('language').executeTakeFirst()
  const content = salesDocument(settings?.language ?? 'en', {
    organizationName: document.organization?.name ?? '',
    documentType: document.documentType,
    number: document.invoiceNumber ?? '',
    total: `${document.total} ${document.currency}`,
    dueDate: document.dueDate,
    account: accountFacts(document),
    notes: document.notes,
  })
  const ids: string[] = []
  for (const to of recipients) ids.push(await queueMail(context, { to, template: 'sales-document', ...content }))
  const { sent, queued, failed } = await countDeliveries(db, ids)
  return { sent: sent + queued, failed }
}

function accountFacts({ bankAccount, status }: Document): string[] {
  if (!bankAccount || status === 'PAID') return []
  const { bankName, accountName, accountNumber, iban, swiftCode } = bankAccount
  return [bankName, accountName, accountNumber, iban, swiftCode].filter((fact) => fact !== null)
}
