import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useId, useState } from 'react'
import { type Name, read } from '../../api.ts'
import type { Search } from '../../search.ts'
import { useOrganization } from '../../session.ts'
import { useLanguage, useWords, words } from '../../words.ts'
import { Button } from '../button.tsx'
import { Combo } from '../forms/combo.tsx'
import { DayField } from '../forms/day-field.tsx'
import { Field, Input } from '../forms/field.tsx'
import { readNumber } from '../forms/number-field.tsx'
import { Select } from '../forms/select.tsx'
import { lazily } from '../lazily.tsx'
import { Dialog } from '../overlays/dialog.tsx'
import { choiceOf } from '../schema/schema-words.ts'
import { type Filter, filtersFor, filterWords } from './list-filters.ts'

const AuditField = lazily(() => import('./audit-filters.tsx'), 'AuditField')

const said = words(
  {
    title: 'Show only',
    show: 'Show',
    any: 'Any',
    from: (name: string) => `${name} from`,
    to: (name: string) => `${name} until`,
    find: 'Name, e-mail or number',
    nobody: 'No customer of that name',
  },
  {
    title: 'להציג רק',
    show: 'הצגה',
    any: 'הכול',
    from: (name) => `${name} מ`,
    to: (name) => `${name} עד`,
    find: 'שם, דוא״ל או מספר',
    nobody: 'אין לקוח בשם הזה',
  },
)

type FilterDialogProps = { list: Name; address: Search; set: (change: Search) => void; onClose: () => void }

/** All that a list can be narrowed by. What is chosen stands in the address afterwards. */
export function FilterDialog({ list, address, set, onClose }: FilterDialogProps) {
  const say = useWords(said)
  const id = useId()
  const all = filtersFor(list)
  const [chosen, setChosen] = useState<Search>(() =>
    Object.fromEntries(all.flatMap(({ keys }) => keys.map((key) => [key, address[key]]))),
  )
  return (
    <Dialog
      title={say.title}
      onClose={onClose}
      footer={
        <Button look="primary" type="submit" form={id}>
          {say.show}
        </Button>
      }
    >
      <form
        id={id}
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          set(chosen)
          onClose()
        }}
      >
        {all.map((filter) => (
          <FilterField
            key={filter.name}
            filter={filter}
            chosen={chosen}
            onChange={(change) => setChosen((before) => ({ ...before, ...change }))}
          />
        ))}
      </form>
    </Dialog>
  )
}

type FieldProps = { filter: Filter; chosen: Search; onChange: (change: Search) => void }

function FilterField({ filter, chosen, onChange }: FieldProps) {
  const say = useWords(said)
  const lang = useLanguage()
  const label = useWords(filterWords)[filter.name]
  const { kind, keys, values = [] } = filter
  const [key = ''] = keys
  if (kind === 'customer')
    return <CustomerField label={label} value={text(chosen[key])} onPick={(id) => onChange({ [key]: id })} />
  if (kind === 'thing') return null // it is chosen at an entry that is about it
  if (kind === 'person' || kind === 'operation')
    return (
      <AuditField kind={kind} label={label} value={text(chosen[key])} onPick={(value) => onChange({ [key]: value })} />
    )
  if (kind === 'choice')
    return (
      <Field label={label}>
        <Select
          value={text(chosen[key]) || 'any'}
          options={[
            { value: 'any', label: say.any },
            ...values.map((value) => ({ value, label: choiceOf(lang, value) })),
          ]}
          onChange={(value) => onChange({ [key]: value === 'any' ? undefined : value })}
        />
      </Field>
    )
  return (
    <div className="grid grid-cols-2 gap-4">
      {keys.map((each, at) => (
        <Field key={each} label={at === 0 ? say.from(label) : say.to(label)}>
          {kind === 'days' ? (
            <DayField
              value={text(chosen[each])}
              placeholder="–"
              onDay={(day) => onChange({ [each]: day || undefined })}
            />
          ) : (
            <Amount value={text(chosen[each])} onAmount={(amount) => onChange({ [each]: amount })} />
          )}
        </Field>
      ))}
    </div>
  )
}

const text = (value: Search[string]) => (value === undefined ? '' : String(value))

function Amount({ value, onAmount }: { value: string; onAmount: (amount: string | undefined) => void }) {
  const [typed, setTyped] = useState(value)
  return (
    <Input
      inputMode="decimal"
      dir="ltr"
      placeholder="–"
      value={typed}
      onText={(next) => {
        setTyped(next)
        onAmount(next.trim() === '' ? undefined : String(readNumber(next)))
      }}
    />
  )
}

type CustomerFieldProps = { label: string; value: string; onPick: (id: string | undefined) => void }

function CustomerField({ label, value, onPick }: CustomerFieldProps) {
  const say = useWords(said)
  const { id: organizationId } = useOrganization()
  const [typed, setTyped] = useState('')
  const search = useDeferredValue(typed)
  const { data } = useQuery({
    ...read('customers_list', { organizationId, search, limit: 8, sortBy: 'name', sortOrder: 'asc' }),
    placeholderData: keepPreviousData,
  })
  const { data: known } = useQuery({ ...read('customers_get', { id: value }), enabled: value !== '' })
  return (
    <Field label={label}>
      <Combo
        value={value ? { id: value, name: known?.displayName ?? '' } : null}
        items={(data?.customers ?? []).map(({ id, displayName }) => ({ id, name: displayName }))}
        onSearch={setTyped}
        onPick={({ id }) => onPick(id)}
        onClear={() => onPick(undefined)}
        placeholder={say.find}
        empty={say.nobody}
      />
    </Field>
  )
}
