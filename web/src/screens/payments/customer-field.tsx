import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { read } from '../../api.ts'
import { useOrganization } from '../../session.ts'
import { type Choice, Combo } from '../../ui/forms/combo.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { useWords } from '../../words.ts'
import { paymentWords } from './words.ts'

/** Who paid. */
export function CustomerField({ value, onPick }: { value: Choice | null; onPick: (choice: Choice) => void }) {
  const say = useWords(paymentWords)
  const { id: organizationId } = useOrganization()
  const [typed, setTyped] = useState('')
  const text = useDeferredValue(typed)
  const { data } = useQuery({
    ...read('customers_list', {
      organizationId,
      search: text,
      limit: 20,
      sortBy: 'name',
      sortOrder: 'asc',
    }),
    placeholderData: (before) => before,
  })
  return (
    <Field label={say.customer}>
      <Combo
        value={value}
        items={(data?.customers ?? []).map(({ id, displayName }) => ({ id, name: displayName }))}
        onSearch={setTyped}
        onPick={onPick}
        placeholder={say.pick}
        empty={say.nobody}
      />
    </Field>
  )
}
