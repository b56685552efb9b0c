import { useNavigate, useParams, useRouterState, useSearch } from '@tanstack/react-router'
import { type ReactNode, useDeferredValue, useState } from 'react'
import { call, type Input, type Name, type Output } from '../api.ts'
import { useKeys } from '../keys.ts'
import type { Search as Address } from '../search.ts'
import { useRemembered } from '../session.ts'
import { shownNumber } from '../shown.tsx'
import { useLanguage, useWords, words } from '../words.ts'
import { Button } from './button.tsx'
import { Empty } from './card.tsx'
import { type Columns, columnsOf } from './columns.tsx'
import { ExportMenu } from './export-menu.tsx'
import { FilterChips, FilterTool } from './filter-chips.tsx'
import { cleared, filterInput } from './list-filters.ts'
import { type OwnView, Views } from './list-views.tsx'
import { Name as Named } from './name.tsx'
import { useNarrow } from './narrow.ts'
import { Page, Search, type Way } from './page.tsx'
import { Problem } from './problem.tsx'
import { useRows } from './rows.ts'
import { viewOf } from './saved-views.tsx'
import { type Column, Table } from './table.tsx'

const said = words(
  {
    selected: (n: string) => `${n} selected`,
    allOf: (n: string) => `Select all ${n}`,
    clear: 'Clear the selection',
    nothing: 'Nothing found',
    nothingFor: (text: string) => `Nothing matches “${text}”.`,
    nothingFiltered: 'Nothing matches the filters.',
    clearSearch: 'Clear the search',
    clearFilters: 'Clear search and filters',
  },
  {
    selected: (n) => `${n} נבחרו`,
    allOf: (n) => `בחירת כל ${n}`,
    clear: 'ביטול הבחירה',
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
  const [selected, select] = useState<ReadonlySet<string>>(new Set())
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
  return { ...rows, name: name as Name, address, input, q, sorting: { by, order }, open, view, selected, select, set }
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
  /** Buttons for the selected rows. */
  bulk?: (ids: ReadonlySet<string>, clear: () => void) => ReactNode
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
  const { name, address, input, q, set, total, rowAt, sorting, open, selected, select, failed, again } = list
  const say = useWords(said)
  const { org } = useParams({ from: '/o/$org' })
  const narrow = useNarrow(open && peek ? 1100 : 760)
  const screen = useScreen(org)
  const [widths, keepWidths] = useRemembered('columnWidths', screen)
  const isFiltered = Object.keys(filterInput(name, address)).length > 0
  const selectAll = useSelectAll(list)
  useKeys(bulk ? { 'mod+a': () => void selectAll() } : {})
  const all = columns(columnsOf<R>())
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
          <SelectionBar
            count={selected.size}
            total={total ?? 0}
            onAll={() => void selectAll()}
            onClear={() => select(new Set())}
          >
            {bulk(selected, () => select(new Set()))}
          </SelectionBar>
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

/** Selects all that match, also what is not on the page, where the operation tells their ids; else what is loaded. */
function useSelectAll<R extends { id: string }>({ name, input, total, rowAt, select }: ListPageProps<R>['list']) {
  return async () => {
    if (withIds.has(name)) {
      const { ids = [] } = (await call(name, { ...input, limit: 1, ids: true } as never)) as { ids?: string[] }
      return select(new Set(ids))
    }
    const rows = Array.from({ length: total ?? 0 }, (_, index) => rowAt(index))
    return select(new Set(rows.flatMap((row) => (row ? [row.id] : []))))
  }
}
const withIds: ReadonlySet<Name> = new Set([
  'invoices_list',
  'customers_list',
  'invoices_payments_list',
  'expenses_list',
])

type SelectionProps = { count: number; total: number; onAll: () => void; onClear: () => void; children: ReactNode }

/** What can be done with all that is selected. */
function SelectionBar({ count, total, onAll, onClear, children }: SelectionProps) {
  const say = useWords(said)
  const lang = useLanguage()
  return (
    <div className="flex flex-wrap items-center gap-2 px-4 py-2 border-t border-rule bg-wash shrink-0" role="toolbar">
      <span className="font-medium" role="status">
        {say.selected(shownNumber(lang, count))}
      </span>
      {count < total && (
        <Button look="quiet" keys="Control+a" onPress={onAll}>
          {say.allOf(shownNumber(lang, total))}
        </Button>
      )}
      <span className="flex-1" />
      {children}
      <Button look="quiet" icon="close" label={say.clear} onPress={onClear} />
    </div>
  )
}
