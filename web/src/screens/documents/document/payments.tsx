import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Output, read, useWrite } from '../../../api.ts'
import { Day, Money } from '../../../shown.tsx'
import { Button } from '../../../ui/button.tsx'
import { LongField } from '../../../ui/forms/text-field.tsx'
import { Ask } from '../../../ui/overlays/dialog.tsx'
import { shownMethodWords } from '../../../ui/values/payment-methods.ts'
import { useWords, words } from '../../../words.ts'
import { useTry } from '../editor/try.ts'
import { useHere } from '../here.ts'
import { type Doc, Part } from './content.tsx'
import { documentWords } from './document-words.ts'

const said = words(
  {
    title: 'Void this payment?',
    final: 'What it paid is open again, and its receipt is cancelled. The payment stays on record as voided.',
    act: 'Void the payment',
    reason: 'Reason (optional)',
    planned: 'Cheque dated',
    cancelCheque: 'Cancel the cheque',
  },
  {
    title: 'לבטל את התשלום הזה?',
    final: 'מה ששולם בו יהיה פתוח שוב, והקבלה שלו תבוטל. התשלום נשאר רשום כמבוטל.',
    act: 'ביטול התשלום',
    reason: 'סיבה (לא חובה)',
    planned: 'המחאה לתאריך',
    cancelCheque: 'ביטול ההמחאה',
  },
)

type Payment = Output<'invoices_payments_list'>['payments'][number]

/** What was paid of a document, by which payment, and what is left of that payment. */
export function Payments({ doc }: { doc: Doc }) {
  const say = useWords(documentWords)
  const { id: organizationId, role } = useHere()
  const [voiding, setVoiding] = useState<Payment>()
  const { data } = useQuery({
    ...read('invoices_payments_list', { organizationId, documentId: doc.id, limit: 100 }),
    enabled: doc.status !== 'DRAFT',
  })
  const mayVoid = role === 'MANAGER' || role === 'OWNER'
  const { data: planned } = useQuery({
    ...read('invoices_planned_payments_list', { organizationId, documentId: doc.id, status: 'PLANNED', limit: 100 }),
    enabled: doc.status !== 'DRAFT' && doc.openBalance > 0,
  })
  const cheques = planned?.plannedPayments ?? []
  const payments = data?.payments ?? []
  if (doc.status === 'DRAFT' || (payments.length === 0 && doc.openBalance === 0)) return null
  return (
    <Part title={say.payments}>
      {payments.length + cheques.length === 0 && <p className="text-sm text-soft">{say.noPayments}</p>}
      <ul className="grid">
        {payments.map((payment) => (
          <PaymentRow
            key={payment.id}
            payment={payment}
            documentId={doc.id}
            {...(mayVoid &&
              payment.voidedAt === null &&
              payment.source !== 'CREDIT_MEMO' && { onVoid: () => setVoiding(payment) })}
          />
        ))}
        {cheques.map((cheque) => (
          <ChequeRow key={cheque.id} cheque={cheque} mayCancel={role !== 'VIEWER'} />
        ))}
      </ul>
      {voiding && <VoidPayment payment={voiding} onClose={() => setVoiding(undefined)} />}
    </Part>
  )
}

function PaymentRow({ payment, documentId, onVoid }: { payment: Payment; documentId: string; onVoid?: () => void }) {
  const say = useWords(documentWords)
  const methods = useWords(shownMethodWords)
  const { currency } = payment
  const here = payment.allocations
    .filter((each) => each.documentId === documentId)
    .reduce((sum, { amount }) => sum + amount, 0)
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 py-1.5 border-b border-rule last:border-0">
      <span className={payment.voidedAt ? 'line-through text-soft' : ''}>
        <Day at={payment.paidAt} /> · {methods[payment.method ?? 'OTHER'] ?? <bdi>{payment.method}</bdi>}
      </span>
      <span className={`number ${payment.voidedAt ? 'line-through text-soft' : ''}`}>
        <Money amount={here || payment.amount} currency={currency} />
      </span>
      <span className="text-sm text-soft">
        {payment.voidedAt && <>{say.voided} </>}
        {payment.reference && (
          <>
            {say.reference} <bdi>{payment.reference}</bdi>{' '}
          </>
        )}
        {here !== 0 && here !== payment.amount && (
          <>
            {say.ofPayment} <Money amount={payment.amount} currency={currency} quiet />{' '}
          </>
        )}
        {payment.openRemainder > 0 && (
          <>
            · <Money amount={payment.openRemainder} currency={currency} quiet /> {say.rest}
          </>
        )}
      </span>
      {onVoid && (
        <Button look="quiet" onPress={onVoid}>
          {say.void}
        </Button>
      )}
    </li>
  )
}

type Cheque = Output<'invoices_planned_payments_list'>['plannedPayments'][number]

/** A cheque that is dated later, and why it could not be recorded if its day has passed. */
function ChequeRow({ cheque, mayCancel }: { cheque: Cheque; mayCancel: boolean }) {
  const say = useWords(said)
  const write = useWrite('invoices_planned_payments_cancel', ['invoices'])
  const { act, busy, problem } = useTry()
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 py-1.5 border-b border-rule last:border-0 text-soft">
      <span>
        {say.planned} <Day at={cheque.dueOn} />
      </span>
      <span className="number">
        <Money amount={cheque.amount} currency={cheque.currency} />
      </span>
      <span className="text-sm">{problem ?? cheque.problem}</span>
      {mayCancel && (
        <Button
          look="quiet"
          busy={busy}
          onPress={() => void act(async (key) => void (await write.mutateAsync({ id: cheque.id, key })))}
        >
          {say.cancelCheque}
        </Button>
      )}
    </li>
  )
}

function VoidPayment({ payment, onClose }: { payment: Payment; onClose: () => void }) {
  const say = useWords(said)
  const [reason, setReason] = useState('')
  const write = useWrite('invoices_payments_void', ['invoices', 'dashboard', 'customers'])
  const { act, busy, problem } = useTry()
  return (
    <Ask
      title={say.title}
      act={say.act}
      danger
      busy={busy}
      problem={problem}
      onClose={onClose}
      onAct={() =>
        void act(async (key) => {
          await write.mutateAsync({ id: payment.id, reason: reason || null, key })
          onClose()
        })
      }
    >
      <p>
        <Money amount={payment.amount} currency={payment.currency} />, <Day at={payment.paidAt} />. {say.final}
      </p>
      <LongField label={say.reason} value={reason} onChange={setReason} error={undefined} />
    </Ask>
  )
}
