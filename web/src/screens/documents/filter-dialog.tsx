import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useDeferredValue, useState } from 'react'
import { read } from '../../api.ts'
import type { Search } from '../../search.ts'
import { Button } from '../../ui/button.tsx'
import { Combo } from '../../ui/combo.tsx'
import { DayField } from '../../ui/day-field.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { useWords } from '../../words.ts'
import { chosenFilters, type Filters, type SetFilters } from './chosen-filters.ts'
import { useHere } from './here.ts'
import { listWords } from './list-words.ts'
import { typeWords } from './words.ts'

/** What the list is narrowed by: customer, type and days. */
export function FilterDialog({ set, onClose }: { set: SetFilters; onClose: () => void }) {
  const say = useWords(listWords)
  const types = useWords(typeWords)
  const [filters, setFilters] = useState<Filters>(chosenFilters(useSearch({ strict: false }) as Search))
  const apply = () => {
    set({ customer: filters.customer, type: filters.type, from: filters.from, to: filters.to })
    onClose()
  }
  return (
    <Dialog
      title={say.filterTitle}
      onClose={onClose}
      footer={
        <Button look="primary" onPress={apply}>
          {say.apply}
        </Button>
      }
    >
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          apply()
        }}
      >
        <Customer value={filters.customer} onPick={(customer) => setFilters({ ...filters, customer })} />
        <Field label={say.type}>
          <Select
            value={filters.type ?? 'any'}
            options={[
              { value: 'any', label: say.anyType },
              ...Object.entries(types).map(([value, label]) => ({ value, label })),
            ]}
            onChange={(type) => setFilters(type === 'any' ? without(filters, 'type') : { ...filters, type })}
          />
        </Field>
        <div className="grid grid-cols-2 gap-4">
          {(['from', 'to'] as const).map((end) => (
            <Field key={end} label={say[end]}>
              <DayField
                value={filters[end] ?? ''}
                placeholder="–"
                onDay={(day) => setFilters(day ? { ...filters, [end]: day } : without(filters, end))}
              />
            </Field>
          ))}
        </div>
      </form>
    </Dialog>
  )
}

const without = (filters: Filters, name: keyof Filters): Filters => {
  const { [name]: _, ...rest } = filters
  return rest
}

function Customer({ value, onPick }: { value: string | undefined; onPick: (id: string) => void }) {
  const say = useWords(listWords)
  const { id: organizationId } = useHere()
  const [typed, setTyped] = useState('')
  const { data } = useQuery({
    ...read('customers_list', {
      organizationId,
      search: useDeferredValue(typed),
      limit: 8,
      sortBy: 'name',
      sortOrder: 'asc',
    }),
    placeholderData: keepPreviousData,
  })
  const { data: known } = useQuery({ ...read('customers_get', { id: value ?? '' }), enabled: value !== undefined })
  if (value && !known) return null
  return (
    <Field label={say.customer}>
      <Combo
        value={known ? { id: known.id, name: known.displayName } : null}
        items={(data?.customers ?? []).map(({ id, displayName }) => ({ id, name: displayName }))}
        onSearch={setTyped}
        onPick={({ id }) => onPick(id)}
        placeholder={say.pickCustomer}
        empty={say.noCustomer}
      />
    </Field>
  )
}
