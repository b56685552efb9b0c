import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useKeys } from '../keys.ts'
import { Skeleton } from './card.tsx'
import { ColumnEdge } from './column-edge.tsx'
import { Icon } from './icon.tsx'

export type Column<R> = {
  key: string
  head: string
  /** A grid track: `7rem`, `minmax(8rem, 1fr)`. */
  width: string
  cell: (row: R) => ReactNode
  end?: boolean
  /** The server's name for sorting by it. */
  sort?: string
  /** Left out when the table is narrower than a page. */
  spare?: boolean
  /** Its cells say it by themselves: the head is only read out. */
  quietHead?: boolean
}
export type Sorting = { by: string; order: 'asc' | 'desc' }

type TableProps<R> = {
  label: string
  columns: readonly Column<R>[]
  total: number
  /** Undefined while its page is on the way; asking for it brings the page. */
  rowAt: (index: number) => R | undefined
  idOf: (row: R) => string
  onOpen: (row: R) => void
  openId?: string | undefined
  sorting: Sorting
  onSort: (sorting: Sorting) => void
  /** The row on a phone: two lines. */
  brief: (row: R) => ReactNode
  narrow: boolean
  selected: ReadonlySet<string>
  onSelect: (ids: ReadonlySet<string>) => void
  empty: ReactNode
  /** In pixels by column, where the reader has chosen one. */
  widths?: Widths | undefined
  onWidths?: (widths: Widths) => void
  /** What the rows are narrowed to; where it changes, the table begins at the top. */
  shows?: string
}
type Widths = Record<string, number>

