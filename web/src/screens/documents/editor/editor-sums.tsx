import { Money, shownNumber } from '../../../shown.tsx'
import { NumberField } from '../../../ui/forms/number-field.tsx'
import { useLanguage, useWords } from '../../../words.ts'
import { useHere } from '../here.ts'
import type { Sums as Added, Draft } from './draft.ts'
import { editorWords } from './editor-words.ts'

type SumsProps = { draft: Draft; sums: Added; note: string | undefined; onRate: (rate: number) => void }

/** What the lines add up to, over the double rule. Lines with rates of their own get a row each. */
export function Sums({ draft, sums, note, onRate }: SumsProps) {
  const say = useWords(editorWords)
  const lang = useLanguage()
  const { tax } = useHere()
  const { currency } = draft
  const own = draft.taxRate ?? 0
  const others = sums.taxes.filter(({ rate }) => rate !== own)
  const ownTax = sums.taxes.find(({ rate }) => rate === own)?.amount ?? 0
  const name = tax.name || say.tax
  return (
    <div className="pt-6">
      <dl className="grid gap-1.5">
        <Sum name={say.subtotal} amount={sums.subtotal} currency={currency} />
        <div className="flex justify-between items-center">
          <dt className="text-soft flex items-center gap-1.5">
            {name}
            <NumberField label={`${name} %`} value={own} onNumber={onRate} className="w-18 h-7 px-1.5" />%
          </dt>
          <dd>
            <Money amount={ownTax} currency={currency} />
          </dd>
        </div>
        {others.map(({ rate, amount }) => (
          <Sum key={rate} name={`${name} ${shownNumber(lang, rate)}%`} amount={amount} currency={currency} />
        ))}
        <div className="flex justify-between items-baseline pt-2 mt-1 pb-2 border-t border-ink double-rule">
          <dt className="font-medium">{say.total}</dt>
          <dd className="figure-text text-lg" data-total>
            <Money amount={sums.total} currency={currency} />
          </dd>
        </div>
      </dl>
      {note && <p className="text-sm text-warn pt-1.5">{note}</p>}
    </div>
  )
}

const Sum = ({ name, amount, currency }: { name: string; amount: number; currency: string }) => (
  <div className="flex justify-between">
    <dt className="text-soft">{name}</dt>
    <dd>
      <Money amount={amount} currency={currency} />
    </dd>
  </div>
)
