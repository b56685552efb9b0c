import { useState } from 'react'
import type { Name } from '../../api.ts'
import type { Search } from '../../search.ts'
import { useWords, words } from '../../words.ts'
import { Button } from '../button.tsx'
import { lazily } from '../lazily.tsx'
import { filtersFor, valuesOf } from './list-filters.ts'

const FilterDialog = lazily(() => import('./filter-dialog.tsx'), 'FilterDialog')
const FilterChipRow = lazily(
  () => import('./filter-chip-row.tsx'),
  'FilterChipRow',
  <div className="h-12 border-b border-rule shrink-0" />,
)

const said = words({ filter: 'Filter' }, { filter: 'סינון' })

export type Filtering = { list: Name; address: Search; set: (change: Search) => void }

/** Opens the filters of a list, where its operation has some. */
export function FilterTool(props: Filtering) {
  const say = useWords(said)
  const [open, setOpen] = useState(false)
  if (filtersFor(props.list).length === 0) return null
  return (
    <>
      <Button icon="filter" label={say.filter} onPress={() => setOpen(true)} />
      {open && <FilterDialog {...props} onClose={() => setOpen(false)} />}
    </>
  )
}

/** The filters that are on, if any. */
export const FilterChips = (props: Filtering) =>
  filtersFor(props.list).some((filter) => valuesOf(filter, props.address)) ? <FilterChipRow {...props} /> : null
