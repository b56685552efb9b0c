import { hasScope } from '../../../../core/define/access.ts'
import { conflict, Failure, invalid } from '../../../../core/define/failure.ts'
import { type Inside, operation } from '../../../../core/define/operation.ts'
import { Email, Id, nullable, OneOf, optional, type Static, Type } from '../../../../core/define/schema.ts'
import { toAddress } from '../../../../core/values/address.ts'
import { idFrom } from '../../../../core/values/id.ts'
import { takeOverAfterMs } from '../../../platform/mail/deliver-now.ts'
import { MailPreview, toMailPreview } from '../../../platform/mail/delivery.ts'
import { SendAnswer, toSendAnswer } from '../../../platform/mail/outcome.ts'
import { queueMail } from '../../../platform/mail/queue.ts'
import { printLanguages } from '../../../selling/documents/print/print.ts'
import { lockOrder } from '../context.ts'
import { type OrderPrintData, readOrderPrintData } from '../print/print-data.ts'
import { orderFileName, refuseTooLongOrder } from '../print/print-order.ts'
import { type OrderMailing, orderMailingJobName, recordOrderMailing } from './mailing.ts'
import { orderEmail } from './template.ts'

const SendOrder = Type.Object({
  id: Id,
  ...optional({
    to: nullable(
      Type.Array(Email, { minItems: 1, maxItems: 10, description: 'The e-mail address of the supplier unless given.' }),
    ),
    language: nullable({
      ...OneOf(...printLanguages),
      description:
        'Of the e-mail and the PDF. The language of the organization, or English for a supplier abroad, unless given.',
    }),
  }),
})
type SendOrder = Static<typeof SendOrder>

export const send = operation({
  name: 'orders_send',
  http: 'POST /api/orders/{id}/send',
  does: 'Sends an order to its supplier by e-mail, with the order as PDF.',
  scope: 'orders:write',
  role: 'CONTRIBUTOR',
  within: 'orders',
  input: SendOrder,
  output: SendAnswer,
  alsoRates: [{ bucket: 'documentSend', per: 'organization' }],
  outside: true,
  async run(context, input) {
    const { organizationId, scopes } = await context.who
    refuseUnreadable(input, scopes)
    const mailing = await context.tx((inside) => queueOrder(inside, input, context.intent))
    await context.deliverNow(organizationId, mailing.deliveryIds)
    return context.once(async (inside) => toSendAnswer(await recordOrderMailing(inside, mailing)))
  },
})

export const previewSend = operation({
  name: 'orders_send_preview',
  http: 'GET /api/orders/{id}/send/preview',
  does: 'Shows the e-mail that orders_send would send now, with its recipients.',
  scope: 'orders:read',
  role: 'CONTRIBUTOR',
  within: 'orders',
  input: SendOrder,
  output: MailPreview,
  async run({ db }, { id, to, language }) {
    const data = await readOrderPrintData(db, id)
    refuseSalesOrder(data.row)
    const recipients = recipientsOf(data, to ?? null)
    refuseUnsendable(data.row)
    refuseTooLongOrder(data)
    const attachments = [orderFileName(data, language ?? undefined)]
    return toMailPreview(orderEmail(data, language ?? undefined), { to: recipients, attachments })
  },
})

/** Documents are mailed to stored recipients alone. Whoever chooses the recipient sees the order, and needs the scope to read it. */
function refuseUnreadable({ to }: SendOrder, scopes: readonly string[] | null) {
  if (!to || hasScope(scopes, 'orders:read')) return
  throw new Failure(
    'FORBIDDEN',
    'Sending to an address in to needs the scope orders:read. Omit to, and the supplier gets it.',
    {
      details: [{ path: 'to', message: 'The credential does not have orders:read.', code: 'SCOPE' }],
    },
  )
}

/** Queues the e-mails. Their ids come from the intent and the address, so a call repeated after a crash mails nobody twice. */
async function queueOrder(context: Inside, { id, to, language }: SendOrder, intent: string): Promise<OrderMailing> {
  const { db, consumeRateLimit } = context
  await lockOrder(db, id)
  const data = await readOrderPrintData(db, id)
  refuseSalesOrder(data.row)
  const recipients = recipientsOf(data, to ?? null)
  const mails = recipients.map((address) => ({ id: idFrom('order-mail', intent, address), to: address }))
  const mailing = { orderId: id, deliveryIds: mails.map((mail) => mail.id) }
  const queued = await db.selectFrom('mailDeliveries').select('id').where('id', 'in', mailing.deliveryIds).execute()
  if (queued.length === mails.length) return mailing
  refuseUnsendable(data.row)
  refuseTooLongOrder(data)
  await consumeRateLimit(db, 'mailRecipients', { count: mails.length })
  const runAt = new Date(Date.now() + takeOverAfterMs)
  const followUp = {
    job: orderMailingJobName,
    payload: mailing,
    key: `${orderMailingJobName}:${intent}`,
    notBefore: runAt.toISOString(), // the sending call normally records the outcome first
  }
  const enclosures = [{ kind: 'ORDER' as const, orderId: id, ...(language && { language }) }]
  const content = orderEmail(data, language ?? undefined)
  for (const mail of mails)
    await queueMail(context, { ...mail, template: 'order', ...content, enclosures, followUp, runAt })
  return mailing
}

/** In one order, so that two calls with the same recipients do not wait for each other's counters. */
function recipientsOf({ party }: OrderPrintData, to: string[] | null): string[] {
  const addresses = to ?? (party.email ? [party.email] : [])
  if (addresses.length === 0)
    throw invalid(
      'to',
      'The supplier has no e-mail address. Give to, or add the address to the supplier.',
      'NO_RECIPIENTS',
    )
  return [...new Set(addresses.map((address) => toAddress(address.trim()) ?? address.trim()))].toSorted()
}

function refuseSalesOrder({ kind }: OrderPrintData['row']) {
  if (kind !== 'PURCHASE')
    throw conflict('This is the order of a customer. Only orders to suppliers are sent.', 'ORDER_TRANSITION')
}

function refuseUnsendable({ status }: OrderPrintData['row']) {
  if (status === 'DRAFT')
    throw conflict('The order is a draft. Open it first: POST /api/orders/{id}/open.', 'ORDER_TRANSITION')
  if (status === 'CANCELLED' || status === 'CLOSED')
    throw conflict(
      `The order is ${status}, so it is not sent: nothing is expected for it any more.`,
      'ORDER_TRANSITION',
    )
}
