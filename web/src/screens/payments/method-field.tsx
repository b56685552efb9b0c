import { Field } from '../../ui/forms/field.tsx'
import { Select } from '../../ui/forms/select.tsx'
import type { At } from '../../ui/forms/text-field.tsx'
import { paymentMethods, paymentMethodWords } from '../../ui/values/payment-methods.ts'
import { useWords } from '../../words.ts'
import { paymentWords } from './words.ts'

export function MethodField({ value, onChange, error }: At<string>) {
  const say = useWords(paymentWords)
  const names = useWords(paymentMethodWords)
  const known: readonly string[] = paymentMethods
  const all = known.includes(value) ? known : [value, ...known]
  return (
    <Field label={say.method} error={error}>
      <Select
        value={value}
        options={all.map((each) => ({ value: each, label: names[each] ?? each }))}
        onChange={onChange}
      />
    </Field>
  )
}
