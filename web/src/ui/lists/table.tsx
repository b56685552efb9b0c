import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { useListKeys } from '../../keys.ts'
import { Skeleton } from '../card.tsx'
import { Icon } from '../icon.tsx'
import { lazily } from '../lazily.tsx'
import { fitting } from './fitting.ts'
import { useLeft } from './left.ts'

const ColumnEdge = lazily(() => import('./column-edge.tsx'), 'ColumnEdge')

export type Column<R> = {
  key: string
  head: string
  /** A grid track: `7rem`, `minmax(8rem, 1fr)`. */
  width: string
  cell: (row: R) => ReactNode
  end?: boolean
  /** The server's name for sorting by it. */
  sort?: string
  /** Where there is no room for all, columns leave in this order: those with 1 first. Without a number it always stays. */
  leaves?: number
  /** Its cells say it by themselves: the head is only read out. */
  quietHead?: boolean
}
export type Sorting = { by: string; order: 'asc' | 'desc' }
/** The rows that are ticked. */
export type Selection = { ids: ReadonlySet<string>; onSelect: (ids: ReadonlySet<string>) => void }

type TableProps<R> = {
  label: string
  columns: readonly Column<R>[]
  /** Undefined until the server has counted. */
  total: number | undefined
  /** Undefined while its page is on the way; asking for it brings the page. */
  rowAt: (index: number) => R | undefined
  idOf: (row: R) => string
  onOpen: (row: R) => void
  openId?: string | undefined
  sorting: Sorting
  onSort: (sorting: Sorting) => void
  /** The row on a phone, and where the list has little room: two lines. */
  brief: (row: R) => ReactNode
  /** On a phone, where rows are never one line. */
  narrow: boolean
  /** Only for a list that can do something with several rows. */
  selection?: Selection | undefined
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
  total: counted,
  rowAt,
  idOf,
  onOpen,
  openId,
  sorting,
  onSort,
  brief,
  narrow: onPhone,
  selection,
  empty,
  widths = {},
  onWidths,
  shows = '',
}: TableProps<R>) {
  const total = counted ?? rowsAwaited
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null)
  const [cursor, setCursor] = useState(-1)
  const id = useId()
  const width = useWidth(scroller)
  const room = (width ?? innerWidth) - paddingOfRow - (selection ? ticksWidth : 0)
  const shown = onPhone ? undefined : fitting(columns, room, widths)
  const narrow = shown === undefined
  const height = narrow ? 64 : 40
  const virtual = useVirtualizer({
    count: total,
    getScrollElement: () => scroller,
    estimateSize: () => height,
    overscan: 8,
  })
  const heightBefore = useRef(height)
  useLayoutEffect(() => {
    const was = heightBefore.current
    heightBefore.current = height
    virtual.measure()
    if (was === height || !scroller) return
    scroller.scrollTop = samePlace({ top: virtual.scrollOffset ?? 0, high: scroller.clientHeight }, was, height, cursor)
  }, [height, virtual])
  const idAt = (index: number) => {
    const row = rowAt(index)
    return row && idOf(row)
  }
  const left = useLeft('place', () => ({ top: (virtual.scrollOffset ?? 0) / height, cursor, id: idAt(cursor) }))
  const goBack = useRef(left)
  const onRow = useRef({ cursor: -1, id: '' })
  useLayoutEffect(() => {
    const to = goBack.current
    if (!to || !scroller || counted === undefined || width === undefined) return
    goBack.current = undefined
    virtual.scrollToOffset(to.top * height)
    if (to.cursor < 0) return
    onRow.current = { cursor: to.cursor, id: to.id ?? '' }
    setCursor(to.cursor)
    if (!document.activeElement?.matches('input, textarea')) scroller.focus({ preventScroll: true })
  }, [counted, scroller, width])
  useLayoutEffect(() => {
    const [was, id] = [onRow.current, idAt(cursor)]
    if (id === undefined || id === was.id) return
    const now = was.cursor === cursor ? nearby(was.id, cursor, idAt) : undefined // else somebody went there
    onRow.current = { cursor: now ?? cursor, id: now === undefined ? id : was.id }
    if (now !== undefined) setCursor(now)
  })
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
  const selected = selection?.ids ?? none
  const toggle = (row: R) => {
    marked.current = cursor
    const next = new Set(selected)
    if (!next.delete(idOf(row))) next.add(idOf(row))
    selection?.onSelect(next)
  }
  /** All from the row that was selected last to the cursor. */
  const selectRange = () => {
    const [from, to] = [Math.min(marked.current, cursor), Math.max(marked.current, cursor)]
    const rows = Array.from({ length: to - Math.max(from, 0) + 1 }, (_, by) => rowAt(Math.max(from, 0) + by))
    selection?.onSelect(new Set([...selected, ...rows.flatMap((row) => (row ? [idOf(row)] : []))]))
  }
  const at = rowAt(cursor)
  useListKeys({
    j: () => move(1),
    k: () => move(-1),
    arrowdown: () => move(1),
    arrowup: () => move(-1),
    home: () => go(0),
    end: () => go(total - 1),
    pagedown: () => move(pageOf(scroller, height)),
    pageup: () => move(-pageOf(scroller, height)),
    ...(selection && { x: () => at && toggle(at), 'shift+x': () => cursor >= 0 && selectRange() }),
    space: () => at && onOpen(at),
    enter: () => at && onOpen(at),
    ...(selected.size > 0 && { escape: () => selection?.onSelect(new Set()) }),
  })
  /** Numbers stand on the right; words that begin right after them need a distance. */
  const side = (at: number) => (shown?.[at]?.end ? (shown[at + 1]?.end ? 'number' : 'number pe-6 last:pe-2') : '')
  const track = ({ key, width }: Column<R>) => (widths[key] ? `minmax(0, ${widths[key]}px)` : width)
  const tracks = shown && {
    gridTemplateColumns: `${selection ? `${ticksWidth}px ` : ''}${shown.map(track).join(' ')}`,
  }
  const setWidth = (key: string, px: number | undefined) => {
    const { [key]: _, ...rest } = widths
    onWidths?.(px === undefined ? rest : { ...rest, [key]: px })
  }
  if (total === 0) return <>{empty}</>
  return (
    <div
      ref={setScroller}
      className="flex-1 min-h-0 overflow-y-auto overscroll-contain"
      role="grid"
      aria-label={label}
      aria-rowcount={total + 1}
      aria-multiselectable={selection !== undefined}
      tabIndex={0}
      aria-activedescendant={cursor >= 0 ? `${id}-${cursor}` : undefined}
    >
      {shown && (
        <div
          role="row"
          aria-rowindex={1}
          className="sticky top-0 z-10 grid h-8 items-center bg-paper border-b border-rule text-xs text-soft ps-3 pe-5"
          style={tracks}
        >
          {selection && (
            <span role="columnheader">
              <span className="sr-only">✓</span>
            </span>
          )}
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
      {/* Its height is there at once, also for those who want no motion, whose transitions take a moment. */}
      <div role="rowgroup" className="relative transition-none" style={{ height: total * height }}>
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
              {...(selection && { 'aria-selected': chosen })}
              onClick={() => {
                setCursor(index)
                if (row) onOpen(row)
              }}
              className={`group absolute inset-x-0 top-0 grid items-center border-b border-rule ps-3 pe-5 ${chosen || (rowId && rowId === openId) ? 'bg-wash' : index === cursor ? 'bg-tint' : 'hover:bg-tint'}`}
              style={{ height, transform: `translateY(${start}px)`, ...tracks }}
            >
              {index === cursor && <span aria-hidden className="absolute inset-y-0 start-0 w-0.5 bg-accent" />}
              {row === undefined ? (
                <Waiting narrow={narrow} columns={(shown?.length ?? 0) + (selection ? 1 : 0)} />
              ) : narrow ? (
                <div role="gridcell">{brief(row)}</div>
              ) : (
                <>
                  {selection && (
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
                  )}
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

const none: ReadonlySet<string> = new Set()
/** Rows that are drawn as waiting until the server has counted. */
const rowsAwaited = 12
const ticksWidth = 32
const paddingOfRow = 12 + 20

/** The pixels that the list has; undefined until they are measured. */
function useWidth(scroller: HTMLElement | null): number | undefined {
  const [width, setWidth] = useState<number>()
  useLayoutEffect(() => {
    if (!scroller) return
    const measure = () => setWidth(scroller.clientWidth)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(scroller)
    return () => observer.disconnect()
  }, [scroller])
  return width
}

/** Where the list stands when rows get another height: the same rows are in view, and the row that somebody is on in any case. */
function samePlace({ top, high }: { top: number; high: number }, was: number, height: number, cursor: number): number {
  const scaled = (top / was) * height
  const wasSeen = cursor >= 0 && cursor * was > top - was && cursor * was < top + high
  return wasSeen ? Math.min(Math.max(scaled, (cursor + 1) * height - high), cursor * height) : scaled
}

/** Where a row is now: others may have come or gone before it. */
const nearby = (id: string, cursor: number, idAt: (index: number) => string | undefined): number | undefined =>
  Array.from({ length: 50 }, (_, by) => [cursor - by - 1, cursor + by + 1])
    .flat()
    .find((index) => idAt(index) === id)

/** How many rows are in view. */
const pageOf = (scroller: HTMLElement | null, height: number) =>
  Math.max(1, Math.floor((scroller?.clientHeight ?? 0) / height) - 2)

const Waiting = ({ narrow, columns }: { narrow: boolean; columns: number }) =>
  narrow ? (
    <span role="gridcell" className="w-2/3">
      <Skeleton className="h-3" />
    </span>
  ) : (
    Array.from({ length: columns }, (_, at) => (
      <span key={at} role="gridcell" className="mx-2">
        <Skeleton className="h-3" />
      </span>
    ))
  )
