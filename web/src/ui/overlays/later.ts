import { useSyncExternalStore } from 'react'
import { say } from './toast.tsx'

const waitMs = 8_000
const none: ReadonlySet<string> = new Set()
/** By kind, the ids that are deleted as far as the reader can see. */
let hidden: ReadonlyMap<Kind, ReadonlySet<string>> = new Map()
const listeners = new Set<() => void>()

type Kind = 'documents' | 'customers' | 'automations'

function change(kind: Kind, toNext: (before: ReadonlySet<string>) => Iterable<string>) {
  hidden = new Map([...hidden, [kind, new Set(toNext(hidden.get(kind) ?? none))]])
  for (const each of listeners) each()
}

/** Lists leave these out. */
export const useDeleted = (kind: Kind): ReadonlySet<string> =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    () => hidden.get(kind) ?? none,
  )

type Deletion = {
  kind: Kind
  ids: readonly string[]
  title: string
  undo: string
  /** Sent when the toast goes, and at the latest when the page is closed (`keepalive`). It tells what was refused. */
  send: (keepalive: boolean) => Promise<unknown>
}

/** Deletes after eight seconds, in which it can be taken back. */
export function deleteLater({ kind, ids, title, undo, send }: Deletion) {
  change(kind, (before) => [...before, ...ids])
  const show = () => change(kind, (before) => [...before].filter((each) => !ids.includes(each)))
  const end = () => {
    clearTimeout(timer)
    removeEventListener('pagehide', close)
  }
  const close = () => {
    end()
    void send(true)
  }
  const timer = setTimeout(() => {
    end()
    void send(false).finally(show)
  }, waitMs)
  addEventListener('pagehide', close)
  const takeBack = () => {
    end()
    show()
  }
  say(title, { undo: { label: undo, on: takeBack } })
}
