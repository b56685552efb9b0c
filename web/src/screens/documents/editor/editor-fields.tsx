import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { read } from '../../../api.ts'
import { addDays } from '../../../shown.tsx'
import { Button } from '../../../ui/button.tsx'
import { DayField } from '../../../ui/forms/day-field.tsx'
import { Field } from '../../../ui/forms/field.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import { paymentMethods, paymentMethodWords } from '../../../ui/values/payment-methods.ts'
import { useWords } from '../../../words.ts'
import { useHere } from '../here.ts'
import { typeWords } from '../words.ts'
import { CustomerField } from './customer-field.tsx'
import { type Draft, draftTypes, statesPayment } from './draft.ts'
import { editorWords } from './editor-words.ts'

type FieldsProps = { draft: Draft; set: (more: Partial<Draft>) => void; doubt: (path: string) => string | undefined }

/** What the server doubts about a field, below it. */
const noted = (text: string | undefined) => text && <span className="text-warn whitespace-pre-line">{text}</span>

/** Who it is for, what it is, and by when and where it is to be paid. */
export function Terms({ draft, set, doubt }: FieldsProps) {
  const say = useWords(editorWords)
  const types = useWords(typeWords)
  const { currency: own } = useHere()
  const customer = draft.customerId ? { id: draft.customerId, name: draft.customerName } : null
  return (
    <>
      <div className="grid sm:grid-cols-[minmax(0,1fr)_12rem] gap-4">
        <CustomerField
          value={customer}
          note={noted(doubt('customerId'))}
          onPick={({ id, name, currency }) =>
            set({ customerId: id, customerName: name, ...(currency && draft.currency === own && { currency }) })
          }
        />
        <Field label={say.type} hint={noted(doubt('documentType'))}>
          <Select
            value={draft.documentType}
            onChange={(documentType) => set({ documentType })}
            options={draftTypes.map((value) => ({ value, label: types[value] ?? value }))}
          />
        </Field>
      </div>
      {statesPayment(draft.documentType) ? (
        <Paid draft={draft} set={set} doubt={doubt} />
      ) : (
        <Days draft={draft} set={set} doubt={doubt} />
      )}
      <div className="grid grid-cols-[7rem_minmax(0,1fr)] gap-4">
        <Field label={say.currency} hint={noted(doubt('currency'))}>
          <Select
            value={draft.currency}
            onChange={(currency) => set({ currency })}
            options={[...new Set([own, draft.currency, 'ILS', 'SGD', 'USD', 'EUR', 'GBP'])].map((value) => ({
              value,
              label: value,
            }))}
          />
        </Field>
        <Into
          value={draft.bankAccountId}
          hint={noted(doubt('bankAccountId'))}
          onPick={(bankAccountId) => set({ bankAccountId })}
        />
      </div>
    </>
  )
}

function Days({ draft, set, doubt }: FieldsProps) {
  const say = useWords(editorWords)
  const { today } = useHere()
  const from = draft.issueDate || today
  return (
    <div className="grid grid-cols-2 sm:grid-cols-[10rem_10rem_minmax(0,1fr)] gap-4 items-start">
      <IssueDay draft={draft} set={set} doubt={doubt} />
      <Field label={say.due} hint={noted(doubt('dueDate'))}>
        <DayField value={draft.dueDate} placeholder="–" onDay={(dueDate) => set({ dueDate })} />
      </Field>
      <div className="flex gap-1 sm:pt-6 max-sm:col-span-2">
        {[14, 30, 60].map((days) => (
          <Button
            key={days}
            look={draft.dueDate === addDays(from, days) ? 'plain' : 'quiet'}
            label={say.dueIn(days)}
            onPress={() => set({ dueDate: addDays(from, days) })}
          >
            <bdi dir="ltr">+{days}</bdi>
          </Button>
        ))}
      </div>
    </div>
  )
}

const IssueDay = ({ draft, set, doubt }: FieldsProps) => {
  const say = useWords(editorWords)
  return (
    <Field label={say.issueDate} hint={noted(doubt('issueDate'))}>
      <DayField value={draft.issueDate} placeholder={say.onIssue} onDay={(issueDate) => set({ issueDate })} />
    </Field>
  )
}

/** For a document that states that it was paid. */
function Paid({ draft, set, doubt }: FieldsProps) {
  const say = useWords(editorWords)
  const names = useWords(paymentMethodWords)
  return (
    <div className="grid grid-cols-2 sm:grid-cols-[10rem_10rem_minmax(0,1fr)] gap-4 items-start">
      <IssueDay draft={draft} set={set} doubt={doubt} />
      <Field label={say.paidOn} hint={noted(doubt('paymentDate'))}>
        <DayField value={draft.paymentDate} placeholder={say.onIssue} onDay={(paymentDate) => set({ paymentDate })} />
      </Field>
      <Field label={say.method} hint={noted(doubt('paymentMethod'))} className="max-sm:col-span-2">
        <Select
          value={draft.paymentMethod || null}
          options={paymentMethods.map((value) => ({ value, label: names[value] ?? value }))}
          onChange={(paymentMethod) => set({ paymentMethod })}
        />
      </Field>
    </div>
  )
}

function Into({
  value,
  hint,
  onPick,
}: {
  value: string | null
  hint?: ReactNode
  onPick: (id: string | null) => void
}) {
  const say = useWords(editorWords)
  const { id: organizationId } = useHere()
  const { data } = useQuery(read('bank_accounts_list', { organizationId }))
  const options = [
    ...(data?.bankAccounts ?? []).map(({ id, accountName }) => ({ value: id, label: accountName })),
    { value: 'none', label: say.nowhere },
  ]
  return (
    <Field label={say.into} hint={hint}>
      <Select value={value ?? 'none'} options={options} onChange={(next) => onPick(next === 'none' ? null : next)} />
    </Field>
  )
}
