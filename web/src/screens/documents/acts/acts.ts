import type { Output } from '../../../api.ts'

type Doc = Pick<
  Output<'invoices_get'>,
  | 'status'
  | 'documentType'
  | 'inDispute'
  | 'openBalance'
  | 'paidAmount'
  | 'creditedAmount'
  | 'total'
  | 'cancelledAt'
  | 'convertedToId'
  | 'vatAllocationNumber'
>
export type Act =
  | 'edit'
  | 'terms'
  | 'send'
  | 'remind'
  | 'pay'
  | 'credit'
  | 'debit'
  | 'convert'
  | 'duplicate'
  | 'dispute'
  | 'answer'
  | 'resolve'
  | 'cancel'
  | 'link'
  | 'renew'
  | 'allocation'
  | 'remove'

/** What fits the state of a document, whoever asks; the role is another question. */
export function actsOf(doc: Doc): ReadonlySet<Act> {
  if (doc.status === 'DRAFT') return new Set<Act>(['edit', 'send', 'duplicate', 'remove'])
  const acts = new Set<Act>(['link', 'renew'])
  const isClosed = doc.cancelledAt !== null || doc.convertedToId !== null
  const isRequest = doc.documentType === 'PAYMENT_REQUEST'
  const isTaxDocument = ['INVOICE', 'INVOICE_RECEIPT', 'DEBIT_MEMO'].includes(doc.documentType)
  const isOwed = !isClosed && doc.openBalance > 0 && (isTaxDocument || isRequest)
  const add = (fits: boolean, ...more: Act[]) => {
    if (fits) for (const act of more) acts.add(act)
  }
  add(isTaxDocument || isRequest, 'duplicate')
  add(!isClosed, 'send', 'terms')
  add(isOwed, 'pay')
  add(isOwed && doc.status === 'SENT', 'remind')
  add(isTaxDocument, 'debit')
  add(isTaxDocument && doc.creditedAmount < doc.total, 'credit')
  add(isRequest && !isClosed, 'convert')
  add((isRequest || doc.documentType === 'RECEIPT') && !isClosed && !(isRequest && doc.paidAmount > 0), 'cancel')
  add(isTaxDocument && doc.vatAllocationNumber === null, 'allocation')
  add(doc.inDispute, 'answer', 'resolve')
  add(!doc.inDispute && !isClosed && (isTaxDocument || isRequest), 'dispute')
  return acts
}

/** The act of a page: what a bookkeeper most likely wants next. */
export function nextAct(acts: ReadonlySet<Act>, status: Doc['status']): Act | undefined {
  const order: readonly Act[] = status === 'SENT' ? ['pay', 'send'] : ['send', 'pay']
  return status === 'PAID' ? undefined : order.find((act) => acts.has(act))
}
