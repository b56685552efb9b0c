import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useDeferredValue, useState } from 'react'
import { type Input, read, useWrite } from '../../../api.ts'
import { useNumberNames } from '../../../country.ts'
import { useOrganization } from '../../../session.ts'
import { Money } from '../../../shown.tsx'
import { ChoiceField } from '../../../ui/forms/choice-field.tsx'
import { Combo } from '../../../ui/forms/combo.tsx'
import { CountryField } from '../../../ui/forms/country-field.tsx'
import { Field } from '../../../ui/forms/field.tsx'
import { useForm } from '../../../ui/forms/form.ts'
import { FormDialog } from '../../../ui/forms/form-dialog.tsx'
import { TextField } from '../../../ui/forms/text-field.tsx'
import { useLanguage, useWords } from '../../../words.ts'
import { useHere } from '../here.ts'
import { editorWords } from './editor-words.ts'

type Picked = { id: string; name: string; currency?: string | undefined }

/** Who the document is for: found while typing, or added on the spot. */
export function CustomerField({
  value,
  note,
  onPick,
}: {
  value: Picked | null
  note?: ReactNode
  onPick: (customer: Picked) => void
}) {
  const say = useWords(editorWords)
  const { id: organizationId } = useHere()
  const [text, setText] = useState('')
  const [adding, setAdding] = useState<string>()
  const search = useDeferredValue(text)
  const { data } = useQuery({
    ...read('customers_list', {
      organizationId,
      search,
      limit: 8,
      sortBy: 'name',
      sortOrder: 'asc',
    }),
    placeholderData: keepPreviousData,
  })
  const customers = data?.customers ?? []
  return (
    <Field label={say.customer} hint={note || (value && <Balance id={value.id} />)}>
      <Combo
        value={value}
        items={customers.map(({ id, displayName }) => ({ id, name: displayName }))}
        onSearch={setText}
        onPick={({ id, name }) => {
          const found = customers.find((each) => each.id === id)
          onPick({ id, name, currency: found?.defaultCurrencies[0] })
        }}
        placeholder={say.pickCustomer}
        empty={say.noCustomer}
        more={{ label: say.newCustomer(text.trim()), on: () => setAdding(text.trim()) }}
        autoFocus={value === null}
      />
      {adding !== undefined && (
        <NewCustomer
          name={adding}
          onClose={() => setAdding(undefined)}
          onAdded={(customer) => {
            setAdding(undefined)
            onPick(customer)
          }}
        />
      )}
    </Field>
  )
}

/** What the customer owes, or is owed, when they are picked. */
function Balance({ id }: { id: string }) {
  const say = useWords(editorWords)
  const { data } = useQuery(read('customers_get', { id }))
  const credits = data?.openCredits ?? []
  if (credits.length === 0) return data?.email ?? ''
  return (
    <>
      {say.credit}{' '}
      {credits.map(({ currency, amount }) => (
        <Money key={currency} amount={amount} currency={currency} quiet />
      ))}
    </>
  )
}

function NewCustomer({
  name,
  onClose,
  onAdded,
}: {
  name: string
  onClose: () => void
  onAdded: (customer: Picked) => void
}) {
  const say = useWords(editorWords)
  const lang = useLanguage()
  const here = useHere()
  const { country } = useOrganization()
  const create = useWrite('customers_create')
  const initial: Input<'customers_create'> = {
    organizationId: here.id,
    name,
    country,
    kind: 'ORGANIZATION',
    defaultCurrencies: [here.currency],
  }
  const form = useForm({
    initial,
    save: (customer, key) => create.mutateAsync({ ...customer, key }),
    after: ({ id, displayName }) => onAdded({ id, name: displayName }),
  })
  const numbers = useNumberNames(form.values.country)
  return (
    <FormDialog title={say.newCustomer('')} act={say.addCustomer} form={form} onClose={onClose}>
      <TextField {...form.at('name')} label={say.name} autoFocus />
      <ChoiceField {...form.at('kind')} label={say.kind} options={say.kinds} />
      <CountryField {...form.at('country')} label={say.country} first={country} />
      <TextField {...form.at('email')} label={say.email} hint={say.emailHint} type="email" dir="ltr" />
      <TextField {...form.at('registrationNumber')} label={say.optional(numbers.customer.label[lang])} dir="ltr" />
    </FormDialog>
  )
}
