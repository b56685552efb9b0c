import { useState } from 'react'
import { type Output, useWrite } from '../../api.ts'
import { useNumberNames } from '../../country.ts'
import { useMay, useOrganization } from '../../session.ts'
import { countryName } from '../../shown.tsx'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { CountryField } from '../../ui/forms/country-field.tsx'
import { useForm } from '../../ui/forms/form.ts'
import { LongField, TextField } from '../../ui/forms/text-field.tsx'
import { say as tell } from '../../ui/overlays/toast.tsx'
import { Facts } from '../../ui/values/facts.tsx'
import { useLanguage, useWords } from '../../words.ts'
import { customerWords } from './words.ts'

export type Customer = Output<'customers_get'>

/** How to reach a customer, and what stands on their documents. */
export function CustomerFacts({ customer }: { customer: Customer }) {
  const say = useWords(customerWords)
  const lang = useLanguage()
  const numbers = useNumberNames(customer.country)
  const { country, kind } = customer
  return (
    <Facts
      of={[
        [say.kind, kind && say.kinds[kind]],
        [say.email, customer.email && <bdi dir="ltr">{customer.email}</bdi>],
        [say.phone, customer.phone && <bdi dir="ltr">{customer.phone}</bdi>],
        [say.country, country && countryName(lang, country)],
        [
          numbers.customer.label[lang],
          customer.displayRegistrationNumber && <bdi dir="ltr">{customer.displayRegistrationNumber}</bdi>,
        ],
        [say.currency, customer.defaultCurrencies.join(', ')],
        [say.address, customer.displayAddress && <bdi className="whitespace-pre-line">{customer.displayAddress}</bdi>],
        [say.notes, customer.notes && <bdi className="whitespace-pre-line">{customer.notes}</bdi>],
      ]}
    />
  )
}

/** The facts on the page of the customer, changed where they stand. */
export function FactsCard({ customer }: { customer: Customer }) {
  const say = useWords(customerWords)
  const may = useMay()
  const [editing, setEditing] = useState(false)
  return (
    <Card
      title={say.facts}
      action={
        !editing &&
        may('customers_update_patch') && (
          <Button look="quiet" icon="edit" onPress={() => setEditing(true)}>
            {say.edit}
          </Button>
        )
      }
    >
      <div className="p-4 pt-2">
        {editing ? (
          <FactsForm customer={customer} onDone={() => setEditing(false)} />
        ) : (
          <CustomerFacts customer={customer} />
        )}
      </div>
    </Card>
  )
}

function FactsForm({ customer, onDone }: { customer: Customer; onDone: () => void }) {
  const say = useWords(customerWords)
  const lang = useLanguage()
  const { country } = useOrganization()
  const update = useWrite('customers_update_patch', ['customers', 'invoices', 'reports'])
  const form = useForm({
    initial: {
      name: customer.name ?? '',
      email: customer.email,
      phone: customer.phone,
      country: customer.country,
      registrationNumber: customer.registrationNumber,
      address: customer.address,
      notes: customer.notes,
    },
    // What was emptied is removed, not stored as an empty text.
    save: ({ name, ...rest }, key) =>
      update.mutateAsync({
        id: customer.id,
        name,
        ...Object.fromEntries(Object.entries(rest).map(([field, value]) => [field, value || null])),
        key,
      }),
    after: () => {
      tell(say.saved)
      onDone()
    },
  })
  const numbers = useNumberNames(form.values.country)
  return (
    <form
      noValidate
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        void form.submit()
      }}
    >
      {form.problem && <Alert>{form.problem}</Alert>}
      <TextField {...form.at('name')} label={say.name} autoFocus />
      <TextField {...form.at('email')} label={say.optional(say.email)} type="email" dir="ltr" />
      <TextField {...form.at('phone')} label={say.optional(say.phone)} type="tel" dir="ltr" />
      <CountryField {...form.at('country')} label={say.country} first={country} />
      <TextField {...form.at('registrationNumber')} label={say.optional(numbers.customer.label[lang])} dir="ltr" />
      <LongField {...form.at('address')} label={say.optional(say.address)} />
      <LongField {...form.at('notes')} label={say.optional(say.notes)} />
      <div className="flex gap-2">
        <Button look="primary" type="submit" busy={form.busy}>
          {say.saveChanges}
        </Button>
        <Button look="quiet" onPress={onDone}>
          {say.cancel}
        </Button>
      </div>
    </form>
  )
}
