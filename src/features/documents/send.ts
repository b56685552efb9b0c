import { invalid } from '../../core/failure.ts'
import { operation } from '../../core/operation.ts'
import { one } from '../../core/query.ts'
import { ById, Count, Success, success, Type } from '../../core/schema.ts'
import { changeDocument } from './change.ts'
import { factsOf, invoiceSent } from './document.ts'
import { mailDocument, recipientsOf } from './mail-document.ts'
import { documentById, toDocument } from './read.ts'
import { recordEvent } from './write.ts'

export const send = operation({
  name: 'invoices_send',
  http: 'POST /api/documents/{id}/send',
  does: 'Sends a sales document to the recipients of its customer by e-mail; a draft is issued first.',
  scope: 'invoices:write',
  role: 'CONTRIBUTOR',
  within: 'documents',
  input: ById,
  output: Type.Object({ ...Success.properties, sent: Count, failed: Count, totalRecipients: Count }),
  alsoRates: [{ bucket: 'documentSend', per: 'organization' }],
  async run(context, { id }) {
    const { db, emit, who } = context
    const found = toDocument(await one(documentById(db, id), 'document'))
    const recipients = await recipientsOf(context, found)
    if (recipients.length === 0)
      throw invalid(
        'id',
        'Nobody would get it: give the customer an e-mail address or a recipient first.',
        'NO_RECIPIENTS',
      )
    const { userId } = await who
    const isSent = found.status === 'SENT' || found.status === 'PAID'
    const document = isSent ? found : await changeDocument(context, { id, status: 'SENT' })
    const { sent, failed } = await mailDocument(context, document, recipients)
    await recordEvent(db, id, sent > 0 ? 'SENT' : 'SEND_FAILED', { sent, failed, userId })
    if (sent > 0) emit(invoiceSent, factsOf(document))
    return { ...success, sent, failed, totalRecipients: recipients.length }
  },
})
