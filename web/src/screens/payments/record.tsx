import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { call, read, useWrite } from '../../api.ts'
import { useOwnCountry } from '../../country.ts'
import type { Search } from '../../search.ts'
import { useOrganization } from '../../session.ts'
import { shownMoney, today } from '../../shown.tsx'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/card.tsx'
import { AmountField } from '../../ui/forms/amount-field.tsx'
import { CheckField } from '../../ui/forms/check-field.tsx'
import type { Choice } from '../../ui/forms/combo.tsx'
import { DayField } from '../../ui/forms/day-field.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { useForm } from '../../ui/forms/form.ts'
import { MethodField } from '../../ui/forms/method-field.tsx'
import { FormPage } from '../../ui/forms/page.tsx'
import { Select } from '../../ui/forms/select.tsx'
import { TextField } from '../../ui/forms/text-field.tsx'
import { say as tell } from '../../ui/overlays/toast.tsx'
import { useLanguage, useWords } from '../../words.ts'
import { touched } from './act.ts'
import { CustomerField } from './customer-field.tsx'
import { propose, remainder } from './propose.ts'
import { type Shares, ShareTable, toAllocations, useOpenDocuments } from './shares.tsx'
import { paymentWords } from './words.ts'

/** One payment over many documents. A customer can be named in the address. */
export function RecordPayment() {
  const { customer } = useSearch({ strict: false }) as Search
  const asked = { ...read('customers_get', { id: String(customer) }), enabled: customer !== undefined }
  const { data, isError: isUnknown } = useQuery(asked)
  if (customer !== undefined && !data && !isUnknown) return <Skeleton className="m-8 h-60" />
  return <RecordForm payer={data ? { id: data.id, name: data.displayName } : null} />
}

function RecordForm({ payer }: { payer: Choice | null }) {
  const say = useWords(paymentWords)
  const { id: org, currency: home } = useOrganization()
  const { withholdsAtPayment } = useOwnCountry()
  const navigate = useNavigate()
  const [customer, setCustomer] = useState(payer)
  const [typed, setTyped] = useState<Shares>()
  const [chosen, setChosen] = useState<string>()
  const [wantsReceipt, setWantsReceipt] = useState(false)
  const all = useOpenDocuments(customer?.id ?? null)
  const currencies = [...new Set([...(all ?? []).map(({ currency }) => currency), home])]
  const currency = chosen ?? currencies[0] ?? home
  const documents = all?.filter((each) => each.currency === currency)
  const sharesOf = (amount: number) => typed ?? propose(amount, documents ?? [], currency)
  const record = useRecord(wantsReceipt)
  const form = useForm({
    initial: { amount: 0, paidAt: today(), method: 'BANK_TRANSFER', reference: '', withheldAmount: 0, allocations: '' },
    save: (values, key) =>
      record(
        {
          organizationId: org,
          customerId: customer?.id ?? null,
          currency,
          amount: values.amount,
          paidAt: values.paidAt,
          method: values.method,
          reference: values.reference || null,
          ...(values.withheldAmount > 0 && { withheldAmount: values.withheldAmount }),
          allocations: toAllocations(sharesOf(values.amount)),
        },
        key,
      ),
    after: (told) => {
      tell(told)
      void navigate({ to: '/o/$org/payments', params: { org } })
    },
  })
  const { amount } = form.values
  const shares = sharesOf(amount)
  const change = (next: Shares | undefined) => {
    setTyped(next)
    form.set('allocations', JSON.stringify(next ?? {}))
  }
  return (
    <FormPage
      title={say.create}
      back={{ label: say.title, to: '/o/$org/payments' }}
      save={say.record}
      form={remainder(amount, shares, currency) < 0 ? { ...form, problem: say.over, submit: async () => {} } : form}
    >
      <CustomerField
        value={customer}
        onPick={(picked) => {
          setCustomer(picked)
          setChosen(undefined)
          change(undefined)
        }}
      />
      <div className="grid grid-cols-2 gap-4">
        <AmountField
          {...form.at('amount')}
          label={say.amount}
          hint={<Whole documents={documents ?? []} currency={currency} onWhole={(sum) => form.set('amount', sum)} />}
        />
        <Field label={say.currency}>
          <Select
            value={currency}
            options={currencies.map((value) => ({ value, label: value }))}
            onChange={(next) => {
              setChosen(next)
              change(undefined)
            }}
          />
        </Field>
        <Field label={say.day} error={form.errors.paidAt}>
          <DayField value={form.values.paidAt} onDay={(day) => form.set('paidAt', day)} />
        </Field>
        <MethodField {...form.at('method')} label={say.method} />
      </div>
      <TextField {...form.at('reference')} label={say.optional(say.reference)} hint={say.referenceHint} />
      {withholdsAtPayment && (
        <AmountField {...form.at('withheldAmount')} label={say.optional(say.withheld)} hint={say.withheldHint} />
      )}
      {!customer ? (
        <p className="text-soft">{say.pickFirst}</p>
      ) : documents === undefined ? (
        <Skeleton className="h-30" />
      ) : documents.length === 0 ? (
        <p className="text-soft">{say.noOpen}</p>
      ) : (
        <ShareTable
          amount={amount}
          currency={currency}
          documents={documents}
          shares={shares}
          onShares={change}
          onPropose={() => change(undefined)}
        />
      )}
      {customer && <CheckField label={say.receiptToo} checked={wantsReceipt} onChange={setWantsReceipt} />}
    </FormPage>
  )
}

type WholeProps = {
  documents: readonly { openBalance: number }[]
  currency: string
  onWhole: (sum: number) => void
}

/** All that is open, by one press. */
function Whole({ documents, currency, onWhole }: WholeProps) {
  const say = useWords(paymentWords)
  const lang = useLanguage()
  const sum = -remainder(0, Object.fromEntries(documents.map(({ openBalance }, at) => [at, openBalance])), currency)
  if (documents.length === 0) return null
  return (
    <Button look="quiet" onPress={() => onWhole(sum)}>
      {say.whole(shownMoney(lang, sum, currency))}
    </Button>
  )
}

/** Records the payment and, if it is wanted, issues its receipt. A receipt that fails does not undo the payment. */
function useRecord(wantsReceipt: boolean) {
  const say = useWords(paymentWords)
  const create = useWrite('invoices_payments_create', touched)
  return async (payment: Parameters<typeof create.mutateAsync>[0], key: string): Promise<string> => {
    const { id } = await create.mutateAsync({ ...payment, key })
    if (!wantsReceipt) return say.recorded
    try {
      const { invoiceNumber } = await call('invoices_payments_receipt', { id }, { key: `${key}-receipt` })
      return say.recordedReceipt(invoiceNumber ?? '')
    } catch {
      return say.noReceipt
    }
  }
}