/** Ten thousand rows are forty elements. Arrow keys and j/k move, Home and End jump, x selects, ⇧x up to the cursor, Enter and space open. */
export function Table<R>({
  label,
  columns,
  total,
  rowAt,
  idOf,
  onOpen,
  openId,
  sorting,
  onSort,
  brief,
  narrow,
  selected,
  onSelect,
  empty,
  widths = {},
  onWidths,
  shows = '',
}: TableProps<R>) {
  const scroller = useRef<HTMLDivElement>(null)
  const [cursor, setCursor] = useState(-1)
  const id = useId()
  const height = narrow ? 64 : 40
  const virtual = useVirtualizer({
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: 8,
  })
  useEffect(() => virtual.measure(), [height, virtual])
  const before = useRef(shows)
  useEffect(() => {
    if (before.current === shows) return
    before.current = shows
    setCursor(-1)
    virtual.scrollToOffset(0)
  }, [shows, virtual])
  const move = (by: number) => go(cursor + by)
  const go = (to: number) => {
    const next = Math.max(0, Math.min(total - 1, to))
    setCursor(next)
    virtual.scrollToIndex(next, { align: 'auto' })
    const row = rowAt(next)
    if (openId && row) onOpen(row)
  }
  const marked = useRef(-1)
  const toggle = (row: R) => {
    marked.current = cursor
    const next = new Set(selected)
    if (!next.delete(idOf(row))) next.add(idOf(row))
    onSelect(next)
  }
  /** All from the row that was selected last to the cursor. */
  const selectRange = () => {
    const [from, to] = [Math.min(marked.current, cursor), Math.max(marked.current, cursor)]
    const rows = Array.from({ length: to - Math.max(from, 0) + 1 }, (_, by) => rowAt(Math.max(from, 0) + by))
    onSelect(new Set([...selected, ...rows.flatMap((row) => (row ? [idOf(row)] : []))]))
  }
  const at = rowAt(cursor)
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    arrowdown: () => move(1),
    arrowup: () => move(-1),
    home: () => go(0),
    end: () => go(total - 1),
    pagedown: () => move(pageOf(scroller.current, height)),
    pageup: () => move(-pageOf(scroller.current, height)),
    x: () => at && toggle(at),
    'shift+x': () => cursor >= 0 && selectRange(),
    space: () => at && onOpen(at),
    enter: () => at && onOpen(at),
    ...(selected.size > 0 && { escape: () => onSelect(new Set()) }),
  })
  const shown = narrow ? [] : columns
  /** Numbers stand on the right; words that begin right after them need a distance. */
  const side = (at: number) => (shown[at]?.end ? (shown[at + 1]?.end ? 'number' : 'number pe-6 last:pe-2') : '')
  const track = ({ key, width }: Column<R>) => (widths[key] ? `minmax(0, ${widths[key]}px)` : width)
  const tracks = narrow ? undefined : { gridTemplateColumns: `2rem ${shown.map(track).join(' ')}` }
  const setWidth = (key: string, px: number | undefined) => {
    const { [key]: _, ...rest } = widths
    onWidths?.(px === undefined ? rest : { ...rest, [key]: px })
  }
  if (total === 0) return <>{empty}</>
  return (
    <div
      ref={scroller}
      className="flex-1 min-h-0 overflow-y-auto overscroll-contain"
      role="grid"
      aria-label={label}
      aria-rowcount={total + 1}
      aria-multiselectable
      tabIndex={0}
      aria-activedescendant={cursor >= 0 ? `${id}-${cursor}` : undefined}
    >
      {!narrow && (
        <div
          role="row"
          aria-rowindex={1}
          className="sticky top-0 z-10 grid h-8 items-center bg-paper border-b border-rule text-xs text-soft ps-3 pe-5"
          style={tracks}
        >
          <span role="columnheader">
            <span className="sr-only">✓</span>
          </span>
          {shown.map(({ key, head, sort, quietHead }, at) => (
            <span
              key={key}
              role="columnheader"
              aria-sort={sort === sorting.by ? (sorting.order === 'asc' ? 'ascending' : 'descending') : undefined}
              className={`relative px-2 ${side(at)}`}
            >
              {onWidths && <ColumnEdge head={head} width={widths[key]} onWidth={(px) => setWidth(key, px)} />}
              {sort ? (
                <button
                  type="button"
                  className="hover:text-ink inline-flex items-center gap-1"
                  onClick={() =>
                    onSort({ by: sort, order: sort === sorting.by && sorting.order === 'desc' ? 'asc' : 'desc' })
                  }
                >
                  <span className={quietHead ? 'sr-only' : ''}>{head}</span>
                  {sort === sorting.by && <Icon name={sorting.order === 'asc' ? 'up' : 'down'} size={12} />}
                </button>
              ) : (
                head
              )}
            </span>
          ))}
        </div>
      )}
      <div role="rowgroup" className="relative" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const row = rowAt(index)
          const rowId = row && idOf(row)
          const chosen = rowId !== undefined && selected.has(rowId)
          return (
            <div
              key={index}
              id={`${id}-${index}`}
              role="row"
              aria-rowindex={index + 2}
              aria-selected={chosen}
              onClick={() => {
                setCursor(index)
                if (row) onOpen(row)
              }}
              className={`group absolute inset-x-0 top-0 grid items-center border-b border-rule ps-3 pe-5 ${chosen || (rowId && rowId === openId) ? 'bg-wash' : index === cursor ? 'bg-tint' : 'hover:bg-tint'}`}
              style={{ height, transform: `translateY(${start}px)`, ...tracks }}
            >
              {index === cursor && <span aria-hidden className="absolute inset-y-0 start-0 w-0.5 bg-accent" />}
              {row === undefined ? (
                <Waiting narrow={narrow} columns={shown.length} />
              ) : narrow ? (
                <div role="gridcell">{brief(row)}</div>
              ) : (
                <>
                  <span role="gridcell" className={chosen ? '' : 'opacity-0 group-hover:opacity-100'}>
                    <input
                      type="checkbox"
                      tabIndex={-1}
                      aria-label={label}
                      checked={chosen}
                      onChange={() => toggle(row)}
                      onClick={(event) => event.stopPropagation()}
                      className="block size-4 accent-accent"
                    />
                  </span>
                  {shown.map(({ key, cell }, column) => (
                    <span key={key} role="gridcell" className={`px-2 min-w-0 truncate ${side(column)}`}>
                      {cell(row)}
                    </span>
                  ))}
                </>
              )}
            </div>
          )
        })}
      </div>
    </div>
  )
}

/** How many rows are in view. */
const pageOf = (scroller: HTMLElement | null, height: number) =>
  Math.max(1, Math.floor((scroller?.clientHeight ?? 0) / height) - 2)

const Waiting = ({ narrow, columns }: { narrow: boolean; columns: number }) =>
  narrow ? (
    <span role="gridcell" className="w-2/3">
      <Skeleton className="h-3" />
    </span>
  ) : (
    <>
      <span role="gridcell" />
      {Array.from({ length: columns }, (_, at) => (
        <span key={at} role="gridcell" className="mx-2">
          <Skeleton className="h-3" />
        </span>
      ))}
    </>
  )
