import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { read } from '../../api.ts'
import { Day, shownNumber } from '../../shown.tsx'
import { useLanguage, useWords, words } from '../../words.ts'
import { Button } from '../button.tsx'
import { Icon } from '../icon.tsx'
import { lazily } from '../lazily.tsx'
import { choiceOf } from '../schema/schema-words.ts'
import type { Filtering } from './filter-chips.tsx'
import { cleared, type Filter, filtersFor, filterWords, valuesOf } from './list-filters.ts'

const FilterDialog = lazily(() => import('./filter-dialog.tsx'), 'FilterDialog')
const AuditValue = lazily(() => import('./audit-filters.tsx'), 'AuditValue', '…')

const said = words(
  {
    since: 'from',
    until: 'until',
    remove: (name: string) => `Remove the filter ${name}`,
    clear: 'Clear all',
    unknown: 'unknown',
  },
  { since: 'מ־', until: 'עד', remove: (name) => `הסרת הסינון ${name}`, clear: 'ניקוי הכול', unknown: 'לא ידוע' },
)

/** Each filter that is on, and the way to take it off. A chip opens the filters. */
export function FilterChipRow(props: Filtering) {
  const { list, address, set } = props
  const say = useWords(said)
  const names = useWords(filterWords)
  const [open, setOpen] = useState(false)
  const on = filtersFor(list).flatMap((filter) => {
    const values = valuesOf(filter, address)
    return values ? [{ filter, values }] : []
  })
  return (
    <div className="flex flex-wrap items-center gap-2 px-4 md:px-5 py-2 border-b border-rule shrink-0">
      {on.map(({ filter, values }) => (
        <Chip
          key={filter.name}
          name={names[filter.name]}
          onOpen={() => setOpen(true)}
          onRemove={() => set(Object.fromEntries(filter.keys.map((key) => [key, undefined])))}
        >
          <Values filter={filter} values={values} />
        </Chip>
      ))}
      <Button look="quiet" onPress={() => set(cleared(list))}>
        {say.clear}
      </Button>
      {open && <FilterDialog {...props} onClose={() => setOpen(false)} />}
    </div>
  )
}

function Values({ filter: { kind }, values: [one, two] }: { filter: Filter; values: readonly (string | undefined)[] }) {
  const lang = useLanguage()
  const say = useWords(said)
  if (kind === 'choice') return choiceOf(lang, one ?? '')
  if (kind === 'customer') return <CustomerName id={one ?? ''} />
  if (kind === 'person' || kind === 'operation' || kind === 'thing') return <AuditValue kind={kind} value={one ?? ''} />
  const shown = (value: string): ReactNode =>
    kind === 'days' ? <Day at={value} /> : <bdi className="tabular-nums">{shownNumber(lang, Number(value))}</bdi>
  return (
    <>
      {one && (
        <>
          {say.since} {shown(one)}{' '}
        </>
      )}
      {two && (
        <>
          {say.until} {shown(two)}
        </>
      )}
    </>
  )
}

function CustomerName({ id }: { id: string }) {
  const say = useWords(said)
  const { data, isError: isUnknown } = useQuery(read('customers_get', { id }))
  return <bdi>{data?.displayName ?? (isUnknown ? say.unknown : '…')}</bdi>
}

type ChipProps = { name: string; onOpen: () => void; onRemove: () => void; children: ReactNode }

function Chip({ name, onOpen, onRemove, children }: ChipProps) {
  const say = useWords(said)
  return (
    <span className="inline-flex items-center rounded-full border border-rule bg-card pe-1 min-h-7">
      <button
        type="button"
        onClick={onOpen}
        className="inline-flex gap-1 ps-3 pe-1 min-h-6 items-center hover:text-accent"
      >
        <span className="text-soft">{name}</span>
        <span>{children}</span>
      </button>
      <button
        type="button"
        aria-label={say.remove(name)}
        onClick={onRemove}
        className="grid place-content-center size-6 rounded-full text-soft hover:bg-tint hover:text-ink"
      >
        <Icon name="close" size={14} />
      </button>
    </span>
  )
}
