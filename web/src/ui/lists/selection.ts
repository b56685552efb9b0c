import { useRef, useState } from 'react'
import { useLeft } from './left.ts'

type Kept = { shows: string; ids: ReadonlySet<string> }
const none: ReadonlySet<string> = new Set()

/** The rows that are ticked. Where the list shows other rows, none is; who comes back to the list finds theirs. */
export function useSelection(shows: string) {
  const latest = useRef<Kept>({ shows, ids: none })
  const left = useLeft<Kept>('selection', () => latest.current)
  const [kept, setKept] = useState(left?.shows === shows ? left : latest.current)
  latest.current = kept
  if (kept.shows !== shows) setKept({ shows, ids: none })
  const select = (ids: ReadonlySet<string>) => setKept({ shows, ids })
  return { selected: kept.shows === shows ? kept.ids : none, select }
}
