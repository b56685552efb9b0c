import { useState } from 'react'
import { call, useWrite } from '../../api.ts'
import { today } from '../../shown.tsx'
import { PaidField, restOf } from '../../ui/forms/amount-field.tsx'
import { CheckField } from '../../ui/forms/check-field.tsx'
import { DayField } from '../../ui/forms/day-field.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { useForm } from '../../ui/forms/form.ts'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { MethodField } from '../../ui/forms/method-field.tsx'
import { say as tell } from '../../ui/overlays/toast.tsx'
import { useWords } from '../../words.ts'
import type { Pending } from './waiting.tsx'
import { dashboardWords } from './words.ts'

/** A payment of one document: what is open of it, unless somebody types less. */
export function PayDialog({ document, onClose }: { document: Pending; onClose: () => void }) {
  const say = useWords(dashboardWords)
  const { id, openBalance } = document
  const [wantsReceipt, setWantsReceipt] = useState(true)
  const pay = useWrite('invoices_payments', ['invoices', 'dashboard', 'customers'])
  const form = useForm({
    initial: { amount: openBalance, paidAt: today(), method: 'BANK_TRANSFER' },
    save: async (values, key) => {
      const payment = await pay.mutateAsync({ id, ...values, key })
      if (!wantsReceipt) return say.recorded
      // The payment stands, whatever becomes of its receipt.
      const receipt = await call('invoices_payments_receipt', { id: payment.id }, { key: `${key}-receipt` }).catch(
        () => undefined,
      )
      return receipt?.invoiceNumber ? say.recordedWith(receipt.invoiceNumber) : say.recorded
    },
    after: (told) => {
      tell(told)
      onClose()
    },
  })
  const { amount } = form.values
  return (
    <FormDialog
      title={say.payTitle(document.invoiceNumber ?? document.customerName)}
      act={say.record}
      icon="payment"
      isDisabled={amount <= 0 || restOf(document, amount) < 0}
      form={form}
      onClose={onClose}
    >
      <div className="grid grid-cols-2 gap-4">
        <PaidField {...form.at('amount')} of={document} />
        <Field label={say.day} error={form.errors.paidAt}>
          <DayField value={form.values.paidAt} onDay={(day) => form.set('paidAt', day)} />
        </Field>
      </div>
      <MethodField {...form.at('method')} label={say.method} />
      <CheckField label={say.receipt} checked={wantsReceipt} onChange={setWantsReceipt} />
    </FormDialog>
  )
}
