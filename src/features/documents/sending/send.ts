import { invalid } from '../../../core/define/failure.ts'
import { type Inside, type Member, operation } from '../../../core/define/operation.ts'
import { one } from '../../../core/define/query.ts'
import { ById, Count, Type } from '../../../core/define/schema.ts'
import { changeDocument } from '../change.ts'
import { documentById } from '../reading/read.ts'
import { type Mailing, mailingKnownBy, queueMailing, recipientsOf, recordMailingOutcome } from './mailing.ts'

export const send = operation({
  name: 'invoices_send',
  http: 'POST /api/documents/{id}/send',
  does: 'Sends a sales document to the recipients of its customer by e-mail; a draft is issued first.',
  scope: 'invoices:write',
  role: 'CONTRIBUTOR',
  within: 'documents',
  input: ById,
  output: Type.Object({
    success: Type.Boolean({ description: 'Whether the mail server has taken it for at least one recipient.' }),
    sent: Type.Integer({ minimum: 0, description: 'Recipients for whom the mail server has taken it.' }),
    failed: Type.Integer({ minimum: 0, description: 'The others.' }),
    retrying: Type.Optional(
      Type.Integer({ minimum: 1, description: 'How many of those that failed will be tried again.' }),
    ),
    totalRecipients: Count,
  }),
  alsoRates: [{ bucket: 'documentSend', per: 'organization' }],
  outside: true,
  async run(context, { id }) {
    const { organizationId, userId } = await context.who
    const mailing = await context.tx((inside) => issueAndQueue(inside, { id, mailingId: context.intent }))
    await context.deliverNow(organizationId, mailing.deliveryIds)
    return context.once(async (inside) => {
      const { retrying, ...counts } = await recordMailingOutcome({ ...inside, userId }, mailing, { putOff: true })
      return { success: counts.sent > 0, ...counts, ...(retrying > 0 && { retrying }) }
    })
  },
})

type Sending = Inside & { who: Promise<Member> }

async function issueAndQueue(context: Sending, { id, mailingId }: { id: string; mailingId: string }): Promise<Mailing> {
  const { db } = context
  const known = await mailingKnownBy(db, mailingId)
  if (known) return known
  const found = await one(documentById(db, id), 'document')
  const recipients = await recipientsOf(db, found)
  if (recipients.length === 0) throw nobodyGetsIt()
  if (found.status === 'DRAFT') await changeDocument(context, { id, status: 'UNSENT' })
  return queueMailing(context, { row: await one(documentById(db, id), 'document'), recipients, mailingId })
}

const nobodyGetsIt = () =>
  invalid('id', 'Nobody would get it: give the customer an e-mail address or a recipient first.', 'NO_RECIPIENTS')
