import { useWords } from '../../words.ts'
import { paymentMethods, paymentMethodWords } from '../values/payment-methods.ts'
import { Field } from './field.tsx'
import { Select } from './select.tsx'
import type { At } from './text-field.tsx'

/** How money came in. A method that is no longer offered stays a choice. */
export function MethodField({ value, onChange, error, label }: At<string> & { label: string }) {
  const names = useWords(paymentMethodWords)
  const known: readonly string[] = paymentMethods
  const all = known.includes(value) ? known : [value, ...known]
  return (
    <Field label={label} error={error}>
      <Select
        value={value}
        options={all.map((each) => ({ value: each, label: names[each] ?? each }))}
        onChange={onChange}
      />
    </Field>
  )
}
