import { useNavigate, useParams, useRouterState, useSearch } from '@tanstack/react-router'
import { type ReactNode, useDeferredValue } from 'react'
import type { Input, Name, Output } from '../../api.ts'
import { useListKeys } from '../../keys.ts'
import type { Search as Address } from '../../search.ts'
import { useRemembered } from '../../session.ts'
import { useWords, words } from '../../words.ts'
import { Button } from '../button.tsx'
import { Empty } from '../card.tsx'
import { Page, Search, type Way } from '../forms/page.tsx'
import { lazily } from '../lazily.tsx'
import { useNarrow } from '../narrow.ts'
import { Problem } from '../problem.tsx'
import { Name as Named } from '../values/name.tsx'
import { type OwnView, Views } from '../views/list-views.tsx'
import { viewOf } from '../views/saved-views.ts'
import { type Columns, columnsOf } from './columns.tsx'
import { ExportMenu } from './export-menu.tsx'
import { FilterChips, FilterTool } from './filter-chips.tsx'
import { cleared, filterInput } from './list-filters.ts'
import { useRows } from './rows.ts'
import { useSelection } from './selection.ts'
import type { Bulk } from './selection-bar.tsx'
import { type Column, Table } from './table.tsx'

const SelectionBar = lazily(() => import('./selection-bar.tsx'), 'SelectionBar')

const said = words(
  {
    nothing: 'Nothing found',
    nothingFor: (text: string) => `Nothing matches “${text}”.`,
    nothingFiltered: 'Nothing matches the filters.',
    clearSearch: 'Clear the search',
    clearFilters: 'Clear search and filters',
  },
  {
    nothing: 'לא נמצא דבר',
    nothingFor: (text) => `אין התאמה ל„${text}”.`,
    nothingFiltered: 'שום דבר לא מתאים לסינון.',
    clearSearch: 'ניקוי החיפוש',
    clearFilters: 'ניקוי החיפוש והסינון',
  },
)

type Lists = { [N in Name]: Output<N> extends { pagination: { total: number } } ? N : never }[Name]

/** A list of the server, by its operation: what is in view is fetched, the rest only counted. */
export function useList<N extends Lists, R>(
  name: N,
  first: { by: string; order: 'asc' | 'desc' },
  rowsOf: (page: Output<N>) => readonly R[],
  more: Partial<Input<N>> = {},
  { sorts = true, whole = false } = {},
) {
  const { org } = useParams({ from: '/o/$org' })
  const address = useSearch({ strict: false }) as Address
  const { q: asked = '', by = first.by, order = first.order, open, view } = address
  const q = String(asked)
  const navigate = useNavigate()
  const set = (change: Address) =>
    void navigate({ to: '.', search: ((before: Address) => ({ ...before, ...change })) as never, replace: true })
  const selection = useSelection(viewOf({ ...address, by: undefined, order: undefined }))
  const search = useDeferredValue(q)
  const input = {
    organizationId: org,
    ...(search && { search }),
    ...(sorts && { sortBy: by, sortOrder: order }),
    ...filterInput(name, address),
    ...more,
  }
  const rows = useRows(
    name,
    input as never,
    rowsOf,
    (page: Output<N>) => (page as { pagination?: { total: number } }).pagination?.total ?? rowsOf(page).length,
    whole,
  )
  const anyRowsOf = rowsOf as (page: never) => readonly R[]
  return {
    ...rows,
    name: name as Name,
    rowsOf: anyRowsOf,
    address,
    input,
    q,
    sorting: { by, order },
    open,
    view,
    ...selection,
    set,
  }
}

const Brief = ({ title, below, end }: BriefRow) => (
  <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3">
    <Named strong>{title}</Named>
    <span className="text-end row-span-2">{end}</span>
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
  /** Stands between the title and the list, such as the way to lists that belong together. */
  above?: ReactNode
  /** Tabs above the list: their key in the address is `view`; the first one has none. */
  views?: readonly OwnView[]
  /** Its own address, for the tabs. */
  to?: string
  columns: (of: Columns<R>) => readonly Column<R>[]
  /** The row on a phone: what it is, and a line below. */
  brief: (row: R) => BriefRow
  empty: { title: string; hint: string; action?: ReactNode }
  /** What can be done with several rows: without it there is nothing to tick. */
  bulk?: Bulk<R> | undefined
  /** What opens beside the list. Without it a row opens through `onOpen`. */
  peek?: (id: string, close: () => void) => ReactNode
  onOpen?: (row: R) => void
}

export function ListPage<R extends { id: string }>(props: ListPageProps<R>) {
  const {
    list,
    title,
    search,
    create,
    tools,
    above,
    views,
    to = '.',
    columns,
    brief,
    empty,
    bulk,
    peek,
    onOpen,
  } = props
  const { name, address, input, q, set, total, rowAt, sorting, open, selected, select: onSelect, failed, again } = list
  const say = useWords(said)
  const { org } = useParams({ from: '/o/$org' })
  const narrow = useNarrow(760)
  const screen = useScreen(org)
  const [widths, keepWidths] = useRemembered('columnWidths', screen)
  const isFiltered = Object.keys(filterInput(name, address)).length > 0
  const onAll = () => void import('./select-all.ts').then(({ idsOfAll }) => idsOfAll(list)).then(onSelect)
  const selection = { ids: selected, onSelect }
  useListKeys(bulk ? { 'mod+a': onAll } : {})
  return (
    <div className="flex-1 min-h-0 flex">
      <Page
        title={title}
        {...(create && { create })}
        tools={
          <>
            {search && <Search label={search} value={q} onText={(text) => set({ q: text || undefined })} />}
            <FilterTool list={name} address={address} set={set} />
            <ExportMenu list={name} input={input} />
            {tools}
          </>
        }
      >
        <Views screen={screen} address={address} to={to} own={views} />
        {above}
        <FilterChips list={name} address={address} set={set} />
        {failed && total === undefined ? (
          <Problem error={failed} onAgain={again} />
        ) : (
          <Table
            label={title}
            columns={columns(columnsOf<R>())}
            brief={(row) => <Brief {...brief(row)} />}
            narrow={narrow}
            total={total}
            rowAt={rowAt}
            idOf={({ id }) => id}
            onOpen={(row) => (peek ? set({ open: row.id }) : onOpen?.(row))}
            openId={open}
            sorting={sorting}
            onSort={set}
            selection={bulk && selection}
            widths={widths}
            onWidths={keepWidths}
            shows={viewOf(address)}
            empty={
              q || isFiltered ? (
                <Empty
                  title={say.nothing}
                  action={
                    <Button onPress={() => set({ q: undefined, ...cleared(name) })}>
                      {isFiltered ? say.clearFilters : say.clearSearch}
                    </Button>
                  }
                >
                  {isFiltered ? say.nothingFiltered : say.nothingFor(q)}
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
          <SelectionBar bulk={bulk as Bulk<{ id: string }>} list={list as never} selection={selection} onAll={onAll} />
        )}
      </Page>
      {open && peek?.(open, () => set({ open: undefined }))}
    </div>
  )
}

/** The place of a list in the address: what its views and widths are kept under. */
function useScreen(org: string): string {
  const path = useRouterState({ select: ({ location }) => location.pathname })
  return path.replace(`/o/${org}/`, '').toLowerCase()
}
