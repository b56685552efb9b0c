import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { call, read, useWrite } from '../../api.ts'
import { Money } from '../../shown.tsx'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { DayField } from '../../ui/day-field.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { useForm } from '../../ui/form.ts'
import { NumberField } from '../../ui/number-field.tsx'
import { paymentMethods } from '../../ui/payment-methods.ts'
import { Select } from '../../ui/select.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { say as toast } from '../../ui/toast.tsx'
import { useWords } from '../../words.ts'
import { actWords } from './act-words.ts'
import type { Doc } from './content.tsx'
import { useHere } from './here.ts'
import { methodWords, typeWords } from './words.ts'

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
      reference: '',
      withheldAmount: 0,
      bankAccountId: doc.bankAccountId,
    },
    save: record,
    after: onClose,
  })
  const { amount } = form.values
  const rest = Math.round((doc.openBalance - amount) * 1e6) / 1e6
  const canReceipt = doc.documentType !== 'INVOICE_RECEIPT'
  return (
    <Dialog
      title={say.payTitle(`${types[doc.documentType]} ${doc.invoiceNumber}`)}
      onClose={onClose}
      footer={
        <Button
          look="primary"
          icon="payment"
          busy={form.busy}
          isDisabled={amount <= 0 || rest < 0}
          onPress={() => void form.submit()}
        >
          {say.record}
        </Button>
      }
    >
      <form
        noValidate
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          void form.submit()
        }}
      >
        {form.problem && <Alert>{form.problem}</Alert>}
        <div className="grid grid-cols-2 gap-4">
          <Field
            label={say.amount}
            error={form.errors.amount}
            hint={<Rest open={doc.openBalance} rest={rest} currency={doc.currency} />}
          >
            <NumberField
              label={say.amount}
              value={amount}
              digits={2}
              onNumber={(next) => form.set('amount', next)}
              className="w-full"
              autoFocus
            />
          </Field>
          <Field label={say.day} error={form.errors.paidAt}>
            <DayField value={form.values.paidAt} onDay={(day) => form.set('paidAt', day)} />
          </Field>
        </div>
        <HowPaid form={form} />
        {canReceipt && (
          <div className="grid gap-2">
            <Check
              label={say.receipt}
              checked={wants.receipt}
              onChange={(receipt) => setWants({ ...wants, receipt })}
            />
            {wants.receipt && rest === 0 && (
              <Check label={say.sendReceipt} checked={wants.send} onChange={(send) => setWants({ ...wants, send })} />
            )}
          </div>
        )}
        <button type="submit" className="sr-only" tabIndex={-1}>
          {say.record}
        </button>
      </form>
    </Dialog>
  )
}

const Check = ({
  label,
  checked,
  onChange,
}: {
  label: string
  checked: boolean
  onChange: (checked: boolean) => void
}) => (
  <label className="flex items-center gap-2 min-h-6">
    <input
      type="checkbox"
      checked={checked}
      onChange={(event) => onChange(event.target.checked)}
      className="size-4 accent-accent"
    />
    {label}
  </label>
)

function Rest({ open, rest, currency }: { open: number; rest: number; currency: string }) {
  const say = useWords(actWords)
  if (rest === 0) return <>{say.settles}</>
  if (rest < 0)
    return (
      <span className="text-danger">
        {say.over}: <Money amount={open} currency={currency} quiet />
      </span>
    )
  return (
    <>
      {say.stays}: <Money amount={rest} currency={currency} quiet />
    </>
  )
}

type Paid = {
  amount: number
  paidAt: string
  method: string
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
  const names = useWords(methodWords)
  const { id: organizationId, country } = useHere()
  const { data } = useQuery(read('bank_accounts_list', { organizationId }))
  const accounts = [
    ...(data?.bankAccounts ?? []).map(({ id, accountName }) => ({ value: id, label: accountName })),
    { value: 'none', label: say.nowhere },
  ]
  return (
    <>
      <div className="grid grid-cols-2 gap-4">
        <Field label={say.method} error={form.errors.method ?? form.errors.paymentMethod}>
          <Select
            value={form.values.method}
            options={paymentMethods.map((value) => ({ value, label: names[value] ?? value }))}
            onChange={(method) => form.set('method', method)}
          />
        </Field>
        <Field label={say.into} error={form.errors.bankAccountId}>
          <Select
            value={form.values.bankAccountId ?? 'none'}
            options={accounts}
            onChange={(id) => form.set('bankAccountId', id === 'none' ? null : id)}
          />
        </Field>
      </div>
      <TextField {...form.at('reference')} label={say.reference} hint={say.referenceHint} />
      {country === 'IL' && (
        <Field label={say.withheld} hint={say.withheldHint} error={form.errors.withheldAmount}>
          <NumberField
            label={say.withheld}
            value={form.values.withheldAmount}
            digits={2}
            onNumber={(amount) => form.set('withheldAmount', amount)}
            className="w-full"
          />
        </Field>
      )}
    </>
  )
}

/** All that is open: marked as paid, with its receipt in the same step. A part: a payment, and then its receipt. */
function useRecord(doc: Doc, wants: { receipt: boolean; send: boolean }) {
  const say = useWords(actWords)
  const touches = ['invoices', 'dashboard', 'customers']
  const markPaid = useWrite('invoices_mark_paid', touches)
  const pay = useWrite('invoices_payments', touches)
  const done = useRef<string>(undefined)
  return async ({ amount, paidAt, method, reference, withheldAmount, bankAccountId }: Paid, key: string) => {
    const details = { reference: reference || null, bankAccountId, ...(withheldAmount > 0 && { withheldAmount }) }
    if (amount === doc.openBalance) {
      const { receipt } = await markPaid.mutateAsync({
        id: doc.id,
        paymentDate: paidAt,
        paymentMethod: method,
        ...details,
        generateReceipt: wants.receipt,
        sendReceiptEmail: wants.receipt && wants.send,
        key,
      })
      toast(receipt?.invoiceNumber ? say.recordedWith(receipt.invoiceNumber) : say.paid)
      return
    }
    done.current ??= (await pay.mutateAsync({ id: doc.id, amount, paidAt, method, ...details, key })).id
    if (wants.receipt) await call('invoices_payments_receipt', { id: done.current }, { key: `${key}-receipt` })
    toast(say.recorded)
  }
}
