import { Money, shownMoney } from '../../shown.tsx'
import { useLanguage, useWords, words } from '../../words.ts'
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

/** What a payment leaves open; less than nothing if it is more than that, also by less than the currency has. */
export const restOf = ({ openBalance }: Pick<Open, 'openBalance'>, amount: number): number =>
  Math.round((openBalance - amount) * 1e6) / 1e6

/** What is paid of something open. What stays open, or that it is too much, is said while somebody types. */
export function PaidField({ of, ...at }: Amount & { of: Open }) {
  const say = useWords(said)
  const lang = useLanguage()
  const over = `${say.over}: ${shownMoney(lang, of.openBalance, of.currency)}`
  const error = at.error ?? (restOf(of, at.value) < 0 ? over : undefined)
  return <AmountField {...at} label={say.amount} hint={<Rest of={of} amount={at.value} />} error={error} />
}

function Rest({ of, amount }: { of: Open; amount: number }) {
  const say = useWords(said)
  const rest = restOf(of, amount)
  if (rest === 0) return <>{say.settles}</>
  return (
    <>
      {say.stays}: <Money amount={rest} currency={of.currency} quiet />
    </>
  )
}
