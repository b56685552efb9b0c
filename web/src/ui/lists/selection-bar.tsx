import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { call, type Name } from '../../api.ts'
import { type Amount, sumsOf } from '../../money.ts'
import { Money, shownNumber } from '../../shown.tsx'
import { count, useLanguage, useWords, words } from '../../words.ts'
import { Button } from '../button.tsx'
import type { Selection } from './table.tsx'

/** As many as the server changes with one request. */
export const mostAtOnce = 200

/** What is ticked in a list, and what is known of it. */
export type Chosen<R> = {
  ids: ReadonlySet<string>
  /** Undefined until all were read, and for more than can be changed at once. */
  rows: readonly R[] | undefined
  onSelect: (ids: ReadonlySet<string>) => void
}

const said = words(
  {
    selected: (n: number) => count('en', n, { one: '1 selected', other: (m) => `${m} selected` }),
    allOf: (n: string) => `Select all ${n}`,
    clear: 'Clear the selection',
    most: `At most ${mostAtOnce} at a time.`,
  },
  {
    selected: (n) =>
      count('he', n, { one: 'נבחרה שורה אחת', two: 'נבחרו שתי שורות', other: (m) => `נבחרו ${m} שורות` }),
    allOf: (n) => `בחירת כל ${n}`,
    clear: 'ביטול הבחירה',
    most: `לכל היותר ${mostAtOnce} בבת אחת.`,
  },
)

/** What a list can do with several rows. */
export type Bulk<R> = {
  acts: (chosen: Chosen<R>) => ReactNode
  /** The amounts of a row, for the sum beside the count. */
  amounts: (row: R) => readonly Amount[]
}

type BarProps<R> = { bulk: Bulk<R>; list: List<R>; selection: Selection; onAll: () => void }

/** What can be done with all that is selected, beside how many they are and how much. */
export function SelectionBar<R extends { id: string }>({ bulk, list, selection, onAll }: BarProps<R>) {
  const say = useWords(said)
  const lang = useLanguage()
  const { ids, onSelect } = selection
  const { total = 0 } = list
  const rows = useChosen(list, ids)
  return (
    <div className="flex flex-wrap items-center gap-2 px-4 py-2 border-t border-rule bg-wash shrink-0" role="toolbar">
      <span className="font-medium" role="status">
        {say.selected(ids.size)}
      </span>
      {rows && rows.length === ids.size && <Sums of={rows.flatMap(bulk.amounts)} />}
      {ids.size < total && (
        <Button look="quiet" keys="Control+a" onPress={onAll}>
          {say.allOf(shownNumber(lang, total))}
        </Button>
      )}
      <span className="flex-1" />
      {ids.size > mostAtOnce && <span className="text-sm text-soft">{say.most}</span>}
      {bulk.acts({ ids, rows, onSelect })}
      <Button look="quiet" icon="close" label={say.clear} onPress={() => onSelect(new Set())} />
    </div>
  )
}

/** A sum for each currency: what is in two currencies has no sum. */
export const Sums = ({ of }: { of: readonly Amount[] }) => (
  <span className="inline-flex flex-wrap gap-x-3">
    {sumsOf(of).map(({ amount, currency }) => (
      <Money key={currency} amount={amount} currency={currency} />
    ))}
  </span>
)

const pageSize = 100
/** Rows that were ticked far down in a long list are not looked for page by page without end. */
const pagesMost = 50

type List<R> = {
  total: number | undefined
  name: Name
  input: object
  rowsOf: (page: never) => readonly R[]
  find: (fits: (row: R) => boolean) => R | undefined
}

/** The ticked rows of a list, also those whose page is not loaded. */
function useChosen<R extends { id: string }>(list: List<R>, ids: ReadonlySet<string>): readonly R[] | undefined {
  const isFew = ids.size <= mostAtOnce
  const here = isFew ? [...ids].flatMap((id) => list.find((row) => row.id === id) ?? []) : []
  const isComplete = isFew && here.length === ids.size
  const { data } = useQuery({
    queryKey: [list.name, 'chosen', list.input, [...ids]],
    queryFn: ({ signal }) => readChosen(list, ids, signal),
    enabled: isFew && !isComplete,
  })
  return isComplete ? here : isFew ? data : undefined
}

/** What is chosen is among what the list shows. */
async function readChosen<R extends { id: string }>(
  { name, input, rowsOf }: List<R>,
  ids: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<readonly R[]> {
  const found = new Map<string, R>()
  for (let page = 1; ; page += 1) {
    const answer = await call(name, { ...input, page, limit: pageSize } as never, { signal })
    for (const row of rowsOf(answer as never)) if (ids.has(row.id)) found.set(row.id, row)
    const { totalPages } = (answer as unknown as { pagination: { totalPages: number } }).pagination
    if (page === pagesMost && found.size < ids.size && page < totalPages) throw new Error('The rows are too far down.')
    if (found.size === ids.size || page >= totalPages) return [...ids].flatMap((id) => found.get(id) ?? [])
  }
}
