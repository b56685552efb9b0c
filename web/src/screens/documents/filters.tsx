import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { type ReactNode, useDeferredValue, useState } from 'react'
import { read } from '../../api.ts'
import type { Search } from '../../search.ts'
import { Day } from '../../shown.tsx'
import { Button } from '../../ui/button.tsx'
import { Combo } from '../../ui/combo.tsx'
import { DayField } from '../../ui/day-field.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Select } from '../../ui/select.tsx'
import { useWords } from '../../words.ts'
import { useHere } from './here.ts'
import { listWords } from './list-words.ts'
import { typeWords } from './words.ts'

type Set = (change: Search) => void
type Filters = { customer?: string; type?: string; from?: string; to?: string }

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
const chosen = ({ customer, type, from, to }: Search): Filters => ({
  ...(text(customer) && { customer: String(customer) }),
  ...(text(type) && { type: String(type) }),
  ...(text(from) && { from: String(from) }),
  ...(text(to) && { to: String(to) }),
})

/** The filters of the address as the server takes them. */
export function filtersOf(address: Search) {
  const { customer, type, from, to } = chosen(address)
  return {
    ...(customer && { customerId: customer }),
    ...(type && { documentType: type }),
    ...(from && { issuedFrom: from }),
    ...(to && { issuedTo: to }),
  }
}

export function FilterTool({ set }: { set: Set }) {
  const say = useWords(listWords)
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button icon="filter" label={say.filter} onPress={() => setOpen(true)} />
      {open && <FilterDialog set={set} onClose={() => setOpen(false)} />}
    </>
  )
}

function FilterDialog({ set, onClose }: { set: Set; onClose: () => void }) {
  const say = useWords(listWords)
  const types = useWords(typeWords)
  const [filters, setFilters] = useState<Filters>(chosen(useSearch({ strict: false }) as Search))
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

/** Each filter that is on, and the way to take it off. */
export function FilterChips({ set }: { set: Set }) {
  const say = useWords(listWords)
  const types = useWords(typeWords)
  const { customer, type, from, to } = chosen(useSearch({ strict: false }) as Search)
  if (!customer && !type && !from && !to) return null
  return (
    <div className="flex flex-wrap items-center gap-2 px-4 md:px-5 py-2 border-b border-rule shrink-0">
      {customer && (
        <Chip name={say.customer} onRemove={() => set({ customer: undefined })}>
          <CustomerName id={customer} />
        </Chip>
      )}
      {type && (
        <Chip name={say.type} onRemove={() => set({ type: undefined })}>
          {types[type] ?? type}
        </Chip>
      )}
      {(from || to) && (
        <Chip name={say.issued} onRemove={() => set({ from: undefined, to: undefined })}>
          {from && (
            <>
              {say.since} <Day at={from} />{' '}
            </>
          )}
          {to && (
            <>
              {say.until} <Day at={to} />
            </>
          )}
        </Chip>
      )}
      <Button
        look="quiet"
        onPress={() => set({ customer: undefined, type: undefined, from: undefined, to: undefined })}
      >
        {say.clear}
      </Button>
    </div>
  )
}

function CustomerName({ id }: { id: string }) {
  const { data } = useQuery(read('customers_get', { id }))
  return <bdi>{data?.displayName ?? '…'}</bdi>
}

function Chip({ name, onRemove, children }: { name: string; onRemove: () => void; children: ReactNode }) {
  const say = useWords(listWords)
  return (
    <span className="inline-flex items-center gap-1 rounded-full border border-rule bg-card ps-3 pe-1 min-h-7">
      <span className="text-soft">{name}</span>
      <span>{children}</span>
      <button
        type="button"
        aria-label={say.removeFilter(name)}
        onClick={onRemove}
        className="grid place-content-center size-6 rounded-full text-soft hover:bg-tint hover:text-ink"
      >
        <Icon name="close" size={14} />
      </button>
    </span>
  )
}
