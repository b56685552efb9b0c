import { useRouterState } from '@tanstack/react-router'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Search } from '../../search.ts'

/** How a list was left: by its entry of the history, and the last one of each path. */
type Left = { parts: Map<string, unknown>; search: Search }
const byEntry = new Map<string, Left>()
const lastOf = new Map<string, string>()
const keptMax = 60

type Here = { pathname: string; search: unknown; state: object }
/** The entry of the history, or the one that a link back stands for. */
const entryOf = ({ state }: Here) => (state as { __TSR_key?: string }).__TSR_key ?? ''
const cameBackTo = ({ state }: Here) => (state as { left?: string }).left

function keep(here: Here, part: string, value: unknown) {
  const entry = entryOf(here)
  const parts = byEntry.get(entry)?.parts ?? new Map<string, unknown>()
  parts.set(part, value)
  byEntry.delete(entry)
  byEntry.set(entry, { parts, search: here.search as Search })
  lastOf.set(here.pathname, entry)
  const [oldest] = byEntry.keys()
  if (byEntry.size > keptMax && oldest !== undefined) byEntry.delete(oldest)
}

/**
 * A part of a list as it was left, where somebody comes back to it: by the browser or by the link of a record. `now` tells what to
 * keep when the list is left.
 */
export function useLeft<T>(part: string, now: () => T): T | undefined {
  const location = useRouterState({ select: (state) => state.location as Here })
  const here = useRef(location)
  if (location.pathname === here.current.pathname) here.current = location // the next page may be on its way already
  const [began] = useState(() => byEntry.get(cameBackTo(location) ?? entryOf(location))?.parts.get(part))
  const latest = useRef(now)
  latest.current = now
  useLayoutEffect(() => () => keep(here.current, part, latest.current()), [part])
  return began as T | undefined
}

type Way = { search?: never; state?: never }

/** The way back to a list from a record: with the view and filters it was left with. */
export function useWayBack(path: string): Way {
  const [way, setWay] = useState<Way>({})
  useEffect(() => {
    const entry = lastOf.get(path)
    const left = entry === undefined ? undefined : byEntry.get(entry)
    setWay(left ? { search: left.search as never, state: { left: entry } as never } : {})
  }, [path])
  return way
}
