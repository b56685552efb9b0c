import { useSyncExternalStore } from 'react'
import { say } from './toast.tsx'

const waitMs = 8_000
let hidden: ReadonlySet<string> = new Set()
const listeners = new Set<() => void>()
const change = (next: ReadonlySet<string>) => {
  hidden = next
  for (const each of listeners) each()
}

/** The ids that are deleted as far as the reader can see; lists leave them out. */
export const useDeleted = () =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    () => hidden,
  )

type Deletion = {
  id: string
  title: string
  undo: string
  /** Sent when the toast goes, and at the latest when the page is closed (`keepalive`). */
  send: (keepalive: boolean) => Promise<unknown>
  onFailed: (error: unknown) => void
}

/** Deletes after eight seconds, in which it can be taken back. */
export function deleteLater({ id, title, undo, send, onFailed }: Deletion) {
  change(new Set([...hidden, id]))
  const show = () => change(new Set([...hidden].filter((each) => each !== id)))
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
    send(false).catch(onFailed).finally(show)
  }, waitMs)
  addEventListener('pagehide', close)
  say(title, {
    undo: {
      label: undo,
      on: () => {
        end()
        show()
      },
    },
  })
}
