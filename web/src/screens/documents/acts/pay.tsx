import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { call, type Output, read, useWrite } from '../../../api.ts'
import { useOwnCountry } from '../../../country.ts'
import { shownDay } from '../../../shown.tsx'
import { AmountField, PaidField, restOf } from '../../../ui/forms/amount-field.tsx'
import { CheckField } from '../../../ui/forms/check-field.tsx'
import { DayField } from '../../../ui/forms/day-field.tsx'
import { Field } from '../../../ui/forms/field.tsx'
import { useForm } from '../../../ui/forms/form.ts'
import { FormDialog } from '../../../ui/forms/form-dialog.tsx'
import { MethodField } from '../../../ui/forms/method-field.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import { TextField } from '../../../ui/forms/text-field.tsx'
import { say as toast } from '../../../ui/overlays/toast.tsx'
import { useLanguage, useWords } from '../../../words.ts'
import type { Doc } from '../document/content.tsx'
import { useHere } from '../here.ts'
import { typeWords } from '../words.ts'
import { actWords } from './act-words.ts'

/** Money that came in: how much, when, how; what stays open is shown while typing. Receipts are issued with it. */
export function PayDialog({ doc, onClose }: { doc: Doc; onClose: () => void }) {
  const say = useWords(actWords)
  const types = useWords(typeWords)
  const { today } = useHere()
  const [wants, setWants] = useState({
    receipt: doc.documentType !== 'PAYMENT_REQUEST' && doc.documentType !== 'INVOICE_RECEIPT',
    send: false,
  })
  const record = useRecord(doc, wants)
  const form = useForm({
    initial: {
      amount: doc.openBalance,
      paidAt: today,
      method: 'BANK_TRANSFER' as string,
      chequeDay: today,
      reference: '',
      withheldAmount: 0,
      bankAccountId: doc.bankAccountId,
    },
    save: record,
    after: onClose,
  })
  const { amount } = form.values
  const rest = restOf(doc, amount)
  const canReceipt = doc.documentType !== 'INVOICE_RECEIPT'
  return (
    <FormDialog
      title={say.payTitle(`${types[doc.documentType]} ${doc.invoiceNumber}`)}
      act={say.record}
      icon="payment"
      isDisabled={amount <= 0 || rest < 0}
      form={form}
      onClose={onClose}
    >
      <div className="grid grid-cols-2 gap-4">
        <PaidField {...form.at('amount')} of={doc} autoFocus />
        <Field label={say.day} error={form.errors.paidAt}>
          <DayField value={form.values.paidAt} onDay={(day) => form.set('paidAt', day)} />
        </Field>
      </div>
      <HowPaid form={form} />
      {canReceipt && (
        <div className="grid gap-2">
          <CheckField
            label={say.receipt}
            checked={wants.receipt}
            onChange={(receipt) => setWants({ ...wants, receipt })}
          />
          {wants.receipt && rest === 0 && (
            <CheckField
              label={say.sendReceipt}
              checked={wants.send}
              onChange={(send) => setWants({ ...wants, send })}
            />
          )}
        </div>
      )}
    </FormDialog>
  )
}

type Paid = {
  amount: number
  paidAt: string
  method: string
  /** The day that is written on a cheque. */
  chequeDay: string
  reference: string
  withheldAmount: number
  bankAccountId: string | null
}
type PaidForm = {
  values: Paid
  errors: Record<string, string>
  set: <K extends keyof Paid>(field: K, value: Paid[K]) => void
  at: (field: 'reference') => { value: string; onChange: (value: string) => void; error: string | undefined }
}

function HowPaid({ form }: { form: PaidForm }) {
  const say = useWords(actWords)
  const { id: organizationId } = useHere()
  const { withholdsAtPayment } = useOwnCountry()
  const { data } = useQuery(read('bank_accounts_list', { organizationId }))
  const accounts = [
    ...(data?.bankAccounts ?? []).map(({ id, accountName }) => ({ value: id, label: accountName })),
    { value: 'none', label: say.nowhere },
  ]
  return (
    <>
      <div className="grid grid-cols-2 gap-4">
        <MethodField
          label={say.method}
          value={form.values.method}
          onChange={(method) => form.set('method', method)}
          error={form.errors.method ?? form.errors.paymentMethod}
        />
        <Field label={say.into} error={form.errors.bankAccountId}>
          <Select
            value={form.values.bankAccountId ?? 'none'}
            options={accounts}
            onChange={(id) => form.set('bankAccountId', id === 'none' ? null : id)}
          />
        </Field>
      </div>
      {form.values.method === 'CHECK' && (
        <Field label={say.chequeDay} hint={say.chequeHint} error={form.errors['details.cheque.dueDate']}>
          <DayField value={form.values.chequeDay} onDay={(day) => form.set('chequeDay', day)} />
        </Field>
      )}
      <TextField {...form.at('reference')} label={say.reference} hint={say.referenceHint} />
      {withholdsAtPayment && (
        <AmountField
          label={say.withheld}
          hint={say.withheldHint}
          value={form.values.withheldAmount}
          onChange={(amount) => form.set('withheldAmount', amount)}
          error={form.errors.withheldAmount}
        />
      )}
    </>
  )
}

/** All that is open: marked as paid, with its receipt in the same step. A part: a payment, and then its receipt. */
function useRecord(doc: Doc, wants: { receipt: boolean; send: boolean }) {
  const say = useWords(actWords)
  const lang = useLanguage()
  const touches = ['invoices', 'dashboard', 'customers']
  const markPaid = useWrite('invoices_mark_paid', touches)
  const pay = useWrite('invoices_payments', touches)
  const done = useRef<Output<'invoices_payments'>>(undefined)
  return async ({ amount, paidAt, method, chequeDay, reference, withheldAmount, bankAccountId }: Paid, key: string) => {
    const details = {
      ...{ reference: reference || null, bankAccountId, ...(withheldAmount > 0 && { withheldAmount }) },
      ...(method === 'CHECK' && { details: { cheque: { dueDate: chequeDay } } }),
    }
    if (amount === doc.openBalance) {
      const { receipt, payment } = await markPaid.mutateAsync({
        id: doc.id,
        paymentDate: paidAt,
        paymentMethod: method,
        ...details,
        generateReceipt: wants.receipt,
        sendReceiptEmail: wants.receipt && wants.send,
        key,
      })
      if (payment?.source === 'PLANNED') toast(say.planned(shownDay(lang, payment.paidAt)))
      else toast(receipt?.invoiceNumber ? say.recordedWith(receipt.invoiceNumber) : say.paid)
      return
    }
    done.current ??= await pay.mutateAsync({ id: doc.id, amount, paidAt, method, ...details, key })
    const { id, source, paidAt: from } = done.current
    if (source === 'PLANNED') {
      toast(say.planned(shownDay(lang, from)))
      return
    }
    if (wants.receipt) await call('invoices_payments_receipt', { id }, { key: `${key}-receipt` })
    toast(say.recorded)
  }
}
