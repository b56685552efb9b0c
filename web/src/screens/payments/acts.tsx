import { useState } from 'react'
import { useWrite } from '../../api.ts'
import { shownMoney, today } from '../../shown.tsx'
import { AmountField } from '../../ui/forms/amount-field.tsx'
import { DayField } from '../../ui/forms/day-field.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { useForm } from '../../ui/forms/form.ts'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { MethodField } from '../../ui/forms/method-field.tsx'
import { LongField } from '../../ui/forms/text-field.tsx'
import { Ask } from '../../ui/overlays/dialog.tsx'
import { say as tell } from '../../ui/overlays/toast.tsx'
import { useLanguage, useWords } from '../../words.ts'
import { touched, useAct } from './act.ts'
import type { Payment } from './peek.tsx'
import { paymentWords } from './words.ts'

type ActProps = { payment: Payment; onClose: () => void }

export function VoidDialog({ payment, onClose }: ActProps) {
  const say = useWords(paymentWords)
  const lang = useLanguage()
  const [reason, setReason] = useState('')
  const cancel = useWrite('invoices_payments_void', touched)
  const act = useAct(async (key) => {
    await cancel.mutateAsync({ id: payment.id, reason: reason.trim() || null, key })
    return say.isVoided
  }, onClose)
  return (
    <Ask
      title={say.voidTitle(shownMoney(lang, payment.amount, payment.currency))}
      act={say.voidAct}
      danger
      busy={act.busy}
      problem={act.problem}
      onAct={act.go}
      onClose={onClose}
    >
      <p>{say.voidText}</p>
      <LongField
        value={reason}
        onChange={setReason}
        error={undefined}
        label={say.optional(say.reason)}
        hint={say.reasonHint}
      />
    </Ask>
  )
}

export function ReceiptDialog({ payment, onClose }: ActProps) {
  const say = useWords(paymentWords)
  const issue = useWrite('invoices_payments_receipt', touched)
  const act = useAct(async (key) => {
    const { invoiceNumber } = await issue.mutateAsync({ id: payment.id, key })
    return say.receiptIssued(invoiceNumber ?? '')
  }, onClose)
  return (
    <Ask
      title={say.receiptTitle}
      act={say.receipt}
      busy={act.busy}
      problem={act.problem}
      onAct={act.go}
      onClose={onClose}
    >
      <p>{say.receiptText}</p>
    </Ask>
  )
}

export function TakeOffDialog({
  payment,
  allocation,
  onClose,
}: ActProps & { allocation: Payment['allocations'][number] }) {
  const say = useWords(paymentWords)
  const remove = useWrite('invoices_payments_unallocate', touched)
  const act = useAct(async (key) => {
    await remove.mutateAsync({ id: payment.id, allocationId: allocation.id, key })
    return say.takenOff
  }, onClose)
  const number = allocation.invoiceNumber ?? ''
  return (
    <Ask
      title={say.takeOffTitle(number)}
      act={say.takeOff(number)}
      danger
      busy={act.busy}
      problem={act.problem}
      onAct={act.go}
      onClose={onClose}
    >
      <p>{say.takeOffText}</p>
    </Ask>
  )
}

export function RefundDialog({ payment, onClose }: ActProps) {
  const say = useWords(paymentWords)
  const refund = useWrite('invoices_payments_refund', touched)
  const form = useForm({
    initial: { amount: payment.openRemainder, paidAt: today(), method: payment.method ?? 'BANK_TRANSFER' },
    save: (values, key) => refund.mutateAsync({ id: payment.id, ...values, key }),
    after: () => {
      tell(say.refunded)
      onClose()
    },
  })
  return (
    <FormDialog title={say.refundTitle} act={say.refundAct} form={form} onClose={onClose}>
      <p className="text-soft">{say.refundHint}</p>
      <div className="grid grid-cols-2 gap-4">
        <AmountField {...form.at('amount')} label={say.amount} />
        <Field label={say.day} error={form.errors.paidAt}>
          <DayField value={form.values.paidAt} onDay={(day) => form.set('paidAt', day)} />
        </Field>
      </div>
      <MethodField {...form.at('method')} label={say.method} />
    </FormDialog>
  )
}
