import { useOwnCountry } from '../../../country.ts'
import { Field } from '../../../ui/forms/field.tsx'
import { NumberField } from '../../../ui/forms/number-field.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import { useLanguage, useWords } from '../../../words.ts'
import { useHere } from '../here.ts'
import type { Line } from './draft.ts'
import { editorWords } from './editor-words.ts'

type DetailsProps = { line: Line; currency: string; onChange: (more: Partial<Line>) => void }

/** What few lines need: a discount, and a tax that differs from the document's. */
export function LineDetails({ line, currency, onChange }: DetailsProps) {
  const say = useWords(editorWords)
  const byAmount = line.discountAmount !== null
  const discount = line.discountAmount ?? line.discountPercent ?? 0
  const setDiscount = (value: number, amount: boolean) =>
    onChange({ discountPercent: amount || !value ? null : value, discountAmount: amount ? value : null })
  return (
    <div className="flex flex-wrap gap-3 ps-2.5 pt-1 pb-2">
      <Field label={say.discount} className="w-24">
        <NumberField
          label={say.discount}
          value={discount}
          onNumber={(value) => setDiscount(value, byAmount)}
          className="w-full"
        />
      </Field>
      <Field label={say.discountIn} className="w-28">
        <Select
          value={byAmount ? 'amount' : 'percent'}
          options={[
            { value: 'percent', label: say.percent },
            { value: 'amount', label: currency },
          ]}
          onChange={(kind) => setDiscount(discount, kind === 'amount')}
        />
      </Field>
      <LineTax line={line} onChange={onChange} />
    </div>
  )
}

/** By category where the country has them, else by rate. */
function LineTax({ line, onChange }: Omit<DetailsProps, 'currency'>) {
  const say = useWords(editorWords)
  const lang = useLanguage()
  const { tax } = useHere()
  const { taxCategories: categories } = useOwnCountry()
  const standard = categories[0]?.code
  return (
    <>
      {categories.length > 0 && (
        <Field label={tax.name || say.taxOf} className="w-44">
          <Select
            value={line.taxCategory ?? ''}
            options={[
              { value: '', label: say.asDocument },
              ...categories.map(({ code, name }) => ({ value: code, label: name[lang] })),
            ]}
            onChange={(category) =>
              onChange({
                taxCategory: category || null,
                taxRate: category === '' ? null : category === standard ? tax.rate : 0,
              })
            }
          />
        </Field>
      )}
      {(categories.length === 0 || line.taxCategory === standard) && (
        <Field label={say.rate} className="w-24">
          <NumberField
            label={say.rate}
            value={line.taxRate ?? tax.rate ?? 0}
            onNumber={(taxRate) => onChange({ taxRate })}
            className="w-full"
          />
        </Field>
      )}
    </>
  )
}
