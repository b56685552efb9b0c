import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { read } from '../../api.ts'
import type { Search } from '../../search.ts'
import { Day } from '../../shown.tsx'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { lazily } from '../../ui/lazily.tsx'
import { useWords } from '../../words.ts'
import { chosenFilters, type SetFilters } from './chosen-filters.ts'
import { listWords } from './list-words.ts'
import { typeWords } from './words.ts'

const FilterDialog = lazily(() => import('./filter-dialog.tsx').then((loaded) => loaded.FilterDialog))

/** The filters of the address as the server takes them. */
export function filtersOf(address: Search) {
  const { customer, type, from, to } = chosenFilters(address)
  return {
    ...(customer && { customerId: customer }),
    ...(type && { documentType: type }),
    ...(from && { issuedFrom: from }),
    ...(to && { issuedTo: to }),
  }
}

export function FilterTool({ set }: { set: SetFilters }) {
  const say = useWords(listWords)
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button icon="filter" label={say.filter} onPress={() => setOpen(true)} />
      {open && <FilterDialog set={set} onClose={() => setOpen(false)} />}
    </>
  )
}

/** Each filter that is on, and the way to take it off. */
export function FilterChips({ set }: { set: SetFilters }) {
  const say = useWords(listWords)
  const types = useWords(typeWords)
  const { customer, type, from, to } = chosenFilters(useSearch({ strict: false }) as Search)
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
