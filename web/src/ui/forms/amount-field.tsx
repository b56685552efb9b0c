import { minorDigits } from '../../money.ts'
import { Money } from '../../shown.tsx'
import { useWords, words } from '../../words.ts'
import { Field } from './field.tsx'
import { NumberField } from './number-field.tsx'
import type { At, Said } from './text-field.tsx'

type Amount = At<number> & { autoFocus?: boolean }

/** An amount of money, whose currency is said elsewhere. */
export const AmountField = ({ value, onChange, error, label, hint, autoFocus = false }: Amount & Said) => (
  <Field label={label} hint={hint} error={error}>
    <NumberField label={label} value={value} digits={2} onNumber={onChange} className="w-full" autoFocus={autoFocus} />
  </Field>
)

const said = words(
  { amount: 'Amount', stays: 'Stays open', settles: 'Pays all that is open', over: 'More than is open' },
  { amount: 'סכום', stays: 'נשאר פתוח', settles: 'משלם את כל היתרה', over: 'יותר מן היתרה' },
)

type Open = { openBalance: number; currency: string }

/** What a payment leaves open; less than nothing if it is more than that. */
export const restOf = ({ openBalance, currency }: Open, amount: number): number =>
  Number((openBalance - amount).toFixed(minorDigits(currency)))

/** What is paid of something open. What stays open is shown while somebody types. */
export function PaidField({ of, ...at }: Amount & { of: Open }) {
  const say = useWords(said)
  return <AmountField {...at} label={say.amount} hint={<Rest of={of} amount={at.value} />} />
}

function Rest({ of, amount }: { of: Open; amount: number }) {
  const say = useWords(said)
  const rest = restOf(of, amount)
  if (rest === 0) return <>{say.settles}</>
  if (rest < 0)
    return (
      <span className="text-danger">
        {say.over}: <Money amount={of.openBalance} currency={of.currency} quiet />
      </span>
    )
  return (
    <>
      {say.stays}: <Money amount={rest} currency={of.currency} quiet />
    </>
  )
}
