import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { type ReactNode, useDeferredValue, useState } from 'react'
import type { Input, Name, Output } from '../api.ts'
import type { Search as Address } from '../search.ts'
import { shownNumber } from '../shown.tsx'
import { useLanguage, useWords, words } from '../words.ts'
import { Button } from './button.tsx'
import { Empty } from './card.tsx'
import { type Columns, columnsOf } from './columns.tsx'
import { Name as Named } from './name.tsx'
import { useNarrow } from './narrow.ts'
import { Page, Search, type Way } from './page.tsx'
import { Problem } from './problem.tsx'
import { useRows } from './rows.ts'
import { type Column, Table } from './table.tsx'
import { ViewTabs } from './view-tabs.tsx'

const said = words(
  {
    views: 'Views',
    selected: (n: string) => `${n} selected`,
    clear: 'Clear the selection',
    nothing: 'Nothing found',
    nothingFor: (text: string) => `Nothing matches “${text}”.`,
    clearSearch: 'Clear the search',
  },
  {
    views: 'תצוגות',
    selected: (n) => `${n} נבחרו`,
    clear: 'ביטול הבחירה',
    nothing: 'לא נמצא דבר',
    nothingFor: (text) => `אין התאמה ל„${text}”.`,
    clearSearch: 'ניקוי החיפוש',
  },
)

type Lists = { [N in Name]: Output<N> extends { pagination: { total: number } } ? N : never }[Name]

/** A list of the server, by its operation: what is in view is fetched, the rest only counted. */
export function useList<N extends Lists, R>(
  name: N,
  first: { by: string; order: 'asc' | 'desc' },
  rowsOf: (page: Output<N>) => readonly R[],
  more: Partial<Input<N>> = {},
  { sorts = true, whole = false, organization = true } = {},
) {
  const { org } = useParams({ from: '/o/$org' })
  const { q = '', by = first.by, order = first.order, open, view } = useSearch({ strict: false }) as Address
  const navigate = useNavigate()
  const set = (change: Address) =>
    void navigate({ to: '.', search: ((before: Address) => ({ ...before, ...change })) as never, replace: true })
  const [selected, select] = useState<ReadonlySet<string>>(new Set())
  const search = useDeferredValue(q)
  const input = {
    ...(organization && { organizationId: org }),
    ...(search && { search }),
    ...(sorts && { sortBy: by, sortOrder: order }),
    ...more,
  }
  const rows = useRows(
    name,
    input as never,
    rowsOf,
    (page: Output<N>) => (page as { pagination?: { total: number } }).pagination?.total ?? rowsOf(page).length,
    whole,
  )
  return { ...rows, q, sorting: { by, order }, open, view, selected, select, set }
}

const Brief = ({ title, below, end }: BriefRow) => (
  <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3">
    <Named strong>{title}</Named>
    <span className="text-end">{end}</span>
    <Named quiet className="text-sm">
      {below}
    </Named>
  </div>
)
type BriefRow = { title: ReactNode; below: ReactNode; end?: ReactNode }

type ListPageProps<R> = {
  list: ReturnType<typeof useList<Lists, R>>
  title: string
  search?: string
  create?: Way
  tools?: ReactNode
  /** Tabs above the list: their key in the address is `view`; the first one has none. */
  views?: readonly { key: string; label: string; count?: number | undefined }[]
  /** Its own address, for the tabs. */
  to?: string
  columns: (of: Columns<R>) => readonly Column<R>[]
  /** The row on a phone: what it is, and a line below. */
  brief: (row: R) => BriefRow
  empty: { title: string; hint: string; action?: ReactNode }
  /** Buttons for the selected rows. */
  bulk?: (ids: ReadonlySet<string>, clear: () => void) => ReactNode
  /** What opens beside the list. Without it a row opens through `onOpen`. */
  peek?: (id: string, close: () => void) => ReactNode
  onOpen?: (row: R) => void
}

export function ListPage<R extends { id: string }>(props: ListPageProps<R>) {
  const { list, title, search, create, tools, views, to = '.', columns, brief, empty, bulk, peek, onOpen } = props
  const { q, set, total, rowAt, sorting, open, view, selected, select, failed, again } = list
  const say = useWords(said)
  const { org } = useParams({ from: '/o/$org' })
  const narrow = useNarrow(open && peek ? 1100 : 760)
  const all = columns(columnsOf<R>())
  return (
    <div className="flex-1 min-h-0 flex">
      <Page
        title={title}
        {...(create && { create })}
        tools={
          <>
            {search && <Search label={search} value={q} onText={(text) => set({ q: text || undefined })} />}
            {tools}
          </>
        }
      >
        {views && (
          <ViewTabs
            label={say.views}
            to={to}
            params={{ org }}
            views={views.map((each, at) => ({
              ...each,
              search: at === 0 ? {} : { view: each.key },
              here: at === 0 ? view === undefined : view === each.key,
            }))}
          />
        )}
        {failed && total === undefined ? (
          <Problem error={failed} onAgain={again} />
        ) : (
          <Table
            label={title}
            columns={open && peek ? all.filter(({ spare }) => !spare) : all}
            brief={(row) => <Brief {...brief(row)} />}
            narrow={narrow}
            total={total ?? 12}
            rowAt={rowAt}
            idOf={({ id }) => id}
            onOpen={(row) => (peek ? set({ open: row.id }) : onOpen?.(row))}
            openId={open}
            sorting={sorting}
            onSort={set}
            selected={selected}
            onSelect={select}
            empty={
              q ? (
                <Empty
                  title={say.nothing}
                  action={<Button onPress={() => set({ q: undefined })}>{say.clearSearch}</Button>}
                >
                  {say.nothingFor(q)}
                </Empty>
              ) : (
                <Empty title={empty.title} action={empty.action}>
                  {empty.hint}
                </Empty>
              )
            }
          />
        )}
        {bulk && selected.size > 0 && (
          <SelectionBar count={selected.size} onClear={() => select(new Set())}>
            {bulk(selected, () => select(new Set()))}
          </SelectionBar>
        )}
      </Page>
      {open && peek?.(open, () => set({ open: undefined }))}
    </div>
  )
}

/** What can be done with all that is selected. */
function SelectionBar({ count, onClear, children }: { count: number; onClear: () => void; children: ReactNode }) {
  const say = useWords(said)
  const lang = useLanguage()
  return (
    <div className="flex flex-wrap items-center gap-2 px-4 py-2 border-t border-rule bg-wash shrink-0" role="toolbar">
      <span className="flex-1 font-medium" role="status">
        {say.selected(shownNumber(lang, count))}
      </span>
      {children}
      <Button look="quiet" icon="close" label={say.clear} onPress={onClear} />
    </div>
  )
}
